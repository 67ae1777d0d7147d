"""Drawn moves: ways, ends, contacts and what stands in the way of questions about moves, fights and set-up."""

import math
from collections.abc import Iterator
from typing import Any

from models import queries
from models.units import inches
from models.verdict import Witness, WitnessRole
from models.words import Point
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.drawn_reach import Picture, listed, round_of
from referee.editions.warhammer_9.engaged import engaged_with
from referee.editions.warhammer_9.footing import Footing
from referee.editions.warhammer_9.measuring import apart, body
from referee.editions.warhammer_9.regiments import all_regiments, are_friends, members_of, regiment
from referee.editions.warhammer_9.strokes import (
    Strokes,
    area_of,
    band,
    bases_of,
    between,
    bodies_of,
    contacts,
    line,
    met,
    outline,
    ray,
    reaching,
)
from referee.gaps import gap
from referee.ruling import Ruling
from referee.shapes import Rounded
from referee.situation import Situation

_SIGN_MM = 100.0  # how long a stroke is that only shows a way


def reached(a: str, b: str) -> Picture:
    """Along what two touch, or how far they are apart."""

    def picture(table: Situation, query: Any, ruling: Ruling) -> Strokes:
        yield from reaching(table, getattr(query, a), getattr(query, b), met(ruling))

    return picture


def fighting(*fields: str) -> Picture:
    """Along what those whom the question names, or all, touch their enemies."""

    def picture(table: Situation, query: Any, ruling: Ruling) -> Strokes:
        told = [one for name in fields for one in listed(getattr(query, name))]
        yield from contacts(table, told)
        yield from bodies_of(table, told, "limit")

    return picture


def deployed(table: Situation, query: queries.Deployment, ruling: Ruling) -> Strokes:
    zone = ruling.value.get("zone")
    if isinstance(zone, str):
        yield from area_of(table, zone, "limit")
    own = Footing.of(regiment(table, query.who))
    there = own if query.to is None else own.standing(query.to)
    yield outline(there.corners, met(ruling), query.who)


def coming_on(table: Situation, query: queries.Reinforcements, ruling: Ruling) -> Strokes:
    size, deep = table.state.table, ruling.value.get("depth_mm")
    own = Footing.of(regiment(table, query.who))
    there = own if query.to is None else own.standing(query.to)
    yield outline(there.corners, met(ruling), query.who)
    if isinstance(deep, float | int):
        wide, far = size.width_mm, size.depth_mm
        ends = {
            "edge:near": ((0.0, deep), (wide, deep)),
            "edge:far": ((0.0, far - deep), (wide, far - deep)),
            "edge:left": ((deep, 0.0), (deep, far)),
            "edge:right": ((wide - deep, 0.0), (wide - deep, far)),
        }
        yield line(*ends[query.edge], "limit")


def hazard(table: Situation, query: queries.Hazard, ruling: Ruling) -> Strokes:
    tested = ruling.value.get("by_id")
    ids = list(tested) if isinstance(tested, dict) else []
    areas = [t.id for t in table.state.terrain if query.area in (None, t.id)]
    yield from (one for id_ in areas for one in area_of(table, id_, "blocker" if ids else "limit"))
    yield from bases_of(table, ids, "hit")
    own, steps = Footing.of(regiment(table, query.mover)), query.steps or ()
    there = own
    for step in steps:
        before, there = there, there.stepped(step)
        yield line(before.front, there.front, "path", query.mover)
    yield outline(there.corners, "limit", query.mover)


def hill(table: Situation, query: queries.ElevationBonus, ruling: Ruling) -> Strokes:
    high = [t.id for t in table.state.terrain if t.kind == "hill"]
    yield from (one for id_ in high for one in area_of(table, id_, "limit"))
    yield from bodies_of(table, (query.attacker,), met(ruling))
    yield from bodies_of(table, (query.target,), "limit")


def flight(table: Situation, query: queries.Flee, ruling: Ruling) -> Strokes:
    """Which way it will run: on, along the line from whom it flees."""
    heading = ruling.value.get("heading_deg")
    own = regiment(table, query.mover)
    if isinstance(heading, float | int):
        yield ray(own.centre, math.radians(heading), own.reach_mm + _SIGN_MM, "path", query.mover)


def from_whom(table: Situation, query: queries.Flee, ruling: Ruling) -> Strokes:
    threats = ruling.value.get("threats")
    for one in threats if isinstance(threats, list) else []:
        if isinstance(one, str):
            yield line(regiment(table, one).centre, regiment(table, query.mover).centre, "limit", one)
    crossed = ruling.value.get("crossed")
    for one in crossed if isinstance(crossed, list) else []:
        if isinstance(one, str):
            yield from solid(table, one, "blocker")


def chase(table: Situation, query: queries.Pursuit, ruling: Ruling) -> Strokes:
    own = regiment(table, query.winner)
    if query.loser is None:
        yield ray(own.front, own.facing_rad, _SIGN_MM, "path", query.winner)
    else:
        yield line(own.centre, regiment(table, query.loser).centre, "path", query.winner)
        yield from contacts(table, (query.winner,))


