"""Inbound line: what a table sent, parsed once and totally: a line to fold, or one to quarantine and why."""

import re
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from pydantic_core import from_json

from api.clocks.entries import CLOCK_ENTRIES
from api.hall.rounds import CallWithdrawn, JudgeCalled, ResultTold, RoundBegun
from api.journal.entry import Entry, Line, parse_line

MOST_CHARS = 2**20  # a broker takes no more either
MOST_FOLDED_CHARS = 20_000  # of a line that becomes part of the cell, which every page of the hall gets
MOST_KEPT_CHARS = 2**16  # of a quarantined line
MOST_AWAY_S = 100 * 365.25 * 86_400  # a machine without a battery wakes up in 1970, and its table is shown all the same
_MOST_NUMBER = 2**63
_KIND = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")
_QUARANTINED = "!"  # with the fault behind it, in place of a kind
_READ: tuple[type[Entry], ...] = (*CLOCK_ENTRIES, JudgeCalled, CallWithdrawn, ResultTold, RoundBegun)
_CLASSES: dict[str, type[Entry]] = {cls.model_fields["type"].default: cls for cls in _READ}
REASONS = {
    "json": "is no JSON, or nested too deep",
    "form": "has no number, time and entry",
    "other": "bears another number than its message",
    "number": "holds a number beyond bounds",
    "time": "has a time a hundred years from the hub's",
    "size": "is too long",
    "entry": "has an entry that this hub cannot read",
    "poison": "makes this hub fail",
}


@dataclass(frozen=True)
class InboundLine:
    """A line by the number of its message; `fault`, one of `REASONS`, where it is quarantined, and then nothing else.

    `parsed` is the line as the class of its entry, where the hub has one.
    """

    n: int
    text: str
    at_s: float = 0.0
    kind: str = ""
    entry: dict[str, Any] | None = None
    parsed: Line | None = None
    fault: str | None = None

    @property
    def stored_kind(self) -> str:
        """What the database keeps as the line's kind."""
        return self.kind if self.fault is None else _QUARANTINED + self.fault

    @property
    def stored_text(self) -> str:
        """The text as the database can hold it: byte for byte, but bounded where it is quarantined."""
        return self.text if self.fault is None else storable(self.text, most=MOST_KEPT_CHARS)


class _Faulty(ValueError):
    """Carries the fault."""


def read_line(text: str, *, n: int, now_s: float) -> InboundLine:
    """The line of that number, whatever the text is; raises nothing."""
    try:
        return _parse(text, n, now_s)
    except _Faulty as wrong:
        return InboundLine(n, text, fault=str(wrong))


def read_stored_line(text: str, *, n: int, kind: str, now_s: float) -> InboundLine:
    """The line as it was once taken: what was quarantined stays so."""
    if kind.startswith(_QUARANTINED):
        return InboundLine(n, text, fault=kind[len(_QUARANTINED) :])
    return read_line(text, n=n, now_s=now_s)


def storable(text: str, *, most: int) -> str:
    """The text without what no database and no page takes, NUL and halves of letters, and not longer than that."""
    return text[:most].replace("\0", "\ufffd").encode(errors="replace").decode()


def is_near(time_s: float, now_s: float) -> bool:
    """Whether a clock may well show that."""
    return abs(time_s - now_s) <= MOST_AWAY_S


def are_numbers_bounded(value: Any) -> bool:
    """Whether every number in this JSON value is finite and fits into 64 bits."""
    waiting = [value]
    while waiting:
        match waiting.pop():
            case dict() as inner:
                waiting.extend(inner.values())
            case list() | tuple() as inner:
                waiting.extend(inner)
            case int() | float() as number:
                if not abs(number) < _MOST_NUMBER:  # NaN compares false
                    return False
    return True


def _parse(text: str, n: int, now_s: float) -> InboundLine:
    if len(text) > MOST_CHARS:
        raise _Faulty("size")
    try:
        raw = from_json(text, allow_inf_nan=False)
    except ValueError as wrong:
        raise _Faulty("json") from wrong
    match raw:
        case {"n": int(number), "at_s": int() | float() as at_s, "entry": {"type": str(kind)} as entry}:
            pass
        case _:
            raise _Faulty("form")
    if _KIND.fullmatch(kind) is None:
        raise _Faulty("form")
    if number != n:
        raise _Faulty("other")
    if not are_numbers_bounded(raw):
        raise _Faulty("number")
    clock_s = entry.get("clock_s")
    times = (at_s, clock_s) if isinstance(clock_s, int | float) else (at_s,)
    if not all(is_near(time_s, now_s) for time_s in times):
        raise _Faulty("time")
    return InboundLine(n, text, at_s, kind, entry, _parse_entry(text, _CLASSES.get(kind)))


def _parse_entry(text: str, cls: type[Entry] | None) -> Line | None:
    if cls is None:
        return None
    if len(text) > MOST_FOLDED_CHARS:
        raise _Faulty("size")
    try:
        return parse_line(text.encode(), cls)
    except ValidationError as wrong:
        raise _Faulty("entry") from wrong
