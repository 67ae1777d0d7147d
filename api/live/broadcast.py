"""Broadcast: every message numbered, written as JSON once, and put into the bounded queue of each subscriber.

Backpressure: a subscriber too slow for its queue loses what waits, and starts over from a snapshot.
"""

import asyncio
from collections import deque
from collections.abc import Callable

from pydantic import BaseModel

MOST_WAITING = 64  # a minute of heartbeats; a phone that lags more is better served by one snapshot


class Subscriber:
    """A phone's bounded queue of messages; putting one into it never blocks."""

    def __init__(self, snapshot: Callable[[], str]) -> None:
        self.wants_pictures = True
        self._snapshot = snapshot
        self._waiting: deque[str] = deque()
        self._is_behind = True
        self._ready = asyncio.Event()
        self._ready.set()

    def put(self, text: str) -> None:
        """Add a message; when too many wait, they give way to one snapshot."""
        if self._is_behind:
            return
        if len(self._waiting) >= MOST_WAITING:
            self.start_over()
            return
        self._waiting.append(text)
        self._ready.set()

    def start_over(self) -> None:
        """The next message is a snapshot of what is then known."""
        self._waiting.clear()
        self._is_behind = True
        self._ready.set()

    @property
    def has_news(self) -> bool:
        return self._ready.is_set()

    async def next(self) -> str:
        """The next message, when there is one."""
        await self._ready.wait()
        if self._is_behind:
            self._is_behind = False
            text = self._snapshot()
        else:
            text = self._waiting.popleft()
        if not self._waiting:
            self._ready.clear()
        return text


class Broadcast:
    """The subscribers of one table, and the number of the newest message; a phone that misses one asks for all."""

    def __init__(self, snapshot: Callable[[], BaseModel]) -> None:
        """`snapshot` is what a subscriber begins with, and starts over from."""
        self.seq = 0
        self.is_closed = False
        self._snapshot = snapshot
        self._written: tuple[BaseModel, str] | None = None
        self._subscribers: set[Subscriber] = set()

    def next_seq(self) -> int:
        """The number of the next message that changes what a phone shows."""
        self.seq += 1
        return self.seq

    def publish(self, message: BaseModel) -> None:
        text = message.model_dump_json()
        for subscriber in self._subscribers:
            subscriber.put(text)

    def start_over(self) -> None:
        """Every subscriber starts over from a snapshot, which has a number of its own."""
        self.next_seq()
        self._wake()

    def subscribe(self) -> Subscriber:
        """A new subscriber, with the snapshot already waiting for it."""
        subscriber = Subscriber(self._write_snapshot)
        self._subscribers.add(subscriber)
        return subscriber

    def unsubscribe(self, subscriber: Subscriber) -> None:
        self._subscribers.discard(subscriber)

    def close(self) -> None:
        """The server ends: so do the streams, which it would wait for."""
        self.is_closed = True
        self._wake()

    def are_pictures_wanted(self) -> bool:
        """Whether any subscriber is being looked at."""
        return any(subscriber.wants_pictures for subscriber in self._subscribers)

    def _write_snapshot(self) -> str:
        """The same snapshot is written as JSON once, however many begin with it."""
        snapshot = self._snapshot()
        if self._written is None or self._written[0] is not snapshot:
            self._written = snapshot, snapshot.model_dump_json()
        return self._written[1]

    def _wake(self) -> None:
        for subscriber in self._subscribers:
            subscriber.start_over()
