"""Witnesses of reach: arcs, lines and rings of questions about who sees, reaches or shoots whom."""

import math
from collections.abc import Callable
from typing import Any

from models import queries
from models.terrain import Objective
from models.verdict import Witness, WitnessRole
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.units.distances import measured_parts
from referee.editions.warhammer_9.units.engagement import edge_of, free_sides
from referee.editions.warhammer_9.units.quadrants import arc_lines, front_quadrant
from referee.editions.warhammer_9.units.regiment import all_regiments, garrisoned_building, members_of, regiment
from referee.editions.warhammer_9.witnesses.primitives import (
    Strokes,
    band,
    draw_area,
    draw_bases,
    draw_contacts,
    draw_gap,
    draw_regiments,
    line,
    margin_role,
    outline,
    ray,
    result_role,
)
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

Picture = Callable[[ExactTable, Any, RuleResult], Strokes]
_SIGN_MM = 100.0  # how long a stroke is that only shows a way


def draw_pair(a: str, b: str) -> Picture:
    """The line between two that the question names."""

    def picture(table: ExactTable, query: Any, result: RuleResult) -> Strokes:
        yield draw_gap(table, getattr(query, a), getattr(query, b), result_role(result))

    return picture


def draw_spokes(table: ExactTable, hub: Any, result: RuleResult) -> Strokes:
    """Lines from a hub to every candidate."""
    for member in result.members:
        mm = None if member.result is None else member.result.margin_mm
        if hub is not None and member.id != hub:
            role = (
                "limit"
                if mm is None
                else margin_role(mm, zero_is_met=bool(member.result and member.result.zero_is_met))
            )
            yield draw_gap(table, hub, member.id, role)


def draw_aura(table: ExactTable, query: queries.Aura, result: RuleResult) -> Strokes:
    """The ring of a radius, and lines to all candidates."""
    limit = result.value.get("limit_mm")
    if isinstance(limit, float | int):
        yield draw_ring(table, query.source, float(limit))
    yield from draw_spokes(table, query.source, result)


def draw_ring(table: ExactTable, place: Any, by_mm: float) -> Witness:
    """The ring at that distance round a place."""
    return band([part for _, area in measured_parts(table, place) for part in area.parts], by_mm, "limit")


def draw_morale(table: ExactTable, query: queries.MoraleCheck, result: RuleResult) -> Strokes:
    """The ring of panic round its source, and who must test."""
    source = query.source
    if source is not None and members_of(table, source) and query.cause != "casualties":
        if query.cause in ("destroyed", "broken"):
            yield draw_ring(table, source, parameters.PANIC_MM)
        yield from draw_spokes(table, source, result)
        yield from draw_regiments(table, (source,), "limit")
    else:
        yield from draw_regiments(table, (query.unit,) if query.unit is not None else all_regiments(table), "limit")


def draw_pair_and_arc(attacker: str, target: str) -> Picture:
    """The line between two, and the lines that bound the front of the first."""

    def picture(table: ExactTable, query: Any, result: RuleResult) -> Strokes:
        attacker_id = getattr(query, attacker)
        yield draw_gap(table, attacker_id, getattr(query, target), result_role(result))
        if garrisoned_building(table, attacker_id) is None:
            yield from arc_lines(regiment(table, attacker_id))

    return picture


def draw_front_arc(table: ExactTable, query: queries.InFrontArc, result: RuleResult) -> Strokes:
    """The part of the target within the quadrant, else the line by which it lies outside."""
    if garrisoned_building(table, query.viewer) is not None:
        yield draw_gap(table, query.viewer, query.target, result_role(result))
        return
    own = regiment(table, query.viewer)
    yield from draw_regiments(table, (query.viewer,), "limit")
    parts = [part for _, area in measured_parts(table, query.target) for part in area.parts]
    inside = [clipped for part in parts if (clipped := _clip_to_front(part, front_quadrant(own))) is not None]
    if inside:
        yield from (outline(id_, "clear") for id_ in inside)
        return
    near = min((gap(part, front_quadrant(own)) for part in parts), key=lambda gap_to: gap_to.mm)
    yield line(near.at_a, near.at_b, "blocked")


def _clip_to_front(part: RoundedShape, by: RoundedShape) -> tuple[tuple[float, float], ...] | None:
    """What of a convex outline lies in another; of a round base nothing but its middle is looked at."""
    points = list(part.points)
    for (ax, ay), (bx, by_) in by.edges():
        side = [(bx - ax) * (y - ay) - (by_ - ay) * (x - ax) for x, y in points]
        kept: list[tuple[float, float]] = []
        for k, (x, y) in enumerate(points):
            px, py, here, before = *points[k - 1], side[k], side[k - 1]
            if here * before < 0:
                share = before / (before - here)
                kept.append((px + share * (x - px), py + share * (y - py)))
            if here >= 0:
                kept.append((x, y))
        points = kept
    return tuple(points) if len(points) > 2 else None


