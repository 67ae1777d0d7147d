"""A journal in a file of JSON lines: only ever appended to, whole lines only."""

import logging
import os
import re
import threading
import time
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from api.errors import JournalFailed
from api.journal.entries import TYPES, line_of
from api.journal.entry import Entry, Line
from models.errors import BadFile

log = logging.getLogger(__name__)

NAME = "journal.jsonl"

# How each of our lines begins. A whole line is read only when somebody wants it: an evening must be opened at once.
_HEAD = re.compile(rb'\{"n":(\d{1,15}),"at_s":[-+.0-9e]+,"entry":\{"type":"([a-z-]+)"')


@dataclass(frozen=True)
class _Place:
    """Where a line stands in the file, without its end of line."""

    n: int
    type: type[Entry]
    start: int
    size: int


class FileJournal:
    """The journal of a folder. Remembers only where each line stands, so an evening of play takes no memory.

    What a crash left of a last line is cut off; a line in the middle that is none, or of an unknown type, is passed
    over and stays. Raises: BadFile when the folder cannot be used, or another server uses it.
    """

    def __init__(self, folder: Path, *, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._writing = threading.Lock()
        self._places: list[_Place] = []
        self._newest = 0
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._holding = FileLock(folder / f".{NAME}.lock", timeout=0)
            self._holding.acquire()
            self._end = self._survey(folder / NAME)
            self._file = (folder / NAME).open("r+b", buffering=0)
            self._file.truncate(self._end)
        except Timeout as wrong:
            raise BadFile(f"{folder}: another server keeps this table", field="data", value=str(folder)) from wrong
        except OSError as wrong:
            raise BadFile(f"{folder}: {wrong.strerror}", field="data", value=str(folder)) from wrong

    def write(self, entry: Entry) -> Line:
        """Raises: JournalFailed, and then nothing of the entry stands in the file."""
        with self._writing:
            line = Line(n=self._newest + 1, at_s=self._clock(), entry=entry)
            text = line.model_dump_json().encode()
            try:
                self._append(text + b"\n", must_last=entry.MUST_LAST)
            except (OSError, ValueError) as wrong:  # ValueError: it is closed
                raise JournalFailed(f"The journal cannot be written: {wrong}.") from wrong
            self._places.append(_Place(line.n, type(entry), self._end, len(text)))
            self._end += len(text) + 1
            self._newest = line.n
        return line

    def lines(self, *types: type[Entry], after: int = 0) -> Iterator[Line]:
        known = len(self._places)  # what is written while somebody reads is not waited for
        for place in self._places[bisect_right(self._places, after, key=lambda place: place.n) : known]:
            if (not types or issubclass(place.type, types)) and (line := self._read(place)) is not None:
                yield line

    def newest(self, *types: type[Entry], until: int | None = None) -> Line | None:
        for place in reversed(self._places.copy()):
            fits = issubclass(place.type, types) and (until is None or place.n <= until)
            if fits and (line := self._read(place)) is not None:
                return line
        return None

    def close(self) -> None:
        self._file.close()
        self._holding.release()

    def _append(self, text: bytes, *, must_last: bool) -> None:
        handle = self._file.fileno()
        try:
            os.lseek(handle, self._end, os.SEEK_SET)
            while text:
                text = text[os.write(handle, text) :]
            if must_last:
                os.fsync(handle)
        except OSError:
            self._file.truncate(self._end)  # the disk is full: no half line may stay
            raise

    def _read(self, place: _Place) -> Line | None:
        with self._writing:
            self._file.seek(place.start)
            text = self._file.read(place.size)
        try:
            return line_of(text)
        except ValueError as wrong:
            log.warning("journal line passed over n=%d why=%s", place.n, wrong)
            return None

    def _survey(self, path: Path) -> int:
        """Where the last whole line ends; every line that is one is known afterwards."""
        end = 0
        path.touch(0o600)  # for its owner's eyes only: it holds the codes of the seats
        with path.open("rb") as whole:
            for text in whole:
                if not text.endswith(b"\n"):
                    log.warning("journal: a crash cut its last line off; all before it is kept bytes=%d", len(text))
                    break
                self._note(text, start=end)
                end += len(text)
        return end

    def _note(self, text: bytes, *, start: int) -> None:
        """Remember where the line stands, unless it is none or does not go on counting."""
        head = _HEAD.match(text)
        n, type_ = (int(head[1]), TYPES.get(head[2].decode())) if head else (0, None)
        if type_ is not None and n > self._newest:
            self._places.append(_Place(n, type_, start, len(text) - 1))
        else:
            log.warning("journal line passed over start=%d text=%r", start, text[:60])
        self._newest = max(self._newest, n)
