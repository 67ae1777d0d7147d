"""Journal interface: an event log that a file, the memory or a database may keep."""

import os
import tempfile
import threading
import time
import weakref
import zlib
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from api.errors import JournalFailed
from api.journal.chain import Head
from api.journal.entry import Entry, Line, parse_line
from api.journal.secret_store import SecretStore


class Journal(Protocol):
    """Lines in the order in which they were written. One thread writes, any may read.

    `damage` says which lines were passed over since they cannot be read.
    """

    damage: list[str]
    secrets: SecretStore
    """What is kept beside the lines, and handed on with none of them."""

    def write(self, entry: Entry) -> Line:
        """The line on which it now stands, on the disk where the entry must last. Raises: JournalFailed."""
        ...

    def lines(self, *types: type[Entry], after: int = 0) -> Iterator[Line]:
        """Every line with a higher number; of these types of entry only, when some are named."""
        ...

    def newest(self, *types: type[Entry], until: int | None = None) -> Line | None:
        """The newest line of these types, none with a higher number than `until`; None when there is none."""
        ...

    def check(self) -> str | None:
        """Why nothing can be written now; None when it can be."""

    def head(self) -> Head | None:
        """The newest line's number and hash; None where nothing is chained."""
        ...

    def head_at(self, n: int) -> Head | None:
        """The number and hash of this line; None where there is no such line, or it is not chained."""
        ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class _StoredLine:
    """A line, or where it lies packed on the disk."""

    n: int
    type: type[Entry]
    line: Line | None = None
    start: int = 0
    size: int = 0


class MemoryJournal:
    """Keeps lines packed in a file nobody else can open; in memory what must last and finds no room there.

    So an evening of play takes no memory, every moment of it may be asked about, and nothing stays when it ends.
    """

    def __init__(self, *, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._kept: list[_StoredLine] = []
        self._using = threading.Lock()
        self._file: int | None = None
        self._end = 0
        self.damage: list[str] = []
        self.secrets = SecretStore()

    def write(self, entry: Entry) -> Line:
        """Raises: JournalFailed where what need not last finds no room on the disk; then it is not kept at all."""
        with self._using:
            line = Line(n=len(self._kept) + 1, at_s=self._clock(), entry=entry)
            self._kept.append(self._store(line))
        return line

    def lines(self, *types: type[Entry], after: int = 0) -> Iterator[Line]:
        known = len(self._kept)  # what is written while somebody reads is not waited for
        for kept in self._kept[bisect_right(self._kept, after, key=lambda kept: kept.n) : known]:
            if issubclass(kept.type, types or (Entry,)):
                yield self._whole(kept)

    def newest(self, *types: type[Entry], until: int | None = None) -> Line | None:
        for kept in reversed(self._kept.copy()):
            if issubclass(kept.type, types or (Entry,)) and (until is None or kept.n <= until):
                return self._whole(kept)
        return None

    def check(self) -> str | None:
        return None

    def head(self) -> Head | None:
        """None: what nobody keeps needs no proof."""
        return None

    def head_at(self, n: int) -> Head | None:
        return None

    def close(self) -> None:
        """There is nothing to let go of: the file goes with the journal."""

    def _store(self, line: Line) -> _StoredLine:
        try:
            return self._put_away(line)
        except JournalFailed:
            if not line.entry.MUST_LAST:
                raise
            return _StoredLine(line.n, type(line.entry), line)

    def _put_away(self, line: Line) -> _StoredLine:
        packed = zlib.compress(line.model_dump_json().encode(), 1)
        try:
            if self._file is None:
                self._file = _nameless(self)
            os.lseek(self._file, self._end, os.SEEK_SET)
            if os.write(self._file, packed) < len(packed):
                raise JournalFailed("The journal cannot be written: the disk is full.")
        except OSError as wrong:
            raise JournalFailed(f"The journal cannot be written: {wrong}.") from wrong
        kept = _StoredLine(line.n, type(line.entry), None, self._end, len(packed))
        self._end += len(packed)
        return kept

    def _whole(self, kept: _StoredLine) -> Line:
        if kept.line is not None:
            return kept.line
        assert self._file is not None
        with self._using:
            os.lseek(self._file, kept.start, os.SEEK_SET)
            packed = os.read(self._file, kept.size)
        return parse_line(zlib.decompress(packed), kept.type)


def _nameless(owner: object) -> int:
    """A file on the disk that is gone with its owner, however that ends."""
    with tempfile.TemporaryFile() as file:
        handle = os.dup(file.fileno())
    weakref.finalize(owner, os.close, handle)
    return handle
