"""Alembic's entry: migrates the connection that `Store` opened."""

from __future__ import annotations

from alembic import context

from table_controller.floor import schema
from table_controller.floor.schema import metadata

_ = schema  # its tables are in `metadata` too

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite changes a table by copying it
)
with context.begin_transaction():
    context.run_migrations()
