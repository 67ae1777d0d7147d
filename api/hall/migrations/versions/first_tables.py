"""First tables: events, tables, lines, calls, orders."""

import sqlalchemy as sa
from alembic import op

revision = "first_tables"
down_revision: str | None = None

_SERIAL = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table("events", sa.Column("name", sa.String(40), primary_key=True))
    op.create_table(
        "tables",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("journal", sa.String(32)),
        sa.Column("line", sa.Integer, nullable=False),
        sa.Column("cell", sa.Text, nullable=False),
        sa.Column("trouble", sa.Text),
    )
    _create_lines()
    _create_calls_and_orders()


def _create_lines() -> None:
    op.create_table(
        "lines",
        sa.Column("id", _SERIAL, primary_key=True, autoincrement=True),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("journal", sa.String(32), nullable=False),
        sa.Column("line", sa.Integer, nullable=False),
        sa.Column("after", sa.Integer, nullable=False),
        sa.Column("sent_s", sa.Float(53), nullable=False),
        sa.Column("stored_s", sa.Float(53), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.UniqueConstraint("journal", "line"),
    )
    op.create_index("lines_of_table", "lines", ["number", "id"])


def _create_calls_and_orders() -> None:
    op.create_table(
        "calls",
        sa.Column("id", _SERIAL, primary_key=True, autoincrement=True),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("journal", sa.String(32), nullable=False),
        sa.Column("line", sa.Integer, nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("call", sa.Text, nullable=False),
        sa.UniqueConstraint("journal", "line"),
    )
    op.create_index("calls_by_state", "calls", ["state"])
    op.create_table(
        "orders",
        sa.Column("id", _SERIAL, primary_key=True, autoincrement=True),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("facts", sa.Text, nullable=False),
    )
    op.create_index("orders_of_table", "orders", ["number", "id"])
