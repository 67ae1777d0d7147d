"""Migration environment: runs on the connection that the hub hands over."""

from alembic import context

from api.hall.schema import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
with context.begin_transaction():
    context.run_migrations()
