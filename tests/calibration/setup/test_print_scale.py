"""Print scale: by the ruler, by the table's size, or not at all, and then it is said."""

import numpy as np
import pytest

from calibration.setup.joint_adjustment import place_points
from calibration.setup.picture_intake import Intake
from calibration.setup.print_scale import (
    RULER_SIGMA,
    UNMEASURED_SIGMA,
    Tape,
    describe_scale,
    fit_scale,
    scale_of_ruler,
    scale_setup,
    solve_intake_to_scale,
)
from calibration.setup.solve_setup import Setup, solve_views
from calibration.setup.table_layout import CornerMarks, mark_of
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


def test_a_tape_between_two_pages_brings_true_millimetres() -> None:
    larger = (TABLE_MM[0] / PRINTED, TABLE_MM[1] / PRINTED)
    pages = pages_on(larger, seed=1)
    sweep = Sweep(phone(), pages, walk_around(larger, seed=1, pictures=6), seed=1)
    intake = Intake([f"{k}.jpg" for k in range(6)], sweep.views(), sweep.camera.image_size)
    first, third = (place_points(mark_of(k)[None], pages[k])[0] for k in (0, 2))
    taped_mm = PRINTED * float(np.linalg.norm(third - first))

    setup = solve_intake_to_scale(intake, table_mm=TABLE_MM, tape=Tape(1, 3, round(taped_mm)))

    fiducials = setup.layout.fiducials
    assert setup.layout.table_mm == pytest.approx(TABLE_MM)
    assert abs(fiducials.marker_mm / (27 * PRINTED) - 1) < 3 * fiducials.scale_sigma
    assert fiducials.scale_sigma < 0.001
    assert setup.remarks == ()


MARKS = CornerMarks(np.array([[0, 0, 0], [1000, 0, 0], [1000, 800, 0], [0, 800, 0]]), 0.04 * np.eye(12))


@pytest.mark.parametrize(("ruler_mm", "ruler_sigma"), [(None, UNMEASURED_SIGMA), (99.0, RULER_SIGMA)])
def test_tape_and_ruler_are_weighed_by_their_doubt(ruler_mm: float | None, ruler_sigma: float) -> None:
    fitted = fit_scale(MARKS, Tape(1, 2, 993, sigma_mm=1.5), ruler_mm)

    ruled, tape_sigma = (ruler_mm or 100) / 100, float(np.hypot(1.5, 0.993 * np.sqrt(0.08))) / 1000
    gain = ruler_sigma**2 / (ruler_sigma**2 + tape_sigma**2)
    assert fitted.scale == pytest.approx(ruled + gain * (0.993 - ruled))
    assert fitted.sigma == pytest.approx(np.sqrt(1 - gain) * ruler_sigma)
    assert fitted.sigma < min(ruler_sigma, tape_sigma)


@pytest.mark.parametrize(
    ("tape", "ruler_mm", "says"),
    [((1, 3, 800.0), None, "is it those two pages"), ((1, 2, 960.0), 100.0, "measure both again")],
)
def test_a_tape_that_cannot_be_right_is_asked_again(
    tape: tuple[int, int, float], ruler_mm: float | None, says: str
) -> None:
    with pytest.raises(BadInput, match=says) as refused:
        fit_scale(MARKS, Tape(*tape), ruler_mm)
    assert refused.value.problem()["field"] == "tape"


@pytest.mark.parametrize("tape", [(1, 1, 900.0), (0, 2, 900.0), (1, 5, 900.0), (1, 2, 0.0)])
def test_a_tape_goes_between_two_pages(tape: tuple[int, int, float]) -> None:
    with pytest.raises(BadInput, match="between two of pages 1 to 4"):
        Tape(*tape)
