"""Marks: what a person points at in a photograph of a table, from which lens and pose are solved."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from models.frozen import Frozen
from models.vocabulary import Point

MOST_MARKS, MOST_DISCS = 60, 12  # a second's work or two
TAP_PX = 3.0  # a finger with a loupe; one sigma per axis
CORNERS = ("near-left", "near-right", "far-right", "far-left")
SIDES = ("near", "right", "far", "left")


class _Mark(Frozen):
    sigma_px: float = Field(TAP_PX, ge=0.05, le=100.0, description="how exactly it is pointed at, per axis")


class CornerMark(_Mark):
    """A corner of the table."""

    kind: Literal["corner"]
    corner: Literal["near-left", "near-right", "far-right", "far-left"]
    at_px: Point


class PointMark(_Mark):
    """A place of the table that is known: an objective, the corner of a tile."""

    kind: Literal["point"]
    at_mm: Point
    at_px: Point


class SideMark(_Mark):
    """Two or more places along a side of the table, wherever on it."""

    kind: Literal["side"]
    side: Literal["near", "right", "far", "left"]
    at_px: tuple[Point, ...] = Field(min_length=2, max_length=50)


class LineMark(_Mark):
    """Two or more places along a line over the table: a fold of the board, a seam of its tiles."""

    kind: Literal["line"]
    x_mm: float | None = Field(None, description="of a line from near to far")
    y_mm: float | None = Field(None, description="of a line from left to right")
    at_px: tuple[Point, ...] = Field(min_length=2, max_length=50)

    @model_validator(mode="after")
    def _runs_one_way(self) -> "LineMark":
        if (self.x_mm is None) == (self.y_mm is None):
            raise ValueError("give x_mm or y_mm, one of the two")
        return self


class DiscMark(_Mark):
    """Places on the rim of a disc of known size, wherever it lies: an objective marker, a token, a base's foot."""

    kind: Literal["disc"]
    diameter_mm: float = Field(ge=5.0, le=2000.0)
    height_mm: float = Field(0.0, ge=0.0, le=200.0, description="of the rim over the table")
    at_px: tuple[Point, ...] = Field(min_length=3, max_length=50)


Mark = Annotated[CornerMark | PointMark | SideMark | LineMark | DiscMark, Field(discriminator="kind")]


def _count_discs(marks: tuple[Mark, ...]) -> tuple[Mark, ...]:
    if (count := sum(isinstance(mark, DiscMark) for mark in marks)) > MOST_DISCS:
        raise ValueError(f"{count} discs; {MOST_DISCS} are the most")
    return marks


MarkList = Annotated[tuple[Mark, ...], Field(min_length=1, max_length=MOST_MARKS), AfterValidator(_count_discs)]
_Side = Annotated[float, Field(ge=100.0, le=20_000.0)]


class Marks(Frozen):
    """A table of known size, and what is pointed at in one photograph of it."""

    table_mm: tuple[_Side, _Side]
    marks: MarkList
