"""Involuntary movement: pushed, slammed and thrown bases, what they do to those they meet, and throws."""

import math
from dataclasses import dataclass, replace

from pydantic import JsonValue

from models.queries import Fall, Los, Throw
from models.unit_conversion import degrees, inches, radians, wrap_rad
from models.verdict import CAPPED_MM, Reason, Witness
from models.vocabulary import Point
from referee.editions.warmachine.line_of_sight.los import line_of_sight
from referee.editions.warmachine.miniatures.base_state import is_incorporeal, is_massive, size_mm
from referee.editions.warmachine.movement.fall import edge_met
from referee.editions.warmachine.movement.path import (
    Shove,
    is_hard,
    passability_of_shove,
    trace_stops,
    trace_things_on_way,
)
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.terms import terms_of
from referee.geometry.circle_intersection import bearing
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape
from referee.motion.travel_budget import meetings, place_after, place_shape, straight_path, travel
from referee.rules.candidates import in_play, is_met
from referee.rules.conditions import all_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import explain_short_way
from referee.rules.rule_result import RuleResult, Value, ask_for
from referee.rules.switches import is_at_least, is_more_than

_AWAY = because("Throw", 46, "Directly away from the thrower, or at another model in its sight.")
_DISTANCE = because("Throw", 46, "The throw distance is half the strength in inches.")
_NEAR = because("Throw", 46, "At a model within that distance the thrower rolls to hit; a hit ends touching it.")
_BEYOND = because("Throw", 46, "Beyond it, it lands at the throw distance along the line, and nothing is rolled.")
_MISSED = because("Throw", 46, "A miss strays from the missed model: a d6 of direction, d3 in, half the gap at most.")
_SIZE = because("Throw", 46, "Nobody throws a larger base.")
_SIGHT = because("Throw", 46, "The model aimed at has to be in sight; the thrown one is looked past.")
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


def describe_shove(table: ExactTable, target: str, shoved: ShoveResult) -> Value:
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
    return bearing(table.centre(source), table.centre(target))


def throw(table: ExactTable, query: Throw) -> RuleResult:
    """Throw: whether the throw may go that way, and where it ends. Source: Throw, p. 46; Thrown, p. 35."""
    distance = throw_distance_mm(table, query)
    if distance is None:
        return ask_for(f"profile.strength of {query.attacker}", because=(_DISTANCE,), on=(query.attacker, query.target))
    return _throw_at_model(table, query, distance) if query.at is not None else _throw_away(table, query, distance)


def throw_distance_mm(table: ExactTable, query: Throw) -> float | None:
    """Source: Throw, p. 46: half the strength in inches, exactly."""
    if query.distance_in is not None:
        return inches(query.distance_in)
    strength = table.miniature(query.attacker).profile.strength
    return None if strength is None else inches(strength / 2)


def _throw_away(table: ExactTable, query: Throw, distance: float) -> RuleResult:
    """Directly away: the heading told has to be that of the two centers. Source: Throw, p. 46."""
    away = away_rad(table, query.attacker, query.target)
    heading = away if query.heading_deg is None else radians(query.heading_deg)
    tolerance = table.state.facing_tolerance_deg
    off = abs(math.degrees(wrap_rad(heading - away)))
    shoved = _land(table, query, heading, distance) if query.hit is not False else None
    value = _value(table, query, distance, shoved) | {"fan_deg": [degrees(away) - tolerance, degrees(away) + tolerance]}
    barred = _bars_of(table, query)
    return RuleResult(
        margin_mm=-CAPPED_MM if barred else tolerance - off,
        in_degrees=True,
        value=value,
        witness=() if shoved is None else draw_shove(query.target, shoved, table.base(query.target).reach_mm),
        because=(_AWAY, _DISTANCE, explain_thrown(table, query.target, shoved), *barred),
        readings=("throw-measure",),
        depends_on_place=_places_that_matter(table, query, shoved),
    )


def _land(table: ExactTable, query: Throw, heading: float, distance: float) -> ShoveResult:
    if query.point_mm is not None:
        return throw_toward(table, query, query.point_mm)
    return shove(table, query.target, "thrown", heading, _travel_mm(table, query, distance), query.attacker)


def _travel_mm(table: ExactTable, query: Throw, distance: float) -> float:
    """How far its center goes. The book does not say from where to where a throw is measured."""
    by_centre = table.reading("throw-measure") == "edge-to-centre"
    return distance - table.base(query.target).reach_mm if by_centre else distance


def throw_toward(table: ExactTable, query: Throw, point: Point) -> ShoveResult:
    """Straight to a point of impact. Source: Thrown, p. 35."""
    start = table.centre(query.target)
    return shove(table, query.target, "thrown", bearing(start, point), math.dist(start, point), query.attacker)


