"""Charges, slams, head-butts and flight, where this book has them otherwise than the later one."""

import math
from collections.abc import Mapping
from dataclasses import replace

from pydantic import JsonValue

from models.queries import Assault, Charge, ControlArea, PowerAttack, Slam, TableEdge
from models.terrain import Effect, Terrain
from models.units import inches
from models.verdict import CAPPED_MM
from referee.candidates import is_met
from referee.clauses import Clauses
from referee.editions import hordes_mk2, warmachine_prime
from referee.editions.warmachine_mk1.melee import free_line
from referee.editions.warmachine_mk1.parameters import because
from referee.editions.warmachine_prime.distances import farthest
from referee.editions.warmachine_prime.ground import is_incorporeal, size_mm
from referee.editions.warmachine_prime.melee import weapon_reaches
from referee.editions.warmachine_prime.terrain import ground_of
from referee.gaps import area_gap
from referee.ruling import Ruling
from referee.shapes import Area
from referee.situation import Situation

_DOWN = because("Slam, Prime p. 41", "Nobody slams a model that is knocked down.")
_WEIGHT = because("Slam, Prime p. 41", "The roll suffers 2, and 4 against a larger base; less than 3 in cost 2 alone.")
_THROWN = because("Throw, Prime p. 43", "The roll suffers 2.")
_BUTT = because("Head-butt, Prime p. 41", "The roll suffers 2, and 4 against a larger base.")
_MIRED = because("Charging, Prime p. 35", "Who stands in rough ground may declare it, and is stopped at once.")
_OFF = because("Fleeing off the table, Prime p. 33", "A model that flees off the table is out of the game.")
_CUT = because("Charging, Remix p. 34", "A model that has come between leaves no charge attack.")
_HALTED = because("Slam, Prime p. 41", "Who touches ground that hinders it ends its activation: stop short of it.")
_SHOT = because("Assault Orders, Q/A", "The shot follows the move, whether the charge got there or not.")
_BEGAN = because("Assault Orders, Q/A", "Who began in melee with that model makes no shot at it.")
_LATER, _LATEST = hordes_mk2.EDITION.rules, warmachine_prime.EDITION.rules
_LEAST_MM = 1e-3  # short of what it takes, by no more than can be told
_EQUAL, _LARGER = -2, -4
_MINUS = {"head-butt": _BUTT, "slam": _WEIGHT, "throw": _THROWN, "double-hand-throw": _THROWN}


def rough_stops(table: Situation, ground: Terrain | Effect) -> bool:
    """Whether rough ground stops a charge or slam instead of slowing it. Source: Slam, Prime p. 41; Cavalry."""
    kind = ground_of(ground) if isinstance(ground, Terrain) else ground.ground
    return table.reading("charge-rough") == "stops" and kind == "rough"


def charge_clauses(table: Situation, attacker: str, target: str, reach_in: float | None) -> Clauses:
    """What a charge takes besides sight and the ability to attack: no penalty to speed forbids it.

    Source: Charging, Prime p. 35; Q/A on moving at half rate.
    """
    found = hordes_mk2.declared.TERMS.charge_clauses(table, attacker, target, reach_in)
    return tuple(clause for clause in found if clause[0] != "penalty")


def charge(table: Situation, query: Charge) -> Ruling:
    """What `step` asks of a charge. Source: Charging, Prime p. 35."""
    ruling = _LATER[Charge](table, query)
    told = {**ruling.value, "step": query.step}
    mired = _mired(table, query.attacker)
    if mired is None and query.step == "attack":
        return _with_line(table, query, replace(ruling, value=told))
    if mired is None or query.step not in ("outcome", "attack"):
        return replace(ruling, value=told)
    told |= {"travelled_mm": 0.0, "stopped_by": mired}
    return replace(
        ruling, margin_mm=-CAPPED_MM, slack_mm=None, conditions=(), value=told, because=(_MIRED, *ruling.because)
    )


def _with_line(table: Situation, query: Charge, ruling: Ruling) -> Ruling:
    """The first blow needs a free line where the charge ends. Source: Charging, Remix p. 34; Q/A: melee attacks."""
    poses = ruling.value.get("poses")
    there = poses.get(query.attacker) if isinstance(poses, dict) else None
    if table.lean or not isinstance(there, dict) or ruling.status != "decided" or not is_met(ruling):
        return ruling
    (x, y), facing = pairs_of(there)
    told = query.reach_in is not None
    reach = inches(query.reach_in or 0.0) if told else max(weapon_reaches(table.miniature(query.attacker)).values())
    ended = table.placed(query.attacker, (x, y)).facing(query.attacker, math.radians(facing))
    line = free_line(ended, query.attacker, query.target, reach)
    if is_met(line):
        return ruling
    fails: dict[str, JsonValue] = {**ruling.value, "attack": "no"}
    return replace(line, value=fails, because=(_CUT, *line.because), form=None)


def pairs_of(pose: Mapping[str, JsonValue]) -> tuple[tuple[float, float], float]:
    """Place and facing of a pose that was told."""
    at = pose["at_mm"]
    assert isinstance(at, list)
    x, y = (float(str(one)) for one in at)
    return (x, y), float(str(pose.get("facing_deg") or 0.0))


