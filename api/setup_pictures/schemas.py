"""Schemas of the guided set-up: what the page shows, and what is chosen on it."""

from typing import Annotated, Literal

from pydantic import Field

from api.setup_pictures.draft import Eye, SetupResult, TakenBy
from calibration.setup.paper import PaperSize
from models.frozen import Frozen
from models.marks import MarkList
from models.vocabulary import EditionId, Point

Side = Annotated[float, Field(ge=300, le=3_000)]
Ruler = Annotated[float, Field(ge=80, le=120)]
LensSource = Literal["kept", "exif", "usual"]
"""A lens that was calibrated, the one that EXIF names, or a phone's usual one."""
Step = Literal["eye", "print", "lay", "sweep", "result"]


class SetupChoice(Frozen):
    """What is chosen anew; what is left out stays."""

    eye: Eye | None = None
    source: Annotated[str, Field(min_length=1, max_length=500)] | None = None
    table_mm: tuple[Side, Side] | None = None
    ruler_mm: Ruler | None = None
    paper: PaperSize | None = Field(None, description="two blank sheets of it lie there in place of the pages")
    edition: EditionId | None = None


class PictureNote(Frozen):
    """A picture in the list: which pages it shows, numbered from 1, and what is to say of it."""

    name: str
    by: TakenBy
    pages: tuple[int, ...]
    says: str


class SetupStatus(Frozen):
    """The set-up as it stands."""

    name: str
    eye: Eye | None
    source: str | None
    table_mm: tuple[float, float] | None
    ruler_mm: float | None
    paper: PaperSize | None = None
    edition: EditionId
    pictures: tuple[PictureNote, ...]
    ring: tuple[bool, ...] = Field(description="from which eighths around the table it was photographed, from near on")
    wants: str = Field(description="what to do next, in a sentence")
    trouble: str | None = Field(None, description="why the pictures do not come to a table yet")
    result: SetupResult | None = None
    is_lens_known: bool = Field(False, description="this camera was set up before: one look at the laid pages will do")


class ProposedMarks(Frozen):
    """Where the board seems to lie: marks to be agreed to as they are, or dragged."""

    marks: MarkList
    outline_px: tuple[Point, ...]


class TapPicture(Frozen):
    """A picture to be tapped in: of two sheets, or of the whole table."""

    version: int
    width_px: int
    height_px: int
    joined: int = Field(0, description="photographs of the same moment that are kept beside it")
    proposed: ProposedMarks | None = Field(None, description="null: no board of this size is clear in it")


class SheetTaps(Frozen):
    """Of each sheet the corner at the table's corner, then the opposite one: near left sheet first, px."""

    version: int = Field(description="of the picture they were tapped in")
    taps_px: tuple[Point, Point, Point, Point]


class PhotographMarks(Frozen):
    """What a person points at in the photograph of a game."""

    version: int = Field(description="of the photograph")
    marks: MarkList


class MarkedPose(Frozen):
    """Where the marks put the table in the photograph."""

    lens: LensSource
    near_mm: float = Field(description="one sigma of a place at the nearest corner, both axes together")
    far_mm: float = Field(description="the same at the farthest corner")
    misses: tuple[float, ...] = Field(description="of each mark, in its sigmas")
    outline_px: tuple[Point, ...] = Field(description="the table's edge as the pose puts it into the picture")
    warnings: tuple[str, ...] = Field((), description="what makes measuring in it doubtful, and what to do")
    status: "SetupStatus | None" = None


class CameraChoice(Frozen):
    """A camera that this computer sees."""

    source: str
    name: str


class SetupStarted(Frozen):
    """The table is being opened; the page goes on to `path` once the server answers there again."""

    path: str
