"""The pose from the mat's tapped corners: refined on its sides, honest, and refused where the taps make no table."""

from collections.abc import Sequence

import numpy as np
import pytest

from calibration.arrays import Floats
from calibration.camera_model import projection
from calibration.pose.covariance_propagation import sigma_mm
from calibration.pose.locate_table import locate_table
from calibration.pose.mat_corners import TAP_PX, combine_poses, locate_by_corners
from calibration.pose.mat_sides import corners_mm
from calibration.view import View
from models.camera import CameraPose
from models.errors import BadInput
from tests.calibration import scene
from tests.calibration.mats import CAMERA, TABLE, TRUE, picture

GRID = np.stack(np.meshgrid(np.linspace(0, 1200, 9), np.linspace(0, 800, 7), [0.0]), axis=-1).reshape(-1, 3)
CORNERS = projection.project(corners_mm(TABLE), camera=CAMERA, pose=TRUE)
PLAIN = np.full((720, 1280, 3), 120, np.uint8)


def _taps(seed: int, *, sigma_px: float = TAP_PX) -> list[list[float]]:
    drawn: list[list[float]] = (CORNERS + np.random.default_rng(seed).normal(0, sigma_px, (4, 2))).tolist()
    return drawn


def _off_mm(pose: CameraPose) -> Floats:
    back = projection.intersect_plane(
        projection.project(GRID, camera=CAMERA, pose=TRUE), camera=CAMERA, pose=pose, z_mm=0
    )
    return np.asarray(np.linalg.norm(back - GRID[:, :2], axis=1))


@pytest.mark.parametrize(("mat", "ground"), [(0.6, 0.2), (0.1, 0.5), (0.35, 0.25)])
@pytest.mark.parametrize("exposure", [1.0, 1.8])
def test_the_sides_of_the_mat_make_good_what_the_finger_missed(mat: float, ground: float, exposure: float) -> None:
    found = locate_by_corners(picture(mat, ground, exposure=exposure), _taps(3), camera=CAMERA, table_mm=TABLE)

    assert found.sides == (0, 1, 2, 3)
    assert _off_mm(found.pose).max() < 0.8  # a pixel is 1.4 mm; the taps alone leave 3 to 8


def test_a_hidden_side_is_done_without() -> None:
    hidden = picture(0.6, 0.2)
    hidden[:, :200] = 120  # over the left side
    found = locate_by_corners(hidden, _taps(4), camera=CAMERA, table_mm=TABLE)

    assert found.sides == (0, 1, 2)
    assert np.sqrt(np.mean(_off_mm(found.pose) ** 2)) < 1.5


def test_a_mat_like_its_ground_leaves_the_taps_as_they_are() -> None:
    found = locate_by_corners(PLAIN, _taps(5), camera=CAMERA, table_mm=TABLE)

    assert found.sides == ()
    assert found.pose.held_mm == tuple(map(tuple, corners_mm(TABLE)))


def test_the_stated_doubt_of_taps_alone_is_what_taps_do() -> None:
    ratios = []
    for seed in range(60):
        pose = locate_by_corners(PLAIN, _taps(seed), camera=CAMERA, table_mm=TABLE).pose
        said = sigma_mm(GRID, view=View.of_bare_table(CAMERA, pose, TABLE))
        ratios.append(np.mean(_off_mm(pose) ** 2) / np.mean(said**2))

    assert 0.8 < np.sqrt(np.mean(ratios)) < 1.2


def test_the_sides_are_said_to_know_more_than_the_taps() -> None:
    poses = [locate_by_corners(p, _taps(6), camera=CAMERA, table_mm=TABLE).pose for p in (PLAIN, picture(0.6, 0.2))]
    said = [sigma_mm(GRID, view=View.of_bare_table(CAMERA, pose, TABLE)) for pose in poses]

    assert said[1].max() < said[0].min() / 2


OUTSIDE = [[-5.0, 600.0], *CORNERS[1:].tolist()]
CROSSED = CORNERS[[0, 2, 1, 3]].tolist()
BACKWARDS = CORNERS[[0, 3, 2, 1]].tolist()
TWICE = CORNERS[[0, 0, 2, 3]].tolist()
TURNED = CORNERS[[1, 2, 3, 0]].tolist()


@pytest.mark.parametrize(
    ("corners", "says"),
    [
        (OUTSIDE, "near left corner lies outside"),
        (CROSSED, "cross"),
        (BACKWARDS, "wrong way round"),
        (TWICE, "within 20 px"),
        (TURNED, "wrong size, or order"),
        (CORNERS[:3].tolist(), "four corners"),
    ],
)
def test_taps_that_make_no_table_are_refused_by_name(corners: Sequence[Sequence[float]], says: str) -> None:
    with pytest.raises(BadInput, match=says) as raised:
        locate_by_corners(PLAIN, corners, camera=CAMERA, table_mm=TABLE)

    assert raised.value.field == "corners"


def test_a_table_of_another_size_is_refused() -> None:
    with pytest.raises(BadInput, match="1200 x 1200"):
        locate_by_corners(PLAIN, CORNERS.tolist(), camera=CAMERA, table_mm=(1200.0, 1200.0))


@pytest.fixture(scope="module")
def by_fiducials() -> CameraPose:
    shown = scene.photograph_table(scene.layout(), camera=CAMERA, pose=TRUE)
    return locate_table(shown, camera=CAMERA, layout=scene.layout())


def test_corners_and_fiducials_together_are_surer_than_either(by_fiducials: CameraPose) -> None:
    by_corners = locate_by_corners(picture(0.6, 0.2), _taps(7), camera=CAMERA, table_mm=TABLE).pose
    both = combine_poses(by_corners, by_fiducials, table_mm=TABLE)

    assert both.agree
    assert both.pose.markers == by_fiducials.markers
    for one in (by_corners, by_fiducials):
        assert np.all(np.linalg.eigvalsh(np.array(one.covariance) - np.array(both.pose.covariance)) > -1e-9)
    assert _off_mm(both.pose).max() < 0.2


def test_corners_that_contradict_the_fiducials_are_said_to_and_widen_the_doubt(by_fiducials: CameraPose) -> None:
    moved = (CORNERS + np.array([9.0, 0.0])).tolist()
    by_corners = locate_by_corners(PLAIN, moved, camera=CAMERA, table_mm=TABLE, tap_px=0.5, cut_mm=0.1).pose
    both = combine_poses(by_corners, by_fiducials, table_mm=TABLE)
    right = combine_poses(by_fiducials, by_fiducials, table_mm=TABLE)

    assert not both.agree
    assert both.apart_mm == pytest.approx(9 * 960 / 700, rel=0.2)
    assert np.trace(np.array(both.pose.covariance)) > 10 * np.trace(np.array(right.pose.covariance))


def test_corners_of_another_table_are_refused(by_fiducials: CameraPose) -> None:
    turned = CORNERS[[2, 3, 0, 1]].tolist()
    by_corners = locate_by_corners(PLAIN, turned, camera=CAMERA, table_mm=TABLE).pose
    with pytest.raises(BadInput, match="from the near left one on"):
        combine_poses(by_corners, by_fiducials, table_mm=TABLE)
