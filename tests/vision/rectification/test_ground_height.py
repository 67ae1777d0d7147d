"""The height of the ground under a base."""

import itertools

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from models.layout import LayoutTerrain
from models.vocabulary import Point
from tests.vision import rendered
from vision.candidates import Box
from vision.rectification.ground_height import UNKNOWN_SURFACE_SIGMA_MM, Ground, GroundMap


def _piece(id_: str, kind: str, box: tuple[float, float, float, float], **facts: float) -> LayoutTerrain:
    x0, y0, x1, y1 = box
    corners: tuple[Point, ...] = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    return LayoutTerrain.model_validate({"id": id_, "kind": kind, "polygon_mm": corners} | facts)


HILL = _piece("hill", "hill", (100, 100, 300, 300), surface_mm=25.0, sigma_mm=0.4)
CREST = _piece("crest", "hill", (150, 150, 250, 250), surface_mm=50.0, sigma_mm=0.6)
MOUND = _piece("mound", "hill", (400, 100, 500, 200))
TABLE = (0.0, 0.0, 600.0, 400.0)
BESIDE_MM = 40.0
BOXES = st.builds(
    lambda x, y, wide, deep: (x, y, x + wide, y + deep),
    *(st.integers(0, 300), st.integers(0, 300), st.integers(10, 90), st.integers(10, 90)),
)
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


def test_every_height_is_searched_the_tables_own_first() -> None:
    surfaces = GroundMap(rendered.layout(CREST, HILL, MOUND)).surfaces(TABLE)

    assert surfaces == ((0.0, TABLE), (25.0, (100, 100, 300, 300)), (50.0, (150, 150, 250, 250)))


@pytest.mark.parametrize(
    ("beside_mm", "boxes"), [(19.0, [(100, 100, 300, 300), (320, 20, 380, 80)]), (20.0, [(100, 20, 380, 300)])]
)
def test_pieces_of_one_height_share_a_box_where_they_stand_beside_each_other(
    beside_mm: float, boxes: list[Box]
) -> None:
    other = _piece("other", "hill", (320, 20, 380, 80), surface_mm=25.0)
    surfaces = GroundMap(rendered.layout(HILL, other)).surfaces(TABLE, beside_mm=beside_mm)

    assert surfaces == ((0.0, TABLE), *((25.0, box) for box in boxes))


@given(hills=st.lists(BOXES, min_size=1, max_size=6))
def test_every_piece_lies_within_one_box_of_its_height_and_no_two_boxes_stand_beside_each_other(
    hills: list[Box],
) -> None:
    pieces = [_piece(f"hill-{k}", "hill", box, surface_mm=25.0) for k, box in enumerate(hills)]
    _, *found = GroundMap(rendered.layout(*pieces)).surfaces(TABLE, beside_mm=BESIDE_MM)
    boxes = [shapely.box(*box) for _, box in found]

    assert all(sum(box.covers(shapely.box(*hill)) for box in boxes) == 1 for hill in hills)
    assert not any(_widened(a).intersects(_widened(b)) for a, b in itertools.combinations(boxes, 2))


def _widened(box: shapely.Polygon) -> shapely.Polygon:
    return box.buffer(BESIDE_MM / 2, join_style="mitre")


def test_a_trench_is_searched_at_its_own_depth() -> None:
    trench = _piece("trench", "trench", (100, 100, 200, 300), surface_mm=-12.0)
    surfaces = GroundMap(rendered.layout(trench)).surfaces((0.0, 0.0, 600.0, 400.0))

    assert surfaces[1:] == ((-12.0, (100, 100, 200, 300)),)


@pytest.mark.parametrize(
    ("start_mm", "end_mm", "does"),
    [
        ((120.0, 101.0), (280.0, 99.0), True),
        ((120.0, 101.0), (280.0, 108.0), False),
        ((250.0, 100.0), (330.0, 100.0), False),
        ((120.0, 200.0), (280.0, 200.0), False),
    ],
)
def test_the_edge_of_a_piece_runs_along_a_line_only_from_end_to_end(
    start_mm: Point, end_mm: Point, *, does: bool
) -> None:
    assert GroundMap(rendered.layout(HILL)).has_edge_along(start_mm, end_mm) is does
