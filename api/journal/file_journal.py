"""Event log on disk: a file of JSON lines, only ever appended to, whole lines only."""

import logging
import os
import threading
import time
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from filelock import FileLock, Timeout

from api.errors import JournalFailed
from api.journal.chain import FORM, Head, chain_line, read_head
from api.journal.entry import Entry, Line, parse_line
from api.journal.secret_store import SecretStore
from api.storage.files import folder_fault
from models.errors import BadFile

log = logging.getLogger(__name__)

NAME = "journal.jsonl"
_PROBE_BYTES = 4096
_MOST_DAMAGE = 20  # more need not be told one by one


@dataclass(frozen=True)
class _Place:
    """Where a line stands in the file, without its end of line."""

    n: int
    type: type[Entry]
    start: int
    size: int


class FileJournal:
    """Journal of a folder. Remembers only where each line stands, so an evening of play takes no memory.

    What a crash left of a last line is cut off; a line in the middle that is none, of an unknown type, or with a number
    that neither its place nor the next line bears out, is passed over, stays, and stands in `damage`. Lines are chained
    by their hashes (`chain`); a journal without is chained from its next line on. Raises: BadFile when the folder
    cannot be used, another server uses it, or a later version has written in it.
    """

    def __init__(
        self, folder: Path, entry_classes: Iterable[type[Entry]], *, clock: Callable[[], float] = time.time
    ) -> None:
        """Lines hold entries of these classes."""
        self._classes: dict[str, type[Entry]] = {cls.model_fields["type"].default: cls for cls in entry_classes}
        self._clock = clock
        self._writing = threading.Lock()
        self._places: list[_Place] = []
        self._newest = 0
        self._lines_since = 0  # lines that stand in the file since the newest that counts
        self._path = folder / NAME
        self._trouble: str | None = None
        self.damage: list[str] = []
        self._head: Head | None = None
        self._before = sha256().hexdigest()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._holding = FileLock(folder / f".{NAME}.lock", timeout=0)
            self._holding.acquire()
            self.secrets = SecretStore(folder)
            self._end = self._survey(folder / NAME)
            self._file = (folder / NAME).open("r+b", buffering=0)
            self._hold_file()
            self._file.truncate(self._end)
        except (Timeout, BlockingIOError) as wrong:
            detail = f"{folder}: another server keeps this table; stop it, or give this one a folder of its own: --data"
            raise BadFile(detail, field="data", value=str(folder)) from wrong
        except OSError as wrong:
            raise folder_fault(folder, wrong) from wrong

    def write(self, entry: Entry) -> Line:
        """Raises: JournalFailed, and then nothing of the entry stands in the file."""
        with self._writing:
            line = Line(n=self._newest + 1, at_s=self._clock(), entry=entry)
            try:
                self._check_file()
                text, digest = chain_line(line.n, line.at_s, entry.model_dump(mode="json"), before=self._before)
                self._append(text + b"\n", must_last=entry.MUST_LAST)
            except (OSError, ValueError) as wrong:  # ValueError: it is closed
                self._trouble = f"The journal cannot be written: {wrong}."
                raise JournalFailed(self._trouble) from wrong
            self._trouble = None
            self._places.append(_Place(line.n, type(entry), self._end, len(text)))
            self._end += len(text) + 1
            self._newest = line.n
            self._head, self._before = Head(line.n, digest), digest
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

    def head(self) -> Head | None:
        return self._head

    def head_at(self, n: int) -> Head | None:
        index = bisect_right(self._places, n, key=lambda place: place.n) - 1
        if index < 0 or self._places[index].n != n:
            return None
        line = read_head(self._read_text(self._places[index]))
        return None if line is None or line.hash is None else Head(line.n, line.hash)

    def _hold_file(self) -> None:
        """Hold the file itself: the file of a lock beside it can be removed. Raises: BlockingIOError when it is held.

        On Windows a file that is open cannot be removed, so there the lock beside it is enough.
        """
        try:
            import fcntl
        except ImportError:
            return
        try:
            fcntl.flock(self._file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.close()
            raise

    def check(self) -> str | None:
        with self._writing:
            try:
                self._check_file()
                if self._trouble is not None:
                    self._try_space()
            except (OSError, ValueError) as wrong:
                self._trouble = f"The journal cannot be written: {wrong}."
            else:
                self._trouble = None
            return self._trouble

    def _check_file(self) -> None:
        """Raises: OSError when the file was deleted or replaced: what is written into it would be kept nowhere."""
        held, named = os.fstat(self._file.fileno()), os.stat(self._path)
        if not os.path.samestat(held, named):
            raise FileNotFoundError("its file was replaced by another while it was in use")

    def _try_space(self) -> None:
        """Whether there is room again, tried with blanks that are cut off at once; so would the next start."""
        try:
            os.lseek(self._file.fileno(), self._end, os.SEEK_SET)
            if os.write(self._file.fileno(), b" " * _PROBE_BYTES) < _PROBE_BYTES:
                raise OSError("the disk is full")
        finally:
            self._file.truncate(self._end)

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
        text = self._read_text(place)
        try:
            return parse_line(text, place.type)
        except ValueError as wrong:
            log.warning("journal line passed over n=%d why=%s", place.n, wrong)
            self._note_damage(f"Line {place.n} ({_name_of(place.type)}) of the journal cannot be read")
            return None

    def _read_text(self, place: _Place) -> bytes:
        with self._writing:
            self._file.seek(place.start)
            return self._file.read(place.size)

    def _survey(self, path: Path) -> int:
        """Where the last whole line ends; every line that is one is known afterwards. Raises: BadFile."""
        end, unchained = 0, sha256()
        path.touch(0o600)  # for its owner's eyes only: those of older versions hold the codes of the seats
        heads: deque[_Head] = deque()
        with path.open("rb") as whole:
            for text in whole:
                if not text.endswith(b"\n"):
                    log.warning("journal: a crash cut its last line off; all before it is kept bytes=%d", len(text))
                    break
                heads.append(self._read_head(text, start=end))
                end += len(text)
                if self._head is None:
                    unchained.update(text)
                if len(heads) > 1:
                    self._note(heads.popleft(), following=heads[0])
        if heads:
            self._note(heads.popleft(), following=None)
        self._before = unchained.hexdigest() if self._head is None else self._head.hash
        return end

    def _read_head(self, text: bytes, *, start: int) -> "_Head":
        """Raises: BadFile for the line of a later version."""
        head = read_head(text[:-1])
        if head is not None and head.form > FORM:
            says = f"line {head.n} of {NAME} was written by a later version of the program"
            raise BadFile(says, field="data", value=head.form, line=head.n)
        if head is not None and head.hash is not None:
            self._head = Head(head.n, head.hash)
        n, type_ = (head.n, self._classes.get(head.type)) if head else (0, None)
        return _Head(n, type_, start, len(text) - 1, text[:60])

    def _note(self, head: "_Head", *, following: "_Head | None") -> None:
        """Remember where the line stands, unless it is none, or its number is damaged.

        A number is believed that its place in the file bears out, or the line that follows.
        """
        self._lines_since += 1
        in_its_place = 1 <= head.n - self._newest <= self._lines_since  # less by lines that never were any
        goes_on = following is not None and following.n == head.n + 1
        is_counted = head.n > self._newest and (in_its_place or goes_on)
        if is_counted and head.type is not None:
            self._places.append(_Place(head.n, head.type, head.start, head.size))
        else:
            log.warning("journal line passed over start=%d text=%r", head.start, head.text)
            self._note_damage(f"A line of the journal after line {self._newest} cannot be read")
        if is_counted:
            self._newest, self._lines_since = head.n, 0

    def _note_damage(self, says: str) -> None:
        if says not in self.damage and len(self.damage) < _MOST_DAMAGE:
            self.damage.append(says)


@dataclass(frozen=True)
class _Head:
    """How a line begins: the number it says it has, what it holds, and where it stands."""

    n: int
    type: type[Entry] | None
    start: int
    size: int
    text: bytes


def _name_of(cls: type[Entry]) -> str:
    return str(cls.model_fields["type"].default)
