"""Lines by table: a journal's id belongs to who sends it, so that no table can take another's away."""

from alembic import op

revision = "lines_by_table"
down_revision: str | None = "line_kinds"

_NAMES = {"uq": "%(table_name)s_%(column_0_N_name)s_key"}  # SQLite keeps none; PostgreSQL names them so by itself


def upgrade() -> None:
    for table in ("lines", "calls"):
        with op.batch_alter_table(table, naming_convention=_NAMES) as changed:
            changed.drop_constraint(f"{table}_journal_line_key", type_="unique")
            changed.create_unique_constraint(f"{table}_number_journal_line_key", ["number", "journal", "line"])
