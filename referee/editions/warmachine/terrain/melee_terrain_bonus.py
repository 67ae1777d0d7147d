"""Melee terrain bonus: obstacles and obstructions between two who fight."""

import math

from pydantic import JsonValue

from models.queries import MeleeTerrainBonus
from models.terrain import Terrain
from models.verdict import CAPPED_MM, Witness
from models.vocabulary import Point
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.terrain.features import OBSTACLES, OBSTRUCTIONS, crossing_of
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape
from referee.rules.candidates import is_zero_or_more
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, with_effect
from referee.rules.rule_result import RuleResult

_BETWEEN = because(
    "Melee Attack Roll Modifiers", 44, "Any part of the target obscured by an obstacle or obstruction gains it 2 DEF."
)
_OPEN = because("Obstacles", 80, "No obstacle or obstruction stands between them.")
_RIM_STEPS = 48


def melee_terrain_bonus(table: ExactTable, query: MeleeTerrainBonus) -> RuleResult:
    """Melee terrain bonus: whether an obstacle or obstruction obscures part of the target; one line that grazes it is
    enough.

    Source: Melee Attack Roll Modifiers, p. 44; Obstacles, p. 80; Obstructions, p. 81.
    """
    kinds = OBSTACLES | OBSTRUCTIONS
    found = [(t, _depth_mm(table, query, t)) for t in table.state.terrain if t.kind in kinds]
    if not found:
        return RuleResult(
            margin_mm=-CAPPED_MM, value=_value(None), because=(_BETWEEN, _OPEN), depends_on_place=_ids_of(query)
        )
    best, depth = max(found, key=lambda item: item[1])
    result = RuleResult(margin_mm=max(-CAPPED_MM, depth))
    met = is_zero_or_more(result)
    a, b = table.centre(query.attacker), table.centre(query.target)
    return RuleResult(
        margin_mm=result.margin_mm,
        value=_value(best.id if met else None),
        witness=(Witness(type="segment", role="blocked" if met else "clear", points_mm=(a, b), of=_ids_of(query)),),
        because=(with_effect(table, _BETWEEN, _describe_depth(best.id, depth)),),
        readings=("obscured",),
        doubtful=("obscured",) if depth >= 0 or table.reading("obscured") == "hidden-part" else (),
        depends_on_place=(*_ids_of(query), *(t.id for t, d in found if d > depth - 30.0)),
    )


def _describe_depth(feature: str, depth_mm: float) -> str:
    if depth_mm <= -CAPPED_MM:
        return f"No line between them passes through {feature}."
    how = f"reaches {format_length(depth_mm)} into" if depth_mm >= 0 else f"stays {format_length(-depth_mm)} out of"
    return f"{feature} {how} the lines between them."


def _value(feature: str | None) -> dict[str, JsonValue]:
    return {"bonus": 0 if feature is None else 2, "bonus_to": "defence", "feature": feature}


def _ids_of(query: MeleeTerrainBonus) -> tuple[str, str]:
    return (query.attacker, query.target)


def _depth_mm(table: ExactTable, query: MeleeTerrainBonus, terrain: Terrain) -> float:
    """How deep lines from one to the other cross it; negative when none does."""
    found = crossing_of(table, query.attacker, query.target, terrain)
    if found.run is None or table.reading("obscured") != "hidden-part":
        return found.depth_mm
    parts = table.area(terrain.id).parts
    return max(_hidden_mm(table.base(query.attacker), table.base(query.target), part) for part in parts)


def _hidden_mm(attacker: RoundedShape, target: RoundedShape, part: RoundedShape) -> float:
    """How deep the feature lies across every line to the best hidden point of the target's rim.

    Between both outermost lines to one point a convex feature that crosses them crosses every other.
    """
    rim = (target.farthest_along(_direction(k)) for k in range(_RIM_STEPS))
    return max(min(-gap(RoundedShape((end, q)), part).mm for end in _outermost(attacker, q)) for q in rim)


def _direction(k: int) -> Point:
    turn = math.tau * k / _RIM_STEPS
    return (math.cos(turn), math.sin(turn))


def _outermost(base: RoundedShape, q: Point) -> tuple[Point, Point]:
    """The two points of a base that lie outermost as seen from q."""
    (x, y), away = base.centre, math.dist(base.centre, q)
    across = (-(y - q[1]) / away, (x - q[0]) / away)
    return base.farthest_along(across), base.farthest_along((-across[0], -across[1]))
