"""The shape words shared by terrain, effects and zones: exactly one way of writing an outline."""

from pydantic import Field, model_validator

from models.frozen import Frozen
from models.words import NotNegative, Point, Positive


class Shaped(Frozen):
    """`polygon_mm`, or `centre_mm` + `diameter_mm`, or `line_mm` + `thickness_mm`. `sigma_mm` is that of a corner."""

    polygon_mm: tuple[Point, ...] | None = Field(None, min_length=3)
    centre_mm: Point | None = None
    diameter_mm: Positive | None = None
    line_mm: tuple[Point, ...] | None = Field(None, min_length=2)
    thickness_mm: Positive | None = None
    sigma_mm: NotNegative = 0.0

    def has_outline(self) -> bool:
        return self.polygon_mm is not None or self.centre_mm is not None or self.line_mm is not None

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
