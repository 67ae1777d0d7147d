"""Terrain step: proposed by the pictures of the sweep, chosen by taps, kept under a name, taken up another day."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from api.cli.setup import job_of
from api.errors import NoPicture
from api.setup_pictures.draft import DraftFolder, PieceChoice, TerrainPiece
from api.setup_pictures.preview import grab_allowed
from api.setup_pictures.schemas import SetupChoice
from api.setup_pictures.setup_guide import SetupGuide
from api.setup_pictures.solve_draft import WIDTH_PX, HeldPictures
from api.storage.camera_profiles import profiles_in
from models.errors import BadInput
from tests.calibration.setup.drawn_pages import SMALL_TABLE_MM, Block, draw_sweep

HOUSE = Block(at_mm=(250.0, 300.0), sides_mm=(130.0, 90.0), height_mm=52.0, gray=205)
SLAB = Block(at_mm=(540.0, 250.0), sides_mm=(100.0, 140.0), height_mm=20.0, gray=190)
PICTURES = 4


def _open(home: Path) -> SetupGuide:
    return SetupGuide("club", DraftFolder(home / "club"), grab_allowed(None), profiles_in(home / "cameras"))


def _swept(home: Path) -> SetupGuide:
    setup = _open(home)
    setup.choose(SetupChoice(eye="phone", table_mm=SMALL_TABLE_MM, ruler_mm=100, edition="open"))
    for number, picture in enumerate(draw_sweep(pictures=PICTURES, blocks=(HOUSE, SLAB))):
        setup.add_photograph(bytes(cv2.imencode(".jpg", picture)[1].tobytes()), f"{number}.jpg")
    return setup


@pytest.fixture(scope="module")
def proposed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A set-up left after its terrain was proposed: what the next one finds on the disk."""
    home = tmp_path_factory.mktemp("proposed")
    setup = _swept(home)
    setup.terrain.propose()
    return home


@pytest.fixture
def pieces(proposed: Path) -> tuple[TerrainPiece, ...]:
    """By where they lie, from the left."""
    return tuple(sorted(_pieces(_open(proposed)), key=lambda one: one.proposed.polygon_mm[0][0]))


def _pieces(setup: SetupGuide) -> tuple[TerrainPiece, ...]:
    return setup.terrain.status(setup.draft).pieces or ()


@pytest.mark.parametrize(("number", "block"), [(0, HOUSE), (1, SLAB)])
def test_a_piece_is_proposed_where_it_stands(pieces: tuple[TerrainPiece, ...], number: int, block: Block) -> None:
    one = pieces[number].proposed
    corners = np.array(one.polygon_mm)
    off = np.abs([*corners.min(axis=0), *corners.max(axis=0)] - block.corners(0.0)[[0, 2], :2].ravel())

    assert len(pieces) == 2
    assert off.max() < 3 * one.sigma_mm


def test_a_piece_is_proposed_as_high_as_it_stands(pieces: tuple[TerrainPiece, ...]) -> None:
    one = pieces[0].proposed
    assert one.height_mm is not None
    assert one.height_sigma_mm is not None

    assert abs(one.height_mm - HOUSE.height_mm) < 2 * one.height_sigma_mm < 16


@pytest.fixture
def left(proposed: Path, tmp_path: Path) -> SetupGuide:
    """That set-up taken up again, in a folder of its own."""
    (tmp_path / "club").mkdir()
    for path in (proposed / "club").iterdir():
        (tmp_path / "club" / path.name).write_bytes(path.read_bytes())
    return _open(tmp_path)


def test_choices_are_kept_from_tap_to_tap(left: SetupGuide, tmp_path: Path) -> None:
    first, second = _pieces(left)
    left.terrain.choose(first.id, PieceChoice(kind="building", height_mm=50))
    left.terrain.choose(second.id, PieceChoice(kind=None))

    assert [one.choice for one in _pieces(_open(tmp_path))] == [
        PieceChoice(kind="building", height_mm=50),
        PieceChoice(kind=None),
    ]


def test_terrain_that_is_kept_lies_on_the_table_that_is_begun(left: SetupGuide) -> None:
    first, second = _pieces(left)
    left.terrain.choose(first.id, PieceChoice(kind="hill", height_mm=50))
    left.terrain.choose(second.id, PieceChoice(kind=None))
    status = left.terrain.keep("club night")
    left.begin()
    (laid,) = job_of(left, left.folder).layout.terrain

    assert (status.laid, [(one.name, one.pieces) for one in status.shelf]) == ("club night", [("club night", 1)])
    assert (laid.id, laid.height_mm, laid.surface_mm) == ("hill-1", 50, 50)
    assert laid.polygon_mm == first.proposed.polygon_mm


def test_next_week_it_is_not_laid_until_somebody_takes_it_up(left: SetupGuide, tmp_path: Path) -> None:
    """It may lie elsewhere by then."""
    left.terrain.choose(_pieces(left)[0].id, PieceChoice(kind="wall", height_mm=None))
    left.terrain.keep("club night")
    left.begin()
    again = _open(tmp_path)
    before = again.terrain.status(again.draft)
    again.terrain.take_up("club night")
    again.begin()

    assert (before.laid, before.pieces) == (None, None)
    assert [(one.kind, one.height_mm) for one in again.laid_terrain] == [("wall", None)]


def test_without_terrain_the_table_is_played_all_the_same(left: SetupGuide) -> None:
    left.terrain.choose(_pieces(left)[0].id, PieceChoice(kind="wall"))
    left.terrain.keep("club night")
    status = left.terrain.leave()
    left.begin()

    assert (status.laid, status.pieces, left.laid_terrain) == (None, None, ())


def test_nothing_chosen_is_nothing_to_keep(left: SetupGuide) -> None:
    with pytest.raises(BadInput, match="no piece was chosen"):
        left.terrain.keep("club night")


def test_terrain_of_a_larger_table_is_refused(left: SetupGuide) -> None:
    left.terrain.choose(_pieces(left)[0].id, PieceChoice(kind="wall"))
    left.terrain.keep("club night")
    left.choose(SetupChoice(table_mm=(600, 500)))

    with pytest.raises(BadInput, match="kept for a larger table"):
        left.terrain.take_up("club night")


def test_after_a_restart_no_picture_is_left_to_propose_by(left: SetupGuide) -> None:
    with pytest.raises(BadInput, match="no picture of this set-up is held any more"):
        left.terrain.propose()


def test_held_pictures_go_when_the_terrain_is_kept_left_or_played(left: SetupGuide) -> None:
    """Nothing of the room outlives the step: neither the pictures nor the table from above."""
    terrain = left.terrain
    counts = []
    for leave in (lambda: terrain.keep("night"), terrain.leave, left.begin):
        if _pieces(left):
            terrain.choose(_pieces(left)[0].id, PieceChoice(kind="wall"))
        terrain.held.hold("0.jpg", np.zeros((90, 160, 3), np.uint8))
        leave()
        counts.append(len(terrain.held))

    assert counts == [0, 0, 0]
    with pytest.raises(NoPicture):
        terrain.jpeg(1)


def test_no_picture_of_the_terrain_step_is_on_the_disk(proposed: Path) -> None:
    kept = {path.name for path in (proposed / "club").iterdir()}

    assert kept == {"draft.json", "camera.json", "layout.json", "doubt.svg"}


def test_pictures_are_held_small() -> None:
    held = HeldPictures()
    held.hold("large", np.zeros((3000, 4000, 3), np.uint8))
    (jpeg,) = held._held.values()
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)

    assert picture is not None
    assert picture.shape[1] == WIDTH_PX
