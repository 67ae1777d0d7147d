"""The shape words shared by terrain, effects and zones: exactly one way of writing an outline."""

import math
from itertools import pairwise

from pydantic import Field, field_validator, model_validator

from models.frozen import Frozen
from models.words import NotNegative, Point, Positive

MOST_CORNERS = 1000  # far more than anybody measures; a file with more is a mistake
FARTHEST_MM = 1e6  # a kilometre: no table is larger


def simple_outline(corners: tuple[Point, ...]) -> tuple[Point, ...]:
    """The outline itself. Raises: ValueError when it is far away, has no area, or crosses or touches itself."""
    for x, y in corners:
        if max(abs(x), abs(y)) > FARTHEST_MM:
            raise ValueError(f"({x:g}, {y:g}) lies farther away than any table reaches")
    if not _is_convex(corners):
        import shapely  # only an outline that is not convex needs it

        polygon = shapely.Polygon(corners)
        if not polygon.is_valid:
            raise ValueError(f"the outline is no simple polygon: {shapely.is_valid_reason(polygon)}")
        if polygon.area <= 0:
            raise ValueError("the outline has no area")
    return corners


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


class Shaped(Frozen):
    """`polygon_mm`, or `centre_mm` + `diameter_mm`, or `line_mm` + `thickness_mm`. `sigma_mm` is that of a corner."""

    polygon_mm: tuple[Point, ...] | None = Field(None, min_length=3, max_length=MOST_CORNERS)
    centre_mm: Point | None = None
    diameter_mm: Positive | None = None
    line_mm: tuple[Point, ...] | None = Field(None, min_length=2, max_length=MOST_CORNERS)
    thickness_mm: Positive | None = None
    sigma_mm: NotNegative = 0.0

    def has_outline(self) -> bool:
        return self.polygon_mm is not None or self.centre_mm is not None or self.line_mm is not None

    @field_validator("polygon_mm")
    @classmethod
    def _is_simple(cls, corners: tuple[Point, ...] | None) -> tuple[Point, ...] | None:
        return None if corners is None else simple_outline(corners)

    @model_validator(mode="after")
    def _one_outline(self) -> "Shaped":
        given = [self.polygon_mm is not None, self.centre_mm is not None, self.line_mm is not None]
        if sum(given) > 1:
            raise ValueError("give one of polygon_mm, centre_mm or line_mm")
        if (self.centre_mm is None) != (self.diameter_mm is None):
            raise ValueError("centre_mm and diameter_mm belong together")
        if (self.line_mm is None) != (self.thickness_mm is None):
            raise ValueError("line_mm and thickness_mm belong together")
        return self
