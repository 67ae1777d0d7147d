"""Base size: what a list writes of a base, from `30mm` and `25x50` to a base of the catalogue, or why not."""

import re

from models.base import EDITION_BASES, Base, OvalBase, RectBase, RoundBase
from models.frozen import Frozen
from models.vocabulary import EditionId

_NUMBER = r"(\d+(?:[.,]\d+)?)"
_PAIR = re.compile(rf"{_NUMBER}\s*(?:mm)?\s*[x×*]\s*{_NUMBER}")
_LONE = re.compile(_NUMBER)
_RANGE = re.compile(rf"{_NUMBER}\s*(?:mm)?\s*(?:-|–|/|or|to)\s*{_NUMBER}")
_SMALLEST_MM, _LARGEST_MM = 15.0, 500.0


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
