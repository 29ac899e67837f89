"""The append: what commands do to many matches, in one statement and one round trip, all or nothing per match.

How the statement holds:

* ``held`` locks the streams in ascending order of their ids before anything else is touched, so that two processes with
  the same matches wait for each other, but never for ever. Sorting the input is not enough: an ``UPDATE … FROM`` locks
  in whatever order its plan has.
* ``moment`` reads the clock once all locks are held: a statement that waited too long comes too late.
* ``fit`` compares what is expected with the streams as they are under the lock.
* ``bound`` inserts the keys, in their own order, and waits where another process is inserting the same one; a match
  whose key was taken is not ``ready``. Everything after that is written for ``won`` alone.
* What else is read (a used key's) is as old as the statement's start. That only makes an answer less exact: who is told
  ``MOVED`` and looks again finds the key.

Plain SQL rather than Core, because its shape is the point, and a parameter here is a whole column.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from service.store.rows import Append, LobbyRow, Outcome

MOST: Final = 100  # matches in one statement

# Written by the server as it decides, read by ``outcomes``: the place in this list.
_OUTCOMES: Final = (Outcome.TAKEN, Outcome.KEY_USED, Outcome.LATE, Outcome.MOVED)

Columns = tuple[tuple[str, str], ...]

_ASKED: Final[Columns] = (
    ("match", "uuid"),
    ("version", "int"),
    ("attempts", "int"),
    ("not_after", "timestamptz"),
    ("new_version", "int"),
    ("new_attempts", "int"),
    ("head", "bytea"),
    ("seqs", "text"),  # an array has no arrays of different lengths in it, hence as text: {1,2,3}
    ("heads", "bytea"),
    ("tries", "text"),
    ("due", "timestamptz"),
    ("player", "uuid"),  # from here on the key: all null where there is none
    ("scope", "text"),
    ("key", "text"),
    ("fingerprint", "bytea"),
    ("command", "uuid"),
    ("seat", "int"),
    ("received_at", "timestamptz"),
    ("before", "int"),
    ("after", "int"),
)
_EVENTS: Final[Columns] = (
    ("i", "int"),
    ("version", "int"),
    ("at", "timestamptz"),
    ("received_at", "timestamptz"),
    ("by", "int"),
    ("tag", "text"),
    ("command", "uuid"),
    ("envelope", "text"),
    ("salt", "bytea"),
    ("head", "bytea"),
    ("seqs", "text"),
    ("heads", "bytea"),
)
_ATTEMPTS: Final[Columns] = (
    ("i", "int"),
    ("seat", "int"),
    ("n", "int"),
    ("command", "uuid"),
    ("received_at", "timestamptz"),
    ("outcome", "text"),
    ("record", "text"),
    ("head", "bytea"),
)
_SHOWN: Final[Columns] = (
    ("i", "int"),
    ("game", "text"),
    ("status", "text"),
    ("access", "text"),
    ("sandbox", "bool"),
    ("host", "uuid"),
    ("opened_at", "timestamptz"),
    ("seats", "int"),
    ("taken", "int"),
    ("players", "text"),
    ("code", "text"),
    ("owners", "text"),
)


def _unnested(columns: Columns, after: int) -> str:
    """One array per column, as a table; ``after``: how many parameters come before."""
    return "unnest(" + ", ".join(f"${n}::{kind}[]" for n, (_, kind) in enumerate(columns, after + 1)) + ")"


def _names(columns: Columns) -> str:
    return ", ".join(name for name, _ in columns)


# Where the lobby does not change, as with nearly every play, the last CTEs have nothing to do: measured, that costs
# nothing, so there is one statement and one plan.
STATEMENT: Final = f"""
WITH asked AS MATERIALIZED (
    SELECT * FROM {_unnested(_ASKED, 0)} WITH ORDINALITY AS asked({_names(_ASKED)}, i)
), held AS MATERIALIZED (
    SELECT match, version, attempts FROM stream WHERE match = ANY($1::uuid[]) ORDER BY match FOR NO KEY UPDATE
), moment AS MATERIALIZED (
    SELECT clock_timestamp() AS now, count(*) FROM held
), fit AS MATERIALIZED (
    SELECT asked.i FROM asked JOIN held USING (match) CROSS JOIN moment
    WHERE held.version = asked.version AND held.attempts = asked.attempts AND moment.now < asked.not_after
), bound AS (
    INSERT INTO key (player, scope, key, fingerprint, command, match, seat, received_at, before, after)
    SELECT player, scope, key, fingerprint, command, match, seat, received_at, before, after
    FROM asked JOIN fit USING (i) WHERE player IS NOT NULL ORDER BY player, scope, key
    ON CONFLICT DO NOTHING RETURNING match
), ready AS MATERIALIZED (
    SELECT asked.* FROM asked JOIN fit USING (i) WHERE player IS NULL OR match IN (SELECT match FROM bound)
), won AS (
    UPDATE stream SET version = ready.new_version, attempts = ready.new_attempts, head = ready.head,
        seqs = ready.seqs::int[], heads = ready.heads, tries = ready.tries
    FROM ready WHERE stream.match = ready.match
    RETURNING ready.i, ready.match, ready.due, ready.new_version > ready.version AS played
), told AS (
    INSERT INTO event (match, version, at, received_at, by, tag, command, envelope, salt, head, seqs, heads)
    SELECT won.match, version, at, received_at, by, tag, command, envelope, salt, head, seqs::int[], heads
    FROM {_unnested(_EVENTS, len(_ASKED))} AS given({_names(_EVENTS)}) JOIN won USING (i)
), tried AS (
    INSERT INTO attempt (match, seat, n, command, received_at, outcome, record, head)
    SELECT won.match, seat, n, command, received_at, outcome, record, head
    FROM {_unnested(_ATTEMPTS, len(_ASKED) + len(_EVENTS))} AS given({_names(_ATTEMPTS)}) JOIN won USING (i)
), due AS (
    INSERT INTO deadline (match, due) SELECT match, due FROM won WHERE played AND due IS NOT NULL
    ON CONFLICT (match) DO UPDATE SET due = excluded.due WHERE deadline.due <> excluded.due
), idle AS (
    DELETE FROM deadline USING won WHERE deadline.match = won.match AND won.played AND won.due IS NULL
), shown AS MATERIALIZED (
    SELECT * FROM {_unnested(_SHOWN, len(_ASKED) + len(_EVENTS) + len(_ATTEMPTS))} AS shown({_names(_SHOWN)})
    JOIN won USING (i)
), listed AS (
    INSERT INTO lobby (match, game, status, access, sandbox, host, opened_at, seats, taken, players, code)
    SELECT match, game, status, access, sandbox, host, opened_at, seats, taken, players::uuid[], code FROM shown
    ON CONFLICT (match) DO UPDATE SET status = excluded.status, access = excluded.access, host = excluded.host,
        seats = excluded.seats, taken = excluded.taken, players = excluded.players, code = excluded.code,
        leaf = NULL
), seated AS (
    INSERT INTO seat_of (player, match, opened_at)
    SELECT player, match, opened_at FROM shown CROSS JOIN unnest(owners::uuid[]) AS player
    ON CONFLICT DO NOTHING
), gone AS (
    DELETE FROM seat_of USING shown WHERE seat_of.match = shown.match AND seat_of.player <> ALL(shown.owners::uuid[])
), closed AS (
    DELETE FROM code USING shown WHERE code.match = shown.match AND shown.code IS NULL
)
SELECT array_agg(CASE
    WHEN won.i IS NOT NULL THEN 0
    WHEN fit.i IS NOT NULL THEN 1
    WHEN EXISTS (SELECT FROM key WHERE key.player = asked.player AND key.scope = asked.scope AND key.key = asked.key)
        THEN 1
    WHEN moment.now >= asked.not_after THEN 2
    ELSE 3 END ORDER BY asked.i)
