"""Obstacles and woods as the oracle works on them: points as complex numbers, sides with their inward normals."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum

from referee.geometry.shapes import Area, RoundedShape
from referee.line_of_sight.scene import Obstacle, Wood

NEVER_MM = 1e6


class Kind(Enum):
    """What is asked of a thing: to be kept clear of, not to be crossed too far, or to be measured."""

    SOLID = 0
    WOOD = 1
    LENGTH = 2
    SPARE = 3


@dataclass(frozen=True)
class Part:
    """One convex part: its corners anticlockwise, the inward normal of the side from each, and its rim."""

    corners: tuple[complex, ...]
    inward: tuple[complex, ...]
    radius_mm: float

    @classmethod
    def of(cls, shape: RoundedShape) -> "Part":
        corners = tuple(complex(*point) for point in shape.points)
        sides = [b - a for a, b in zip(corners, corners[1:] + corners[:1], strict=True)]
        return cls(corners, tuple(1j * side / abs(side) if side else 0j for side in sides), shape.radius_mm)

    def sides(self) -> Iterator[tuple[complex, complex]]:
        """The sides in order; none of a point."""
        if len(self.corners) > 1:
            yield from zip(self.corners, self.corners[1:] + self.corners[:1], strict=True)


@dataclass(frozen=True)
class Thing:
    """What may close a line. For `SPARE`, the stretch holds the heights of both tops, and the depth its own height."""

    kind: Kind
    area: Area
    parts: tuple[Part, ...]
    outline: tuple[complex, ...]
    from_share: float = 0.0
    to_share: float = 1.0
    depth_mm: float = 0.0
    told: bool | None = None
    """Whether an end counts as inside a wood, when that goes by miniature and not by point."""

    def with_kind(self, kind: Kind) -> "Thing":
        return replace(self, kind=kind)

    @property
    def is_nested(self) -> bool:
        """Whether its outline is not convex: the pieces it is cut into grow and shrink together."""
        return len(self.parts) > 1 and len(self.outline) > 2

    @property
    def is_flat(self) -> bool:
        """Whether it closes lines over all of their length, at any height."""
        return self.kind is Kind.SOLID and self.from_share <= 0 and self.to_share >= 1

    def circle(self) -> tuple[complex, float]:
        """A circle that holds it."""
        points = [(c, part.radius_mm) for part in self.parts for c in part.corners]
        left, right = min(c.real - r for c, r in points), max(c.real + r for c, r in points)
        low, high = min(c.imag - r for c, r in points), max(c.imag + r for c, r in points)
        if len(points) == 1:
            return points[0]
        return complex(left + right, low + high) / 2, math.hypot(right - left, high - low) / 2


def _of_area(area: Area, kind: Kind) -> Thing:
    return Thing(kind, area, tuple(Part.of(part) for part in area.parts), tuple(complex(*p) for p in area.outline))


def of_obstacle(obstacle: Obstacle) -> Thing:
    thing = _of_area(obstacle.area, Kind.SOLID)
    return replace(thing, from_share=obstacle.from_share, to_share=obstacle.to_share)


def of_wood(wood: Wood, kind: Kind = Kind.WOOD) -> Thing:
    return replace(_of_area(wood.area, kind), depth_mm=wood.depth_mm, told=wood.end_inside)


def of_solid(area: Area, height_mm: float, tops_mm: tuple[float, float]) -> Thing:
    """A solid whose height a line from top to top may have to spare."""
    thing = _of_area(area, Kind.SPARE)
    return replace(thing, from_share=tops_mm[0], to_share=tops_mm[1], depth_mm=height_mm)
