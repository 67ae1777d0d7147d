"""Shape: the outline of terrain, effects and zones, written in exactly one way."""

import math
from itertools import pairwise
from typing import Self

from pydantic import Field, field_validator, model_validator

from models.frozen import Frozen
from models.vocabulary import NotNegative, Point, Positive

MOST_CORNERS = 1000  # far more than anybody measures; a file with more is a mistake
FARTHEST_MM = 1e6  # a kilometre: no table is larger


def check_simple_outline(corners: tuple[Point, ...]) -> tuple[Point, ...]:
    """The outline itself. Raises: ValueError when it is far away, has no area, or crosses or touches itself."""
    for corner in corners:
        _check_near(corner)
    if not _is_convex(corners) and (fault := _find_fault(corners)):
        raise ValueError(f"the outline is no simple polygon: {fault}")
    return corners


def _check_near(point: Point) -> None:
    x, y = point
    if max(abs(x), abs(y)) > FARTHEST_MM:
        raise ValueError(f"({x:g}, {y:g}) lies farther away than any table reaches")


def _find_fault(corners: tuple[Point, ...]) -> str | None:
    """What is wrong with an outline that turns both ways; None when nothing is."""
    points = tuple(p for i, p in enumerate(corners) if p != corners[i - 1])
    n = len(points)
    if n < 3:
        return "fewer than three different corners"
    sides = [(points[i], points[(i + 1) % n]) for i in range(n)]
    for i, (a, b) in enumerate(sides):
        if _is_folded_back(a, b, sides[(i + 1) % n][1]):
            return f"it folds back at ({b[0]:g}, {b[1]:g})"
        for j in range(i + 2, n if i else n - 1):
            if _is_crossing(a, b, *sides[j]):
                return f"it meets itself between ({a[0]:g}, {a[1]:g}) and ({b[0]:g}, {b[1]:g})"
    return None


def _cross_product(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _is_folded_back(a: Point, b: Point, c: Point) -> bool:
    return _cross_product(a, b, c) == 0 and (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]) < 0


def _is_crossing(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two sides share a point."""
    if max(a[0], b[0]) < min(c[0], d[0]) or max(c[0], d[0]) < min(a[0], b[0]):
        return False
    if max(a[1], b[1]) < min(c[1], d[1]) or max(c[1], d[1]) < min(a[1], b[1]):
        return False
    return (
        _cross_product(a, b, c) * _cross_product(a, b, d) <= 0
        and _cross_product(c, d, a) * _cross_product(c, d, b) <= 0
    )


def _is_convex(corners: tuple[Point, ...]) -> bool:
    """Whether the outline turns one way only, and once round."""
    ways = [(bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise((*corners, corners[0]))]
    turns = [ax * by - ay * bx for (ax, ay), (bx, by) in pairwise((*ways, ways[0]))]
    if not (all(turn > 0 for turn in turns) or all(turn < 0 for turn in turns)):
        return False
    bends = (
        math.atan2(t, a[0] * b[0] + a[1] * b[1]) for t, (a, b) in zip(turns, pairwise((*ways, ways[0])), strict=True)
    )
    return math.isclose(abs(sum(bends)), math.tau, rel_tol=1e-6)


class OutlineFields(Frozen):
    """`polygon_mm`, or `centre_mm` + `diameter_mm`, or `line_mm` + `thickness_mm`. `sigma_mm` is that of a corner."""

    polygon_mm: tuple[Point, ...] | None = Field(None, min_length=3, max_length=MOST_CORNERS)
    centre_mm: Point | None = None
    diameter_mm: Positive | None = None
    line_mm: tuple[Point, ...] | None = Field(None, min_length=2, max_length=MOST_CORNERS)
    thickness_mm: Positive | None = None
    sigma_mm: NotNegative = 0.0

    def has_outline(self) -> bool:
        return self.polygon_mm is not None or self.centre_mm is not None or self.line_mm is not None

    def displaced(self, dx_mm: float, dy_mm: float) -> Self:
        """The same thing shifted as a whole; nothing is checked again."""

        def shift(points: tuple[Point, ...]) -> tuple[Point, ...]:
            return tuple((x + dx_mm, y + dy_mm) for x, y in points)

        lines = {"polygon_mm": self.polygon_mm, "line_mm": self.line_mm}
        changes: dict[str, object] = {name: shift(points) for name, points in lines.items() if points is not None}
        if self.centre_mm is not None:
            changes["centre_mm"] = shift((self.centre_mm,))[0]
        return self.model_copy(update=changes)

    @field_validator("polygon_mm")
    @classmethod
    def _check_simple(cls, corners: tuple[Point, ...] | None) -> tuple[Point, ...] | None:
        return None if corners is None else check_simple_outline(corners)

    @field_validator("centre_mm")
    @classmethod
    def _check_centre(cls, centre: Point | None) -> Point | None:
        if centre is not None:
            _check_near(centre)
        return centre

    @field_validator("diameter_mm", "thickness_mm")
    @classmethod
    def _check_size(cls, size_mm: float | None) -> float | None:
        if size_mm is not None and size_mm > FARTHEST_MM:
            raise ValueError(f"{size_mm:g} mm is larger than any table")
        return size_mm

    @field_validator("line_mm")
    @classmethod
    def _check_length(cls, points: tuple[Point, ...] | None) -> tuple[Point, ...] | None:
        for point in points or ():
            _check_near(point)
        if points is not None and len(set(points)) < 2:
            x, y = points[0]
            raise ValueError(f"the line has no length: all of it lies at ({x:g}, {y:g})")
        return points

    @model_validator(mode="after")
    def _check_one_outline(self) -> "OutlineFields":
        given = [self.polygon_mm is not None, self.centre_mm is not None, self.line_mm is not None]
        if sum(given) > 1:
            raise ValueError("give one of polygon_mm, centre_mm or line_mm")
        if (self.centre_mm is None) != (self.diameter_mm is None):
            raise ValueError("centre_mm and diameter_mm belong together")
        if (self.line_mm is None) != (self.thickness_mm is None):
            raise ValueError("line_mm and thickness_mm belong together")
        return self