FROM asked CROSS JOIN moment LEFT JOIN fit USING (i) LEFT JOIN won USING (i)
"""  # noqa: S608  (nothing is put in but this module's own column names)


def check(append: Append) -> None:
    """Raises ``ValueError`` where an append would tear a hole into a log, whatever the database says."""
    last = append.expected_version
    if [event.version for event in append.events] != list(range(last + 1, last + 1 + len(append.events))):
        raise ValueError(f"events do not follow version {last}")
    if append.key is not None and append.key.match != append.match:
        raise ValueError("a key bound by an append is bound to its match")


def arguments(batch: Sequence[Append]) -> list[Iterable[Any]]:
    """The statement's parameters: one array per column. Matches must differ."""
    asked = [_asked(append) for append in batch]
    events = [
        (i, e.version, e.at, e.received_at, e.by, e.tag, e.command, e.envelope, e.salt, e.head, _array(e.seqs), e.heads)
        for i, append in enumerate(batch, 1)
        for e in append.events
    ]
    attempts = [
        (i, a.seat, a.n, a.command, a.received_at, a.outcome, a.record, a.head)
        for i, append in enumerate(batch, 1)
        for a in append.attempts
    ]
    shown = [_shown(i, append.lobby) for i, append in enumerate(batch, 1) if append.lobby is not None]
    return [
        *_turned(asked, _ASKED),
        *_turned(events, _EVENTS),
        *_turned(attempts, _ATTEMPTS),
        *_turned(shown, _SHOWN),
    ]


def outcomes(answer: Sequence[int]) -> list[Outcome]:
    """What the statement's one value says, in the order of the batch."""
    return [_OUTCOMES[place] for place in answer]


_NO_KEY: Final = (None,) * 9


def _asked(it: Append) -> tuple[object, ...]:
    version, tried = it.expected_version + len(it.events), it.expected_attempts + len(it.attempts) + it.counted
    guard = it.match, it.expected_version, it.expected_attempts, it.not_after
    heads = version, tried, it.head, _array(it.seqs), it.heads, it.tries, it.due
    if (k := it.key) is None:
        return guard + heads + _NO_KEY
    key = k.player, k.scope, k.key, k.fingerprint, k.command, k.seat, k.received_at, k.before, k.after
    return guard + heads + key


def _shown(i: int, row: LobbyRow) -> tuple[object, ...]:
    kind = i, row.game, row.status, row.access, row.sandbox, row.host, row.opened_at
    return *kind, row.seats, row.taken, _array(row.players), row.code, _array((*row.players, row.host))


def _turned(rows: Sequence[tuple[object, ...]], columns: Columns) -> list[Iterable[Any]]:
    return list(zip(*rows, strict=True)) if rows else [()] * len(columns)


def _array(values: Iterable[object]) -> str:
    return "{" + ",".join(map(str, values)) + "}"
