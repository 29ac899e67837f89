"""Who read what of a match's past in the right of an auditor or a referee."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "access",
        sa.Column("match", sa.Uuid(), nullable=False),
        sa.Column("n", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("record", sa.Text(), nullable=False, comment="exactly the text whose UTF-8 bytes the head binds"),
        sa.Column("head", sa.LargeBinary(), nullable=False),
        sa.CheckConstraint("n > 0", name=op.f("access_n_check")),
        sa.CheckConstraint("octet_length(head) = 32", name=op.f("access_head_check")),
        sa.PrimaryKeyConstraint("match", "n", name=op.f("access_pkey")),
        comment="Reads by auditors and referees, a chain for each match. Rows are never changed.",
    )


def downgrade() -> None:
    op.drop_table("access")
