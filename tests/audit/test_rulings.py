"""A ruling that cannot have been made so is found, however well all chains fit; so is a branch that began otherwise."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from msgspec import Raw, Struct
from msgspec.structs import replace
from rich.console import Console

from projections.audit import transcript
from projections.audit.fault import Fault, Part
from projections.audit.original import Original
from projections.audit.verify import verify
from service.audit import verifying
from service.dialogue import Asked
from service.runtime.disputes import Judgement
from service.runtime.runtime import Runtime
from tests.audit.forger import change, event_of, find, rehash, renumber
from tests.audit.paper import Kept
from tests.service.runtime.table import a_player, a_table, runtime

BRANCH = Judgement(ruling="branch", rules=("4.1", "5.3"), text="It was in time.", told=None)


class Both(Struct):
    """A match that was branched, and its branch, both as they are stored; both are over."""

    old: Kept
    new: Kept


async def stored(it: Runtime, match: UUID) -> Kept:
    stream, seed = await it.store.log.stream(match), await it.store.log.seed(match)
    assert stream is not None
    assert seed is not None
    tried = [row for seat in range(len(stream.seqs) - 1) for row in await it.store.log.attempts(match, seat)]
    return Kept(stream, seed, await it.store.log.events(match), tried)


async def played(database: str, redis_url: str) -> Both:
    async with runtime(database, redis_url) as it:
        table = await a_table(it, pause_on_dispute=True, options=Raw(b'{"max_turns": 9}'))
        rita, rudi = await a_player(it, "Rita"), await a_player(it, "Rudi")

        def asks(player: UUID) -> Asked:
            return Asked(player=player, received_at=it.clock.now())

        luck = random.Random(4)
        await table.play_on(luck, until=lambda seen: bool(seen["seq"] > 9))
        first = await it.disputes.raise_(table.asked(2), table.match, reason="conduct", seq=None, text=None)
        await it.disputes.assign(asks(rudi), first.id, instead=False)
        await it.disputes.rule(asks(rudi), first.id, replace(BRANCH, ruling="dismissed", text=None))
        await table.play_on(luck, until=lambda seen: bool(seen["seq"] > 16))
        dispute = await it.disputes.raise_(table.asked(1), table.match, reason="timing", seq=16, text="I was first.")
        await it.disputes.assign(asks(rudi), dispute.id, instead=False)
        await it.disputes.assign(asks(rita), dispute.id, instead=True)
        await it.disputes.break_seal(asks(rita), table.match, "dispute")
        row = await it.disputes.rule(asks(rita), dispute.id, BRANCH)
        assert row.branch is not None
        await it.disputes.resume(asks(rita), row.branch)
        old, table.match = table.match, row.branch
        await table.play_on(luck, until=lambda seen: bool(seen["status"] == "over"))
        return Both(await stored(it, old), await stored(it, row.branch))


@pytest.fixture(scope="module")
def story(database_url: str, migrated: str, redis_url: str) -> Iterator[Both]:
    """Played once for all tests here, each of which has a copy."""
    from tests.conftest import _named, _run

    name = f"mogelwerk_rulings_{uuid4().hex[:12]}"
    _run(database_url, f"CREATE DATABASE {name} TEMPLATE {migrated}")
    yield asyncio.run(played(_named(database_url, name), redis_url))
    _run(database_url, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def both(story: Both) -> Both:
    def copy(kept: Kept) -> Kept:
        return Kept(kept.row, kept.secret, list(kept.rows), list(kept.tried))

    return Both(copy(story.old), copy(story.new))


def fault(kept: Kept) -> tuple[int, Part]:
    with pytest.raises(Fault) as found:
        verify(kept.lines())
    return found.value.version, found.value.part


def test_what_nobody_changed_is_whole(both: Both) -> None:
    for kept, status in ((both.old, "superseded"), (both.new, "over")):
        lines = kept.lines()
        rehash(kept)
        assert kept.lines() == lines
        found = verify(lines)
        assert (found.status, found.played) == (status, True)
    found = verify(both.new.lines(), original=Original(both.old.lines()))
    assert found.copied == find(both.new, "match.branched") - 1


OTHERWISE: list[tuple[str, dict[str, Any]]] = [
    ("match.dispute_raised", {"seat": 0}),
    ("match.paused", {"reason": "branch"}),
    ("match.referee_assigned", {"dispute": "another"}),
    ("match.ruled", {"rules": ()}),
    ("match.ruled", {"rules": ("99.9",)}),
    ("match.ruled", {"referee": "somebody else"}),
    ("match.ruled", {"dispute": "another"}),
    ("match.stood_still", {"reason": "outage"}),
    ("match.superseded", {"branch": "another"}),
]


@pytest.mark.parametrize("tag, fields", OTHERWISE, ids=str)
def test_what_a_referee_did_otherwise(both: Both, tag: str, fields: dict[str, Any]) -> None:
    version = find(both.old, tag)
    change(both.old, version, replace(event_of(both.old, version), **fields))
    rehash(both.old)
    assert fault(both.old)[0] == version


def test_a_ruling_by_nobody_and_a_referee_who_sat_there(both: Both) -> None:
    version = find(both.old, "match.referee_assigned")
    anna = event_of(both.old, find(both.old, "match.seated")).player
    change(both.old, version, replace(event_of(both.old, version), referee=anna))
    rehash(both.old)
    assert fault(both.old) == (version, Part.RULES)


def test_a_ruling_that_is_taken_out(both: Both) -> None:
    version = find(both.old, "match.ruled", find(both.old, "match.ruled"))
    both.old.rows = [row for row in both.old.rows if row.version != version]
    renumber(both.old)
    rehash(both.old)
    assert fault(both.old)[0] == version


def test_a_branch_whose_clock_began_otherwise_or_that_tried_too_early(both: Both) -> None:
    version = find(both.new, "match.branched")
    event = event_of(both.new, version)
    change(both.new, version, replace(event, began=event.began + timedelta(seconds=1)))
    rehash(both.new)
    assert fault(both.new) == (version, Part.RULES)


def test_a_branch_that_was_given_back_its_time_otherwise(both: Both) -> None:
    version = find(both.new, "match.stood_still", find(both.new, "match.branched"))
    event = event_of(both.new, version)
    change(both.new, version, replace(event, ended=event.ended + timedelta(seconds=1)))
    rehash(both.new)
    assert fault(both.new)[0] == version


def test_a_forged_beginning_is_found_only_beside_the_other_match(both: Both) -> None:
    version = find(both.new, "cheat.claimed")
    row = next(row for row in both.new.rows if row.version == version)
    change(both.new, version, received_at=row.received_at + timedelta(milliseconds=1))
    rehash(both.new)
    assert verify(both.new.lines()).played
    with pytest.raises(Fault) as found:
        verify(both.new.lines(), original=Original(both.old.lines()))
    assert (found.value.version, found.value.what) == (version, "in the other match something else happened here")


def test_the_command_holds_one_against_the_other(both: Both, tmp_path: Path) -> None:
    old, new = tmp_path / "old.ndjson", tmp_path / "new.ndjson"
    old.write_bytes(b"".join(both.old.lines()))
    new.write_bytes(b"".join(both.new.lines()))
    out = Console(record=True, width=200)
    check = partial(verifying.verify, chain_only=False, out=out, err=Console(stderr=True))

    assert check(new, verifying.Beside()) == 0
    assert "copied from match" in out.export_text()
    assert check(new, verifying.Beside(of=old)) == 0
    assert "are those of the match that it goes on from" in out.export_text()


def test_a_wrong_file_for_the_other_match_is_nothing_against_the_branch(both: Both, tmp_path: Path) -> None:
    lines, copied = both.old.lines(), find(both.new, "match.branched") - 1
    points = [place for place, line in enumerate(lines) if line.startswith(b'{"line":"event"')]
    torn = lines[: points[copied - 2]]
    so_far = transcript.write(
        transcript.SoFar(status="playing", version=copied - 2, head="00" * 32, viewers=(), attempts=())
    )
    header = lines[0].replace(b'"viewer":null', b'"viewer":"seat:1"')
    files = {
        "new": both.new.lines(),
        "cut": torn,
        "half": [*torn, lines[points[copied - 2]][:99]],
        "seat": [header, *lines[1:]],
        "early": [*torn, so_far],
        "none": [b"Anna has won.\n"],
    }
    for name, of in (*files.items(), ("old", lines)):
        (tmp_path / name).write_bytes(b"".join(of))
    err = Console(stderr=True, record=True, width=400)
    check = partial(verifying.verify, chain_only=False, out=Console(), err=err)

    for name, says in (
        ("cut", "it was cut off"),
        ("half", "none of a transcript"),
        ("seat", "it is what seat:1 was told"),
        ("early", "it was taken before the point"),
        ("none", "none of a transcript"),
        ("new", "and the branch goes on from match"),
    ):
        assert check(tmp_path / "new", verifying.Beside(of=tmp_path / name)) == verifying.UNKNOWN
        said = err.export_text()
        assert said.startswith(f"{tmp_path / name}: ")
        assert says in said
    assert check(tmp_path / "old", verifying.Beside(of=tmp_path / "new")) == verifying.UNKNOWN
    assert err.export_text().startswith("old: it is a branch of no match")
