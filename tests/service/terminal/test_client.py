"""What the terminal's client keeps up with: connections that break, answers that get lost."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from itertools import takewhile
from queue import SimpleQueue

import pytest

from service.terminal.client import Client, Frame, Lost, Match, Message, Problem, Unreachable, decoded
from tests.api.serving import Served
from tests.service.terminal.wire import Wire, wire


@pytest.fixture
def line(server: Served) -> Iterator[Wire]:
    with wire(server.port) as through:
        yield through


@pytest.fixture
def ben(line: Wire) -> Iterator[Client]:
    """Ben, whose connection is not the best."""
    client = Client(line.url)
    client.register("Ben")
    yield client
    client.close()


def sandbox(client: Client, **wish: object) -> str:
    """A match against two bots that begins."""
    match = client.open("cheat", 3, sandbox=True, fill=True, **wish).match
    client.start(match)
    return match


def heard(client: Client, match: str, after: int = 0) -> SimpleQueue[Message]:
    """What the stream tells, from another thread."""
    told: SimpleQueue[Message] = SimpleQueue()

    def work() -> None:
        for message in client.stream(match, after, pause=lambda _: None):
            told.put(message)

    threading.Thread(target=work, daemon=True).start()
    return told


def frames(told: SimpleQueue[Message], upto: int) -> tuple[list[Frame], int]:
    """All up to a seq, and how often the connection was lost meanwhile."""
    found: list[Frame] = []
    lost = 0
    while not found or found[-1].seq < upto:
        match told.get(timeout=20):
            case Match(frames=more):
                found += more
            case Lost():
                lost += 1
    return found, lost


def test_a_stream_that_is_cut_goes_on_with_each_frame_once(line: Wire, ben: Client) -> None:
    match = sandbox(ben)
    told = heard(ben, match)
    found, _ = frames(told, ben.see(match).seq)
    for _ in range(5):
        line.cut()
        ben.turn_clock(match, 60_000)  # what happens while nobody listens
        more, lost = frames(told, ben.see(match).seq)
        found += more
        assert lost >= 1
    assert [frame.seq for frame in found] == list(range(1, len(found) + 1))
    assert all(frame.narration for frame in found)


def test_a_cursor_of_nowhere_is_put_right(anna: Client) -> None:
    match = sandbox(anna)
    told = heard(anna, match, after=5000)
    assert told.get(timeout=20).seq == anna.see(match).seq  # type: ignore[union-attr]  # a heartbeat
    before = anna.see(match).seq
    anna.turn_clock(match, 60_000)
    found, _ = frames(told, anna.see(match).seq)
    assert found[0].seq == before + 1


def test_what_got_no_answer_is_asked_again_and_done_once(line: Wire, ben: Client) -> None:
    for _ in range(3):
        line.cut()
        line.lose = 1
        ben.open("cheat", 3)
    assert len(listed(ben)) == 3

    match = sandbox(ben, deal={"dealer": 2, "hands": [["AS", "KD"], ["4S"], ["2D"]]})
    seq = ben.see(match).seq
    line.cut()
    line.lose = 1
    seen = ben.act(match, {"type": "cheat.play", "cards": ["KD"]})
    assert seen.seq == seq + 1
    assert seen.view is not None
    assert seen.view["hand"] == ["AS"]


def test_a_refusal_is_a_problem_in_the_readers_language(server: Served) -> None:
    client = Client(server.url, None, "de")
    client.register("Cara")
    match = sandbox(client, deal={"dealer": 2, "hands": [["AS", "KD"], ["4S"], ["2D"]]})
    with pytest.raises(Problem, match="Diese Karten hast du nicht auf der Hand") as no:
        client.act(match, {"type": "cheat.play", "cards": ["QS"]})
    assert no.value.status == 409
    assert no.value.kind == "refused"
    client.close()


def test_a_token_that_nobody_knows_is_known_to_be_none(server: Served) -> None:
    client = Client(server.url, "mw_" + "a" * 43)
    assert not client.is_known()
    with pytest.raises(Problem) as no:
        next(takewhile(bool, client.stream("00000000-0000-4000-8000-000000000000")))
    assert no.value.status == 401
    client.close()


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "nonsense", "http://[::bad", "ftp://127.0.0.1"])
def test_where_nobody_is_nobody_answers(url: str) -> None:
    with pytest.raises(Unreachable):
        Client(url).games()


def test_no_server_steers_the_terminal_of_who_plays_there() -> None:
    told = decoded(
        rb'{"seq":1,"at":"2026-01-01T12:00:00Z","event":{"x":["\u009b2J"]},"narration":"\u001b[31mred\u0007"}', Frame
    )
    assert told.narration == "[31mred"
    assert told.event == {"x": ["2J"]}


def listed(client: Client) -> list[object]:
    answer = client._http.get("/v1/matches", params={"mine": "true"})
    found: list[object] = answer.json()["matches"]
    return found
