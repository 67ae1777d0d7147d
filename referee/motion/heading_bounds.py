"""Heading bounds: how well straight charges along many headings may do at most, found for all of them at once.

Only what certainly stands in the way lowers a bound: what is clear of the mover at its start and ahead of it.
"""

from dataclasses import dataclass

import numpy as np

from referee.arrays import Floats
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape
from referee.motion.straight_charge import ROOMY_MM, SAFE_MM, ChargeAim
from referee.motion.travel_budget import TravelLimits

_DUST_MM = 1e-6


@dataclass(frozen=True)
class HeadingBounds:
    """What rushes along headings (N,) do at most: `slack_mm` (N,), and `left_mm` (N,), the movement left."""

    slack_mm: Floats
    left_mm: Floats


def bound_charges(aim: ChargeAim, going: TravelLimits, budget_mm: float, headings_rad: Floats) -> HeadingBounds:
    """Bounds on the slack and the movement left of the straight charges along these headings (N,)."""
    legal_mm = np.array([aim.slack_mm(heading) for heading in headings_rad])
    reaches = [aim.in_reach(heading) for heading in headings_rad]
    ahead_mm = np.array([aim.ahead_and_aside(heading)[0] for heading in headings_rad])
    is_reached = np.array([reach is not None and reach[1] >= 0 for reach in reaches])
    first_mm = np.array([0.0 if reach is None else reach[0] for reach in reaches])
    nearest_mm = np.maximum(0.0, np.where(is_reached, first_mm, ahead_mm))
    short_mm = np.minimum(budget_mm - nearest_mm, legal_mm)
    room_mm, entry_mm = np.full(len(headings_rad), np.inf), np.full(len(headings_rad), np.inf)
    directions = np.stack([np.cos(headings_rad), np.sin(headings_rad)], axis=1)
    for id_, area in going.stops:
        for part in area.parts if id_ != aim.target_id else ():
            room, entry = _bound_by_part(aim.mover, directions, nearest_mm, part)
            room_mm, entry_mm = np.minimum(room_mm, room), np.minimum(entry_mm, entry)
    is_slowed = np.zeros(len(headings_rad), dtype=bool)
    for part in (part for _, area in going.slow for part in area.parts):
        is_slowed |= (_bound_by_part(aim.mover, directions, nearest_mm, part)[0] <= 0) | (
            gap(aim.mover, part).mm <= _DUST_MM
        )
    # who falls far short on slow ground needs no room
    slack_mm = np.minimum(short_mm, np.where(is_slowed | (short_mm < -SAFE_MM), np.maximum(room_mm, -SAFE_MM), room_mm))
    stopped_mm = entry_mm - nearest_mm
    left_mm = np.where(stopped_mm < 0, np.minimum(budget_mm - nearest_mm, stopped_mm), budget_mm - nearest_mm)
    return HeadingBounds(slack_mm + _DUST_MM, np.where(is_reached, left_mm, legal_mm) + _DUST_MM)


def _bound_by_part(
    mover: RoundedShape, directions: Floats, nearest_mm: Floats, part: RoundedShape
) -> tuple[Floats, Floats]:
    """The room (N,) that a part leaves a disc at most, and the travel (N,) after which it surely stops it."""
    started = gap(mover, part)
    free = np.full(len(directions), np.inf)
    if started.mm <= _DUST_MM:
        return free, free
    wide_mm = mover.radius_mm + part.radius_mm
    corners = np.array(part.points) - np.array(mover.points[0])  # (K, 2)
    sides = np.roll(corners, -1, axis=0) - corners
    ends = nearest_mm[:, None] * directions
    along, aside = directions @ corners.T, _cross(directions[:, None], corners[None])
    apart = np.hypot(along - np.clip(along, 0.0, nearest_mm[:, None]), aside)  # (N, K) of each corner from the way
    enters = np.where(np.abs(aside) < wide_mm, along - np.sqrt(np.maximum(0.0, wide_mm**2 - aside**2)), np.inf)
    if len(corners) > 1:
        lengths = np.maximum(np.hypot(*sides.T), _DUST_MM)
        off = ends[:, None] - corners[None]
        feet = np.clip((off * sides).sum(axis=2) / lengths**2, 0.0, 1.0)
        apart = np.minimum(apart, np.linalg.norm(off - feet[..., None] * sides, axis=2))
        turned = _cross(directions[:, None], sides[None])
        with np.errstate(divide="ignore", invalid="ignore"):
            crosses_mm = _cross(corners, sides)[None] / turned
            share = _cross(corners[None], directions[:, None]) / turned
            rims_mm = (_cross(corners, sides) - wide_mm * lengths)[None] / turned
            touched = (rims_mm[..., None] * directions[:, None] - corners) * sides
        is_crossed = (crosses_mm >= 0) & (crosses_mm <= nearest_mm[:, None]) & (share >= 0) & (share <= 1)
        apart = np.where(is_crossed, 0.0, apart)
        feet = touched.sum(axis=2) / lengths**2
        enters = np.minimum(enters, np.where((turned > 0) & (feet >= 0) & (feet <= 1), rims_mm, np.inf))
    toward = np.array(started.at_b) - np.array(started.at_a)
    room = apart.min(axis=1) - wide_mm
    room = np.where((directions @ toward <= 0) | (nearest_mm <= 0) | (room > ROOMY_MM), np.inf, room)
    entry = enters.min(axis=1)
    return room, np.where((room < -_DUST_MM) & (entry > 0), entry, np.inf)


def _cross(a: Floats, b: Floats) -> Floats:
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])
