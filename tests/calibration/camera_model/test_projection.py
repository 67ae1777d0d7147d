"""Laws of projection: OpenCV agrees, ways back lead home, derivatives are derivatives."""

from dataclasses import dataclass

import cv2
import numpy as np
import pytest

from calibration.arrays import Floats
from calibration.camera_model import projection
from models.camera import Camera, CameraPose

DIST = {
    "pinhole2": (-0.061, 0.018),
    "brown": (0.038, -0.055, -0.0004, 0.0005, 0.011),
    "rational": (0.31, -0.12, 0.0003, -0.0002, 0.04, 0.35, -0.15, 0.05),
    "fisheye": (0.021, -0.013, 0.004, -0.001),
}


@dataclass(frozen=True)
class View:
    camera: Camera
    pose: CameraPose


def _camera(model: str) -> Camera:
    dist = DIST[model]
    size = 4 + len(dist)
    return Camera(
        image_size=(1920, 1080),
        model=model,
        K=((1037.5, 0, 950.1), (0, 1031.2, 551.5), (0, 0, 1)),
        dist=dist,
        covariance=tuple(map(tuple, np.eye(size))),
        rms_px=0,
    )


def _pose(turn: Floats, centre: Floats) -> CameraPose:
    rotation, _ = cv2.Rodrigues(turn)
    shift = -rotation @ centre
    return CameraPose(
        rotation=tuple(map(tuple, rotation)),
        translation_mm=tuple(shift),
        covariance=tuple(map(tuple, np.eye(6))),
        rms_px=0,
        rms_mm=0,
        markers=(1,),
        centre_mm=tuple(centre),
    )


@pytest.fixture(params=list(DIST))
def view(request: pytest.FixtureRequest) -> View:
    return View(_camera(request.param), _pose(np.array([3.0, 0.2, -0.1]), np.array([566.0, 508.4, 1500.0])))


@pytest.fixture
def points() -> Floats:
    return np.random.default_rng(5).uniform([0, 0, 0], [1219, 1219, 90], (60, 3))


def _through_opencv(points: Floats, view: View) -> Floats:
    turn, _ = cv2.Rodrigues(np.array(view.pose.rotation))
    args = (turn, np.array(view.pose.translation_mm), np.array(view.camera.K), np.array(view.camera.dist))
    if view.camera.model == "fisheye":
        pixels, _ = cv2.fisheye.projectPoints(points[None], args[0], args[1], args[2], args[3])
    else:
        dist = np.zeros(max(4, len(view.camera.dist)))
        dist[: len(view.camera.dist)] = view.camera.dist
        pixels, _ = cv2.projectPoints(points, args[0], args[1], args[2], dist)
    return np.asarray(pixels, np.float64).reshape(-1, 2)


def test_projects_as_opencv_does(view: View, points: Floats) -> None:
    ours = projection.project(points, camera=view.camera, pose=view.pose)

    assert ours == pytest.approx(_through_opencv(points, view), abs=1e-8)


def test_a_pixel_seen_on_the_points_own_height_is_the_point(view: View, points: Floats) -> None:
    pixels = projection.project(points, camera=view.camera, pose=view.pose)
    back = projection.intersect_plane(pixels, camera=view.camera, pose=view.pose, z_mm=points[:, 2])

    assert back == pytest.approx(points[:, :2], abs=1e-6)


def test_rays_undistort_to_a_millionth_of_a_pixel(view: View) -> None:
    grid = np.stack(np.meshgrid(np.linspace(0, 1919, 23), np.linspace(0, 1079, 17)), axis=-1).reshape(-1, 2)
    origin, directions = projection.rays(grid, camera=view.camera, pose=view.pose)
    again = projection.project(origin + 900 * directions, camera=view.camera, pose=view.pose)

    assert np.abs(again - grid).max() < 1e-6


def test_rays_have_unit_length_and_start_at_the_centre(view: View) -> None:
    origin, directions = projection.rays([[12.5, 700.0], [1900.0, 3.0]], camera=view.camera, pose=view.pose)

    assert origin == pytest.approx(view.pose.centre_mm, abs=1e-9)
    assert np.linalg.norm(directions, axis=1) == pytest.approx(1)


