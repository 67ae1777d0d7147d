"""Deep water: who stands in it, and what it keeps one from."""

from models.verdict import Reason
from referee.editions.warmachine.mk1_and_mk2.parameters import WATER_DEFENCE, because
from referee.editions.warmachine.terrain.terrain_class import ground_of
from referee.geometry.containment import reach_into
from referee.rules.exact_table import ExactTable
from referee.rules.switches import is_at_least

_FIGHTS_NOBODY = because("Deep Water", "In deep water nobody attacks, engages, casts, or takes an action.")
_FLEES = because("Fleeing", "A fleeing model makes no attacks.")


def list_deep_water(table: ExactTable) -> tuple[str, ...]:
    """All deep water on the table. Source: Deep Water."""
    return tuple(t.id for t in table.state.terrain if ground_of(t) == "deep-water")


def is_deep(table: ExactTable, id_: str) -> bool:
    """Whether any part of the base is in deep water; touching it is. Source: Deep Water."""
    return any(_is_in(table, id_, pool) for pool in list_deep_water(table))


def _is_in(table: ExactTable, id_: str, pool: str) -> bool:
    depth_mm = reach_into(table.base(id_), table.area(pool))
    return is_at_least(depth_mm, 0.0, "stands in", (id_, *table.movers_of(pool)))


def attack_bar(table: ExactTable, id_: str) -> tuple[str, Reason] | None:
    """What keeps one from attacking besides the words on its card. Source: Deep Water; Fleeing."""
    if "fleeing" in table.miniature(id_).status:
        return "fleeing", _FLEES
    return ("deep-water", _FIGHTS_NOBODY) if is_deep(table, id_) else None


def base_defence(table: ExactTable, id_: str) -> float | None:
    """The base DEF that water leaves; None where it leaves the printed one. Source: Deep Water."""
    return WATER_DEFENCE if is_deep(table, id_) else None
