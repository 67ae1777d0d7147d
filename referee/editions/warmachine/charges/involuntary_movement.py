"""Involuntary movement: pushed, slammed and thrown bases, and what they do to those they meet."""

import math
from dataclasses import dataclass, replace

from pydantic import JsonValue

from models.queries import Fall
from models.verdict import Reason, Witness
from models.vocabulary import Point
from referee.editions.warmachine.miniatures.base_state import is_incorporeal, is_massive, size_mm
from referee.editions.warmachine.movement.fall import edge_met
from referee.editions.warmachine.movement.movement_costs import Shove, is_hard, passability_of_shove
from referee.editions.warmachine.movement.path import trace_stops, trace_things_on_way
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.terms import terms_of
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape
from referee.motion.travel_budget import meetings, place_after, place_shape, straight_path, travel
from referee.rules.candidates import in_play, is_met
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import explain_short_way
from referee.rules.switches import is_at_least, is_more_than

PUSHED = because("Pushed", 34, "Pushed straight on, at half rate in rough ground, to the first thing it touches.")
SLAMMED = because("Slammed", 34, "Slammed straight away, over smaller bases, to the first solid thing or equal base.")
THROWN = because("Thrown", 35, "Thrown straight, over smaller bases and rough ground, to what stops it.")
MASSIVE = because("Massive", 67, "The massive are not moved by pushes, slams and throws.")
GHOST = because("Advantages", 17, "An incorporeal model is not moved by pushes, slams and throws.")
COLLATERAL = because("Slammed", 34, "Equal and smaller bases it meets are knocked down and take collateral damage.")
_TOUCH_MM = 1e-6


@dataclass(frozen=True)
class ShoveResult:
    """Where a base ends that was shoved, what stopped it and whom it met."""

    path: tuple[Point, ...]
    travelled_mm: float
    stopped_by: str | None
    met: tuple[str, ...]
    end: Point
    why_not_moved: Reason | None = None


def why_not_moved(table: ExactTable, target: str, how: str) -> Reason | None:
    """Why nothing moves it, pushed, slammed or thrown. Source: Massive, p. 67, 75, 99; Incorporeal, p. 17."""
    me = table.miniature(target)
    if is_incorporeal(me):
        return GHOST
    return MASSIVE if is_massive(me) else None


def shove(
    table: ExactTable,
    target: str,
    how: Shove,
    heading_rad: float,
    distance_mm: float,
    *past: str,
    until: str | None = None,
) -> ShoveResult:
    """Where a shove leaves a base. `past` are passed through without contact; `until` stops it whatever its size.

    Source: Pushed and Slammed, p. 34; Thrown and Beyond the Play Area, p. 35.
    """
    start = table.centre(target)
    path = straight_path(start, heading_rad, distance_mm)
    if (reason := terms_of(table).why_not_moved(table, target, how)) is not None or distance_mm <= 0:
        return ShoveResult(path, 0.0, None, (), start, reason)
    going = passability_of_shove(table, target, how, *past)
    if until is not None and until not in dict(going.stops):
        going = replace(going, stops=(*going.stops, (until, table.area(until))))
    walked = travel(table.base(target), path, going, distance_mm)
    trace_stops(table, target, walked, going)
    edge = edge_met(table, target, path)
    at_edge = edge is not None and is_more_than(
        walked.travelled_mm, edge.after_mm, "is moved over the table's edge", (target,)
    )
    travelled, stopper = (edge.after_mm, edge.id) if edge and at_edge else (walked.travelled_mm, walked.stopped_by)
    end = place_after(path, travelled)
    lies = place_shape(table.base(target), end)
    met = (
        _find_touched(table, target, lies, past) if how == "thrown" else _find_met(table, target, path, travelled, lies)
    )
    return ShoveResult(
        path, travelled, stopper, _append_stopper(met, stopper if stopper in table.miniatures else None), end
    )


