"""Charge search: all headings of a straight charge that succeed, as intervals, and the best of them.

Whether a heading succeeds changes only where the way grazes something, where it meets something just as the target
comes into reach, or where the budget ends there. Those headings part the circle; between two of them success changes at
most where the movement left runs out, which is looked for by halving.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np

from models.unit_conversion import wrap_rad
from referee.arrays import Floats
from referee.cached_attribute import cached_attribute
from referee.geometry.circle_intersection import bearing, circle_meets_circle, circle_meets_rim
from referee.geometry.distance import nearest_on_segment
from referee.geometry.shapes import RoundedShape
from referee.motion.heading_bounds import HeadingBounds, bound_charges
from referee.motion.heading_intervals import HeadingInterval, grazing_headings
from referee.motion.straight_charge import SAFE_MM, ChargeAim, StraightCharge, straight_charge
from referee.motion.travel_budget import Things, TravelLimits
from referee.search_effort import spend_effort

_Rank = Callable[[float], tuple[float, ...]]
_SAME_RAD = 1e-12
_EDGE_RAD = 1e-9
_GOLDEN = (math.sqrt(5) - 1) / 2
_LOOKS, _ROUGH_LOOKS = 24, 10  # the rest only where it hangs by a hair
_KNOTS = 5  # of an interval
_CLOSE_MM = 1.0
_RIVAL_MM = 3.0  # headings so near to the best may be better on the true table
_MOST_RIVALS = 6
_RUSH_EFFORT = 1 / 12  # of a plain rule on one table


class ChargeSearch:
    """One search: every heading is tried once, whether for the best or for the intervals."""

    def __init__(self, aim: ChargeAim, going: TravelLimits, budget_mm: float) -> None:
        self.aim, self.going, self.budget_mm = aim, keep_reachable(aim, going), budget_mm
        self.intervals = list(_intervals(aim, self.going, budget_mm))
        self._known: dict[float, StraightCharge] = {}

    def charge_along(self, heading: float) -> StraightCharge:
        """The rush along this heading."""
        if heading not in self._known:
            spend_effort(_RUSH_EFFORT)
            self._known[heading] = straight_charge(self.aim, heading, self.going, self.budget_mm)
        return self._known[heading]

    def slack(self, heading: float) -> float:
        """By how much the rush along this heading succeeds; who falls far short needs no room on its way."""
        tried = self.charge_along(heading)
        return tried.short_mm if tried.short_mm < -SAFE_MM else tried.slack_mm

    @cached_attribute
    def best(self) -> float:
        """The heading that succeeds, with room to spare and most movement left; else that falls short least."""
        first = self.rivals[0]
        if self.charge_along(first).succeeds:
            return first
        known = max(self._known, key=self._reaching_headings)
        return self._largest(self._reaching_headings, known, self._bounds.left_mm)

    def _reaching_headings(self, heading: float) -> tuple[float, float]:
        return (self.charge_along(heading).left_mm, -self._turn(heading))

    @cached_attribute
    def rivals(self) -> tuple[float, ...]:
        """The best heading, and where it barely succeeds or fails the best of other intervals that may do as well."""
        straight = self.charge_along(self.aim.toward_rad)
        if straight.slack_mm >= SAFE_MM and not straight.travelled.ground:
            return (straight.heading_rad,)  # no other way is shorter
        slack_mm, left_mm = self._bounds.slack_mm, self._bounds.left_mm
        best = self._largest(self._rank, self.aim.toward_rad, np.minimum(slack_mm, SAFE_MM), left_mm)
        if self.slack(best) >= SAFE_MM or self.budget_mm < self.aim.apart_mm - self.aim.wide_mm - SAFE_MM:
            return (best,)
        wanted_mm = min(0.0, self.slack(best)) - _RIVAL_MM
        highest_mm = dict(zip(self.intervals, slack_mm.reshape(-1, _KNOTS).max(axis=1), strict=True))
        knots = {pair: max(_knots(*pair), key=self._rank) for pair in self.intervals if highest_mm[pair] > wanted_mm}
        peaks = [self._peak(*pair) for pair in knots if self._highest_mm(*pair) > wanted_mm]
        ranked = sorted({best, *peaks, *knots.values()}, key=self._rank, reverse=True)
        return tuple(self._drop_neighbours(h for h in ranked if self.slack(h) > self.slack(ranked[0]) - _RIVAL_MM))[
            :_MOST_RIVALS
        ]

    @cached_attribute
    def _all_knots(self) -> Floats:
        """The knots of all intervals, one interval after the other."""
        return np.array([knot for pair in self.intervals for knot in _knots(*pair)])

    @cached_attribute
    def _bounds(self) -> HeadingBounds:
        return bound_charges(self.aim, self.going, self.budget_mm, self._all_knots)

    def _largest(self, key: _Rank, first: float, *bounds: Floats) -> float:
        """The knot with the largest key; rushes are tried only along those whose bounds (knots,) are no lower."""
        best, highest = first, key(first)
        turns = np.array([self._turn(knot) for knot in self._all_knots])
        for k in np.lexsort([turns, *(-bound for bound in reversed(bounds))]):
            if tuple(float(bound[k]) for bound in bounds) < highest[: len(bounds)]:
                break
            knot = float(self._all_knots[k])
            if (value := key(knot)) > highest:
                best, highest = knot, value
        return best

    def _drop_neighbours(self, headings: Iterable[float]) -> list[float]:
        """Of headings that lead to about the same place the first."""
        kept: list[float] = []
        for heading in headings:
            if all(abs(wrap_rad(heading - other)) * self.aim.apart_mm > _RIVAL_MM for other in kept):
                kept.append(heading)
        return kept

    def _highest_mm(self, first: float, last: float) -> float:
        """What the slack may reach between the knots of an interval, on which it rises and falls once."""
        slacks = [self.slack(knot) for knot in _knots(first, last)]
        return 2 * max(slacks) - min(slacks)

    def _rank(self, heading: float) -> tuple[float, float, float]:
        """Room enough comes before movement left, and that before going straight."""
        tried = self.charge_along(heading)
        return (min(self.slack(heading), SAFE_MM), tried.left_mm, -self._turn(heading))

    def _turn(self, heading: float) -> float:
        return abs(wrap_rad(heading - self.aim.toward_rad))

    def _peak(self, first: float, last: float) -> float:
        """Where the slack is largest in an interval, by golden sections."""
        a, b = last - _GOLDEN * (last - first), first + _GOLDEN * (last - first)
        for look in range(_LOOKS):
            if self.slack(a) >= self.slack(b):
                last, b, a = b, a, b - _GOLDEN * (b - first)
            else:
                first, a, b = a, b, a + _GOLDEN * (last - a)
            if look == _ROUGH_LOOKS and abs(max(self.slack(a), self.slack(b))) > _CLOSE_MM:
                break
        return max(a, b, key=self.slack)

    @cached_attribute
    def fans(self) -> list[HeadingInterval]:
        """All headings along which the target comes into reach before anything ends the rush."""
        fans: list[HeadingInterval] = []
        for first, last in self.intervals:
            for fan in self._parts(first, last):
                if fans and math.isclose(fans[-1].last_rad, fan.first_rad, abs_tol=1e-9):
                    fans[-1] = HeadingInterval(fans[-1].first_rad, fan.last_rad)
                else:
                    fans.append(fan)
        return fans

    def _parts(self, first: float, last: float) -> Iterator[HeadingInterval]:
        """The parts of one interval that succeed, their ends found by halving."""
        knots = _knots(first, last)
        start = first if self.charge_along(knots[0]).succeeds else None
        for a, b in pairwise(knots):
            was, now = self.charge_along(a).succeeds, self.charge_along(b).succeeds
            if was != now:
                edge = self._edge(a, b)
                if now:
                    start = edge
                elif start is not None:
                    yield HeadingInterval(start, edge)
                    start = None
        if start is not None:
            yield HeadingInterval(start, last)

    def _edge(self, a: float, b: float) -> float:
        was = self.charge_along(a).succeeds
        while b - a > _EDGE_RAD:
            middle = (a + b) / 2
            a, b = (middle, b) if self.charge_along(middle).succeeds == was else (a, middle)
        return (a + b) / 2


def keep_reachable(aim: ChargeAim, going: TravelLimits, *, beside_mm: float = 1.0) -> TravelLimits:
    """Only what a rush at this target could come to: it never strays farther than its reach from the straight way.

    What is up to `beside_mm` farther off is kept too.
    """
    wide = aim.wide_mm + aim.mover.reach_mm + beside_mm
    swept = RoundedShape((aim.mover.centre, aim.target.centre), wide)

    def close(things: Things) -> Things:
        return tuple((id_, area) for id_, area in things if any(_may_touch(swept, part) for part in area.parts))

    return replace(going, slow=close(going.slow), stops=close(going.stops), crossed=close(going.crossed))


def _may_touch(swept: RoundedShape, part: RoundedShape) -> bool:
    near = nearest_on_segment(part.centre, swept.points[0], swept.points[1])
    return math.dist(part.centre, near) <= swept.radius_mm + part.reach_mm


def _knots(first: float, last: float) -> tuple[float, ...]:
    """Headings close to both ends of an interval and between."""
    inset = min(1e-9, (last - first) / 4)
    return (first + inset, *(first + (last - first) * k / 4 for k in (1, 2, 3)), last - inset)


def _intervals(aim: ChargeAim, going: TravelLimits, budget_mm: float) -> Iterator[tuple[float, float]]:
    """The fan of headings that ever reach the target, cut at every heading where something changes."""
    fan = aim.fan()
    cuts = sorted({_unwrap_angles(h, fan.first_rad) for h in _critical(aim, going, budget_mm)})
    last_rad = fan.first_rad + (fan.width_rad or math.tau)
    inside = [fan.first_rad, *(cut for cut in cuts if fan.first_rad < cut < last_rad), last_rad]
    for first, last in pairwise(inside):
        if last - first > _SAME_RAD:
            yield first, last


def _unwrap_angles(heading: float, first: float) -> float:
    return first + (heading - first) % math.tau


def _critical(aim: ChargeAim, going: TravelLimits, budget_mm: float) -> Iterator[float]:
    yield aim.toward_rad
    yield from circle_meets_circle(aim.mover.centre, budget_mm, aim.target.centre, aim.wide_mm)
    for _, area in (*going.stops, *going.crossed, *going.slow):
        for part in area.parts:
            yield from _of_part(aim, part)


def _of_part(aim: ChargeAim, part: RoundedShape) -> Iterator[float]:
    """Where the way grazes a part, and where it meets it just as the target comes into reach."""
    start, (x, y), rim = aim.mover.centre, aim.target.centre, part.grow(aim.mover.reach_mm)
    yield from grazing_headings(start, rim)
    for angle in circle_meets_rim((x, y), aim.wide_mm, part, rim.radius_mm):
        yield bearing(start, (x + aim.wide_mm * math.cos(angle), y + aim.wide_mm * math.sin(angle)))
