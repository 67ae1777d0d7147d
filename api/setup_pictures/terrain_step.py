"""Terrain step: the pictures of a set-up -> terrain proposed, chosen by taps, kept under a name, taken up another day.

The pictures are held in memory until the terrain is kept or the step is left; then there are none.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import get_args

import cv2
import shapely

from api.errors import NoPicture
from api.setup_pictures.draft import Draft, DraftFolder, KeptTerrain, PieceChoice, TerrainPiece, TerrainStatus
from api.setup_pictures.solve_draft import HeldPictures, SheetLooks, solve_all_pictures
from api.setups.schemas import Setup
from api.setups.store import SetupStore
from calibration.arrays import Image
from calibration.setup.pages import MARKERS_A_PAGE
from models.errors import BadInput
from models.state import TableSize, TableState
from models.terrain import Terrain
from models.vocabulary import Id, TerrainKind
from referee import EDITIONS
from vision.terrain.several_views import TableView, propose_from_views

_QUALITY = 85
_PAPER_MM = 30.0  # of the sheet around its print, at most
_STOOD_ON: frozenset[TerrainKind] = frozenset({"hill", "platform"})  # bases on it stand as high as it is


@dataclass
class TerrainStep:
    """What the guide's drafts hold of terrain; `change` reads the draft and keeps what comes of it."""

    folder: DraftFolder
    held: HeldPictures
    sheets: SheetLooks
    change: Callable[[Callable[[Draft], Draft]], Draft]
    _straight: Image | None = None
    _version: int = 0
    _shelf: SetupStore = field(init=False)

    def __post_init__(self) -> None:
        self._shelf = SetupStore(self.folder.setups())

    def status(self, draft: Draft) -> TerrainStatus:
        unknown = EDITIONS[draft.edition].unknown_terrain
        kept = (KeptTerrain(name=setup.name, pieces=len(setup.terrain)) for setup in self._shelf.all() if setup.terrain)
        return TerrainStatus(
            pieces=draft.terrain,
            kinds=tuple(kind for kind in get_args(TerrainKind) if kind not in unknown),
            views=0 if draft.result is None else max(len(self.held), int(self._sees_sheets(draft))),
            look=None if self._straight is None else self._version,
            laid=draft.terrain_name,
            shelf=tuple(kept),
            table_mm=draft.table_mm,
        )

    def propose(self) -> TerrainStatus:
        """Propose by the pictures that are held; what was chosen before is chosen anew. Raises: BadInput."""
        return self.status(self.change(self._propose))

    def choose(self, piece: Id, choice: PieceChoice) -> TerrainStatus:
        """Take, change or leave out a piece. Raises: BadInput when there is none of that name."""
        return self.status(self.change(lambda draft: _with_choice(draft, piece, choice)))

    def keep(self, name: str) -> TerrainStatus:
        """Keep the chosen pieces under a name; the game begins with them. Raises: BadInput, JournalFailed."""
        after = self.change(lambda draft: self._put(draft, name))
        self._forget()
        return self.status(after)

    def take_up(self, name: str) -> TerrainStatus:
        """Begin the game with terrain that was kept. Raises: NoSuchSetup, BadInput when the table is smaller."""
        setup = self._shelf.find_setup(name)

        def lay(draft: Draft) -> Draft:
            if draft.table_mm is not None and _is_larger(setup, draft.table_mm):
                raise BadInput("this terrain was kept for a larger table", field="name", value=name)
            return draft.model_copy(update={"terrain_name": setup.name})

        return self.status(self.change(lay))

    def leave(self) -> TerrainStatus:
        """Go on without terrain. Raises: BadFile."""
        after = self.change(lambda draft: draft.model_copy(update={"terrain": None, "terrain_name": None}))
        self._forget()
        return self.status(after)

    def laid(self, draft: Draft) -> tuple[Terrain, ...]:
        name = draft.terrain_name
        return () if name is None else self._shelf.find_setup(name).terrain or ()

    def jpeg(self, version: int) -> bytes:
        """The table from straight above, black beyond its edge. Raises: NoPicture."""
        if self._straight is None or version != self._version:
            raise NoPicture("There is no picture of the table any more: it goes once the terrain is kept.")
        return bytes(cv2.imencode(".jpg", self._straight, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1].tobytes())

    def _propose(self, draft: Draft) -> Draft:
        if draft.result is None:
            raise BadInput("the table is not measured yet", field="result", value=None)
        views = self._views(draft)
        if not views:
            raise BadInput(
                "no picture of this set-up is held any more: take some anew, or lay the terrain on the player's page",
                field="pictures",
                value=len(draft.pictures),
            )
        width, depth = draft.result.table_mm
        table = TableState(edition=draft.edition, table=TableSize(width_mm=width, depth_mm=depth))
        look = propose_from_views(views, table, sheets=self._sheets(draft))
        self._straight, self._version = look.straight, self._version + 1
        return draft.model_copy(update={"terrain": tuple(TerrainPiece(proposed=proposed) for proposed in look.terrain)})

    def _views(self, draft: Draft) -> list[TableView]:
        """All that show the table: those of the phone's sweep too, where a camera plays."""
        if draft.result is not None and draft.result.by == "sheets":
            image = self.sheets.image
            return [] if image is None else [TableView(image, self.folder.camera(), self.folder.pose())]
        return [view for setup in solve_all_pictures(draft) for view in self.held.views(setup)] if self.held else []

    def _sheets(self, draft: Draft) -> list[shapely.Polygon]:
        """The printed pages, with the paper around the print; of blank ones nobody knows after the taps."""
        if draft.result is None or draft.result.by == "sheets":
            return []
        corners: dict[int, list[tuple[float, float]]] = {}
        for marker in self.folder.layout().fiducials.markers:
            page = marker.id // MARKERS_A_PAGE
            corners.setdefault(page, []).extend((x, y) for x, y, _ in marker.corners_mm)
        return [shapely.MultiPoint(page).minimum_rotated_rectangle.buffer(_PAPER_MM) for page in corners.values()]

    def _sees_sheets(self, draft: Draft) -> bool:
        return draft.result is not None and draft.result.by == "sheets" and self.sheets.image is not None

    def _put(self, draft: Draft, name: str) -> Draft:
        pieces = tuple(_terrain_of(draft))
        if not pieces or draft.result is None:
            raise BadInput("no piece was chosen: tap what each is, or go on without", field="pieces", value=0)
        width, depth = draft.result.table_mm
        self._shelf.put(Setup(name=name, width_mm=width, depth_mm=depth, terrain=pieces))
        return draft.model_copy(update={"terrain_name": name})

    def _forget(self) -> None:
        self.held.clear()
        self.sheets.clear()
        self._straight = None


