"""Print scale: by the ruler, by the table's size, or not at all, and then it is said."""

import numpy as np
import pytest

from calibration.setup.print_scale import RULER_SIGMA, describe_scale, scale_of_ruler, scale_setup
from calibration.setup.solve_setup import Setup, solve_views
from models.errors import BadInput
from tests.calibration.setup.sweeps import TABLE_MM, Sweep, pages_on, phone, walk_around

PRINTED = 0.97


@pytest.fixture(scope="module")
def shrunk() -> Setup:
    """Pages printed at 97 % on a table of 4 x 4 ft: in printed millimetres the table is larger."""
    larger = (TABLE_MM[0] / PRINTED, TABLE_MM[1] / PRINTED)
    sweep = Sweep(phone(), pages_on(larger, seed=1), walk_around(larger, seed=1, pictures=6), seed=1)
    names = [f"{k}.jpg" for k in range(6)]
    return solve_views(names, sweep.views(), sweep.camera.image_size, table_mm=TABLE_MM)


def test_pages_printed_at_97_percent_are_noticed_on_a_table_of_known_size(shrunk: Setup) -> None:
    (said,) = describe_scale(shrunk, None, 0.01)

    assert "printed at 97." in said
    assert "measure the ruler" in said


def test_the_ruler_brings_true_millimetres() -> None:
    larger = (TABLE_MM[0] / PRINTED, TABLE_MM[1] / PRINTED)
    sweep = Sweep(phone(), pages_on(larger, seed=1), walk_around(larger, seed=1, pictures=6), seed=1)
    setup = solve_views([f"{k}.jpg" for k in range(6)], sweep.views(), sweep.camera.image_size, table_mm=larger)
    scaled = scale_setup(setup, scale_of_ruler(97.0), scale_sigma=RULER_SIGMA)

    assert scaled.layout.table_mm == pytest.approx(TABLE_MM)
    assert scaled.layout.fiducials.marker_mm == pytest.approx(27 * PRINTED)
    assert scaled.layout.fiducials.scale_sigma == RULER_SIGMA
    for pose, true in zip(scaled.poses, sweep.poses, strict=True):
        assert np.linalg.norm(np.subtract(pose.centre_mm, np.array(true.centre_mm) * PRINTED)) < 6
        assert pose.centre_mm == pytest.approx(-np.array(pose.rotation).T @ pose.translation_mm)


def test_nobody_sees_a_scale_without_ruler_and_size(shrunk: Setup) -> None:
    sweep = Sweep(phone(), pages_on(seed=1), walk_around(seed=1, pictures=6), seed=1)
    unsized = solve_views([f"{k}.jpg" for k in range(6)], sweep.views(), sweep.camera.image_size)

    assert describe_scale(unsized, 100.0, RULER_SIGMA) == ()
    assert "all lengths may be off by 1.0 %" in describe_scale(unsized, None, 0.01)[0]


@pytest.mark.parametrize("length", [3.9, 79, 1000])
def test_a_length_that_no_such_ruler_has_is_asked_again(length: float) -> None:
    with pytest.raises(BadInput, match="Measure from 0 to 100 again"):
        scale_of_ruler(length)
