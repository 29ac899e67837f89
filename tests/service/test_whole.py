"""The whole thing as its users run it: `mogelwerk serve`, clients that speak only HTTP, processes killed at random."""

from __future__ import annotations

import random
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import asyncpg
import httpx
import msgspec

from service.servers.children import until
from tests.api.people import Person
from tests.service.processes import Program, gone, program
from tests.service.runtime.table import fitting

QUICK = {"turn_time": 60, "min_open": 0, "max_open": 1, "round_pause": 0, "bot_think": 0.05}


@contextmanager
def server(data: Path, **env: str) -> Iterator[tuple[Program, str]]:
    usual = {"DATABASE_URL": "", "REDIS_URL": "", "MOGELWERK_METRICS_PORT": "0", "MOGELWERK_PORT": "0"}
    command = "from service.cli import main; main()"
    with program("-c", command, "serve", env={**usual, "MOGELWERK_DATA": str(data), **env}) as run:
        yield run, run.says("  Mogelwerk   ")


def three(url: str) -> list[Person]:
    return [Person.arrive(url, name) for name in ("Anna", "Ben", "Cara")]


def a_match(people: list[Person], **wish: Any) -> str:
    match = people[0].opens(sandbox=False, clock=QUICK, **wish)
    for person in people[1:]:
        person.sits(match)
    people[0].starts(match)
    return match


def next_step(seen: dict[str, Any], luck: random.Random) -> dict[str, Any] | None:
    """Something that this seat is offered now; challenges now and then."""
    usable = [o for o in seen["actions"] if (o.get("not_before") or "") <= seen["server_time"]]
    usable = [o for o in usable if "challenge" not in o["type"] or luck.random() < 0.15]
    return fitting(luck.choice(usable), luck) if usable else None


def play(people: list[Person], match: str, luck: random.Random, steps: int = 5000) -> str:
    """Everybody in turn, until the match is over or so many steps were made; the status then."""
    for _ in range(steps):
        for person in people:
            seen = person.sees(match)
            if seen["status"] == "over":
                return "over"
            if (said := next_step(seen, luck)) is not None:
                answer = person.try_("POST", f"/v1/matches/{match}/actions", said)
                assert answer.status_code in (201, 409), answer.text
    return "playing"


async def test_a_match_of_three_clients_ends_and_the_log_tells_the_whole_story(folder: Path) -> None:
    with server(folder / "data") as (_, url):
        people = three(url)
        match = a_match(people)

        assert play(people, match, random.Random(1)) == "over"

        url_of_log = f"postgresql://mogelwerk@/postgres?host={folder / 'data' / 'run'}"
        connection = await asyncpg.connect(url_of_log)
        rows = await connection.fetch(
            "SELECT version, tag, envelope FROM event WHERE match = $1 ORDER BY version", match
        )
        await connection.close()
        assert [row["version"] for row in rows] == list(range(1, len(rows) + 1))
        told = {row["tag"] for row in rows}
        assert {"cheat.dealt", "cheat.claimed", "cheat.challenged", "cheat.pile_taken", "cheat.round_over"} <= told
        result = people[0].sees(match)["result"]
        assert msgspec.json.decode(rows[-2]["envelope"])["event"]["winners"] == result["winners"]


class Diary:
    """What was asked under which key, and what was answered: nothing of it may be lost."""

    def __init__(self) -> None:
        self.asked: dict[str, tuple[int, dict[str, Any]]] = {}
        self.answered: dict[str, dict[str, Any]] = {}

    def act(self, people: list[Person], match: str, seat: int, said: dict[str, Any]) -> None:
        key = str(uuid4())
        self.asked[key] = (seat, said)
        answer = people[seat].try_("POST", f"/v1/matches/{match}/actions", said, Idempotency_Key=key)
        if answer.status_code == 201:
            self.answered[key] = answer.json()

    def holds(self, people: list[Person], match: str) -> None:
        """Asked again, everything that was answered is answered the same."""
        for key, told in self.answered.items():
            seat, said = self.asked[key]
            again = people[seat].try_("POST", f"/v1/matches/{match}/actions", said, Idempotency_Key=key)
            assert again.status_code == 201, again.text
            assert again.json()["frames"] == told["frames"]


def test_kill_9_at_any_moment_loses_nothing_that_was_answered(folder: Path) -> None:
    luck, diary, match = random.Random(7), Diary(), ""
    tokens: list[tuple[str, str]] = []
    for round_ in range(4):
        with server(folder / "data", MOGELWERK_WORKERS="2") as (run, url):
            people = [Person.again(url, token, name) for token, name in tokens] or three(url)
            tokens = [(person.token, person.name) for person in people]
            match = match or a_match(people)
            diary.holds(people, match)
            if round_ == 3:
                assert play(people, match, luck) == "over"
                break
            family = run.family()
            killer = threading.Timer(luck.uniform(0.2, 1.0), run.process.kill)
            killer.start()
            with suppress(httpx.TransportError, AssertionError):  # it is killed in the middle of something
                while people[0].sees(match)["status"] != "over":
                    for seat, person in enumerate(people):
                        if (said := next_step(person.sees(match), luck)) is not None:
                            diary.act(people, match, seat, said)
            killer.join()
            assert gone(family)
    assert len(diary.answered) > 5


async def test_two_servers_on_one_database_serve_one_match_together(
    database: str, redis_url: str, tmp_path: Path
) -> None:
    urls = {"DATABASE_URL": database, "REDIS_URL": redis_url}
    with server(tmp_path, **urls) as (_, one), server(tmp_path, **urls) as (_, other):
        people = three(one)
        match = a_match(people)
        elsewhere = [Person.again(other, person.token, person.name) for person in people]

        luck = random.Random(3)
        both = [people[0], elsewhere[1], people[2]]
        heard: list[int] = []
        listener = threading.Thread(target=listen, args=(elsewhere[0], match, heard), daemon=True)
        listener.start()
        assert play(both, match, luck) == "over"
        last = people[0].sees(match)["seq"]
        assert elsewhere[0].sees(match)["seq"] == last
        listener.join(20)
        assert heard == list(range(1, last + 1))


def listen(person: Person, match: str, heard: list[int]) -> None:
    """Every seq that the stream of this person brings, until the match is over."""
    headers = {"accept": "application/x-ndjson"}
    with person.http.stream("GET", f"/v1/matches/{match}/stream", headers=headers, timeout=60) as stream:
        for line in stream.iter_lines():
            message = msgspec.json.decode(line)
            if message["event"] == "frames":
                heard.extend(frame["seq"] for frame in message["frames"])
                if message["status"] == "over":
                    return


def test_sigterm_tells_open_streams_where_to_go_on_and_is_over_in_time(folder: Path) -> None:
    with server(folder / "data") as (run, url):
        people = three(url)
        match = a_match(people)
        said: list[dict[str, Any]] = []

        def read() -> None:
            headers = {"accept": "application/x-ndjson"}
            with people[0].http.stream("GET", f"/v1/matches/{match}/stream", headers=headers, timeout=60) as stream:
                said.extend(msgspec.json.decode(line) for line in stream.iter_lines())

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        assert until(lambda: len(said) > 0 or reader.is_alive(), 5)
        seq = people[0].sees(match)["seq"]
        began = time.monotonic()
        run.process.send_signal(signal.SIGTERM)
        run.process.wait(10)
        took = time.monotonic() - began
        reader.join(5)

        assert took < 6  # five, and a little for a machine that does other things besides
        assert said[-1]["event"] == "bye"
        assert said[-1]["seq"] == seq
