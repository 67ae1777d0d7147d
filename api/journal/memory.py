"""A journal that ends with the process: for tests, and for tables that nobody asked to keep."""

import itertools
import time
import zlib
from collections import deque
from collections.abc import Callable, Iterator

from api.journal.entries import line_of
from api.journal.entry import Entry, Line

MOST_FADING = 2000  # an evening; what is seen anew all the time must not fill the memory


class MemoryJournal:
    """Keeps every entry that must last, and the newest of the others, packed: a table is a thousand small objects."""

    def __init__(self, *, clock: Callable[[], float] = time.time, most_fading: int = MOST_FADING) -> None:
        self._clock = clock
        self._lasting: list[Line] = []
        self._fading: deque[tuple[int, type[Entry], bytes]] = deque(maxlen=most_fading)
        self._numbers = itertools.count(1)

    def write(self, entry: Entry) -> Line:
        line = Line(n=next(self._numbers), at_s=self._clock(), entry=entry)
        if entry.MUST_LAST:
            self._lasting.append(line)
        else:
            self._fading.append((line.n, type(entry), zlib.compress(line.model_dump_json().encode(), 1)))
        return line

    def lines(self, *types: type[Entry], after: int = 0) -> Iterator[Line]:
        return (_whole(kept) for kept in self._kept(types or (Entry,)) if kept[0] > after)

    def newest(self, *types: type[Entry], until: int | None = None) -> Line | None:
        found = [kept for kept in self._kept(types or (Entry,)) if until is None or kept[0] <= until]
        return _whole(found[-1]) if found else None

    def close(self) -> None:
        """There is nothing to let go of."""

    def _kept(self, types: tuple[type[Entry], ...]) -> list["_Kept"]:
        """Number and line, packed or not, in their order."""
        lasting: list[_Kept] = [(line.n, line) for line in self._lasting if isinstance(line.entry, types)]
        fading: list[_Kept] = [(n, packed) for n, type_, packed in self._fading.copy() if issubclass(type_, types)]
        return sorted(lasting + fading, key=lambda kept: kept[0])


_Kept = tuple[int, Line | bytes]


def _whole(kept: _Kept) -> Line:
    return line_of(zlib.decompress(kept[1])) if isinstance(kept[1], bytes) else kept[1]
