"""Ways of a charge: straight on, one wheel, straight on until it touches, and closing up; touching nothing else.

None is missed that leaves a twentieth of a millimetre: what cannot hold a way is ruled out by how far a way moves when
it is changed a little, and the rest is cut smaller and smaller. The search ends after `_MOST_CELLS` pieces; on
drawn tables the first hundred were enough to find what there is, and few that hold nothing needed them all.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from models.words import Point
from referee.detours import cornered
from referee.editions.warhammer_9 import legs
from referee.editions.warhammer_9.approach import Approach, Contacts, Floats
from referee.editions.warhammer_9.flush import Flush
from referee.editions.warhammer_9.footing import Footing
from referee.motion import joined
from referee.shapes import Area, Rounded
from referee.wheels import contact_when_turning

_QUARTER_RAD = math.pi / 2
_FINE_MM = 0.05  # no way is missed that leaves this much to both sides
_COARSE_MM = 0.5  # nor one that could close up there or by this much beside
_CELL_MM, _CELLS = 32.0, 12  # how the search begins; it goes on from there by halving
Box = tuple[float, float, float, float]
_BLOCK = 2048
_MOST_CELLS = 6_000
_TRIED, _FEW = 8, 4
_STEP_RAD = math.radians(10.0)
_GRID_RAD = np.radians(np.arange(1.0, 90.5, 1.0))


@dataclass(frozen=True)
class Way:
    """A charge's way. `turn_rad` is anticlockwise; `about` is the point of contact about which it closes up."""

    start: Footing
    ahead_mm: float
    turn_rad: float
    then_mm: float
    about: Point
    closing_rad: float
    middle_mm: float

    @property
    def wheels_at(self) -> Footing:
        return self.start.moved(self.ahead_mm)

    @property
    def wheeled(self) -> Footing:
        if not self.turn_rad:
            return self.wheels_at
        return self.wheels_at.wheeled("left" if self.turn_rad > 0 else "right", abs(self.turn_rad))

    @property
    def touching(self) -> Footing:
        """Where it stands when it touches."""
        return self.wheeled.moved(self.then_mm)

    @property
    def flush(self) -> Footing:
        """Where it stands once it has closed up."""
        return self.touching.turned(self.closing_rad, self.about)

    def legs(self, *, closes_up: bool) -> legs.Legs:
        at, turned, touching = self.wheels_at, self.wheeled, self.touching
        hand = math.copysign(at.width_mm / 2, self.turn_rad)
        way = legs.straight(self.start, at) + legs.turn(at, self.turn_rad, at.at(0.0, hand))
        way = legs.told_for("charge", way + legs.straight(turned, touching))
        return way + (legs.told_for("align", legs.turn(touching, self.closing_rad, self.about)) if closes_up else [])


@dataclass(frozen=True)
class Ground:
    """What a charge meets: the side it charges, the outline of the target, and what it may not touch.

    `passed` are flown over; `ends_clear` are what it may not touch in the end. `closes_up` says whether it must find
    room to stand flush.
    """

    flush: Flush
    goal: tuple[Point, ...]
    closed: tuple[Rounded, ...]
    passed: tuple[Rounded, ...] = ()
    closes_up: bool = True

    @property
    def ends_clear(self) -> list[Rounded]:
        return [*self.closed, *self.passed]


def ways_to(ground: Ground, middle_mm: float) -> list[Way]:
    """Rough ways that end with the middle of the front at this place along the side, those that turn least first."""
    search = _Search(ground)
    straight = search.straight()
    found = [straight] if straight is not None and abs(straight.middle_mm - middle_mm) < 1e-3 else []
    return [*found, *islice(search.leading_to(np.array([middle_mm]), _GRID_RAD), _FEW)]


def obvious_way(ground: Ground) -> Way | None:
    """The way that is seen without a search: the rough one into the most contact of all, else straight on.

    Source: Charging More than One Unit, p. 18.
    """
    return _Search(ground).most(_GRID_RAD, only_best=True)


