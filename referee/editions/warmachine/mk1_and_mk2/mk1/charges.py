"""Charges, assaults and power attacks: rough ground stops them at once, and the first blow takes a free line."""

import math
from collections.abc import Mapping
from dataclasses import replace

from pydantic import JsonValue

from models.queries import Assault, Charge, ChargeUnit, Formation, PowerAttack, Slam
from models.terrain import Effect, Terrain
from models.unit import Unit
from models.unit_conversion import inches
from models.verdict import CAPPED_MM
from referee.editions.warmachine.charges import charge_attacks, power_attacks
from referee.editions.warmachine.melee.melee_range import weapon_reaches
from referee.editions.warmachine.miniatures.base_state import is_incorporeal, size_mm
from referee.editions.warmachine.mk1_and_mk2 import charges
from referee.editions.warmachine.mk1_and_mk2.mk1.citations import because
from referee.editions.warmachine.mk1_and_mk2.mk1.melee import free_line
from referee.editions.warmachine.movement.path import path_of
from referee.editions.warmachine.terrain.features import ground_of
from referee.geometry.distance import area_gap
from referee.geometry.shapes import Area
from referee.rules.candidates import is_met, is_zero_or_more
from referee.rules.conditions import Clauses, all_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, with_effect
from referee.rules.rule_result import Candidate, RuleResult, Value
from referee.rules.switches import is_more_than

_MIRED = because("Charging, Prime p. 35", "Who stands in rough ground may declare it, and is stopped at once.")
_CUT = because("Charging, Remix p. 34", "A model that has come between leaves no charge attack.")
_CHARGE = because("Charging, Prime p. 35", "Each trooper runs or charges, and ends in formation.")
_SHOT = because("General Rules, Q/A on Assault", "The shot follows the move, whether the charge got there or not.")
_BEGAN = because("General Rules, Q/A on Assault", "Who began in melee with that model makes no shot at it.")
_DOWN = because("Slam, Prime p. 41", "Nobody slams a model that is knocked down.")
WEIGHT = because("Slam, Prime p. 41", "The roll suffers 2, and 4 against a larger base; less than 3 in cost 2 alone.")
_HALTED = because("Slam, Prime p. 41", "Who touches ground that hinders it ends its activation: stop short of it.")
_LEAST_MM = 1e-3  # short of what it takes, by no more than can be told
EQUAL, _LARGER = -2, -4
_THROWN = because("Throw, Prime p. 43", "The roll suffers 2.")
_BUTT = because("Head-butt, Prime p. 41", "The roll suffers 2, and 4 against a larger base.")


def is_charge_stopped_by(table: ExactTable, ground: Terrain | Effect) -> bool:
    """Whether rough ground stops a charge or slam instead of slowing it. Source: Slam, Prime p. 41; Cavalry."""
    kind = ground_of(ground) if isinstance(ground, Terrain) else ground.ground
    return table.reading("charge-rough") == "stops" and kind == "rough"


def charge_clauses(table: ExactTable, attacker: str, target: str, reach_in: float | None) -> Clauses:
    """What a charge takes besides sight and the ability to attack: no penalty to speed forbids it.

    Source: Charging, Prime p. 35; Q/A on moving at half rate.
    """
    clauses = charges.charge_clauses(table, attacker, target, reach_in)
    return tuple(clause for clause in clauses if clause[0] != "penalty")


def charge(table: ExactTable, query: Charge) -> RuleResult:
    """Charge: what `step` asks of a charge. Source: Charging, Prime p. 35."""
    result = charges.charge(table, query)
    value = {**result.value, "step": query.step}
    mired = find_mire(table, query.attacker)
    if mired is None and query.step == "attack":
        return _require_free_line(table, query, replace(result, value=value))
    if mired is None or query.step not in ("outcome", "attack"):
        return replace(result, value=value)
    value |= {"travelled_mm": 0.0, "stopped_by": mired}
    return replace(
        result, margin_mm=-CAPPED_MM, slack_mm=None, conditions=(), value=value, because=(_MIRED, *result.because)
    )


def _require_free_line(table: ExactTable, query: Charge, result: RuleResult) -> RuleResult:
    """The first blow needs a free line where the charge ends.

    Source: Charging, Remix p. 34; Q/A: attack another model in melee.
    """
    poses = result.value.get("poses")
    pose = poses.get(query.attacker) if isinstance(poses, dict) else None
    if not isinstance(pose, dict) or result.status != "decided" or not is_met(result, "charges home at"):
        return result
    (x, y), facing = place_and_facing(pose)
    is_stated = query.reach_in is not None
    reach = (
        inches(query.reach_in or 0.0) if is_stated else max(weapon_reaches(table.miniature(query.attacker)).values())
    )
    ended = table.with_end(query.attacker, (x, y)).with_facing(query.attacker, math.radians(facing))
    line = free_line(ended, query.attacker, query.target, reach)
    if is_met(line, "has a free line to"):
        return result
    fails: Value = {**result.value, "attack": "no"}
    return replace(line, value=fails, because=(_CUT, *line.because), form=None)


def place_and_facing(pose: Mapping[str, JsonValue]) -> tuple[tuple[float, float], float]:
    """Place and facing of a pose that was told."""
    at = pose["at_mm"]
    assert isinstance(at, list)
    x, y = (float(str(coordinate)) for coordinate in at)
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