def _throw_at_model(table: ExactTable, query: Throw, distance: float) -> RuleResult:
    """At another model: near enough, and where it ends by hit or miss. Source: Throw, p. 46."""
    goal = str(query.at)
    apart = max(0.0, gap(table.base(query.target), table.base(goal)).mm)
    near = RuleResult(margin_mm=distance - apart, because=(_NEAR,), depends_on_place=(query.target, goal))
    sight = line_of_sight(table, Los(viewer=query.attacker, target=goal, ignoring=(query.target,)))
    flown = _Flight(table, query, goal, distance, apart)
    shoved = flown.shove_result()
    barred = _bars_of(table, query)
    decided = sight.status == "decided" and sight.decisive_mm < 0
    result = all_of((("near", near), ("sight", sight))) if decided else near
    reasons: tuple[Reason, ...] = (
        _DISTANCE,
        _SIGHT,
        flown.reason(),
        explain_thrown(table, query.target, shoved),
        *barred,
    )
    return RuleResult(
        margin_mm=-CAPPED_MM if barred else result.margin_mm,
        value=_value(table, query, distance, shoved) | flown.value(),
        lengths_mm={"distance": apart},
        witness=() if shoved is None else draw_shove(query.target, shoved, table.base(query.target).reach_mm),
        because=reasons,
        readings=("throw-measure", "throw-axis") if flown.is_missed() else ("throw-measure",),
        depends_on_place=_places_that_matter(table, query, shoved),
    )


@dataclass(frozen=True)
class _Flight:
    """A throw at another model."""

    table: ExactTable
    query: Throw
    goal: str
    distance_mm: float
    apart_mm: float

    def is_missed(self) -> bool:
        return self.query.hit is False and self.apart_mm <= self.distance_mm + 1e-9

    def reason(self) -> Reason:
        if self.apart_mm > self.distance_mm + 1e-9:
            return _BEYOND
        return _MISSED if self.is_missed() else _NEAR

    def cap_mm(self) -> float:
        """Source: Throw, p. 46: half the distance between the two."""
        return self.apart_mm / 2

    def _line_rad(self) -> float:
        return away_rad(self.table, self.query.target, self.goal)

    def shove_result(self) -> ShoveResult | None:
        """Where it ends; nothing while hit or miss, or the dice of a miss, are not told."""
        if self.query.point_mm is not None:
            return throw_toward(self.table, self.query, self.query.point_mm)
        if self.apart_mm > self.distance_mm + 1e-9:
            travel = _travel_mm(self.table, self.query, self.distance_mm)
            return shove(self.table, self.query.target, "thrown", self._line_rad(), travel, self.query.attacker)
        if self.query.hit:
            far = math.dist(self.table.centre(self.query.target), self.table.centre(self.goal))
            return shove(
                self.table, self.query.target, "thrown", self._line_rad(), far, self.query.attacker, until=self.goal
            )
        point = self.point()
        return None if point is None else throw_toward(self.table, self.query, point)

    def point(self) -> Point | None:
        """Where a miss lands. Source: Throw, p. 46; Deviation, p. 52."""
        dice = self.query.dice
        if not self.is_missed() or dice.direction is None or dice.distance is None:
            return None
        source = self.query.target if self.table.reading("throw-axis") == "from-thrown" else self.query.attacker
        turns = -1.0 if self.table.reading("deviation-sense") == "clockwise" else 1.0
        heading = away_rad(self.table, source, self.goal) + turns * math.radians(60.0) * (dice.direction - 1)
        out = min(inches(dice.distance), self.cap_mm())
        x, y = self.table.centre(self.goal)
        return (x + out * math.cos(heading), y + out * math.sin(heading))

    def value(self) -> Value:
        point = self.point()
        return {"cap_mm": self.cap_mm(), "point_mm": None if point is None else list(point)}


def _value(table: ExactTable, query: Throw, distance: float, shoved: ShoveResult | None) -> Value:
    value: Value = {"distance_mm": distance, "point_mm": None, "cap_mm": None}
    return value if shoved is None else value | describe_shove(table, query.target, shoved)


def _bars_of(table: ExactTable, query: Throw) -> tuple[Reason, ...]:
    """What forbids the throw. Source: Throw, p. 46; Massive, p. 67; Incorporeal, p. 17."""
    larger = size_mm(table.miniature(query.target)) > size_mm(table.miniature(query.attacker))
    still = terms_of(table).why_not_moved(table, query.target, "thrown")
    return (*((_SIZE,) if larger else ()), *(() if still is None else (still,)))


def _places_that_matter(table: ExactTable, query: Throw, shoved: ShoveResult | None) -> tuple[str, ...]:
    more = () if query.at is None else (query.at,)
    if shoved is not None and shoved.stopped_by is not None and shoved.stopped_by in table.state.by_id:
        more = (*more, shoved.stopped_by)
    return tuple(dict.fromkeys((query.attacker, query.target, *more)))
