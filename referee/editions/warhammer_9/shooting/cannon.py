"""Cannon: what it may aim at, and whom a ball that bounces on, or a spell along a line, strikes."""

import math
from dataclasses import dataclass
from itertools import pairwise

from pydantic import JsonValue

from models.queries import Cannon, LineHits
from models.unit_conversion import inches
from models.verdict import Witness
from models.vocabulary import Point
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.line_of_sight.los import GRAZED_MM, point_sight_doubts
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.shooting.scatter import is_misfire, missing_dice, scatter_point
from referee.editions.warhammer_9.shooting.templates import bases_near_template, ids_under_hole, point_along, point_of
from referee.editions.warhammer_9.shooting.war_machine_aim import (
    aim_margin_mm,
    aim_slacks,
    certain_hit,
    clearance_from_unit_mm,
    failed_clauses,
    muzzle,
    point_beyond,
)
from referee.editions.warhammer_9.units.quadrants import front_quadrant, quadrant_of
from referee.editions.warhammer_9.units.regiment import (
    all_regiments,
    garrisoned_building,
    kind_of,
    members_of,
    regiment,
    regiment_of,
)
from referee.geometry.distance import gap
from referee.geometry.shapes import Area, RoundedShape, disc
from referee.motion.sweep import stretch_within
from referee.rules.conditions import RIVAL_MM, list_margins
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import with_effect
from referee.rules.rule_result import Candidate, RuleResult
from referee.rules.switches import is_at_least, is_more_than

_BALL = because("Cannons", 88, "The ball lands at the marker, bounces on, and strikes the first of each rank.")
_AIM = because("Cannons", 88, "No shot that might hit friends or enemies who fight.")
_LONGEST_BOUNCE_IN = 10.0
_BALL_MM = inches(0.1)
_LINE = because("The Penumbral Pendulum", 119, "A line ahead of the caster strikes the first of each rank it crosses.")


def cannon(table: ExactTable, query: Cannon) -> RuleResult:
    """Cannon: whether it may be aimed there, and whom the ball strikes. Source: Cannons, p. 88-89."""
    at, start, dice = point_of(table, query.at), muzzle(table, query.attacker), query.dice
    needs = () if dice.scatter is None or is_misfire(dice) else missing_dice(dice)
    if needs:
        return RuleResult(status="unknown", needs=needs, because=(_BALL,))
    slacks, seen_by = aim_slacks(table, query.attacker, at)
    line = _risk_area(table, start, at)
    barred = _clearances(table, query.attacker, line)
    if barred:
        least = min(barred.values())
        slacks["clear-of-friends"] = least if least > 0 else min(least, -GRAZED_MM)
    marker = scatter_point(at, dice, share=0.5)
    ball = Ball(marker, marker) if table.perturbations else Ball.of(table, query, start, marker)
    ranged = ("clear-of-friends",) if barred else ("range", "least-range")
    margin = aim_margin_mm(slacks, *ranged)
    return RuleResult(
        margin_mm=margin,
        value={
            "line_mm": [[*start], [*ball.end]],
            "point_mm": [*marker],
            "at_risk": [] if table.margins_only else [*_at_risk(table, query.attacker, start, at)],
            "clauses": list_margins(slacks),
            "by_id": ball.hits_value(),
            "near": [*ball.near],
            "stopped_by": ball.stopped_by,
            "misfire": is_misfire(dice),
        },
        outcomes=(ball.struck, failed_clauses(slacks)),
        members=tuple(_struck_candidate(table, m, ball) for m in ball.struck),
        witness=(Witness(type="segment", role="path", points_mm=(start, ball.end), of=(query.attacker,)),),
        because=(with_effect(table, _BALL, f"{len(ball.struck)} are struck."), _AIM),
        readings=("cannon-risk", "ball-width"),
        doubtful=_doubtful_house_rules(table, query),
        depends_on_place=tuple(
            dict.fromkeys((*members_of(table, query.attacker)[:1], *seen_by, *_nearest_member(table, barred, line)))
        ),
        depends_on_facing=members_of(table, query.attacker)[:1],
    )


def _doubtful_house_rules(table: ExactTable, query: Cannon) -> tuple[str, ...]:
    about_point = () if table.perturbations else point_sight_doubts(table, query.attacker, point_of(table, query.at))
    return ("cannon-risk", *about_point, *(("ball-width",) if query.dice.bounce is not None else ()))


def _clearances(table: ExactTable, machine: str, line: RoundedShape) -> dict[str, float]:
    """Whom the line must keep clear of, and by how much it does."""
    every = {id_: clearance_from_unit_mm(table, machine, id_, line) for id_ in _units_to_avoid(table, machine, line)}
    return {id_: mm for id_, mm in every.items() if mm is not None}


