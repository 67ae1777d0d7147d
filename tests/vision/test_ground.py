"""The height of the ground under a base."""

import pytest

from models.layout import LayoutTerrain
from models.words import Point
from tests.vision import rendered
from vision.candidates import Ground
from vision.ground import UNKNOWN_SURFACE_SIGMA_MM, GroundMap


def _piece(id_: str, kind: str, box: tuple[float, float, float, float], **facts: float) -> LayoutTerrain:
    x0, y0, x1, y1 = box
    corners: tuple[Point, ...] = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    return LayoutTerrain.model_validate({"id": id_, "kind": kind, "polygon_mm": corners} | facts)


HILL = _piece("hill", "hill", (100, 100, 300, 300), surface_mm=25.0, sigma_mm=0.4)
CREST = _piece("crest", "hill", (150, 150, 250, 250), surface_mm=50.0, sigma_mm=0.6)
MOUND = _piece("mound", "hill", (400, 100, 500, 200))
WOOD = _piece("wood", "forest", (400, 250, 500, 350))


def test_beside_all_terrain_the_table_is_flat() -> None:
    assert GroundMap(rendered.layout(HILL)).under((50.0, 50.0)) == Ground(0.0, 0.0)


def test_on_a_hill_the_ground_is_as_high_as_the_hill() -> None:
    assert GroundMap(rendered.layout(HILL)).under((120.0, 120.0)) == Ground(25.0, 0.4)


@pytest.mark.parametrize("pieces", [(HILL, CREST), (CREST, HILL)])
def test_of_two_pieces_the_higher_one_carries_the_base(pieces: tuple[LayoutTerrain, ...]) -> None:
    assert GroundMap(rendered.layout(*pieces)).under((200.0, 200.0)) == Ground(50.0, 0.6)


def test_a_hill_of_unknown_height_says_so() -> None:
    assert GroundMap(rendered.layout(MOUND)).under((450.0, 150.0)).sigma_mm == UNKNOWN_SURFACE_SIGMA_MM


def test_a_wood_is_flat_even_if_nobody_says_so() -> None:
    ground = GroundMap(rendered.layout(WOOD)).under((450.0, 300.0))

    assert ground.surface_mm == 0.0
    assert ground.sigma_mm < 2.0


def test_every_height_is_searched_once_the_tables_own_first() -> None:
    other = _piece("other", "hill", (320, 20, 380, 80), surface_mm=25.0)
    surfaces = GroundMap(rendered.layout(CREST, HILL, other, MOUND)).surfaces((0.0, 0.0, 600.0, 400.0))

    assert surfaces == ((0.0, (0.0, 0.0, 600.0, 400.0)), (25.0, (100, 20, 380, 300)), (50.0, (150, 150, 250, 250)))


def test_a_trench_is_searched_at_its_own_depth() -> None:
    trench = _piece("trench", "trench", (100, 100, 200, 300), surface_mm=-12.0)
    surfaces = GroundMap(rendered.layout(trench)).surfaces((0.0, 0.0, 600.0, 400.0))

    assert surfaces[1:] == ((-12.0, (100, 100, 200, 300)),)
