"""Book trial: a table of a book's own file, served while the book is written; it follows the file as it is saved."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from api.books.book_file import ReadBook, read_book
from api.books.check import TestResult, run_tests
from api.books.kept_books import keep_book
from api.live.hub import Hub
from api.server.bind import ListenOptions
from api.server.hosting import Hosting, serve_hub
from models.errors import TablesideError
from models.state import TableState

LOOK_S = 0.5
_FAULT = "book"
TableOf = Callable[[ReadBook], TableState]


def serve_trial(path: Path, table_of: TableOf, listen: ListenOptions) -> None:
    """Serve the table that `table_of` finds in the book's file. Raises: BadFile, BadBook."""
    hosting, trial = Hosting(is_open=True, book=read_book(path)), BookTrial(path, table_of)
    with hosting.journal() as journal:
        hub = hosting.open_hub(journal, title=path.name)
        trial.show(hub, trial.read())
        serve_hub(hub, hosting, listen, camera=trial.follow)


class Trial(NamedTuple):
    """A book with the table that it is tried on, and how its tests fare."""

    read: ReadBook
    state: TableState
    results: tuple[TestResult, ...]

    def says(self) -> str:
        wrong = [result for result in self.results if result.wrong]
        first = f"; wrong: {wrong[0].test.name}: {'; '.join(wrong[0].wrong)}" if wrong else ""
        right = len(self.results) - len(wrong)
        return f"{self.read.in_play.stamp.title()}: {right} of {len(self.results)} tests are right{first}"


class BookTrial:
    """A book's file as it is now, laid before a hub."""

    def __init__(self, path: Path, table_of: TableOf) -> None:
        self._path = path
        self._table_of = table_of
        self._seen = self._stamp()

    @asynccontextmanager
    async def follow(self, hub: Hub) -> AsyncIterator[None]:
        """While this holds, what is saved is shown."""
        task = asyncio.create_task(self._follow(hub))
        try:
            yield
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def _follow(self, hub: Hub) -> None:
        while True:
            if (now := self._stamp()) != self._seen:
                self._seen = now
                self.show(hub, await asyncio.to_thread(self.read))
            await asyncio.sleep(LOOK_S)

    def _stamp(self) -> tuple[int, int] | None:
        """What changes when the file is saved; None where there is none just now."""
        try:
            facts = self._path.stat()
        except OSError:
            return None
        return facts.st_mtime_ns, facts.st_size

    def read(self) -> Trial | TablesideError:
        """The book as it is now, or what is wrong with it, with its place."""
        try:
            book = read_book(self._path)
            return Trial(book, self._table_of(book), tuple(run_tests(book)))
        except TablesideError as wrong:
            return wrong

    def show(self, hub: Hub, trial: Trial | TablesideError) -> None:
        """Judge by the book and say how its tests fare; of one with a fault say the fault, and leave the last table."""
        if isinstance(trial, TablesideError):
            hub.alarms.sound(_FAULT, f"{trial.title}: {trial.detail}")
            return
        hub.alarms.end(_FAULT)
        hub.book, hub.book_file = trial.read.in_play, trial.read.whole
        keep_book(trial.read, hub.journal, None)
        hub.show(trial.state)
        hub.notify(trial.says())
