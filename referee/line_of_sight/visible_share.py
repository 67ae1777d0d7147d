"""Visible share: how much of a base is hidden by convex things, seen from a point.

Of two convex things apart from one another the same one comes first on every line of sight that meets both. So what
stands before a base hides exactly the directions in which it lies.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from models.vocabulary import Point
from referee.geometry.distance import gap
from referee.geometry.outlines import area_mm2, clip_half_plane, outline_points
from referee.geometry.shapes import RoundedShape, convex_hull

_FAR_MM = 4000.0
_NONE = 1e-12  # rad: things beside one another


@dataclass(frozen=True)
class Span:
    """Angular span: the directions in which an outline lies, from its right to its left."""

    right_rad: float
    left_rad: float

    def unwrap_near(self, heading_rad: float) -> "Span":
        """The same directions, written with as many full turns as bring them next to a heading."""
        turns = round((heading_rad - self.middle_rad) / math.tau) * math.tau
        return Span(self.right_rad + turns, self.left_rad + turns)

    @property
    def middle_rad(self) -> float:
        return (self.right_rad + self.left_rad) / 2

    @property
    def width_rad(self) -> float:
        return self.left_rad - self.right_rad

    def intersect(self, other: "Span") -> "Span":
        return Span(max(self.right_rad, other.right_rad), min(self.left_rad, other.left_rad))


def angular_span(eye: Point, points: tuple[Point, ...]) -> Span | None:
    """Angular span of an outline from a point; None when the point is in it or on it."""
    ex, ey = eye
    ahead = math.atan2(sum(y for _, y in points) / len(points) - ey, sum(x for x, _ in points) / len(points) - ex)
    c, s = math.cos(ahead), math.sin(ahead)
    ways = [math.atan2((y - ey) * c - (x - ex) * s, (x - ex) * c + (y - ey) * s) for x, y in points]
    low, high = min(ways), max(ways)
    return None if high - low >= math.pi - 1e-9 else Span(ahead + low, ahead + high)


@dataclass(frozen=True)
class Shade:
    """A thing that may hide, and the directions in which it lies from the eye; no span where the eye is in it."""

    part: RoundedShape
    span: Span | None

    @classmethod
    def of(cls, eye: Point, part: RoundedShape) -> "Shade":
        return cls(part, angular_span(eye, outline_points(part)))


def hidden_share(eye: Point, base: tuple[Point, ...], casting: Sequence[Shade]) -> float:
    """Hidden share of a base, by area, behind or in these things."""
    if not casting:
        return 0.0
    seen = angular_span(eye, base)
    if seen is None:  # the eye is above the base: it lies in no one direction
        return _hidden_share_by_overlay(eye, base, casting)
    hidden = [_hidden_span(eye, base, seen, shade) for shade in casting]
    if any(span is None for span in hidden):
        return _hidden_share_by_overlay(eye, base, casting)
    spans = _merge_spans([span for span in hidden if span is not None and span.width_rad > _NONE])
    return sum(_area_within(eye, base, seen, span) for span in spans) / area_mm2(base)


def _hidden_span(eye: Point, base: tuple[Point, ...], seen: Span, shade: Shade) -> Span | None:
    """The directions in which a thing hides some of a base; None where it overlaps the base or holds the eye."""
    nothing = Span(0.0, 0.0)
    if shade.span is None:
        return None
    both = seen.intersect(shade.span.unwrap_near(seen.middle_rad))
    if both.width_rad <= _NONE:
        return nothing
    outline = outline_points(shade.part)
    if _may_overlap(base, outline) and gap(RoundedShape(base), shade.part).mm < 0:
        return None
    far = both.middle_rad
    return both if _entry_distance_mm(eye, far, outline) < _entry_distance_mm(eye, far, base) else nothing


def _may_overlap(a: tuple[Point, ...], b: tuple[Point, ...]) -> bool:
    """Whether the boxes round two outlines overlap."""
    return all(
        min(p[k] for p in a) < max(p[k] for p in b) and min(p[k] for p in b) < max(p[k] for p in a) for k in (0, 1)
    )


def _entry_distance_mm(eye: Point, heading_rad: float, outline: tuple[Point, ...]) -> float:
    """How far off a line of sight enters a convex outline."""
    c, s = math.cos(heading_rad), math.sin(heading_rad)
    turned = [((x - eye[0]) * c + (y - eye[1]) * s, (y - eye[1]) * c - (x - eye[0]) * s) for x, y in outline]
    hits = [
        x + (px - x) * y / (y - py)
        for (px, py), (x, y) in zip((turned[-1], *turned), turned, strict=False)
        if (y <= 0) is not (py <= 0)
    ]
    return min(hits, default=math.inf)


def _merge_spans(spans: list[Span]) -> list[Span]:
    merged: list[Span] = []
    for span in sorted(spans, key=lambda span: span.right_rad):
        if merged and span.right_rad <= merged[-1].left_rad:
            merged[-1] = Span(merged[-1].right_rad, max(merged[-1].left_rad, span.left_rad))
        else:
            merged.append(span)
    return merged


def _area_within(eye: Point, base: tuple[Point, ...], seen: Span, span: Span) -> float:
    """How much of a base lies between two directions."""
    points = base
    if span.right_rad > seen.right_rad + _NONE:
        points = clip_half_plane(points, eye, (-math.sin(span.right_rad), math.cos(span.right_rad)))
    if span.left_rad < seen.left_rad - _NONE:
        points = clip_half_plane(points, eye, (math.sin(span.left_rad), -math.cos(span.left_rad)))
    return area_mm2(points)


def _hidden_share_by_overlay(eye: Point, base: tuple[Point, ...], casting: Sequence[Shade]) -> float:
    """The same share by overlaying shapes, for things that the base stands in."""
    import shapely  # only overlays need it

    whole = shapely.Polygon(base)
    shadows = [shapely.Polygon(_shadow(eye, outline_points(shade.part))) for shade in casting]
    return float(shapely.union_all(shadows).intersection(whole).area / whole.area)


def _shadow(eye: Point, outline: tuple[Point, ...]) -> tuple[Point, ...]:
    """The thing, and all that lies beyond it."""
    return convex_hull([*outline, *(_push_away(eye, p) for p in outline)])


def _push_away(eye: Point, p: Point) -> Point:
    away = math.dist(eye, p)
    if away < 1e-9:
        return p
    return (eye[0] + (p[0] - eye[0]) * _FAR_MM / away, eye[1] + (p[1] - eye[1]) * _FAR_MM / away)
