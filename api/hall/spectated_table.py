"""Spectated table: a table as the hub's lines tell it, as it was at a line of its journal.

The stored journal is read like the table's own; nothing is written to it.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress

import sqlalchemy as sa
from pydantic import ValidationError

from api.clocks.schemas import ClocksView, show_clocks
from api.clocks.state import CLOCK_ENTRIES, Clocks, Player, apply_line
from api.corrections.entries import CorrectionMade, CorrectionRedone, CorrectionUndone
from api.corrections.undo_log import StepLedger, UndoLog
from api.errors import JournalFailed
from api.hall.cell import UNREADABLE
from api.hall.entries import RoundBegun
from api.hall.schema import LINES, TABLES
from api.hall.store import HallStore
from api.journal.camera_entries import EventObserved, TableSettled
from api.journal.chain import Head
from api.journal.entry import Entry, Line, parse_line
from api.live.expected_bases import roster_of
from api.live.rest_moments import measured_table
from api.live.table_schemas import DrawnTable
from api.live.table_view import check_drawable, table_view
from api.setups.schemas import ArmyList, Roster, RosterSet
from models.frozen import Frozen
from models.state import TableState

_UNWRITTEN = "The hub writes nothing into a table's journal."
SHOWN: tuple[type[Entry], ...] = (
    TableSettled, CorrectionMade, CorrectionUndone, CorrectionRedone, RoundBegun, *CLOCK_ENTRIES,
)  # fmt: skip
SHOWN_KINDS = frozenset(str(cls.model_fields["type"].default) for cls in SHOWN)
_FOLDED: tuple[type[Entry], ...] = (*(cls for cls in SHOWN if cls is not TableSettled), EventObserved)
_READ: tuple[type[Entry], ...] = (*SHOWN, EventObserved, RosterSet)


class StoredJournal:
    """The lines without a gap of the table's present journal; of these classes only, a newer table's others aside."""

    def __init__(self, store: HallStore, table: int, classes: Sequence[type[Entry]]) -> None:
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


class SpectatedTable(Frozen):
    """A table as anybody may watch it, late by `delay_s`."""

    number: int
    line: int
    round: int | None
    players: dict[Player, str]
    table: DrawnTable | None
    clocks: ClocksView | None
    shown_s: float
    delay_s: float


class PlayerList(Frozen):
    """A player's army list in a few words."""

    side: str
    name: str | None
    miniatures: int
    entries: tuple[str, ...]


class TableSheet(Frozen):
    """What a judge sees of a table from afar, besides its cell: the table as it is, and the lists of its players."""

    table: DrawnTable | None
    lists: tuple[PlayerList, ...]


def journal_of(store: HallStore, number: int) -> StoredJournal:
    """The table's journal as the hub holds it."""
    return StoredJournal(store, number, _READ)


class SpectatedGame:
    """A table's game as its lines tell it, read onward: each line once, however long the game becomes."""

    def __init__(self, store: HallStore, number: int, journal: str) -> None:
        self.journal = journal
        self.line = 0
        self._number = number
        self._lines = journal_of(store, number)
        self._steps = StepLedger(())
        self._measured: TableState | None = None
        self._clocks: Clocks | None = None
        self._match: RoundBegun | None = None

    def show(self, line: int, *, shown_s: float, delay_s: float) -> SpectatedTable:
        """The table at that line; `shown_s` is when that was, by the table's clock. Raises: HallStoreFailed."""
        self._read_on(line)
        return SpectatedTable(
            number=self._number,
            line=self.line,
            round=self._match.round if self._match else None,
            players=self._match.players if self._match else {},
            table=self._draw(),
            clocks=None if self._clocks is None else show_clocks(self._clocks, shown_s),
            shown_s=shown_s,
            delay_s=delay_s,
        )

    def _read_on(self, until: int) -> None:
        if until <= self.line:
            return
        for line in self._lines.lines(*_FOLDED, after=self.line, until=until):
            with suppress(*UNREADABLE):
                self._apply_line(line)
        settled = self._lines.newest(TableSettled, after=self.line, until=until)
        if settled is not None and isinstance(settled.entry, TableSettled):
            self._measured = settled.entry.state
        self.line = until

    def _apply_line(self, line: Line) -> None:
        if isinstance(line.entry, CLOCK_ENTRIES):
            self._clocks = apply_line(self._clocks, line)
        elif isinstance(line.entry, RoundBegun):
            self._match = line.entry
        else:
            self._steps.apply_line(line)

    def _draw(self) -> DrawnTable | None:
        """As it was known then, corrections included."""
        if self._measured is None:
            return None
        return table_view(self._steps.lay_over(self._measured, draw=check_drawable).state)


def read_sheet(store: HallStore, number: int) -> TableSheet:
    """The table as it is now. Raises: HallStoreFailed."""
    journal = journal_of(store, number)
    roster = roster_of(journal)
    measured = measured_table(journal)
    drawn = None
    if measured is not None:
        drawn = table_view(UndoLog(journal, draw=check_drawable).lay_over(measured).state)
    return TableSheet(table=drawn, lists=tuple(_summarise_list(roster, army_list) for army_list in roster.lists))


def _summarise_list(roster: Roster, army_list: ArmyList) -> PlayerList:
    its = [entry for entry in roster.expected if entry.side == army_list.side]
    entries = tuple(entry.name if entry.count == 1 else f"{entry.count} × {entry.name}" for entry in its)
    return PlayerList(side=army_list.side, name=army_list.name, miniatures=army_list.miniatures, entries=entries)
