"""stream.attempts counts what is not kept, too: what it says of itself."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

BEFORE = "attempts kept so far, of all seats"
NOW = "attempts so far, of all seats, with those that are only counted"


def upgrade() -> None:
    op.alter_column("stream", "attempts", existing_type=sa.Integer(), comment=NOW, existing_comment=BEFORE)


def downgrade() -> None:
    op.alter_column("stream", "attempts", existing_type=sa.Integer(), comment=BEFORE, existing_comment=NOW)
