"""Rest moments: when the table came to the rest in which it was measured, and whether a picture of it is kept."""

from collections.abc import Callable

from api.journal.camera_entries import TableSettled
from api.journal.entry import Line
from api.journal.interface import Journal
from api.live.table_schemas import Rest


class RestMoments:
    """The journal's tables at rest; `has_picture` tells whether the picture of one of its lines is kept."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._newest = journal.newest(TableSettled)
        self.has_picture: Callable[[int], bool] = lambda _: False

    def note(self, line: Line | None) -> None:
        """The table was measured now; None: and that could not be kept."""
        self._newest = line

    def now(self) -> Rest | None:
        """The rest of the table as it is now."""
        return self._rest_of(self._newest)

    def at(self, n: int) -> Rest | None:
        """The rest of the table as it was at that moment."""
        return self._rest_of(self._journal.newest(TableSettled, until=n))

    def _rest_of(self, line: Line | None) -> Rest | None:
        return None if line is None else Rest(n=line.n, at_s=line.at_s, is_pictured=self.has_picture(line.n))