def charge_unit(table: ExactTable, query: ChargeUnit) -> RuleResult:
    """Charge of a unit: whether all of a unit that was ordered to charge end in formation.

    Source: Charging, Prime p. 35.
    """
    unit = table.state.by_id[query.unit]
    assert isinstance(unit, Unit)
    for move in query.moves or ():
        table = table.with_end(move.mover, (path_of(table, move.mover, move.path_mm) or move.path_mm)[-1])
    formed = table.evaluate_query(Formation(unit=query.unit))
    if formed.status != "measured":
        return formed
    members = tuple(member if query.moves else _candidate_of(table, member) for member in formed.members)
    margins = {member.id: member.result.margin_mm for member in members if member.result is not None}
    worst = min(margins, key=lambda id_: margins[id_] or 0.0, default=None)
    each = tuple((member.id, member.result) for member in members if member.result is not None)
    joined = all_of(each) if each else RuleResult()
    return RuleResult(
        margin_mm=CAPPED_MM if worst is None else margins[worst],
        value={"by_id": {id_: {"moved": _movement_word(table, id_)} for id_ in margins}},
        members=members,
        because=(with_effect(table, _CHARGE, _describe_worst(worst, margins)),),
        readings=("charge-order", "unit-spacing"),
        depends_on_place=tuple(dict.fromkeys((*(() if worst is None else (worst,)), *joined.depends_on_place))),
        conditions=joined.conditions,
    )


def _describe_worst(worst: str | None, margins: dict[str, float | None]) -> str:
    """Who comes nearest to ending out of formation."""
    if worst is None:
        return "Nobody is there."
    margin = margins[worst] or 0.0
    return (
        f"{worst} ends in formation by {format_length(margin)}."
        if margin >= 0
        else f"{worst} lacks {format_length(-margin)}."
    )


def _candidate_of(table: ExactTable, member: Candidate) -> Candidate:
    """In formation at the end, and having run or charged."""
    if member.result is None or _movement_word(table, member.id) != "neither":
        return member
    missed = RuleResult(margin_mm=-CAPPED_MM, depends_on_place=(member.id,))
    return Candidate(member.id, missed, lambda _: missed)


def _movement_word(table: ExactTable, id_: str) -> str:
    moved = table.miniature(id_).this_turn.moved
    return "charge" if "charge" in moved else "run" if "run" in moved else "neither" if moved else "not-yet"


def assault(table: ExactTable, query: Assault) -> RuleResult:
    """Assault: whether the shot of an assault is made, and reaches.

    Source: General Rules, Q/A on Assault and Bayonet Charge.
    """
    began = charge_attacks.check_began_free(table, query.attacker, _BEGAN, query.target)
    result = charge_attacks.join_assault(table, query, began)
    order: list[JsonValue] = ["move", "terror", "ranged", "melee"]
    failed = began.status == "decided" and not is_zero_or_more(began)
    rule = _BEGAN if failed else _SHOT
    rest = tuple(r for r in result.because[1:] if r != rule)
    return replace(result, value={**result.value, "order": order}, because=(rule, *rest))


def slam(table: ExactTable, query: Slam) -> RuleResult:
    """Slam: whether a slam gets there, and where its target goes. Source: Slam, Prime p. 41; Being Slammed, p. 42."""
    result, me = power_attacks.slam(table, query), query.attacker
    if "knocked-down" in table.miniature(query.target).status:
        return replace(result, margin_mm=-CAPPED_MM, slack_mm=None, conditions=(), because=(_DOWN, *result.because))
    if (ended := _find_ending_ground(table, query, result)) is not None:
        value = {**result.value, "stopped_by": ended} | ({"travelled_mm": 0.0} if ended == find_mire(table, me) else {})
        value.pop("slammed", None)
        fails = min(result.decisive_mm, 0.0) or -_LEAST_MM
        return replace(
            result, margin_mm=fails, slack_mm=None, conditions=(), value=value, because=(_HALTED, *result.because)
        )
    full = bool(result.value.get("full", True))
    bonus = roll_penalty(table, query.attacker, query.target) if full else EQUAL
    return replace(result, value={**result.value, "bonus": bonus}, because=(*result.because, WEIGHT))


_MINUS = {"head-butt": _BUTT, "slam": WEIGHT, "throw": _THROWN, "double-hand-throw": _THROWN}


def _find_ending_ground(table: ExactTable, query: Slam, result: RuleResult) -> str | None:
    """The ground whose touch ends the slammer's activation. Source: Slam, Prime p. 41."""
    if query.here or table.reading("slam-low-wall") == "success":
        return None
    if (mired := find_mire(table, query.attacker)) is not None:
        return mired
    stopped = result.value.get("stopped_by")
    went = result.value.get("travelled_mm")
    if not isinstance(went, float) or not isinstance(stopped, str) or stopped in table.miniatures:
        return None
    wanted = went + CAPPED_MM if query.stop_after_in is None else inches(query.stop_after_in)
    on = (query.attacker, stopped, query.target)
    return stopped if is_more_than(wanted - _LEAST_MM, went, "runs up against", on) else None


def roll_penalty(table: ExactTable, attacker: str, target: str) -> int:
    larger = size_mm(table.miniature(target)) > size_mm(table.miniature(attacker))
    return _LARGER if larger else EQUAL


def power_attack(table: ExactTable, query: PowerAttack) -> RuleResult:
    """Power attack: whether it may make that power attack. Source: Power Attacks, Prime p. 41; Head-butt, p. 41."""
    result = charges.power_attack(table, query)
    if query.attack not in _MINUS:
        return result
    bonus = roll_penalty(table, query.attacker, query.target) if query.attack in ("head-butt", "slam") else EQUAL
    return replace(result, value={**result.value, "bonus": bonus}, because=(*result.because, _MINUS[query.attack]))
