"""Corner schemas: the words of the page on which the mat's corners are tapped."""

from typing import Annotated, Literal

from pydantic import Field

from models.frozen import Frozen
from models.vocabulary import NotNegative, Point, Positive

Size = tuple[Annotated[float, Field(ge=100, le=10_000)], Annotated[float, Field(ge=100, le=10_000)]]


class CornerImage(Frozen):
    """A picture that was taken for the page; `table_mm` is what is known of the table's size."""

    version: int
    width_px: int
    height_px: int
    table_mm: tuple[Positive, Positive] | None
    is_table_sure: bool = Field(description="the size stands in the layout and cannot be chosen")
    is_edged: bool = Field(
        False, description="what lies beyond the table's last known edge, and a hand's breadth, is black"
    )
    may_show_room: bool = Field(True, description="whether this seat may look at all that the camera sees")


class Taps(Frozen):
    """The mat's corners in a picture: near left, near right, far right, far left."""

    version: int = Field(description="of the picture they were tapped in")
    corners_px: tuple[Point, Point, Point, Point]
    table_mm: Size
    keep: bool = Field(False, description="hang the camera there: write the pose file, or place the live table")


class TapAssessment(Frozen):
    """What the taps make: how surely places are known, and whether that will do."""

    fit: Literal["fit", "rough", "unfit"]
    says: str
    worst_mm: NotNegative = Field(description="one sigma, both axes together, at the worst place of the table")
    usual_mm: NotNegative = Field(description="the same, RMS over the table")
    notes: tuple[str, ...]
    outline_px: tuple[Point, ...] = Field(description="the table's rim as the pose puts it into the picture")
    kept: str | None = Field(None, description="as what it was kept")
