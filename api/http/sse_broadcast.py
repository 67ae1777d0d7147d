"""Server-sent events: a value sent whole each time it changes, so who was away has missed nothing.

Lives on the server's event loop, as the hub does.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable

from fastapi.sse import EventSourceResponse, format_sse_event
from pydantic import BaseModel

from api.live.broadcast import Subscriber

BEAT_S = 4.0
EVENTS = "text/event-stream"
RETRY_MS = 1000
SHARED_S = 0.1  # for so long all are sent the same text: a thousand spectators' beats cost a few texts
_UNKEPT = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


class SseBroadcast:
    """Sends what `whole` gives to every subscriber, and again each time it changes."""

    def __init__(self, whole: Callable[[], BaseModel]) -> None:
        self._whole = whole
        self._subscribers: set[Subscriber] = set()
        self._is_closed = False
        self._written: tuple[float, str] | None = None

    def publish(self) -> None:
        """It has changed."""
        self._written = None
        for subscriber in self._subscribers:
            subscriber.start_over()

    def close(self) -> None:
        """The server ends: so do the streams, which else it would wait for."""
        self._is_closed = True
        self.publish()

    async def events(self) -> AsyncIterator[bytes]:
        """The whole as server-sent events: at once, at each change, and every few seconds, for the clock in it."""
        subscriber = Subscriber(self._write)
        self._subscribers.add(subscriber)
        try:
            yield format_sse_event(retry=RETRY_MS)
            while not self._is_closed:
                yield format_sse_event(data_str=await self._await_next(subscriber))
        finally:
            self._subscribers.discard(subscriber)

    async def _await_next(self, subscriber: Subscriber) -> str:
        try:
            return await asyncio.wait_for(subscriber.next(), BEAT_S)
        except TimeoutError:
            return self._write()

    def _write(self) -> str:
        now_s = time.monotonic()
        if self._written is None or now_s > self._written[0] + SHARED_S:
            self._written = now_s, self._whole().model_dump_json()
        return self._written[1]


def stream_events(events: AsyncIterator[bytes]) -> EventSourceResponse:
    """The events as a response that nobody on the way keeps or holds back."""
    return EventSourceResponse(events, headers=_UNKEPT)
