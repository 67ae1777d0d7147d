"""Rounds: rounds, pairings, penalties, and what the organiser sets."""

import sqlalchemy as sa
from alembic import op

revision = "rounds"
down_revision: str | None = "first_tables"

_SERIAL = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.add_column("events", sa.Column("changes", sa.Integer, nullable=False, server_default="0"))
    op.add_column("events", sa.Column("settings", sa.Text, nullable=False, server_default="{}"))
    op.create_table(
        "rounds",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("round", sa.Text, nullable=False),
    )
    op.create_table(
        "pairings",
        sa.Column("id", _SERIAL, primary_key=True, autoincrement=True),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer),
        sa.Column("pairing", sa.Text, nullable=False),
        sa.UniqueConstraint("round", "number"),
    )
    op.create_table(
        "penalties",
        sa.Column("id", _SERIAL, primary_key=True, autoincrement=True),
        sa.Column("penalty", sa.Text, nullable=False),
    )