def test_the_table_jacobian_is_the_slope_of_the_projection(view: View, points: Floats) -> None:
    step = 1e-3
    slopes = [(_moved(points, view, axis, step) - _moved(points, view, axis, -step)) / (2 * step) for axis in range(2)]
    exact = projection.project_jacobian(points, camera=view.camera, pose=view.pose)

    assert exact == pytest.approx(np.stack(slopes, axis=2), abs=1e-6)


def _moved(points: Floats, view: View, axis: int, by: float) -> Floats:
    return projection.project(points + by * np.eye(3)[axis], camera=view.camera, pose=view.pose)


def test_the_pose_jacobian_is_the_slope_along_its_six_parameters(view: View, points: Floats) -> None:
    exact = projection.pose_jacobian(points, camera=view.camera, pose=view.pose)
    for i, step in enumerate([1e-6] * 3 + [1e-3] * 3):
        up, down = (
            projection.project(points, camera=view.camera, pose=_nudged(view.pose, i, s)) for s in (step, -step)
        )

        assert exact[:, :, i] == pytest.approx((up - down) / (2 * step), rel=1e-5, abs=1e-4)


def _nudged(pose: CameraPose, i: int, by: float) -> CameraPose:
    change = np.eye(6)[i] * by
    turn, _ = cv2.Rodrigues(change[:3])
    rotation = tuple(map(tuple, turn @ np.array(pose.rotation)))
    return pose.model_copy(
        update={"rotation": rotation, "translation_mm": tuple(np.array(pose.translation_mm) + change[3:])}
    )


def test_the_camera_jacobian_is_the_slope_along_the_intrinsics(view: View, points: Floats) -> None:
    exact = projection.camera_jacobian(points, camera=view.camera, pose=view.pose)
    for i in range(exact.shape[2]):
        step = 1e-3 if i < 4 else 1e-6
        up, down = (
            projection.project(points, camera=_retuned(view.camera, i, s), pose=view.pose) for s in (step, -step)
        )

        assert exact[:, :, i] == pytest.approx((up - down) / (2 * step), rel=1e-5, abs=1e-4)


def _retuned(camera: Camera, i: int, by: float) -> Camera:
    k = np.array(camera.K)
    dist = np.array(camera.dist)
    if i < 4:
        k[(0, 1, 0, 1)[i], (0, 1, 2, 2)[i]] += by
    else:
        dist[i - 4] += by
    return camera.model_copy(update={"K": tuple(map(tuple, k)), "dist": tuple(dist)})


def test_a_point_behind_the_camera_has_no_pixel() -> None:
    view = View(_camera("brown"), _pose(np.array([3.0, 0.2, -0.1]), np.array([566.0, 508.4, 1500.0])))

    assert np.isnan(projection.project([[500.0, 500.0, 1900.0]], camera=view.camera, pose=view.pose)).all()


def test_a_pixel_above_the_horizon_meets_no_table() -> None:
    sideways = _pose(np.array([np.pi / 2, 0, 0]), np.array([600.0, -900.0, 700.0]))
    seen = projection.intersect_plane([[950.0, 100.0]], camera=_camera("brown"), pose=sideways, z_mm=0)

    assert np.isnan(seen).all()


def test_a_fisheye_sees_beside_and_behind_itself() -> None:
    view = View(_camera("fisheye"), _pose(np.array([np.pi, 0.0, 0.0]), np.array([0.0, 0.0, 100.0])))
    beyond = np.array([[900.0, 40.0, 180.0], [-30.0, 700.0, 100.0]])
    seen = projection.project(beyond, camera=view.camera, pose=view.pose)
    origin, rays = projection.rays(seen, camera=view.camera, pose=view.pose)

    assert np.cross(beyond - origin, rays) == pytest.approx(np.zeros((2, 3)), abs=1e-6)
    assert np.sum((beyond - origin) * rays, axis=1).min() > 0
