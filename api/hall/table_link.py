"""Table link: a table's side of the hall, in a thread of its own, so nothing of the hall waits in its way."""

import asyncio
import base64
import json
import logging
import threading
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import Field

from api.cards.card_file import CardLibrary
from api.clocks.entries import RULING, ClocksExtended, ClocksSet, ClocksStarted, Player
from api.corrections.schemas import TableCorrection
from api.errors import JournalFailed
from api.hall.envelope import BATCH, QUARANTINED, Envelope
from api.hall.errors import HubAway, HubDisagrees, HubRefused
from api.hall.keys import TableKey
from api.hall.rounds import OrderDone, RoundBegun
from api.hall.sender import Sender
from api.hall.transport import Order, Tail, Transport
from api.journal.countersignature import HeadWitness, HubSigned
from api.journal.interface import Journal
from api.journal.signature import has_news
from api.lists.army import add_list, remove_list
from api.live.hub import Hub
from api.live.messages import Notice
from api.rosters.read import read_roster
from api.rulings.bench import JudgesBench
from api.seats.schemas import LONGEST_NAME, NewPlayer
from api.seats.sessions import CODES
from api.setups.schemas import RosterSet
from api.supervision import RemoteBell, Supervisor, Work, run_in_thread
from api.tables.schemas import TableSummary
from models.errors import TablesideError
from models.frozen import Frozen
from models.state import Side

log = logging.getLogger(__name__)

GLANCE_S = 2.0
ORDERS_S = 0.5
WITNESS_S = 60.0
ALARM = "hall"
PATIENCE_S = 10.0
END_S = 5.0


def open_transport(url: str, key: TableKey) -> Transport:
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
        self, bench: JudgesBench, summarise: Callable[[], TableSummary], cards: Callable[[], CardLibrary]
    ) -> AsyncIterator[None]:
        loop = asyncio.get_running_loop()
        bell = RemoteBell(bench.hub.alarms, loop)

        def begin() -> tuple[Transport, dict[str, Work]]:
            transport = open_transport(self._url, self.key)
            return transport, self._works(transport, bench, summarise, cards, bell=bell, loop=loop)

        link = _LinkThread(begin, bell)
        async with bench.hub.tasks.keep(
            {"hall": partial(run_in_thread, link.run)},
            stop=partial(asyncio.to_thread, link.stop),
            patience_s=END_S,
        ):
            yield

    def _works(
        self,
        transport: Transport,
        bench: JudgesBench,
        summarise: Callable[[], TableSummary],
        cards: Callable[[], CardLibrary],
        *,
        bell: RemoteBell,
        loop: asyncio.AbstractEventLoop,
    ) -> dict[str, Work]:
        """All that goes on in the link's thread."""

        def tell(says: str | None) -> None:
            if says is None:
                bell.end(ALARM)
            else:
                bell.sound(ALARM, says)

        send_glance = partial(self._send_glance, transport, summarise, bench.hub, loop)
        do_orders = partial(self._do_orders, transport, bench, cards, loop)
        return {
            "hall-lines": Sender(self._folder, transport, self.key, tell).run,
            "hall-glance": partial(_repeat, GLANCE_S, send_glance),
            "hall-orders": partial(_repeat, ORDERS_S, do_orders),
            "hall-witness": partial(_repeat, WITNESS_S, partial(_keep_witness, transport, bench.hub.journal, loop)),
        }

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
        bench: JudgesBench,
        cards: Callable[[], CardLibrary],
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        # before the hub is asked: what players tell while it answers, it cannot know
        seen = await _on_server(loop, bench.hub.undo_log.newest_change)
        for order in await transport.read_orders(newest_order(bench.hub.journal)):
            await _on_server(loop, partial(carry_out, order, bench, cards, seen=seen))


class _LinkThread:
    """The link's own event loop, on which its tasks are kept."""

    def __init__(self, begin: Callable[[], tuple[Transport, dict[str, Work]]], bell: RemoteBell) -> None:
        self._begin = begin
        self._bell = bell
        self._is_over = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ending: asyncio.Event | None = None

    def run(self) -> None:
        asyncio.run(self._main())

    async def _main(self) -> None:
        self._ending = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        transport, works = self._begin()
        async with Supervisor(self._bell).keep(works):
            if not self._is_over.is_set():
                await self._ending.wait()
        with suppress(TablesideError):
            await transport.close()

    def stop(self) -> None:
        """End the link; what was not sent is sent after the next start."""
        self._is_over.set()
        if self._loop is not None and self._ending is not None:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._ending.set)


