"""Spectators: tables as they were a while ago, drawn once for all who watch, only where somebody does."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import suppress

import sqlalchemy as sa
from fastapi.sse import format_sse_event
from pydantic import Field, ValidationError

from api.clocks.entries import CLOCK_ENTRIES, Clocks, Player, apply_line
from api.clocks.schemas import ClocksView, show_clocks
from api.corrections.entries import CorrectionMade, CorrectionRedone, CorrectionUndone
from api.corrections.undo_log import StepLedger, UndoLog
from api.errors import JournalFailed
from api.hall.cell import UNREADABLE
from api.hall.errors import HallStoreFailed
from api.hall.hall_board import HallBoard
from api.hall.rounds import RoundBegun
from api.hall.schema import LINES, TABLES
from api.hall.store import HallStore, is_present
from api.http.sse_broadcast import BEAT_S, RETRY_MS
from api.journal.chain import Head
from api.journal.entry import Entry, EventObserved, Line, TableSettled, parse_line
from api.journal.secret_store import SecretStore
from api.live.alarms import Alarm
from api.live.broadcast import Broadcast
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
log = logging.getLogger(__name__)


class StoredJournal:
    """The lines without a gap of the table's present journal; of these classes only, a newer table's others aside."""

    def __init__(self, store: HallStore, table: int, classes: Sequence[type[Entry]]) -> None:
        self._store = store
        self._table = table
        self._classes = {cls.model_fields["type"].default: cls for cls in classes}
        self.damage: list[str] = []
        self.secrets = SecretStore()

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

    def head_at(self, n: int) -> Head | None:
        return None

    def close(self) -> None:
        """There is nothing to let go of."""

    def _select(self, types: Sequence[type[Entry]], *, after: int, until: int | None) -> sa.Select[tuple[str, str]]:
        kinds = [kind for kind, cls in self._classes.items() if issubclass(cls, tuple(types) or (Entry,))]
        present = sa.and_(is_present(), LINES.c.line > after)
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
    alarms: tuple[Alarm, ...] = Field((), description="what is not as it should be with the hub itself")

    def with_alarms(self, alarms: tuple[Alarm, ...]) -> "SpectatedTable":
        return SpectatedTable(**dict(self) | {"alarms": alarms})


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


LOOK_S = 0.5
_COMMENT = b": still here\n\n"


class _WatchedTable:
    """A table that somebody watches, and its game as far as it has been read."""

    def __init__(self, game: SpectatedGame, shown: SpectatedTable) -> None:
        self.game = game
        self.shown = shown
        self.broadcast = Broadcast(lambda: self.shown)
        self.watchers = 0


class Spectators:
    """Who watches which table. Lives on the hub's event loop; the database is asked in threads."""

    def __init__(self, board: HallBoard) -> None:
        self._board = board
        self._store = board.records.store
        self._watched: dict[int, _WatchedTable] = {}
        self._is_over = asyncio.Event()
        board.alarm_listeners.append(self._show_alarms)

    async def look(self, number: int) -> SpectatedTable:
        """The table as spectators see it now. Raises: HallStoreFailed."""
        watched = self._watched.get(number)
        return watched.shown if watched else (await asyncio.to_thread(self._open, number)).shown

    async def events(self, number: int) -> AsyncIterator[bytes]:
        """The table as server-sent events, whole each time it changes; a comment now and then keeps the line."""
        watched = self._watched.get(number)
        if watched is None:
            watched = self._watched.setdefault(number, await asyncio.to_thread(self._open, number))
        watched.watchers += 1
        subscriber = watched.broadcast.subscribe()
        try:
            yield format_sse_event(retry=RETRY_MS)
            while not watched.broadcast.is_closed:
                try:
                    yield format_sse_event(data_str=await asyncio.wait_for(subscriber.next(), BEAT_S))
                except TimeoutError:
                    yield _COMMENT
        finally:
            watched.broadcast.unsubscribe(subscriber)
            watched.watchers -= 1
            if watched.watchers == 0:
                self._watched.pop(number, None)

    async def run(self) -> None:
        while not self._is_over.is_set():
            try:
                await self._show_due()
            except HallStoreFailed as wrong:
                log.warning("spectators not told why=%s", wrong.detail)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._is_over.wait(), LOOK_S)

    def stop(self) -> None:
        self._is_over.set()

    def close(self) -> None:
        for watched in self._watched.values():
            watched.broadcast.close()

    async def _show_due(self) -> None:
        if not self._watched:
            return
        due = await asyncio.to_thread(self._lines_due, frozenset(self._watched))
        for number, (journal, line) in due.items():
            watched = self._watched.get(number)
            if watched is not None and (journal, line) != (watched.game.journal, watched.shown.line):
                await asyncio.to_thread(self._read_on, watched, number, journal, line)
                watched.broadcast.publish(watched.shown)

    def _lines_due(self, numbers: frozenset[int]) -> dict[int, tuple[str, int]]:
        return self._store.lines_before(self._cut_s(), numbers, SHOWN_KINDS)

    def _open(self, number: int) -> _WatchedTable:
        journal, line = self._lines_due(frozenset({number})).get(number, ("", 0))
        game = SpectatedGame(self._store, number, journal)
        return _WatchedTable(game, self._show(game, number, line))

    def _read_on(self, watched: _WatchedTable, number: int, journal: str, line: int) -> None:
        if watched.game.journal != journal or line < watched.game.line:
            watched.game = SpectatedGame(self._store, number, journal)  # another was let in
        watched.shown = self._show(watched.game, number, line)

    def _show(self, game: SpectatedGame, number: int, line: int) -> SpectatedTable:
        shown_s = self._cut_s() + self._board.ahead_s_of(number)
        shown = game.show(line, shown_s=shown_s, delay_s=self._delay_s())
        return shown.with_alarms(self._board.alarms.all())

    def _show_alarms(self) -> None:
        for watched in self._watched.values():
            watched.shown = watched.shown.with_alarms(self._board.alarms.all())
            watched.broadcast.publish(watched.shown)

    def _delay_s(self) -> float:
        return self._board.affairs().settings.delay_s

    def _cut_s(self) -> float:
        return self._store.now_s() - self._delay_s()
