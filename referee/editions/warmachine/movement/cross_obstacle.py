"""Obstacle crossing: past obstacles and flags, back off one, and through gaps between bases."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from models.queries import CrossObstacle, FitsBetween
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Reason, Witness
from models.vocabulary import Point
from referee.editions.warmachine.miniatures.distances import hinges
from referee.editions.warmachine.movement.fall import far_side_mm
from referee.editions.warmachine.movement.least_disturbance import check_end
from referee.editions.warmachine.movement.path import (
    Path,
    passability_of_advance,
    passes_all,
    path_of,
    speed_mm,
    trace_things_on_way,
)
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.terrain.features import OBSTACLES, OBSTRUCTIONS, counts_as, find_feature, ground_of
from referee.geometry.distance import area_gap, gap
from referee.geometry.shapes import RoundedShape, disc
from referee.motion.sweep import stretch_within
from referee.motion.travel_budget import (
    Things,
    cost_mm,
    length_mm,
    place_after,
    place_shape,
    slow_stretches,
    straight_path,
)
from referee.rules.conditions import all_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, with_effect
from referee.rules.rule_result import RuleResult, ask_for
from referee.rules.switches import EXACT_MM, is_at_least, is_more_than

CHARGE_STOPS = because("Charge", 31, "A charge stops at the first thing it touches.")
_ACROSS = because("Obstacles", 80, "An obstacle is crossed with movement enough to get the base wholly past it.")
_FLAG = because("Flags", 83, "A flag is moved through with movement enough to get wholly past it.")
_BLOCKED = because("Obstructions", 81, "Only Flight and Incorporeal lead through an obstruction.")
_FITS = because("Normal Movement & Advancing", 30, "A base moves through where it fits between the others.")
_JOIN_MM = 1e-6  # two stretches that part by less are one
_FAR_MM = 10.0  # what leads past the near side by more leaves it whatever the measuring error


def cross_obstacle(table: ExactTable, query: CrossObstacle) -> RuleResult:
    """Obstacle crossing: whether its movement takes the base wholly past an obstacle or flag.

    Source: Obstacles, p. 80; Flags, p. 83.
    """
    budget = _budget_mm(table, query)
    if budget is None:
        return ask_for(f"profile.spd_in of {query.mover}", because=(_ACROSS,), on=(query.mover,))
    path = _path_over(table, query)
    if path is None:
        return ask_for("heading_deg", because=(_ACROSS,), on=(query.mover,))
    span = crossing_span(table, query.mover, path, query.feature)
    things = ((query.feature, table.area(query.feature)),)
    trace_things_on_way(table, query.mover, path, things, grazing=True)
    if span is None:
        return RuleResult(
            margin_mm=CAPPED_MM, value={"needed_mm": 0.0}, because=(_ACROSS,), depends_on_place=(query.mover,)
        )
    slow = slow_stretches(table.base(query.mover), path, passability_of_advance(table, query.mover).slow)
    spare = RuleResult(
        margin_mm=budget - cost_mm(span[1], slow), because=(_ACROSS,), depends_on_place=(query.mover, query.feature)
    )
    end = place_after(path, span[1])
    room = check_end(table.with_end(query.mover, end), query.mover)
    result = all_of((("may", _check_crossing(table, query)), ("travel", spare), ("room", room)))
    return RuleResult(
        margin_mm=result.margin_mm,
        value={**result.value, "needed_mm": span[1], "stop_mm": span[0], "poses": {query.mover: {"at_mm": list(end)}}},
        lengths_mm={"needed": span[1]},
        witness=(Witness(type="segment", role="path", points_mm=(path[0], end), of=(query.mover,)),),
        because=tuple(_explain_end(table, query, reason, span[1]) for reason in result.because),
        depends_on_place=result.depends_on_place,
    )


def _explain_end(table: ExactTable, query: CrossObstacle, reason: Reason, past_mm: float) -> Reason:
    """The rule, and the first lawful place where it ends that was to stop elsewhere."""
    if reason not in (_ACROSS, _FLAG) or query.distance_in is None:
        return reason
    wanted = inches(query.distance_in)
    if abs(wanted - past_mm) < EXACT_MM:
        return reason
    return with_effect(table, reason, f"Its base is wholly past after {format_length(past_mm)}.")


def _budget_mm(table: ExactTable, query: CrossObstacle) -> float | None:
    """Source: Full Advance and Run, p. 30; Charge, p. 31."""
    if query.distance_in is not None:
        return inches(query.distance_in)
    speed = speed_mm(table, query.mover)
    if speed is None:
        return None
    return {"run": 2 * speed, "charge": speed + inches(3)}.get(query.manner or "", speed)


def _path_over(table: ExactTable, query: CrossObstacle) -> Path | None:
    """The path told, else straight on."""
    if query.path_mm is not None:
        return path_of(table, query.mover, query.path_mm)
    heading = table.facing_rad(query.mover) if query.heading_deg is None else math.radians(query.heading_deg)
    return straight_path(table.centre(query.mover), heading, far_side_mm(table, None))


def crossing_span(table: ExactTable, mover: str, path: Path, feature: str) -> tuple[float, float] | None:
    """After how much travel it touches the feature, and is wholly past it."""
    base, before, crossed = table.base(mover), 0.0, list[tuple[float, float]]()
    for k in range(len(path) - 1):
        a, b = path[k], path[k + 1]
        length = math.dist(a, b)
        if length > 0:
            direction = ((b[0] - a[0]) / length, (b[1] - a[1]) / length)
            spans = (_span_of_part(base, a, direction, part, length) for part in table.area(feature).parts)
            crossed += [(before + span[0], before + span[1]) for span in spans if span is not None]
        before += length
    return (max(0.0, min(s[0] for s in crossed)), max(s[1] for s in crossed)) if crossed else None


def _span_of_part(
    base: RoundedShape, a: Point, direction: Point, part: RoundedShape, length: float
) -> tuple[float, float] | None:
    span = stretch_within(place_shape(base, a), direction, part)
    return None if span is None or span[1] <= 0 or span[0] >= length else span


def _check_crossing(table: ExactTable, query: CrossObstacle) -> RuleResult:
    """Source: Obstacles, p. 80; Obstructions, p. 81; Charge, p. 31; Pathfinder, Flight and Incorporeal, p. 17."""
    me, over = table.miniature(query.mover), passes_all(table, query.mover) or query.manner == "fly"
    feature = find_feature(table, query.feature)
    touches = (query.mover, query.feature)
    if feature is None:
        return RuleResult(margin_mm=CAPPED_MM, because=(_FLAG,), depends_on_place=touches)
    counts = counts_as(table, feature)
    if counts is None:
        return ask_for(f"height_mm of {feature.id}", because=(_ACROSS,), on=touches)
    if counts in OBSTRUCTIONS:
        return RuleResult(margin_mm=CAPPED_MM if over else -CAPPED_MM, because=(_BLOCKED,), depends_on_place=touches)
    if ground_of(feature, counts) == "impassable":
        return RuleResult(margin_mm=-CAPPED_MM, because=(_BLOCKED,), depends_on_place=touches)
    stops = query.manner == "charge" and counts in OBSTACLES and not (over or me.has("pathfinder"))
    return RuleResult(
        margin_mm=-CAPPED_MM if stops else CAPPED_MM,
        because=(CHARGE_STOPS if stops else _ACROSS,),
        depends_on_place=touches,
    )


def fits_between(table: ExactTable, query: FitsBetween) -> RuleResult:
    """Gap between bases: whether the base fits through a gap; a gap just as wide lets an advance through.

    Source: p. 30; Charge, p. 31.
    """
    between = area_gap(table.area(query.a), table.area(query.b))
    wide = 2 * table.base(query.mover).reach_mm
    grazes = query.manner == "charge" and table.reading("graze") != "passes"
    return RuleResult(
        margin_mm=between.mm - wide,
        zero_is_met=not grazes,
        value={"width_mm": between.mm, "needed_mm": wide},
        lengths_mm={"width": between.mm},
        witness=(Witness(type="segment", role="limit", points_mm=(between.at_a, between.at_b), of=(query.a, query.b)),),
        because=(_FITS, CHARGE_STOPS) if query.manner == "charge" else (_FITS,),
        readings=("graze",) if query.manner == "charge" else (),
        depends_on_place=hinges(table, query.a, query.b),
    )


@dataclass(frozen=True)
class ObstacleReturn:
    """How deep a way led onto an obstacle that it left again on the near side."""

    feature: str
    depth_mm: float


def deepest_return(table: ExactTable, mover: str, path: Path, crossed: Things) -> ObstacleReturn | None:
    """Of what is half crossed and left on the near side, where the way led in deepest. Source: Obstacles, p. 80."""
    returns = [
        ObstacleReturn(id_, depth) for id_, area in crossed for depth in _returns(table, mover, path, id_, area.parts)
    ]
    return max(returns, key=lambda returned: returned.depth_mm, default=None)


def _returns(table: ExactTable, mover: str, path: Path, id_: str, parts: tuple[RoundedShape, ...]) -> Iterator[float]:
    base, tolerance = table.base(mover), table.state.contact_tolerance_mm
    on = (mover, *table.movers_of(id_))
    for enters, leaves in _stretches(base, path, parts):
        if leaves >= length_mm(path) - _JOIN_MM:
            continue  # it ends upon it: told as not left behind
        at, out = place_after(path, enters), place_after(path, leaves)
        if any(gap(place_shape(base, at), part).mm < -tolerance for part in parts):
            continue  # it stood on it when it started
        inward = _toward(at, parts)
        depth_mm = max(_along(at, p, inward) for p in _points_between(path, enters, leaves))
        past_mm = _along(at, out, inward)
        if past_mm > _FAR_MM or not is_more_than(depth_mm, tolerance, "leads onto", on):
            continue
        (ix, iy), (ox, oy) = inward, _toward(out, parts)
        same_face = ix * ox + iy * oy > 0
        if same_face and is_at_least(tolerance, past_mm, "comes back to the near side of", on):
            yield depth_mm


def _stretches(base: RoundedShape, path: Path, parts: tuple[RoundedShape, ...]) -> list[tuple[float, float]]:
    """The stretches of a way, by travel, on which the base lies over any of these parts."""
    covered, before = list[tuple[float, float]](), 0.0
    for a, b in pairwise(path):
        length = math.dist(a, b)
        if length == 0:
            continue
        direction = ((b[0] - a[0]) / length, (b[1] - a[1]) / length)
        spans = (stretch_within(place_shape(base, a), direction, part) for part in parts)
        inside = ((max(0.0, s[0]), min(length, s[1])) for s in spans if s is not None)
        covered += [(before + s, before + e) for s, e in inside if e - s > _JOIN_MM]
        before += length
    joined = list[tuple[float, float]]()
    for start, end in sorted(covered):
        if joined and start <= joined[-1][1] + _JOIN_MM:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return joined


def _points_between(path: Path, start_mm: float, end_mm: float) -> Iterator[Point]:
    """Both ends of a stretch, and the corners of the way on it."""
    yield place_after(path, start_mm)
    before = 0.0
    for a, b in pairwise(path):
        before += math.dist(a, b)
        if start_mm < before < end_mm:
            yield b
    yield place_after(path, end_mm)


def _toward(at: Point, parts: tuple[RoundedShape, ...]) -> Point:
    """The direction from a place outside to what of these parts is nearest."""
    nearest = min((gap(disc(at, 0.0), part) for part in parts), key=lambda between: between.mm)
    dx, dy = nearest.at_b[0] - at[0], nearest.at_b[1] - at[1]
    length = math.hypot(dx, dy)
    return (dx / length, dy / length) if length > 0 else (0.0, 0.0)


def _along(start: Point, to: Point, direction: Point) -> float:
    return (to[0] - start[0]) * direction[0] + (to[1] - start[1]) * direction[1]
