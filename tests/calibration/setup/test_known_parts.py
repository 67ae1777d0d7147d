"""Known parts: what was solved before holds the next solve, and is not bettered by wishing."""

import numpy as np
import pytest

from calibration.setup.joint_adjustment import place_points
from calibration.setup.lens_solve import Known, page_values
from calibration.setup.pages import setup_pages
from calibration.setup.solve_setup import Setup, solve_views
from models.errors import BadInput
from models.layout import Layout
from tests.calibration.scene import camera, layout, pose_towards
from tests.calibration.setup.sweeps import TABLE_MM, Sweep, pages_on, phone, walk_around


def _solved(sweep: Sweep, known: Known | None = None) -> Setup:
    names = [f"{k}.jpg" for k in range(len(sweep.poses))]
    return solve_views(names, sweep.views(), sweep.camera.image_size, table_mm=TABLE_MM, known=known)


@pytest.fixture(scope="module")
def walked() -> Setup:
    return _solved(Sweep(phone(), pages_on(seed=1), walk_around(seed=1, pictures=8), seed=1))


def test_pages_come_out_of_a_layout_as_they_lie_in_it(walked: Setup) -> None:
    pages = page_values(walked.layout)
    corners = {marker.id: np.array(marker.corners_mm) for marker in walked.layout.fiducials.markers}

    for page in setup_pages():
        for id_, known in zip(page.marker_ids, page.markers_mm, strict=True):
            assert place_points(known, pages[page.number]) == pytest.approx(corners[id_], abs=1e-3)


def test_a_camera_above_gets_its_lens_from_the_layout_that_a_phone_solved(walked: Setup) -> None:
    """Four sheets seen straight from above: without the layout's distances its focal length is a guess."""
    above = phone(focal=2100.0, dist=(0.03, -0.04, 0.0, 0.0, 0.0))
    poses = [pose_towards([600 + 9 * k, 620, 1560], [590, 610, 0]) for k in range(2)]
    sweep = Sweep(above, pages_on(seed=1), poses, seed=3)
    held = _solved(sweep, Known(layout=walked.layout))

    assert held.layout == walked.layout
    assert held.camera.K[0][0] == pytest.approx(2100.0, abs=4 * held.camera.covariance[0][0] ** 0.5)
    assert held.focal_sigma <= _solved(sweep).focal_sigma


def test_a_page_under_a_cup_does_no_harm_where_the_layout_is_known(walked: Setup) -> None:
    sweep = Sweep(phone(), pages_on(seed=1), walk_around(seed=5, pictures=4), seed=5)
    names = [f"{k}.jpg" for k in range(4)]
    three = [one for one in sweep.views() if one.page != 2]
    setup = solve_views(names, three, sweep.camera.image_size, known=Known(layout=walked.layout))

    assert setup.camera.K[0][0] == pytest.approx(walked.camera.K[0][0], rel=5e-3)
    with pytest.raises(BadInput, match="page 3 is seen in no picture"):
        solve_views(names, three, sweep.camera.image_size)


def test_a_known_lens_lets_two_pictures_find_the_layout(walked: Setup) -> None:
    few = Sweep(phone(), pages_on(seed=1), walk_around(seed=8, pictures=2), seed=8)
    setup = _solved(few, Known(camera=walked.camera))

    assert setup.camera.K[0][0] == pytest.approx(walked.camera.K[0][0], rel=2e-3)
    assert not any("focal length" in one for one in setup.remarks)


def test_a_camera_file_of_other_pictures_is_named() -> None:
    few = Sweep(phone(), pages_on(), walk_around(pictures=3))

    with pytest.raises(BadInput, match="1280 x 720, these are 4032 x 3024"):
        _solved(few, Known(camera=camera()))


def test_a_layout_of_other_fiducials_is_refused() -> None:
    other: Layout = layout()
    few = Sweep(phone(), pages_on(), walk_around(pictures=3))

    with pytest.raises(BadInput, match="is not one of"):
        _solved(few, Known(layout=other))
