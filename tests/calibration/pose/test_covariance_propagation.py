"""What is not known of lens and pose, as shifts of places on the table."""

import numpy as np
import pytest

from calibration.arrays import Floats
from calibration.camera_model import projection
from calibration.pose.covariance_propagation import covariance_mm2, lens_shifts, pose_shifts, sigma_mm
from calibration.pose.pose_fit import perturb_pose
from calibration.view import View
from models.camera import Camera, CameraPose
from tests.calibration import scene

PLACES = np.array([[200.0, 150.0, 0.0], [610.0, 400.0, 38.0], [1050.0, 700.0, 4.0]])
LAYOUT = scene.layout()


def _rows(matrix: Floats) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(map(float, row)) for row in matrix)


@pytest.fixture
def pose() -> CameraPose:
    spread = np.diag([1e-4, 2e-4, 5e-5, 0.1, 0.15, 0.2])
    mixed = spread @ (np.eye(6) + 0.3) @ spread
    return scene.pose_at((610.0, 395.0, 900.0)).model_copy(
        update={"covariance": _rows(mixed), "markers": tuple(marker.id for marker in LAYOUT.fiducials.markers)}
    )


@pytest.fixture
def camera() -> Camera:
    spread = np.diag([0.5, 0.5, 0.8, 0.7, 0.002, 0.004, 1e-4, 1e-4, 0.003])
    return scene.camera().model_copy(update={"covariance": _rows(spread @ (np.eye(9) + 0.2) @ spread)})


def test_places_scatter_as_drawn_poses_scatter_them(camera: Camera, pose: CameraPose) -> None:
    draw = np.random.default_rng(3).multivariate_normal(np.zeros(6), np.array(pose.covariance), 4000)
    seen = projection.project(PLACES, camera=camera, pose=pose)
    found = np.array(
        [
            projection.intersect_plane(seen, camera=camera, pose=perturb_pose(pose, one), z_mm=PLACES[:, 2])
            for one in draw
        ]
    )
    stated = covariance_mm2(pose_shifts(PLACES, view=View(camera, pose, LAYOUT)))

    for i in range(len(PLACES)):
        assert np.cov(found[:, i].T) == pytest.approx(stated[i], rel=0.12, abs=0.01 * np.trace(stated[i]))


def test_an_error_of_the_principal_point_is_taken_up_by_the_pose(pose: CameraPose) -> None:
    """A camera that looks straight down shifts, and the pose found through it shifts back."""
    only_centre = np.diag([0, 0, 1.0, 0, 0, 0, 0, 0, 0])
    camera = scene.camera().model_copy(update={"covariance": _rows(only_centre)})
    shifts = lens_shifts(PLACES[:1], view=View(camera, pose, LAYOUT))
    one_px_mm = 900 / 700

    assert np.abs(shifts).max() < 0.1 * one_px_mm


def test_what_the_lens_leaves_grows_with_height(camera: Camera, pose: CameraPose) -> None:
    """The pose is held to the table by its markers; a hill's top is not."""
    high = PLACES[2] + [0, 0, 300]
    low, top = (
        covariance_mm2(lens_shifts(place[None], view=View(camera, pose, LAYOUT)))[0] for place in (PLACES[2], high)
    )

    assert np.trace(top) > 2 * np.trace(low)


def test_an_exact_lens_leaves_nothing(pose: CameraPose) -> None:
    assert lens_shifts(PLACES, view=View(scene.camera(), pose, LAYOUT)).shape == (3, 2, 0)


def test_sigma_holds_both_pose_and_lens(camera: Camera, pose: CameraPose) -> None:
    both = covariance_mm2(pose_shifts(PLACES, view=View(camera, pose, LAYOUT)))
    both = both + covariance_mm2(lens_shifts(PLACES, view=View(camera, pose, LAYOUT)))
    sigma = sigma_mm(PLACES, view=View(camera, pose, LAYOUT))

    assert sigma**2 == pytest.approx(np.trace(both, axis1=1, axis2=2))
