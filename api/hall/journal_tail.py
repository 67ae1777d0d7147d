"""Journal tail: the lines of a journal's file from a number on, read beside the server that writes them."""

import json
import os
import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from api.journal.file_journal import NAME
from api.storage.files import write_whole

ID_NAME = "journal.id"
MOST_LINE = 2**31 - 1  # what a hub counts up to


@dataclass(frozen=True)
class RawLine:
    """A line of the file without its end; `after` is the number of the one before it, 0 for the first."""

    n: int
    after: int
    at_s: float
    text: str


class JournalTail:
    """Reads a journal's file onward. What is no line of a journal is passed over, as the journal itself does."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME
        self._offset = 0
        self._last = 0

    def rewind(self) -> None:
        """Begin at the first line again."""
        self._offset, self._last = 0, 0

    def read(self, *, most: int) -> list[RawLine]:
        """The next whole lines, on the disk for good before anybody hears of them; none: nothing new was written."""
        lines: list[RawLine] = []
        with self._path.open("r+b") as file:
            file.seek(self._offset)
            for line in self._whole_lines(file):
                lines.append(line)
                if len(lines) == most:
                    break
            if lines:
                os.fsync(file.fileno())
        return lines

    def find(self, n: int) -> RawLine | None:
        """The line of this number, and reading goes on behind it; None when the file has none."""
        self.rewind()
        with self._path.open("rb") as file:
            return next((line for line in self._whole_lines(file) if line.n == n), None)

    def _whole_lines(self, file: "Iterator[bytes]") -> Iterator[RawLine]:
        for text in file:
            if not text.endswith(b"\n"):
                return
            self._offset += len(text)
            line = _read_line(text, after=self._last)
            if line is not None and line.n > self._last:
                self._last = line.n
                yield line


def _read_line(text: bytes, *, after: int) -> RawLine | None:
    """The line, of whatever form: only its number and its time matter here. None when it is none."""
    try:
        entry = json.loads(text)
        n = int(entry["n"])
        return RawLine(n, after, float(entry["at_s"]), text[:-1].decode()) if n <= MOST_LINE else None
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None


class JournalIdentity:
    """Who a journal is, in a file beside it. `is_refused`: the hub holds another one under this table's number."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / ID_NAME
        self.id, self.is_refused = _read_identity(self._path) or (uuid.uuid4().hex, False)
        self._keep()

    def refuse(self) -> None:
        """The hub did not take it."""
        self.is_refused = True
        self._keep()

    def accept(self) -> None:
        """The hub takes it after all."""
        self.is_refused = False
        self._keep()

    def renew(self) -> None:
        """From now on it is another journal."""
        self.id, self.is_refused = uuid.uuid4().hex, False
        self._keep()

    def _keep(self) -> None:
        write_whole(self._path, json.dumps({"id": self.id, "is_refused": self.is_refused}))


def _read_identity(path: Path) -> tuple[str, bool] | None:
    try:
        kept = json.loads(path.read_text("utf-8"))
        return (kept["id"], bool(kept["is_refused"])) if re.fullmatch("[0-9a-f]{32}", kept["id"]) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None
