"""The live stream: each frame once and in order, from any cursor, until it says good-bye."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from service.api.routes import frames
from service.settings import Settings
from tests.api.people import Person
from tests.api.problems import problem
from tests.api.serving import serving
from tests.api.tables import Table, lie, table_of

SSE = "text/event-stream"
NDJSON = "application/x-ndjson"


class Stream:
    """Reads messages as they come: ``{event, id, …data}``."""

    def __init__(self, answer: httpx.Response) -> None:
        self.answer = answer
        self._messages = self._sse() if answer.headers["content-type"].startswith(SSE) else self._ndjson()

    def next(self, event: str | None = None) -> dict[str, Any]:
        """The next message, of this kind if one is named."""
        return next(message for message in self._messages if event in (None, message["event"]))

    def rest(self) -> list[dict[str, Any]]:
        return list(self._messages)

    def _sse(self) -> Iterator[dict[str, Any]]:
        fields: dict[str, str] = {}
        for line in self.answer.iter_lines():
            if line:
                name, _, value = line.partition(": ")
                fields[name] = value
                continue
            if "data" in fields:
                yield {"event": fields["event"], "id": int(fields["id"]), **json.loads(fields["data"])}
            fields = {}

    def _ndjson(self) -> Iterator[dict[str, Any]]:
        for line in self.answer.iter_lines():
            message = json.loads(line)
            yield {"id": message["seq"], **message}


@contextmanager
def streaming(who: Person, match: str, query: str = "", accept: str = SSE, **headers: str) -> Iterator[Stream]:
    named = {"accept": accept, **{name.replace("_", "-"): value for name, value in headers.items()}}
    with who.http.stream("GET", f"/v1/matches/{match}/stream{query}", headers=named) as answer:
        assert answer.status_code == 200
        yield Stream(answer)


@pytest.mark.parametrize("accept", [SSE, NDJSON])
def test_a_stream_begins_with_what_has_been_and_goes_on_with_what_happens(table: Table, accept: str) -> None:
    so_far = table.anna.do("GET", f"{table.path}/events")["frames"]
    with streaming(table.anna, table.match, accept=accept) as stream:
        assert stream.answer.headers["content-type"].startswith(accept)
        told: list[Any] = []
        while len(told) < len(so_far):
            message = stream.next("frames")
            told += message["frames"]
            assert message["id"] == message["seq"] == told[-1]["seq"]
        assert told == so_far
        lie(table)
        live = stream.next("frames")
        assert [frame["seq"] for frame in live["frames"]] == [so_far[-1]["seq"] + 1]
        assert live["view"]["open_claims"][0]["count"] == 1
        assert live["frames"][0]["event"]["cards"] == ["??"]
        assert "KD" not in str(live)


def test_a_stream_goes_on_where_one_left_it(table: Table) -> None:
    seq = table.anna.sees(table.match)["seq"]
    lie(table)
    with streaming(table.anna, table.match, f"?after={seq}") as stream:
        assert stream.next("frames")["frames"][0]["seq"] == seq + 1
    with streaming(table.anna, table.match, "?after=0", last_event_id=str(seq)) as stream:
        assert stream.next("frames")["frames"][0]["seq"] == seq + 1


def test_a_stream_from_the_present_says_so_and_what_time_it_is(table: Table) -> None:
    seq = table.anna.sees(table.match)["seq"]
    with streaming(table.anna, table.match, f"?after={seq}", accept=NDJSON) as stream:
        beat = stream.next()
        assert (beat["event"], beat["seq"]) == ("heartbeat", seq)
        assert beat["server_time"] == "2000-01-01T00:00:00Z"


def test_a_cursor_that_is_not_ones_own_is_reset(table: Table) -> None:
    seq = table.anna.sees(table.match)["seq"]
    with streaming(table.anna, table.match, "?after=4000") as stream:
        message = stream.next()
        assert (message["event"], message["seq"]) == ("reset", seq)


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_stream_tells_in_sentences_if_one_likes(table: Table, language: str) -> None:
    seq = table.anna.sees(table.match)["seq"]
    with streaming(table.anna, table.match, f"?narrate={language}") as stream:
        told: list[Any] = []
        while not told or told[-1]["seq"] < seq:
            told += stream.next("frames")["frames"]
        lie(table)
        live = stream.next("frames")["frames"]
    assert all(frame["narration"] for frame in told + live)
    assert "Ben" in live[0]["narration"]
    assert "KD" not in str(live)


def test_a_stream_ends_when_its_token_is_revoked(table: Table) -> None:
    made = table.anna.do("POST", "/v1/players/me/tokens", {"scopes": ["read"]})
    with (
        httpx.Client(
            base_url=table.anna.http.base_url, headers={"authorization": f"Bearer {made['token']}"}, timeout=10
        ) as http,
        http.stream("GET", f"{table.path}/stream?after=1000", headers={"accept": NDJSON}) as answer,
    ):
        stream = Stream(answer)
        stream.next()
        table.anna.try_("DELETE", f"/v1/players/me/tokens/{made['id']}")
        last = stream.rest()[-1]
    assert (last["event"], last["reason"]) == ("bye", "revoked")


def test_a_stream_ends_when_the_seat_changes_hands(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "LOOK", 3600.0)  # because it changes, and not because it is time to look again
    with streaming(table.ben, table.match, accept=NDJSON) as stream:
        stream.next()
        table.ben.do("DELETE", f"{table.path}/seats/1")
        last = stream.rest()[-1]
    assert (last["event"], last["reason"]) == ("bye", "seat_changed")


def test_who_has_left_is_not_streamed_what_the_next_holder_is_dealt(
    anna: Person, ben: Person, cara: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frames, "CHECK", 3600.0)  # whatever happens between two looks
    match = anna.opens(fill="random")
    ben.sits(match, seat=1)
    with streaming(ben, match, accept=NDJSON) as stream:
        stream.next("frames")
        leaver = _twin(ben)
        leaver.do("DELETE", f"/v1/matches/{match}/seats/1")
        cara.sits(match, seat=1)
        anna.starts(match)
        told = []
        while (message := stream.next())["event"] != "bye":
            told += [frame["event"]["type"] for frame in message.get("frames", ())]
            assert "cheat.dealt" not in told
    assert message["reason"] == "seat_changed"
    assert told[-1] == "match.left"


def test_who_sits_down_gets_a_stream_of_his_seat(anna: Person, ben: Person) -> None:
    match = anna.do("POST", "/v1/matches", {"game": "cheat", "seats": 3})["match"]
    with streaming(ben, match, accept=NDJSON) as stream:
        stream.next()
        ben.sits(match)
        assert stream.rest()[-1]["reason"] == "seat_changed"


def test_a_server_that_stops_says_where_to_go_on(settings: Settings) -> None:
    with serving(settings) as server:
        friends = [Person.arrive(server.url, name) for name in ("Anna", "Ben", "Cara")]
        table = table_of(*friends)
        seq = table.anna.sees(table.match)["seq"]
        waited: list[Any] = []
        waiting = threading.Thread(target=lambda: waited.append(table.cara.sees(f"{table.match}?after={seq}&wait=60")))
        waiting.start()
        with streaming(table.anna, table.match, f"?after={seq}", accept=NDJSON) as stream:
            stream.next("heartbeat")
            server.app.state.shutdown()
            last = stream.rest()[-1]
        waiting.join(5)
        for friend in friends:
            friend.http.close()
    assert (last["event"], last["reason"], last["seq"]) == ("bye", "closing", seq)
    assert waited[0]["seq"] == seq


def test_many_streams_of_one_match_tell_each_his_own(table: Table, newcomer: Callable[[str], Person]) -> None:
    seq = table.anna.sees(table.match)["seq"]
    with (
        streaming(table.anna, table.match, f"?after={seq}") as annas,
        streaming(table.ben, table.match, f"?after={seq}") as bens,
        streaming(table.cara, table.match, f"?after={seq}") as caras,
    ):
        for stream in (annas, bens, caras):
            stream.next("heartbeat")
        lie(Table(table.match, table.anna, _twin(table.ben), table.cara))
        assert bens.next("frames")["frames"][0]["event"]["cards"] == ["KD"]
        assert annas.next("frames")["frames"][0]["event"]["cards"] == ["??"]
        assert caras.next("frames")["frames"][0]["event"]["cards"] == ["??"]


def test_a_stream_needs_a_scope(table: Table) -> None:
    made = table.anna.do("POST", "/v1/players/me/tokens", {"scopes": ["play"]})

    answer = table.anna.http.get(f"{table.path}/stream", headers={"authorization": f"Bearer {made['token']}"})

    problem(answer, 403, "missing_scope", scope="read")


def _twin(who: Person) -> Person:
    """The same person at another connection, for who reads a stream at one."""
    return Person(str(who.http.base_url), who.token, who.id, who.name)
