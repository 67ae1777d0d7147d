"""NATS transport: a table hands its lines to a JetStream stream; any hub of the event takes them from there."""

import asyncio
import json
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from nats.aio.client import Client
from nats.errors import Error, NoRespondersError
from nats.js.errors import APIError, NoStreamResponseError, NotFoundError, ServiceUnavailableError

from api.hall.envelope import Envelope
from api.hall.errors import HubAway, HubDisagrees, HubRefused, NoJetStream
from api.hall.keys import TableKey
from api.hall.transport import Order, Tail, headers_of, inbox_of, stream_of, subject_of, tail_from
from api.journal.countersignature import HeadWitness

log = logging.getLogger(__name__)
PATIENCE_S = 5
RETRY_S = 0.5
WRONG_LAST_SEQUENCE = 10071


class NatsTransport:
    """The broker at this address, spoken to with the table's nkey.

    Each line names the sequence number of the one before it in the stream, so that neither a second machine nor a
    repeat can come between. It has no `Nats-Msg-Id`: the broker compares those of all tables, so that one table could
    make it drop another's lines.
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
            headers = headers_of(envelope) | {"Nats-Expected-Last-Subject-Sequence": str(self._newest)}
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

    async def read_witness(self) -> HeadWitness | None:
        client = await self._connect()
        with translate_errors():
            answer = await client.request(self._subject("witness"), b"", timeout=PATIENCE_S)
        return HeadWitness.model_validate_json(answer.data) if answer.data else None

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


async def connect_nats(url: str, seed: str | None, *, inbox: str = "_INBOX") -> Client:
    """A connection that is opened again by itself. Raises: HubAway, HubRefused."""
    if seed is None:
        detail = "this key has no seed for NATS: make keys where tableside[hub] is installed"
        raise HubRefused(detail, field="key", value=None)

    heard: list[str] = []

    async def note(wrong: Exception) -> None:
        heard.append(str(wrong).lower())
        log.info("nats why=%s", wrong)

    client = Client()
    options = {"nkeys_seed_str": seed, "inbox_prefix": inbox.encode(), "error_cb": note}
    opening = client.connect(url, **options, max_reconnect_attempts=-1, reconnect_time_wait=RETRY_S)  # type: ignore[arg-type]  # options of several types
    try:
        with translate_errors():
            await asyncio.wait_for(opening, PATIENCE_S)
    except HubAway:
        await client.close()
        if any("authorization" in text for text in heard):
            raise HubRefused("the broker does not know this key", field="key", value=None) from None
        raise
    return client


@contextmanager
def translate_errors() -> Iterator[None]:
    """Raises: HubAway, HubRefused, HubDisagrees, NoJetStream instead of the client's errors."""
    try:
        yield
        _end_if_cancelled()
    except (NoStreamResponseError, ServiceUnavailableError) as wrong:
        raise NoJetStream("the broker keeps no stream: is a hub of this event started, JetStream enabled?") from wrong
    except NotFoundError:
        raise
    except APIError as wrong:
        if wrong.err_code == WRONG_LAST_SEQUENCE:
            raise HubDisagrees("the stream holds another newest line of this table") from wrong
        raise HubAway(f"the broker does not take it: {wrong.description}") from wrong
    except NoRespondersError as wrong:
        raise HubAway("no hub answers") from wrong
    except (Error, OSError, TimeoutError) as wrong:
        _end_if_cancelled()
        raise HubAway(f"the broker cannot be reached: {wrong or 'it does not answer'}") from wrong


def _end_if_cancelled() -> None:
    """Raises: CancelledError where the client has lost it.

    It waits by `asyncio.wait_for`, which up to Python 3.11 forgets that it is cancelled when the answer comes in the
    same moment: the link would never end.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError
