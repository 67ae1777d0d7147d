"""Area crossing: lines from one base to another through an area, and how far beyond it the other base begins."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from models.unit_conversion import wrap_rad
from models.vocabulary import Point
from referee.geometry.corridor import corridor_hull, distance_outside
from referee.geometry.distance import contains_point, gap, nearest_on_segment
from referee.geometry.shapes import Area, RoundedShape

_STEPS = 32
_ROUND_STEPS = 360
_INVERSE_PHI = (math.sqrt(5) - 1) / 2


@dataclass(frozen=True)
class Run:
    """A line through an area and on to a base: the stretch between the two, and where it begins and ends."""

    mm: float
    at_area: Point
    at_base: Point


NOWHERE = Run(math.inf, (0.0, 0.0), (0.0, 0.0))


def least_run(source: RoundedShape, base: RoundedShape, area: Area) -> Run | None:
    """The line from the source through the area to the base with the shortest stretch in between; None without one."""
    if at := _rim_inside(source, base, area):
        return Run(0.0, at, at)
    best, first = NOWHERE, -1
    for least_mm, k, edge in sorted(_edges(base, area), key=lambda edge: edge[:2]):
        if least_mm > best.mm:
            break  # nor is any stretch from an edge farther off as short
        for side in _sides(source, base, edge):
            run = _least_on_edge(source, base, side)
            if (run.mm, k) < (best.mm, first):  # of two as short the one from the edge that the outline has first
                best, first = run, k
    return best if math.isfinite(best.mm) else None


def _rim_inside(source: RoundedShape, base: RoundedShape, area: Area) -> Point | None:
    """A point of the base's near rim that lies in the area itself."""
    cx, cy = base.centre
    for k in range(_STEPS):
        out = (math.cos(math.tau * k / _STEPS), math.sin(math.tau * k / _STEPS))
        rim = base.farthest_along(out)
        faces = source.support(out) >= rim[0] * out[0] + rim[1] * out[1]
        if faces and (rim[0] - cx, rim[1] - cy) != (0.0, 0.0) and any(contains_point(part, rim) for part in area.parts):
            return rim
    return None


Side = tuple[Callable[[float], Point], float, float, int]
Edge = tuple[Point, Point] | RoundedShape
_DUST_MM = 1e-6


def _edges(base: RoundedShape, area: Area) -> Iterator[tuple[float, int, Edge]]:
    """The area's edges in their order, each with a length that no stretch from there to the base falls below.

    A round area is one edge all round.
    """
    outline = area.outline
    count = 0
    for part in () if outline else area.parts:
        if part.is_disc():
            yield _apart_mm(base, part.points[0]) - part.radius_mm - _DUST_MM, count, part
            count += 1
        else:
            outline = corridor_hull(part, part).points
    for k in range(len(outline)):
        a, b = outline[k - 1], outline[k]
        yield _apart_mm(base, nearest_on_segment(base.centre, a, b)) - _DUST_MM, count + k, (a, b)


def _apart_mm(base: RoundedShape, at: Point) -> float:
    return math.dist(base.centre, at) - base.reach_mm


def _sides(source: RoundedShape, base: RoundedShape, edge: Edge) -> Iterator[Side]:
    """The edge as far as it lies between the two bases."""
    if isinstance(edge, RoundedShape):
        yield _points_of_circle(edge), 0.0, math.tau, _ROUND_STEPS
    elif cut := _clip_to_corridor(_distance_from_corridor(source, base), *edge):
        yield _points_of_segment(*edge), *cut, _STEPS


def _points_of_circle(part: RoundedShape) -> Callable[[float], Point]:
    (x, y), r = part.points[0], part.radius_mm
    return lambda turn: (x + r * math.cos(turn), y + r * math.sin(turn))


def _points_of_segment(a: Point, b: Point) -> Callable[[float], Point]:
    return lambda t: (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]))


def _distance_from_corridor(a: RoundedShape, b: RoundedShape) -> Callable[[Point], float]:
    if a.is_disc() and b.is_disc():
        return distance_outside(a, b)
    corridor = corridor_hull(a, b)
    return lambda p: gap(corridor, RoundedShape((p,))).mm


def _clip_to_corridor(outside: Callable[[Point], float], a: Point, b: Point) -> tuple[float, float] | None:
    """The stretch of an edge that lies in the corridor; how far outside it runs is convex along the edge."""
    at = _points_of_segment(a, b)
    middle = _minimise(lambda t: outside(at(t)), 0.0, 1.0)
    if outside(at(middle)) > 0:
        return None
    return _find_border(lambda t: outside(at(t)), middle, 0.0), _find_border(lambda t: outside(at(t)), middle, 1.0)