async def _repeat(every_s: float, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    while True:
        try:
            await work()
        except JournalFailed as wrong:
            log.warning("hall: not written why=%s", wrong.detail)
        except TablesideError as wrong:
            log.debug("hall: later why=%s", wrong.detail)
        await asyncio.sleep(every_s)


async def _keep_witness(transport: Transport, journal: Journal, loop: asyncio.AbstractEventLoop) -> None:
    """Write what the hub has countersigned since into the journal, which carries it wherever it goes."""
    if (seen := await transport.read_witness()) is not None:
        await _on_server(loop, partial(keep_witness, journal, seen))


def keep_witness(journal: Journal, seen: HeadWitness) -> bool:
    """Whether the hub countersigned something new of this journal, which is written then. Raises: JournalFailed."""
    before = journal.newest(HubSigned)
    n = int(seen.head.partition(":")[0])
    last_n = 0 if before is None else before.n
    is_ours = seen.is_signed() and str(journal.head_at(n)) == seen.head
    if not is_ours or n < last_n or not has_news(journal, after=last_n):
        return False
    journal.write(HubSigned(seen=seen))
    return True


async def _on_server(loop: asyncio.AbstractEventLoop, work: Callable[[], Any]) -> Any:
    """What the work gives, done on the server's event loop."""

    async def do() -> Any:
        return work()

    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(do(), loop))


class SentList(Frozen):
    """A player's army list, as the hub has it."""

    side: str = Field(min_length=1, max_length=80)
    file: str
    data: str = Field(description="base64")


class RoundOrder(Frozen):
    """What a table is told of a round."""

    says: str = ""
    round: int
    players: dict[Player, str]
    clock_minutes: float = Field(ge=0, le=24 * 60)
    left_s: float | None = Field(None, le=24 * 3600, description="of the round, as the hall asks it")
    lists: tuple[SentList, ...] = ()


def begin_round(
    facts: dict[str, Any], bench: JudgesBench, cards: Callable[[], CardLibrary], *, seen: int
) -> str | None:
    """Begin the round; what cannot be done of it is the answer, the rest is. Raises: ValueError, JournalFailed."""
    order = RoundOrder.model_validate(facts)
    bench.hub.journal.write(RoundBegun(round=order.round, players=order.players, left_s=order.left_s))
    troubles = []
    for do in (
        partial(_name_players, order, bench),
        partial(_set_clocks, order, bench),
        partial(_set_sides, order, bench, seen=seen),
        partial(_lay_lists, order, bench, cards),
    ):
        try:
            do()
        except JournalFailed:
            raise
        except (TablesideError, ValueError) as wrong:
            troubles.append(str(wrong))
    return "; ".join(troubles) or None


def _name_players(order: RoundOrder, bench: JudgesBench) -> None:
    """The players are called what the pairings call them; the score of the last round is not this one's."""
    players = {seat: NewPlayer(name=name[:LONGEST_NAME]) for seat, name in order.players.items()}
    bench.hub.score.begin_game(players, round_=order.round)


def _set_clocks(order: RoundOrder, bench: JudgesBench) -> None:
    if order.clock_minutes > 0:
        bench.hub.clocks.record(ClocksSet(by="judge", total_s=order.clock_minutes * 60))


def _set_sides(order: RoundOrder, bench: JudgesBench, *, seen: int) -> None:
    """The players are the sides; where each stands stays as the table had it. Raises: CorrectionConflict."""
    hub = bench.hub
    before = hub.state.sides if hub.state is not None else ()
    edges = [side.edge for side in before[:2]] + [None, None]
    sides = tuple(Side(id=name, edge=edge) for name, edge in zip(order.players.values(), edges, strict=False))
    hub.undo_log.correct(hub.measured, TableCorrection(do="table", sides=sides), by="judge", seen=seen)


def _lay_lists(order: RoundOrder, bench: JudgesBench, cards: Callable[[], CardLibrary]) -> None:
    before = roster = bench.hub.expected.roster()
    for old in before.lists:
        roster = remove_list(roster, old.side)
    for sent_list in order.lists:
        read = read_roster(base64.b64decode(sent_list.data), name=sent_list.file)
        roster = add_list(roster, read, sent_list.side, cards().cards(), file=sent_list.file)
    if roster != before:
        bench.hub.expect(RosterSet(by="judge", expected=roster.expected, lists=roster.lists))


