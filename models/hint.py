"""Hints: places in a picture where a person says that a base stands, or that none does."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, RootModel, model_validator

from models.base import Base, RoundBase
from models.frozen import Frozen
from models.vocabulary import Id, Point, Positive

MOST_HINTS = 1000  # as many as no table holds
FINGER_MM = 4.0  # a tap on a picture that shows a whole table; one sigma, per axis
MOST_IN_REGIMENT = 150
LOUPE_MM = 1.5  # an outline dragged where it is shown large
LEAST_POINTED_MM = 0.01  # nobody points more exactly
_SLIP_MM = 12.0  # beyond the edge: a middle on it as pose and finger know it

_MOST_MM = 300.0  # of a base that is looked for in a picture; the largest on sale are half of it


def _check_size(base: Base) -> Base:
    sides_mm = (base.diameter_mm,) if isinstance(base, RoundBase) else (base.width_mm, base.depth_mm)
    if max(sides_mm) > _MOST_MM:
        raise ValueError(f"no base is larger than {_MOST_MM:g} mm")
    return base


PointedBase = Annotated[Base, AfterValidator(_check_size)]
"""The size of a base that a person points at in a picture."""

PointedSigma = Annotated[
    float, Field(ge=LEAST_POINTED_MM, le=50.0, description="how exactly each place is pointed at, per axis")
]

# How the place of a miniature is known of which a person says that it stands there.
Placement = Literal["measured", "by-hand"]


def is_on_table(at_mm: Point, table_mm: Point) -> bool:
    """Whether a base may stand there, as exactly as a pose and a finger tell the table's edge."""
    return all(-_SLIP_MM <= at <= side + _SLIP_MM for at, side in zip(at_mm, table_mm, strict=True))


class RegimentHint(Frozen):
    """A person points at a ranked unit: its four corners, the front edge's two first, or that edge's ends alone."""

    corners_mm: tuple[Point, ...] = Field((), max_length=4, description="front edge first, in table millimetres")
    corners_px: tuple[Point, ...] = Field((), max_length=4, description="or in pixels of the picture")
    base: PointedBase
    count: int = Field(ge=1, le=MOST_IN_REGIMENT, description="how many are in it, as its list says")
    files: int | None = Field(
        None, ge=1, le=MOST_IN_REGIMENT, description="how many stand in its front rank; null: as its front edge is wide"
    )
    sigma_mm: PointedSigma = FINGER_MM

    @model_validator(mode="after")
    def _has_corners(self) -> "RegimentHint":
        if bool(self.corners_mm) == bool(self.corners_px):
            raise ValueError("give corners_mm or corners_px, one of the two")
        if len(self.corners_mm or self.corners_px) not in (2, 4):
            raise ValueError("four corners, or the two ends of the front edge")
        if self.files is not None and self.files > self.count:
            raise ValueError(f"files: {self.files} in the front rank, and {self.count} in the unit")
        return self


class Hint(Frozen):
    """A person points at a place of the table, or of the picture, and says what stands there."""

    at_mm: Point | None = Field(None, description="the middle of the base, in table millimetres")
    at_px: Point | None = Field(None, description="or in pixels of the picture, where its foot stands")
    is_base: bool = Field(True, description="whether a base stands there; false: none does")
    base: PointedBase | None = Field(None, description="its size; left out: every size in play is tried")
    sigma_mm: PointedSigma = FINGER_MM
    regiment: RegimentHint | None = Field(None, description="or a ranked unit as a whole, in place of all that")

    def place_field(self, number: int) -> str:
        """What the field is called that points, in a list of which this is so manieth."""
        return f"{number}.{'at_px' if self.at_mm is None else 'at_mm'}"

    @model_validator(mode="after")
    def _has_one_place(self) -> "Hint":
        if sum(each is not None for each in (self.at_mm, self.at_px, self.regiment)) != 1:
            raise ValueError("give at_mm or at_px, one of the two, or a regiment")
        if self.regiment is not None and (self.base is not None or not self.is_base):
            raise ValueError("a regiment tells its base itself: leave base and is_base out")
        if not self.is_base and self.base is not None:
            raise ValueError("a place without a base has no size: leave base out")
        return self


class ConfirmedBase(Frozen):
    """A base of which a player says where it stands, which the tracker keeps under its name."""

    step: int = Field(description="the word by which it stands there; a later one places it again")
    id: Id
    at_mm: Point
    base: Base
    turn_deg: float | None = None
    sigma_mm: Positive = FINGER_MM


class Hints(RootModel[tuple[Hint, ...]]):
    """All hints about one picture, in the order in which they were given."""

    root: tuple[Hint, ...] = Field(max_length=MOST_HINTS)