def _with_choice(draft: Draft, piece: Id, choice: PieceChoice) -> Draft:
    pieces = draft.terrain or ()
    if piece not in {known.id for known in pieces}:
        raise BadInput(f"no piece {piece!r} was proposed", field="id", value=piece)
    after = tuple(
        TerrainPiece(proposed=known.proposed, choice=choice) if known.id == piece else known for known in pieces
    )
    return draft.model_copy(update={"terrain": after})


def _terrain_of(draft: Draft) -> list[Terrain]:
    """The chosen pieces, named by their kinds."""
    counts: dict[str, int] = {}
    laid = []
    for piece in draft.terrain or ():
        if piece.choice is None or piece.choice.kind is None:
            continue
        kind, height_mm = piece.choice.kind, piece.choice.height_mm
        counts[kind] = counts.get(kind, 0) + 1
        laid.append(
            Terrain(
                id=f"{kind}-{counts[kind]}",
                kind=kind,
                polygon_mm=piece.proposed.polygon_mm,
                sigma_mm=_sigma_mm(piece, kind),
                height_mm=height_mm,
                surface_mm=height_mm if kind in _STOOD_ON else None,
            )
        )
    return laid


def _sigma_mm(piece: TerrainPiece, kind: TerrainKind) -> float:
    """Of the outline, and of the ground that bases stand on where that is less sure."""
    high = piece.proposed.height_sigma_mm or 0.0
    return max(piece.proposed.sigma_mm, high if kind in _STOOD_ON else 0.0)


def _is_larger(setup: Setup, table_mm: tuple[float, float]) -> bool:
    return (setup.width_mm or 0.0) > table_mm[0] + 1 or (setup.depth_mm or 0.0) > table_mm[1] + 1
