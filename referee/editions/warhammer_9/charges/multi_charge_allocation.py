"""Allocation: the places of several chargers along the sides of their targets, and the path of each."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise, permutations

from models.vocabulary import Point
from referee.editions.warhammer_9.charges.alignment import Alignment
from referee.editions.warhammer_9.charges.path_search import ChargePath, ChargeScene, paths_to_place
from referee.geometry.distance import gap
from referee.geometry.shapes import Area, RoundedShape, convex_hull
from referee.motion.block_pose import BlockPose
from referee.motion.rotational_sweep import contact_when_turning

_HAIR_MM = 0.05  # so much smaller is taken what may be touched but not run into
_CORNER_MM = 0.004  # who touches with a corner alone reaches so far past it
_MOST_TRIED = 40  # of the best ways to stand along a side, before one of them stays behind
_MOST_PLACES = 4000
Places = tuple[float, ...]


@dataclass(frozen=True)
class Charger:
    """One charger: its target, and the paths to each place along that side, searched once."""

    id: str
    goal: str
    side: tuple[Point, Point]
    scene: ChargeScene
    other_targets: tuple[RoundedShape, ...] = ()
    """Other targets of its charge, which it is to touch where it can."""
    _known: dict[float, list[ChargePath]] = field(default_factory=dict)

    @property
    def alignment(self) -> Alignment:
        return self.scene.alignment

    def paths_to(self, middle_mm: float) -> list[ChargePath]:
        if middle_mm not in self._known:
            self._known[middle_mm] = paths_to_place(self.scene, middle_mm)
        return self._known[middle_mm]

    def final_pose(self, path: ChargePath) -> BlockPose:
        return path.aligned_pose if self.scene.closes_up else path.contact_pose

    def other_contacts(self, middle_mm: float) -> int:
        """How many of its other targets it touches there."""
        aligned_shape = self.alignment.pose_at(middle_mm).shape
        return sum(gap(aligned_shape, target).mm <= 10 * _HAIR_MM for target in self.other_targets)


@dataclass(frozen=True)
class Allocation:
    """The chargers that find room, in the order in which they move, with their paths and contacts."""

    paths: dict[str, ChargePath]
    files: dict[str, int]
    target_contacts: dict[str, int]


def allocate_sides(chargers: Sequence[Charger], stay: Sequence[BlockPose] = ()) -> Allocation:
    """Allocation with the most chargers, then the most in contact, then the most even; none runs into another.

    Source: Multiple Charges on a Unit, p. 21.
    """
    for count in range(len(chargers), 0, -1):
        for some in combinations(chargers, count):
            left = [charger.alignment.own for charger in chargers if charger not in some]
            allocation = _allocate_all(some, [*stay, *left])
            if allocation is not None:
                return allocation
    return Allocation({}, {}, {})


def _allocate_all(some: tuple[Charger, ...], stay: list[BlockPose]) -> Allocation | None:
    """All of these, side after side; those who went before stand where they ended, others stay where they are."""
    done: list[tuple[Charger, ChargePath]] = []
    files, theirs = dict[str, int](), dict[str, int]()
    for group in _group_by_side(some):
        rest = [c.alignment.own for c in some if c not in group and c.id not in {gone.id for gone, _ in done}]
        allocated = _allocate_side(group, done, [*stay, *rest])
        if allocated is None:
            return None
        places, order = allocated
        done += order
        files |= {c.id: c.alignment.contact_counts(m)[0] for c, m in zip(group, places, strict=True)}
        theirs[group[0].goal] = max(_target_contacts(group, places), theirs.get(group[0].goal, 0))
    return Allocation({charger.id: path for charger, path in done}, files, theirs)


def _group_by_side(some: tuple[Charger, ...]) -> list[tuple[Charger, ...]]:
    """The chargers of each side, in the order in which they stand before it."""
    sides = dict.fromkeys((charger.goal, charger.side) for charger in some)
    groups = [[charger for charger in some if (charger.goal, charger.side) == key] for key in sides]
    return [tuple(sorted(group, key=lambda charger: charger.alignment.straight_on_mm)) for group in groups]


def _allocate_side(
    group: tuple[Charger, ...], done: list[tuple[Charger, ChargePath]], rest: list[BlockPose]
) -> tuple[Places, list[tuple[Charger, ChargePath]]] | None:
    """The best places along one side to which all of them find a way, and the order in which they go there."""
    tried = 0
    for places in _places_best_first(group):
        if not all(charger.paths_to(middle) for charger, middle in zip(group, places, strict=True)):
            continue
        order = _find_order(group, places, done, rest)
        if order is not None:
            return places, order
        tried += 1
        if tried >= _MOST_TRIED:
            return None
    return None


def _places_best_first(group: tuple[Charger, ...]) -> Iterator[Places]:
    """Places for all of them that leave room for each, the best first."""
    every = _place_lists(group, [_candidate_places(group, charger) for charger in group])
    scored = [(_place_score(group, places), places) for places in every]
    return (places for rank, places in sorted(scored, reverse=True) if rank[1] > 0)


def _place_score(group: tuple[Charger, ...], places: Places) -> tuple[float, ...]:
    """The other targets touched, nobody left out, the most in contact, the most even, the least out of their way."""
    files = [charger.alignment.contact_counts(middle)[0] for charger, middle in zip(group, places, strict=True)]
    total = sum(files) + (0 if group[0].alignment.is_own_alone else _target_contacts(group, places))
    aside = sum(abs(middle - charger.alignment.straight_on_mm) for charger, middle in zip(group, places, strict=True))
    also = sum(charger.other_contacts(middle) for charger, middle in zip(group, places, strict=True))
    return also, float(min(files) > 0), total, min(files), -round(aside, 3)


def _target_contacts(group: tuple[Charger, ...], places: Places) -> int:
    """How many of the target touch any of them."""
    first = group[0].alignment
    spans = [
        (m - c.alignment.own.width_mm / 2, m + c.alignment.own.width_mm / 2) for c, m in zip(group, places, strict=True)
    ]
    slack = first.slack_mm
    return sum(
        any(low <= b + slack and high >= a - slack for a, b in spans) for low, high in pairwise(first.target_marks())
    )


def _candidate_places(group: tuple[Charger, ...], charger: Charger) -> list[float]:
    """Places of one of them: where miniatures begin to touch, straight on, and beside what its neighbours' reach."""
    alignment, half = charger.alignment, charger.alignment.own.width_mm / 2
    marks = {round(m, 6) for other in group for m in _file_edges(other.alignment)}
    ends = {sign * (half - _CORNER_MM) + at for at, sign in ((0.0, -1), (alignment.length_mm, 1))}
    middles_mm = {m + sign * half for m in marks for sign in (-1, 1)} | {alignment.straight_on_mm, *ends}
    return sorted(m for m in middles_mm if -half < m < alignment.length_mm + half)


