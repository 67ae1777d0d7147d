"""Where a base faces by the marks that were read on its rim, and how surely."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.rims.changes import Changes, Rim, apart
from vision.rims.halves import ends_of, halves_of
from vision.rims.ticks import KINDS, places_of
from vision.rims.weighing import Reading

Floats = NDArray[np.float64]

# How far a tick is from its place, and the end of a painted half: hands paint them, and they are seen through pixels.
# Chosen so that 95 % of drawn facings are within 1.96 of their sigmas.
_TICK_MM, _END_MM = 0.28, 0.6
_CENTRE_MM = 0.10  # how far the centre is off beyond what its covariance says
_AROUND_MM = 1.4  # on either side of a mark, where its middle is worked out
_LEAST_END = 0.45  # share of the change between the halves that an end shows unless it is hidden
_HIDDEN_RAD = math.radians(8.0)  # when both ends are hidden


@dataclass(frozen=True)
class Mark:
    """A mark that was seen at an angle, and the angle from the front at which it was painted."""

    at_rad: float
    painted_rad: float


def placed(rim: Rim, reading: Reading, covariance_mm2: Floats) -> tuple[float, float]:
    """The facing of this reading and its standard deviation, rad.

    A centre that is off moves marks along the rim, those at opposite ends against each other: so it is weighed with
    them. Marks that contradict each other leave more doubt.
    """
    front = reading.front * rim.strip.step_rad
    marks = _ends(rim, reading.front) if reading.marking == "front-half" else _marks(rim, reading)
    if not marks:
        return front, _HIDDEN_RAD
    radius = rim.strip.radius_mm
    at = np.array([mark.at_rad for mark in marks])
    off = np.array([_off(mark.at_rad, front + mark.painted_rad) for mark in marks]) * radius
    along = np.column_stack([-np.sin(at), np.cos(at)])
    centre = covariance_mm2 + _CENTRE_MM**2 * np.eye(2)
    mark_mm = _END_MM if reading.marking == "front-half" else _TICK_MM
    precision = np.linalg.inv(mark_mm**2 * np.eye(len(marks)) + along @ centre @ along.T)
    total = float(precision.sum())
    mean = float(precision.sum(axis=0) @ off) / total
    apart = float((off - mean) @ precision @ (off - mean)) / max(len(marks) - 1, 1)
    return front + mean / radius, math.sqrt(max(1.0, apart) / total) / radius


def _marks(rim: Rim, reading: Reading) -> list[Mark]:
    kind = KINDS[reading.marking]
    at = places_of(rim, kind, reading.front)
    along = rim.bumps.shift[at].mean(axis=0)
    return [
        Mark(_middle_rad(rim, rim.bumps, place, along), math.radians(painted))
        for place, painted in zip(at, kind.seen, strict=True)
    ]


def _ends(rim: Rim, front: int) -> list[Mark]:
    """The ends of the front half that show the change between both."""
    ahead, behind = halves_of(rim.colours, front)
    change = ahead - behind
    marks = []
    for place, sign in zip(ends_of(rim, front), (1, -1), strict=True):
        shown = sign * float(rim.steps.shift[place] @ change) / (float(change @ change) + 1e-9)
        if shown > _LEAST_END:
            marks.append(Mark(_middle_rad(rim, rim.steps, place, sign * change), -sign * math.pi / 2))
    return marks


def _middle_rad(rim: Rim, changes: Changes, place: int, along: Sequence[float] | Floats) -> float:
    """The middle of the change round a place, each neighbour by how much of the same change it shows."""
    reach = round(_AROUND_MM / rim.strip.step_mm)
    near = (np.arange(-reach, reach + 1) + place) % rim.count
    weight = np.maximum(changes.shift[near] @ np.asarray(along), 0.0)
    weight = np.maximum(weight - 0.3 * weight.max(), 0.0)
    shift = float(weight @ apart(near, np.full(len(near), place), rim.count)) / max(float(weight.sum()), 1e-9)
    return (place + shift) * rim.strip.step_rad


def _off(a_rad: float, b_rad: float) -> float:
    return (a_rad - b_rad + math.pi) % (2 * math.pi) - math.pi
