"""NATS feed: the hub takes from the stream what tables wrote, together with every other hub of the event."""

import asyncio
import json
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error
from nats.js.api import ConsumerConfig, DiscardPolicy, StorageType, StreamConfig
from nats.js.client import JetStreamContext

from api.hall.cell import Cell
from api.hall.envelope import Envelope, read_envelope, source_of
from api.hall.errors import BadEnvelope, HallStoreFailed, NoJetStream, RestoredCopy, TableTwice
from api.hall.hall_board import HallBoard
from api.hall.keys import EventKeys
from api.hall.nats_transport import connect_nats, translate_errors
from api.hall.store import HallStore
from api.hall.transport import HUBS, body_of, stream_of, subject_of
from api.supervision import SaidOnce

log = logging.getLogger(__name__)
log.addFilter(SaidOnce("not kept tables="))

MOST_LINES = 500
WAIT_S = 1.0
AWAY = "broker"  # an alarm's code
MOST_DELIVERIES = 5  # of a message that cannot be kept for a reason that is none of the known
UNSURE_S = 8.0  # what a hub took and did not acknowledge by then, another gets; what comes twice is kept once


class NatsFeed:
    """The broker at this address as a source of a hub."""

    def __init__(self, url: str, keys: EventKeys, *, replicas: int = 1) -> None:
        self._url = url
        self._keys = keys
        self._replicas = replicas
        self._is_over = False

    async def check(self) -> None:
        """See that the broker keeps streams. Raises: HubAway, HubRefused, NoJetStream."""
        client = await connect_nats(self._url, self._keys.hub_seed)
        try:
            await self._make_stream(client)
        finally:
            await client.close()

    @asynccontextmanager
    async def run(self, store: HallStore, board: HallBoard) -> AsyncIterator[None]:
        """Take lines, glances and questions for orders. Raises: HubAway, HubRefused, NoJetStream when it begins."""
        client = await connect_nats(self._url, self._keys.hub_seed)
        await self._make_stream(client)
        board.purge = lambda table: self._purge(client, table)
        await self._listen(client, store, board)

        async def stop() -> None:
            self._is_over = True  # not cancelled: what is being written is waited for

        try:
            async with board.tasks.keep({"lines": partial(self._take_lines, client, store, board)}, stop=stop):
                yield
        finally:
            with suppress(Error, OSError):  # the broker may be gone before us
                await client.close()

    async def _make_stream(self, client: Client) -> None:
        config = StreamConfig(
            name=stream_of(self._keys.event),
            subjects=[subject_of(self._keys.event, "*", "journal")],
            storage=StorageType.FILE,
            discard=DiscardPolicy.NEW,  # a full broker refuses, and tables keep what they wrote
            num_replicas=self._replicas,
            allow_direct=True,
        )
        try:
            with translate_errors():
                await client.jetstream().add_stream(config)
        except NoJetStream as wrong:
            raise NoJetStream(f"the broker at {self._url} has JetStream not enabled") from wrong

    async def _listen(self, client: Client, store: HallStore, board: HallBoard) -> None:
        async def note_glance(message: Msg) -> None:
            with suppress(BadEnvelope, ValueError):  # a table's own number is in every subject that it may use
                board.note_glance(_table_of(message), message.data)

        async def tell_orders(message: Msg) -> None:
            with suppress(ValueError, HallStoreFailed):
                after = int(message.data)
                orders = await board.orders_of(_table_of(message), after=after)
                await message.respond(json.dumps([order.model_dump(mode="json") for order in orders]).encode())

        async def tell_witness(message: Msg) -> None:
            with suppress(ValueError, HallStoreFailed):
                table = _table_of(message)
                signed = self._keys.countersign(table, await asyncio.to_thread(store.newest_text, table))
                await message.respond(b"" if signed is None else signed.model_dump_json().encode())

        await client.subscribe(subject_of(self._keys.event, "*", "witness"), queue=HUBS, cb=tell_witness)
        await client.subscribe(subject_of(self._keys.event, "*", "glance"), cb=note_glance)
        await client.subscribe(subject_of(self._keys.event, "*", "orders"), queue=HUBS, cb=tell_orders)

    async def _take_lines(self, client: Client, store: HallStore, board: HallBoard) -> None:
        source: JetStreamContext.PullSubscription | None = None
        while not self._is_over:
            try:
                if source is None:
                    source = await client.jetstream().pull_subscribe(
                        subject_of(self._keys.event, "*", "journal"),
                        durable=HUBS,
                        config=ConsumerConfig(ack_wait=UNSURE_S, max_ack_pending=20 * MOST_LINES),
                    )
                messages = await source.fetch(MOST_LINES, timeout=WAIT_S)
            except TimeoutError:
                board.alarms.end(AWAY)
                continue
            except Error as wrong:
                log.warning("broker away why=%s", wrong)
                board.alarms.sound(AWAY, "The broker is away: tables play on, and what they write comes later.")
                source = None
                await asyncio.sleep(WAIT_S)
                continue
            board.alarms.end(AWAY)
            with suppress(Error):  # what is not acknowledged comes again
                await self._keep(messages, store, board)

    async def _keep(self, messages: list[Msg], store: HallStore, board: HallBoard) -> None:
        """Keep all of it in one transaction; where something is wrong, table by table, then line by line.

        A line that cannot be read is kept too, and acknowledged like every other: it blocks nobody.
        """
        by_table: dict[int, list[Msg]] = defaultdict(list)
        for message in messages:
            by_table[_table_of(message)].append(message)
        try:
            read = {table: [self._read(message, table) for message in its] for table, its in by_table.items()}
            cells = await asyncio.to_thread(store.take_all, read)
            await asyncio.to_thread(_tell_unread, board, read, cells)
        except HallStoreFailed as wrong:
            log.warning("not kept tables=%s why=%s", sorted(by_table), wrong.detail)
            for message in messages:
                await message.nak(delay=WAIT_S)
        except (BadEnvelope, TableTwice, RestoredCopy) as wrong:
            if len(messages) == 1:
                await self._refuse(messages[0], store, wrong.detail)
            else:
                await self._keep_apart(by_table, store, board)
        except Exception as wrong:  # of a kind that nobody thought of
            if len(messages) > 1:
                await self._keep_apart(by_table, store, board)
            elif messages[0].metadata.num_delivered < MOST_DELIVERIES:
                log.exception("not kept table=%s", *by_table)
                await messages[0].nak(delay=WAIT_S)
            else:
                await self._refuse(messages[0], store, f"a line cannot be kept: {type(wrong).__name__}")
        else:
            for message in messages:
                await message.ack()

    async def _keep_apart(self, by_table: dict[int, list[Msg]], store: HallStore, board: HallBoard) -> None:
        (first, *_) = by_table.values()
        for part in by_table.values() if len(by_table) > 1 else [[message] for message in first]:
            await self._keep(part, store, board)

    async def _refuse(self, message: Msg, store: HallStore, detail: str) -> None:
        """What is wrong is told, and does not come again."""
        log.warning("refused table=%d why=%s", _table_of(message), detail)
        await asyncio.to_thread(store.note_trouble, _table_of(message), detail)
        await message.term()

    def _read(self, message: Msg, table: int) -> Envelope:
        return read_envelope(body_of(message.headers, message.data), source=source_of(self._keys.event, table))

    async def _purge(self, client: Client, table: int) -> None:
        with translate_errors():
            subject = subject_of(self._keys.event, table, "journal")
            await client.jsm().purge_stream(stream_of(self._keys.event), subject=subject)


def _tell_unread(board: HallBoard, read: Mapping[int, Sequence[Envelope]], cells: Mapping[int, Cell]) -> None:
    """Say at a table which line of it is kept and not read, the first of a batch: a broker answers nobody."""
    for table, cell in cells.items():
        numbers = {envelope.line for envelope in read[table]}
        unread = next((line for line in cell.quarantined if line.line in numbers), None)
        if unread is not None:
            board.records.calls.say(table, f"The hub keeps but cannot read: {unread.says}")


def _table_of(message: Msg) -> int:
    return int(message.subject.split(".")[3])
