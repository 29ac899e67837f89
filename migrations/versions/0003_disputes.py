"""Disputes, and what is said in them outside the log."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "dispute",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("match", sa.Uuid(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("raised_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("player", sa.Uuid(), nullable=True, comment="who raised it; NULL: the House"),
        sa.Column("seat", sa.SmallInteger(), nullable=True),
        sa.Column("seq", sa.Integer(), nullable=True, comment="the seat's frame that it is about"),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=True, comment="in his own words; erased with the player"),
        sa.Column(
            "salt", sa.LargeBinary(), nullable=True, comment="binds the text to its digest in the log; erased with it"
        ),
        sa.Column("referee", sa.Uuid(), nullable=True),
        sa.Column("ruling", sa.Text(), nullable=True, comment="NULL: nobody has ruled"),
        sa.Column("rules", sa.ARRAY(sa.Text()), nullable=True),
        sa.Column("note", sa.Text(), nullable=True, comment="the referee's words; erased with him"),
        sa.Column("note_salt", sa.LargeBinary(), nullable=True),
        sa.Column("ruled_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("branch", sa.Uuid(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("dispute_pkey")),
        comment="Disputes as the log has them, to be listed, and what lies outside the log: free text.",
    )
    op.create_index("dispute_open_idx", "dispute", ["raised_at", "id"], postgresql_where=sa.text("ruling IS NULL"))
    op.create_index(op.f("dispute_player_raised_at_id_idx"), "dispute", ["player", "raised_at", "id"], unique=False)
    op.create_index(op.f("dispute_referee_idx"), "dispute", ["referee"], unique=False)
    op.create_index(op.f("dispute_match_idx"), "dispute", ["match"], unique=False)


def downgrade() -> None:
    op.drop_table("dispute")
