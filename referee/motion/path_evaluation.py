"""Path evaluation: many charge paths at once, each straight on, one wheel about a front corner, then straight on.

An approach looks at everything from the charger's front corner about which it may wheel: x runs ahead, and the charger
lies behind x = 0 and to the right of y = 0. For wheels about the right corner left and right are exchanged. A way is
two numbers, how far it goes `ahead` and how far it `turns`, and arrays of them are looked at together.
"""

import math
from dataclasses import dataclass

import numpy as np

from models.vocabulary import Point
from referee.arrays import Booleans, Floats, Indices
from referee.cached_attribute import cached_attribute
from referee.motion.block_pose import BlockPose

_DUST = 1e-9
_NONE = math.inf


@dataclass(frozen=True)
class Contacts:
    """Where ways touch the charged side: how far they go on after the wheel, where along the side they touch it, and
    where on their own front, from the corner they wheel about. `is_free` tells which of them touch nothing else."""

    then_mm: Floats
    along_mm: Floats
    across_mm: Floats
    is_free: Booleans

    def select(self, which: Booleans) -> "Contacts":
        return Contacts(self.then_mm[which], self.along_mm[which], self.across_mm[which], self.is_free[which])


@dataclass(frozen=True)
class Approach:
    """A charger that wheels about one front corner, the side it charges, and all that it may not touch on the way.

    `corners` are those of all outlines one after another, each anticlockwise in its own frame or not; `next_` is the
    place of the corner after each, `firsts` where each outline begins. The last outline is the target's own.
    """

    width_mm: float
    depth_mm: float
    corners: Floats
    next_: Indices
    firsts: Indices
    side: Floats
    """Both ends of the charged side, the one on the hand of the wheel's corner first."""
    origin: Point
    facing_rad: float
    hand: int
    """1 for wheels about the left front corner, -1 about the right."""

    @classmethod
    def of(
        cls,
        own: BlockPose,
        side: tuple[Point, Point],
        goal: tuple[Point, ...],
        closed: list[tuple[Point, ...]],
        hand: int,
    ) -> "Approach":
        """Seen from one front corner. `side` is a side of the goal, with the goal on its left hand."""
        origin = own.point_at(0.0, hand * own.width_mm / 2)
        ends = _to_local(side if hand > 0 else side[::-1], origin, own.facing_rad, hand)
        seen = [_to_local(points, origin, own.facing_rad, hand) for points in closed]
        near = [corners for corners in seen if _may_matter(corners, ends, own)]
        outlines = [*near, _to_local(goal, origin, own.facing_rad, hand)]
        sizes = np.array([len(outline) for outline in outlines], dtype=np.intp)
        firsts = np.concatenate(([0], np.cumsum(sizes)[:-1])).astype(np.intp)
        next_ = np.concatenate([first + (np.arange(n) + 1) % n for first, n in zip(firsts, sizes, strict=True)])
        return cls(own.width_mm, own.depth_mm, np.vstack(outlines), next_, firsts, ends, origin, own.facing_rad, hand)

    @cached_attribute
    def side_length_mm(self) -> float:
        return float(np.hypot(*(self.side[1] - self.side[0])))

    @cached_attribute
    def aligned_rad(self) -> float:
        """Where it looks when it stands flush with the side."""
        ex, ey = (self.side[1] - self.side[0]) / self.side_length_mm
        return math.atan2(ex, -ey)

    def free_straight_mm(self) -> tuple[float, bool]:
        """How far it may go straight on before it touches anything, and whether that is the target first."""
        first = self._distances_ahead(np.zeros(1), np.zeros(1), np.zeros(1))[0]
        return float(first.min()), bool(first[-1] <= first.min())

    def turn_limits(self, ahead: Floats) -> Floats:
        """After how much of a wheel each outline is touched, for every way ahead: (ways, outlines)."""
        x, y = (
            self.corners[None, :, 0] - ahead[:, None],
            np.broadcast_to(self.corners[:, 1], (len(ahead), len(self.corners))),
        )
        limits = np.minimum(self._turns_to_corners(x, y), self._turns_to_sides(x, y))
        return np.minimum.reduceat(limits, self.firsts, axis=1)

    def _turns_to_corners(self, x: Floats, y: Floats) -> Floats:
        """After how much of the wheel each corner of the outlines comes to lie on the charger's rim.

        Seen from the turning charger a corner runs backwards on a circle about the pivot. It lies under the charger
        between two bearings, and comes there first at the greater.
        """
        away = np.maximum(np.hypot(x, y), _DUST)
        bearing = np.arctan2(y, x)
        first = np.minimum(-math.pi / 2, np.arcsin(np.minimum(1.0, self.width_mm / away)) - math.pi)
        last = np.maximum(-math.pi, -math.pi / 2 - np.arcsin(np.minimum(1.0, self.depth_mm / away)))
        turned = _positive_angle(bearing - first)
        turned[(last + _DUST < bearing) & (bearing < first)] = 0.0
        turned[last > first + _DUST] = _NONE
        return turned

    def _turns_to_sides(self, x: Floats, y: Floats) -> Floats:
        """After how much of the wheel a corner of the charger first comes to lie on each side of the outlines."""
        ex, ey = x[:, self.next_] - x, y[:, self.next_] - y
        a, b, c = ex * ex + ey * ey, x * ex + y * ey, x * x + y * y
        turns = np.full_like(a, _NONE)
        corners = ((0.0, -self.width_mm), (-self.depth_mm, -self.width_mm), (-self.depth_mm, 0.0))
        for cx, cy in corners:
            half = b * b - a * (c - cx * cx - cy * cy)
            root = np.sqrt(np.maximum(half, 0.0))
            for sign in (-1.0, 1.0):
                t = (sign * root - b) / np.maximum(a, _DUST)
                turned = _positive_angle(np.arctan2(y + t * ey, x + t * ex) - math.atan2(cy, cx))
                turned[(half < 0) | (t < 0) | (t > 1)] = _NONE
                np.minimum(turns, turned, out=turns)
        return turns

    def _distances_ahead(self, ahead: Floats, turns: Floats, inset: Floats) -> Floats:
        """How far on after the wheel the front would touch each outline, the front made narrower on both ends."""
        x, y = self._rotate(self.corners, ahead, turns)
        least, most = self._front_spans(x, y, x[:, self.next_], y[:, self.next_], inset[:, None])
        least = np.minimum.reduceat(least, self.firsts, axis=1)
        most = np.maximum.reduceat(most, self.firsts, axis=1)
        return np.where(most < -_DUST, _NONE, np.maximum(least, 0.0))

    def _rotate(self, points: Floats, ahead: Floats, turns: Floats) -> tuple[Floats, Floats]:
        """Points as the charger sees them after the wheel."""
        x, y = points[None, :, 0] - ahead[:, None], points[None, :, 1]
        c, s = np.cos(turns)[:, None], np.sin(turns)[:, None]
        return x * c + y * s, y * c - x * s

    def _front_spans(self, x1: Floats, y1: Floats, x2: Floats, y2: Floats, inset: Floats) -> tuple[Floats, Floats]:
        """The least and the greatest x of lines where they run before the front."""
        low = np.maximum(np.minimum(y1, y2), inset - self.width_mm)
        high = np.minimum(np.maximum(y1, y2), -inset)
        rise = np.where(y1 == y2, _DUST, y2 - y1)
        slope = (x2 - x1) / rise
        at_low, at_high = x1 + (low - y1) * slope, x1 + (high - y1) * slope
        runs = low < high
        return np.where(runs, np.minimum(at_low, at_high), _NONE), np.where(runs, np.maximum(at_low, at_high), -_NONE)

    def distance_to_side(self, ahead: Floats, turns: Floats, inset: Floats) -> Floats:
        """How far on after the wheel the front would touch the charged side."""
        x, y = self._rotate(self.side, ahead, turns)
        least, most = self._front_spans(x[:, 0], y[:, 0], x[:, 1], y[:, 1], inset)
        return np.where(most < -_DUST, _NONE, np.maximum(least, 0.0))

    def is_hopeless(self, ahead: Floats, turns: Floats, by_mm: Floats) -> Booleans:
        """Which ways stay barred after the wheel however they are shifted, all of them by at most so much.

        No way near by reaches the side before this one would with a front wider by that on either end. And whatever
        closes this way with a front narrower by that, and much nearer, closes the others as well.
        """
        reached = self.distance_to_side(ahead, turns, -by_mm)
        barred: Booleans = self._distances_ahead(ahead, turns, by_mm).min(axis=1) < reached - 2 * by_mm - _DUST
        return barred | np.isinf(reached)

    def find_contacts(self, ahead: Floats, turns: Floats) -> Contacts:
        """Where these ways touch the charged side, and whether they touch nothing before, wheel and all."""
        dust = np.full(len(ahead), 1e-6)
        first = self._distances_ahead(ahead, turns, dust)
        x, y = self._rotate(self.side, ahead, turns)
        low = np.clip(np.minimum(y[:, 0], y[:, 1]), -self.width_mm, 0.0)
        high = np.clip(np.maximum(y[:, 0], y[:, 1]), -self.width_mm, 0.0)
        rise = np.where(y[:, 0] == y[:, 1], _DUST, y[:, 1] - y[:, 0])
        share_low, share_high = (low - y[:, 0]) / rise, (high - y[:, 0]) / rise
        reach_low, reach_high = (x[:, 0] + share * (x[:, 1] - x[:, 0]) for share in (share_low, share_high))
        lower = reach_low <= reach_high
        then = np.where(lower, reach_low, reach_high)
        meets = (high > low) & (then >= -1e-6) & np.isfinite(first[:, -1]) & (then <= first[:, -1] + 1e-4)
        clear = (first[:, :-1].min(axis=1) > then) if first.shape[1] > 1 else np.ones(len(ahead), dtype=bool)
        free = meets & clear
        wheeling = np.flatnonzero(free & (turns > 0))
        if len(wheeling):
            free[wheeling] = turns[wheeling] <= self.turn_limits(ahead[wheeling]).min(axis=1)
        along = np.where(lower, share_low, share_high) * self.side_length_mm
        return Contacts(then, along, -np.where(lower, low, high), free)

    def is_closing_blocked(self, turns: Floats, contacts: Contacts, by_mm: Floats) -> Booleans:
        """Which of them come, as they close up, deeper than that into something else."""
        ex, ey = (self.side[1] - self.side[0]) / self.side_length_mm
        x, y = self.side[0, 0] + contacts.along_mm * ex, self.side[0, 1] + contacts.along_mm * ey
        closing = np.remainder(self.aligned_rad - turns + math.pi, math.tau) - math.pi
        blocked = np.zeros(len(turns), dtype=bool)
        for share in np.linspace(0.0, 1.0, 9):
            heading = turns + share * closing
            corner = np.column_stack(
                (x - contacts.across_mm * np.sin(heading), y + contacts.across_mm * np.cos(heading))
            )
            blocked |= self._is_overlapping(corner, heading, by_mm)
        return blocked

    def _is_overlapping(self, corner: Floats, heading: Floats, inset: Floats) -> Booleans:
        """Whether the charger, made smaller by that all round, overlaps an outline when it stands there.

        Two convex outlines lie apart exactly where a side of one of them has the other beyond it.
        """
        if len(self.firsts) < 2:
            return np.zeros(len(heading), dtype=bool)
        dx, dy = self.corners[None, :, 0] - corner[:, :1], self.corners[None, :, 1] - corner[:, 1:]
        c, s = np.cos(heading)[:, None], np.sin(heading)[:, None]
        x, y = dx * c + dy * s, dy * c - dx * s
        apart = np.zeros((len(heading), len(self.firsts)), dtype=bool)
        low, high = inset[:, None] - np.array([self.depth_mm, self.width_mm]), -inset[:, None]
        for k, values in enumerate((x, y)):
            apart |= np.minimum.reduceat(values, self.firsts, axis=1) >= high
            apart |= np.maximum.reduceat(values, self.firsts, axis=1) <= low[:, k : k + 1]
        ex, ey = x[:, self.next_] - x, y[:, self.next_] - y
        over = np.full_like(x, np.inf)
        under = np.full_like(x, -np.inf)
        for px in (low[:, :1], high):
            for py in (low[:, 1:], high):
                turn = ex * (py - y) - ey * (px - x)
                over, under = np.minimum(over, turn), np.maximum(under, turn)
        beyond = (under <= 0) if self.hand > 0 else (over >= 0)  # mirrored outlines run clockwise
        apart |= np.logical_or.reduceat(beyond, self.firsts, axis=1)
        empty = (low >= high).any(axis=1)
        overlaps: Booleans = ~apart[:, :-1].all(axis=1) & ~empty
        return overlaps

    def middle_mm(self, contacts: Contacts) -> Floats:
        """Where along the side the middle of its front lies once it is flush, from the end on the corner's hand."""
        return contacts.along_mm - contacts.across_mm + self.width_mm / 2

    def solve_for_places(self, middle_mm: Floats, turns: Floats) -> tuple[Floats, Floats]:
        """How far ahead the wheel must begin so that closing up leads to these places, and how far it goes on then."""
        near, far = middle_mm - self.width_mm / 2, middle_mm + self.width_mm / 2
        closing = np.remainder(self.aligned_rad - turns + math.pi, math.tau) - math.pi
        touched = np.where(closing >= 0, np.maximum(near, 0.0), np.minimum(far, self.side_length_mm))
        ex, ey = (self.side[1] - self.side[0]) / self.side_length_mm
        c, s = np.cos(turns), np.sin(turns)
        x = self.side[0, 0] + touched * ex - (touched - near) * s
        y = self.side[0, 1] + touched * ey + (touched - near) * c
        then = y / s
        return x - then * c, np.where(np.abs(closing) < math.pi / 2, then, -1.0)

    def reach_mm(self, ahead: Floats) -> Floats:
        """How far from the pivot anything lies that may matter."""
        far = np.hypot(self.side[None, :, 0] - ahead[:, None], self.side[None, :, 1]).max(axis=1)
        reach: Floats = np.hypot(far, self.width_mm)
        return reach


def _may_matter(outline: Floats, ends: Floats, own: BlockPose) -> bool:
    """Whether an outline lies where a way may lead: the corner stays between its start and the side, and the charger
    about the corner."""
    reach = math.hypot(own.width_mm, own.depth_mm) + own.width_mm
    low = np.minimum(ends.min(axis=0), 0.0) - reach
    high = np.maximum(ends.max(axis=0), 0.0) + reach
    return bool((outline.max(axis=0) >= low).all() and (outline.min(axis=0) <= high).all())


def _to_local(points: tuple[Point, ...], origin: Point, facing_rad: float, hand: int) -> Floats:
    c, s = math.cos(facing_rad), math.sin(facing_rad)
    away = np.array(points, dtype=np.float64) - np.array(origin)
    return np.column_stack((away @ (c, s), hand * (away @ (-s, c))))


def _positive_angle(angle: Floats) -> Floats:
    """An angle from zero to a whole turn; what is dust below zero is zero."""
    return np.maximum((angle + _DUST) % math.tau - _DUST, 0.0)
