"""Hash chain: each line of a journal carries the SHA-256 of the line before and of itself.

A line is canonical JSON: members by their names' code points, no space, the shortest number that reads back the same,
UTF-8. Its `hash` is the SHA-256 of the line as it stands, without the member `"hash":"…",`; its `before` is the hash
of the line before, and on the first line of a chain the SHA-256 of every byte that stands before it in the file: of
none in a new journal, of the whole old journal where an older version began it.
"""

import json
import re
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

FORM = 2
"""What a line looks like; 1 is that of versions before 0.3, whose lines carry no hash."""

_UNCHAINED = re.compile(rb'\{"n":(\d{1,15}),"at_s":[-+.0-9e]+,"entry":\{"type":"([a-z-]+)"')
_BEFORE = re.compile(rb'\{"at_s":[-+.0-9eE]+,"before":"([0-9a-f]{64})","entry":')
_TAIL = re.compile(rb'"form":(\d{1,6}),("hash":"([0-9a-f]{64})",)"n":(\d{1,15}),"type":"([a-z-]+)"\}\Z')
_LONGEST_TAIL = 240


@dataclass(frozen=True)
class LineHead:
    """What can be said of a line without reading its entry; `hash` and `before` are None where it is unchained."""

    n: int
    type: str
    form: int = 1
    hash: str | None = None
    before: str | None = None


@dataclass(frozen=True)
class Head:
    """Where a chain ends: the newest line's number and hash. `str(head)` is what a slip shows."""

    n: int
    hash: str

    def __str__(self) -> str:
        return f"{self.n}:{self.hash}"


def canonical_json(value: Any) -> bytes:
    """The one text of a JSON value. Raises: ValueError for a number that JSON has no word for."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def chain_line(n: int, at_s: float, entry: dict[str, Any], *, before: str) -> tuple[bytes, str]:
    """The line without its end, and its hash. Raises: ValueError."""
    members = {"at_s": at_s, "before": before, "entry": entry, "form": FORM, "n": n, "type": entry["type"]}
    text = canonical_json(members)
    digest = sha256(text).hexdigest()
    return canonical_json(members | {"hash": digest}), digest


def read_head(text: bytes) -> LineHead | None:
    """The head of a line without its end; None when it is none of ours."""
    if text.startswith(b'{"n":'):
        old = _UNCHAINED.match(text)
        return LineHead(int(old[1]), old[2].decode()) if old else None
    begin, end = _BEFORE.match(text[:160]), _TAIL.search(text, max(0, len(text) - _LONGEST_TAIL))
    if begin is None or end is None:
        return None
    return LineHead(int(end[4]), end[5].decode(), int(end[1]), end[3].decode(), begin[1].decode())


def is_unchanged(text: bytes, head: LineHead) -> bool:
    """Whether the line is, byte for byte, what its hash was made of."""
    end = _TAIL.search(text, max(0, len(text) - _LONGEST_TAIL))
    return end is not None and sha256(text[: end.start(2)] + text[end.end(2) :]).hexdigest() == head.hash


@dataclass(frozen=True)
class ChainReport:
    """How far a journal is whole. `line` and `why` name the first break, and are None where there is none."""

    lines: int
    unchained_until: int
    head: Head | None
    heads: frozenset[str]
    line: int | None = None
    why: str | None = None


class ChainReader:
    """Goes through a journal line by line and stops at the first that is not what was written."""

    def __init__(self) -> None:
        self.lines = self.unchained_until = 0
        self.head: Head | None = None
        self._heads: set[str] = set()
        self._prefix = sha256()
        self._older: str | None = None

    def take(self, text: bytes) -> str | None:
        """Take in the next line with its end: why it breaks the chain; None where it does not."""
        wrong = self._find_break(text)
        if wrong is None:
            self.lines += 1
        return wrong

    def report(self, why: str | None = None) -> ChainReport:
        """The report so far; `why`: the next line breaks the chain."""
        line = None if why is None else self.lines + 1
        return ChainReport(self.lines, self.unchained_until, self.head, frozenset(self._heads), line, why)

    def _find_break(self, text: bytes) -> str | None:
        if not text.endswith(b"\n"):
            return f"its end is missing: {len(text)} bytes that are no whole line"
        head = read_head(text[:-1])
        if head is None:
            return "it is no line of a journal: it was changed, or the disk has spoilt it"
        if head.form > FORM:
            return f"it was written by a later version: form {head.form}, and this one reads {FORM}"
        return self._take_unchained(text, head) if head.hash is None else self._take_chained(text[:-1], head)

    def _take_unchained(self, text: bytes, head: LineHead) -> str | None:
        if self.head is not None:
            return "it carries no hash, and the line before does: it was put in afterwards"
        if head.n != self.lines + 1:
            return f"its number is {head.n}: a line was taken out, or put in"
        self._prefix.update(text)
        self.unchained_until = head.n
        return None

    def _take_chained(self, text: bytes, head: LineHead) -> str | None:
        expected = self._prefix.hexdigest() if self.head is None else self.head.hash
        if not is_unchanged(text, head):
            return "it was changed: its bytes are not those of which its hash was made"
        if head.n != self.lines + 1:
            return f"its number is {head.n}: a line was taken out, or put in"
        if head.before != expected:
            return "it does not follow the line before: something before it was changed, taken out or put in"
        assert head.hash is not None
        self.head = Head(head.n, head.hash)
        self._heads.add(str(self.head))
        return None


def read_chain(path: Path) -> ChainReport:
    """How far the journal in this file is whole and unchanged. Raises: OSError."""
    reader = ChainReader()
    with path.open("rb") as lines:
        for text in lines:
            if (why := reader.take(text)) is not None:
                return reader.report(why)
    return reader.report()
