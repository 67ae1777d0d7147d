"""Spectated table: a table as the hub's lines tell it, as it was at a line of its journal."""

from api.clocks.schemas import ClocksView, show_clocks
from api.clocks.state import CLOCK_ENTRIES, Player, replay_clocks
from api.corrections.entries import CorrectionMade, CorrectionRedone, CorrectionUndone
from api.corrections.undo_log import UndoLog
from api.hall.entries import RoundBegun
from api.hall.store import HallStore
from api.hall.stored_journal import StoredJournal
from api.journal.camera_entries import EventObserved, TableSettled
from api.journal.entry import Entry
from api.live.drawable import check_drawable
from api.live.resume import measured_table, roster_of
from api.live.table_schemas import DrawnTable
from api.live.table_view import table_view
from api.setups.entries import RosterSet
from api.setups.schemas import ArmyList, Roster
from models.frozen import Frozen

SHOWN: tuple[type[Entry], ...] = (
    TableSettled, CorrectionMade, CorrectionUndone, CorrectionRedone, RoundBegun, *CLOCK_ENTRIES,
)  # fmt: skip
SHOWN_KINDS = frozenset(str(cls.model_fields["type"].default) for cls in SHOWN)
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


def draw_table(journal: StoredJournal, *, until: int | None = None) -> DrawnTable | None:
    """The table as it was known at that line, corrections included. Raises: HallStoreFailed."""
    measured = measured_table(journal, until=until)
    if measured is None:
        return None
    log = UndoLog(journal, draw=check_drawable)
    return table_view(log.lay_over_at(measured, until) if until is not None else log.lay_over(measured).state)


def watch_table(store: HallStore, number: int, line: int, *, shown_s: float, delay_s: float) -> SpectatedTable:
    """The table at that line; `shown_s` is when that was, by the table's clock. Raises: HallStoreFailed."""
    journal = journal_of(store, number)
    begun = journal.newest(RoundBegun, until=line)
    match = begun.entry if begun is not None and isinstance(begun.entry, RoundBegun) else None
    clocks = replay_clocks(one for one in journal.lines(*CLOCK_ENTRIES) if one.n <= line)
    return SpectatedTable(
        number=number,
        line=line,
        round=match.round if match else None,
        players=match.players if match else {},
        table=draw_table(journal, until=line),
        clocks=None if clocks is None else show_clocks(clocks, shown_s),
        shown_s=shown_s,
        delay_s=delay_s,
    )


def read_sheet(store: HallStore, number: int) -> TableSheet:
    """The table as it is now. Raises: HallStoreFailed."""
    journal = journal_of(store, number)
    roster = roster_of(journal)
    return TableSheet(table=draw_table(journal), lists=tuple(_summarise_list(roster, one) for one in roster.lists))


def _summarise_list(roster: Roster, one: ArmyList) -> PlayerList:
    its = [entry for entry in roster.expected if entry.side == one.side]
    entries = tuple(entry.name if entry.count == 1 else f"{entry.count} × {entry.name}" for entry in its)
    return PlayerList(side=one.side, name=one.name, miniatures=one.miniatures, entries=entries)
