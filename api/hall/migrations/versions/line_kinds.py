"""Line kinds: what is written on a line, and when lines came, so that a table can be read again as it was."""

import sqlalchemy as sa
from alembic import op

revision = "line_kinds"
down_revision: str | None = "rounds"


def upgrade() -> None:
    op.add_column("lines", sa.Column("kind", sa.String(40), nullable=False, server_default=""))
    is_postgresql = op.get_bind().dialect.name == "postgresql"
    kind = "text::json->'entry'->>'type'" if is_postgresql else "json_extract(text, '$.entry.type')"
    op.execute(f"UPDATE lines SET kind = COALESCE(substr({kind}, 1, 40), '')")
    op.create_index("lines_by_kind", "lines", ["journal", "kind", "line"])
    op.create_index("lines_by_time", "lines", ["stored_s"])
