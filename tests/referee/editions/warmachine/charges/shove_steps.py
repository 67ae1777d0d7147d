"""Pushes, slams and throws by small steps: a base that is moved on bit by bit by somebody who only measures gaps.

It shares nothing with the referee. What is met between two steps is then halved down to.
"""

import math
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import shapely

from referee.arrays import Floats

STEP_MM = 0.02
TOUCH_MM = 2e-5  # two steps aside of where bases just touch the gap is less than this
_INCH = 25.4
Place = tuple[float, float]
Disc = tuple[float, float, float]
How = Literal["pushed", "slammed", "thrown"]


@dataclass(frozen=True)
class Surroundings:
    """What stands on a table, in plain numbers: discs as (x, y, radius), ground as polygons."""

    bases: dict[str, Disc]
    solid: dict[str, shapely.Polygon] = field(default_factory=dict)
    rough: tuple[shapely.Polygon, ...] = ()
    width_mm: float = 1219.2
    depth_mm: float = 1219.2
    ghosts: frozenset[str] = frozenset()
    closed: frozenset[str] = frozenset()
    """The ground that nobody enters, though it is no obstacle and no obstruction."""


@dataclass(frozen=True)
class Came:
    """Where a base came to lie, what stopped it, and whom it contacted on its way or where it lies."""

    end: Place
    stopped_by: str | None
    contacted: frozenset[str]
    at_once: frozenset[str] = frozenset()
    """What would have stopped it at the same moment."""

    @property
    def stoppers(self) -> set[str | None]:
        return {self.stopped_by, *self.at_once}

    def knocked_down(self, who: str, around: Surroundings) -> set[str]:
        """Whom that knocks down besides: those with bases no larger than its own."""
        return {id_ for id_ in self.contacted if around.bases[id_][2] <= around.bases[who][2]}

    def is_harder(self, who: str, around: Surroundings) -> bool:
        """Whether the damage takes another die: it met something solid, or a base at least as large."""
        large = any(around.bases[id_][2] >= around.bases[who][2] for id_ in self.contacted)
        return (self.stopped_by in around.solid and self.stopped_by not in around.closed) or large


class Stepping:
    """One base that is moved straight on."""

    def __init__(self, around: Surroundings, who: str, toward: Place, far_mm: float) -> None:
        self.around, self.who = around, who
        x, y, self.radius = around.bases[who]
        away = math.dist((x, y), toward)
        self.start, self.way = (x, y), ((toward[0] - x) / away, (toward[1] - y) / away)
        steps = max(2, math.ceil(far_mm / STEP_MM))
        self.travel: Floats = np.linspace(0.0, far_mm, steps + 1)

    def at(self, travel: float) -> Place:
        return (self.start[0] + travel * self.way[0], self.start[1] + travel * self.way[1])

    def off_base(self, id_: str, travel: Floats) -> Floats:
        """The gap to another base after so much travel."""
        x, y, radius = self.around.bases[id_]
        px, py = self.start[0] + travel * self.way[0], self.start[1] + travel * self.way[1]
        return np.hypot(px - x, py - y) - radius - self.radius

    def off_ground(self, outline: shapely.Polygon, travel: Floats) -> Floats:
        spots = shapely.points(self.start[0] + travel * self.way[0], self.start[1] + travel * self.way[1])
        away: Floats = shapely.distance(outline, spots) - self.radius
        return away

    def off(self, id_: str, travel: Floats) -> Floats:
        """The gap to a base or a piece of ground."""
        solid = self.around.solid.get(id_)
        return self.off_base(id_, travel) if solid is None else self.off_ground(solid, travel)

    def contact(self, id_: str) -> float | None:
        """After how much travel it contacts that: comes to touch it, or touches it and is moved toward it."""
        gaps = self.off(id_, self.travel)
        touching = gaps <= TOUCH_MM
        comes = np.flatnonzero(touching[1:] & ~touching[:-1])
        if touching[0] and gaps[1] < gaps[0] - 1e-9:
            return 0.0
        if not len(comes):
            return None
        return self._halved(id_, float(self.travel[comes[0]]), float(self.travel[comes[0] + 1]))

    def _halved(self, id_: str, apart: float, touching: float) -> float:
        for _ in range(40):
            middle = (apart + touching) / 2
            if self.off(id_, np.array([middle]))[0] <= TOUCH_MM:
                touching = middle
            else:
                apart = middle
        return touching

    def over_edge(self) -> tuple[float, str] | None:
        """After how much travel some of it would be moved off the table, and over which edge."""
        ends = {
            "edge:left": (-self.way[0], self.start[0] - self.radius),
            "edge:right": (self.way[0], self.around.width_mm - self.start[0] - self.radius),
            "edge:near": (-self.way[1], self.start[1] - self.radius),
            "edge:far": (self.way[1], self.around.depth_mm - self.start[1] - self.radius),
        }
        met = []
        for edge, (outward, room) in ends.items():
            over = np.flatnonzero(self.travel * outward > room + 1e-9)
            if outward > 1e-12 and len(over):
                met.append((max(0.0, room / outward), edge))
        return min(met, default=None)

    def paid_for(self, budget_mm: float) -> float:
        """How far the budget carries over rough ground, at half rate while any of the base is in it."""
        middles = (self.travel[1:] + self.travel[:-1]) / 2
        slow = np.zeros(len(middles), dtype=bool)
        for outline in self.around.rough:
            slow |= self.off_ground(outline, middles) < 0
        cost = np.cumsum(np.diff(self.travel) * np.where(slow, 2.0, 1.0))
        return float(self.travel[np.count_nonzero(cost <= budget_mm + 1e-9)])


