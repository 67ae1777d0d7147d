"""Witnesses of moves: paths, ends, contacts and obstructions of questions about moves, fights and set-up."""

import math
from collections.abc import Iterator
from typing import Any

from models import queries
from models.unit_conversion import inches
from models.verdict import Witness, WitnessRole
from models.vocabulary import Point
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.setup.deployment import scenario_zone
from referee.editions.warhammer_9.units.distances import closest_bases, measured_parts
from referee.editions.warhammer_9.units.engagement import engaged_with
from referee.editions.warhammer_9.units.regiment import all_regiments, are_friends, members_of, regiment, side_of
from referee.editions.warhammer_9.witnesses.primitives import (
    Strokes,
    band,
    draw_area,
    draw_bases,
    draw_contact_or_gap,
    draw_contacts,
    draw_gap,
    draw_regiments,
    line,
    outline,
    ray,
    result_role,
)
from referee.editions.warhammer_9.witnesses.reach import Picture, as_ids, draw_ring
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape
from referee.motion.block_pose import BlockPose
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_SIGN_MM = 100.0  # how long a stroke is that only shows a way


def draw_reach(a: str, b: str) -> Picture:
    """The stretch along which two touch, or the gap between them."""

    def picture(table: ExactTable, query: Any, result: RuleResult) -> Strokes:
        yield from draw_contact_or_gap(table, getattr(query, a), getattr(query, b), result_role(result))

    return picture


def draw_fights(*fields: str) -> Picture:
    """Contacts of those whom the question names with their enemies."""

    def picture(table: ExactTable, query: Any, result: RuleResult) -> Strokes:
        ids = [id_ for name in fields for id_ in as_ids(getattr(query, name))]
        yield from draw_contacts(table, ids)
        yield from draw_regiments(table, ids, "limit")

    return picture


def draw_deployment(table: ExactTable, query: queries.Deployment, result: RuleResult) -> Strokes:
    """The zone, and where the unit would stand."""
    zone = result.value.get("zone")
    named = scenario_zone(table, side_of(table, query.who))
    if isinstance(zone, str) and zone in table.state.by_id:
        yield from draw_area(table, zone, "limit")
    elif named is not None:
        yield Witness(type="polygon", role="limit", points_mm=named[1])
    own = BlockPose.of(regiment(table, query.who))
    pose = own if query.to is None else own.place_at(query.to)
    yield outline(pose.corners, result_role(result), query.who)


def draw_reinforcements(table: ExactTable, query: queries.Reinforcements, result: RuleResult) -> Strokes:
    """The unit, and the line up to which it may come on."""
    size, deep = table.state.table, result.value.get("depth_mm")
    own = BlockPose.of(regiment(table, query.who))
    pose = own if query.to is None else own.place_at(query.to)
    yield outline(pose.corners, result_role(result), query.who)
    if isinstance(deep, float | int):
        wide, far = size.width_mm, size.depth_mm
        ends = {
            "edge:near": ((0.0, deep), (wide, deep)),
            "edge:far": ((0.0, far - deep), (wide, far - deep)),
            "edge:left": ((deep, 0.0), (deep, far)),
            "edge:right": ((wide - deep, 0.0), (wide - deep, far)),
        }
        yield line(*ends[query.edge], "limit")


def draw_hazard(table: ExactTable, query: queries.Hazard, result: RuleResult) -> Strokes:
    """Dangerous terrain, the path, and who must test."""
    tested = result.value.get("by_id")
    ids = list(tested) if isinstance(tested, dict) else []
    areas = [t.id for t in table.state.terrain if query.area in (None, t.id)]
    yield from (witness for id_ in areas for witness in draw_area(table, id_, "blocker" if ids else "limit"))
    yield from draw_bases(table, ids, "hit")
    own, steps = BlockPose.of(regiment(table, query.mover)), query.steps or ()
    pose = own
    for step in steps:
        before, pose = pose, pose.apply_step(step)
        yield line(before.front, pose.front, "path", query.mover)
    yield outline(pose.corners, "limit", query.mover)


def draw_hills(table: ExactTable, query: queries.ElevationBonus, result: RuleResult) -> Strokes:
    """Hills, and both units."""
    high = [t.id for t in table.state.terrain if t.kind == "hill"]
    yield from (witness for id_ in high for witness in draw_area(table, id_, "limit"))
    yield from draw_regiments(table, (query.attacker,), result_role(result))
    yield from draw_regiments(table, (query.target,), "limit")


def draw_flight(table: ExactTable, query: queries.Flee, result: RuleResult) -> Strokes:
    """The direction in which a unit will run."""
    heading = result.value.get("heading_deg")
    own = regiment(table, query.mover)
    if isinstance(heading, float | int):
        yield ray(own.centre, math.radians(heading), own.reach_mm + _SIGN_MM, "path", query.mover)


def draw_threats(table: ExactTable, query: queries.Flee, result: RuleResult) -> Strokes:
    """The line from each threat, and who is run through."""
    threats = result.value.get("threats")
    for threat in threats if isinstance(threats, list) else []:
        if isinstance(threat, str):
            yield line(regiment(table, threat).centre, regiment(table, query.mover).centre, "limit", threat)
    crossed = result.value.get("crossed")
    for threat in crossed if isinstance(crossed, list) else []:
        if isinstance(threat, str):
            yield from draw_solid(table, threat, "blocker")


def draw_pursuit(table: ExactTable, query: queries.Pursuit, result: RuleResult) -> Strokes:
    """The line from the pursuer to those who flee."""
    own = regiment(table, query.winner)
    if query.loser is None:
        yield ray(own.front, own.facing_rad, _SIGN_MM, "path", query.winner)
    else:
        yield line(own.centre, regiment(table, query.loser).centre, "path", query.winner)
        yield from draw_contacts(table, (query.winner,))


