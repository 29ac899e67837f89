"""The tree over matches that have ended, its checkpoints, and the keys that sign."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

ENDED = sa.text("status IN ('over', 'void', 'superseded') AND NOT sandbox AND leaf IS NULL")


def upgrade() -> None:
    op.create_table(
        "leaf",
        sa.Column("place", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("match", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column(
            "data", sa.Text(), nullable=False, comment="exactly the text whose UTF-8 bytes the leaf's hash binds"
        ),
        sa.CheckConstraint("place >= 0", name=op.f("leaf_place_check")),
        sa.PrimaryKeyConstraint("place", name=op.f("leaf_pkey")),
        comment="Matches that have ended, in the order in which they were taken into the tree. Rows are never changed.",
    )
    op.create_index(op.f("leaf_match_place_idx"), "leaf", ["match", "place"], unique=False)
    op.create_table(
        "node",
        sa.Column("level", sa.SmallInteger(), autoincrement=False, nullable=False),
        sa.Column("place", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.CheckConstraint("octet_length(hash) = 32", name=op.f("node_hash_check")),
        sa.PrimaryKeyConstraint("level", "place", name=op.f("node_pkey")),
        comment="Hashes of the complete subtrees over 2^level leaves from place · 2^level on.",
    )
    op.create_table(
        "checkpoint",
        sa.Column("size", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("note", sa.Text(), nullable=False, comment="the signed note, as it is handed out"),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("size", name=op.f("checkpoint_pkey")),
        comment="The tree as it was signed: once for all leaves that were taken in together.",
    )
    op.create_table(
        "signing_key",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("public", sa.LargeBinary(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("octet_length(public) = 32", name=op.f("signing_key_public_check")),
        sa.PrimaryKeyConstraint("id", name=op.f("signing_key_pkey")),
        comment="Public keys of all processes that ever signed, so that old receipts can be checked.",
    )
    op.add_column(
        "lobby",
        sa.Column(
            "leaf",
            sa.BigInteger(),
            nullable=True,
            comment="where a match that has ended stands in the tree; NULL: not as it is now",
        ),
    )
    op.create_index("lobby_leafless_idx", "lobby", ["match"], unique=False, postgresql_where=ENDED)


def downgrade() -> None:
    raise RuntimeError("What was signed is not unmade. Restore a backup instead.")