def draw_arc(table: ExactTable, query: queries.Arc, result: RuleResult) -> Strokes:
    """The viewer, and the line to the target."""
    yield from draw_regiments(table, (query.viewer,), "limit")
    yield draw_gap(table, query.viewer, query.target, "limit")


def draw_shooters(table: ExactTable, query: queries.Shooters, result: RuleResult) -> Strokes:
    """Lines from the first and last shooter, and the bounds of the front."""
    able = [
        member.id
        for member in result.members
        if (own := member.result) is not None
        and own.margin_mm is not None
        and margin_role(own.margin_mm, zero_is_met=own.zero_is_met) == "clear"
    ]
    yield draw_gap(table, query.attacker, query.target, result_role(result))
    yield from (draw_gap(table, id_, query.target, "limit") for id_ in dict.fromkeys((*able[:1], *able[-1:])))
    if garrisoned_building(table, query.attacker) is None:
        yield from arc_lines(regiment(table, query.attacker))


def draw_shot_into_combat(table: ExactTable, query: queries.ShootingIntoCombat, result: RuleResult) -> Strokes:
    """The fight, and the free side that is shot at."""
    own, side = regiment(table, query.target), result.value.get("side")
    yield from draw_contacts(table, (query.target,))
    sides = free_sides(table, query.target)
    if isinstance(side, str) and side in sides:
        yield _draw_side(own, side)
    yield draw_gap(table, query.attacker, query.target, result_role(result))


def _draw_side(own: Any, side: str) -> Witness:
    a, b = edge_of(own, side).points
    return line(a, b, "limit", own.id)


def draw_cover(table: ExactTable, query: queries.Cover, result: RuleResult) -> Strokes:
    """From the middle of the shooter's front to the middle of the target."""
    role: WitnessRole = "clear" if result.value.get("kind") == "none" else "blocked"
    if query.origin is not None or garrisoned_building(table, query.attacker) is not None:
        yield draw_gap(table, query.origin if query.origin is not None else query.attacker, query.target, role)
        return
    own = regiment(table, query.attacker)
    yield line(own.front, regiment(table, query.target).centre, role, own.id, query.target)
    yield from arc_lines(own)


def draw_protection(table: ExactTable, query: queries.LookOutSir, result: RuleResult) -> Strokes:
    """The character, and the unit that protects it."""
    by = result.value.get("by")
    unit_members = members_of(table, query.who)
    if isinstance(by, str) and by in table.state.by_id and by != query.who:
        yield draw_gap(table, query.who, by, result_role(result))
    yield from draw_bases(table, unit_members, result_role(result))


def draw_stone_aim(table: ExactTable, query: queries.StoneThrower, result: RuleResult) -> Strokes:
    """The line from a machine to its aim point."""
    yield draw_gap(table, query.attacker, query.at, result_role(result))


def draw_pivot(table: ExactTable, query: queries.WarMachinePivot, result: RuleResult) -> Strokes:
    """The facing, how far it may turn to either hand, and where it would look."""
    own = regiment(table, query.who)
    long = own.reach_mm + _SIGN_MM
    yield from (ray(own.centre, own.facing_rad + sign * math.pi / 4, long, "arc", query.who) for sign in (-1, 1))
    if query.target is not None:
        yield line(own.centre, table.area(query.target).parts[0].centre, result_role(result), query.who)
    else:
        heading = own.facing_rad if query.heading_deg is None else math.radians(query.heading_deg)
        yield ray(own.centre, heading, long, result_role(result), query.who)


def draw_fights_of_shooter(table: ExactTable, query: queries.MayShoot, result: RuleResult) -> Strokes:
    """Enemies the shooter fights, and the shooter."""
    yield from draw_contacts(table, (query.attacker,))
    yield from draw_regiments(table, (query.attacker,), result_role(result))


def draw_redirect(table: ExactTable, query: queries.ChargeRedirect, result: RuleResult) -> Strokes:
    """Lines to other targets, and the bounds of the front."""
    yield from draw_spokes(table, query.attacker, result)
    yield from arc_lines(regiment(table, query.attacker))


def draw_frenzy(table: ExactTable, query: queries.Frenzy, result: RuleResult) -> Strokes:
    """Lines to enemies, and the bounds of the front."""
    yield from draw_spokes(table, query.who, result)
    yield from arc_lines(regiment(table, query.who))


def draw_objective_control(table: ExactTable, query: queries.ObjectiveControl, result: RuleResult) -> Strokes:
    """The objective, and lines to all who might hold it."""
    thing = table.state.by_id[query.objective]
    place = thing.terrain if isinstance(thing, Objective) and thing.terrain is not None else query.objective
    yield from draw_spokes(table, place, result)
    yield from draw_area(table, place, "limit")


def as_ids(named: str | tuple[str, ...] | None) -> tuple[str, ...]:
    """One id, several or none, as a tuple."""
    return () if named is None else (named,) if isinstance(named, str) else named