def _find_border(value: Callable[[float], float], inside: float, end: float) -> float:
    if value(end) <= 0:
        return end
    for _ in range(40):
        half = (inside + end) / 2
        inside, end = (half, end) if value(half) <= 0 else (inside, half)
    return inside


def _least_on_edge(source: RoundedShape, base: RoundedShape, side: Side) -> Run:
    """The least run over one edge: sampled, then narrowed down about the best sample."""
    at, first, last, steps = side
    ts = [first + (last - first) * k / steps for k in range(steps + 1)]
    best, crossing = 0, NOWHERE
    for k, t in enumerate(ts):
        p = at(t)
        if _apart_mm(base, p) - _DUST_MM <= crossing.mm and (run := _run_through(source, base, p)).mm < crossing.mm:
            best, crossing = k, run
    if not math.isfinite(crossing.mm):
        return NOWHERE
    t = _minimise(lambda t: _run_through(source, base, at(t)).mm, ts[max(0, best - 1)], ts[min(steps, best + 1)])
    return min((crossing, _run_through(source, base, at(t))), key=lambda r: r.mm)


def _minimise(value: Callable[[float], float], low: float, high: float) -> float:
    """Where a function with one valley is lowest (golden section)."""
    a, b = high - _INVERSE_PHI * (high - low), low + _INVERSE_PHI * (high - low)
    fa, fb = value(a), value(b)
    for _ in range(40):
        if fa <= fb:
            high, b, fb = b, a, fa
            a = high - _INVERSE_PHI * (high - low)
            fa = value(a)
        else:
            low, a, fa = a, b, fb
            b = low + _INVERSE_PHI * (high - low)
            fb = value(b)
    return (low + high) / 2


def _run_through(source: RoundedShape, base: RoundedShape, at: Point) -> Run:
    """The shortest way on to the base for a line that comes from the source through this point."""
    if contains_point(base, at):
        return NOWHERE
    goal = _nearest_run(base, at)
    toward = math.atan2(goal[1] - at[1], goal[0] - at[0])
    if not contains_point(source, at):
        middle, least, most = _onward_directions(source, at)
        toward = middle + min(most, max(least, wrap_rad(toward - middle)))
    heading = (math.cos(toward), math.sin(toward))
    mm = _hit_mm(base, at, heading)
    return Run(mm, at, (at[0] + mm * heading[0], at[1] + mm * heading[1])) if math.isfinite(mm) else NOWHERE


def _nearest_run(base: RoundedShape, at: Point) -> Point:
    if base.is_disc():
        return base.points[0]
    return min((nearest_on_segment(at, *edge) for edge in base.edges()), key=lambda p: math.dist(p, at))


def _onward_directions(source: RoundedShape, at: Point) -> tuple[float, float, float]:
    """The directions in which lines from the source go on behind a point: the middle, and the turns to both ends."""
    cx, cy = source.centre
    middle = math.atan2(at[1] - cy, at[0] - cx)
    turns = []
    for x, y in source.points:
        turn = wrap_rad(math.atan2(at[1] - y, at[0] - x) - middle)
        half = math.asin(min(1.0, source.radius_mm / max(1e-12, math.dist((x, y), at))))
        turns += [turn - half, turn + half]
    return middle, min(turns), max(turns)


def _hit_mm(base: RoundedShape, at: Point, heading: Point) -> float:
    """How far along the way the base begins; infinite when the way misses it."""
    if base.is_disc():
        return _hit_disc(base.points[0], base.radius_mm, at, heading)
    enter, leave = 0.0, math.inf
    for (px, py), (qx, qy) in base.edges():
        nx, ny = qy - py, px - qx  # outward of an anticlockwise outline
        speed, depth = nx * heading[0] + ny * heading[1], nx * (px - at[0]) + ny * (py - at[1])
        if speed == 0 and depth < 0:
            return math.inf
        if speed < 0:
            enter = max(enter, depth / speed)
        elif speed > 0:
            leave = min(leave, depth / speed)
    return enter if enter <= leave else math.inf


def _hit_disc(centre: Point, radius: float, at: Point, heading: Point) -> float:
    dx, dy = centre[0] - at[0], centre[1] - at[1]
    along, across = dx * heading[0] + dy * heading[1], abs(dx * heading[1] - dy * heading[0])
    if along <= 0 or across > radius + 1e-9:
        return math.inf
    return along - math.sqrt(max(0.0, radius * radius - across * across))
