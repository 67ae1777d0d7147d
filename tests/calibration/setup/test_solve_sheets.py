"""Two sheets of blank paper and four taps: camera and pose, how surely, and what is refused."""

from functools import cache

import numpy as np
import pytest

from calibration.arrays import Floats, Image
from calibration.camera_model import projection
from calibration.pose.covariance_propagation import sigma_mm
from calibration.setup.paper import PaperSize
from calibration.setup.solve_sheets import SheetSetup, solve_sheets
from calibration.view import View
from models.errors import BadInput
from tests.calibration.scene import pose_towards
from tests.calibration.setup.drawn_sheets import LETTER, LaidSheets, draw_sheets, lay_sheets, taps_on
from tests.calibration.setup.sweeps import phone

TABLE = (762.0, 558.8)
CAMERA = phone(focal=850.0, size=(1280, 960), dist=(-0.05, 0.03, 0.0, 0.0, 0.0))
POSE = pose_towards([330.0, 200.0, 800.0], [381.0, 279.4, 0.0])
LAID = lay_sheets(TABLE, seed=3)
TAPS = taps_on(LAID, CAMERA, POSE)


@cache
def _picture() -> Image:
    return draw_sheets(LAID, CAMERA, POSE)


def _solve(picture: Image, taps: Floats, *, paper: PaperSize = "a4") -> SheetSetup:
    return solve_sheets(picture, taps.tolist(), paper=paper, table_mm=TABLE)


def test_places_lie_within_what_is_said() -> None:
    setup = _solve(_picture(), TAPS)
    places = np.array([[381.0, 279.4, 0.0], [700.0, 60.0, 0.0], [60.0, 500.0, 0.0]])
    seen = projection.project(places, camera=CAMERA, pose=POSE)
    got = projection.intersect_plane(seen, camera=setup.camera, pose=setup.pose, z_mm=0.0)
    apart, true = (np.linalg.norm(some[1:, :2] - some[0, :2], axis=1) for some in (got, places))
    said = sigma_mm(places, view=View.of_bare_table(setup.camera, setup.pose, TABLE))

    assert np.all(np.abs(apart - true) < 2.5 * said[1:])
    assert 0.2 < said.max() < 3.0


def _moved(*by: tuple[float, float]) -> Floats:
    return np.asarray(TAPS + np.array(by))


def _swapped(*order: int) -> Floats:
    return np.asarray(TAPS[list(order)])


@pytest.mark.parametrize(
    ("taps", "says"),
    [
        (_swapped(1, 0, 2, 3), "taps 1 and 2 are swapped"),
        (_swapped(0, 2, 1, 3), "taps 1 and 2"),
        (_swapped(0, 1, 0, 1), "all four taps are on one sheet"),
        (_moved((0, 0), (0, 0), (-250, 250), (-250, 250)), "between taps 3 and 4 no sheet stands out"),
        (_moved((-130, 60), (0, 0), (0, 0), (0, 0)), "tap 1 lies"),
        (_moved((-5000, 0), (0, 0), (0, 0), (0, 0)), "tap 1 lies outside the picture"),
    ],
)
def test_taps_that_cannot_be_are_named(taps: Floats, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        _solve(_picture(), taps)


def test_paper_of_the_other_size_is_named() -> None:
    with pytest.raises(BadInput, match="these sheets are A4, not Letter: choose A4"):
        _solve(_picture(), TAPS, paper="letter")
    laid = lay_sheets(TABLE, paper=LETTER, seed=3)
    with pytest.raises(BadInput, match="these sheets are Letter, not A4"):
        _solve(draw_sheets(laid, CAMERA, POSE), taps_on(laid, CAMERA, POSE))


def test_sheets_on_top_of_each_other_are_named() -> None:
    corners = LAID.corners_mm.copy()
    corners[1] += corners[0].mean(axis=0) - corners[1].mean(axis=0) + [60.0, 40.0, 0.0]
    piled = LaidSheets(corners)
    with pytest.raises(BadInput, match="do two sheets overlap or touch"):
        _solve(draw_sheets(piled, CAMERA, POSE), taps_on(piled, CAMERA, POSE))


def test_paper_on_a_white_mat_is_named() -> None:
    with pytest.raises(BadInput, match="lay a dark cloth under"):
        _solve(draw_sheets(LAID, CAMERA, POSE, mat=0.78), TAPS)


def test_a_table_of_another_size_is_named() -> None:
    with pytest.raises(BadInput, match="at opposite corners of a table of 1219 x 1219 mm"):
        solve_sheets(_picture(), TAPS.tolist(), paper="a4", table_mm=(1219.2, 1219.2))
