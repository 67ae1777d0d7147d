"""Players: a Swiss event's entries, with the round in which each came and the last that each played."""

import sqlalchemy as sa
from alembic import op

revision = "players"
down_revision: str | None = "lines_by_table"


def upgrade() -> None:
    op.create_table(
        "players",
        sa.Column("name", sa.String(240), primary_key=True),
        sa.Column("player", sa.Text, nullable=False),
    )
