"""Projector schemas: all that the page on the projector draws, and what may be said to change that."""

from typing import Annotated, Literal

from pydantic import Field

from api.live.table_schemas import DrawnTable
from calibration.projector.projector_fit import Projector
from models.frozen import Frozen
from models.verdict import Witness
from models.vocabulary import NotNegative, Point

Pixels = Annotated[int, Field(ge=320, le=16384)]


class LightSettings(Frozen):
    """How much is shown, and how brightly."""

    level: float = Field(0.35, ge=0.05, le=0.8, description="of the projector's white")
    off_under_hands: bool = Field(False, description="dark while a hand is over the table")
    areas: bool = Field(True, description="outlines of terrain, zones and objectives")
    edges: bool = Field(True, description="clocks and score along the table's long edges")
    is_black: bool = Field(False, description="nothing is shown until somebody wants light again")


class SetLight(Frozen):
    """Shapes that somebody lays on the table as light: a ring, the path of a ghost, a template, a line of arrival."""

    shapes: tuple[Witness, ...] = Field((), max_length=64)
    sigma_mm: NotNegative = Field(0.0, le=200, description="how surely they are known: edges are as soft as that")
    is_close: bool = Field(False, description="they are what is too close to call: dotted")


class PageSize(Frozen):
    """The page's own pixels."""

    width_px: Pixels
    height_px: Pixels


class ShownPattern(Frozen):
    """One picture of the calibration, in the page's own pixels; integers at pixel centres."""

    number: int = Field(description="to be named when it is on the wall")
    is_white: bool
    dots_px: tuple[Point, ...]
    radius_px: NotNegative


class Surface(Frozen):
    """Raised ground, and how high light falls on it."""

    outline_mm: tuple[Point, ...]
    z_mm: float


class Blink(Frozen):
    """How often the light is black for a look, and for how long."""

    every_ms: int
    black_ms: int


class LightBoard(Frozen):
    """All that the page needs but what is on air; it comes whole each time something changes."""

    settings: LightSettings
    projector: Projector | None = Field(description="null: to be calibrated")
    sigma_mm: NotNegative = Field(0.0, description="how far light may fall beside its place, at worst")
    dark: Literal["uncalibrated", "moved", "hand", "key"] | None = Field(None, description="why nothing is shown")
    pattern: ShownPattern | None = None
    blink: Blink
    marks_mm: tuple[Point, ...] = Field((), description="spots by which the camera tells lit from black")
    mark_mm: NotNegative = Field(description="their radius")
    table_mm: Point = Field(description="width and depth: no light falls beyond the table's edge")
    surfaces: tuple[Surface, ...] = ()
    table: DrawnTable | None = None
    laid: SetLight = SetLight()
