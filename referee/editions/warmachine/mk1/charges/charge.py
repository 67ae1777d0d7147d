"""Charge: rough ground stops it at once, and the first blow takes a free line."""

import math
from collections.abc import Mapping
from dataclasses import replace

from pydantic import JsonValue

from models.queries import Charge
from models.terrain import Effect, Terrain
from models.unit_conversion import inches
from models.verdict import CAPPED_MM
from referee.editions.warmachine.melee.melee_range import weapon_reaches
from referee.editions.warmachine.miniatures.base_state import is_incorporeal
from referee.editions.warmachine.mk1.melee.free_line import free_line
from referee.editions.warmachine.mk1.parameters import because
from referee.editions.warmachine.mk1_and_mk2.charges import charge as shared
from referee.editions.warmachine.terrain.terrain_class import ground_of
from referee.geometry.distance import area_gap
from referee.geometry.shapes import Area
from referee.rules.candidates import is_met
from referee.rules.conditions import Clauses
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_more_than

_MIRED = because("Charging, Prime p. 35", "Who stands in rough ground may declare it, and is stopped at once.")
_CUT = because("Charging, Remix p. 34", "A model that has come between leaves no charge attack.")


def is_charge_stopped_by(table: ExactTable, ground: Terrain | Effect) -> bool:
    """Whether rough ground stops a charge or slam instead of slowing it. Source: Slam, Prime p. 41; Cavalry."""
    kind = ground_of(ground) if isinstance(ground, Terrain) else ground.ground
    return table.reading("charge-rough") == "stops" and kind == "rough"


def charge_clauses(table: ExactTable, attacker: str, target: str, reach_in: float | None) -> Clauses:
    """What a charge takes besides sight and the ability to attack: no penalty to speed forbids it.

    Source: Charging, Prime p. 35; Q/A on moving at half rate.
    """
    found = shared.charge_clauses(table, attacker, target, reach_in)
    return tuple(clause for clause in found if clause[0] != "penalty")


def charge(table: ExactTable, query: Charge) -> RuleResult:
    """Charge: what `step` asks of a charge. Source: Charging, Prime p. 35."""
    result = shared.charge(table, query)
    told = {**result.value, "step": query.step}
    mired = find_mire(table, query.attacker)
    if mired is None and query.step == "attack":
        return _require_free_line(table, query, replace(result, value=told))
    if mired is None or query.step not in ("outcome", "attack"):
        return replace(result, value=told)
    told |= {"travelled_mm": 0.0, "stopped_by": mired}
    return replace(
        result, margin_mm=-CAPPED_MM, slack_mm=None, conditions=(), value=told, because=(_MIRED, *result.because)
    )


def _require_free_line(table: ExactTable, query: Charge, result: RuleResult) -> RuleResult:
    """The first blow needs a free line where the charge ends. Source: Charging, Remix p. 34; Q/A: melee attacks."""
    poses = result.value.get("poses")
    there = poses.get(query.attacker) if isinstance(poses, dict) else None
    if not isinstance(there, dict) or result.status != "decided" or not is_met(result, "charges home at"):
        return result
    (x, y), facing = place_and_facing(there)
    told = query.reach_in is not None
    reach = inches(query.reach_in or 0.0) if told else max(weapon_reaches(table.miniature(query.attacker)).values())
    ended = table.with_end(query.attacker, (x, y)).with_facing(query.attacker, math.radians(facing))
    line = free_line(ended, query.attacker, query.target, reach)
    if is_met(line, "has a free line to"):
        return result
    fails: dict[str, JsonValue] = {**result.value, "attack": "no"}
    return replace(line, value=fails, because=(_CUT, *line.because), form=None)


def place_and_facing(pose: Mapping[str, JsonValue]) -> tuple[tuple[float, float], float]:
    """Place and facing of a pose that was told."""
    at = pose["at_mm"]
    assert isinstance(at, list)
    x, y = (float(str(one)) for one in at)
    return (x, y), float(str(pose.get("facing_deg") or 0.0))


def find_mire(table: ExactTable, mover: str) -> str | None:
    """The rough ground a charge begins in, which ends it at once. Source: Q/A: charging out of rough terrain."""
    base = Area((table.base(mover),))
    ground: tuple[Terrain | Effect, ...] = (*table.state.terrain, *table.state.effects)
    rough = (t.id for t in ground if is_charge_stopped_by(table, t) and not is_incorporeal(table.miniature(mover)))
    return next((id_ for id_ in rough if _stands_in(table, mover, base, id_)), None)


def _stands_in(table: ExactTable, mover: str, base: Area, ground: str) -> bool:
    """Whether some of the base is on that ground; one that touches it from outside is not."""
    inside_mm = -area_gap(table.area(ground), base).mm
    return is_more_than(inside_mm, 0.0, "stands in", (mover, *table.movers_of(ground)))
