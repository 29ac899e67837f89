"""`mogelwerk import`: a transcript becomes a match that can be read, on another server."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import msgspec
from msgspec import Struct
from rich.console import Console

from domain.match.decider import AnyState
from projections.audit import transcript
from projections.audit.fault import CannotVerify, Fault
from projections.audit.verify import Verifier
from projections.evidence import read_record
from service.audit import CannotImport
from service.audit.files import failed, shown
from service.runtime.attempts import Tries
from service.runtime.attempts import read as read_tries
from service.runtime.draft import lobby_row
from service.servers import CannotStart
from service.store.log import Log
from service.store.postgres import Postgres
from service.store.restore import restore
from service.store.rows import AttemptRow, EventRow, LobbyRow, StreamRow, Unavailable

PAGE: Final = 500  # lines in memory at once


class Imported(Struct, frozen=True):
    """``new``: it was not there before."""

    match: UUID
    version: int
    head: str
    new: bool


def take_in(path: Path, database_url: str, console: Console) -> Imported:
    """Verifies it, and writes it if all is well. Raises CannotImport where it is not, and CannotStart."""
    if path.exists() and not path.is_file():  # it is read twice: a pipe would not say the same again
        raise CannotImport(f"{path.name}: it is no file")
    try:
        header, ending, state, opened_at = _verified(path, console)
        stream = _stream(header, ending)
        lobby = _lobby(state, opened_at)
        with shown(path, console) as lines:
            there = asyncio.run(_restored(database_url, stream, bytes.fromhex(ending.seed), lobby, rows(lines)))
    except Fault as fault:
        raise CannotImport(f"{path.name}: version {fault.version} · {fault.part}: {fault.what}") from None
    except OSError as why:
        raise CannotImport(failed(why, path)) from None
    except CannotVerify as why:
        raise CannotImport(f"{path.name}: {why}") from None
    except Unavailable as why:
        raise CannotStart(str(why)) from why
    if there is not None and _chains(there) != _chains(stream):
        where = f"up to version {there.version}, head {there.head.hex()}"
        raise CannotImport(f"{path.name}: the match is there already with another history, {where}")
    return Imported(stream.match, stream.version, ending.head, there is None)


def _verified(path: Path, console: Console) -> tuple[transcript.Header, transcript.Ending, AnyState, datetime]:
    verifier = Verifier()
    first = last = b""
    opened_at: datetime | None = None
    with shown(path, console) as lines:
        for line in lines:
            verifier.feed(line)
            first = first or line
            if opened_at is None and isinstance(event := transcript.read(line), transcript.Event):
                opened_at = transcript.stored(event.envelope).received_at
            last = line
        verifier.finish()
    header, ending, state = transcript.read(first), transcript.read(last), verifier.state
    if not isinstance(ending, transcript.Ending) or state is None or opened_at is None:
        raise CannotVerify("only the complete transcript of a match that is over can be imported")
    assert isinstance(header, transcript.Header)
    return header, ending, state, opened_at


def _chains(stream: StreamRow) -> tuple[object, ...]:
    """Where each of them ends."""
    tries = read_tries(stream.tries, stream.match, len(stream.seqs) - 1)
    return stream.version, stream.head, stream.seqs, stream.heads, [(seat.n, seat.head) for seat in tries]


async def _restored(database_url: str, stream: StreamRow, seed: bytes, lobby: LobbyRow, pages: Any) -> StreamRow | None:
    """What is there instead; None: it was not there."""
    postgres = await Postgres.open(database_url, connections=1)
    try:
        new = await restore(postgres, stream, seed, lobby, pages)
        return None if new else await Log(postgres).stream(stream.match)
    finally:
        await postgres.close()


def _stream(header: transcript.Header, ending: transcript.Ending) -> StreamRow:
    tries = tuple(Tries(tried.n, tried.head) for tried in ending.attempts)
    return StreamRow(
        match=UUID(header.match),
        game=header.game,
        version=ending.version,
        attempts=sum(tried.n for tried in tries),
        head=bytes.fromhex(ending.head),
        seqs=tuple(told.seq for told in ending.viewers),
        heads=b"".join(bytes.fromhex(told.head) for told in ending.viewers),
        tries=msgspec.json.encode(tries).decode(),
    )


def _lobby(state: AnyState, opened_at: datetime) -> LobbyRow:
    try:
        return lobby_row(state, opened_at, None)
    except ValueError:
        raise CannotVerify("its players have no ids that a server could have given them") from None


def rows(lines: Iterable[bytes]) -> Iterator[tuple[list[EventRow], list[AttemptRow]]]:
    """The rows of a complete transcript, some at a time."""
    events: list[EventRow] = []
    attempts: list[AttemptRow] = []
    for raw in lines:
        match transcript.read(raw):
            case transcript.Event() as line:
                events.append(_event(line))
            case transcript.Attempt() as line:
                attempts.append(_attempt(line))
            case _:
                pass
        if len(events) + len(attempts) >= PAGE:
            yield events, attempts
            events, attempts = [], []
    yield events, attempts


def _event(line: transcript.Event) -> EventRow:
    said = transcript.stored(line.envelope)
    return EventRow(
        version=said.version,
        at=said.at,
        received_at=said.received_at,
        by=said.by,
        tag=said.event.type,
        command=UUID(line.command),
        envelope=line.envelope,
        salt=bytes.fromhex(line.salt),
        head=bytes.fromhex(line.head),
        seqs=tuple(0 if told is None else told.seq for told in line.told),
        heads=b"".join(bytes(32) if told is None else bytes.fromhex(told.head) for told in line.told),
    )


def _attempt(line: transcript.Attempt) -> AttemptRow:
    said = read_record(line.record)
    return AttemptRow(
        seat=line.seat,
        n=line.n,
        command=UUID(said.command),
        received_at=said.received_at,
        outcome=said.outcome,
        record=line.record,
        head=bytes.fromhex(line.head),
    )
