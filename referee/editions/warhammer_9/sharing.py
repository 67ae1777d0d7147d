"""Sharing: how several chargers come to stand along the sides of their targets together, and the way of each."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations

from models.words import Point
from referee.editions.warhammer_9.flush import Flush
from referee.editions.warhammer_9.footing import Footing
from referee.editions.warhammer_9.ways import Ground, Way, ways_to
from referee.gaps import gap
from referee.shapes import Area, Rounded, hull
from referee.wheels import contact_when_turning

_HAIR_MM = 0.05  # so much smaller is taken what may be touched but not run into
_CORNER_MM = 0.004  # who touches with a corner alone reaches so far past it
_MOST_TRIED = 40  # of the best ways to stand along a side, before one of them stays behind
_MOST_PLACES = 4000
Places = tuple[float, ...]


@dataclass(frozen=True)
class Charger:
    """One of them: what it charges, and the ways to each place along that side, looked for once."""

    id: str
    goal: str
    side: tuple[Point, Point]
    ground: Ground
    also: tuple[Rounded, ...] = ()
    """Other targets of its charge, which it is to touch where it can."""
    _known: dict[float, list[Way]] = field(default_factory=dict)

    @property
    def flush(self) -> Flush:
        return self.ground.flush

    def ways(self, middle_mm: float) -> list[Way]:
        if middle_mm not in self._known:
            self._known[middle_mm] = ways_to(self.ground, middle_mm)
        return self._known[middle_mm]

    def ends(self, way: Way) -> Footing:
        return way.flush if self.ground.closes_up else way.touching

    def touched(self, middle_mm: float) -> int:
        """How many of its other targets it touches there."""
        there = self.flush.at(middle_mm).shape
        return sum(gap(there, one).mm <= 10 * _HAIR_MM for one in self.also)


@dataclass(frozen=True)
class Shared:
    """The chargers that find room, in the order in which they move, with their ways; how many of each touch."""

    ways: dict[str, Way]
    files: dict[str, int]
    theirs: dict[str, int]


def shared(chargers: Sequence[Charger], stay: Sequence[Footing] = ()) -> Shared:
    """As many chargers as find room, the most in contact, then as evenly as may be; none runs into another.

    Source: Multiple Charges on a Unit, p. 21.
    """
    for count in range(len(chargers), 0, -1):
        for some in combinations(chargers, count):
            left = [one.flush.own for one in chargers if one not in some]
            found = _together(some, [*stay, *left])
            if found is not None:
                return found
    return Shared({}, {}, {})


def _together(some: tuple[Charger, ...], stay: list[Footing]) -> Shared | None:
    """All of these, side after side; those who went before stand where they ended, others stay where they are."""
    done: list[tuple[Charger, Way]] = []
    files, theirs = dict[str, int](), dict[str, int]()
    for group in _by_side(some):
        rest = [c.flush.own for c in some if c not in group and c.id not in {gone.id for gone, _ in done}]
        found = _along_side(group, done, [*stay, *rest])
        if found is None:
            return None
        places, order = found
        done += order
        files |= {c.id: c.flush.touching(m)[0] for c, m in zip(group, places, strict=True)}
        theirs[group[0].goal] = max(_theirs(group, places), theirs.get(group[0].goal, 0))
    return Shared({one.id: way for one, way in done}, files, theirs)


def _by_side(some: tuple[Charger, ...]) -> list[tuple[Charger, ...]]:
    """The chargers of each side, in the order in which they stand before it."""
    sides = dict.fromkeys((one.goal, one.side) for one in some)
    groups = [[one for one in some if (one.goal, one.side) == key] for key in sides]
    return [tuple(sorted(group, key=lambda one: one.flush.straight_on_mm)) for group in groups]


def _along_side(
    group: tuple[Charger, ...], done: list[tuple[Charger, Way]], rest: list[Footing]
) -> tuple[Places, list[tuple[Charger, Way]]] | None:
    """The best places along one side to which all of them find a way, and the order in which they go there."""
    tried = 0
    for places in _ranked(group):
        if not all(one.ways(middle) for one, middle in zip(group, places, strict=True)):
            continue
        order = _in_some_order(group, places, done, rest)
        if order is not None:
            return places, order
        tried += 1
        if tried >= _MOST_TRIED:
            return None
    return None


def _ranked(group: tuple[Charger, ...]) -> Iterator[Places]:
    """Places for all of them that leave room for each, the best first."""
    every = _lists(group, [_marks(group, one) for one in group])
    scored = [(_rank(group, places), places) for places in every]
    return (places for rank, places in sorted(scored, reverse=True) if rank[1] > 0)


def _rank(group: tuple[Charger, ...], places: Places) -> tuple[float, ...]:
    """The other targets touched, nobody left out, the most in contact, the most even, the least out of their way."""
    files = [one.flush.touching(middle)[0] for one, middle in zip(group, places, strict=True)]
    total = sum(files) + (0 if group[0].flush.is_own_alone else _theirs(group, places))
    aside = sum(abs(middle - one.flush.straight_on_mm) for one, middle in zip(group, places, strict=True))
    also = sum(one.touched(middle) for one, middle in zip(group, places, strict=True))
    return also, float(min(files) > 0), total, min(files), -round(aside, 3)


def _theirs(group: tuple[Charger, ...], places: Places) -> int:
    """How many of the target touch any of them."""
    first = group[0].flush
    spans = [(m - c.flush.own.width_mm / 2, m + c.flush.own.width_mm / 2) for c, m in zip(group, places, strict=True)]
    rows = [(k * first.step_mm, (k + 1) * first.step_mm) for k in range(max(1, round(first.long_mm / first.step_mm)))]
    slack = first.slack_mm
    return sum(any(low <= b + slack and high >= a - slack for a, b in spans) for low, high in rows)


def _marks(group: tuple[Charger, ...], one: Charger) -> list[float]:
    """Places of one of them: where miniatures begin to touch, straight on, and beside what its neighbours' reach."""
    flush, half = one.flush, one.flush.own.width_mm / 2
    marks = {round(m, 6) for other in group for m in _edges(other.flush)}
    ends = {sign * (half - _CORNER_MM) + at for at, sign in ((0.0, -1), (flush.long_mm, 1))}
    found = {m + sign * half for m in marks for sign in (-1, 1)} | {flush.straight_on_mm, *ends}
    return sorted(m for m in found if -half < m < flush.long_mm + half)


