"""Line spells: whom a straight line from the caster strikes."""

import math

from models.queries import LineHits
from models.unit_conversion import inches
from models.verdict import Witness
from models.vocabulary import Point
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.shooting.cannon import bases_struck
from referee.editions.warhammer_9.shooting.templates import point_along
from referee.editions.warhammer_9.shooting.war_machine_aim import certain_hit
from referee.editions.warhammer_9.units.quadrants import front_quadrant
from referee.editions.warhammer_9.units.regiment import members_of, regiment
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape, disc
from referee.motion.sweep import stretch_within
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least

_LINE = because("The Penumbral Pendulum", 119, "A line ahead of the caster strikes the first of each rank it crosses.")


def line_hits(table: ExactTable, query: LineHits) -> RuleResult:
    """Line spell: whom it strikes. Source: The Penumbral Pendulum, p. 119; Cannons, p. 89: the first of each rank."""
    own = regiment(table, query.attacker)
    way = math.radians(query.heading_deg)
    start = _rim_point(table.base(members_of(table, query.attacker)[0]), (math.cos(way), math.sin(way)))
    end = point_along(start, query.heading_deg, inches(query.length_in))
    ahead = -gap(front_quadrant(own), disc(end, 0.0)).mm
    in_front = is_at_least(ahead, 0.0, "has the end of its line in front", own.outline_ids)
    struck = bases_struck(table, query.attacker, start, end) if in_front else []
    return RuleResult(
        status="measured",
        value={"line_mm": [[*start], [*end]], "in_front": in_front},
        members=tuple(certain_hit(table, id_) for id_ in struck),
        witness=(Witness(type="segment", role="path", points_mm=(start, end), of=(query.attacker,)),),
        because=(with_effect(table, _LINE, f"{len(struck)} are struck."),),
    )


def _rim_point(base: RoundedShape, way: Point) -> Point:
    """Where a line from the middle of a base leaves it."""
    span = stretch_within(RoundedShape((base.centre,)), way, base)
    far = 0.0 if span is None else span[1]
    return (base.centre[0] + far * way[0], base.centre[1] + far * way[1])
