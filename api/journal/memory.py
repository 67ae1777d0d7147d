"""A journal that ends with the process: for tests, and for tables that nobody asked to keep."""

import itertools
import time
from collections import deque
from collections.abc import Callable, Iterator

from api.journal.entry import Entry, Line

MOST_FADING = 2000  # an evening; what is seen anew all the time must not fill the memory


class MemoryJournal:
    """Keeps every entry that must last, and the newest of the others."""

    def __init__(self, *, clock: Callable[[], float] = time.time, most_fading: int = MOST_FADING) -> None:
        self._clock = clock
        self._lasting: list[Line] = []
        self._fading: deque[Line] = deque(maxlen=most_fading)
        self._numbers = itertools.count(1)

    def write(self, entry: Entry) -> Line:
        line = Line(n=next(self._numbers), at_s=self._clock(), entry=entry)
        (self._lasting if entry.MUST_LAST else self._fading).append(line)
        return line

    def lines(self, *types: type[Entry], after: int = 0) -> Iterator[Line]:
        kept = sorted((*self._lasting, *self._fading), key=lambda line: line.n)
        return (line for line in kept if line.n > after and (not types or isinstance(line.entry, types)))

    def newest(self, *types: type[Entry], until: int | None = None) -> Line | None:
        found = (line for line in self.lines(*types) if until is None or line.n <= until)
        return max(found, key=lambda line: line.n, default=None)

    def close(self) -> None:
        """There is nothing to let go of."""
