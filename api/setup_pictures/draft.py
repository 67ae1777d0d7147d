"""Set-up draft: what was chosen and photographed so far, kept after each step so that it can be taken up again."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import platformdirs
from pydantic import Field

from api.camera.protocol import StillView
from api.setups.schemas import SetupName
from api.storage.files import load, save, write_whole
from calibration.setup.pages import PageView
from calibration.setup.paper import PaperSize
from calibration.view import View
from models.camera import Camera, CameraPose
from models.errors import BadCamera, BadFile, BadInput, BadLayout
from models.frozen import Frozen
from models.layout import Layout
from models.terrain_proposal import ProposedTerrain
from models.vocabulary import EditionId, Id, Positive, TerrainKind

Height = Annotated[float, Field(ge=0, le=500)]


class PieceChoice(Frozen):
    """What a person makes of a proposed piece; without a kind it is left out."""

    kind: TerrainKind | None = None
    height_mm: Height | None = Field(None, description="top above the table; null: unknown")


class TerrainPiece(Frozen):
    """A proposed piece, and what was made of it so far."""

    proposed: ProposedTerrain
    choice: PieceChoice | None = Field(None, description="null: nobody has tapped yet")

    @property
    def id(self) -> Id:
        return self.proposed.id


class TerrainName(Frozen):
    """Under which name the table's terrain is kept."""

    name: SetupName


class KeptTerrain(Frozen):
    """Terrain of another day, or of this."""

    name: SetupName
    pieces: int


class TerrainStatus(Frozen):
    """The terrain of the table that is being set up."""

    pieces: tuple[TerrainPiece, ...] | None = Field(None, description="null: none was proposed yet")
    kinds: tuple[TerrainKind, ...] = Field(description="that the chosen edition knows")
    views: int = Field(description="pictures by which terrain can be proposed")
    look: int | None = Field(None, description="version of the picture of the table from above")
    laid: SetupName | None = Field(None, description="the terrain that the game begins with")
    shelf: tuple[KeptTerrain, ...]
    table_mm: tuple[float, float] | None


Eye = Literal["camera", "phone", "recording", "photograph"]
"""What looks at the table: a camera or stream, a phone that photographs now and then, a recording, one photograph."""
TakenBy = Literal["phone", "camera"]
SolvedBy = Literal["pages", "sheets", "marks"]
"""Four printed pages; or two sheets of blank paper, or marks: then the camera's pose is kept in place of a layout."""


class KeptPage(Frozen):
    """Corners of one page in one picture: which they are on the page, mm, and where they were seen, px."""

    page: int
    points_mm: tuple[tuple[float, float, float], ...]
    seen_px: tuple[tuple[float, float], ...]


class KeptPicture(Frozen):
    """What a picture told of the pages; the picture itself, and the room in it, is kept nowhere."""

    name: str
    by: TakenBy
    size: tuple[int, int]
    pages: tuple[KeptPage, ...]
    says: str
    lens: str = ""
    focal: tuple[float, float] | None = Field(None, description="px and relative sigma, by EXIF")

    def views(self, number: int) -> list[PageView]:
        return [PageView(number, page.page, np.array(page.points_mm), np.array(page.seen_px)) for page in self.pages]


class SetupResult(Frozen):
    """What came of the pictures, in a sentence and in figures."""

    says: str
    middle_mm: Positive
    corners_mm: Positive
    table_mm: tuple[Positive, Positive]
    remarks: tuple[str, ...] = ()
    by: SolvedBy = "pages"


class Draft(Frozen):
    """All choices of a set-up; `ruler_mm` is the length of the printed 100 mm."""

    version: Literal[1] = 1
    eye: Eye | None = None
    source: str | None = None
    table_mm: tuple[Positive, Positive] | None = None
    ruler_mm: Positive | None = None
    paper: PaperSize | None = Field(None, description="of the blank sheets, where nobody has a printer")
    edition: EditionId = "warmachine-prime"
    pictures: tuple[KeptPicture, ...] = ()
    result: SetupResult | None = None
    lens: Camera | None = Field(None, description="the eye's lens, where it was known before these pictures")
    terrain: tuple[TerrainPiece, ...] | None = Field(None, description="as proposed, with what was chosen of it")
    terrain_name: str | None = Field(None, description="under which the terrain is kept that the game begins with")


