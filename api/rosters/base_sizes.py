"""Base sizes, card numbers and game names as other programs write them."""

import re
from typing import Literal

from models.base import EDITION_BASES, Base, OvalBase, RectBase, RoundBase
from models.frozen import Frozen
from models.vocabulary import EditionId

_NUMBER = r"(\d+(?:[.,]\d+)?)"
_PAIR = re.compile(rf"{_NUMBER}\s*(?:mm)?\s*[x×*]\s*{_NUMBER}")
_LONE = re.compile(_NUMBER)
_RANGE = re.compile(rf"{_NUMBER}\s*(?:mm)?\s*(?:-|–|/|or|to)\s*{_NUMBER}")
_SMALLEST_MM, _LARGEST_MM = 15.0, 500.0
_INCHES = r"(\d+(?:[.,]\d+)?)\s*(?:\"|”|″|''|in\b|inch(?:es)?\b)?"
_LENGTH = re.compile(rf"^{_INCHES}$")
_SPAN = re.compile(rf"^{_INCHES}\s*[-–]\s*{_INCHES}$")
_SPRAY = re.compile(rf"^(?:spray|sp)\s*{_INCHES}$")
_MOST_IN = 240.0
NOTHING = frozenset({"", "-", "–", "—", "n/a", "na", "none", "*", "x"})
_OURS: tuple[tuple[str, EditionId], ...] = (
    ("warmachine: prime", "warmachine-prime"),
    ("warmachine prime", "warmachine-prime"),
    ("hordes mk ii", "hordes-mk2"),
    ("hordes mk2", "hordes-mk2"),
    ("warmachine mk i", "warmachine-mk1"),
    ("warmachine mk1", "warmachine-mk1"),
    ("warhammer 9th edition", "warhammer-9"),
    ("the 9th age", "warhammer-9"),
)
_NEWER = ("mk iv", "mkiv", "mk4", "mk iii", "mkiii", "mk3", "mk ii", "mkii")


class BaseReading(Frozen):
    """The base that a text names, and what is unsure or wrong about it."""

    base: Base | None = None
    why: str | None = None


def read_base_size(text: str, edition: EditionId | None = None) -> BaseReading:
    """The base of these words; none where they may mean several."""
    written = text.strip().lower()
    if (pair := _PAIR.search(written)) is not None:
        return _read_pair(_value(pair[1]), _value(pair[2]), edition, is_oval="oval" in written)
    if _RANGE.search(written) is not None:
        return BaseReading(why="several sizes: say which one it is")
    if (lone := _LONE.search(written)) is None:
        return BaseReading(why="no size in it")
    across = _value(lone[1])
    if not _SMALLEST_MM <= across <= _LARGEST_MM:
        return BaseReading(why=f"no base is {across:g} mm")
    if "oval" in written:
        return BaseReading(why=f"an oval {across:g} mm long: say how wide it is")
    is_square = "square" in written or (edition is not None and not _has_round(edition) and "round" not in written)
    base: Base = RectBase(width_mm=across, depth_mm=across) if is_square else RoundBase(diameter_mm=across)
    return BaseReading(base=base, why=check_catalogue(base, edition))


def check_catalogue(base: Base, edition: EditionId | None) -> str | None:
    """Why this base is doubtful: no size of the edition, or of any where none is told; None when it is on sale."""
    sizes = EDITION_BASES[edition] if edition is not None else None
    if sizes is None or base in sizes:
        return None
    return f"{edition} knows no base of this size"


def _read_pair(first: float, second: float, edition: EditionId | None, *, is_oval: bool) -> BaseReading:
    if not (min(first, second) >= _SMALLEST_MM and max(first, second) <= _LARGEST_MM):
        return BaseReading(why="no base is so large or so small")
    if is_oval or (edition is None and min(first, second) > 30 and first != second and max(first, second) > 75):
        return BaseReading(base=OvalBase(width_mm=min(first, second), depth_mm=max(first, second)))
    base = RectBase(width_mm=first, depth_mm=second)
    turned = RectBase(width_mm=second, depth_mm=first)
    if edition is not None and base not in EDITION_BASES[edition] and turned in EDITION_BASES[edition]:
        return BaseReading(base=turned, why=f"written {first:g}x{second:g}: its front is taken to be {second:g} mm")
    return BaseReading(base=base, why=check_catalogue(base, edition))


def _has_round(edition: EditionId) -> bool:
    return any(isinstance(base, RoundBase) for base in EDITION_BASES[edition])


def _value(text: str) -> float:
    return float(text.replace(",", "."))


class CardLength(Frozen):
    """A length on a card: a number of inches, least and most, a spray's length, melee, nothing, or not understood."""

    kind: Literal["length", "span", "spray", "melee", "none", "unread"]
    inches: float = 0.0
    least_in: float = 0.0


def read_length(text: str) -> CardLength:
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


def edition_of(game: str | None) -> EditionId | None:
    """Our rulebook for a game of this name; None for every other game."""
    title = " ".join((game or "").lower().split())
    if any(title.startswith("warmachine") and newer in title for newer in _NEWER):
        return None
    return next((edition for name, edition in _OURS if title.startswith(name)), None)
