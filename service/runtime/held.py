"""What is stored of a dispute beside the log, held against the log before anybody is told it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.match import events
from service.runtime.book import BrokenLog
from service.store.rows import DisputeRow, KeptDispute


class _Envelope(Struct, frozen=True):
    received_at: datetime
    event: events.Opened | events.Seated | events.DisputeRaised | events.RefereeAssigned | events.Ruled


_envelope: Final = msgspec.json.Decoder(_Envelope).decode


def held_against_the_log(kept: KeptDispute) -> DisputeRow:
    """The row. BrokenLog where its match has it otherwise; words that were erased are nobody's any more."""
    row = kept.row
    try:
        said = _said(row, kept.log)
    except (msgspec.MsgspecError, ValueError, LookupError) as why:
        raise BrokenLog(f"what {row.match} says of dispute {row.id} cannot be read: {why}") from why
    if said != replace(row, text=None, salt=None, note=None, note_salt=None):
        raise BrokenLog(f"dispute {row.id} is not what {row.match} says of it")
    return row


def _said(row: DisputeRow, log: Sequence[str]) -> DisputeRow | None:
    """As the log has it, without anybody's words: these are compared with what the log binds."""
    said: DisputeRow | None = None
    game, sits = "", dict[int, str | None]()
    for envelope in map(_envelope, log):
        match envelope.event:
            case events.Opened(game=game):
                pass
            case events.Seated(seat=seat, player=player):
                sits[seat] = player
            case events.DisputeRaised() as raised if raised.dispute == str(row.id):
                _must_be(row, row.text, row.salt, raised.text_digest)
                by = None if raised.seat is None else sits[raised.seat]
                said = DisputeRow(
                    id=row.id,
                    match=row.match,
                    game=game,
                    raised_at=envelope.received_at,
                    player=None if by is None else UUID(by),
                    seat=raised.seat,
                    seq=raised.seq,
                    reason=raised.reason,
                    text=None,
                    salt=None,
                )
            case events.RefereeAssigned(dispute=dispute, referee=referee) if said and dispute == str(row.id):
                said = replace(said, referee=UUID(referee))
            case events.Ruled() as ruled if said and ruled.dispute == str(row.id):
                _must_be(row, row.note, row.note_salt, ruled.text_digest)
                said = replace(
                    said,
                    ruling=ruled.ruling,
                    rules=ruled.rules,
                    ruled_at=envelope.received_at,
                    branch=None if ruled.branch is None else UUID(ruled.branch),
                )
            case _:
                pass
    return said


def _must_be(row: DisputeRow, words: str | None, salt: bytes | None, digest: str | None) -> None:
    if words is not None and hashlib.sha256((salt or b"") + words.encode()).hexdigest() != digest:
        raise BrokenLog(f"the words of dispute {row.id} are not those that {row.match} binds")
