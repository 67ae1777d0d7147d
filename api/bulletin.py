"""Something that is told whole each time it changes, so that who was away a while has missed nothing.

Lives on the server's event loop, as the hub does.
"""

import asyncio
from collections.abc import AsyncIterator, Callable

from pydantic import BaseModel

from api.listener import Listener

BEAT_S = 4.0
EVENTS = "text/event-stream"
UNKEPT = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


class Bulletin:
    """Tells everyone who listens what `whole` then gives."""

    def __init__(self, whole: Callable[[], BaseModel]) -> None:
        self._whole = whole
        self._listeners: set[Listener] = set()
        self._is_closed = False

    def tell(self) -> None:
        """It has changed."""
        for listener in self._listeners:
            listener.start_over()

    def close(self) -> None:
        """The server ends: so do the streams, which else it would wait for."""
        self._is_closed = True
        self.tell()

    async def events(self) -> AsyncIterator[str]:
        """The whole as server-sent events: at once, at each change, and every few seconds, for the clock in it."""
        listener = Listener(self._whole)
        self._listeners.add(listener)
        try:
            yield "retry: 1000\n\n"
            while not self._is_closed:
                yield f"data: {await self._next(listener)}\n\n"
        finally:
            self._listeners.discard(listener)

    async def _next(self, listener: Listener) -> str:
        try:
            return await asyncio.wait_for(listener.next(), BEAT_S)
        except TimeoutError:
            return self._whole().model_dump_json()
