"""Throw: which way, how near the one aimed at has to be, and where the thrown model comes down."""

import math
from dataclasses import dataclass

from pydantic import JsonValue

from models.queries import Los, Throw
from models.unit_conversion import degrees, inches, radians, wrap_rad
from models.verdict import CAPPED_MM, Reason
from models.vocabulary import Point
from referee.editions.warmachine.charges.involuntary_movement import (
    ShoveResult,
    away_rad,
    describe_shove,
    draw_shove,
    explain_thrown,
    shove,
)
from referee.editions.warmachine.line_of_sight.los import line_of_sight
from referee.editions.warmachine.miniatures.base_state import size_mm
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.terms import terms_of
from referee.geometry.distance import gap
from referee.rules.conditions import all_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_AWAY = because("Throw", 46, "Directly away from the thrower, or at another model in its sight.")
_DISTANCE = because("Throw", 46, "The throw distance is half the strength in inches.")
_NEAR = because("Throw", 46, "At a model within that distance the thrower rolls to hit; a hit ends touching it.")
_BEYOND = because("Throw", 46, "Beyond it, it lands at the throw distance along the line, and nothing is rolled.")
_MISSED = because("Throw", 46, "A miss strays from the missed model: a d6 of direction, d3 in, half the gap at most.")
_SIZE = because("Throw", 46, "Nobody throws a larger base.")
_SIGHT = because("Throw", 46, "The model aimed at has to be in sight; the thrown one is looked past.")


def throw(table: ExactTable, query: Throw) -> RuleResult:
    """Throw: whether the throw may go that way, and where it ends. Source: Throw, p. 46; Thrown, p. 35."""
    distance = distance_mm(table, query)
    if distance is None:
        need = f"profile.strength of {query.attacker}"
        return RuleResult(
            status="unknown", needs=(need,), because=(_DISTANCE,), depends_on_place=(query.attacker, query.target)
        )
    return _throw_at_model(table, query, distance) if query.at is not None else _throw_away(table, query, distance)


def distance_mm(table: ExactTable, query: Throw) -> float | None:
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
    (x, y) = table.centre(query.target)
    heading = math.atan2(point[1] - y, point[0] - x)
    return shove(table, query.target, "thrown", heading, math.dist((x, y), point), query.attacker)


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

    def value(self) -> dict[str, JsonValue]:
        point = self.point()
        return {"cap_mm": self.cap_mm(), "point_mm": None if point is None else list(point)}


def _value(table: ExactTable, query: Throw, distance: float, shoved: ShoveResult | None) -> dict[str, JsonValue]:
    value: dict[str, JsonValue] = {"distance_mm": distance, "point_mm": None, "cap_mm": None}
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
