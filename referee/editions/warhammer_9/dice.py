"""Dice: exact chances of what is rolled for charges, flight and pursuit."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product

from pydantic import JsonValue

from models.units import MM_PER_INCH
from referee.editions.warhammer_9.moving import speed_mm
from referee.editions.warhammer_9.regiments import kind_of, members_of
from referee.situation import Situation

Chances = dict[int, Fraction]
_SWIFT_KINDS = frozenset(
    {"monstrous-infantry", "cavalry", "monstrous-cavalry", "war-beast", "monstrous-beast", "monster", "chariot"}
)
_ROLLS: dict[str, tuple[int, Callable[[tuple[int, ...]], int]]] = {
    "highest-of-2d6": (2, max),
    "2d6": (2, sum),
    "best-two-of-3d6": (3, lambda faces: sum(faces) - min(faces)),
    "3d6": (3, sum),
}


@cache
def chances(name: str) -> Chances:
    """The chance of every total of this roll."""
    dice, total = _ROLLS[name]
    found = Counter(total(faces) for faces in product(range(1, 7), repeat=dice))
    return {value: Fraction(count, 6**dice) for value, count in sorted(found.items())}


def at_least(name: str, needed: int) -> Fraction:
    """The chance to roll at least this."""
    return sum((p for value, p in chances(name).items() if value >= needed), Fraction(0))


def most(name: str) -> int:
    return max(chances(name))


def total(name: str, faces: tuple[int, ...]) -> int:
    """What these faces come to."""
    return _ROLLS[name][1](faces)


def less_in(table: Situation, id_: str) -> int:
    """What barding takes off the distance rolled to charge, flee or pursue. Source: Barding, p. 77."""
    return int(any(table.miniature(m).has("barding") for m in members_of(table, id_)))


def is_swift(table: Situation, id_: str) -> bool:
    """Whether all of the unit have Swiftstride, by ability or kind. Source: Swiftstride, p. 66; p. 59, 69-73."""
    minis = [table.miniature(m) for m in members_of(table, id_)]
    return all(m.has("swiftstride") or m.has("fly") or kind_of(m) in _SWIFT_KINDS for m in minis)


def charge_dice(table: Situation, id_: str, speed: float) -> str:
    """Which dice a charge rolls. Source: Roll Charge Range, p. 19; Swiftstride, p. 66."""
    if not is_swift(table, id_):
        return "highest-of-2d6"
    return "best-two-of-3d6" if _is_fast(table, id_, speed) else "2d6"


def running_dice(table: Situation, id_: str) -> str:
    """Which dice a flight or a pursuit rolls. Source: Flee, p. 21; Pursuit, p. 50; Swiftstride, p. 66."""
    if not is_swift(table, id_):
        return "2d6"
    return "3d6" if _is_fast(table, id_, speed_mm(table, id_) or 0.0) else "best-two-of-3d6"


def _is_fast(table: Situation, id_: str, speed: float) -> bool:
    """Whether its Movement is 7 or more: as it is now, or as it is printed. Source: Swiftstride, p. 66."""
    printed = min(table.miniature(m).profile.spd_in or 0.0 for m in members_of(table, id_))
    now = speed / MM_PER_INCH if table.reading("swiftstride-move") == "current" else printed
    return now >= 7 - 1e-9


def told(name: str, needed: int) -> dict[str, JsonValue]:
    """A chance in the words of a verdict."""
    p = at_least(name, needed)
    again = 1 - (1 - p) ** 2
    return {"needs": needed, "dice": name, "exact": str(p), "p": float(p), "with_reroll": str(again)}
