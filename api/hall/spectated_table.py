"""Spectated table: a table as the hub's lines tell it, as it was at a line of its journal."""

from api.clocks.schemas import ClocksView, show_clocks
from api.clocks.state import CLOCK_ENTRIES, Clocks, Player, apply_line
from api.corrections.entries import CorrectionMade, CorrectionRedone, CorrectionUndone
from api.corrections.undo_log import StepLedger, UndoLog
from api.hall.entries import RoundBegun
from api.hall.store import HallStore
from api.hall.stored_journal import StoredJournal
from api.journal.camera_entries import EventObserved, TableSettled
from api.journal.entry import Entry
from api.live.expected_bases import roster_of
from api.live.rest_moments import measured_table
from api.live.table_schemas import DrawnTable
from api.live.table_view import check_drawable, table_view
from api.setups.entries import RosterSet
from api.setups.schemas import ArmyList, Roster
from models.frozen import Frozen
from models.state import TableState

SHOWN: tuple[type[Entry], ...] = (
    TableSettled, CorrectionMade, CorrectionUndone, CorrectionRedone, RoundBegun, *CLOCK_ENTRIES,
)  # fmt: skip
SHOWN_KINDS = frozenset(str(cls.model_fields["type"].default) for cls in SHOWN)
_FOLDED: tuple[type[Entry], ...] = (*(cls for cls in SHOWN if cls is not TableSettled), EventObserved)
_READ: tuple[type[Entry], ...] = (*SHOWN, EventObserved, RosterSet)


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
            if isinstance(line.entry, CLOCK_ENTRIES):
                self._clocks = apply_line(self._clocks, line)
            elif isinstance(line.entry, RoundBegun):
                self._match = line.entry
            else:
                self._steps.apply_line(line)
        settled = self._lines.newest(TableSettled, after=self.line, until=until)
        if settled is not None and isinstance(settled.entry, TableSettled):
            self._measured = settled.entry.state
        self.line = until

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
    return TableSheet(table=drawn, lists=tuple(_summarise_list(roster, one) for one in roster.lists))


def _summarise_list(roster: Roster, one: ArmyList) -> PlayerList:
    its = [entry for entry in roster.expected if entry.side == one.side]
    entries = tuple(entry.name if entry.count == 1 else f"{entry.count} × {entry.name}" for entry in its)
    return PlayerList(side=one.side, name=one.name, miniatures=one.miniatures, entries=entries)