def _find_touched(table: ExactTable, target: str, lies: RoundedShape, past: tuple[str, ...]) -> tuple[str, ...]:
    """Whom a thrown base contacts: all it touches or lies on at rest. Source: Thrown, p. 35."""
    apart = {id_: gap(lies, table.base(id_)).mm for id_ in in_play(table, target, *past)}
    return tuple(
        id_ for id_, mm in apart.items() if is_at_least(0.0, mm, "is touched where it lands by", (id_, target))
    )


def _find_met(
    table: ExactTable, target: str, path: tuple[Point, ...], travelled: float, lies: RoundedShape
) -> tuple[str, ...]:
    """Whom a pushed or slammed base contacts on its way; who is incorporeal only when it does not get past.

    Source: Slammed, p. 34; Base-to-Base & Contact, p. 33; Incorporeal, p. 17.
    """
    others = tuple((id_, table.area(id_)) for id_ in in_play(table, target))
    grazing = table.reading("graze") != "passes"
    stops = meetings(table.base(target), path, others, grazing=grazing)
    trace_things_on_way(table, target, (path[0], place_after(path, travelled)), others, grazing=grazing)
    met = (stop.id for stop in stops if stop.after_mm <= travelled + _TOUCH_MM)
    return tuple(
        id_ for id_ in met if not is_incorporeal(table.miniature(id_)) or gap(lies, table.base(id_)).mm < -_TOUCH_MM
    )


def _append_stopper(met: tuple[str, ...], stopper: str | None) -> tuple[str, ...]:
    return met if stopper is None or stopper in met else (*met, stopper)


def describe_shove(table: ExactTable, target: str, shoved: ShoveResult) -> dict[str, JsonValue]:
    """What came of it. Source: Slammed, p. 34; Thrown, p. 35; Falling, p. 35."""
    mine = size_mm(table.miniature(target))
    hurt = [id_ for id_ in shoved.met if size_mm(table.miniature(id_)) <= mine]
    falls = (
        table.evaluate_query(Fall(mover=target, path_mm=(shoved.path[0], shoved.end)))
        if shoved.travelled_mm > 0
        else None
    )
    large = any(size_mm(table.miniature(id_)) >= mine for id_ in shoved.met)
    down = [] if shoved.why_not_moved is not None else [target]
    down += [id_ for id_ in hurt if not is_massive(table.miniature(id_))]
    return {
        "travelled_mm": shoved.travelled_mm,
        "poses": {target: {"at_mm": list(shoved.end)}},
        "stopped_by": shoved.stopped_by,
        "knocked_down": list[JsonValue](down),
        "collateral": list[JsonValue](hurt),
        "extra_die": large or (shoved.stopped_by is not None and is_hard(table, shoved.stopped_by)),
        "fall": falls is not None and is_met(falls),
    }


def explain_thrown(table: ExactTable, target: str, shoved: ShoveResult | None) -> Reason:
    """The rule, and what stopped a throw short of where it was to land."""
    if shoved is None or shoved.why_not_moved is not None:
        return THROWN
    wanted = math.dist(shoved.path[0], shoved.path[-1])
    went, stopper = shoved.travelled_mm, shoved.stopped_by
    return explain_short_way(table, THROWN, target, wanted_mm=wanted, went_mm=went, stopped_by=stopper)


def draw_shove(target: str, shoved: ShoveResult, radius_mm: float) -> tuple[Witness, ...]:
    """The way it went, and where it lies."""
    lies = Witness(type="circle", role="hit", centre_mm=shoved.end, radius_mm=radius_mm, of=(target,))
    if shoved.end == shoved.path[0]:
        return (lies,)
    return (Witness(type="segment", role="path", points_mm=(shoved.path[0], shoved.end), of=(target,)), lies)


def away_rad(table: ExactTable, source: str, target: str) -> float:
    """The heading directly away from the source. Source: Slammed, p. 34; Movement Restrictions, p. 33."""
    (ax, ay), (bx, by) = table.centre(source), table.centre(target)
    return math.atan2(by - ay, bx - ax)
