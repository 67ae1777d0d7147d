"""Straight charge: where on the way the target is in reach, which headings ever bring it there, how far it goes.

The mover looks where it goes. So only what lies ahead of the line through its centre, across its way, is in reach: once
the target falls behind that line it is lost again. Bases are discs here.
"""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations

from models.vocabulary import Point
from referee.cached_attribute import cached_attribute
from referee.geometry.shapes import RoundedShape
from referee.motion.heading_intervals import HeadingInterval
from referee.motion.sweep import merge_stretches, stretch_within
from referee.motion.travel_budget import (
    TravelLimits,
    TravelResult,
    cost_mm,
    may_come_near,
    room_mm,
    straight_path,
    travel,
)

_HALVINGS = 60
SAFE_MM = 10.0  # room that no measuring error takes away: more of it is no better
ROOMY_MM = 50.0  # room beyond this is not measured
_TRIAL_MM, _EASED_MM = 0.05, 3.0  # how far aside a turn is tried, and how far it goes at most
_MOST_LINES = 8
_LEAST_MM = 1e-3  # what is lain upon for less is only brushed


@dataclass(frozen=True)
class ChargeAim:
    """Mover and target of a rush, and the reach it wants. `all_round` reaches behind as well as ahead.

    `target_id` is the target's name among the things on the way: it stops the rush where it is long in reach.
    """

    mover: RoundedShape
    target: RoundedShape
    reach_mm: float
    all_round: bool = False
    target_id: str = ""

    @property
    def wide_mm(self) -> float:
        """The distance of centres at which the target is just in reach."""
        return self.mover.reach_mm + self.target.reach_mm + self.reach_mm

    @property
    def apart_mm(self) -> float:
        return math.dist(self.mover.centre, self.target.centre)

    @property
    def toward_rad(self) -> float:
        (ax, ay), (bx, by) = self.mover.centre, self.target.centre
        return math.atan2(by - ay, bx - ax)

    def ahead_and_aside(self, heading_rad: float) -> tuple[float, float]:
        """How far the target's centre lies ahead and, either way, aside."""
        turn = heading_rad - self.toward_rad
        return self.apart_mm * math.cos(turn), abs(self.apart_mm * math.sin(turn))

    def in_reach(self, heading_rad: float) -> tuple[float, float] | None:
        """The travels from and to which the target is in reach; None when it never is."""
        ahead, aside = self.ahead_and_aside(heading_rad)
        if aside > self.wide_mm:
            return None
        first = ahead - math.sqrt(self.wide_mm**2 - aside**2)
        radius = self.target.reach_mm
        if self.all_round:
            return first, ahead + math.sqrt(self.wide_mm**2 - aside**2)
        behind = max(0.0, aside - self.mover.reach_mm - self.reach_mm)
        return first, ahead + math.sqrt(max(0.0, radius**2 - behind**2))

    def slack_mm(self, heading_rad: float) -> float:
        """By how much the target comes into reach along this heading, however far it is; negative by what lacks."""
        ahead, aside = self.ahead_and_aside(heading_rad)
        if ahead >= 0:
            return self.wide_mm - aside
        radius = self.target.reach_mm
        if self.all_round:
            return self.wide_mm - self.apart_mm
        if -ahead >= radius:
            return -(-ahead - radius) - max(0.0, aside - self.mover.reach_mm - self.reach_mm)
        return self.reach_mm + self.mover.reach_mm - max(0.0, aside - math.sqrt(radius**2 - ahead**2))

    def fan(self) -> HeadingInterval:
        """All headings that ever bring the target into reach."""
        if self.apart_mm > self.wide_mm:
            half = math.asin(self.wide_mm / self.apart_mm)
        elif self.all_round or self.slack_mm(self.toward_rad + math.pi) >= 0:
            half = math.pi
        else:
            half = self._widest_half()
        return HeadingInterval(self.toward_rad - half, self.toward_rad + half)

    def _widest_half(self) -> float:
        good, bad = math.pi / 2, math.pi
        for _ in range(_HALVINGS):
            middle = (good + bad) / 2
            good, bad = (middle, bad) if self.slack_mm(self.toward_rad + middle) >= 0 else (good, middle)
        return good


