"""Movement dice: their exact distribution, and the movement allowance without them."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product

from pydantic import JsonValue

from models.errors import BadQuery
from models.miniature import Miniature
from models.unit_conversion import MM_PER_INCH, inches
from referee.editions.warhammer_9.units.regiment import is_skirmishing, kind_of, leading_miniature, members_of
from referee.rules.exact_table import ExactTable

MARCH_FACTOR = 2.0
FLY_IN = 10.0
Distribution = dict[int, Fraction]
_SWIFT_KINDS = frozenset(
    {"monstrous-infantry", "cavalry", "monstrous-cavalry", "war-beast", "monstrous-beast", "monster", "chariot"}
)
_ROLLS: dict[str, tuple[int, Callable[[tuple[int, ...]], int]]] = {
    "highest-of-2d6": (2, max),
    "2d6": (2, sum),
    "best-two-of-3d6": (3, lambda faces: sum(faces) - min(faces)),
    "3d6": (3, sum),
}


def speed_mm(table: ExactTable, id_: str) -> float | None:
    """Movement of a unit's slowest, barding taken off; None when no card has it. Source: p. 15; Barding, p. 77."""
    speeds = [_speed_in(mini) for mini in pace_setters(table, id_)]
    known = [speed for speed in speeds if speed is not None]
    return inches(min(known)) if known else None


def pace_setters(table: ExactTable, id_: str) -> list[Miniature]:
    """Those whose Movement counts: of a mixed unit not the handlers, who are of another type than its front.

    Source: Mixed Unit, p. 62.
    """
    minis, first = [table.miniature(m) for m in members_of(table, id_)], leading_miniature(table, id_)
    return [m for m in minis if kind_of(m) == kind_of(first)] if first.has("mixed-unit") else minis


def _speed_in(miniature: Miniature) -> float | None:
    card = miniature.profile
    if card.spd_in is None:
        return None
    return max(0.0, card.spd_in + card.spd_bonus_in - card.spd_penalty_in - float(miniature.has("barding")))


def can_fly(table: ExactTable, id_: str) -> bool:
    """Whether all of a unit fly or hover. Source: Moving Flyers, p. 59; Hover, p. 60."""
    return all(table.miniature(m).has("fly") or table.miniature(m).has("hover") for m in members_of(table, id_))


def flying_march_mm(table: ExactTable, id_: str) -> float | None:
    """How far a unit flies that marches; None of one that cannot, as those who hover. Source: Flying March, p. 59."""
    return MARCH_FACTOR * inches(FLY_IN) if all(table.miniature(m).has("fly") for m in members_of(table, id_)) else None


def heeds_forests(table: ExactTable, id_: str) -> bool:
    """Whether forests slow it: not skirmishers on foot, lone characters on foot, ethereal ones and striders.

    Source: Forests, p. 92.
    """
    first = leading_miniature(table, id_)
    foot = kind_of(first) == "infantry"
    alone = len(members_of(table, id_)) == 1 and "character" in first.role
    return not ((foot and (is_skirmishing(table, id_) or alone)) or first.has("ethereal") or first.has("strider"))


@cache
def roll_distribution(name: str) -> Distribution:
    """Distribution of a roll: the chance of every total."""
    dice, total = _ROLLS[name]
    totals = Counter(total(faces) for faces in product(range(1, 7), repeat=dice))
    return {value: Fraction(count, 6**dice) for value, count in sorted(totals.items())}


def chance_at_least(name: str, needed: int) -> Fraction:
    """Chance to roll at least this."""
    return sum((p for value, p in roll_distribution(name).items() if value >= needed), Fraction(0))


def highest_total(name: str) -> int:
    """The highest total of this roll."""
    return max(roll_distribution(name))


def roll_total(name: str, faces: tuple[int, ...], *, field: str) -> int:
    """The total of these faces under this roll. Raises: BadQuery where it takes another number of dice."""
    count, total = _ROLLS[name]
    if len(faces) != count:
        raise BadQuery(f"{field}: {name} takes {count} dice, not {len(faces)}", field=field, value=[*faces])
    return total(faces)


def check_total(name: str, total: int, *, field: str) -> None:
    """Raises: BadQuery where no dice of this roll give that total."""
    known = roll_distribution(name)
    if total not in known:
        detail = f"{field}: {name} gives {min(known)} to {max(known)}, not {total}"
        raise BadQuery(detail, field=field, value=total)


def barding_penalty_in(table: ExactTable, id_: str) -> int:
    """Inches that barding takes off a charge, a flight or a pursuit. Source: Barding, p. 77."""
    return int(any(table.miniature(m).has("barding") for m in members_of(table, id_)))


def is_swift(table: ExactTable, id_: str) -> bool:
    """Whether all of the unit have Swiftstride, by ability or kind. Source: Swiftstride, p. 67; p. 59, 69-73."""
    minis = pace_setters(table, id_)
    return all(m.has("swiftstride") or m.has("fly") or m.has("hover") or kind_of(m) in _SWIFT_KINDS for m in minis)


def charge_dice(table: ExactTable, id_: str, speed: float) -> str:
    """Which dice a charge rolls. Source: Roll Charge Range, p. 19; Swiftstride, p. 67."""
    if not is_swift(table, id_):
        return "highest-of-2d6"
    return "best-two-of-3d6" if _is_fast(table, id_, speed) else "2d6"


def running_dice(table: ExactTable, id_: str) -> str:
    """Which dice a flight or a pursuit rolls. Source: Move Fleeing Units, p. 21; Pursuit, p. 50; Swiftstride, p. 67."""
    if not is_swift(table, id_):
        return "2d6"
    return "3d6" if _is_fast(table, id_, speed_mm(table, id_) or 0.0) else "best-two-of-3d6"


def _is_fast(table: ExactTable, id_: str, speed: float) -> bool:
    """Whether its Movement is 7 or more: as it is now, or as it is printed. Source: Swiftstride, p. 67."""
    printed = min(mini.profile.spd_in or 0.0 for mini in pace_setters(table, id_))
    now = speed / MM_PER_INCH if table.reading("swiftstride-move") == "current" else printed
    return now >= 7 - 1e-9


def chance_value(name: str, needed: int) -> dict[str, JsonValue]:
    """A chance as a verdict shows it."""
    p = chance_at_least(name, needed)
    again = 1 - (1 - p) ** 2
    return {"needs": needed, "dice": name, "exact": str(p), "p": float(p), "with_reroll": str(again)}