def rough_way(ground: Ground) -> Way | None:
    """The best of those ways that are straight or whose wheel is one of whole degrees."""
    return _Search(ground).most(_GRID_RAD)


def best_way(ground: Ground) -> Way | None:
    """A way that brings the most into contact; None when there is none at all. Source: Move Chargers, p. 19."""
    search = _Search(ground)
    found = search.most(_GRID_RAD)
    if found is not None:
        return found
    for approach in search.approaches:
        some = search.any_way(approach)
        if some is not None:
            near = abs(some.turn_rad) + np.radians(np.arange(-2.0, 2.01, 0.02))
            better = search.most(near[(near > 1e-4) & (near <= _QUARTER_RAD)])
            return max((one for one in (some, better) if one), key=lambda one: ground.flush.score(one.middle_mm))
    return None


class _Search:
    """One charge: its approaches about either corner, and where it may not stand in the end."""

    def __init__(self, ground: Ground) -> None:
        self.ground, self.flush = ground, ground.flush
        closed = [cornered(one) for one in ground.closed]
        side = (self.flush.start, self.flush.end)
        own = self.flush.own
        self.approaches = [Approach.of(own, side, ground.goal, closed, hand) for hand in (1, -1)]
        self.boxes = [_box(one) for one in ground.ends_clear]
        first, last = (self.flush.at(end + sign * own.width_mm / 2) for end, sign in ((0, -1), (self.flush.long_mm, 1)))
        near = self._within(_box(Rounded((*first.corners, *last.corners))))
        self.barred = joined(self.flush.barred(near)) if ground.closes_up else []

    def most(self, turns: Floats, *, only_best: bool = False) -> Way | None:
        """The way with the most in contact among these wheels, and straight on without one."""
        straight = self.straight()
        every = self.flush.places()
        places = [one for one in every if not self._is_barred(one)]
        scores = {self.flush.score(one) for one in (every if only_best else places)}
        for score in sorted(scores, reverse=True)[: 1 if only_best else None]:
            if straight is not None and self.flush.score(straight.middle_mm) >= score:
                return straight
            level = [one for one in places if self.flush.score(one) == score]
            found = self._to_places(np.array(level), turns) if level else None
            if found is not None:
                return found
        return straight

    def straight(self) -> Way | None:
        """Without a wheel."""
        approach = self.approaches[0]
        if not approach.straight_mm()[1]:
            return None
        contacts = approach.contacts(np.zeros(1), np.zeros(1))
        return self._way(approach, contacts, 0, 0.0, 0.0) if contacts.is_free[0] else None

    def _to_places(self, middles: Floats, turns: Floats) -> Way | None:
        """The way with the least turning that leads to one of these places."""
        return next(self.leading_to(middles, turns), None)

    def leading_to(self, middles: Floats, turns: Floats) -> Iterator[Way]:
        """Ways that lead to one of these places, those that turn least first."""
        found: list[tuple[float, Approach, Contacts, int, float, float]] = []
        for approach in self.approaches:
            told = middles if approach.hand > 0 else self.flush.long_mm - middles
            grid, turn = (np.ravel(one) for one in np.meshgrid(told, turns, indexing="ij"))
            ahead, then = approach.leading_to(grid, turn)
            fits = (ahead >= 0) & (ahead <= approach.straight_mm()[0]) & (then >= 0)
            ahead, turn, then = ahead[fits], turn[fits], then[fits]
            if not len(ahead):
                continue
            contacts = approach.contacts(ahead, turn)
            for k in np.flatnonzero(contacts.is_free & (np.abs(contacts.then_mm - then) < 1e-6)):
                closing = math.remainder(approach.flush_rad - turn[k], math.tau)
                found.append((turn[k] + abs(closing), approach, contacts, int(k), float(ahead[k]), float(turn[k])))
        for _, approach, contacts, j, ahead_mm, turn_rad in sorted(found, key=lambda one: one[0])[:_TRIED]:
            way = self._way(approach, contacts, j, ahead_mm, turn_rad)
            if way is not None:
                yield way

    def _way(self, approach: Approach, contacts: Contacts, k: int, ahead: float, turn: float) -> Way | None:
        """The way itself, if it can close up."""
        middle = float(approach.middle_mm(contacts)[k])
        middle = middle if approach.hand > 0 else self.flush.long_mm - middle
        closing = approach.hand * math.remainder(approach.flush_rad - turn, math.tau)
        then = max(0.0, float(contacts.then_mm[k]))
        way = Way(self.flush.own, ahead, approach.hand * turn, then, (0.0, 0.0), closing, middle)
        beside = self.flush.own.width_mm / 2 - float(contacts.across_mm[k])
        way = replace(way, about=way.touching.at(0.0, approach.hand * beside))
        return way if self._ends_well(way) else None

    def _ends_well(self, way: Way) -> bool:
        if self._is_barred(way.middle_mm):
            return False
        closing = way.closing_rad if self.ground.closes_up else 0.0
        near = self._within(_swept_box(way.touching, closing, way.about))
        clear = [("", Area((one,))) for one in near]
        return contact_when_turning(way.touching.shape, way.about, closing, clear) is None

    def _within(self, box: Box) -> list[Rounded]:
        """What it may not touch in the end, of that what may reach into a box."""
        return [one for one, its in zip(self.ground.ends_clear, self.boxes, strict=True) if _meet(box, its)]

    def _is_barred(self, middle: float) -> bool:
        return any(low < middle < high for low, high in self.barred)

    def any_way(self, approach: Approach) -> Way | None:
        """Some way about this corner, or the certainty that there is none."""
        farthest = min(approach.straight_mm()[0], float(approach.side[:, 0].max()))
        half = self.flush.own.width_mm / 2
        if farthest < 0 or any(low < -half and self.flush.long_mm + half < high for low, high in self.barred):
            return None
        stack, left = [_cells(farthest)], _MOST_CELLS
        while stack and left > 0:
            cells = stack.pop()
            if len(cells) > _BLOCK:
                stack, cells = [*stack, cells[_BLOCK:]], cells[:_BLOCK]
            left -= len(cells)
            cells, contacts = self._open(approach, cells)
            found = self._at_middles(approach, cells, contacts)
            if found is not None:
                return found
            if len(cells):
                stack.append(_halved(approach, cells, np.where(contacts.is_free, _COARSE_MM, _FINE_MM)))
        return None

    def _open(self, approach: Approach, cells: Floats) -> tuple[Floats, Contacts]:
        """Those cells of ways that may hold one, and where the ways in their middles lead.

        How much of a wheel an outline leaves is known at both ends of a cell, and is nowhere between greater than at
        the better of them: the ways on which a convex outline stops a wheel too soon lie side by side.
        """
        nodes, back = np.unique(cells[:, :2], return_inverse=True)
        limits = approach.limits(nodes)[back.reshape(-1, 2)]
        most = limits.max(axis=1).min(axis=1)
        cells = np.column_stack((cells[:, :3], np.minimum(cells[:, 3], most)))[cells[:, 2] <= most]
        ahead, turns, by = _middles(approach, cells)
        cells = cells[~approach.hopeless(ahead, turns, by)]
        contacts = approach.contacts(*_middles(approach, cells)[:2])
        kept = ~self._leads_astray(approach, cells, contacts)
        return cells[kept], contacts.some(kept)

    def _leads_astray(self, approach: Approach, cells: Floats, contacts: Contacts) -> NDArray[np.bool_]:
        """Which cells hold only ways that cannot close up."""
        astray = np.zeros(len(cells), dtype=bool)
        if not self.ground.closes_up:
            return astray
        _, turns, by = _middles(approach, cells)
        closing = np.abs(np.remainder(approach.flush_rad - turns + math.pi, math.tau) - math.pi)
        slope = np.cos(np.minimum(closing + (cells[:, 3] - cells[:, 2]) / 2, math.pi))
        off = 3 * by / np.maximum(slope, 1e-3)  # how far along the side another way of the cell may lead
        sure = contacts.is_free & (slope > 1e-3)
        middle = approach.middle_mm(contacts)
        middle = middle if approach.hand > 0 else self.flush.long_mm - middle
        for low, high in self.barred:
            astray |= sure & (low < middle - off) & (middle + off < high)
        left = sure & ~astray & (off < self.flush.own.depth_mm / 4)
        astray[left] = approach.blocked_closing(turns[left], contacts.some(left), 2 * off[left])
        return astray

    def _at_middles(self, approach: Approach, cells: Floats, contacts: Contacts) -> Way | None:
        """A way in the middle of one of these cells."""
        ahead, turns, _ = _middles(approach, cells)
        for k in np.flatnonzero(contacts.is_free)[:4]:
            way = self._way(approach, contacts, int(k), float(ahead[k]), float(turns[k]))
            if way is not None:
                return way
        return None


