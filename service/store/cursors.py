"""Cursors of lists that are read newest first: where the next page begins, opaque to clients."""

from __future__ import annotations

import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

_CURSOR: Final = struct.Struct(">q16s")  # microseconds since 1970, id
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class BadCursor(ValueError):
    """Not a cursor that such a list gave out."""


def written(at: datetime, last: UUID) -> str:
    return urlsafe_b64encode(_CURSOR.pack((at - _EPOCH) // timedelta(microseconds=1), last.bytes)).decode()


def read(cursor: str) -> tuple[datetime, UUID]:
    """Raises BadCursor."""
    try:
        microseconds, last = _CURSOR.unpack(urlsafe_b64decode(cursor))
        return _EPOCH + timedelta(microseconds=microseconds), UUID(bytes=last)
    except (ValueError, OverflowError, struct.error) as error:
        raise BadCursor(cursor) from error