def draw_random_move(table: ExactTable, query: queries.RandomMove, result: RuleResult) -> Strokes:
    """The direction of a random move, as far as the first enemy."""
    own = regiment(table, query.mover)
    facing = own.facing_rad if query.heading_deg is None else math.radians(query.heading_deg)
    far = result.value.get("to_enemy_mm")
    long = float(far) if isinstance(far, float | int) else inches(6)
    yield ray(own.front, facing, max(long, 1.0), "path", query.mover)


def draw_end_poses(field: str) -> Picture:
    """Where the bases stand in the end."""

    def picture(table: ExactTable, query: Any, result: RuleResult) -> Strokes:
        mover = getattr(query, field)
        poses = result.value.get("poses")
        pose_by_id = poses if isinstance(poses, dict) else {}
        shown = [w for m in members_of(table, mover) if m in pose_by_id for w in _draw_base_at(table, m, pose_by_id[m])]
        yield from shown or list(draw_regiments(table, (mover,), result_role(result)))

    return picture


def _draw_base_at(table: ExactTable, id_: str, pose: Any) -> Iterator[Witness]:
    turned = table.with_place(id_, (pose["at_mm"][0], pose["at_mm"][1])).with_facing(
        id_, math.radians(pose["facing_deg"])
    )
    yield from draw_bases(turned, (id_,), "limit")


def draw_casualties(table: ExactTable, query: queries.Casualties, result: RuleResult) -> Strokes:
    """Who is removed."""
    gone = result.value.get("removed")
    yield from draw_bases(table, [id_ for id_ in gone if isinstance(id_, str)] if isinstance(gone, list) else [], "hit")
    yield from draw_regiments(table, (query.unit,), "limit")


def draw_march(table: ExactTable, query: queries.March, result: RuleResult) -> Strokes:
    """The nearest enemy, and the ring in which it hinders a march."""
    nearest = result.value.get("nearest")
    if isinstance(nearest, str):
        yield draw_gap(table, query.mover, nearest, result_role(result))
    yield draw_ring(table, query.mover, parameters.MARCH_BLOCK_MM)


def draw_machine_combat(table: ExactTable, query: queries.WarMachineCombat, result: RuleResult) -> Strokes:
    """The lines to a machine, and who fights it."""
    yield from (draw_gap(table, attacker, query.target, "touching") for attacker in query.attackers)
    yield from draw_bases(table, [member.id for member in result.members if member.id in table.miniatures], "hit")


def draw_impact(table: ExactTable, query: queries.ImpactAttacks, result: RuleResult) -> Strokes:
    """Contacts with those whom impact hits or stomps may strike."""
    foes = as_ids(query.target) or tuple(engaged_with(table, query.attacker))
    own = regiment(table, query.attacker)
    yield from (stroke for id_ in foes for stroke in draw_contact_or_gap(table, query.attacker, id_, "touching"))
    if not foes:
        yield ray(own.front, own.facing_rad, _SIGN_MM, "path", query.attacker)


def draw_combat_contacts(table: ExactTable, query: queries.CombatContacts, result: RuleResult) -> Strokes:
    """Contacts of all of them; where nobody touches, the least gap."""
    among = query.among or all_regiments(table)
    contacts = tuple(draw_contacts(table, among))
    yield from contacts
    foes = [(a, b) for k, a in enumerate(among) for b in among[:k] if not are_friends(table, a, b)]
    if not contacts and foes:
        yield draw_gap(table, *min(foes, key=lambda pair: closest_bases(table, *pair).mm), "blocked")


def draw_scoring_units(table: ExactTable, query: queries.Score, result: RuleResult) -> Strokes:
    """Units that are worth points and still stand."""
    parts = result.value.get("parts")
    objectives = [part["objective"] for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
    yield from draw_regiments(table, [objective for objective in objectives if isinstance(objective, str)], "limit")


def draw_one_inch(table: ExactTable, query: queries.OneInchRule, result: RuleResult) -> Strokes:
    """The inch round where a path comes nearest, and what it comes nearest to."""
    thing, at = result.value.get("thing"), result.value.get("at")
    if not isinstance(thing, str) or not isinstance(at, list):
        yield from draw_regiments(table, () if query.mover is None else (query.mover,), "limit")
        return
    where = RoundedShape(tuple(map(_parse_point, at)))
    yield band((where,), parameters.SPACING_MM, "limit")
    yield from draw_solid(table, thing, "limit" if (result.margin_mm or 0.0) > 0 else "blocker")
    parts = [part for _, area in measured_parts(table, thing) for part in area.parts]
    near = min((gap(where, part) for part in parts), key=lambda gap_to: gap_to.mm)
    yield line(near.at_a, near.at_b, result_role(result), thing)


def _parse_point(raw: Any) -> Point:
    return (float(raw[0]), float(raw[1]))


def draw_solid(table: ExactTable, id_: str, role: WitnessRole) -> Strokes:
    """The outline of a unit or of terrain."""
    yield from draw_regiments(table, (id_,), role) if _is_unit(table, id_) else draw_area(table, id_, role)


def _is_unit(table: ExactTable, id_: str) -> bool:
    return id_ in table.miniatures or any(unit.id == id_ for unit in table.state.units)


def draw_obstruction(table: ExactTable, query: Any, result: RuleResult) -> Strokes:
    """What stops a move, or makes it illegal."""
    violation, by = result.value.get("violation"), result.value.get("stopped_by")
    thing = violation.get("thing") if isinstance(violation, dict) else by
    if isinstance(thing, str) and thing in table.state.by_id:
        yield from draw_solid(table, thing, "blocker")
