"""Magical vortex: where one may be laid, where it goes, and whom it crosses."""

import math

from models.queries import Vortex
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Reason, Witness
from models.vocabulary import Point
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.line_of_sight.scene import solid_bodies
from referee.editions.warhammer_9.magic.spell_target import casting_wizard
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.shooting.templates import point_along, point_of
from referee.editions.warhammer_9.shooting.war_machine_aim import certain_hit
from referee.editions.warhammer_9.units.engagement import engaged_with
from referee.editions.warhammer_9.units.quadrants import front_quadrant
from referee.editions.warhammer_9.units.regiment import all_regiments, are_friends, members_of, regiment, regiment_of
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape, disc
from referee.motion.sweep import stretch_within
from referee.rules.conditions import list_margins
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import EXACT_MM, is_more_than, is_out_of_reach

_VORTEX = because("Spell Types", 29, "Touching its caster, in front, over neither friends nor those who fight.")
_DRIFT = because("Spell Types", 29, "It goes straight on; where it would end on a unit it goes an inch beyond.")


def vortex(table: ExactTable, query: Vortex) -> RuleResult:
    """Vortex: where it may be laid, or goes. Source: Spell Types, p. 29."""
    radius = inches(query.diameter_in) / 2
    own = regiment(table, casting_wizard(table, query.caster))
    start = own.to_table(radius, 0.0, own.front) if query.to is None else point_of(table, query.to)
    clauses = _placement_clauses(table, own.id, start, radius)
    heading = math.degrees(own.facing_rad) if query.heading_deg is None else query.heading_deg
    end, rolled = start, start
    if query.distance_in is not None and not table.margins_only:
        rolled = point_along(start, heading, inches(query.distance_in))
        end = _end_point(table, start, radius, heading, inches(query.distance_in))
    crossed = [] if query.distance_in is None else _crossed_units(table, start, rolled, radius)
    name = min(clauses, key=lambda one: clauses[one])
    told = list_margins(clauses)
    return RuleResult(
        margin_mm=clauses[name] if query.distance_in is None else CAPPED_MM,
        value={"clauses": told, "poses": {"vortex": {"at_mm": [*end]}}, "crossed": [*crossed]},
        members=tuple(
            certain_hit(table, m) for unit in crossed for m in _touched_members(table, unit, start, rolled, radius)
        ),
        witness=(Witness(type="circle", role="limit", centre_mm=end, radius_mm=radius),),
        because=(
            with_effect(table, _VORTEX, f"{name.capitalize()}: {format_length(abs(clauses[name]))}."),
            _explain_drift(table, rolled, end),
        ),
        depends_on_place=own.members,
        depends_on_facing=own.members,
    )


def _explain_drift(table: ExactTable, rolled: Point, end: Point) -> Reason:
    """The rule, and by how much it goes on so as not to end on a unit."""
    more = math.dist(rolled, end)
    return with_effect(table, _DRIFT, f"It goes {format_length(more)} farther.") if more > EXACT_MM else _DRIFT


def _placement_clauses(table: ExactTable, caster: str, at: Point, radius: float) -> dict[str, float]:
    own = regiment(table, caster)
    touching = parameters.CONTACT_MM - abs(gap(disc(at, radius), table.base(members_of(table, caster)[0])).mm)
    found = {"touching": touching, "in-front": -gap(front_quadrant(own), disc(at, 0.0)).mm}
    own_unit, own_base = regiment_of(table, caster), members_of(table, caster)[0]
    barred = [
        gap(disc(at, radius), one.shape).mm
        for id_ in all_regiments(table)
        if id_ not in (caster, own_unit) and (are_friends(table, caster, id_) or engaged_with(table, id_))
        for one in solid_bodies(table, id_)
    ]
    mates = [m for m in members_of(table, own_unit) if m != own_base]
    barred += [gap(disc(at, radius), table.base(m)).mm for m in mates]
    return found | ({"clear": min(barred)} if barred else {})


def _end_point(table: ExactTable, start: Point, radius: float, heading_deg: float, by_mm: float) -> Point:
    """Straight on, and an inch beyond whatever it would end on."""
    way = math.radians(heading_deg)
    ahead = (math.cos(way), math.sin(way))
    bodies = [one for id_ in all_regiments(table) for one in solid_bodies(table, id_)]
    spans = [stretch_within(disc(start, radius), ahead, one.shape, parameters.SPACING_MM) for one in bodies]
    clear = [stretch_within(disc(start, radius), ahead, one.shape) for one in bodies]
    ends = [
        (c, s, one.members) for c, s, one in zip(clear, spans, bodies, strict=True) if c is not None and s is not None
    ]
    for over, near, on in sorted(ends):
        before = is_more_than(by_mm, over[0], "the vortex comes to", on)
        if before and is_more_than(over[1], by_mm, "the vortex would end on", on):
            by_mm = near[1]
    return point_along(start, heading_deg, by_mm)


_NEAR_MM = 10.0  # who is farther off is crossed by no error


def _swept_area(start: Point, end: Point, radius: float) -> RoundedShape:
    return RoundedShape((start, end), radius) if math.dist(start, end) > 1e-9 else disc(start, radius)


def _crossed_units(table: ExactTable, start: Point, end: Point, radius: float) -> list[str]:
    """Units of whom any lies in its way; whoever stands far off is not looked at."""
    swept = _swept_area(start, end, radius)
    near = [
        id_
        for id_ in all_regiments(table)
        if not all(is_out_of_reach(gap(swept, b.shape).mm, _NEAR_MM) for b in solid_bodies(table, id_))
    ]
    return [id_ for id_ in near if _touched_members(table, id_, start, end, radius)]


def _touched_members(table: ExactTable, unit: str, start: Point, end: Point, radius: float) -> list[str]:
    swept = _swept_area(start, end, radius)
    found = ((m, -gap(swept, table.base(m)).mm) for m in members_of(table, unit))
    return [m for m, mm in found if is_more_than(mm, 0.0, "lies in the way of the vortex", (m,))]