def ahead(table: Situation, query: queries.RandomMove, ruling: Ruling) -> Strokes:
    own = regiment(table, query.mover)
    facing = own.facing_rad if query.heading_deg is None else math.radians(query.heading_deg)
    far = ruling.value.get("to_enemy_mm")
    long = float(far) if isinstance(far, float | int) else inches(6)
    yield ray(own.front, facing, max(long, 1.0), "path", query.mover)


def posed(field: str) -> Picture:
    """Where the bases stand in the end."""

    def picture(table: Situation, query: Any, ruling: Ruling) -> Strokes:
        who = getattr(query, field)
        poses = ruling.value.get("poses")
        told = poses if isinstance(poses, dict) else {}
        shown = [w for m in members_of(table, who) if m in told for w in _set_down(table, m, told[m])]
        yield from shown or list(bodies_of(table, (who,), met(ruling)))

    return picture


def _set_down(table: Situation, id_: str, pose: Any) -> Iterator[Witness]:
    turned = table.placed(id_, (pose["at_mm"][0], pose["at_mm"][1])).facing(id_, math.radians(pose["facing_deg"]))
    yield from bases_of(turned, (id_,), "limit")


def casualties(table: Situation, query: queries.Casualties, ruling: Ruling) -> Strokes:
    gone = ruling.value.get("removed")
    yield from bases_of(table, [one for one in gone if isinstance(one, str)] if isinstance(gone, list) else [], "hit")
    yield from bodies_of(table, (query.unit,), "limit")


def marching(table: Situation, query: queries.March, ruling: Ruling) -> Strokes:
    nearest = ruling.value.get("nearest")
    if isinstance(nearest, str):
        yield between(table, query.mover, nearest, met(ruling))
    yield round_of(table, query.mover, parameters.MARCH_BLOCK_MM)


def at_machine(table: Situation, query: queries.WarMachineCombat, ruling: Ruling) -> Strokes:
    yield from (between(table, one, query.target, "touching") for one in query.attackers)
    yield from bases_of(table, [one.id for one in ruling.members if one.id in table.miniatures], "hit")


def struck(table: Situation, query: queries.ImpactAttacks, ruling: Ruling) -> Strokes:
    foes = listed(query.target) or tuple(engaged_with(table, query.attacker))
    own = regiment(table, query.attacker)
    yield from (stroke for one in foes for stroke in reaching(table, query.attacker, one, "touching"))
    if not foes:
        yield ray(own.front, own.facing_rad, _SIGN_MM, "path", query.attacker)


def touching(table: Situation, query: queries.CombatContacts, ruling: Ruling) -> Strokes:
    """Along what all of them touch; where nobody does, how near those come who are nearest."""
    among = query.among or all_regiments(table)
    found = tuple(contacts(table, among))
    yield from found
    foes = [(a, b) for k, a in enumerate(among) for b in among[:k] if not are_friends(table, a, b)]
    if not found and foes:
        yield between(table, *min(foes, key=lambda pair: apart(table, *pair).mm), "blocked")


def points(table: Situation, query: queries.Score, ruling: Ruling) -> Strokes:
    """The units that are worth points now and still stand."""
    parts = ruling.value.get("parts")
    told = [one["objective"] for one in parts if isinstance(one, dict)] if isinstance(parts, list) else []
    yield from bodies_of(table, [one for one in told if isinstance(one, str)], "limit")


def kept_off(table: Situation, query: queries.OneInchRule, ruling: Ruling) -> Strokes:
    """The inch round where it comes nearest, and what it comes nearest to."""
    thing, at = ruling.value.get("thing"), ruling.value.get("at")
    if not isinstance(thing, str) or not isinstance(at, list):
        yield from bodies_of(table, () if query.mover is None else (query.mover,), "limit")
        return
    where = Rounded(tuple(map(_point, at)))
    yield band((where,), parameters.SPACING_MM, "limit")
    yield from solid(table, thing, "limit" if (ruling.margin_mm or 0.0) > 0 else "blocker")
    parts = [part for _, area in body(table, thing) for part in area.parts]
    near = min((gap(where, part) for part in parts), key=lambda one: one.mm)
    yield line(near.at_a, near.at_b, met(ruling), thing)


def _point(told: Any) -> Point:
    return (float(told[0]), float(told[1]))


def solid(table: Situation, id_: str, role: WitnessRole) -> Strokes:
    yield from bodies_of(table, (id_,), role) if _is_unit(table, id_) else area_of(table, id_, role)


def _is_unit(table: Situation, id_: str) -> bool:
    return id_ in table.miniatures or any(unit.id == id_ for unit in table.state.units)


def stopped(table: Situation, query: Any, ruling: Ruling) -> Strokes:
    """What stops a move, or makes it illegal."""
    violation, by = ruling.value.get("violation"), ruling.value.get("stopped_by")
    thing = violation.get("thing") if isinstance(violation, dict) else by
    if isinstance(thing, str) and thing in table.state.by_id:
        yield from solid(table, thing, "blocker")
