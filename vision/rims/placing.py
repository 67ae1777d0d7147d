"""Where a base faces by the marks that were read on its rim, and how surely."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.rims.colours import ring_mean
from vision.rims.ends import end_near
from vision.rims.patterns import Evidence, Pattern, Rim

Floats = NDArray[np.float64]

# How far a tick is from its place: hands paint it, and it is seen through pixels. Chosen so that 95 % of drawn facings
# are within 1.96 of their sigmas.
_TICK_MM = 0.28
_CENTRE_MM = 0.10  # how far the centre is off beyond what its covariance says
_AROUND_MM = 1.4  # on either side of a mark, where its middle is worked out
_LEAST_SHOWN = 0.5  # how probable it is that a mark is seen that is placed
_HIDDEN_RAD = math.radians(8.0)  # when none is
_TICK_WIDE_MM, _GAP_MM, _FLANK_MM = 1.5, 0.6, 1.6  # what a mark is told from: its flanks, a gap away on both sides


@dataclass(frozen=True)
class Mark:
    """A mark that was seen at an angle, the angle from the front at which it was painted, and how surely."""

    at_rad: float
    painted_rad: float
    sigma_mm: float = _TICK_MM


def placed(
    rim: Rim, evidence: Mapping[int, Evidence], pattern: Pattern, front: int, covariance_mm2: Floats
) -> tuple[float, float]:
    """The facing of a base so marked, about there, and its standard deviation, rad.

    A centre that is off moves marks along the rim, those at opposite ends against each other: so it is weighed with
    them. Marks that contradict each other leave more doubt.
    """
    front_rad = front * rim.strip.step_rad
    marks = _marks(rim, evidence, pattern, front)
    if not marks:
        return front_rad, _HIDDEN_RAD
    radius = rim.strip.radius_mm
    at = np.array([mark.at_rad for mark in marks])
    off = np.array([_off(mark.at_rad, front_rad + mark.painted_rad) for mark in marks]) * radius
    along = np.column_stack([-np.sin(at), np.cos(at)])
    centre = covariance_mm2 + _CENTRE_MM**2 * np.eye(2)
    precision = np.linalg.inv(np.diag([mark.sigma_mm**2 for mark in marks]) + along @ centre @ along.T)
    total = float(precision.sum())
    mean = float(precision.sum(axis=0) @ off) / total
    apart = float((off - mean) @ precision @ (off - mean)) / max(len(marks) - 1, 1)
    return front_rad + mean / radius, math.sqrt(max(1.0, apart) / total) / radius


def _marks(rim: Rim, evidence: Mapping[int, Evidence], pattern: Pattern, front: int) -> list[Mark]:
    shown = []
    for deg, sight in pattern.marks:
        at = (front + rim.strip.index(deg)) % rim.strip.count
        if evidence[sight].shown[at] > _LEAST_SHOWN:
            shown.append((math.radians(deg), int(evidence[sight].near[at])))
    if pattern.marking == "front-half":
        return [_end(rim, place, painted_rad) for painted_rad, place in shown]
    if not shown:
        return []
    bumps = _bumped(rim)
    along = np.mean([bumps[place] for _, place in shown], axis=0)
    return [Mark(_middle_rad(rim, bumps @ along, place), painted_rad) for painted_rad, place in shown]


def _end(rim: Rim, place: int, painted_rad: float) -> Mark:
    off_mm, sigma_mm = end_near(rim, place)
    return Mark(place * rim.strip.step_rad + off_mm / rim.strip.radius_mm, painted_rad, sigma_mm)


def _bumped(rim: Rim) -> Floats:
    """By how much each place differs from its flanks."""
    step_mm, paint = rim.strip.step_mm, rim.paint
    flank = ring_mean(paint, round(_FLANK_MM / step_mm))
    away = round((_TICK_WIDE_MM / 2 + _GAP_MM + _FLANK_MM / 2) / step_mm)
    beside = (np.roll(flank, away, axis=0) + np.roll(flank, -away, axis=0)) / 2
    return ring_mean(paint, round(_TICK_WIDE_MM / step_mm)) - beside


def _middle_rad(rim: Rim, change: Floats, place: int) -> float:
    """The middle of the change round a place, each neighbour by how much of it it shows."""
    reach = round(_AROUND_MM / rim.strip.step_mm)
    off = np.arange(-reach, reach + 1)
    weight = np.maximum(change[(off + place) % rim.strip.count], 0.0)
    weight = np.maximum(weight - 0.3 * weight.max(), 0.0)
    return (place + float(weight @ off) / max(float(weight.sum()), 1e-9)) * rim.strip.step_rad


def _off(a_rad: float, b_rad: float) -> float:
    return (a_rad - b_rad + math.pi) % (2 * math.pi) - math.pi
