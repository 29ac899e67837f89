"""What alembic runs: it takes the connection that ``service.store.migrate`` opened, and opens none itself."""

from __future__ import annotations

from alembic import context
from sqlalchemy import text

from service.store.migrate import LOCK
from service.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    compare_type=True,
    compare_server_default=True,
)
with context.begin_transaction():
    context.execute(text(f"SELECT pg_advisory_xact_lock({LOCK})"))
    context.run_migrations()
