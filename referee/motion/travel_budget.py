"""Travel budget: how far a base gets along a path, over ground that slows it and to what stops it."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from models.vocabulary import Point
from referee.geometry.distance import Gap, gap, nearest_on_segment
from referee.geometry.shapes import Area, RoundedShape, convex_hull
from referee.motion.sweep import lengths_within, slide_shape, stretch_within

Things = tuple[tuple[str, Area], ...]
_DEEP_MM = 3.0  # what a base overlaps deeper than any measuring error when it starts is under it, and stops nothing
_TOUCH_MM = 1e-9


@dataclass(frozen=True)
class TravelLimits:
    """What matters on the way: ground at half rate, what stops the base, and what it may cross only to its far side.

    With `grazing` what it brushes in passing stops it too. `table_mm` is the size of a table whose edge ends its way.
    """

    slow: Things = ()
    stops: Things = ()
    crossed: Things = ()
    grazing_ids: bool = False
    table_mm: tuple[float, float] | None = None


@dataclass(frozen=True)
class Stretch:
    """A part of the way that costs more than its length: from and to by travel."""

    id: str
    rate: float
    from_mm: float
    to_mm: float


@dataclass(frozen=True)
class Stop:
    """What is met on the way, and after how much travel."""

    id: str
    after_mm: float


@dataclass(frozen=True)
class TravelResult:
    """How far it got. `needed_mm` is what the whole path would cost, `spent_mm` what the travelled part did."""

    path: tuple[Point, ...]
    travelled_mm: float
    spent_mm: float
    needed_mm: float
    stopped_by: str | None
    ground: tuple[Stretch, ...]

    @property
    def end(self) -> Point:
        return place_after(self.path, self.travelled_mm)


def length_mm(path: tuple[Point, ...]) -> float:
    """The length of a path."""
    return sum(math.dist(a, b) for a, b in pairwise(path))


def place_after(path: tuple[Point, ...], travel_mm: float) -> Point:
    """Where a point is after so much travel; the end of the path when it is shorter."""
    left = travel_mm
    for a, b in pairwise(path):
        length = math.dist(a, b)
        if left < length:
            share = left / length
            return (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]))
        left -= length
    return path[-1]


def heading_after(path: tuple[Point, ...], travel_mm: float) -> float | None:
    """Where it was going at that moment, as an angle; None for a path that goes nowhere."""
    left, heading = travel_mm, None
    for a, b in pairwise(path):
        length = math.dist(a, b)
        if length > 0:
            heading = math.atan2(b[1] - a[1], b[0] - a[0])
            if left <= length:
                return heading
        left -= length
    return heading


def straight_path(start: Point, heading_rad: float, length: float) -> tuple[Point, Point]:
    """The straight path from a place."""
    return start, (start[0] + length * math.cos(heading_rad), start[1] + length * math.sin(heading_rad))


def place_shape(base: RoundedShape, centre: Point) -> RoundedShape:
    """The same base somewhere else."""
    x, y = base.centre
    return slide_shape(base, (centre[0] - x, centre[1] - y), 1.0)


def meetings(base: RoundedShape, path: tuple[Point, ...], things: Things, *, grazing: bool = False) -> list[Stop]:
    """Everything a base meets on its way, in order; grazing counts only when asked for.

    What it touches at the start is met when it moves on into it. What it stands in is not met.
    """
    start = place_shape(base, path[0])
    meetings = []
    for id_, area in things:
        parts = [part for part in area.parts if may_come_near(base, path, part)]
        if not parts or any(gap(start, part).mm <= -_DEEP_MM for part in parts):
            continue
        after = _first_meeting(base, path, parts, grazing=grazing)
        if after is not None:
            meetings.append(Stop(id_, after))
    return sorted(meetings, key=lambda stop: stop.after_mm)


def may_come_near(base: RoundedShape, path: tuple[Point, ...], part: RoundedShape, apart_mm: float = _DEEP_MM) -> bool:
    """Whether the base could come so near to a thing at all, by the circles about both."""
    return _distance_bound(base, path, part) <= apart_mm


def sort_by_distance(
    base: RoundedShape, path: tuple[Point, ...], things: Things
) -> list[tuple[float, str, RoundedShape]]:
    """The parts of things, those first that may come nearest to the way: by the gap to the circles about them."""
    bounds = [(_distance_bound(base, path, part), id_, part) for id_, area in things for part in area.parts]
    return sorted(bounds, key=lambda bound: bound[0])


def _distance_bound(base: RoundedShape, path: tuple[Point, ...], part: RoundedShape) -> float:
    """What the gap between the way and a thing is at least."""
    feet = (nearest_on_segment(part.centre, a, b) for a, b in pairwise(path))
    near = min((math.dist(part.centre, foot) for foot in feet), default=math.dist(part.centre, path[-1]))
    return near - base.reach_mm - part.reach_mm


def _first_meeting(
    base: RoundedShape, path: tuple[Point, ...], parts: Iterable[RoundedShape], *, grazing: bool
) -> float | None:
    before = 0.0
    for a, b in pairwise(path):
        length = math.dist(a, b)
        if length > 0:
            heading = ((b[0] - a[0]) / length, (b[1] - a[1]) / length)
            met = [_meetings_with(place_shape(base, a), heading, length, part, grazing=grazing) for part in parts]
            distances = [after for after in met if after is not None]
            if distances:
                return before + min(distances)
        before += length
    return None


def _meetings_with(
    base: RoundedShape, direction: Point, length: float, part: RoundedShape, *, grazing: bool
) -> float | None:
    if grazing and stretch_within(base, direction, part, -_TOUCH_MM) is None:  # it goes along it, or past it
        span = stretch_within(base, direction, part, _TOUCH_MM)
        return None if span is None or not _TOUCH_MM < span[0] <= length + _TOUCH_MM else span[0]
    span = stretch_within(base, direction, part)
    if span is None or span[0] > length + _TOUCH_MM or span[0] + span[1] <= 2 * _TOUCH_MM:
        return None  # never met, met beyond the end, or left behind from the start
    if span[1] - span[0] <= math.sqrt(_TOUCH_MM):
        return None
    return max(0.0, span[0])


def travel(
    base: RoundedShape, path: tuple[Point, ...], going: TravelLimits, budget_mm: float = math.inf
) -> TravelResult:
    """How far the base gets along the path: to its end, to what stops it, or to the end of its budget.

    What may be crossed only to its far side stops it too, unless the place where it would end is clear of it.
    """
    ground = slow_stretches(base, path, going.slow)
    whole = length_mm(path)
    stops = meetings(base, path, going.stops, grazing=going.grazing_ids)
    if going.table_mm is not None and (over := first_edge_crossed(base, path, going.table_mm)) is not None:
        stops = sorted([*stops, over], key=lambda stop: stop.after_mm)
    reach = min(whole, farthest_within_budget(whole, ground, budget_mm))
    barrier = next((stop for stop in stops if stop.after_mm < reach + _TOUCH_MM), None)
    end = reach if barrier is None else min(reach, barrier.after_mm)
    for stop in reversed(meetings(base, path, going.crossed)):
        if stop.after_mm < end and not _is_clear(place_shape(base, place_after(path, end)), stop.id, going.crossed):
            barrier, end = stop, stop.after_mm
    stopped_by = None if barrier is None else barrier.id
    return TravelResult(path, end, cost_mm(end, ground), cost_mm(whole, ground), stopped_by, ground)


def first_edge_crossed(base: RoundedShape, path: tuple[Point, ...], table_mm: tuple[float, float]) -> Stop | None:
    """The edge of the table that the base would be moved over first; None while all of it stays on the table."""
    before = 0.0
    for a, b in pairwise(path):
        length = math.dist(a, b)
        if length > 0:
            room, edge = min(_travel_to_edges(place_shape(base, a), a, b, table_mm))
            if room < length - _TOUCH_MM:
                return Stop(edge, before + max(0.0, room))
        before += length
    return None


def _travel_to_edges(
    base: RoundedShape, a: Point, b: Point, table_mm: tuple[float, float]
) -> Iterator[tuple[float, str]]:
    """How far the base may slide toward b before it comes to each edge that it nears."""
    length = math.dist(a, b)
    yield math.inf, ""
    for k, (near, far) in enumerate((("edge:left", "edge:right"), ("edge:near", "edge:far"))):
        step = (b[k] - a[k]) / length
        if step > 1e-12:
            yield (table_mm[k] - base.radius_mm - max(p[k] for p in base.points)) / step, far
        elif step < -1e-12:
            yield (min(p[k] for p in base.points) - base.radius_mm) / -step, near


def _is_clear(base: RoundedShape, id_: str, things: Things) -> bool:
    return all(gap(base, part).mm >= -_TOUCH_MM for other, area in things if other == id_ for part in area.parts)


def slow_stretches(base: RoundedShape, path: tuple[Point, ...], slow: Things) -> tuple[Stretch, ...]:
    """The parts of the way on which some of the base is in slow ground, piece by piece."""
    stretches = [
        Stretch(id_, 2.0, first, last)
        for id_, area in slow
        if (near := tuple(part for part in area.parts if may_come_near(base, path, part)))
        for first, last in lengths_within(base, path, Area(near))
        if last - first > _TOUCH_MM
    ]
    return tuple(sorted(stretches, key=lambda stretch: stretch.from_mm))


def cost_mm(travel_mm: float, ground: tuple[Stretch, ...]) -> float:
    """What so much travel costs: double where any of the ground is slow."""
    return travel_mm + sum(max(0.0, min(last, travel_mm) - first) for first, last in _union_length(ground))


def farthest_within_budget(whole_mm: float, ground: tuple[Stretch, ...], budget_mm: float) -> float:
    """How far the budget carries."""
    travelled, left = 0.0, budget_mm
    for first, last in _union_length(ground):
        if left <= first - travelled:
            return travelled + left
        left -= max(0.0, first - travelled)
        travelled = max(travelled, first)
        if left <= 2 * (last - travelled):
            return travelled + left / 2
        left -= 2 * (last - travelled)
        travelled = last
    return min(whole_mm, travelled + left) if math.isfinite(left) else whole_mm


def _union_length(ground: tuple[Stretch, ...]) -> list[tuple[float, float]]:
    joined: list[tuple[float, float]] = []
    for stretch in ground:
        if joined and stretch.from_mm <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], stretch.to_mm))
        else:
            joined.append((stretch.from_mm, stretch.to_mm))
    return joined


def swept_gap(base: RoundedShape, path: tuple[Point, ...], part: RoundedShape) -> float:
    """The least gap between a sliding base and another on the path; negative by how deep they would overlap."""
    if base.is_disc():
        legs = [RoundedShape((a, b) if a != b else (a,), base.radius_mm) for a, b in pairwise(path)]
        return min((gap(leg, part).mm for leg in legs), default=gap(place_shape(base, path[-1]), part).mm)
    corners = ((*place_shape(base, a).points, *place_shape(base, b).points) for a, b in pairwise(path))
    swept = (RoundedShape(convex_hull(list(points)), base.radius_mm) for points in corners)
    return min((gap(shape, part).mm for shape in swept), default=gap(place_shape(base, path[-1]), part).mm)


def room_mm(base: RoundedShape, path: tuple[Point, Point], part: RoundedShape) -> float:
    """How far a thing stays out of the way of a base that slides straight; negative by how deep it stands in it.

    As in `meetings`, what it moves away from and what it stands in are not in its way: infinite room. An overlap that
    it starts with is a measuring error and not counted.
    """
    start = place_shape(base, path[0])
    started = gap(start, part)
    if started.mm <= -_DEEP_MM or _is_left_behind(start, path, part, started):
        return math.inf
    return swept_gap(base, path, part) - min(0.0, started.mm)


def _is_left_behind(start: RoundedShape, path: tuple[Point, Point], part: RoundedShape, started: Gap) -> bool:
    """Whether the base moves away from a thing, or along it, from the start."""
    length = math.dist(*path)
    heading = ((path[1][0] - path[0][0]) / length, (path[1][1] - path[0][1]) / length)
    if started.mm > 0:
        (ax, ay), (bx, by) = started.at_a, started.at_b
        return (bx - ax) * heading[0] + (by - ay) * heading[1] <= 0
    span = stretch_within(start, heading, part)
    return span is not None and span[0] + span[1] <= 2 * _TOUCH_MM
