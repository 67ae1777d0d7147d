"""Table options: camera, layout, pose and base sizes of a table, and the rulebook it is played by."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from api.cli.invocation import is_from_settings
from api.storage.files import load
from api.storage.plugins import load_plugins
from models.base import Catalogue, catalogue_of
from models.camera import CameraPose
from models.errors import BadFile, BadInput, BadLayout, BadQuery
from models.layout import Layout, NoFiducials
from models.state import TableState
from models.vocabulary import OPEN_EDITION, EditionId
from models.written_book import BookInPlay, catalogue_in_play

if TYPE_CHECKING:
    from api.books.book_file import ReadBook

DEFAULT_EDITION: EditionId = "warmachine-prime"
_CORNERS = 4

CameraFile = Annotated[Path, typer.Option("--camera", help="CAM.json from `tableside setup` or `calibrate camera`.")]
LayoutFile = Annotated[Path | None, typer.Option("--layout", help="LAYOUT.json: table size, fiducials, terrain.")]
PoseFile = Annotated[
    Path | None, typer.Option("--pose", help="POSE.json from `tableside setup` or `calibrate table`, for a layout.")
]
EditionName = Annotated[
    str | None,
    typer.Option(
        "--edition", help="Whose rules, and usual base sizes: an id, FILE.toml or the link of a book written as data."
    ),
]
ServedEdition = Annotated[
    str,
    typer.Option(
        "--edition",
        help="Whose rules: an id from `tableside editions`, FILE.toml or the link of a book written as data.",
    ),
]
CatalogueFile = Annotated[Path | None, typer.Option("--catalogue", help="The only base sizes to look for.")]


@dataclass(frozen=True)
class EditionChoice:
    """A rulebook that was named, and its file where it is written as data."""

    id: EditionId
    read: "ReadBook | None" = None

    @property
    def book(self) -> "BookInPlay | None":
        return None if self.read is None else self.read.in_play

    def catalogue(self) -> Catalogue:
        return catalogue_in_play(self.id, self.book)

    def judge(self, state: TableState) -> TableState:
        return state.in_edition(self.id, self.book)


def read_edition(named: str) -> EditionChoice:
    """What `--edition` names. Raises: BadQuery when it is no id and no file; BadFile, BadBook."""
    known = next((id_ for id_ in get_args(EditionId) if id_ == named.strip()), None)
    if known is not None:
        return EditionChoice(known)
    books = load_plugins("tableside.books").loaded
    if named.strip() in books:
        named = str(books[named.strip()])
    from api.books.book_file import fetch_book, read_book  # here, so that no id waits for it

    if named.strip().startswith(("http://", "https://")):
        return EditionChoice(OPEN_EDITION, fetch_book(named.strip()))
    if not named.strip().lower().endswith(".toml"):
        says = f"Unknown edition {named!r}: known are {', '.join((*get_args(EditionId), *books))}, or a file FILE.toml"
        raise BadQuery(says, field="edition", value=named)
    return EditionChoice(OPEN_EDITION, read_book(Path(named.strip())))


def read_served_edition(named: str, data: Path | None) -> EditionChoice:
    """The same for a table that is kept in `data`; where the book's file is gone, what the game kept is named."""
    from api.books.kept_books import missing_book

    try:
        return read_edition(named)
    except BadFile as wrong:
        raise missing_book(named, data, wrong) from wrong


def sizes_of(choice: EditionChoice | None, catalogue: Path | None) -> Catalogue:
    """The catalogue file's sizes, or all that are sold, those of the edition likelier than others."""
    if catalogue is not None:
        return load(Catalogue, catalogue, error=BadInput)
    return catalogue_of() if choice is None else choice.catalogue()


@dataclass(frozen=True)
class TableFiles:
    """A layout, and the camera's pose over the table where that is known from outside."""

    layout: Layout
    pose: CameraPose | None = None


def pose_in_use(context: typer.Context, pose: Path | None) -> Path | None:
    """The pose file; not that of the settings where camera or layout are others than theirs."""
    is_theirs = all(is_from_settings(context, name) or not context.params.get(name) for name in ("camera", "layout"))
    return pose if is_theirs or not is_from_settings(context, "pose") else None


def read_table_files(layout: Path | None, pose: Path | None) -> TableFiles:
    """Layout and pose as the files say; a pose by tapped corners also says how large the table is.

    Raises: BadFile, BadInput.
    """
    known = load(CameraPose, pose, error=BadInput) if pose else None
    if layout is not None:
        return TableFiles(load(Layout, layout, error=BadLayout), known)
    if known is None:
        raise BadInput(
            "--layout is missing: it says how large the table is and where its fiducials lie;"
            " --pose POSE.json from `tableside calibrate table --tap` may stand instead",
            field="layout",
            value=None,
        )
    return TableFiles(Layout(table_mm=_table_mm(known), fiducials=NoFiducials()), known)


def _table_mm(pose: CameraPose) -> tuple[float, float]:
    """The size that it tells, or the far right of the places it was found by.

    Raises: BadInput when those are not a table's corners.
    """
    if pose.table_mm is not None:
        return pose.table_mm
    wide, deep = (max((place[axis] for place in pose.held_mm), default=0.0) for axis in (0, 1))
    if len(pose.held_mm) < _CORNERS or wide <= 0 or deep <= 0:
        raise BadInput(
            "this pose was not found by a table's corners and does not say how large the table is: give --layout too",
            field="pose",
            value=None,
        )
    return wide, deep