def _units_to_avoid(table: ExactTable, machine: str, line: RoundedShape) -> tuple[str, ...]:
    """Whom a shot may not hit; on a perturbed table only those who may come to be the nearest to its line."""
    if not table.perturbations:
        return all_regiments(table)
    key = ("feared", machine, line.points, line.radius_mm)
    return table.memoize_unperturbed(key, lambda still: _nearest_to_avoid(still, machine, line))


def _nearest_to_avoid(table: ExactTable, machine: str, line: RoundedShape) -> tuple[str, ...]:
    clearances = {id_: clearance_from_unit_mm(table, machine, id_, line) for id_ in all_regiments(table)}
    near = {id_: mm for id_, mm in clearances.items() if mm is not None}
    return tuple(id_ for id_, mm in near.items() if mm <= min(near.values()) + RIVAL_MM)


def _risk_area(table: ExactTable, start: Point, at: Point) -> RoundedShape:
    """What a shot has a chance to hit: the line and the longest bounce; or all that any scatter may bring under it."""
    if table.reading("cannon-risk") == "any-scatter":
        return _scatter_envelope(start, at)
    return RoundedShape((start, point_beyond(start, at, inches(_LONGEST_BOUNCE_IN))))


def _scatter_envelope(start: Point, at: Point) -> RoundedShape:
    return RoundedShape(
        (point_beyond(start, at, -inches(5)), point_beyond(start, at, inches(5 + _LONGEST_BOUNCE_IN))), inches(5)
    )


@dataclass(frozen=True)
class Ball:
    """Cannon ball: where it goes once it has landed, and what it meets. Source: Cannons, p. 88-89."""

    marker: Point
    end: Point
    struck: tuple[str, ...] = ()
    under: tuple[str, ...] = ()
    """Those on whom it lands: they are hit directly."""
    inside: tuple[str, ...] = ()
    """Garrisons of buildings it meets."""
    near: tuple[str, ...] = ()
    """Those it misses by less than its own width."""
    stopped_by: str | None = None

    def hits_value(self) -> dict[str, JsonValue]:
        hits: dict[str, JsonValue] = {m: {"hit": "direct" if m in self.under else "bounce"} for m in self.struck}
        return hits | {unit: {"hit": "garrison", "hits": "d6"} for unit in self.inside}

    @classmethod
    def of(cls, table: ExactTable, query: Cannon, start: Point, marker: Point) -> "Ball":
        bounce = query.dice.bounce
        if bounce is None or is_misfire(query.dice):
            return cls(marker, marker)
        far = marker if bounce == "misfire" else point_beyond(start, marker, inches(float(bounce)))
        end, stopped_by = _bounce_end(table, marker, far)
        path = RoundedShape((marker, end) if marker != end else (marker,))
        others = [m for m in _bases_near_path(table, path) if m != query.attacker]
        under = tuple(ids_under_hole(table, marker, others))
        if bounce == "misfire":
            return cls(marker, marker, under[:1], under[:1])
        wide = _BALL_MM if table.reading("ball-width") == "ball" else 0.0
        struck = bases_struck(table, query.attacker, marker, end, seen_from=start, wide_mm=wide)
        near = tuple(m for m in others if m not in struck and 0 <= gap(table.base(m), path).mm < _BALL_MM)
        inside = tuple(u for u in all_regiments(table) if _is_garrison_hit(table, u, path))
        bulky = [m for m in struck[-1:] if kind_of(table.miniature(m)) in parameters.MONSTROUS | {"monster"}]
        return cls(marker, end, tuple(struck), under, inside, near, bulky[0] if bulky else stopped_by)


def _bases_near_path(table: ExactTable, path: RoundedShape) -> list[str]:
    """Those whose base the ball may meet or pass by a hair."""
    return bases_near_template(table, Area((path,)), mm=_BALL_MM)


def _is_garrison_hit(table: ExactTable, unit: str, path: RoundedShape) -> bool:
    building = garrisoned_building(table, unit)
    return building is not None and any(gap(part, path).mm <= 0 for part in table.area(building).parts)


def _bounce_end(table: ExactTable, marker: Point, end: Point) -> tuple[Point, str | None]:
    """Where what stands in the way stops the ball, and what that is. Source: Bounce, p. 89."""
    whole = math.dist(marker, end)
    if whole == 0:
        return end, None
    heading, first, by = ((end[0] - marker[0]) / whole, (end[1] - marker[1]) / whole), whole, None
    for terrain in table.state.terrain:
        if terrain.kind not in parameters.NO_ENTRY_KINDS - {"deep-water"} or terrain.blocks_sight == "none":
            continue
        for part in table.area(terrain.id).parts:
            span = stretch_within(RoundedShape((marker,)), heading, part)
            if span is not None and span[1] > 0 and span[0] < first:
                first, by = max(0.0, span[0]), terrain.id
    return (marker[0] + first * heading[0], marker[1] + first * heading[1]), by