def newest_order(journal: Journal) -> int:
    """The number of the newest order that was done; 0: none."""
    line = journal.newest(OrderDone)
    return line.entry.number if line is not None and isinstance(line.entry, OrderDone) else 0


def carry_out(order: Order, bench: JudgesBench, cards: Callable[[], CardLibrary], *, seen: int) -> None:
    """Do it unless it was done, and write down that it was. On the server's event loop. Raises: JournalFailed.

    `seen` is the newest change of a correction when the hub was asked: what was told since is not overruled unseen.
    """
    journal = bench.hub.journal
    if order.number <= newest_order(journal):
        return
    trouble = None
    try:
        if order.kind == "go-on":
            _go_on(bench, float(order.facts.get("extension_s", 0)))
        elif order.kind == "round":
            trouble = begin_round(order.facts, bench, cards, seen=seen)
        if says := str(order.facts.get("says", "")):
            bench.hub.broadcast.publish(Notice(seq=bench.hub.broadcast.next_seq(), text=says))
    except JournalFailed:
        raise
    except (TablesideError, ValueError) as wrong:
        trouble = str(wrong)
    facts = {name: value for name, value in order.facts.items() if name != "lists"}
    journal.write(OrderDone(number=order.number, kind=order.kind, facts=facts, trouble=trouble))


def _go_on(bench: JudgesBench, extension_s: float) -> None:
    clocks = bench.hub.clocks.clocks
    if clocks is None:
        return
    if clocks.stop is not None and clocks.stop.why == RULING:
        bench.hub.clocks.record(ClocksStarted(by="judge"))
    if extension_s > 0:
        bench.hub.clocks.record(ClocksExtended(by="judge", player=None, by_s=extension_s, note="time lost for a judge"))


class HttpTransport:
    """The hub at this address, spoken to with the table's key."""

    def __init__(self, url: str, key: TableKey) -> None:
        self._base = f"{url.rstrip('/')}/api/v1/hall/tables/{key.table}"
        self._token = key.token

    async def read_tail(self) -> Tail | None:
        tail = await self._call("GET", "/journal")
        return None if tail is None else Tail.model_validate(tail)

    async def publish(self, batch: Sequence[Envelope]) -> str | None:
        body = "[" + ",".join(envelope.model_dump_json() for envelope in batch) + "]"
        quarantined = await self._call("POST", "/journal", body, BATCH)
        return None if quarantined is None else str(quarantined)

    async def send_glance(self, glance: dict[str, Any]) -> None:
        await self._call("PUT", "/glance", json.dumps(glance))

    async def read_orders(self, after: int) -> list[Order]:
        return [Order.model_validate(order) for order in await self._call("GET", f"/orders?after={after}")]

    async def read_witness(self) -> HeadWitness | None:
        try:
            return HeadWitness.model_validate(await self._call("GET", "/witness"))
        except HubRefused:  # an older hub, or one whose keys sign nothing
            return None

    async def close(self) -> None:
        """There is no connection to let go of."""

    async def _call(self, method: str, path: str, body: str | None = None, kind: str = "application/json") -> Any:
        return await asyncio.to_thread(self._ask, method, path, body, kind)

    def _ask(self, method: str, path: str, body: str | None, kind: str) -> Any:
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": kind}
        data = None if body is None else body.encode()
        request = urllib.request.Request(self._base + path, data=data, headers=headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
                return answer.headers[QUARANTINED] if answer.status == 204 else json.loads(answer.read())
        except urllib.error.HTTPError as wrong:
            raise _error_of(wrong) from wrong
        except (OSError, ValueError) as wrong:
            raise HubAway(f"the hub cannot be reached: {wrong}") from wrong


def _error_of(wrong: urllib.error.HTTPError) -> Exception:
    try:
        detail = str(json.loads(wrong.read())["detail"])
    except (OSError, ValueError, KeyError, TypeError):
        detail = str(wrong)
    if wrong.code == 409:
        return HubDisagrees(detail)
    if wrong.code in (401, 403, 404, 413, 421, 422):
        return HubRefused(detail, field="hub", value=wrong.url)
    return HubAway(detail)
