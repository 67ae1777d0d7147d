"""Rest moments: the journal's tables at rest, as they were measured, when that was, and whether a picture is kept."""

from collections.abc import Callable

from api.journal.entry import Line, TableSettled
from api.journal.interface import Journal
from api.live.table_schemas import Rest
from models.state import TableState


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
        return self._rest_of(self._newest)

    def at(self, n: int) -> Rest | None:
        return self._rest_of(self._journal.newest(TableSettled, until=n))

    def _rest_of(self, line: Line | None) -> Rest | None:
        return None if line is None else Rest(n=line.n, at_s=line.at_s, is_pictured=self.has_picture(line.n))


def measured_table(journal: Journal, *, until: int | None = None) -> TableState | None:
    """The table as it was measured last, without anybody's corrections; `until`: on a line of at most this number."""
    line = journal.newest(TableSettled, until=until)
    return line.entry.state if line is not None and isinstance(line.entry, TableSettled) else None
