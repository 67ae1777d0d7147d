"""Table link: a table's side of the hall, in a thread of its own, so nothing of the hall waits in its way."""

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from api.cards.library import CardLibrary
from api.errors import JournalFailed
from api.hall.http_transport import HttpTransport
from api.hall.keys import TableKey
from api.hall.orders import carry_out, newest_order
from api.hall.sender import Sender
from api.hall.transport import Transport
from api.live.hub import Hub
from api.rulings.bench import JudgesBench
from api.seats.sessions import CODES
from api.tables.schemas import TableSummary
from models.errors import TablesideError

log = logging.getLogger(__name__)

GLANCE_S = 2.0
ORDERS_S = 0.5
ALARM = "hall"


def open_transport(url: str, key: TableKey) -> Transport:
    """The transport that the address names."""
    if url.startswith(("http://", "https://")):
        return HttpTransport(url, key)
    from api.hall.nats_transport import NatsTransport  # here, so that a table without NATS needs no client of it

    return NatsTransport(url, key)


class TableLink:
    """Sends the journal and how the table is, and does what the hall asks. `address`: where the table's pages are."""

    def __init__(self, folder: Path, url: str, key: TableKey, *, address: str | None = None) -> None:
        self.key = key
        self._folder = folder
        self._url = url
        self._address = address

    @asynccontextmanager
    async def run(
        self, desk: JudgesBench, summarise: Callable[[], TableSummary], cards: Callable[[], CardLibrary]
    ) -> AsyncIterator[None]:
        """Be linked to the hall for as long as the server runs."""
        loop = asyncio.get_running_loop()
        work = _LinkThread(lambda: self.begin(desk, summarise, cards, loop))
        work.start()
        try:
            yield
        finally:
            await asyncio.to_thread(work.stop)

    def begin(
        self,
        desk: JudgesBench,
        summarise: Callable[[], TableSummary],
        cards: Callable[[], CardLibrary],
        loop: asyncio.AbstractEventLoop,
    ) -> Any:
        """All that goes on in the link's thread."""
        transport = open_transport(self._url, self.key)
        alarms = desk.hub.alarms

        def tell(says: str | None) -> None:
            loop.call_soon_threadsafe(lambda: alarms.end(ALARM) if says is None else alarms.sound(ALARM, says))

        sender = Sender(self._folder, transport, self.key, tell)
        return transport, (
            sender.run(),
            _repeat(GLANCE_S, lambda: self._send_glance(transport, summarise, desk.hub, loop)),
            _repeat(ORDERS_S, lambda: self._do_orders(transport, desk, cards, loop)),
        )

    async def _send_glance(
        self,
        transport: Transport,
        summarise: Callable[[], TableSummary],
        hub: Hub,
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        summary, clock_s = await _on_server(loop, lambda: (summarise(), hub.clocks.now_s()))
        codes = hub.journal.secrets.get(CODES) or {}
        glance = {"summary": summary.model_dump(mode="json"), "address": self._address, "clock_s": clock_s}
        glance["codes"] = {door: code for door, code in codes.items() if door in ("judge", "players")}
        await transport.send_glance(glance)

    async def _do_orders(
        self,
        transport: Transport,
        desk: JudgesBench,
        cards: Callable[[], CardLibrary],
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        for order in await transport.read_orders(newest_order(desk.hub.journal)):
            await _on_server(loop, lambda order=order: carry_out(order, desk, cards))  # type: ignore[misc]


class _LinkThread(threading.Thread):
    def __init__(self, begin: Callable[[], Any]) -> None:
        super().__init__(name="hall", daemon=True)
        self._begin = begin
        self._loop: asyncio.AbstractEventLoop | None = None
        self._work: asyncio.Future[Any] | None = None
        self._has_begun = threading.Event()

    def run(self) -> None:
        asyncio.run(self._main())

    async def _main(self) -> None:
        self._loop = asyncio.get_running_loop()
        transport, works = self._begin()
        self._work = asyncio.gather(*works)
        self._has_begun.set()
        with suppress(asyncio.CancelledError):
            await self._work
        with suppress(TablesideError):
            await transport.close()

    def stop(self) -> None:
        """End the link; what was not sent is sent after the next start."""
        self._has_begun.wait(5)
        if self._loop is not None and self._work is not None:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._work.cancel)
        self.join(5)


async def _repeat(every_s: float, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    while True:
        try:
            await work()
        except JournalFailed as wrong:
            log.warning("hall: not written why=%s", wrong.detail)
        except TablesideError as wrong:
            log.debug("hall: later why=%s", wrong.detail)
        await asyncio.sleep(every_s)


async def _on_server(loop: asyncio.AbstractEventLoop, work: Callable[[], Any]) -> Any:
    """What the work gives, done on the server's event loop."""

    async def do() -> Any:
        return work()

    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(do(), loop))
