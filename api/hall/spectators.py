"""Spectators: tables as they were a while ago, drawn once for all who watch, only where somebody does."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import suppress

from fastapi.sse import format_sse_event

from api.errors import HallStoreFailed
from api.hall.hall_board import HallBoard
from api.hall.spectated_table import SHOWN_KINDS, SpectatedGame, SpectatedTable
from api.http.sse_broadcast import BEAT_S, RETRY_MS
from api.live.broadcast import Broadcast

log = logging.getLogger(__name__)

LOOK_S = 0.5
_COMMENT = b": still here\n\n"


class _WatchedTable:
    """A table that somebody watches, and its game as far as it has been read."""

    def __init__(self, game: SpectatedGame, shown: SpectatedTable) -> None:
        self.game = game
        self.shown = shown
        self.broadcast = Broadcast(lambda: self.shown)
        self.watchers = 0


class Spectators:
    """Who watches which table. Lives on the hub's event loop; the database is asked in threads."""

    def __init__(self, board: HallBoard) -> None:
        self._board = board
        self._store = board.records.store
        self._watched: dict[int, _WatchedTable] = {}
        self._is_over = asyncio.Event()

    async def look(self, number: int) -> SpectatedTable:
        """The table as spectators see it now. Raises: HallStoreFailed."""
        watched = self._watched.get(number)
        return watched.shown if watched else (await asyncio.to_thread(self._open, number)).shown

    async def events(self, number: int) -> AsyncIterator[bytes]:
        """The table as server-sent events, whole each time it changes; a comment now and then keeps the line."""
        watched = self._watched.get(number)
        if watched is None:
            watched = self._watched.setdefault(number, await asyncio.to_thread(self._open, number))
        watched.watchers += 1
        subscriber = watched.broadcast.subscribe()
        try:
            yield format_sse_event(retry=RETRY_MS)
            while not watched.broadcast.is_closed:
                try:
                    yield format_sse_event(data_str=await asyncio.wait_for(subscriber.next(), BEAT_S))
                except TimeoutError:
                    yield _COMMENT
        finally:
            watched.broadcast.unsubscribe(subscriber)
            watched.watchers -= 1
            if watched.watchers == 0:
                self._watched.pop(number, None)

    async def run(self) -> None:
        """Redraw what has become old enough to be seen."""
        while not self._is_over.is_set():
            try:
                await self._show_due()
            except HallStoreFailed as wrong:
                log.warning("spectators not told why=%s", wrong.detail)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._is_over.wait(), LOOK_S)

    def stop(self) -> None:
        """Draw no more."""
        self._is_over.set()

    def close(self) -> None:
        """The hub ends: so do the streams."""
        for watched in self._watched.values():
            watched.broadcast.close()

    async def _show_due(self) -> None:
        if not self._watched:
            return
        due = await asyncio.to_thread(self._lines_due, frozenset(self._watched))
        for number, (journal, line) in due.items():
            watched = self._watched.get(number)
            if watched is not None and (journal, line) != (watched.game.journal, watched.shown.line):
                await asyncio.to_thread(self._read_on, watched, number, journal, line)
                watched.broadcast.publish(watched.shown)

    def _lines_due(self, numbers: frozenset[int]) -> dict[int, tuple[str, int]]:
        return self._store.lines_before(self._cut_s(), numbers, SHOWN_KINDS)

    def _open(self, number: int) -> _WatchedTable:
        journal, line = self._lines_due(frozenset({number})).get(number, ("", 0))
        game = SpectatedGame(self._store, number, journal)
        return _WatchedTable(game, self._show(game, number, line))

    def _read_on(self, watched: _WatchedTable, number: int, journal: str, line: int) -> None:
        if watched.game.journal != journal or line < watched.game.line:
            watched.game = SpectatedGame(self._store, number, journal)  # another was let in
        watched.shown = self._show(watched.game, number, line)

    def _show(self, game: SpectatedGame, number: int, line: int) -> SpectatedTable:
        shown_s = self._cut_s() + self._board.ahead_s_of(number)
        return game.show(line, shown_s=shown_s, delay_s=self._delay_s())

    def _delay_s(self) -> float:
        return self._board.affairs().settings.delay_s

    def _cut_s(self) -> float:
        return self._store.now_s() - self._delay_s()
