"""Card number: what a list writes of a length in inches, from `6"` and `3-15` to `Spray 8` and `D6`, or nothing."""

import re
from typing import Literal

from models.frozen import Frozen

_INCHES = r"(\d+(?:[.,]\d+)?)\s*(?:\"|”|″|''|in\b|inch(?:es)?\b)?"
_LENGTH = re.compile(rf"^{_INCHES}$")
_SPAN = re.compile(rf"^{_INCHES}\s*[-–]\s*{_INCHES}$")
_SPRAY = re.compile(rf"^(?:spray|sp)\s*{_INCHES}$")
_MOST_IN = 240.0
NOTHING = frozenset({"", "-", "–", "—", "n/a", "na", "none", "*", "x"})


class CardLength(Frozen):
    """A length on a card: a number of inches, least and most, a spray's length, melee, nothing, or not understood."""

    kind: Literal["length", "span", "spray", "melee", "none", "unread"]
    inches: float = 0.0
    least_in: float = 0.0


def read_length(text: str) -> CardLength:
    """The length that is written so."""
    written = " ".join(text.strip().lower().split())
    if written in NOTHING:
        return CardLength(kind="none")
    if written == "melee":
        return CardLength(kind="melee")
    if (match := _LENGTH.match(written)) is not None:
        return _bounded("length", match[1])
    if (match := _SPRAY.match(written)) is not None:
        return _bounded("spray", match[1])
    if (match := _SPAN.match(written)) is not None and _value(match[1]) < _value(match[2]):
        return _bounded("span", match[2], least_in=_value(match[1]))
    return CardLength(kind="unread")


def _bounded(kind: Literal["length", "span", "spray"], text: str, *, least_in: float = 0.0) -> CardLength:
    inches = _value(text)
    return CardLength(kind=kind, inches=inches, least_in=least_in) if inches <= _MOST_IN else CardLength(kind="unread")


def read_stat(text: str) -> float | None:
    """A plain number of a card, as `5`, `3+` or `+4`; None where it is none."""
    match = re.match(r"^[+]?(\d{1,3})\+?$", text.strip())
    return None if match is None else float(match[1])


def _value(text: str) -> float:
    return float(text.replace(",", "."))