def _edges(flush: Flush) -> Iterator[float]:
    """Where along the side a file of the target, or of a charger straight on or at the end of the side, begins."""
    rows = max(1, round(flush.long_mm / flush.step_mm))
    yield from (k * flush.step_mm for k in range(rows + 1))
    yield from (flush.straight_on_mm + sign * flush.own.width_mm / 2 for sign in (-1, 1))
    wide = flush.own.width_mm / flush.files
    yield from (k * wide for k in range(1, flush.files))
    yield from (flush.long_mm - k * wide for k in range(1, flush.files))


def _lists(group: tuple[Charger, ...], marks: list[list[float]]) -> list[Places]:
    """All lists of places in which nobody stands where another does."""
    found: list[Places] = [()]
    for k, (one, middles) in enumerate(zip(group, marks, strict=True)):
        room = 0.0 if not k else (group[k - 1].flush.own.width_mm + one.flush.own.width_mm) / 2 - 2 * _CORNER_MM
        found = [(*before, m) for before in found for m in middles if not before or m - before[-1] >= room - 1e-6]
        if len(found) > _MOST_PLACES:
            found = sorted(found, key=lambda places: _rank(group[: k + 1], places), reverse=True)[:_MOST_PLACES]
    return found


def _in_some_order(
    group: tuple[Charger, ...], places: Places, done: list[tuple[Charger, Way]], rest: list[Footing]
) -> list[tuple[Charger, Way]] | None:
    """An order in which they may move one after another, with a way for each."""
    middles = {one.id: middle for one, middle in zip(group, places, strict=True)}
    near = sorted(group, key=lambda one: min(way.then_mm + way.ahead_mm for way in one.ways(middles[one.id])))
    for order in permutations(near):
        gone = list(done)
        for k, one in enumerate(order):
            standing = [*(other.ends(way) for other, way in gone), *rest]
            standing += [other.flush.own for other in order[k + 1 :]]
            free = _free_way(one, one.ways(middles[one.id]), standing)
            if free is None:
                break
            gone.append((one, free))
        else:
            return gone[len(done) :]
    return None


def _free_way(one: Charger, ways: Iterable[Way], standing: list[Footing]) -> Way | None:
    closed = [slightly_smaller(other.shape) for other in standing]
    return next((way for way in ways if not any(_runs_into(one, way, shape) for shape in closed)), None)


def _runs_into(one: Charger, way: Way, shape: Rounded) -> bool:
    """Whether a way leads through something that stands there."""
    straight = ((way.start, way.wheels_at), (way.wheeled, way.touching))
    if any(gap(Rounded(hull([*a.corners, *b.corners])), shape).mm < 0 for a, b in straight):
        return True
    at = way.wheels_at
    turns = [(at, way.turn_rad, at.at(0.0, math.copysign(at.width_mm / 2, way.turn_rad)))]
    turns += [(way.touching, way.closing_rad, way.about)] * one.ground.closes_up
    area = [("", Area((shape,)))]
    return any(contact_when_turning(stand.shape, about, by, area) is not None for stand, by, about in turns if by)


def slightly_smaller(shape: Rounded) -> Rounded:
    """The same shape without the hair's breadth by which it may be touched."""
    cx, cy = shape.centre
    corners = [(x, y, math.dist((x, y), (cx, cy)) or 1.0) for x, y in shape.points]
    points = tuple((x + _HAIR_MM * (cx - x) / far, y + _HAIR_MM * (cy - y) / far) for x, y, far in corners)
    return Rounded(points, shape.radius_mm)
