"""Obstacle crossing: whether a move takes the base wholly past an obstacle or flag."""

import math

from models.queries import CrossObstacle
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Reason, Witness
from models.vocabulary import Point
from referee.editions.warmachine.movement.movement_costs import passability_of_advance, passes_all
from referee.editions.warmachine.movement.path import Path, path_of, speed_mm
from referee.editions.warmachine.movement.table_edge import far_side_mm
from referee.editions.warmachine.movement.way_switches import trace_things_on_way
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.terrain.features import OBSTACLES, OBSTRUCTIONS, find_feature
from referee.editions.warmachine.terrain.terrain_class import counts_as, ground_of
from referee.geometry.shapes import RoundedShape
from referee.motion.sweep import stretch_within
from referee.motion.travel_budget import cost_mm, place_after, place_shape, slow_stretches, straight_path
from referee.rules.conditions import all_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import EXACT_MM

CHARGE_STOPS = because("Charge", 31, "A charge stops at the first thing it touches.")
_ACROSS = because("Obstacles", 80, "An obstacle is crossed with movement enough to get the base wholly past it.")
_FLAG = because("Flags", 83, "A flag is moved through with movement enough to get wholly past it.")
_BLOCKED = because("Obstructions", 81, "Only Flight and Incorporeal lead through an obstruction.")


def cross_obstacle(table: ExactTable, query: CrossObstacle) -> RuleResult:
    """Obstacle crossing: whether its movement takes the base wholly past an obstacle or flag.

    Source: Obstacles, p. 80; Flags, p. 83.
    """
    budget = _budget_mm(table, query)
    if budget is None:
        need = f"profile.spd_in of {query.mover}"
        return RuleResult(status="unknown", needs=(need,), because=(_ACROSS,), depends_on_place=(query.mover,))
    path = _path_over(table, query)
    if path is None:
        return RuleResult(status="unknown", needs=("heading_deg",), because=(_ACROSS,), depends_on_place=(query.mover,))
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
    result = all_of((("may", _check_crossing(table, query)), ("travel", spare)))
    end = place_after(path, span[1])
    return RuleResult(
        margin_mm=result.margin_mm,
        value={
            **result.value,
            "needed_mm": span[1],
            "stop_mm": span[0],
            "poses": {query.mover: {"at_mm": list(end)}},
        },
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
    base, before, found = table.base(mover), 0.0, list[tuple[float, float]]()
    for k in range(len(path) - 1):
        a, b = path[k], path[k + 1]
        length = math.dist(a, b)
        if length > 0:
            way = ((b[0] - a[0]) / length, (b[1] - a[1]) / length)
            spans = (_span_of_part(base, a, way, part, length) for part in table.area(feature).parts)
            found += [(before + span[0], before + span[1]) for span in spans if span is not None]
        before += length
    return (max(0.0, min(s[0] for s in found)), max(s[1] for s in found)) if found else None


def _span_of_part(
    base: RoundedShape, a: Point, way: Point, part: RoundedShape, length: float
) -> tuple[float, float] | None:
    span = stretch_within(place_shape(base, a), way, part)
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
        return RuleResult(
            status="unknown", needs=(f"height_mm of {feature.id}",), because=(_ACROSS,), depends_on_place=touches
        )
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
