"""Cues: programs of a studio hear what goes on air and what comes off, without the table ever waiting for them."""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from random import Random
from typing import Literal, Protocol

from api.backoff import backoff_waits
from models.frozen import Frozen

log = logging.getLogger(__name__)

MOST_WAITING = 32  # of what nobody took in time the oldest is dropped: late cues cut to the wrong picture
MOST_TRIES = 5


class Cue(Frozen):
    """What has just happened on air, in words."""

    event: Literal["line-on-air", "ruling-on-air", "off-air"]
    at_s: float
    table: str
    id: int | None = None
    who: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


class NotDelivered(Exception):
    """The receiver cannot be reached, or could not take it; worth another try."""


class Receiver(Protocol):
    """Who is told."""

    name: str

    async def deliver(self, cue: Cue) -> None:
        """Raises: NotDelivered; ValueError when it takes no such cue, and never will."""
        ...


class Cues:
    """Delivers cues to each receiver in order, each by itself; what fails is tried again, later and later."""

    def __init__(
        self, receivers: Sequence[Receiver] = (), *, random: Random | None = None, first_s: float = 0.5
    ) -> None:
        self._random = random or Random()
        self._first_s = first_s
        self._waiting = [(one, asyncio.Queue[Cue](MOST_WAITING)) for one in receivers]

    def send(self, cue: Cue) -> None:
        """Let everybody know; returns at once. On the server's event loop."""
        for _, queue in self._waiting:
            if queue.full():
                queue.get_nowait()
            queue.put_nowait(cue)

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        """Deliver for as long as the server runs."""
        tasks = [asyncio.create_task(self._deliver_all(one, queue)) for one, queue in self._waiting]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _deliver_all(self, receiver: Receiver, queue: "asyncio.Queue[Cue]") -> None:
        while True:
            await self._deliver(receiver, await queue.get())

    async def _deliver(self, receiver: Receiver, cue: Cue) -> None:
        waits = backoff_waits(self._random, first_s=self._first_s)
        for k in range(MOST_TRIES):
            try:
                await receiver.deliver(cue)
                return
            except (NotDelivered, ValueError) as wrong:
                log.warning("cue not taken by=%s event=%s try=%d why=%s", receiver.name, cue.event, k + 1, wrong)
                if isinstance(wrong, ValueError):
                    return
            await asyncio.sleep(next(waits))
