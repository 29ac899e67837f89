"""The chain of what each seat tried: kept with the log, one per seat, so that nobody's receipts betray another's tries.

At most 20 refused attempts a seat and minute are kept; the rest are counted, and the count is recorded before the next
attempt that is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from domain.kernel.game import Seat
from projections.evidence import NO_ACTION, Record, attempts_head, next_attempts_head, read_record
from service.runtime.book import BrokenLog
from service.store.rows import AttemptRow

KEPT_A_MINUTE: Final = 20


class Tries(Struct, frozen=True):
    """One seat's chain: how many, its head (hex), and what the present minute has seen."""

    n: int
    head: str
    minute: int = 0
    refused: int = 0
    uncounted: int = 0


_encode: Final = msgspec.json.Encoder().encode
_tries: Final = msgspec.json.Decoder(tuple[Tries, ...]).decode


def record(
    all_tries: str,
    *,
    match: UUID,
    seats: int,
    seat: Seat,
    command: UUID,
    received_at: datetime,
    version: int,
    reason: str | None,
    action: bytes,
) -> tuple[str, tuple[AttemptRow, ...]]:
    """The chains after this attempt, and the rows to append: none where it is only counted. No reason: accepted."""
    chains = read(all_tries, match, seats)
    tries, minute = chains[seat], int(received_at.timestamp()) // 60
    rows: tuple[AttemptRow, ...] = ()
    if minute != tries.minute:
        tries = replace(tries, minute=minute, refused=0)
    if reason is not None:
        tries = replace(tries, refused=tries.refused + 1)
    if tries.refused > KEPT_A_MINUTE and reason is not None:
        tries = replace(tries, uncounted=tries.uncounted + 1)
    else:
        told = Record(
            match=str(match),
            seat=seat,
            n=0,
            command=str(command),
            received_at=received_at,
            version=version,
            outcome="accepted" if reason is None else "refused",
            reason=reason,
            action=Raw(action),
        )
        if tries.uncounted:
            rest = replace(told, outcome="uncounted", reason=None, action=NO_ACTION, count=tries.uncounted)
            tries, row = _chained(replace(tries, uncounted=0), rest, command, received_at)
            rows = (row,)
        tries, row = _chained(tries, told, command, received_at)
        rows = (*rows, row)
    return _encode((*chains[:seat], tries, *chains[seat + 1 :])).decode(), rows


def read(all_tries: str, match: UUID, seats: int) -> tuple[Tries, ...]:
    if all_tries:
        return _tries(all_tries)
    return tuple(Tries(0, attempts_head(str(match), Seat(seat)).hex()) for seat in range(seats))


def _chained(tries: Tries, entry: Record, command: UUID, received_at: datetime) -> tuple[Tries, AttemptRow]:
    entry = replace(entry, n=tries.n + 1)
    text = _encode(entry)
    head = next_attempts_head(bytes.fromhex(tries.head), text)
    row = AttemptRow(
        seat=entry.seat,
        n=entry.n,
        command=command,
        received_at=received_at,
        outcome=entry.outcome,
        record=text.decode(),
        head=head,
    )
    return replace(tries, n=entry.n, head=head.hex()), row


def check(rows: Sequence[AttemptRow], match: UUID, seat: Seat, after: int, upto: Tries) -> None:
    """A seat's attempts with n > ``after``, in a row; after the start, the first is only what the next is held against.
    ``upto``: where its chain was before they were read. BrokenLog where one is not as it was written."""
    n, head = after, attempts_head(str(match), seat)
    for number, row in enumerate(rows):
        if number == 0 and row.n == after + 1 > 1:
            n, head = row.n, row.head
        else:
            said = read_record(row.record)
            n, head = n + 1, next_attempts_head(head, row.record.encode())
            columns = row.n, row.head, str(row.command), row.received_at, row.outcome
            if columns != (n, head, said.command, said.received_at, said.outcome):
                raise BrokenLog(f"attempt {n} of seat {seat} in {match} is not as it was written")
        if n == upto.n and head.hex() != upto.head:
            raise BrokenLog(f"the attempts of seat {seat} in {match} end otherwise than its stream says")
