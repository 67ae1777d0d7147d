"""A straight rush at a target: where on the way it is in reach, what headings ever bring it there, how far it goes.

The mover looks where it goes. So only what lies ahead of the line through its centre, across its way, is in reach: once
the target falls behind that line it is lost again. Bases are discs here.
"""

import math
from dataclasses import dataclass

from models.words import Point
from referee.fans import Fan
from referee.shapes import Rounded
from referee.travel import Going, Travelled, cost_mm, straight, travel

_HALVINGS = 60


@dataclass(frozen=True)
class Aim:
    """Mover and target of a rush, and the reach it wants. `all_round` reaches behind as well as ahead."""

    mover: Rounded
    target: Rounded
    reach_mm: float
    all_round: bool = False

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

    def fan(self) -> Fan:
        """All headings that ever bring the target into reach."""
        if self.apart_mm > self.wide_mm:
            half = math.asin(self.wide_mm / self.apart_mm)
        elif self.all_round or self.slack_mm(self.toward_rad + math.pi) >= 0:
            half = math.pi
        else:
            half = self._widest_half()
        return Fan(self.toward_rad - half, self.toward_rad + half)

    def _widest_half(self) -> float:
        good, bad = math.pi / 2, math.pi
        for _ in range(_HALVINGS):
            middle = (good + bad) / 2
            good, bad = (middle, bad) if self.slack_mm(self.toward_rad + middle) >= 0 else (good, middle)
        return good


@dataclass(frozen=True)
class Rush:
    """One rush along one heading. Travels run from its start; `first_mm` and `last_mm` bound where it may stop."""

    heading_rad: float
    walked: Travelled
    in_reach: tuple[float, float] | None
    budget_mm: float
    legal_slack_mm: float

    @property
    def first_mm(self) -> float | None:
        """The travel after which the target is in reach; None when it never would be."""
        return None if self.in_reach is None or self.in_reach[1] < 0 else max(0.0, self.in_reach[0])

    @property
    def last_mm(self) -> float:
        """As far as it may go: to the end of its way, and no farther than the target stays in reach."""
        if self.first_mm is None or self.in_reach is None or self.walked.travelled_mm < self.first_mm:
            return self.walked.travelled_mm
        return min(self.walked.travelled_mm, self.in_reach[1])

    @property
    def left_mm(self) -> float:
        """Movement left when the target comes into reach; negative by what lacks."""
        if self.first_mm is None:
            return min(self.legal_slack_mm, -1e-9)
        paid = self.budget_mm - cost_mm(self.first_mm, self.walked.ground)
        short = self.walked.travelled_mm - self.first_mm
        return min(paid, short) if short < 0 else paid

    @property
    def slack_mm(self) -> float:
        """By how much the rush succeeds: movement left, or way left to what stops it, whichever is less."""
        if self.first_mm is None or self.walked.stopped_by is None:
            return self.left_mm
        return min(self.left_mm, self.walked.travelled_mm - self.first_mm)

    @property
    def stopped_by(self) -> str | None:
        """What it met, unless it stops before."""
        return self.walked.stopped_by if self.last_mm >= self.walked.travelled_mm - 1e-9 else None

    def stop(self, after_mm: float | None) -> float:
        """Where it stops when it wants to stop there: not before the target is in reach, else as far as it may."""
        if after_mm is None or self.first_mm is None:
            return self.last_mm
        return min(self.last_mm, max(self.first_mm, after_mm))

    def place(self, travel_mm: float) -> Point:
        return straight(self.walked.path[0], self.heading_rad, travel_mm)[1]


def rush(aim: Aim, heading_rad: float, going: Going, budget_mm: float) -> Rush:
    """The rush along one heading, as far as ground, budget and what stops it let it go."""
    path = straight(aim.mover.centre, heading_rad, budget_mm)
    walked = travel(aim.mover, path, going, budget_mm)
    return Rush(heading_rad, walked, aim.in_reach(heading_rad), budget_mm, aim.slack_mm(heading_rad))