@dataclass(frozen=True)
class DraftFolder:
    """The folder of one table: the draft, and beside it camera, layout and map once they are solved."""

    path: Path

    def read(self) -> Draft:
        """The draft as it was left; an empty one in a new folder. Raises: BadFile, BadInput."""
        file = self.path / "draft.json"
        return load(Draft, file, error=BadInput) if file.exists() else Draft()

    def write(self, draft: Draft) -> None:
        """Raises: BadFile."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as wrong:
            raise BadFile(f"{self.path}: {wrong.strerror}", field="folder", value=str(self.path)) from wrong
        save(draft, self.path / "draft.json")

    def keep(self, camera: Camera, layout: Layout, svg: str) -> None:
        """What was solved takes the place of what was. Raises: BadFile."""
        save(camera, self.path / "camera.json")
        save(layout, self.path / "layout.json")
        write_whole(self.path / "doubt.svg", svg)

    def keep_sheets(self, camera: Camera, pose: CameraPose, svg: str) -> None:
        """What two sheets of paper told. Raises: BadFile."""
        save(camera, self.path / "camera.json")
        save(pose, self.path / "pose.json")
        write_whole(self.path / "doubt.svg", svg)

    def keep_photograph(self, view: View, jpeg: bytes, svg: str) -> None:
        """Lens and pose of a marked photograph, and the table in it. Raises: BadFile."""
        self.keep_sheets(view.camera, view.pose, svg)
        write_whole(self.photograph(), jpeg)

    def photograph(self) -> Path:
        """Where the newest picture is kept that is the whole table."""
        return self.path / "photograph.jpg"

    def set_aside(self) -> None:
        """The newest photograph, its lens and its pose are kept beside the one that comes. Raises: BadFile."""
        number = len(self.further_views()) + 1
        try:
            for name in _OF_A_PHOTOGRAPH:
                path = self.path / name
                path.rename(path.with_stem(f"{path.stem}-{number}"))
        except OSError as wrong:
            raise BadFile(f"{wrong.filename}: {wrong.strerror}", field="folder", value=str(self.path)) from wrong

    def further_views(self) -> tuple[StillView, ...]:
        """Photographs of the same moment beside the newest, in their order. Raises: BadFile, BadCamera, BadInput."""
        count = len(list(self.path.glob("photograph-*.jpg")))
        return tuple(
            StillView(
                source=str(self.path / f"photograph-{number}.jpg"),
                camera=load(Camera, self.path / f"camera-{number}.json", error=BadCamera),
                pose=load(CameraPose, self.path / f"pose-{number}.json", error=BadInput),
            )
            for number in range(1, count + 1)
        )

    def forget_further_views(self) -> None:
        """Those of another moment are kept no more."""
        for name in _OF_A_PHOTOGRAPH:
            stem, ending = name.split(".")
            for path in self.path.glob(f"{stem}-*.{ending}"):
                path.unlink()

    def is_solved(self, by: SolvedBy) -> bool:
        table = "layout.json" if by == "pages" else "pose.json"
        needed = [self.path / "camera.json", self.path / table, *([self.photograph()] if by == "marks" else [])]
        return all(path.exists() for path in needed)

    def camera(self) -> Camera:
        """Raises: BadFile, BadCamera."""
        return load(Camera, self.path / "camera.json", error=BadCamera)

    def layout(self) -> Layout:
        """Raises: BadFile, BadLayout."""
        return load(Layout, self.path / "layout.json", error=BadLayout)

    def pose(self) -> CameraPose:
        """Raises: BadFile, BadInput."""
        return load(CameraPose, self.path / "pose.json", error=BadInput)

    def setups(self) -> Path:
        """Where this table's terrain and games are kept by name, from week to week."""
        return self.path / "setups"

    def doubt_svg(self) -> str | None:
        try:
            return (self.path / "doubt.svg").read_text(encoding="utf-8")
        except OSError:
            return None


_OF_A_PHOTOGRAPH = ("camera.json", "pose.json", "photograph.jpg")  # in the order in which they go


def tables_folder() -> Path:
    return platformdirs.user_data_path("tableside") / "tables"
