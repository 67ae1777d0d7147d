"""Visible body: how much of an upright body is hidden by upright things, seen from an eye at a height.

The body is the sheet across the line of sight through its middle, as wide as its base is seen and as high as it stands.
What lies before the sheet casts a convex shadow on it; the shadows together hide what they cover.
"""

import math
from collections.abc import Iterable
from typing import NamedTuple

from models.vocabulary import Point
from referee.geometry.outlines import clip_half_plane, outline_points
from referee.geometry.shapes import RoundedShape, convex_hull

_NEAR_MM = 1.0  # what is nearer to the eye than that is behind it
_HIGH_MM = 1e5  # higher than anything on a table


class Upright(NamedTuple):
    """A convex outline from the floor up to a height; without end where nobody sees over it."""

    outline: RoundedShape
    top_mm: float


class Sheet(NamedTuple):
    """The sheet in its own frame: how far off it is, from where to where it reaches across, and in height."""

    away_mm: float
    ahead: Point
    right_mm: float
    left_mm: float
    low_mm: float
    high_mm: float


def sheet_of(eye: Point, base: RoundedShape, low_mm: float, high_mm: float) -> Sheet:
    """The sheet across the line from the eye to the middle of a base."""
    dx, dy = base.centre[0] - eye[0], base.centre[1] - eye[1]
    away = math.hypot(dx, dy)
    ahead = (dx / away, dy / away) if away > 0 else (1.0, 0.0)
    left = (-ahead[1], ahead[0])
    middle = base.centre[0] * left[0] + base.centre[1] * left[1]
    return Sheet(
        away, ahead, -(base.support((-left[0], -left[1])) + middle), base.support(left) - middle, low_mm, high_mm
    )


def hidden_body_share(eye: Point, eye_mm: float, sheet: Sheet, things: Iterable[Upright]) -> float:
    """The share of the sheet, by area, that these things hide."""
    import shapely  # only overlays need it

    whole = shapely.box(sheet.right_mm, sheet.low_mm, sheet.left_mm, sheet.high_mm)
    if whole.area <= 0:
        return 0.0
    shadows = [shadow for thing in things if len(shadow := cast_shadow(eye, eye_mm, sheet, thing)) > 2]
    if not shadows:
        return 0.0
    joined = shapely.union_all([shapely.Polygon(shadow) for shadow in shadows])
    return float(joined.intersection(whole).area / whole.area)


def cast_shadow(eye: Point, eye_mm: float, sheet: Sheet, thing: Upright) -> tuple[Point, ...]:
    """Where lines from the eye through the thing meet the sheet's plane: across and height; empty when none do."""
    ahead, left = sheet.ahead, (-sheet.ahead[1], sheet.ahead[0])
    near = (eye[0] + _NEAR_MM * ahead[0], eye[1] + _NEAR_MM * ahead[1])
    far = (eye[0] + sheet.away_mm * ahead[0], eye[1] + sheet.away_mm * ahead[1])
    points = clip_half_plane(outline_points(thing.outline), near, ahead)
    points = clip_half_plane(points, far, (-ahead[0], -ahead[1])) if len(points) > 2 else ()
    top = min(thing.top_mm, _HIGH_MM)
    spans = []
    for x, y in points:
        away = (x - eye[0]) * ahead[0] + (y - eye[1]) * ahead[1]
        across = ((x - eye[0]) * left[0] + (y - eye[1]) * left[1]) * sheet.away_mm / away
        spans += [(across, eye_mm + (z - eye_mm) * sheet.away_mm / away) for z in (top, -_HIGH_MM)]
    return convex_hull(spans) if len(spans) > 2 else ()