@dataclass(frozen=True)
class StraightCharge:
    """One rush along one heading. Travels run from its start; `first_mm` and `last_mm` bound where it may stop.

    `nearest_mm` is the travel that brings the target into reach, or as near to it as may be.
    """

    heading_rad: float
    travelled: TravelResult
    in_reach: tuple[float, float] | None
    budget_mm: float
    legal_slack_mm: float
    nearest_mm: float
    aim: ChargeAim
    limits: TravelLimits

    @cached_attribute
    def rooms(self) -> tuple[tuple[float, tuple[str, int]], ...]:
        """How far what could stop it stays out of its way until then, or how deep it stands in it, part by part."""
        path = straight_path(self.travelled.path[0], self.heading_rad, self.nearest_mm)
        return _measure_rooms(self.aim, path, self.limits) if self.nearest_mm > 0 else ()

    @property
    def depends_on_place(self) -> tuple[str, ...]:
        """What it met or passes closely, and the ground that slows it."""
        stopper = self.travelled.stopped_by
        met = () if stopper is None or stopper.startswith("edge:") else (stopper,)
        near_ids = (id_ for mm, (id_, _) in self.rooms if mm < SAFE_MM)
        passed = () if math.isinf(self._room_to_end_mm) else (id_ for id_, _ in self.limits.crossed)
        return (*met, *near_ids, *passed, *(stretch.id for stretch in self.travelled.ground))

    @property
    def first_mm(self) -> float | None:
        """The travel after which the target is in reach; None when it never would be."""
        return _first_in_reach(self.in_reach)

    @property
    def window_mm(self) -> tuple[float, float] | None:
        """The travels on its way between which the target is in reach; None where it gets into none."""
        if self.first_mm is None or self.in_reach is None or self.travelled.travelled_mm < self.first_mm - 1e-9:
            return None
        return self.first_mm, max(self.first_mm, min(self.travelled.travelled_mm, self.in_reach[1]))

    @cached_attribute
    def stops_mm(self) -> tuple[tuple[float, float], ...]:
        """Legal stops: from where to where it may end with its target in reach, upon nothing that it may pass."""
        pieces = [] if self.window_mm is None else [self.window_mm]
        for covered in self._covered:
            pieces = [piece for whole in pieces for piece in _cut_out(whole, covered)]
        return tuple(pieces)

    @cached_attribute
    def _covered(self) -> tuple[tuple[float, float], ...]:
        """The travels between which its base lies upon something that it may only pass."""
        heading = (math.cos(self.heading_rad), math.sin(self.heading_rad))
        parts = (part for _, area in self.limits.crossed for part in area.parts)
        spans = (stretch_within(self.aim.mover, heading, part) for part in parts)
        return tuple(merge_stretches([span for span in spans if span and span[1] - span[0] > _LEAST_MM]))

    @property
    def succeeds(self) -> bool:
        """Whether it may end with its target in reach."""
        return bool(self.stops_mm)

    @property
    def first_stop_mm(self) -> float | None:
        """The least travel after which it may end; else that at which the target comes into reach."""
        return self.stops_mm[0][0] if self.stops_mm else self.first_mm

    @property
    def last_mm(self) -> float:
        """As far as it may go: to the end of its way, and no farther than the target stays in reach."""
        return self.stops_mm[-1][1] if self.stops_mm else self.travelled.travelled_mm

    @property
    def left_mm(self) -> float:
        """Movement left when it may first end; negative by what lacks."""
        if self.first_stop_mm is None:
            return min(self.legal_slack_mm, -1e-9)
        short = min(self.travelled.travelled_mm - self.first_stop_mm, self._room_to_end_mm)
        return min(self._paid_mm(self.first_stop_mm), short) if short < 0 else self._paid_mm(self.first_stop_mm)

    @property
    def _room_to_end_mm(self) -> float:
        """How much travel it has to choose from where it passes something; negative by how far it would be off."""
        if self.window_mm is None or not any(
            a < self.window_mm[1] + 1e-9 and b > self.window_mm[0] for a, b in self._covered
        ):
            return math.inf
        if self.stops_mm:
            return max(high - low for low, high in self.stops_mm)
        low, high = self.window_mm
        return -min(min(low - a, b - high) for a, b in self._covered if a < high and b > low) - 1e-9

    def _paid_mm(self, travel_mm: float) -> float:
        return self.budget_mm - cost_mm(travel_mm, self.travelled.ground)

    @property
    def slack_mm(self) -> float:
        """By how much the rush succeeds: movement left, reach to spare, or room on its way, whichever is least.

        It changes steadily as things move, so that it can tell how far all is from changing.
        """
        least = min(self.pieces.values())
        if self.window_mm is not None or self.first_mm is None or least < 0:
            return least
        return self.travelled.travelled_mm - self.first_mm  # stopped short of what it may cross only as a whole

    @property
    def short_mm(self) -> float:
        """The slack as far as it hangs on movement and reach alone."""
        return min(self._paid_mm(self.nearest_mm), self.legal_slack_mm)

    @property
    def pieces(self) -> dict[Hashable, float]:
        """What the slack is the least of."""
        paid = self._paid_mm(max(self.nearest_mm, self.stops_mm[0][0]) if self.stops_mm else self.nearest_mm)
        room: dict[Hashable, float] = {} if math.isinf(self._room_to_end_mm) else {"end": self._room_to_end_mm}
        return {"paid": paid, **room, "reach": self.legal_slack_mm, **{place: mm for mm, place in self.rooms}}

    @property
    def stopped_by(self) -> str | None:
        """What it met, unless it stops before."""
        return self.travelled.stopped_by if self.last_mm >= self.travelled.travelled_mm - 1e-9 else None

    def stop(self, after_mm: float | None) -> float:
        """Where it stops when it wants to stop there: not before the target is in reach, else as far as it may."""
        if after_mm is None or not self.stops_mm:
            return self.last_mm
        before = [min(high, after_mm) for low, high in self.stops_mm if low <= after_mm]
        return max(before, default=self.stops_mm[0][0])

    def place(self, travel_mm: float) -> Point:
        return straight_path(self.travelled.path[0], self.heading_rad, travel_mm)[1]


