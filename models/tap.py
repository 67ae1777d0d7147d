"""Taps: a place of a picture at which a base is measured, and each size that it may be of with its outline there."""

from pydantic import Field, model_validator

from models.base import Base
from models.frozen import Frozen
from models.hint import FINGER_MM, PointedBase, PointedSigma
from models.vocabulary import Id, NotNegative, Point, Share

MOST_RIM_TAPS = 12

_Row = tuple[float, float, float]
Homography = tuple[_Row, _Row, _Row]


class Tap(Frozen, json_schema_extra={"examples": [{"at_px": [1412.0, 655.5]}]}):
    """A person points at the middle of a base, or at places of its rim, or drags its outline there."""

    at_mm: Point | None = Field(None, description="the middle of the base, in table millimetres")
    at_px: Point | None = Field(None, description="or in pixels of the picture, where its foot stands")
    rim_px: tuple[Point, ...] = Field(
        (), max_length=MOST_RIM_TAPS, description="three or more places on the rim that is in sight, with or without it"
    )
    base: PointedBase | None = Field(None, description="its size; left out: every size in play that it may be")
    turn_deg: float | None = Field(
        None, description="of an oval or a rectangle, where its depth runs, as it was twisted; left out: any"
    )
    sigma_mm: PointedSigma = FINGER_MM

    @model_validator(mode="after")
    def _has_one_place(self) -> "Tap":
        if self.at_mm is not None and self.at_px is not None:
            raise ValueError("give at_mm or at_px, one of the two")
        if self.at_mm is None and self.at_px is None and not self.rim_px:
            raise ValueError("give at_mm, at_px or rim_px")
        if 0 < len(self.rim_px) < 3:
            raise ValueError("rim_px: three places or more lead an outline")
        return self


class RegimentMember(Frozen):
    """One base of a ranked unit: rank and file from 0, from the front and from its own left."""

    rank: int
    file: int
    at_mm: Point
    sigma_mm: NotNegative = Field(description="of the place, per axis")
    outline_px: tuple[Point, ...] = Field(description="its foot, where the picture shows it")
    is_seen: bool = Field(description="whether its rim shows; else it stands where the others put it")


class RegimentMeasurement(Frozen):
    """Where the members of a ranked unit stand, front rank first, as its block was fitted to their edges."""

    base: Base
    files: int
    facing_deg: float
    members: tuple[RegimentMember, ...]
    is_measured: bool = Field(description="whether rims led the block; else it stands where the hand placed it")

    @property
    def seen(self) -> int:
        """How many show their rims."""
        return sum(member.is_seen for member in self.members)


class SizedOutline(Frozen):
    """A base of one size at the tapped place: how likely that is, and where its outline lies."""

    base: Base
    probability: Share = Field(description="of this size, of all that were tried")
    is_measured: bool = Field(description="whether a rim led the outline; else it stands where the hand placed it")
    at_mm: Point
    at_px: Point = Field(description="of the middle of its foot")
    turn_deg: float | None = Field(description="where its depth runs, or the other way; null: it is round, or unknown")
    sigma_mm: NotNegative = Field(description="of the place, per axis")
    outline_mm: tuple[Point, ...] = Field(description="its footprint, a closed polygon")
    outline_px: tuple[Point, ...] = Field(description="as the camera sees it: the hull of its foot and its upper rim")


class PictureCrop(Frozen):
    """A part of a picture, in its own pixels, and the table under them."""

    left_px: int = Field(ge=0)
    top_px: int = Field(ge=0)
    width_px: int = Field(ge=1)
    height_px: int = Field(ge=1)
    mm_from_px: Homography = Field(
        description="homography from pixels of the whole picture to the table at the height of the ground here"
    )


class TapMeasurement(Frozen):
    """What stands at a tapped place, likeliest size first; `picture` names the picture that was measured in."""

    picture: str
    size_px: tuple[int, int]
    at_mm: Point
    at_px: Point
    candidates: tuple[SizedOutline, ...]
    crop: PictureCrop
    miniature: Id | None = Field(None, description="the miniature whose base covers the place on the table as it is")
