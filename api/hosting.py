"""How a table is kept, and who may play at it."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from api.journal.file import FileJournal
from api.journal.journal import Journal
from api.journal.memory import MemoryJournal
from api.seats.seats import Seats
from api.setups.shelf import Shelf


@dataclass(frozen=True)
class Hosting:
    """`data`: the folder that keeps the table, None to forget it; `is_open`: who has no code plays all the same."""

    data: Path | None = None
    is_open: bool = False

    @contextmanager
    def journal(self) -> Iterator[Journal]:
        """The table's journal while it is served. Raises: BadFile when the folder cannot be used."""
        with closing(MemoryJournal() if self.data is None else FileJournal(self.data)) as journal:
            yield journal

    def shelf(self) -> Shelf:
        """Where setups are kept."""
        return Shelf(None if self.data is None else self.data / "setups")

    def seats(self, journal: Journal) -> Seats:
        """The table's seats."""
        return Seats(journal, unjoined="player-a" if self.is_open else "viewer")
