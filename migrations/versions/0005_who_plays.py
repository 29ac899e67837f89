"""Running matches by id: after an outage the House tells each that it stood still."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    playing = sa.text("status = 'playing' AND NOT sandbox")
    op.create_index("lobby_playing_idx", "lobby", ["match"], unique=False, postgresql_where=playing)


def downgrade() -> None:
    op.drop_index("lobby_playing_idx", "lobby")
