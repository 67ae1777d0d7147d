"""Stored journal: a table's journal as the hub holds it, read like the table's own. Nothing is written to it."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import sqlalchemy as sa
from pydantic import ValidationError

from api.errors import JournalFailed
from api.hall.schema import LINES, TABLES
from api.journal.chain import Head
from api.journal.entry import Entry, Line, parse_line

if TYPE_CHECKING:
    from api.hall.store import HallStore

_UNWRITTEN = "The hub writes nothing into a table's journal."


class StoredJournal:
    """The lines without a gap of the table's present journal; of these classes only, a newer table's others aside."""

    def __init__(self, store: "HallStore", table: int, classes: Sequence[type[Entry]]) -> None:
        self._store = store
        self._table = table
        self._classes = {cls.model_fields["type"].default: cls for cls in classes}
        self.damage: list[str] = []

    def write(self, entry: Entry) -> Line:
        """Raises: JournalFailed, always."""
        raise JournalFailed(_UNWRITTEN)

    def lines(self, *types: type[Entry], after: int = 0, until: int | None = None) -> Iterator[Line]:
        """Raises: HallStoreFailed."""
        wanted = self._select(types, after=after, until=until).order_by(LINES.c.line)
        with self._store.transaction() as db:
            rows = list(db.execute(wanted))
        for row in rows:
            if (line := self._parse(row.kind, row.text)) is not None:
                yield line

    def newest(self, *types: type[Entry], until: int | None = None, after: int = 0) -> Line | None:
        """Raises: HallStoreFailed."""
        wanted = self._select(types, after=after, until=until).order_by(LINES.c.line.desc()).limit(1)
        with self._store.transaction() as db:
            row = db.execute(wanted).one_or_none()
        return None if row is None else self._parse(row.kind, row.text)

    def check(self) -> str | None:
        """Why nothing is written."""
        return _UNWRITTEN

    def head(self) -> Head | None:
        """None: the table proves its own lines."""
        return None

    def close(self) -> None:
        """There is nothing to let go of."""

    def _select(self, types: Sequence[type[Entry]], *, after: int, until: int | None) -> sa.Select[tuple[str, str]]:
        kinds = [kind for kind, cls in self._classes.items() if issubclass(cls, tuple(types) or (Entry,))]
        present = sa.and_(LINES.c.journal == TABLES.c.journal, LINES.c.line <= TABLES.c.line, LINES.c.line > after)
        wanted = sa.select(LINES.c.kind, LINES.c.text).join(TABLES, present)
        wanted = wanted.where(TABLES.c.number == self._table, LINES.c.kind.in_(kinds))
        return wanted if until is None else wanted.where(LINES.c.line <= until)

    def _parse(self, kind: str, text: str) -> Line | None:
        try:
            return parse_line(text.encode(), self._classes[kind])
        except ValidationError:
            return None
