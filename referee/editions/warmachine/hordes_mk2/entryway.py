"""Entryway: which doors a structure has, and for which bases."""

import math
from dataclasses import replace

from models.queries import Entryway
from models.terrain import Opening
from models.verdict import CAPPED_MM, Witness
from referee.editions.warmachine.hordes_mk2.parameters import because
from referee.editions.warmachine.terrain.features import find_feature
from referee.rules.conditions import Clauses, all_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_DOOR = because("Entryways", "Players agree beforehand which doors there are, and for which bases.")
_INSIDE = because("Entryways", "Nobody enters what has no inside one can reach.")


def entryway(table: ExactTable, query: Entryway) -> RuleResult:
    """Entryway: whether it may go in: a door agreed on for its base, and wide enough; just as wide is.

    Source: Entryways.
    """
    feature = find_feature(table, query.feature)
    if feature is None:
        return RuleResult(status="refused", because=(_DOOR,), advice=f"{query.feature} is no terrain.")
    doors = feature.openings if query.opening is None else feature.openings[query.opening : query.opening + 1]
    touches = (query.mover, feature.id)
    if not doors:
        return RuleResult(
            margin_mm=-CAPPED_MM, value={"clauses": []}, because=(_DOOR, _INSIDE), depends_on_place=touches
        )
    wide = 2 * table.base(query.mover).reach_mm
    door = max(doors, key=lambda one: (_is_agreed(one, wide), math.dist(one.at_mm, one.to_mm)))
    fits = RuleResult(margin_mm=math.dist(door.at_mm, door.to_mm) - wide, because=(_DOOR,), depends_on_place=touches)
    agreed = RuleResult(
        margin_mm=CAPPED_MM if _is_agreed(door, wide) else -CAPPED_MM, because=(_DOOR,), depends_on_place=touches
    )
    clauses: Clauses = (("agreed", agreed), ("width", fits))
    result = all_of(clauses)
    segment = Witness(type="segment", role="limit", points_mm=(door.at_mm, door.to_mm), of=(feature.id,))
    return replace(result, lengths_mm={"opening": math.dist(door.at_mm, door.to_mm)}, witness=(segment,))


def _is_agreed(door: Opening, wide_mm: float) -> bool:
    """Whether the players let bases of this size through; with no sizes told, all that fit."""
    return not door.bases_mm or any(abs(size - wide_mm) < 1e-6 for size in door.bases_mm)
