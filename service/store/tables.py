"""The tables, as SQLAlchemy Core: where columns are declared. `append.py` and `tree.py` name some again, in SQL.

Every table is keyed by match, player or code first, so that the log can be spread over servers by that key. On the way
of a command nothing is unique across matches, nothing is counted globally, and there are no foreign keys: each would
make matches wait for each other. Envelopes and records are ``text``, never ``jsonb``, because heads bind their bytes.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from sqlalchemy import (
    ARRAY,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    DateTime,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    Text,
    Uuid,
    text,
)

metadata = MetaData(
    naming_convention={
        "pk": "%(table_name)s_pkey",
        "ck": "%(table_name)s_%(constraint_name)s_check",
        "ix": "%(table_name)s_%(column_0_N_name)s_idx",
        "uq": "%(table_name)s_%(column_0_N_name)s_key",
    }
)

MOMENT = DateTime(timezone=True)


def columns(table: Table, row: type[Struct]) -> tuple[Column[Any], ...]:
    """A table's columns in the order of a value's fields, so that a row becomes the value by position."""
    return tuple(table.c[name] for name in row.__struct_fields__)


def _check(sql: str, name: str) -> CheckConstraint:
    return CheckConstraint(text(sql), name=name)


stream = Table(
    "stream",
    metadata,
    Column("match", Uuid, primary_key=True),
    Column("game", Text, nullable=False),
    Column("version", Integer, nullable=False, comment="events so far; the last one has this number"),
    Column(
        "attempts", Integer, nullable=False, comment="attempts so far, of all seats, with those that are only counted"
    ),
    Column("head", LargeBinary, nullable=False, comment="head of the log chain at this version"),
    Column("seqs", ARRAY(Integer), nullable=False, comment="last seq by viewer: seats in order, then the spectator"),
    Column("heads", LargeBinary, nullable=False, comment="heads of the viewer chains, 32 bytes each, in that order"),
    Column("tries", Text, nullable=False, comment="heads of the attempts' chains; JSON, opaque to the store"),
    _check("version >= 0 AND attempts >= 0", "counts"),
    _check("octet_length(head) = 32", "head"),
    _check("octet_length(heads) = 32 * cardinality(seqs)", "heads"),
    comment="Where each match's log ends. Whoever appends to a match holds this row, and nothing else, first.",
    # Rewritten in place with every append: room in each page keeps the new row beside the old one (HOT).
    postgresql_with={"fillfactor": "50", "autovacuum_vacuum_scale_factor": "0.05"},
)

event = Table(
    "event",
    metadata,
    Column("match", Uuid, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("at", MOMENT, nullable=False),
    Column("received_at", MOMENT, nullable=False),
    Column("by", SmallInteger, nullable=False, comment="the seat; -1 is the House, below it those around the match"),
    Column("tag", Text, nullable=False),
    Column("command", Uuid, nullable=False, comment="the command that it came of"),
    Column("envelope", Text, nullable=False, comment="exactly the text whose UTF-8 bytes the head binds"),
    Column("salt", LargeBinary, nullable=False),
    Column("head", LargeBinary, nullable=False),
    Column("seqs", ARRAY(Integer), nullable=False, comment="by viewer: under which number he was told; 0 if not"),
    Column("heads", LargeBinary, nullable=False, comment="by viewer: 32 bytes, zeros where he was not told"),
    _check("version > 0", "version"),
    _check("octet_length(salt) = 16", "salt"),
    _check("octet_length(head) = 32", "head"),
    _check("octet_length(heads) = 32 * cardinality(seqs)", "heads"),
    comment="The log: what happened, in order, without holes. Rows are inserted and never changed.",
)

attempt = Table(
    "attempt",
    metadata,
    Column("match", Uuid, primary_key=True),
    Column("seat", SmallInteger, primary_key=True, autoincrement=False),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("command", Uuid, nullable=False),
    Column("received_at", MOMENT, nullable=False),
    Column("outcome", Text, nullable=False),
    Column("record", Text, nullable=False, comment="exactly the text whose UTF-8 bytes the head binds"),
    Column("head", LargeBinary, nullable=False),
    Index(None, "match", "command"),
    _check("n > 0", "n"),
    _check("octet_length(head) = 32", "head"),
    comment="Commands of seated players as they arrived, accepted or refused; a chain of its own per seat.",
)

key = Table(
    "key",
    metadata,
    Column("player", Uuid, primary_key=True),
    Column("scope", Text, primary_key=True, comment="the match's id; empty for what an account creates"),
    Column("key", Text, primary_key=True),
    Column("fingerprint", LargeBinary, nullable=False, comment="SHA-256 of what was asked"),
    Column("command", Uuid, nullable=False),
    Column("match", Uuid),
    Column("seat", SmallInteger),
    Column("received_at", MOMENT, nullable=False),
    Column("before", Integer, nullable=False),
    Column("after", Integer, nullable=False),
    Index(None, "match"),
    _check("octet_length(fingerprint) = 32", "fingerprint"),
    _check("before >= 0 AND after >= before", "versions"),
    _check("char_length(scope) <= 64 AND char_length(key) <= 255", "lengths"),
    comment="Idempotency keys that were used; the answer is rendered again from the log between before and after.",
)

deadline = Table(
    "deadline",
    metadata,
    Column("match", Uuid, primary_key=True),
    Column("due", MOMENT, nullable=False),
    Index(None, "due"),
    comment="The next moment at which the House has to act in a match, by wall clock. Any process may fire it.",
    postgresql_with={"fillfactor": "70", "autovacuum_vacuum_scale_factor": "0.05"},
)

lobby = Table(
    "lobby",
    metadata,
    Column("match", Uuid, primary_key=True),
    Column("game", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("access", Text, nullable=False),
    Column("sandbox", Boolean, nullable=False),
    Column("host", Uuid, nullable=False),
    Column("opened_at", MOMENT, nullable=False),
    Column("seats", SmallInteger, nullable=False),
    Column("taken", SmallInteger, nullable=False),
    Column("players", ARRAY(Uuid), nullable=False, comment="who sit now, or sat and may come back"),
    Column("code", Text, comment="NULL as soon as nobody can sit down by it"),
    Column("leaf", BigInteger, comment="where a match that has ended stands in the tree; NULL: not as it is now"),
    _check("access IN ('public', 'code')", "access"),
    _check("seats > 0 AND taken BETWEEN 0 AND seats", "seats"),
    comment="What the lobby shows of a match. Changes when seats do, never with play.",
)
_LISTED = text("access = 'public' AND NOT sandbox")
_NEWEST = lobby.c.opened_at, lobby.c.match
Index("lobby_listed_idx", *_NEWEST, postgresql_where=_LISTED)
Index("lobby_listed_by_status_idx", lobby.c.status, *_NEWEST, postgresql_where=_LISTED)
Index("lobby_listed_by_game_idx", lobby.c.game, *_NEWEST, postgresql_where=_LISTED)
LEAFLESS = text("status IN ('over', 'void', 'superseded') AND NOT sandbox AND leaf IS NULL")
PLAYING = text("status = 'playing' AND NOT sandbox")
Index("lobby_playing_idx", lobby.c.match, postgresql_where=PLAYING)
Index("lobby_leafless_idx", lobby.c.match, postgresql_where=LEAFLESS)
Index("lobby_sandboxes_idx", lobby.c.host, lobby.c.opened_at, postgresql_where=text("sandbox"))

seat_of = Table(
    "seat_of",
    metadata,
    Column("player", Uuid, primary_key=True),
    Column("match", Uuid, primary_key=True),
    Column("opened_at", MOMENT, nullable=False, comment="the match's, so that one's own are listed by one index"),
    Index(None, "player", "opened_at", "match"),
    Index(None, "match"),
    comment="Which matches are somebody's own: he sits there, may come back, or opened it.",
)

code = Table(
    "code",
    metadata,
    Column("code", Text, primary_key=True),
    Column("match", Uuid, nullable=False, unique=True),
    comment="Codes by which one can sit down now, unique among those; gone when nobody can any more.",
)

secret = Table(
    "secret",
    metadata,
    Column("match", Uuid, primary_key=True),
    Column("seed", LargeBinary, nullable=False),
    _check("octet_length(seed) = 32", "seed"),
    comment="The seed of each match's luck. In a table of its own, so that a role can be kept from reading it.",
)

dispute = Table(
    "dispute",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("match", Uuid, nullable=False),
    Column("game", Text, nullable=False),
    Column("raised_at", MOMENT, nullable=False),
    Column("player", Uuid, comment="who raised it; NULL: the House"),
    Column("seat", SmallInteger),
    Column("seq", Integer, comment="the seat's frame that it is about"),
    Column("reason", Text, nullable=False),
    Column("text", Text, comment="in his own words; erased with the player"),
    Column("salt", LargeBinary, comment="binds the text to its digest in the log; erased with it"),
    Column("referee", Uuid),
    Column("ruling", Text, comment="NULL: nobody has ruled"),
    Column("rules", ARRAY(Text)),
    Column("note", Text, comment="the referee's words; erased with him"),
    Column("note_salt", LargeBinary),
    Column("ruled_at", MOMENT),
    Column("branch", Uuid),
    Index(None, "player", "raised_at", "id"),
    Index(None, "referee"),
    Index(None, "match"),
    comment="Disputes as the log has them, to be listed, and what lies outside the log: free text.",
)
Index("dispute_open_idx", dispute.c.raised_at, dispute.c.id, postgresql_where=text("ruling IS NULL"))

player = Table(
    "player",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("name", Text, nullable=False),
    Column("created_at", MOMENT, nullable=False),
    Column("salt", LargeBinary, nullable=False, comment="binds the name to its digest in the log; erased with it"),
    comment="Accounts. Names are here and not in the log, so that they can be erased.",
)

token = Table(
    "token",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("player", Uuid, nullable=False, index=True),
    Column("hash", LargeBinary, nullable=False, unique=True, comment="SHA-256 of the token, which is not stored"),
    Column("scopes", ARRAY(Text), nullable=False),
    Column("created_at", MOMENT, nullable=False),
    Column("expires_at", MOMENT),
    Column("revoked_at", MOMENT),
    _check("octet_length(hash) = 32", "hash"),
    comment="What bearers may do, until when.",
)

access = Table(
    "access",
    metadata,
    Column("match", Uuid, primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("record", Text, nullable=False, comment="exactly the text whose UTF-8 bytes the head binds"),
    Column("head", LargeBinary, nullable=False),
    _check("n > 0", "n"),
    _check("octet_length(head) = 32", "head"),
    comment="Reads by auditors and referees, a chain for each match. Rows are never changed.",
)

leaf = Table(
    "leaf",
    metadata,
    Column("place", BigInteger, primary_key=True, autoincrement=False),
    Column("match", Uuid, nullable=False),
    Column("version", Integer, nullable=False),
    Column("data", Text, nullable=False, comment="exactly the text whose UTF-8 bytes the leaf's hash binds"),
    Index(None, "match", "place"),
    _check("place >= 0", "place"),
    comment="Matches that have ended, in the order in which they were taken into the tree. Rows are never changed.",
)

node = Table(
    "node",
    metadata,
    Column("level", SmallInteger, primary_key=True, autoincrement=False),
    Column("place", BigInteger, primary_key=True, autoincrement=False),
    Column("hash", LargeBinary, nullable=False),
    _check("octet_length(hash) = 32", "hash"),
    comment="Hashes of the complete subtrees over 2^level leaves from place · 2^level on.",
)

checkpoint = Table(
    "checkpoint",
    metadata,
    Column("size", BigInteger, primary_key=True, autoincrement=False),
    Column("note", Text, nullable=False, comment="the signed note, as it is handed out"),
    Column("at", MOMENT, nullable=False),
    comment="The tree as it was signed: once for all leaves that were taken in together.",
)

signing_key = Table(
    "signing_key",
    metadata,
    Column("id", Text, primary_key=True),
    Column("public", LargeBinary, nullable=False),
    Column("since", MOMENT, nullable=False),
    _check("octet_length(public) = 32", "public"),
    comment="Public keys of all processes that ever signed, so that old receipts can be checked.",
)

pulse = Table(
    "pulse",
    metadata,
    Column("one", Boolean, primary_key=True),
    Column("at", MOMENT, nullable=False),
    Column("before", MOMENT, comment="the beat before this one"),
    _check("one", "one"),
    comment="One row: when a process last could write.",
)

outage = Table(
    "outage",
    metadata,
    Column("began", MOMENT, primary_key=True),
    Column("ended", MOMENT, nullable=False, index=True),
    _check("ended > began", "order"),
    comment="Times in which no process could write, half-open: matches stood still.",
)
