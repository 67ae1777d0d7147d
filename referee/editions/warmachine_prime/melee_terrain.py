"""Obstacles and obstructions between two who fight."""

import math

from pydantic import JsonValue

from models.queries import MeleeTerrainBonus
from models.terrain import Terrain
from models.verdict import CAPPED_MM, Witness
from models.words import Point
from referee.candidates import is_met
from referee.editions.warmachine_prime.features import OBSTACLES, OBSTRUCTIONS, crossing
from referee.editions.warmachine_prime.parameters import because
from referee.gaps import gap
from referee.ruling import Ruling
from referee.shapes import Rounded
from referee.situation import Situation
from referee.telling import applied, length

_BETWEEN = because(
    "Melee Attack Roll Modifiers", 44, "Any part of the target obscured by an obstacle or obstruction gains it 2 DEF."
)
_OPEN = because("Obstacles", 80, "No obstacle or obstruction stands between them.")
_RIM_STEPS = 48


def melee_terrain_bonus(table: Situation, query: MeleeTerrainBonus) -> Ruling:
    """Whether an obstacle or obstruction obscures part of the target; one line that grazes it is enough.

    Source: Melee Attack Roll Modifiers, p. 44; Obstacles, p. 80; Obstructions, p. 81.
    """
    kinds = OBSTACLES | OBSTRUCTIONS
    found = [(t, _depth_mm(table, query, t)) for t in table.state.terrain if t.kind in kinds]
    if not found:
        return Ruling(margin_mm=-CAPPED_MM, value=_value(None), because=(_BETWEEN, _OPEN), touches=_pair(query))
    best, depth = max(found, key=lambda item: item[1])
    ruling = Ruling(margin_mm=max(-CAPPED_MM, depth))
    met = is_met(ruling)
    a, b = table.centre(query.attacker), table.centre(query.target)
    return Ruling(
        margin_mm=ruling.margin_mm,
        value=_value(best.id if met else None),
        witness=(Witness(type="segment", role="blocked" if met else "clear", points_mm=(a, b), of=_pair(query)),),
        because=(applied(table, _BETWEEN, _told(best.id, depth)),),
        readings=("obscured",),
        doubtful=("obscured",) if depth >= 0 or table.reading("obscured") == "hidden-part" else (),
        touches=(*_pair(query), *(t.id for t, d in found if d > depth - 30.0)),
    )


def _told(feature: str, depth_mm: float) -> str:
    if depth_mm <= -CAPPED_MM:
        return f"No line between them passes through {feature}."
    how = f"reaches {length(depth_mm)} into" if depth_mm >= 0 else f"stays {length(-depth_mm)} out of"
    return f"{feature} {how} the lines between them."


def _value(feature: str | None) -> dict[str, JsonValue]:
    return {"bonus": 0 if feature is None else 2, "bonus_to": "defence", "feature": feature}


def _pair(query: MeleeTerrainBonus) -> tuple[str, str]:
    return (query.attacker, query.target)


def _depth_mm(table: Situation, query: MeleeTerrainBonus, terrain: Terrain) -> float:
    """How deep lines from one to the other cross it; negative when none does."""
    found = crossing(table, query.attacker, query.target, terrain)
    if found.run is None or table.reading("obscured") != "hidden-part":
        return found.depth_mm
    parts = table.area(terrain.id).parts
    return max(_hidden_mm(table.base(query.attacker), table.base(query.target), part) for part in parts)


def _hidden_mm(attacker: Rounded, target: Rounded, part: Rounded) -> float:
    """How deep the feature lies across every line to the best hidden point of the target's rim.

    Between both outermost lines to one point a convex feature that crosses them crosses every other.
    """
    rim = (target.farthest_along(_way(k)) for k in range(_RIM_STEPS))
    return max(min(-gap(Rounded((end, q)), part).mm for end in _outermost(attacker, q)) for q in rim)


def _way(k: int) -> Point:
    turn = math.tau * k / _RIM_STEPS
    return (math.cos(turn), math.sin(turn))


def _outermost(base: Rounded, q: Point) -> tuple[Point, Point]:
    """The two points of a base that lie outermost as seen from q."""
    (x, y), away = base.centre, math.dist(base.centre, q)
    across = (-(y - q[1]) / away, (x - q[0]) / away)
    return base.farthest_along(across), base.farthest_along((-across[0], -across[1]))
