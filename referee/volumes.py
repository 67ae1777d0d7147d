"""Distances between volumes: an upright body on the ground it stands on, as wide as its base and as tall as told."""

import math
from dataclasses import dataclass

from referee.gaps import Gap, area_gap
from referee.shapes import Area


@dataclass(frozen=True)
class Volume:
    """An area from `low_mm` to `high_mm` above the table."""

    area: Area
    low_mm: float
    high_mm: float


def rise_mm(a: Volume, b: Volume) -> float:
    """The height between two volumes; zero when they share a level."""
    return max(0.0, a.low_mm - b.high_mm, b.low_mm - a.high_mm)


def apart_mm(plan_mm: float, rise: float) -> float:
    """The distance edge to edge of two volumes so far apart in plan and in height; overlap in plan is none there."""
    return math.hypot(max(0.0, plan_mm), rise)


def volume_gap(a: Volume, b: Volume) -> Gap:
    """Edge to edge between two volumes, with the closest points in plan.

    Negative where they overlap, by the shortest way that parts them: aside or up.
    """
    plan, rise = area_gap(a.area, b.area), rise_mm(a, b)
    if plan.mm >= 0 or rise > 0:
        return Gap(apart_mm(plan.mm, rise), plan.at_a, plan.at_b)
    up = min(a.high_mm - b.low_mm, b.high_mm - a.low_mm)
    return Gap(max(plan.mm, -up), plan.at_a, plan.at_b)
