"""How the camera moved since a picture whose pose is known."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from calibration.arrays import Image
from calibration.camera_model.projection import project
from calibration.pose import anchor_patches
from calibration.pose.anchor_patches import BACKGROUND, Anchors, SmallImage
from calibration.pose.pose_tracking import TrackedPose, pose_shift_mm, track_pose
from calibration.view import View
from models.camera import CameraPose
from tests.vision import rendered

CALM = rendered.Scene(eye=rendered.Eye(size_px=(640, 480), focal_px=580.0, middle_px=(322.9, 241.2)))
CAMERA, LAYOUT = CALM.eye.camera(), rendered.layout()
POSE = CALM.eye.pose()
VIEW = View(CAMERA, POSE, LAYOUT)
WIDTH, DEPTH = LAYOUT.table_mm


@cache
def _picture(eye: rendered.Eye = CALM.eye) -> Image:
    return rendered.photograph(replace(CALM, eye=eye))


def _small(image: Image) -> SmallImage:
    return anchor_patches.shrink_to_table_scale(image, view=VIEW)


@cache
def _anchors() -> Anchors:
    return anchor_patches.select_anchors(_small(_picture()), view=VIEW)


def _tracked(image: Image) -> TrackedPose | None:
    return track_pose(_small(image), _anchors(), registered=VIEW, last=POSE)


def _shift_mm(one: CameraPose, other: CameraPose) -> float:
    return pose_shift_mm(VIEW.with_pose(one), other)


def _bumped(size_mm: float) -> rendered.Eye:
    """Turned about all axes, and carried away: about so far at the table's worst corner."""
    x, y, z = CALM.eye.centre_mm
    (a, b), c = CALM.eye.tilt_rad, CALM.eye.turn_rad
    step = size_mm * 8.5e-4
    tilt = (a + step, b - step / 2)
    return replace(CALM.eye, centre_mm=(x + 0.23 * size_mm, y, z), tilt_rad=tilt, turn_rad=c + step)


def _without_fiducials(image: Image, *ids: int) -> Image:
    """With something grey over these fiducials."""
    out = image.copy()
    for marker in LAYOUT.fiducials.markers:
        if marker.id in ids:
            seen = project(marker.corners_mm, camera=CAMERA, pose=POSE)
            (x0, y0), (x1, y1) = seen.min(axis=0).astype(int) - 12, seen.max(axis=0).astype(int) + 12
            out[max(y0, 0) : y1, max(x0, 0) : x1] = 150
    return out


def test_anchors_lie_on_the_fiducials_and_all_over_the_table() -> None:
    anchors = _anchors()
    ground = anchors.points_mm[anchors.of == BACKGROUND]

    assert set(anchors.of) == {0, 1, 2, 3, BACKGROUND}
    assert len(ground) > 40
    assert np.all(np.ptp(ground[:, :2], axis=0) > (0.9 * WIDTH, 0.9 * DEPTH))


@pytest.mark.parametrize("size_mm", [0.5, 3.0, 12.0])
def test_a_bump_is_measured_to_a_tenth_of_a_millimetre(size_mm: float) -> None:
    eye = _bumped(size_mm)
    found = _tracked(_picture(eye))

    assert found is not None
    assert _shift_mm(eye.pose(), found.pose) < 0.1
    assert _shift_mm(POSE, eye.pose()) == pytest.approx(size_mm, rel=0.3)


def test_two_fiducials_that_are_hidden_are_not_among_those_seen_and_cost_little() -> None:
    eye = _bumped(3.0)
    found = _tracked(_without_fiducials(_picture(eye), 0, 1))

    assert found is not None
    assert found.fiducials == (2, 3)
    assert _shift_mm(eye.pose(), found.pose) < 0.1


def test_the_background_alone_tells_the_movement_less_surely() -> None:
    eye = _bumped(3.0)
    with_all, without = _tracked(_picture(eye)), _tracked(_without_fiducials(_picture(eye), 0, 1, 2, 3))

    assert with_all is not None
    assert without is not None
    assert without.fiducials == ()
    assert without.sigma_mm > with_all.sigma_mm
    assert _shift_mm(eye.pose(), without.pose) < 4 * without.sigma_mm


def test_another_brightness_is_no_movement() -> None:
    found = _tracked((_picture() * 0.6).astype(np.uint8))

    assert found is not None
    assert _shift_mm(POSE, found.pose) < 0.05


def test_a_picture_of_something_else_is_not_tracked() -> None:
    rough = np.random.default_rng(4).integers(0, 255, _picture().shape, dtype=np.uint8)

    assert _tracked(rough) is None


def test_the_doubt_of_the_registration_is_carried_along() -> None:
    """What is known of a movement adds to what was known of the pose, and takes nothing from it."""
    surely = POSE.model_copy(update={"covariance": tuple(map(tuple, (np.eye(6) * 1e-8).tolist()))})
    found = track_pose(_small(_picture()), _anchors(), registered=VIEW.with_pose(surely), last=POSE)

    assert found is not None
    assert np.all(np.diag(found.pose.covariance) > 1e-8)