def moved(
    around: Surroundings, who: str, how: How, toward: Place, far_mm: float, *, past: str = "", at: str = ""
) -> Came:
    """Where a push, slam or throw leaves a base; it passes `past`, and stops at `at` whatever its size."""
    going = Stepping(around, who, toward, far_mm)
    mine = around.bases[who][2]
    others = [id_ for id_ in around.bases if id_ not in (who, past)]
    stopping = [id_ for id_ in others if how == "pushed" or id_ == at or around.bases[id_][2] >= mine]
    met = {id_: after for id_ in (*stopping, *around.solid) if (after := going.contact(id_)) is not None}
    edge = going.over_edge()
    events = sorted((after, id_) for id_, after in met.items() if id_ not in around.ghosts or id_ == at)
    end, stopper = far_mm if how == "thrown" else going.paid_for(far_mm), None
    for after, id_ in sorted(events if edge is None else [*events, edge])[:1]:
        if after <= end + 1e-6:
            end, stopper = min(end, after), id_
    for after, id_ in sorted(((after, id_) for id_, after in met.items() if id_ in around.ghosts), reverse=True):
        if after < end and going.off_base(id_, np.array([end]))[0] < -TOUCH_MM:  # not wholly past it
            end, stopper = after, id_
    at_once = frozenset(id_ for after, id_ in events if stopper is not None and abs(after - end) <= 1e-6)
    return Came(going.at(end), stopper, _contacted(going, how, others, end, stopper), at_once)


def _contacted(going: Stepping, how: How, others: list[str], end: float, stopper: str | None) -> frozenset[str]:
    """A slammed base contacts all it moves through and what stops it, a thrown one what it touches or lies on.

    Who is incorporeal is contacted by a slammed one that does not get past it.
    """
    gaps = {id_: going.off_base(id_, np.array([end]))[0] for id_ in others}
    if how == "thrown":
        return frozenset(id_ for id_, mm in gaps.items() if mm <= 1e-4)
    met = {id_ for id_ in others if (after := going.contact(id_)) is not None and after <= end + 1e-6}
    through = {id_ for id_ in met if id_ not in going.around.ghosts or gaps[id_] < -1e-4}
    return frozenset(through | ({stopper} & set(others)))


def strayed(around: Surroundings, thrown: str, missed: str, direction: int, distance_in: float) -> Place:
    """Where a throw that missed comes down: 1 is straight on from the thrown base, the rest follow clockwise."""
    (ax, ay, ar), (bx, by, br) = around.bases[thrown], around.bases[missed]
    cap = (math.dist((ax, ay), (bx, by)) - ar - br) / 2
    way = math.atan2(by - ay, bx - ax) - math.radians(60 * (direction - 1))
    out = min(distance_in * _INCH, max(0.0, cap))
    return (bx + out * math.cos(way), by + out * math.sin(way))
