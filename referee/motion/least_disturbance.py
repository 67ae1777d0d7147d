"""Least disturbance: where bases go that have to make room, so that all of them together move the least.

One base alone goes to the nearest free place: on the rim of one of the things it must not overlap, or where two such
rims cross. Several that have to go are placed one after the other in every order; then the first of an order is tried
at all places round what it makes room for, as two that hinder each other may both have to give way a little.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

from models.vocabulary import Point
from referee.geometry.distance import gap, nearest_on_segment
from referee.geometry.shapes import RoundedShape, disc
from referee.motion.heading_intervals import rim_intersections

_TOUCH_MM = 1e-6
_MOST_ORDERS = 5  # so many bases are placed in every order; more only in that of their depth
_TURNS = 48
_GOLDEN = (math.sqrt(5) - 1) / 2


@dataclass(frozen=True)
class Displacement:
    """Where each base goes, and how far all of them move together."""

    places: dict[str, Point]
    total_mm: float


def nearest_free(base: RoundedShape, solid: Sequence[RoundedShape], *, wanted: Point | None = None) -> Point:
    """The place nearest to where the base stands (or is wanted) at which it overlaps nothing."""
    goal = base.centre if wanted is None else wanted
    rims = [part.grow(base.radius_mm) for part in solid]
    if _is_free(goal, rims):
        return goal
    places = (place for place in _candidates(goal, rims) if _is_free(place, rims))
    return min(places, key=lambda place: math.dist(goal, place), default=goal)


def _is_free(at: Point, rims: Sequence[RoundedShape]) -> bool:
    return all(gap(rim, RoundedShape((at,))).mm >= -_TOUCH_MM for rim in rims)


def _candidates(goal: Point, rims: Sequence[RoundedShape]) -> Iterator[Point]:
    """Every place that may be the nearest free one."""
    held = _cluster(goal, rims)
    for rim in held:
        yield from _exits(goal, rim)
    for a, b in combinations(held, 2):
        yield from rim_intersections(a, b)


def _cluster(goal: Point, rims: Sequence[RoundedShape]) -> list[RoundedShape]:
    """The things that may matter: those that hold the place, and all that hang together with them."""
    held = [rim for rim in rims if gap(rim, RoundedShape((goal,))).mm < _TOUCH_MM]
    rest = [rim for rim in rims if rim not in held]
    grown = True
    while grown:
        joined = [rim for rim in rest if _is_connected(rim, held)]
        held, rest, grown = held + joined, [rim for rim in rest if rim not in joined], bool(joined)
    return held


def _is_connected(rim: RoundedShape, held: Sequence[RoundedShape]) -> bool:
    return any(gap(rim, other).mm <= _TOUCH_MM for other in held)


def _exits(goal: Point, rim: RoundedShape) -> Iterator[Point]:
    """The nearest places on a rim: straight out of its corners and over its sides."""
    for corner in rim.points:
        yield from _radial(corner, goal, rim.radius_mm)
    for a, b in rim.edges():
        foot, length = nearest_on_segment(goal, a, b), math.dist(a, b) or 1.0
        out = ((b[1] - a[1]) / length * rim.radius_mm, (a[0] - b[0]) / length * rim.radius_mm)
        yield (foot[0] + out[0], foot[1] + out[1])


def _radial(corner: Point, goal: Point, radius: float) -> Iterator[Point]:
    apart = math.dist(corner, goal)
    if apart > 1e-9:
        share = radius / apart
        yield (corner[0] + share * (goal[0] - corner[0]), corner[1] + share * (goal[1] - corner[1]))
    else:  # right on top: any way out is as short; one along each axis
        for ux, uy in ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)):
            yield (corner[0] + radius * ux, corner[1] + radius * uy)


def resolve_least_disturbance(movable: dict[str, RoundedShape], solid: Sequence[RoundedShape]) -> Displacement:
    """Where bases go that overlap what is solid, or each other once moved, with the least total distance."""
    orders = permutations(movable) if len(movable) <= _MOST_ORDERS else iter([tuple(movable)])
    best = min((_place_in_order(order, movable, solid, {}) for order in orders), key=lambda moved: moved.total_mm)
    if len(movable) < 2 or best.total_mm <= _lower_bound(movable, solid) + _TOUCH_MM:
        return best
    return _try_each_first(best, movable, solid)


def _lower_bound(movable: dict[str, RoundedShape], solid: Sequence[RoundedShape]) -> float:
    """What all would move if they did not hinder each other: no answer can be less."""
    return sum(math.dist(base.centre, nearest_free(base, solid)) for base in movable.values())


def _place_in_order(
    order: Sequence[str], movable: dict[str, RoundedShape], solid: Sequence[RoundedShape], wanted: dict[str, Point]
) -> Displacement:
    """The bases put down one after the other, each as near as may be to where it stands or is wanted."""
    around, places = list(solid), dict[str, Point]()
    for id_ in order:
        base = movable[id_]
        places[id_] = nearest_free(base, around, wanted=wanted.get(id_))
        around.append(disc(places[id_], base.radius_mm))
    return Displacement(places, sum(math.dist(movable[id_].centre, at) for id_, at in places.items()))


def _try_each_first(
    best: Displacement, movable: dict[str, RoundedShape], solid: Sequence[RoundedShape]
) -> Displacement:
    """The best with each base in turn tried at all places round where it stands, and the others after it."""
    for first in movable:
        rest = [id_ for id_ in movable if id_ != first]
        for order in ((first, *rest), (first, *reversed(rest))):
            best = min(best, _search_directions(first, order, movable, solid), key=lambda moved: moved.total_mm)
    return best


def _search_directions(
    first: str, order: Sequence[str], movable: dict[str, RoundedShape], solid: Sequence[RoundedShape]
) -> Displacement:
    """The least total over all ways the first base may go, looked at closely about the best of them."""
    centre = movable[first].centre
    reach = math.dist(centre, nearest_free(movable[first], solid)) + 1.0

    def toward(angle: float) -> Displacement:
        goal = (centre[0] + reach * math.cos(angle), centre[1] + reach * math.sin(angle))
        return _place_in_order(order, movable, solid, {first: goal})

    start = min((math.tau * k / _TURNS for k in range(_TURNS)), key=lambda angle: toward(angle).total_mm)
    low, high = start - math.tau / _TURNS, start + math.tau / _TURNS
    for _ in range(28):
        a, b = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
        low, high = (low, b) if toward(a).total_mm <= toward(b).total_mm else (a, high)
    return toward((low + high) / 2)
