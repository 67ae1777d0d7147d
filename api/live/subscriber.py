"""Subscriber: a phone's bounded queue of messages; one too slow for it starts over from a snapshot."""

import asyncio
from collections import deque
from collections.abc import Callable

MOST_WAITING = 64  # a minute of heartbeats; a phone that lags more is better served by one snapshot


class Subscriber:
    """Hands out messages in order. Never blocks the one who puts them in."""

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
        """Whether `next` would answer at once."""
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