def _file_edges(alignment: Alignment) -> Iterator[float]:
    """Where along the side a file of the target, or of a charger straight on or at the end of the side, begins."""
    yield from alignment.target_marks()
    yield from (alignment.straight_on_mm + sign * alignment.own.width_mm / 2 for sign in (-1, 1))
    wide = alignment.own.width_mm / alignment.files
    first, last = alignment.stands_mm or (0.0, alignment.length_mm)
    yield from (first + k * wide for k in range(1, alignment.files))
    yield from (last - k * wide for k in range(1, alignment.files))


def _place_lists(group: tuple[Charger, ...], marks: list[list[float]]) -> list[Places]:
    """All lists of places in which nobody stands where another does."""
    placings: list[Places] = [()]
    for k, (charger, middles) in enumerate(zip(group, marks, strict=True)):
        room = (
            0.0
            if not k
            else (group[k - 1].alignment.own.width_mm + charger.alignment.own.width_mm) / 2 - 2 * _CORNER_MM
        )
        placings = [(*before, m) for before in placings for m in middles if not before or m - before[-1] >= room - 1e-6]
        if len(placings) > _MOST_PLACES:
            placings = sorted(placings, key=lambda places: _place_score(group[: k + 1], places), reverse=True)[
                :_MOST_PLACES
            ]
    return placings


def _find_order(
    group: tuple[Charger, ...], places: Places, done: list[tuple[Charger, ChargePath]], rest: list[BlockPose]
) -> list[tuple[Charger, ChargePath]] | None:
    """An order in which they may move one after another, with a way for each."""
    middles = {charger.id: middle for charger, middle in zip(group, places, strict=True)}
    near = sorted(
        group, key=lambda charger: min(path.then_mm + path.ahead_mm for path in charger.paths_to(middles[charger.id]))
    )
    for order in permutations(near):
        gone = list(done)
        for k, charger in enumerate(order):
            standing = [*(other.final_pose(path) for other, path in gone), *rest]
            standing += [other.alignment.own for other in order[k + 1 :]]
            free = _find_free_path(charger, charger.paths_to(middles[charger.id]), standing)
            if free is None:
                break
            gone.append((charger, free))
        else:
            return gone[len(done) :]
    return None


def _find_free_path(charger: Charger, ways: Iterable[ChargePath], standing: list[BlockPose]) -> ChargePath | None:
    closed = [shrink_slightly(other.shape) for other in standing]
    return next((path for path in ways if not any(_is_path_blocked(charger, path, shape) for shape in closed)), None)


def _is_path_blocked(charger: Charger, path: ChargePath, shape: RoundedShape) -> bool:
    """Whether a way leads through something that stands there."""
    straight = ((path.start, path.wheel_start), (path.wheel_end, path.contact_pose))
    if any(gap(RoundedShape(convex_hull([*a.corners, *b.corners])), shape).mm < 0 for a, b in straight):
        return True
    at = path.wheel_start
    turns = [(at, path.turn_rad, at.point_at(0.0, math.copysign(at.width_mm / 2, path.turn_rad)))]
    turns += [(path.contact_pose, path.closing_rad, path.pivot)] * charger.scene.closes_up
    area = [("", Area((shape,)))]
    return any(contact_when_turning(stand.shape, about, by, area) is not None for stand, by, about in turns if by)


def shrink_slightly(shape: RoundedShape) -> RoundedShape:
    """The same shape without the margin by which it may be touched."""
    cx, cy = shape.centre
    corners = [(x, y, math.dist((x, y), (cx, cy)) or 1.0) for x, y in shape.points]
    points = tuple((x + _HAIR_MM * (cx - x) / far, y + _HAIR_MM * (cy - y) / far) for x, y, far in corners)
    return RoundedShape(points, shape.radius_mm)