def _cells(farthest_mm: float) -> Floats:
    """All ways, in cells of (least ahead, most ahead, least turn, most turn)."""
    ahead = np.linspace(0.0, max(farthest_mm, 1e-3), max(1, math.ceil(farthest_mm / _CELL_MM)) + 1)
    turns = np.linspace(0.0, _QUARTER_RAD, _CELLS + 1)
    lows = np.meshgrid(ahead[:-1], turns[:-1], indexing="ij")
    highs = np.meshgrid(ahead[1:], turns[1:], indexing="ij")
    return np.column_stack([np.ravel(one) for one in (lows[0], highs[0], lows[1], highs[1])])


def _middles(approach: Approach, cells: Floats) -> tuple[Floats, Floats, Floats]:
    """The middle of each cell, and how far its ways may lie from the middle one."""
    ahead, turns = (cells[:, 0] + cells[:, 1]) / 2, (cells[:, 2] + cells[:, 3]) / 2
    half = (cells[:, 1] - cells[:, 0]) / 2
    return ahead, turns, half + (approach.reach_mm(ahead) + half) * (cells[:, 3] - cells[:, 2]) / 2


def _halved(approach: Approach, cells: Floats, least_mm: Floats) -> Floats:
    """Each cell in two, cut where its ways differ more; none that are too small to matter."""
    ahead, turns, by = _middles(approach, cells)
    half = (cells[:, 1] - cells[:, 0]) / 2
    along = half > by - half
    large = by > least_mm
    cells, along, ahead, turns = cells[large], along[large], ahead[large], turns[large]
    first, second = cells.copy(), cells.copy()
    first[along, 1] = second[along, 0] = ahead[along]
    first[~along, 3] = second[~along, 2] = turns[~along]
    return np.vstack((first, second))


def _box(shape: Rounded) -> Box:
    """The least and the greatest x and y of a shape."""
    xs, ys, r = [x for x, _ in shape.points], [y for _, y in shape.points], shape.radius_mm
    return min(xs) - r, max(xs) + r, min(ys) - r, max(ys) + r


def _meet(a: Box, b: Box) -> bool:
    return a[0] <= b[1] and b[0] <= a[1] and a[2] <= b[3] and b[2] <= a[3]


def _swept_box(stand: Footing, by_rad: float, about: Point) -> Box:
    """A box that holds all places where it stands while it turns about a point."""
    steps = max(1, math.ceil(abs(by_rad) / _STEP_RAD))
    corners = [p for k in range(steps + 1) for p in stand.turned(by_rad * k / steps, about).corners]
    bulge = max(math.dist(p, about) for p in stand.corners) * (1 - math.cos(_STEP_RAD / 2))
    return _box(Rounded(tuple(corners), bulge))
