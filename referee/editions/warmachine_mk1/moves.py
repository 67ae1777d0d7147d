"""Charges, slams, head-butts and flight, where this book has them otherwise than the later one."""

from dataclasses import replace

from pydantic import JsonValue

from models.queries import Charge, ControlArea, Flee, PowerAttack, Slam, TableEdge
from models.terrain import Terrain
from models.verdict import CAPPED_MM
from referee.editions import hordes_mk2
from referee.editions.warmachine_mk1.parameters import because
from referee.editions.warmachine_prime.distances import farthest
from referee.editions.warmachine_prime.ground import size_mm
from referee.editions.warmachine_prime.terrain import ground_of
from referee.gaps import area_gap
from referee.ruling import Ruling
from referee.shapes import Area
from referee.situation import Situation

_DOWN = because("Slam, Prime p. 41", "Nobody slams a model that is knocked down.")
_WEIGHT = because("Slam, Prime p. 41", "The roll suffers 2, and 4 against a larger base; less than 3 in cost 2 alone.")
_BUTT = because("Head-butt, Prime p. 41", "The roll suffers 2, and 4 against a larger base.")
_MIRED = because("Charging, Prime p. 35", "Who stands in rough ground may declare it, and is stopped at once.")
_OFF = because("Fleeing off the table, Prime p. 33", "A model that flees off the table is out of the game.")
_LATER = hordes_mk2.EDITION.rules
_EQUAL, _LARGER = -2, -4


def rough_stops(table: Situation, terrain: Terrain) -> bool:
    """Whether rough ground stops a charge or slam instead of slowing it. Source: Slam, Prime p. 41; Cavalry."""
    return table.reading("charge-rough") == "stops" and ground_of(terrain) == "rough"


def charge(table: Situation, query: Charge) -> Ruling:
    """What `step` asks of a charge. Source: Charging, Prime p. 35."""
    ruling = _LATER[Charge](table, query)
    told = {**ruling.value, "step": query.step}
    mired = _mired(table, query.attacker)
    if mired is None or query.step not in ("outcome", "attack"):
        return replace(ruling, value=told)
    told |= {"travelled_mm": 0.0, "stopped_by": mired}
    return replace(
        ruling, margin_mm=-CAPPED_MM, slack_mm=None, conditions=(), value=told, because=(_MIRED, *ruling.because)
    )


def _mired(table: Situation, mover: str) -> str | None:
    """The rough ground a charge begins in, which ends it at once. Source: Q/A: charging out of rough terrain."""
    base = Area((table.base(mover),))
    rough = (t.id for t in table.state.terrain if rough_stops(table, t))
    return next((id_ for id_ in rough if area_gap(table.area(id_), base).mm < 0), None)


def slam(table: Situation, query: Slam) -> Ruling:
    """Whether a slam gets there, and where its target goes. Source: Slam, Prime p. 41; Being Slammed, p. 42."""
    ruling = _LATER[Slam](table, query)
    if "knocked-down" in table.miniature(query.target).status:
        return replace(ruling, margin_mm=-CAPPED_MM, slack_mm=None, conditions=(), because=(_DOWN, *ruling.because))
    full = bool(ruling.value.get("full", True))
    bonus = _by_base(table, query.attacker, query.target) if full else _EQUAL
    return replace(ruling, value={**ruling.value, "bonus": bonus}, because=(*ruling.because, _WEIGHT))


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


def head_butt(table: Situation, query: PowerAttack) -> Ruling:
    """Whether it may make that power attack. Source: Power Attacks, Prime p. 41; Head-butt, p. 41."""
    ruling = _LATER[PowerAttack](table, query)
    if query.attack != "head-butt":
        return ruling
    bonus = _by_base(table, query.attacker, query.target)
    return replace(ruling, value={**ruling.value, "bonus": bonus}, because=(*ruling.because, _BUTT))


def table_edge(table: Situation, query: TableEdge) -> Ruling:
    """What becomes of it at the table's edge. Source: Fleeing off the table, Prime p. 33."""
    ruling = _LATER[TableEdge](table, query)
    if query.cause != "flee" or ruling.value.get("result") == "stays":
        return ruling
    return replace(ruling, value={**ruling.value, "result": "removed"}, because=(_OFF, *ruling.because))


def flee(table: Situation, query: Flee) -> Ruling:
    """Which way it flees, and whether it leaves the table. Source: Fleeing, Prime p. 57."""
    ruling = _LATER[Flee](table, query)
    poses = ruling.value.get("poses")
    there = poses.get(query.mover) if isinstance(poses, dict) else None
    at = there.get("at_mm") if isinstance(there, dict) else None
    if not isinstance(at, list):
        return _run_off(table, query, ruling)
    size, reach = table.state.table, table.base(query.mover).reach_mm
    x, y = (float(str(one)) for one in at)
    if min(x, y, size.width_mm - x, size.depth_mm - y) > reach + 1e-6:
        return ruling
    return replace(ruling, value={**ruling.value, "result": "removed"}, because=(_OFF, *ruling.because))


def _run_off(table: Situation, query: Flee, ruling: Ruling) -> Ruling:
    """Its way is not told: it runs straight to its own edge, away from the threat. Source: Fleeing, Prime p. 57."""
    run = ruling.value.get("allowance_mm")
    me = table.miniature(query.mover)
    own = next((side.edge for side in table.state.sides if side.id == me.side), None)
    if not isinstance(run, float) or own not in ("near", "far", "left", "right"):
        return ruling
    (x, y), size = table.centre(query.mover), table.state.table
    left = {"near": y, "far": size.depth_mm - y, "left": x, "right": size.width_mm - x}[own]
    gone = run >= left - table.base(query.mover).reach_mm
    told = ruling.value | {"result": "removed" if gone else "flees"}
    return replace(ruling, value=told, because=(_OFF, *ruling.because) if gone else ruling.because)
