"""NATS transport: a table hands its lines to a JetStream stream; any hub of the event takes them from there."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from nats.aio.client import Client
from nats.js.errors import NotFoundError

from api.errors import HubRefused
from api.hall.envelope import Envelope
from api.hall.keys import TableKey
from api.hall.nats_connection import PATIENCE_S, connect_nats, translate_errors
from api.hall.nats_subjects import headers_of, inbox_of, stream_of, subject_of, tail_from
from api.hall.transport import Order, Tail


class NatsTransport:
    """The broker at this address, spoken to with the table's nkey.

    Each line names the sequence number of the one before it in the stream, so that neither a second machine nor a
    repeat can come between; a repeat that the broker still remembers it drops by `Nats-Msg-Id`.
    """

    def __init__(self, url: str, key: TableKey) -> None:
        self._url = url
        self._key = key
        self._client: Client | None = None
        self._connecting = asyncio.Lock()  # lines, glances and orders go over one connection
        self._newest = 0  # of this table, in the stream

    async def read_tail(self) -> Tail | None:
        client = await self._connect()
        stream, subject = stream_of(self._key.event), self._subject("journal")
        try:
            with translate_errors():
                message = await client.jsm().get_last_msg(stream, subject, direct=True)
        except NotFoundError:
            self._newest = 0
            return None
        self._newest = message.seq or 0
        try:
            return tail_from(message.headers, message.data or b"")
        except (KeyError, ValueError) as wrong:
            detail = f"the newest message of table {self._key.table} at the broker is none of a journal"
            raise HubRefused(detail, field="message", value=None) from wrong

    async def publish(self, batch: Sequence[Envelope]) -> str | None:
        stream = (await self._connect()).jetstream(timeout=PATIENCE_S)
        for envelope in batch:
            headers = headers_of(envelope) | {
                "Nats-Msg-Id": envelope.id,
                "Nats-Expected-Last-Subject-Sequence": str(self._newest),
            }
            with translate_errors():
                done = await stream.publish(self._subject("journal"), envelope.data.encode(), headers=headers)
            self._newest = done.seq
        return None  # hubs take it later

    async def send_glance(self, glance: dict[str, Any]) -> None:
        client = await self._connect()
        with translate_errors():
            await client.publish(self._subject("glance"), json.dumps(glance).encode())

    async def read_orders(self, after: int) -> list[Order]:
        client = await self._connect()
        with translate_errors():
            answer = await client.request(self._subject("orders"), str(after).encode(), timeout=PATIENCE_S)
        return [Order.model_validate(order) for order in json.loads(answer.data)]

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()

    def _subject(self, what: str) -> str:
        return subject_of(self._key.event, self._key.table, what)

    async def _connect(self) -> Client:
        async with self._connecting:
            if self._client is None or self._client.is_closed:
                inbox = inbox_of(self._key.event, self._key.table)
                self._client = await connect_nats(self._url, self._key.nkey_seed, inbox=inbox)
            return self._client
