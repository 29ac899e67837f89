"""The first tables: the log and all that stands around it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "attempt",
        sa.Column("match", sa.Uuid(), nullable=False),
        sa.Column("seat", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("n", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("command", sa.Uuid(), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("record", sa.Text(), nullable=False, comment="exactly the text whose UTF-8 bytes the head binds"),
        sa.Column("head", sa.LargeBinary(), nullable=False),
        sa.CheckConstraint("n > 0", name=op.f("attempt_n_check")),
        sa.CheckConstraint("octet_length(head) = 32", name=op.f("attempt_head_check")),
        sa.PrimaryKeyConstraint("match", "seat", "n", name=op.f("attempt_pkey")),
        comment="Commands of seated players as they arrived, accepted or refused; a chain of its own per seat.",
    )
    op.create_index(op.f("attempt_match_command_idx"), "attempt", ["match", "command"], unique=False)
    op.create_table(
        "code",
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("match", sa.Uuid(), nullable=False),
        sa.PrimaryKeyConstraint("code", name=op.f("code_pkey")),
        sa.UniqueConstraint("match", name=op.f("code_match_key")),
        comment="Codes by which one can sit down now, unique among those; gone when nobody can any more.",
    )
    op.create_table(
        "deadline",
        sa.Column("match", sa.Uuid(), nullable=False),
        sa.Column("due", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("match", name=op.f("deadline_pkey")),
        comment="The next moment at which the House has to act in a match, by wall clock. Any process may fire it.",
        postgresql_with={"fillfactor": "70", "autovacuum_vacuum_scale_factor": "0.05"},
    )
    op.create_index(op.f("deadline_due_idx"), "deadline", ["due"], unique=False)
    op.create_table(
        "event",
        sa.Column("match", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column(
            "by",
            sa.SmallInteger(),
            nullable=False,
            comment="the seat; -1 is the House, below it those around the match",
        ),
        sa.Column("tag", sa.Text(), nullable=False),
        sa.Column("command", sa.Uuid(), nullable=False, comment="the command that it came of"),
        sa.Column("envelope", sa.Text(), nullable=False, comment="exactly the text whose UTF-8 bytes the head binds"),
        sa.Column("salt", sa.LargeBinary(), nullable=False),
        sa.Column("head", sa.LargeBinary(), nullable=False),
        sa.Column(
            "seqs",
            sa.ARRAY(sa.Integer()),
            nullable=False,
            comment="by viewer: under which number he was told; 0 if not",
        ),
        sa.Column(
            "heads", sa.LargeBinary(), nullable=False, comment="by viewer: 32 bytes, zeros where he was not told"
        ),
        sa.CheckConstraint("octet_length(head) = 32", name=op.f("event_head_check")),
        sa.CheckConstraint("octet_length(heads) = 32 * cardinality(seqs)", name=op.f("event_heads_check")),
        sa.CheckConstraint("octet_length(salt) = 16", name=op.f("event_salt_check")),
        sa.CheckConstraint("version > 0", name=op.f("event_version_check")),
        sa.PrimaryKeyConstraint("match", "version", name=op.f("event_pkey")),
        comment="The log: what happened, in order, without holes. Rows are inserted and never changed.",
    )
    op.create_table(
        "key",
        sa.Column("player", sa.Uuid(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False, comment="the match's id; empty for what an account creates"),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.LargeBinary(), nullable=False, comment="SHA-256 of what was asked"),
        sa.Column("command", sa.Uuid(), nullable=False),
        sa.Column("match", sa.Uuid(), nullable=True),
        sa.Column("seat", sa.SmallInteger(), nullable=True),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("before", sa.Integer(), nullable=False),
        sa.Column("after", sa.Integer(), nullable=False),
        sa.CheckConstraint("before >= 0 AND after >= before", name=op.f("key_versions_check")),
        sa.CheckConstraint("char_length(scope) <= 64 AND char_length(key) <= 255", name=op.f("key_lengths_check")),
        sa.CheckConstraint("octet_length(fingerprint) = 32", name=op.f("key_fingerprint_check")),
        sa.PrimaryKeyConstraint("player", "scope", "key", name=op.f("key_pkey")),
        comment="Idempotency keys that were used; the answer is rendered again from the log between before and after.",
    )
    op.create_index(op.f("key_match_idx"), "key", ["match"], unique=False)
    op.create_table(
        "lobby",
        sa.Column("match", sa.Uuid(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("access", sa.Text(), nullable=False),
        sa.Column("sandbox", sa.Boolean(), nullable=False),
        sa.Column("host", sa.Uuid(), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seats", sa.SmallInteger(), nullable=False),
        sa.Column("taken", sa.SmallInteger(), nullable=False),
        sa.Column("players", sa.ARRAY(sa.Uuid()), nullable=False, comment="who sit now, or sat and may come back"),
        sa.Column("code", sa.Text(), nullable=True, comment="NULL as soon as nobody can sit down by it"),
        sa.CheckConstraint("access IN ('public', 'code')", name=op.f("lobby_access_check")),
        sa.CheckConstraint("seats > 0 AND taken BETWEEN 0 AND seats", name=op.f("lobby_seats_check")),
        sa.PrimaryKeyConstraint("match", name=op.f("lobby_pkey")),
        comment="What the lobby shows of a match. Changes when seats do, never with play.",
    )
    op.create_index(
        "lobby_listed_by_game_idx",
        "lobby",
        ["game", "opened_at", "match"],
        unique=False,
        postgresql_where=sa.text("access = 'public' AND NOT sandbox"),
    )
    op.create_index(
        "lobby_listed_by_status_idx",
        "lobby",
        ["status", "opened_at", "match"],
        unique=False,
        postgresql_where=sa.text("access = 'public' AND NOT sandbox"),
    )
    op.create_index(
        "lobby_listed_idx",
        "lobby",
        ["opened_at", "match"],
        unique=False,
        postgresql_where=sa.text("access = 'public' AND NOT sandbox"),
    )
    op.create_index(
        "lobby_sandboxes_idx", "lobby", ["host", "opened_at"], unique=False, postgresql_where=sa.text("sandbox")
    )
    op.create_table(
        "outage",
        sa.Column("began", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("ended > began", name=op.f("outage_order_check")),
        sa.PrimaryKeyConstraint("began", name=op.f("outage_pkey")),
        comment="Times in which no process could write, half-open: matches stood still.",
    )
    op.create_index(op.f("outage_ended_idx"), "outage", ["ended"], unique=False)
    op.create_table(
        "player",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column(
            "salt", sa.LargeBinary(), nullable=False, comment="binds the name to its digest in the log; erased with it"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("player_pkey")),
        comment="Accounts. Names are here and not in the log, so that they can be erased.",
    )
    op.create_table(
        "pulse",
        sa.Column("one", sa.Boolean(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("before", sa.DateTime(timezone=True), nullable=True, comment="the beat before this one"),
        sa.CheckConstraint("one", name=op.f("pulse_one_check")),
        sa.PrimaryKeyConstraint("one", name=op.f("pulse_pkey")),
        comment="One row: when a process last could write.",
    )
    op.create_table(
        "seat_of",
        sa.Column("player", sa.Uuid(), nullable=False),
        sa.Column("match", sa.Uuid(), nullable=False),
        sa.Column(
            "opened_at",
            sa.DateTime(timezone=True),
            nullable=False,
            comment="the match's, so that one's own are listed by one index",
        ),
        sa.PrimaryKeyConstraint("player", "match", name=op.f("seat_of_pkey")),
        comment="Which matches are somebody's own: he sits there, may come back, or opened it.",
    )
    op.create_index(op.f("seat_of_match_idx"), "seat_of", ["match"], unique=False)
    op.create_index(
        op.f("seat_of_player_opened_at_match_idx"), "seat_of", ["player", "opened_at", "match"], unique=False
    )
    op.create_table(
        "secret",
        sa.Column("match", sa.Uuid(), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.CheckConstraint("octet_length(seed) = 32", name=op.f("secret_seed_check")),
        sa.PrimaryKeyConstraint("match", name=op.f("secret_pkey")),
        comment="The seed of each match's luck. In a table of its own, so that a role can be kept from reading it.",
    )
    op.create_table(
        "stream",
        sa.Column("match", sa.Uuid(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False, comment="events so far; the last one has this number"),
        sa.Column("attempts", sa.Integer(), nullable=False, comment="attempts kept so far, of all seats"),
        sa.Column("head", sa.LargeBinary(), nullable=False, comment="head of the log chain at this version"),
        sa.Column(
            "seqs",
            sa.ARRAY(sa.Integer()),
            nullable=False,
            comment="last seq by viewer: seats in order, then the spectator",
        ),
        sa.Column(
            "heads",
            sa.LargeBinary(),
            nullable=False,
            comment="heads of the viewer chains, 32 bytes each, in that order",
        ),
        sa.Column(
            "tries", sa.Text(), nullable=False, comment="heads of the attempts' chains; JSON, opaque to the store"
        ),
        sa.CheckConstraint("octet_length(head) = 32", name=op.f("stream_head_check")),
        sa.CheckConstraint("octet_length(heads) = 32 * cardinality(seqs)", name=op.f("stream_heads_check")),
        sa.CheckConstraint("version >= 0 AND attempts >= 0", name=op.f("stream_counts_check")),
        sa.PrimaryKeyConstraint("match", name=op.f("stream_pkey")),
        comment="Where each match's log ends. Whoever appends to a match holds this row, and nothing else, first.",
        postgresql_with={"fillfactor": "50", "autovacuum_vacuum_scale_factor": "0.05"},
    )
    op.create_table(
        "token",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("player", sa.Uuid(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False, comment="SHA-256 of the token, which is not stored"),
        sa.Column("scopes", sa.ARRAY(sa.Text()), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("octet_length(hash) = 32", name=op.f("token_hash_check")),
        sa.PrimaryKeyConstraint("id", name=op.f("token_pkey")),
        sa.UniqueConstraint("hash", name=op.f("token_hash_key")),
        comment="What bearers may do, until when.",
    )
    op.create_index(op.f("token_player_idx"), "token", ["player"], unique=False)


def downgrade() -> None:
    raise RuntimeError("Below this stands nothing: a log is not unmade. Restore a backup instead.")
