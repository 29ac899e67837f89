"""The portable file of a match, a line at a time. Described in docs/transcript.md.

A transcript is complete (header, and all that happened in order: events and attempts) or one viewer's (header, his
frames, ``until``). A complete one ends with ``ending``; for who broke the seal of a match that goes on with ``so_far``.
What a hash binds stands in it as text, in a JSON string, so that every JSON parser gives back exactly its bytes. A line
has no blanks outside its strings, its fields are in the order of these types, and a newline ends it: the same match is
the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Raw, Struct

from domain.kernel.game import AnyGame, Seat
from domain.match.events import Opened
from domain.match.state import Status
from projections.evidence import head_of, read_record

# Patterns are told in the schema, and not looked at when a line is read: each text is compared with what it must be.
Id: TypeAlias = Annotated[
    str, Meta(description="a UUID", extra_json_schema={"pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"})
]
Hash: TypeAlias = Annotated[str, Meta(description="32 bytes in hex", extra_json_schema={"pattern": "^[0-9a-f]{64}$"})]
Salt: TypeAlias = Annotated[str, Meta(description="16 bytes in hex", extra_json_schema={"pattern": "^[0-9a-f]{32}$"})]
Ended: TypeAlias = Literal["over", "void", "superseded"]
GoingOn: TypeAlias = Literal["playing", "superseded"]
Count: TypeAlias = Annotated[int, Meta(ge=0)]
Number: TypeAlias = Annotated[int, Meta(ge=1)]
Seats: TypeAlias = Annotated[int, Meta(ge=1, le=100)]  # lists are made of so many


class Key(Struct, frozen=True, forbid_unknown_fields=True):
    """A public key that was known when the match was opened (Ed25519, 32 bytes in hex): by it, or by a later one, its
    receipts are signed. Whom to believe you know from elsewhere: keep `/.well-known/mogelwerk-keys`."""

    id: str
    public: Hash


class Header(Struct, frozen=True, kw_only=True, tag_field="line", tag="header", forbid_unknown_fields=True):
    """The first line. What stands in event 1 too is the same there.

    ``data``: SHA-256 of each data file that the game's rules version plays with, by name. ``viewer``: whose transcript
    it is; null: a complete one. ``seed``: of the match's luck, published when the match is over, here so that draws can
    be recomputed while reading; null: it is not published.
    """

    format: Literal["mogelwerk/transcript/1"]
    match: Id
    game: str
    rules_version: Number
    data: dict[str, Hash]
    seats: Seats
    options: Raw
    seed_commitment: Hash
    viewer: str | None
    seed: Hash | None
    keys: tuple[Key, ...]


class Told(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Where a viewer's chain stands: the number of the last frame that he was told, and his head after it."""

    seq: Count
    head: Hash


class Event(Struct, frozen=True, kw_only=True, tag_field="line", tag="event", forbid_unknown_fields=True):
    """An event of the log. ``told``: by viewer (the seats in order, then the spectator) number and head of the frame by
    which he was told of it; null: he was not. ``envelope``: the stored text, which ``head`` binds with ``salt``.
    """

    command: Id
    salt: Salt
    head: Hash
    told: tuple[Told | None, ...]
    envelope: str


class Attempt(Struct, frozen=True, kw_only=True, tag_field="line", tag="attempt", forbid_unknown_fields=True):
    """What a seat tried: before the event that came of it or, refused, after the last event that it met.

    ``record``: the stored text, which ``head`` binds in the seat's own chain.
    """

    seat: Annotated[Seat, Meta(ge=0)]
    n: Number
    head: Hash
    record: str


