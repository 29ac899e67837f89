"""Matches as the store sees them: numbers and bytes, no game. Anna, Ben and Cara sit at each."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from msgspec.structs import replace

from service.store.rows import Access, Append, AttemptRow, DisputeRow, EventRow, KeyRow, LobbyRow, NewMatch

ANNA, BEN, CARA = (UUID(int=n) for n in (1, 2, 3))
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
VIEWERS = 4  # three seats and the spectator


def digest(*words: object) -> bytes:
    return hashlib.sha256(repr(words).encode()).digest()


def soon(seconds: float = 2.0) -> datetime:
    return datetime.now(UTC) + timedelta(seconds=seconds)


def event(match: UUID, version: int, command: UUID, told: Sequence[int] | None = None) -> EventRow:
    """``told``: the seqs by viewer; as many as events where everybody is told."""
    seqs = tuple(told) if told is not None else (version,) * VIEWERS
    heads = b"".join(digest(match, version, viewer) if seq else bytes(32) for viewer, seq in enumerate(seqs))
    return EventRow(
        version=version,
        at=NOON + timedelta(seconds=version),
        received_at=NOON + timedelta(seconds=version, milliseconds=-5),
        by=version % 3,
        tag="cheat.claimed",
        command=command,
        envelope=f'{{"version":{version},"event":"7♥"}}',
        salt=digest("salt", match, version)[:16],
        head=digest(match, version),
        seqs=seqs,
        heads=heads,
    )


def attempt(match: UUID, n: int, command: UUID, outcome: str = "accepted", seat: int = 0) -> AttemptRow:
    return AttemptRow(
        seat=seat,
        n=n,
        command=command,
        received_at=NOON,
        outcome=outcome,
        record=f'{{"n":{n}}}',
        head=digest("attempt", match, seat, n),
    )


def key(match: UUID | None, word: str, command: UUID, before: int, after: int, scope: str | None = None) -> KeyRow:
    return KeyRow(
        player=ANNA,
        scope=str(match) if scope is None else scope,
        key=word,
        fingerprint=digest("body", word),
        command=command,
        match=match,
        seat=0,
        received_at=NOON,
        before=before,
        after=after,
    )


def append(
    match: UUID,
    version: int,
    *,
    events: int = 1,
    tried: int = 0,
    attempts: int = 0,
    word: str | None = None,
    command: UUID | None = None,
    due: datetime | None = None,
    not_after: datetime | None = None,
    lobby: LobbyRow | None = None,
) -> Append:
    """A command that finds the match at ``version``, with ``tried`` attempts, and adds ``events`` and ``attempts``."""
    command = command or uuid4()
    last = version + events
    return Append(
        match=match,
        expected_version=version,
        expected_attempts=tried,
        not_after=not_after or soon(),
        head=digest(match, last),
        seqs=(last,) * VIEWERS,
        heads=b"".join(digest(match, last, viewer) for viewer in range(VIEWERS)),
        tries=f'{{"0":{tried + attempts}}}',
        events=tuple(event(match, version + n, command) for n in range(1, events + 1)),
        attempts=tuple(attempt(match, tried + n, command) for n in range(1, attempts + 1)),
        key=None if word is None else key(match, word, command, version, last),
        due=due,
        lobby=lobby,
    )


def refusal(match: UUID, version: int, tried: int, *, word: str | None = None, command: UUID | None = None) -> Append:
    """A command that is refused at ``version``: an attempt, and nothing else."""
    command = command or uuid4()
    refused = append(match, version, events=0, tried=tried, attempts=1, word=word, command=command)
    return replace(refused, attempts=(attempt(match, tried + 1, command, "refused"),))


def shown(
    *,
    status: str = "open",
    code: str | None = None,
    players: tuple[UUID, ...] = (ANNA,),
    host: UUID = ANNA,
    access: Access = Access.PUBLIC,
    sandbox: bool = False,
    opened_at: datetime = NOON,
    game: str = "cheat",
) -> LobbyRow:
    return LobbyRow(
        game=game,
        status=status,
        access=access,
        sandbox=sandbox,
        host=host,
        opened_at=opened_at,
        seats=VIEWERS - 1,
        taken=len(players),
        players=players,
        code=code,
    )


def opening(match: UUID | None = None, *, lobby: LobbyRow | None = None, word: str | None = None) -> NewMatch:
    """A match that Anna opens, with one event."""
    match = match or uuid4()
    first = append(match, 0, lobby=lobby or shown())
    if word is not None:
        first = replace(first, key=key(match, word, uuid4(), 0, 1, scope=""))
    return NewMatch(match=match, game="cheat", seed=digest("seed", match), append=first)


def raised(match: UUID, player: UUID | None = ANNA, at: datetime = NOON, **more: Any) -> DisputeRow:
    """A dispute of Anna's, who sits at seat 0."""
    return DisputeRow(
        id=uuid4(),
        match=match,
        game="cheat",
        raised_at=at,
        player=player,
        seat=0,
        seq=1,
        reason="rule",
        text="I was first.",
        salt=bytes(16),
        **more,
    )
