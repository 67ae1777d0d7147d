"""Hall board: the view of the whole hall; what has changed of it is sent to every page."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import suppress
from typing import Any, Literal
from urllib.parse import urlsplit

from fastapi.sse import format_sse_event

from api.clocks.schemas import ClocksView, show_clocks
from api.hall.cell import Cell
from api.hall.errors import BadEnvelope, HallStoreFailed
from api.hall.hall_records import HallRecords
from api.hall.inbound_line import storable
from api.hall.rounds import propose_penalties
from api.hall.schemas import (
    HallAffairs,
    HallPatch,
    HallTable,
    HallView,
    PublicHall,
    TableGlance,
    is_expected_address,
    read_glance,
    show_hall,
)
from api.hall.store import MOST_TROUBLE_CHARS
from api.hall.transport import Order
from api.http.sse_broadcast import BEAT_S, RETRY_MS, SseBroadcast
from api.live.alarms import Alarms
from api.live.broadcast import Broadcast
from api.supervision import SaidOnce, Supervisor

log = logging.getLogger(__name__)
log.addFilter(SaidOnce("hall not drawn"))

LOOK_S = 0.1  # how soon this hub notices what another wrote into the same database
DATABASE = "database"  # an alarm's code
QUARANTINE_SHOWN_S = 600.0  # the cell keeps it for good
Head = tuple[str | None, int, str | None]


class HallBoard:
    """What the pages of the hall show. Lives on the hub's event loop; the database is asked in threads."""

    def __init__(self, records: HallRecords, event: str) -> None:
        self.records = records
        self._store = records.store
        self._event = event
        self._is_over = asyncio.Event()
        self._glances: dict[int, tuple[float, TableGlance]] = {}
        self._places: dict[int, str | None] = {}  # from which address each was heard of; by a broker none
        self._glance_troubles: dict[int, str] = {}
        self._glanced: set[int] = set()
        self._heads: dict[int, Head] = {}
        self._cells: dict[int, tuple[Cell, str | None]] = {}
        self._tables: dict[int, HallTable] = {}
        self._newest_orders: dict[int, int] = {}
        self._changes = -1
        self._affairs: HallAffairs
        self.purge: Callable[[int], Awaitable[None]] | None = None  # what a broker still holds of a table
        self.broadcast = Broadcast(self.view)
        self.public_stream = SseBroadcast(self.public)
        self.alarms = Alarms(changed=self._publish_alarms, clock=self._store.now_s)
        self.alarm_listeners: list[Callable[[], None]] = []
        self.tasks = Supervisor(self.alarms)
        self._look()

    def public(self) -> PublicHall:
        """What anybody may see."""
        featured = self._affairs.settings.featured
        address = None if featured is None else self.address_of(featured)
        return show_hall(
            self._affairs,
            event=self._event,
            now_s=self._store.now_s(),
            featured_address=address,
            alarms=self.alarms.all(),
        )

    def view(self) -> HallView:
        tables = tuple(self._tables.values())
        return HallView(
            **dict(self._affairs),
            now_s=self._store.now_s(),
            event=self._event,
            tables=tables,
            alarms=self.alarms.all(),
        )

    def affairs(self) -> HallAffairs:
        return self._affairs

    def note_glance(self, table: int, glance: TableGlance | bytes, *, place: str | None = None) -> None:
        """The table was heard of, from that address. Raises: BadEnvelope, and then it is shown as it was, with why."""
        self._glanced.add(table)
        now_s = self._store.now_s()
        try:
            self._glances[table] = (now_s, read_glance(glance, now_s=now_s))
        except BadEnvelope as wrong:
            self._glance_troubles[table] = storable(wrong.detail, most=MOST_TROUBLE_CHARS)
            raise
        self._places[table] = place
        self._glance_troubles.pop(table, None)

    def strange_host_of(self, table: int) -> str | None:
        """The host of its pages where that is neither the table's own machine nor in the building."""
        address = self.address_of(table)
        is_expected = address is None or is_expected_address(address, self._places.get(table))
        return None if is_expected or address is None else urlsplit(address).netloc

    def address_of(self, table: int) -> str | None:
        heard = self._glances.get(table)
        return heard[1].address if heard else None

    def ahead_s_of(self, table: int) -> float:
        """The table's clock minus the hub's: as it told itself, else as its lines let one think."""
        heard = self._glances.get(table)
        if heard is not None and heard[1].clock_s is not None:
            return heard[1].clock_s - heard[0]
        cell = self._cells[table][0] if table in self._cells else None
        return cell.ahead_s or 0.0 if cell is not None else 0.0

    async def orders_of(self, table: int, *, after: int) -> list[Order]:
        """What is asked of this table after that number; mostly nothing, which asks no database.

        Raises: HallStoreFailed.
        """
        if after >= self._newest_orders.get(table, 0):
            return []
        return await asyncio.to_thread(self.records.calls.orders_of, table, after=after)

    async def release(self, table: int) -> None:
        """Let another journal have this table's number. Raises: HallStoreFailed, HubAway."""
        await asyncio.to_thread(self._store.release, table)
        if self.purge is not None:
            await self.purge(table)

    async def run(self) -> None:
        """Redraw what has changed in the database or by a glance."""
        while not self._is_over.is_set():
            try:
                patch = await asyncio.to_thread(self._look)
                if patch.tables or patch.affairs is not None:
                    self.broadcast.publish(patch)
                if patch.affairs is not None:
                    self.public_stream.publish()
                self.alarms.end(DATABASE)
            except HallStoreFailed as wrong:
                log.warning("hall not drawn why=%s", wrong.detail)
                self.alarms.sound(DATABASE, "The hub's database cannot be used: what is shown is as it was before.")
            with suppress(TimeoutError):
                await asyncio.wait_for(self._is_over.wait(), LOOK_S)

    def stop(self) -> None:
        self._is_over.set()

    def _publish_alarms(self) -> None:
        self.broadcast.publish(HallPatch(now_s=self._store.now_s(), alarms=self.alarms.all()))
        self.public_stream.publish()
        for listener in self.alarm_listeners:
            listener()

    async def events(self) -> AsyncIterator[bytes]:
        """The hall as server-sent events: whole at first, then what changes, and every few seconds the time."""
        subscriber = self.broadcast.subscribe()
        try:
            yield format_sse_event(retry=RETRY_MS)
            while not self.broadcast.is_closed:
                try:
                    text = await asyncio.wait_for(subscriber.next(), BEAT_S)
                except TimeoutError:
                    text = HallPatch(now_s=self._store.now_s()).model_dump_json()
                yield format_sse_event(data_str=text)
        finally:
            self.broadcast.unsubscribe(subscriber)

    def _look(self) -> HallPatch:
        """Take in what has changed, and tell it. Raises: HallStoreFailed, and then nothing is taken in."""
        heads, changes = self._store.marks()
        moved = {number for number, head in heads.items() if self._heads.get(number) != head}
        cells = self._store.cells(moved) if moved else {}
        affairs = self._read_affairs() if changes != self._changes else None
        newest = self.records.calls.newest_orders() if affairs is not None else self._newest_orders
        glanced, self._glanced = self._glanced, set()
        self._cells |= cells
        self._heads = heads
        self._newest_orders = newest
        now_s = self._store.now_s()
        drawn = self._draw(moved | (glanced & heads.keys()), now_s)
        if affairs is not None:
            self._changes, self._affairs = changes, affairs
        return HallPatch(now_s=now_s, tables=drawn, affairs=affairs)

    def _read_affairs(self) -> HallAffairs:
        records, settings, given = self.records, self._store.settings(), self.records.penalties.all()
        return HallAffairs(
            calls=records.calls.all(),
            rounds=records.rounds.all(),
            penalties=given,
            next_penalties=propose_penalties(settings.penalties, given),
            settings=settings,
            players=records.players.all(),
            standings=records.players.standings().standings,
        )

    def _draw(self, numbers: Collection[int], now_s: float) -> tuple[HallTable, ...]:
        drawn = {number: self._draw_table(number, *self._cells[number], now_s) for number in sorted(numbers)}
        self._tables = dict(sorted((self._tables | drawn).items()))
        return tuple(drawn.values())

    def _draw_table(self, number: int, cell: Cell, trouble: str | None, now_s: float) -> HallTable:
        heard_s, glance = self._glances.get(number, (None, None))
        address = glance.address if glance else None
        shown: dict[str, Any] = {name: getattr(cell, name) for name in ("line", "at_s", "rulings", "round", "players")}
        return HallTable(
            number=number,
            heard_s=heard_s,
            clocks=self._show_clocks(number, cell, now_s),
            shown_s=now_s,
            summary=glance.summary if glance else None,
            trouble=trouble or self._glance_troubles.get(number) or _quarantine_of(cell, now_s),
            has_door=address is not None and self.code_of(number, "judge", cell) is not None,
            **shown,
        )

    def code_of(self, number: int, door: Literal["judge", "players"], cell: Cell) -> str | None:
        """What opens a page of the table, as it said itself, or as the journal of an older version says."""
        _, glance = self._glances.get(number, (None, None))
        written = cell.judge_code if door == "judge" else cell.players_code
        return written if glance is None else glance.codes.get(door, written)

    def _show_clocks(self, number: int, cell: Cell, now_s: float) -> ClocksView | None:
        try:
            return None if cell.clocks is None else show_clocks(cell.clocks, now_s + self.ahead_s_of(number))
        except (ArithmeticError, ValueError) as wrong:  # kept by an older hub, which took any number
            log.warning("clocks not drawn table=%d why=%s", number, wrong)
            return None


def _quarantine_of(cell: Cell, now_s: float) -> str | None:
    """What was quarantined a short while ago."""
    newest = cell.quarantined[-1] if cell.quarantined else None
    return newest.says if newest is not None and now_s - newest.taken_s < QUARANTINE_SHOWN_S else None