def _mired(table: Situation, mover: str) -> str | None:
    """The rough ground a charge begins in, which ends it at once. Source: Q/A: charging out of rough terrain."""
    base = Area((table.base(mover),))
    ground: tuple[Terrain | Effect, ...] = (*table.state.terrain, *table.state.effects)
    rough = (t.id for t in ground if rough_stops(table, t) and not is_incorporeal(table.miniature(mover)))
    return next((id_ for id_ in rough if area_gap(table.area(id_), base).mm < 0), None)


def slam(table: Situation, query: Slam) -> Ruling:
    """Whether a slam gets there, and where its target goes. Source: Slam, Prime p. 41; Being Slammed, p. 42."""
    ruling, me = _LATER[Slam](table, query), query.attacker
    if "knocked-down" in table.miniature(query.target).status:
        return replace(ruling, margin_mm=-CAPPED_MM, slack_mm=None, conditions=(), because=(_DOWN, *ruling.because))
    if (ended := _ended_by(table, query, ruling)) is not None:
        told = {**ruling.value, "stopped_by": ended} | ({"travelled_mm": 0.0} if ended == _mired(table, me) else {})
        told.pop("slammed", None)
        fails = min(ruling.decisive_mm, 0.0) or -_LEAST_MM
        return replace(
            ruling, margin_mm=fails, slack_mm=None, conditions=(), value=told, because=(_HALTED, *ruling.because)
        )
    full = bool(ruling.value.get("full", True))
    bonus = _by_base(table, query.attacker, query.target) if full else _EQUAL
    return replace(ruling, value={**ruling.value, "bonus": bonus}, because=(*ruling.because, _WEIGHT))


def _ended_by(table: Situation, query: Slam, ruling: Ruling) -> str | None:
    """The ground whose touch ends the slammer's activation. Source: Slam, Prime p. 41."""
    if query.here or table.reading("slam-low-wall") == "success":
        return None
    if (mired := _mired(table, query.attacker)) is not None:
        return mired
    stopped = ruling.value.get("stopped_by")
    went = ruling.value.get("travelled_mm")
    wanted = math.inf if query.stop_after_in is None else inches(query.stop_after_in)
    touches = isinstance(went, float) and wanted > went + _LEAST_MM
    return stopped if touches and isinstance(stopped, str) and stopped not in table.miniatures else None


def _by_base(table: Situation, attacker: str, target: str) -> int:
    larger = size_mm(table.miniature(target)) > size_mm(table.miniature(attacker))
    return _LARGER if larger else _EQUAL


def control_area(table: Situation, query: ControlArea) -> Ruling:
    """Whether it is in the control area. Source: Control Area, Remix p. 51."""
    ruling = _LATER[ControlArea](table, query)
    radius = ruling.value.get("radius_mm")
    if not isinstance(radius, float) or table.lean:
        return ruling
    far, _, _ = farthest(table.area(query.caster), table.area(query.target))
    whole: dict[str, JsonValue] = {"answer": "yes" if radius >= far else "no", "margin_mm": radius - far}
    return replace(ruling, value={**ruling.value, "completely": whole})


def power_attack(table: Situation, query: PowerAttack) -> Ruling:
    """Whether it may make that power attack. Source: Power Attacks, Prime p. 41; Head-butt, p. 41."""
    ruling = _LATER[PowerAttack](table, query)
    if query.attack not in _MINUS:
        return ruling
    bonus = _by_base(table, query.attacker, query.target) if query.attack in ("head-butt", "slam") else _EQUAL
    return replace(ruling, value={**ruling.value, "bonus": bonus}, because=(*ruling.because, _MINUS[query.attack]))


def assault(table: Situation, query: Assault) -> Ruling:
    """Whether the shot of an assault is made, and reaches. Source: Q/A on assaults and Bayonet Charges."""
    me = table.miniature(query.attacker)
    began = query.target in me.this_turn.engaged_before
    fresh = me.model_copy(update={"this_turn": me.this_turn.model_copy(update={"engaged_before": ()})})
    others = tuple(fresh if m.id == me.id else m for m in table.state.miniatures)
    ruling = _LATEST[Assault](replace(table, state=table.state.with_miniatures(others)), query)
    order: list[JsonValue] = ["move", "terror", "ranged", "melee"]
    ruling = replace(ruling, value={**ruling.value, "order": order}, because=(_SHOT, *ruling.because[1:]))
    if not began or ruling.status != "decided":
        return ruling
    clauses = ruling.value.get("clauses")
    listed = [c for c in clauses if isinstance(c, dict)] if isinstance(clauses, list) else []
    told = [{**c, "answer": "no", "margin_mm": -CAPPED_MM} if c["clause"] == "began" else c for c in listed]
    fails: dict[str, JsonValue] = {**ruling.value, "clauses": [*told]}
    return replace(ruling, margin_mm=-CAPPED_MM, slack_mm=None, conditions=(), value=fails, because=(_BEGAN,))


def table_edge(table: Situation, query: TableEdge) -> Ruling:
    """What becomes of it at the table's edge. Source: Fleeing off the table, Prime p. 33."""
    ruling = _LATER[TableEdge](table, query)
    if query.cause != "flee" or ruling.value.get("result") == "stays":
        return ruling
    return replace(ruling, value={**ruling.value, "result": "removed"}, because=(_OFF, *ruling.because))