def _struck_candidate(table: ExactTable, id_: str, ball: Ball) -> Candidate:
    """One who is struck: by how much the ball would have to pass elsewhere to miss."""

    def rule(asked: ExactTable) -> RuleResult:
        path = RoundedShape((ball.marker, ball.end) if ball.marker != ball.end else (ball.marker,))
        mm = -gap(asked.base(id_), path).mm
        return RuleResult(margin_mm=max(mm, 0.0) if not asked.perturbations else mm, depends_on_place=(id_,))

    return Candidate(id_, rule(table), rule)


def _nearest_member(table: ExactTable, barred: dict[str, float], line: RoundedShape) -> tuple[str, ...]:
    if not barred:
        return ()
    unit = min(barred, key=lambda struck: barred[struck])
    return (min(members_of(table, unit), key=lambda m: gap(table.base(m), line).mm),)


def bases_struck(
    table: ExactTable, machine: str, marker: Point, end: Point, *, seen_from: Point | None = None, wide_mm: float = 0.0
) -> list[str]:
    """The first of each rank a line crosses, of each file where it comes from the side. Source: Cannons, p. 89."""
    start = marker if seen_from is None else seen_from
    struck: dict[tuple[str, int], tuple[float, str]] = {}
    near = set(_bases_near_path(table, RoundedShape((marker, end) if marker != end else (marker,))))
    for unit in all_regiments(table):
        if unit in (machine, regiment_of(table, machine)) or garrisoned_building(table, unit) is not None:
            continue
        own = regiment(table, unit)
        if near.isdisjoint(own.members):
            continue
        by_file = quadrant_of(table, own, start, (machine,))[0] in ("left", "right")
        for id_, (rank, _) in zip(own.members, own.cells, strict=True):
            entry = _entry_distance_mm(table, id_, marker, end, wide_mm) if id_ in near else None
            if entry is None:
                continue
            key = (unit, own.file_of(id_) if by_file else rank)
            if entry < struck.get(key, (math.inf, ""))[0]:
                struck[key] = (entry, id_)
    return _cut_at_monster(table, [id_ for _, id_ in sorted(struck.values())])


def _cut_at_monster(table: ExactTable, ids: list[str]) -> list[str]:
    """A monster stops the ball unless it dies, which dice tell: those behind it are not struck for sure."""
    for k, id_ in enumerate(ids):
        if kind_of(table.miniature(id_)) in parameters.MONSTROUS | {"monster"}:
            return ids[: k + 1]
    return ids


def _entry_distance_mm(table: ExactTable, id_: str, start: Point, end: Point, wide: float) -> float | None:
    """How far along the bounce the ball comes to a base; None when it passes by. Touching the rim is passing by."""
    base = table.base(id_)
    if not is_more_than(
        wide, gap(base, RoundedShape((start, end))).mm, "lies in the way of the ball", (id_,), is_noted=True
    ):
        return None
    steps = [(start[0] + (end[0] - start[0]) * k / 64, start[1] + (end[1] - start[1]) * k / 64) for k in range(65)]
    for k, (p, q) in enumerate(pairwise(steps)):
        if gap(base, RoundedShape((p, q))).mm < wide:
            return k * math.dist(start, end) / 64 + max(0.0, gap(base, disc(p, 0.0)).mm)
    return None


def _at_risk(table: ExactTable, machine: str, start: Point, at: Point) -> list[str]:
    """Friends and fighting enemies that some scatter and bounce might reach. Source: Cannons, p. 88."""
    reach = _scatter_envelope(start, at)
    clearances = {id_: clearance_from_unit_mm(table, machine, id_, reach) for id_ in all_regiments(table)}
    near = {id_: mm for id_, mm in clearances.items() if mm is not None}
    return [
        id_
        for id_, mm in near.items()
        if is_more_than(0.0, mm, "might be hit", _nearest_member(table, {id_: mm}, reach))
    ]


def line_hits(table: ExactTable, query: LineHits) -> RuleResult:
    """Line spell: whom it strikes. Source: The Penumbral Pendulum, p. 119; Cannons, p. 89: the first of each rank."""
    own = regiment(table, query.attacker)
    heading_rad = math.radians(query.heading_deg)
    start = _rim_point(table.base(members_of(table, query.attacker)[0]), (math.cos(heading_rad), math.sin(heading_rad)))
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


def _rim_point(base: RoundedShape, direction: Point) -> Point:
    """Where a line from the middle of a base leaves it."""
    span = stretch_within(RoundedShape((base.centre,)), direction, base)
    far = 0.0 if span is None else span[1]
    return (base.centre[0] + far * direction[0], base.centre[1] + far * direction[1])
