"""Who can write the database, and knows the code: changes what is stored, and makes all chains fit again."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

import msgspec
from msgspec.structs import replace

from domain import history
from domain.kernel.game import Seat
from domain.match.envelope import Envelope, encode, log_head, next_log_head
from projections import evidence
from projections.catalogue import CATALOGUE
from projections.evidence import Record, attempts_head, next_attempts_head, viewer_head, viewer_name
from projections.views.match import redact
from service.runtime.attempts import Tries
from service.store.rows import AttemptRow, EventRow
from tests.audit.paper import Kept


def event_of(kept: Kept, version: int) -> Any:
    return history.read(CATALOGUE[kept.row.game].game, _row(kept, version).envelope).event


def find(kept: Kept, tag: str, after: int = 0) -> int:
    """The version of the first event of this kind after a version."""
    return next(row.version for row in kept.rows if row.tag == tag and row.version > after)


def change(kept: Kept, version: int, event: Any = None, **columns: Any) -> None:
    """Another event there, or other times and another actor; the derived columns follow."""
    row = _row(kept, version)
    was = history.read(CATALOGUE[kept.row.game].game, row.envelope)
    now = Envelope(
        match=columns.get("match", was.match),
        version=columns.get("version", was.version),
        at=columns.get("at", was.at),
        received_at=columns.get("received_at", was.received_at),
        by=columns.get("by", was.by),
        event=was.event if event is None else event,
    )
    place = kept.rows.index(row)
    kept.rows[place] = replace(
        row,
        version=now.version,
        at=now.at,
        received_at=now.received_at,
        by=now.by,
        tag=now.event.__struct_config__.tag,
        envelope=encode(now).decode(),
        command=columns.get("command", row.command),
        salt=columns.get("salt", row.salt),
    )


def change_attempt(kept: Kept, place: int, **fields: Any) -> None:
    """Another record there; the derived columns follow."""
    row = kept.tried[place]
    record = replace(msgspec.json.decode(row.record, type=Record), **fields)
    kept.tried[place] = replace(
        row,
        seat=record.seat,
        n=record.n,
        received_at=record.received_at,
        outcome=record.outcome,
        record=msgspec.json.encode(record).decode(),
    )


def renumber_attempts(kept: Kept) -> None:
    """After one was added or taken away."""
    counts: dict[int, int] = {}
    for place, row in enumerate(kept.tried):
        counts[row.seat] = n = counts.get(row.seat, 0) + 1
        change_attempt(kept, place, n=n)


def renumber(kept: Kept) -> None:
    """After an event was added or taken away: versions without holes, in events and in what attempts met."""
    versions = sorted(row.version for row in kept.rows)
    for place, row in enumerate(list(kept.rows)):
        envelope = history.read(CATALOGUE[kept.row.game].game, row.envelope)
        text = encode(
            Envelope(envelope.match, place + 1, envelope.at, envelope.received_at, envelope.by, envelope.event)
        )
        kept.rows[place] = replace(row, version=place + 1, envelope=text.decode())
    for place, tried in enumerate(kept.tried):
        met = msgspec.json.decode(tried.record, type=Record).version
        change_attempt(kept, place, version=bisect_right(versions, met))


def rehash(kept: Kept) -> None:
    """Every head of every chain, and where they end, as if all had happened so."""
    view, match, seats = CATALOGUE[kept.row.game], str(kept.row.match), len(kept.row.seqs) - 1
    head = log_head(match)
    heads = [viewer_head(match, viewer_name(n, seats)) for n in range(seats + 1)]
    seqs = [0] * (seats + 1)
    rows: list[EventRow] = []
    for row in kept.rows:
        head = next_log_head(head, row.salt, row.envelope.encode())
        envelope = history.read(view.game, row.envelope)
        told_as, now = [], b""
        for viewer in range(seats + 1):
            told = redact(view, envelope.event, None if viewer == seats else Seat(viewer))
            told_as.append(0 if told is None else seqs[viewer] + 1)
            if told is None:
                now += bytes(32)
                continue
            seqs[viewer] += 1
            text = evidence.encode(evidence.Told(seqs[viewer], envelope.at, told))
            heads[viewer] = evidence.next_viewer_head(heads[viewer], text)
            now += heads[viewer]
        rows.append(replace(row, head=head, seqs=tuple(told_as), heads=now))
    kept.rows = rows
    tries = {seat: Tries(0, attempts_head(match, Seat(seat)).hex()) for seat in range(seats)}
    tried: list[AttemptRow] = []
    for attempt in kept.tried:
        now = next_attempts_head(bytes.fromhex(tries[attempt.seat].head), attempt.record.encode())
        tries[attempt.seat] = Tries(attempt.n, now.hex())
        tried.append(replace(attempt, head=now))
    kept.tried = tried
    kept.row = replace(
        kept.row,
        version=len(rows),
        attempts=len(tried),
        head=head,
        seqs=tuple(seqs),
        heads=b"".join(heads),
        tries=msgspec.json.encode(tuple(tries.values())).decode(),
    )


def _row(kept: Kept, version: int) -> EventRow:
    return next(row for row in kept.rows if row.version == version)