def _cut_out(whole: tuple[float, float], covered: tuple[float, float]) -> list[tuple[float, float]]:
    """What is left of a stretch without another, whose ends it keeps."""
    (low, high), (first, last) = whole, covered
    if first >= high or last <= low:
        return [whole]
    return [piece for piece in ((low, first), (last, high)) if piece[0] <= piece[1]]


def straight_charge(aim: ChargeAim, heading_rad: float, going: TravelLimits, budget_mm: float) -> StraightCharge:
    """The rush along one heading, as far as ground, budget and what stops it let it go."""
    path = straight_path(aim.mover.centre, heading_rad, budget_mm)
    walked = travel(aim.mover, path, going, budget_mm)
    in_reach = aim.in_reach(heading_rad)
    first = _first_in_reach(in_reach)
    nearest = max(0.0, aim.ahead_and_aside(heading_rad)[0]) if first is None else first
    return StraightCharge(heading_rad, walked, in_reach, budget_mm, aim.slack_mm(heading_rad), nearest, aim, going)


def _first_in_reach(in_reach: tuple[float, float] | None) -> float | None:
    return None if in_reach is None or in_reach[1] < 0 else max(0.0, in_reach[0])


def _measure_rooms(
    aim: ChargeAim, path: tuple[Point, Point], going: TravelLimits
) -> tuple[tuple[float, tuple[str, int]], ...]:
    """The room that each thing near the way leaves."""
    parts = ((part, (id_, k)) for id_, area in going.stops if id_ != aim.target_id for k, part in enumerate(area.parts))
    near = ((part, place) for part, place in parts if may_come_near(aim.mover, path, part, ROOMY_MM))
    return tuple((room_mm(aim.mover, path, part), place) for part, place in near)


def nudge_heading(straightest: StraightCharge) -> StraightCharge:
    """The best rush along about the heading of this one, which may be turned by as much as anything was mismeasured.

    What the slack is the least of changes in proportion to so small a turn; the turn at which the least of those is
    greatest is tried.
    """
    aim, going, budget_mm = straightest.aim, straightest.limits, straightest.budget_mm
    heading_rad = straightest.heading_rad
    if abs(straightest.slack_mm) >= SAFE_MM or straightest.nearest_mm <= 0:
        return straightest
    turn = _TRIAL_MM / straightest.nearest_mm
    here, turned = straightest.pieces, straight_charge(aim, heading_rad + turn, going, budget_mm).pieces
    lines = [(here[key], (turned[key] - here[key]) / turn) for key in here if key in turned]
    best = heading_rad + _best_turn(lines, _EASED_MM / straightest.nearest_mm)
    return max(straightest, straight_charge(aim, best, going, budget_mm), key=lambda piece: piece.slack_mm)


def _best_turn(lines: Sequence[tuple[float, float]], most: float) -> float:
    """The turn, either way but no more than `most`, at which the least of these lines is greatest."""
    low = sorted(lines)[:_MOST_LINES]
    meet = [(b - a) / (u - v) for (a, u), (b, v) in combinations(low, 2) if abs(u - v) > 1e-9]
    turns = (0.0, -most, most, *(turn for turn in meet if abs(turn) <= most))
    return max(turns, key=lambda turn: (min(at + turn * rise for at, rise in low), -abs(turn)))
