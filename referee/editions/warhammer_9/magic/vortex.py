"""Magical vortex: where it may be laid and whom it crosses; push: where a spell leaves the unit that it moves."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from models.queries import Push, Vortex
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Reason, Witness
from models.vocabulary import Point
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.line_of_sight.scene import is_beside_path, solid_bodies
from referee.editions.warhammer_9.magic.spell_target import casting_wizard
from referee.editions.warhammer_9.movement import path_legs
from referee.editions.warhammer_9.movement.spacing import ids_near, spaced_obstacles
from referee.editions.warhammer_9.movement.table_edge import find_edge_contact
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.shooting.templates import point_along, point_of
from referee.editions.warhammer_9.units.engagement import engaged_with
from referee.editions.warhammer_9.units.quadrants import front_quadrant
from referee.editions.warhammer_9.units.regiment import all_regiments, are_friends, members_of, regiment, regiment_of
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape, convex_hull, disc
from referee.motion.block_pose import BlockPose
from referee.motion.sweep import stretch_within
from referee.rules.candidates import evaluate_each, in_play
from referee.rules.conditions import RIVAL_MM, Clauses, all_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.rule_result import Candidate, RuleResult
from referee.rules.switches import EXACT_MM, is_more_than, is_out_of_reach

_VORTEX = because("Spell Types", 29, "Touching its caster, in front, over neither friends nor those who fight.")
_DRIFT = because("Spell Types", 29, "It goes straight on; where it would end on a unit it goes an inch beyond.")
_NEAR_MM = 10.0  # who is farther off is crossed by no error
_PUSH = because("Wind Blast", 117, "It is moved straight away without a turn, and stops an inch before others.")


def vortex(table: ExactTable, query: Vortex) -> RuleResult:
    """Vortex: where it may be laid, or goes. Source: Spell Types, p. 29."""
    drift = _Drift.of(table, query)
    own = regiment(table, casting_wizard(table, query.caster))
    clauses = _placement_clauses(table, own.id, drift.start, drift.radius)
    laid = all_of(clauses)
    end, rolled = drift.start, drift.start
    if query.distance_in is not None and not table.margins_only:
        rolled = point_along(drift.start, drift.heading_deg, inches(query.distance_in))
        end = _end_point(table, drift.start, drift.radius, drift.heading_deg, inches(query.distance_in))
    crossed = [] if query.distance_in is None else _crossed_units(table, drift.start, rolled, drift.radius)
    name, worst = min(clauses, key=lambda clause: clause[1].decisive_mm)
    moved = replace(laid, margin_mm=CAPPED_MM, conditions=()) if query.distance_in is not None else laid
    return replace(
        moved,
        value={**laid.value, "poses": {"vortex": {"at_mm": [*end]}}, "crossed": [*crossed]},
        members=_list_crossed(table, query, drift.swept(query)),
        witness=(Witness(type="circle", role="limit", centre_mm=end, radius_mm=drift.radius),),
        because=(
            with_effect(table, _VORTEX, f"{name.capitalize()}: {format_length(abs(worst.decisive_mm))}."),
            _explain_drift(table, rolled, end),
        ),
        depends_on_place=tuple(dict.fromkeys((*laid.depends_on_place, *own.members))),
        depends_on_facing=own.members,
    )


@dataclass(frozen=True)
class _Drift:
    """Where it begins, as large as it is, and which way it goes."""

    start: Point
    radius: float
    heading_deg: float

    @classmethod
    def of(cls, table: ExactTable, query: Vortex) -> "_Drift":
        radius, own = inches(query.diameter_in) / 2, regiment(table, casting_wizard(table, query.caster))
        start = own.to_table(radius, 0.0, own.front) if query.to is None else point_of(table, query.to)
        heading = math.degrees(own.facing_rad) if query.heading_deg is None else query.heading_deg
        return cls(start, radius, heading)

    def swept(self, query: Vortex) -> RoundedShape | None:
        """What it goes over; None while it lies where it was laid."""
        if query.distance_in is None:
            return None
        return _swept_area(
            self.start, point_along(self.start, self.heading_deg, inches(query.distance_in)), self.radius
        )


def _list_crossed(table: ExactTable, query: Vortex, swept: RoundedShape | None) -> tuple[Candidate, ...]:
    """Everybody in or near its way, each with how deep the vortex goes over it."""
    if swept is None:
        return ()
    caster = members_of(table, query.caster)[:1]

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        now = _Drift.of(perturbed, query).swept(query)
        assert now is not None
        depth = -gap(now, perturbed.base(id_)).mm
        on = tuple(dict.fromkeys((id_, *caster)))
        return RuleResult(margin_mm=depth, zero_is_met=False, because=(_DRIFT,), depends_on_place=on)

    near = [id_ for id_ in in_play(table, *caster) if not is_out_of_reach(gap(swept, table.base(id_)).mm, _NEAR_MM)]
    return evaluate_each(table, near, about)


def _explain_drift(table: ExactTable, rolled: Point, end: Point) -> Reason:
    """The rule, and by how much it goes on so as not to end on a unit."""
    more = math.dist(rolled, end)
    return with_effect(table, _DRIFT, f"It goes {format_length(more)} farther.") if more > EXACT_MM else _DRIFT


def _placement_clauses(table: ExactTable, caster: str, at: Point, radius: float) -> Clauses:
    own, base = regiment(table, caster), members_of(table, caster)[0]
    apart, laid = gap(disc(at, radius), table.base(base)).mm, disc(at, radius)
    touching = RuleResult(
        margin_mm=parameters.CONTACT_MM - abs(apart),
        depends_on_place=(base,),
        conditions=tuple(
            RuleResult(margin_mm=parameters.CONTACT_MM - side, depends_on_place=(base,)) for side in (apart, -apart)
        ),
    )
    ahead = -gap(front_quadrant(own), disc(at, 0.0)).mm
    front = RuleResult(margin_mm=ahead, depends_on_place=own.members[:1], depends_on_facing=own.members[:1])
    barred = [*_barred_bodies(table, caster, laid), *_comrades(table, caster, laid)]
    least = min((body.decisive_mm for body in barred), default=0.0)
    rivals = tuple(("clear", body) for body in barred if body.decisive_mm < least + RIVAL_MM)
    clear = (("clear", replace(all_of(rivals), value={})),) if rivals else ()
    return (("touching", touching), ("in-front", front), *clear)


def _barred_bodies(table: ExactTable, caster: str, laid: RoundedShape) -> Iterator[RuleResult]:
    """Friends, and enemies who fight: it may lie over none of them."""
    for id_ in all_regiments(table):
        if id_ in (caster, regiment_of(table, caster)):
            continue
        if are_friends(table, caster, id_) or engaged_with(table, id_):
            for body in solid_bodies(table, id_):
                yield RuleResult(margin_mm=gap(laid, body.shape).mm, depends_on_place=body.members)


def _comrades(table: ExactTable, caster: str, laid: RoundedShape) -> Iterator[RuleResult]:
    """The others of the unit that the caster has joined."""
    base = members_of(table, caster)[0]
    for member in members_of(table, regiment_of(table, caster)):
        if member != base:
            yield RuleResult(margin_mm=gap(laid, table.base(member)).mm, depends_on_place=(member,))


def _end_point(table: ExactTable, start: Point, radius: float, heading_deg: float, by_mm: float) -> Point:
    """Straight on, and an inch beyond whatever it would end on."""
    heading_rad = math.radians(heading_deg)
    ahead = (math.cos(heading_rad), math.sin(heading_rad))
    ends = []
    for id_ in all_regiments(table):
        bodies = solid_bodies(table, id_)
        over, near = (
            [span for b in bodies if (span := stretch_within(disc(start, radius), ahead, b.shape, mm)) is not None]
            for mm in (0.0, parameters.SPACING_MM)
        )
        beyond = max((far for _, far in near), default=0.0)
        ends += [(*span, beyond, members_of(table, id_)[:1]) for span in over]
    for first, last, beyond, on in sorted(ends):
        before = is_more_than(by_mm, first, "the vortex comes to", on)
        if before and is_more_than(last, by_mm, "the vortex would end on", on):
            by_mm = beyond
    return point_along(start, heading_deg, by_mm)


def _swept_area(start: Point, end: Point, radius: float) -> RoundedShape:
    return RoundedShape((start, end), radius) if math.dist(start, end) > 1e-9 else disc(start, radius)


def _crossed_units(table: ExactTable, start: Point, end: Point, radius: float) -> list[str]:
    """Units of whom any lies on its path; those far off are not measured."""
    swept = _swept_area(start, end, radius)
    near = [
        id_
        for id_ in all_regiments(table)
        if not all(is_out_of_reach(gap(swept, b.shape).mm, _NEAR_MM) for b in solid_bodies(table, id_))
    ]
    return [id_ for id_ in near if _touched_members(table, id_, start, end, radius)]


def _touched_members(table: ExactTable, unit: str, start: Point, end: Point, radius: float) -> list[str]:
    swept = _swept_area(start, end, radius)
    touches = ((m, -gap(swept, table.base(m)).mm) for m in members_of(table, unit))
    return [m for m, mm in touches if is_more_than(mm, 0.0, "lies in the way of the vortex", (m,))]


def push(table: ExactTable, query: Push) -> RuleResult:
    """Push: where it leaves a unit. Source: Wind Blast, p. 117."""
    if query.distance_in is None:
        return RuleResult(status="unknown", needs=("distance_in",), because=(_PUSH,))
    own, start = BlockPose.of(regiment(table, query.target)), regiment(table, query.attacker).centre
    away = math.atan2(own.centre[1] - start[1], own.centre[0] - start[0])
    heading = (math.cos(away), math.sin(away))
    own_front = tuple(dict.fromkeys(regiment(table, query.target).rank(0)[k] for k in (0, -1)))
    by_mm, stopped_by = inches(query.distance_in), None
    run = RoundedShape(
        convex_hull([*own.corners, *((x + by_mm * heading[0], y + by_mm * heading[1]) for x, y in own.corners)])
    )
    for id_, shape in spaced_obstacles(table, query.target):
        if is_beside_path(run, shape):
            continue
        span = stretch_within(own.shape, heading, shape, parameters.SPACING_MM)
        if span is None or span[1] <= 0:
            continue
        if is_more_than(by_mm, span[0], "is stopped by", (*own_front, *ids_near(table, id_))):
            by_mm, stopped_by = max(0.0, span[0]), id_
    edge = find_edge_contact(table, own, heading)  # Source: Moving of the Board, p. 23
    if is_more_than(by_mm, edge.after_mm, f"is pushed to {edge.edge},", own_front):
        by_mm, stopped_by = edge.after_mm, edge.edge
    turn = away - own.facing_rad
    end = own.translate(by_mm * math.cos(turn), by_mm * math.sin(turn))
    return RuleResult(
        status="measured",
        value={
            "travelled_mm": by_mm,
            "stopped_by": stopped_by,
            "hits_both": stopped_by is not None and stopped_by in table.state.by_id,
            "poses": path_legs.unit_poses(table, regiment(table, query.target), end),
            "paths": {query.target: path_legs.straight_leg(own, end)},
            "follow_mm": 0.0,
            "fall": None,
        },
        lengths_mm={"travelled": by_mm},
        witness=(Witness(type="polygon", role="path", points_mm=convex_hull([*own.corners, *end.corners])),),
        because=(with_effect(table, _PUSH, _explain(table, query, by_mm, stopped_by)),),
        depends_on_place=own_front,
    )


def _explain(table: ExactTable, query: Push, went_mm: float, stopped_by: str | None) -> str:
    """How far it goes, and what keeps it from going farther."""
    text = f"{name_of(table, query.target)} goes {format_length(went_mm)}"
    if stopped_by is None:
        return f"{text}."
    return f"{text} of {format_length(inches(query.distance_in or 0.0))}: {name_of(table, stopped_by)} stops it."
