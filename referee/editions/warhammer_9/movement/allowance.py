"""Movement allowance: how far a unit may go, and what slows it."""

from models.miniature import Miniature
from models.unit_conversion import inches
from referee.editions.warhammer_9.units.regiment import is_skirmishing, kind_of, leading_miniature, members_of
from referee.rules.exact_table import ExactTable

MARCH_FACTOR = 2.0
FLY_IN = 10.0


def speed_mm(table: ExactTable, id_: str) -> float | None:
    """Movement of a unit's slowest, barding taken off; None when no card has it. Source: p. 15; Barding, p. 77."""
    told = [_speed_in(table.miniature(m)) for m in members_of(table, id_)]
    known = [one for one in told if one is not None]
    return inches(min(known)) if known else None


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

    Source: Forests, p. 93.
    """
    first = leading_miniature(table, id_)
    foot = kind_of(first) == "infantry"
    alone = len(members_of(table, id_)) == 1 and "character" in first.role
    return not ((foot and (is_skirmishing(table, id_) or alone)) or first.has("ethereal") or first.has("strider"))
