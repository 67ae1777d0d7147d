"""Path search: a charge's path straight on, one wheel, straight on to contact, and closing up, touching nothing else.

None is missed that leaves a twentieth of a millimetre: what cannot hold a way is ruled out by how far a way moves when
it is changed a little, and the rest is cut smaller and smaller. The search ends after `_MOST_CELLS` pieces; on
drawn tables the first hundred were enough to find what there is, and few that hold nothing needed them all.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

import numpy as np

from models.vocabulary import Point
from referee.arrays import Booleans, Floats
from referee.editions.warhammer_9.charges.alignment import Alignment
from referee.editions.warhammer_9.movement import path_legs
from referee.geometry.shapes import Area, RoundedShape
from referee.motion.block_pose import BlockPose
from referee.motion.path_evaluation import Approach, Contacts
from referee.motion.rotational_sweep import contact_when_turning
from referee.motion.shortest_path import bounding_corners
from referee.motion.sweep import merge_stretches
from referee.search_effort import spend_effort

_QUARTER_RAD = math.pi / 2
_FINE_MM = 0.05  # no way is missed that leaves this much to both sides
_COARSE_MM = 0.5  # nor one that could close up there or by this much beside
_CELL_MM, _CELLS = 32.0, 12  # how the search begins; it goes on from there by halving
Box = tuple[float, float, float, float]
_BLOCK = 2048
_MOST_CELLS = 6_000
_PIECES = 250  # that take as long as a search is set up
_TRIED, _FEW = 8, 4
_STEP_RAD = math.radians(10.0)
_GRID_RAD = np.radians(np.arange(1.0, 90.5, 1.0))
_NEARBY_RAD = np.radians([0.0, 0.01, -0.01, 0.03, -0.03, 0.1, -0.1, 0.2, -0.2, 0.4, -0.4])
_NEARBY_MM = np.array([0.0, 0.1, -0.1, 0.3, -0.3, 0.6, -0.6, 1.2, -1.2])


@dataclass(frozen=True)
class ChargePath:
    """The path of a charge. `turn_rad` is anticlockwise; `pivot` is the point of contact about which it closes up."""

    start: BlockPose
    ahead_mm: float
    turn_rad: float
    then_mm: float
    pivot: Point
    closing_rad: float
    middle_mm: float

    @property
    def wheel_start(self) -> BlockPose:
        return self.start.translate(self.ahead_mm)

    @property
    def wheel_end(self) -> BlockPose:
        if not self.turn_rad:
            return self.wheel_start
        return self.wheel_start.wheel("left" if self.turn_rad > 0 else "right", abs(self.turn_rad))

    @property
    def contact_pose(self) -> BlockPose:
        """Where it stands when it touches."""
        return self.wheel_end.translate(self.then_mm)

    @property
    def aligned_pose(self) -> BlockPose:
        """Where it stands once it has closed up."""
        return self.contact_pose.rotate(self.closing_rad, self.pivot)

    def legs(self, *, closes_up: bool) -> path_legs.Legs:
        at, turned, touching = self.wheel_start, self.wheel_end, self.contact_pose
        hand = math.copysign(at.width_mm / 2, self.turn_rad)
        legs = path_legs.straight_leg(self.start, at) + path_legs.turn_leg(at, self.turn_rad, at.point_at(0.0, hand))
        legs = path_legs.label_legs("charge", legs + path_legs.straight_leg(turned, touching))
        return legs + (
            path_legs.label_legs("align", path_legs.turn_leg(touching, self.closing_rad, self.pivot))
            if closes_up
            else []
        )


@dataclass(frozen=True)
class Arrival:
    """Arrival of a charge: its path, who else every path touches, and who closes up."""

    path: ChargePath | None
    alignment: Alignment
    must_also_charge: tuple[str, ...]
    aligned_by: str | None
    own_id: str
    goal: tuple[Point, ...]
    """The outline that is charged."""
    is_obvious: bool = True
    """Whether one need not search to see whom it touches."""

    def final_pose(self, own: BlockPose) -> BlockPose:
        """Where the charger stands in the end."""
        assert self.path is not None
        contact = self.path.aligned_pose if self.aligned_by == self.own_id else self.path.contact_pose
        return replace(contact, width_mm=own.width_mm, depth_mm=own.depth_mm)


@dataclass(frozen=True)
class ChargeScene:
    """What a charge meets: the side it charges, the target's outline, and what it may not touch.

    `overflown` are flown over; `end_obstacles` are what it may not touch in the end. `closes_up` says whether it must
    find room to stand flush.
    """

    alignment: Alignment
    goal: tuple[Point, ...]
    obstacles: tuple[RoundedShape, ...]
    overflown: tuple[RoundedShape, ...] = ()
    closes_up: bool = True

    @property
    def end_obstacles(self) -> list[RoundedShape]:
        return [*self.obstacles, *self.overflown]


def paths_to_place(scene: ChargeScene, middle_mm: float) -> list[ChargePath]:
    """Paths on the whole-degree grid that end at this place along the side, those that turn least first."""
    search = _Search(scene)
    straight = search.straight_path()
    paths = [straight] if straight is not None and abs(straight.middle_mm - middle_mm) < 1e-3 else []
    return [*paths, *islice(search.paths_to_places(np.array([middle_mm]), _GRID_RAD), _FEW)]


def direct_path(scene: ChargeScene) -> ChargePath | None:
    """The path found without a search: the whole-degree one into the most contact of all, else straight on.

    Source: Charging More than One Unit, p. 19.
    """
    return _Search(scene).best_among(_GRID_RAD, only_best=True)


def whole_degree_path(scene: ChargeScene) -> ChargePath | None:
    """The best path that is straight or whose wheel is one of whole degrees."""
    return _Search(scene).best_among(_GRID_RAD)


def similar_path(scene: ChargeScene, arrivals: Sequence[Arrival]) -> ChargePath | None:
    """A path along the line of one of these arrivals of a table little other than this one, if it is free here.

    It brings as much into contact, and spares the search.
    """
    search = _Search(scene) if arrivals else None
    paths = (search.path_like(arrival) for arrival in arrivals) if search is not None else ()
    return next((path for path in paths if path is not None), None)


def best_path(scene: ChargeScene) -> ChargePath | None:
    """A path that brings the most into contact; None when there is none at all. Source: Move Chargers, p. 19."""
    search = _Search(scene)
    path = search.best_among(_GRID_RAD)
    if path is not None:
        return path
    for approach in search.approaches:
        some = search.any_path(approach)
        if some is not None:
            near = abs(some.turn_rad) + np.radians(np.arange(-2.0, 2.01, 0.02))
            better = search.best_among(near[(near > 1e-4) & (near <= _QUARTER_RAD)])
            return max(
                (path for path in (some, better) if path),
                key=lambda path: scene.alignment.contact_score(path.middle_mm),
            )
    return None


class _Search:
    """One charge: its approaches about either corner, and where it may not stand in the end."""

    def __init__(self, scene: ChargeScene) -> None:
        self.scene, self.alignment = scene, scene.alignment
        spend_effort(1.0)
        closed = [bounding_corners(obstacle) for obstacle in scene.obstacles]
        side = (self.alignment.start, self.alignment.end)
        own = self.alignment.own
        self.approaches = [Approach.of(own, side, scene.goal, closed, hand) for hand in (1, -1)]
        self.boxes = [_bounding_box(end_obstacle) for end_obstacle in scene.end_obstacles]
        first, last = (
            self.alignment.pose_at(end + sign * own.width_mm / 2)
            for end, sign in ((0, -1), (self.alignment.length_mm, 1))
        )
        near = self._obstacles_in_box(_bounding_box(RoundedShape((*first.corners, *last.corners))))
        self.barred = merge_stretches(self.alignment.blocked_spans(near)) if scene.closes_up else []

    def best_among(self, turns: Floats, *, only_best: bool = False) -> ChargePath | None:
        """The way with the most in contact among these wheels, and straight on without one."""
        straight = self.straight_path()
        every = self.alignment.candidate_places()
        places = [place for place in every if not self._is_barred(place)]
        scores = {self.alignment.contact_score(place) for place in (every if only_best else places)}
        for score in sorted(scores, reverse=True)[: 1 if only_best else None]:
            if straight is not None and self.alignment.contact_score(straight.middle_mm) >= score:
                return straight
            level = [place for place in places if self.alignment.contact_score(place) == score]
            path = self._first_path_to(np.array(level), turns) if level else None
            if path is not None:
                return path
        return straight

    def straight_path(self) -> ChargePath | None:
        """Without a wheel."""
        approach = self.approaches[0]
        if not approach.free_straight_mm()[1]:
            return None
        contacts = approach.find_contacts(np.zeros(1), np.zeros(1))
        return self._make_path(approach, contacts, 0, 0.0, 0.0) if contacts.is_free[0] else None

    def path_like(self, arrival: Arrival) -> ChargePath | None:
        """A free path that ends its wheel hardly off the line of an arrival elsewhere, with no less in contact."""
        assert arrival.path is not None
        least = arrival.alignment.contact_score(arrival.path.middle_mm)
        straight = () if arrival.path.turn_rad else (self.straight_path(),)
        paths = (path for path in chain(straight, self._paths_along(arrival.path)) if path is not None)
        return next((path for path in paths if self.alignment.contact_score(path.middle_mm) >= least), None)

    def _paths_along(self, path: ChargePath) -> Iterator[ChargePath | None]:
        """Paths whose last straight piece lies about where that of this one does, whichever corner they wheel about."""
        heading, (x, y) = path.wheel_end.facing_rad, path.wheel_end.front
        own = self.alignment.own
        off, sideways = (np.ravel(grid) for grid in np.meshgrid(_NEARBY_RAD, _NEARBY_MM, indexing="ij"))
        across_x, across_y = -np.sin(heading + off), np.cos(heading + off)
        for approach in self.approaches:
            turns = approach.hand * (np.remainder(heading + off - own.facing_rad + math.pi, math.tau) - math.pi)
            (px, py), half = approach.origin, approach.hand * own.width_mm / 2
            missing = across_x * (x - px) + across_y * (y - py) + half + sideways
            steps = across_x * math.cos(own.facing_rad) + across_y * math.sin(own.facing_rad)
            ahead = missing / np.where(np.abs(steps) < 1e-9, np.nan, steps)
            fits = (turns > 1e-5) & (turns <= _QUARTER_RAD) & (ahead >= 0) & (ahead <= approach.free_straight_mm()[0])
            if not fits.any():
                continue
            contacts = approach.find_contacts(ahead[fits], turns[fits])
            for k in np.flatnonzero(contacts.is_free)[:_TRIED]:
                yield self._make_path(approach, contacts, int(k), float(ahead[fits][k]), float(turns[fits][k]))

    def _first_path_to(self, middles: Floats, turns: Floats) -> ChargePath | None:
        """The way with the least turning that leads to one of these places."""
        return next(self.paths_to_places(middles, turns), None)

    def paths_to_places(self, middles: Floats, turns: Floats) -> Iterator[ChargePath]:
        """Ways that lead to one of these places, those that turn least first."""
        candidates: list[tuple[float, Approach, Contacts, int, float, float]] = []
        for approach in self.approaches:
            middles_along = middles if approach.hand > 0 else self.alignment.length_mm - middles
            grid, turn = (np.ravel(grid) for grid in np.meshgrid(middles_along, turns, indexing="ij"))
            ahead, then = approach.solve_for_places(grid, turn)
            fits = (ahead >= 0) & (ahead <= approach.free_straight_mm()[0]) & (then >= 0)
            ahead, turn, then = ahead[fits], turn[fits], then[fits]
            if not len(ahead):
                continue
            contacts = approach.find_contacts(ahead, turn)
            for k in np.flatnonzero(contacts.is_free & (np.abs(contacts.then_mm - then) < 1e-6)):
                closing = math.remainder(approach.aligned_rad - turn[k], math.tau)
                candidates.append((turn[k] + abs(closing), approach, contacts, int(k), float(ahead[k]), float(turn[k])))
        for _, approach, contacts, j, ahead_mm, turn_rad in sorted(candidates, key=lambda candidate: candidate[0])[
            :_TRIED
        ]:
            path = self._make_path(approach, contacts, j, ahead_mm, turn_rad)
            if path is not None:
                yield path

    def _make_path(
        self, approach: Approach, contacts: Contacts, k: int, ahead: float, turn: float
    ) -> ChargePath | None:
        """The way itself, if it can close up."""
        middle = float(approach.middle_mm(contacts)[k])
        middle = middle if approach.hand > 0 else self.alignment.length_mm - middle
        closing = approach.hand * math.remainder(approach.aligned_rad - turn, math.tau)
        then = max(0.0, float(contacts.then_mm[k]))
        path = ChargePath(self.alignment.own, ahead, approach.hand * turn, then, (0.0, 0.0), closing, middle)
        corner_mm = self.alignment.own.width_mm / 2 - float(contacts.across_mm[k])
        path = replace(path, pivot=path.contact_pose.point_at(0.0, approach.hand * corner_mm))
        return path if self._is_end_clear(path) else None

    def _is_end_clear(self, path: ChargePath) -> bool:
        if self._is_barred(path.middle_mm):
            return False
        closing = path.closing_rad if self.scene.closes_up else 0.0
        near = self._obstacles_in_box(_turn_box(path.contact_pose, closing, path.pivot))
        clear = [("", Area((shape,))) for shape in near]
        return contact_when_turning(path.contact_pose.shape, path.pivot, closing, clear) is None

    def _obstacles_in_box(self, box: Box) -> list[RoundedShape]:
        """What it may not touch in the end, of that what may reach into a box."""
        return [shape for shape, its in zip(self.scene.end_obstacles, self.boxes, strict=True) if _is_overlap(box, its)]

    def _is_barred(self, middle: float) -> bool:
        return any(low < middle < high for low, high in self.barred)

    def any_path(self, approach: Approach) -> ChargePath | None:
        """Some way about this corner, or the certainty that there is none."""
        farthest = min(approach.free_straight_mm()[0], float(approach.side[:, 0].max()))
        half = self.alignment.own.width_mm / 2
        if farthest < 0 or any(low < -half and self.alignment.length_mm + half < high for low, high in self.barred):
            return None
        stack, left = [_all_cells(farthest)], _MOST_CELLS
        while stack and left > 0:
            cells = stack.pop()
            if len(cells) > _BLOCK:
                stack, cells = [*stack, cells[_BLOCK:]], cells[:_BLOCK]
            left -= len(cells)
            spend_effort(len(cells) / _PIECES)
            cells, contacts = self._prune_cells(approach, cells)
            path = self._path_from_middles(approach, cells, contacts)
            if path is not None:
                return path
            if len(cells):
                stack.append(_halve_cells(approach, cells, np.where(contacts.is_free, _COARSE_MM, _FINE_MM)))
        return None

    def _prune_cells(self, approach: Approach, cells: Floats) -> tuple[Floats, Contacts]:
        """Those cells of ways that may hold one, and where the ways in their middles lead.

        How much of a wheel an outline leaves is known at both ends of a cell, and is nowhere between greater than at
        the better of them: the ways on which a convex outline stops a wheel too soon lie side by side.
        """
        nodes, back = np.unique(cells[:, :2], return_inverse=True)
        limits = approach.turn_limits(nodes)[back.reshape(-1, 2)]
        most = limits.max(axis=1).min(axis=1)
        cells = np.column_stack((cells[:, :3], np.minimum(cells[:, 3], most)))[cells[:, 2] <= most]
        ahead, turns, by = _cell_middles(approach, cells)
        cells = cells[~approach.is_hopeless(ahead, turns, by)]
        contacts = approach.find_contacts(*_cell_middles(approach, cells)[:2])
        kept = ~self._is_alignment_impossible(approach, cells, contacts)
        return cells[kept], contacts.select(kept)

    def _is_alignment_impossible(self, approach: Approach, cells: Floats, contacts: Contacts) -> Booleans:
        """Which cells hold only ways that cannot close up."""
        astray = np.zeros(len(cells), dtype=bool)
        if not self.scene.closes_up:
            return astray
        _, turns, by = _cell_middles(approach, cells)
        closing = np.abs(np.remainder(approach.aligned_rad - turns + math.pi, math.tau) - math.pi)
        slope = np.cos(np.minimum(closing + (cells[:, 3] - cells[:, 2]) / 2, math.pi))
        off = 3 * by / np.maximum(slope, 1e-3)  # how far along the side another way of the cell may lead
        sure = contacts.is_free & (slope > 1e-3)
        middle = approach.middle_mm(contacts)
        middle = middle if approach.hand > 0 else self.alignment.length_mm - middle
        for low, high in self.barred:
            astray |= sure & (low < middle - off) & (middle + off < high)
        left = sure & ~astray & (off < self.alignment.own.depth_mm / 4)
        astray[left] = approach.is_closing_blocked(turns[left], contacts.select(left), 2 * off[left])
        return astray

    def _path_from_middles(self, approach: Approach, cells: Floats, contacts: Contacts) -> ChargePath | None:
        """A way in the middle of one of these cells."""
        ahead, turns, _ = _cell_middles(approach, cells)
        for k in np.flatnonzero(contacts.is_free)[:4]:
            path = self._make_path(approach, contacts, int(k), float(ahead[k]), float(turns[k]))
            if path is not None:
                return path
        return None


def _all_cells(farthest_mm: float) -> Floats:
    """All ways, in cells of (least ahead, most ahead, least turn, most turn)."""
    ahead = np.linspace(0.0, max(farthest_mm, 1e-3), max(1, math.ceil(farthest_mm / _CELL_MM)) + 1)
    turns = np.linspace(0.0, _QUARTER_RAD, _CELLS + 1)
    lows = np.meshgrid(ahead[:-1], turns[:-1], indexing="ij")
    highs = np.meshgrid(ahead[1:], turns[1:], indexing="ij")
    return np.column_stack([np.ravel(corners) for corners in (lows[0], highs[0], lows[1], highs[1])])


def _cell_middles(approach: Approach, cells: Floats) -> tuple[Floats, Floats, Floats]:
    """The middle of each cell, and how far its ways may lie from the middle one."""
    ahead, turns = (cells[:, 0] + cells[:, 1]) / 2, (cells[:, 2] + cells[:, 3]) / 2
    half = (cells[:, 1] - cells[:, 0]) / 2
    return ahead, turns, half + (approach.reach_mm(ahead) + half) * (cells[:, 3] - cells[:, 2]) / 2


def _halve_cells(approach: Approach, cells: Floats, least_mm: Floats) -> Floats:
    """Each cell in two, cut where its ways differ more; none that are too small to matter."""
    ahead, turns, by = _cell_middles(approach, cells)
    half = (cells[:, 1] - cells[:, 0]) / 2
    along = half > by - half
    large = by > least_mm
    cells, along, ahead, turns = cells[large], along[large], ahead[large], turns[large]
    first, second = cells.copy(), cells.copy()
    first[along, 1] = second[along, 0] = ahead[along]
    first[~along, 3] = second[~along, 2] = turns[~along]
    return np.vstack((first, second))


def _bounding_box(shape: RoundedShape) -> Box:
    """The least and the greatest x and y of a shape."""
    xs, ys, r = [x for x, _ in shape.points], [y for _, y in shape.points], shape.radius_mm
    return min(xs) - r, max(xs) + r, min(ys) - r, max(ys) + r


def _is_overlap(a: Box, b: Box) -> bool:
    return a[0] <= b[1] and b[0] <= a[1] and a[2] <= b[3] and b[2] <= a[3]


def _turn_box(stand: BlockPose, by_rad: float, about: Point) -> Box:
    """A box that holds all places where it stands while it turns about a point."""
    steps = max(1, math.ceil(abs(by_rad) / _STEP_RAD))
    corners = [p for k in range(steps + 1) for p in stand.rotate(by_rad * k / steps, about).corners]
    bulge = max(math.dist(p, about) for p in stand.corners) * (1 - math.cos(_STEP_RAD / 2))
    return _bounding_box(RoundedShape(tuple(corners), bulge))