class Tried(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Where a seat's chain of attempts ends."""

    n: Count
    head: Hash


class InTree(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """That the match lies in the tree over all that have ended (RFC 9162): ``leaf``, its text; ``place``, how many
    leaves came before; ``path``, the hashes from there to the root of ``checkpoint``. That is a signed note (C2SP
    tlog-checkpoint), the first whose tree has this leaf: hence it is always the same."""

    checkpoint: str
    leaf: str
    place: Count
    path: tuple[Hash, ...]


class Ending(
    Struct, frozen=True, kw_only=True, tag_field="line", tag="ending", forbid_unknown_fields=True, omit_defaults=True
):
    """The last line of a complete transcript: where the log and every chain ends, as the server keeps it.

    ``viewers`` as in an event; ``attempts`` by seat. ``seed`` and ``entropy``: what all draws were made from. ``tree``
    is left out of a sandbox match's, which is in none.
    """

    status: Ended
    version: Number
    head: Hash
    viewers: tuple[Told, ...]
    attempts: tuple[Tried, ...]
    seed: Hash
    entropy: Hash
    tree: InTree | None = None


class SoFar(Struct, frozen=True, kw_only=True, tag_field="line", tag="so_far", forbid_unknown_fields=True):
    """The last line of the complete transcript of a match that goes on, or goes on as a branch, for whoever broke its
    seal: where the log and every chain stands, as in an ending. The transcript of its end begins with these events."""

    status: GoingOn
    version: Number
    head: Hash
    viewers: tuple[Told, ...]
    attempts: tuple[Tried, ...]


End: TypeAlias = Ending | SoFar  # of a complete transcript


class Frame(Struct, frozen=True, kw_only=True, tag_field="line", tag="frame", forbid_unknown_fields=True):
    """In a viewer's transcript, what he was told: ``told`` is the text ``{"seq":…,"at":…,"event":…}`` that ``head``
    binds in his chain; ``log_head`` is the log's at this event."""

    seq: Number
    head: Hash
    log_head: Hash
    told: str


class Until(Struct, frozen=True, kw_only=True, tag_field="line", tag="until", forbid_unknown_fields=True):
    """The last line of a viewer's transcript: so far it goes. ``attempts``: the chain of what he tried; null: he has no
    seat."""

    status: Status
    seq: Count
    head: Hash
    log_head: Hash
    attempts: Tried | None


class Fault(Struct, frozen=True, kw_only=True, tag_field="line", tag="fault", forbid_unknown_fields=True):
    """In place of what should follow: the server itself found that what it stores of this version is no history."""

    version: Number
    what: str


Line: TypeAlias = Header | Event | Attempt | Ending | SoFar | Frame | Until | Fault
LAST: Final = (Ending, SoFar, Until, Fault)  # one of these ends it
LINES: Final = (Header, Event, Attempt, Ending, SoFar, Frame, Until, Fault)

_encode: Final = msgspec.json.Encoder().encode
read: Final = msgspec.json.Decoder(Line).decode


def write(line: Line) -> bytes:
    return _encode(line) + b"\n"


class Kind(Struct, frozen=True):
    type: str


class Stored(Struct, frozen=True):
    """As much of an envelope as columns are derived from."""

    match: str
    version: int
    at: datetime
    received_at: datetime
    by: int
    event: Kind


stored: Final = msgspec.json.Decoder(Stored).decode


def header(game: AnyGame, opened: Opened, *, viewer: str | None, seed: bytes | None, keys: Iterable[Key]) -> Header:
    """``seed``: None in a viewer's transcript, and as long as it is not published."""
    return Header(
        format="mogelwerk/transcript/1",
        match=opened.match,
        game=opened.game,
        rules_version=opened.rules_version,
        data=dict(sorted(game.edition(opened.rules_version).data.items())),
        seats=opened.seats,
        options=opened.options,
        seed_commitment=opened.seed_commitment,
        viewer=viewer,
        seed=None if seed is None else seed.hex(),
        keys=tuple(keys),
    )


def told(seqs: Iterable[int], heads: bytes) -> tuple[Told | None, ...]:
    """From numbers and heads by viewer, 32 bytes each; number 0: he was not told."""
    return tuple(Told(seq, head_of(heads, place).hex()) if seq else None for place, seq in enumerate(seqs))


def points(seqs: Iterable[int], heads: bytes) -> tuple[Told, ...]:
    """Where each viewer's chain ends."""
    return tuple(Told(seq, head_of(heads, place).hex()) for place, seq in enumerate(seqs))


def misfit(envelope: str, columns: Mapping[str, Any]) -> str | None:
    """What of an event's columns is not what its envelope says; None: nothing.

    ``columns``: match (a text), version, at, received_at, by, tag.
    """
    try:
        said = stored(envelope)
    except msgspec.MsgspecError as why:
        return f"the envelope is none: {why}"
    return _differing({**msgspec.structs.asdict(said), "tag": said.event.type}, columns, "envelope")


def attempt_misfit(record: str, columns: Mapping[str, Any]) -> str | None:
    """Likewise of an attempt. ``columns``: match, seat, n, command (texts), received_at, outcome."""
    try:
        said = read_record(record)
    except msgspec.MsgspecError as why:
        return f"the record is none: {why}"
    return _differing(msgspec.structs.asdict(said), columns, "record")


def _differing(said: Mapping[str, Any], columns: Mapping[str, Any], text: str) -> str | None:
    for name, value in columns.items():
        if said[name] != value:
            return f"the column {name} says {value}, the {text} {said[name]}"
    return None
