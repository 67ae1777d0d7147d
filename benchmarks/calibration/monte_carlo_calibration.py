"""Calibrations drawn anew from a known camera: is the stated sigma the error that is made?"""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats
from calibration.camera_model import projection
from calibration.intrinsics.board_detection import BoardView
from calibration.intrinsics.model_selection import fit_model
from calibration.intrinsics.reprojection import Lens
from calibration.pose.covariance_propagation import covariance_mm2, lens_shifts, pose_shifts
from calibration.pose.fiducial_residuals import FiducialEdges, edge_normals_px, marker_edges
from calibration.pose.pose_fit import fit_pose, pose_from_rotation
from calibration.view import View
from models.camera import Camera, CameraPose
from models.layout import Fiducials, Layout, Marker

SIZE = (1920, 1080)
TRUE = np.array([1037.5, 1037.5, 950.1, 551.5, 0.038, -0.055, -0.0004, 0.0005, 0.01])
BOARD_MM = np.stack(np.meshgrid(30.0 * np.arange(-4.5, 5), 30.0 * np.arange(-3, 4), [0.0]), axis=-1).reshape(-1, 3)
CORNER_PX, EDGE_PX = 0.05, 0.05
VIEWS = 16


@dataclass(frozen=True)
class Draw:
    """Squared error and stated variance, per axis, averaged over a grid of table points; mm²."""

    error_mm2: float
    stated_mm2: float
    lens_mm2: float


def layout(*, sigma_mm: float) -> Layout:
    places = [(10, -110), (1129.2, -110), (1129.2, 1249.2), (10, 1249.2)]
    markers = tuple(Marker(id=i, corners_mm=_square(x, y, 80.0)) for i, (x, y) in enumerate(places))
    fiducials = Fiducials(dictionary="APRILTAG_36h11", marker_mm=80, markers=markers, sigma_mm=sigma_mm)
    return Layout(table_mm=(1219.2, 1219.2), fiducials=fiducials)


def draw_calibration(seed: int, *, sigma_mm: float) -> Draw:
    """One camera calibrated on noisy corners, one pose found through it over a table whose markers lie a little off."""
    random = np.random.default_rng(seed)
    written = layout(sigma_mm=sigma_mm)
    true_camera, true_pose = _camera(TRUE, np.zeros((9, 9))), _pose_above()
    camera = _calibrate(random)
    pose = _fit_pose(random, written, true_camera, true_pose, camera)
    width, depth = written.table_mm
    grid = np.stack(np.meshgrid(np.linspace(0, width, 13), np.linspace(0, depth, 13), [0.0]), axis=-1).reshape(-1, 3)
    seen = projection.project(grid, camera=true_camera, pose=true_pose)
    error = projection.intersect_plane(seen, camera=camera, pose=pose, z_mm=0) - grid[:, :2]
    view = View(camera, pose, written)
    by_pose, by_lens = covariance_mm2(pose_shifts(grid, view=view)), covariance_mm2(lens_shifts(grid, view=view))
    return Draw(float(np.mean(error**2)), _per_axis(by_pose + by_lens), _per_axis(by_lens))


def _per_axis(covariance: Floats) -> float:
    return float(np.mean(np.trace(covariance, axis1=1, axis2=2))) / 2


def _calibrate(random: np.random.Generator) -> Camera:
    views: list[BoardView] = []
    while len(views) < VIEWS:
        view = _draw_view(random, str(len(views)))
        if view is not None:
            views.append(view)
    fit = fit_model("brown", views, SIZE)
    if fit is None:
        raise RuntimeError("a drawn calibration found no lens")
    return _camera(fit.whole.lens.values, fit.covariance)


def _draw_view(random: np.random.Generator, name: str) -> BoardView | None:
    """The board somewhere before the camera, where it shows enough of itself."""
    turn = np.array([*random.uniform(-0.6, 0.6, 2), random.uniform(-3, 3)])
    depth = random.uniform(220, 520)
    centre = np.array([random.uniform(-0.55, 0.55) * depth, random.uniform(-0.25, 0.25) * depth, depth])
    placed_mm = BOARD_MM @ np.asarray(cv2.Rodrigues(turn)[0], np.float64).T + centre
    seen = Lens(TRUE, np.ones(9, np.bool_)).project(placed_mm)
    shown = np.all((seen > 5) & (seen < np.array(SIZE) - 6), axis=1)
    if placed_mm[:, 2].min() < 60 or shown.sum() < 30:
        return None
    return BoardView(name, BOARD_MM[shown], seen[shown] + random.normal(0, CORNER_PX, (int(shown.sum()), 2)))


def _fit_pose(
    random: np.random.Generator, written: Layout, true_camera: Camera, true_pose: CameraPose, camera: Camera
) -> CameraPose:
    fiducials = written.fiducials
    seen = {m.id: _noisy_edges(random, m, fiducials, true_camera, true_pose) for m in fiducials.markers}
    pose = true_pose
    for _ in range(3):
        looks = [_fiducial_edges(marker, seen[marker.id], fiducials, camera, pose) for marker in fiducials.markers]
        pose = fit_pose(looks, pose=pose, fiducials=fiducials).pose
    return pose


def _noisy_edges(
    random: np.random.Generator, marker: Marker, fiducials: Fiducials, camera: Camera, pose: CameraPose
) -> Floats:
    """Where the edges of a marker appear that lies a little off its place, under a tone curve, with noise."""
    known = marker_edges(marker, name=fiducials.dictionary)
    dark, _ = edge_normals_px(known, projection.point_jacobian(known.middle_mm, camera=camera, pose=pose))
    off = known.middle_mm + random.normal(0, fiducials.sigma_mm, 3)
    noise = random.normal(0, EDGE_PX, (len(dark), 1))
    return np.asarray(projection.project(off, camera=camera, pose=pose) + dark * (random.uniform(0.1, 0.4) + noise))


def _fiducial_edges(
    marker: Marker, seen_px: Floats, fiducials: Fiducials, camera: Camera, pose: CameraPose
) -> FiducialEdges:
    known = marker_edges(marker, name=fiducials.dictionary)
    by_place = projection.point_jacobian(known.middle_mm, camera=camera, pose=pose)
    dark, _ = edge_normals_px(known, by_place)
    offset = np.sum((seen_px - projection.project(known.middle_mm, camera=camera, pose=pose)) * dark, axis=1)
    return FiducialEdges(marker, known.middle_mm, np.einsum("ni,nij->nj", dark, by_place), offset, dark)


def _pose_above() -> CameraPose:
    rotation = np.asarray(cv2.Rodrigues(np.array([3.135, 0.004, -0.01]))[0], np.float64)
    return pose_from_rotation(rotation, -rotation @ np.array([612.5, 608.3, 1340.0]))


def _camera(values: Floats, covariance: Floats) -> Camera:
    fx, fy, cx, cy, *dist = values.tolist()
    return Camera(
        image_size=SIZE,
        model="brown",
        K=((fx, 0, cx), (0, fy, cy), (0, 0, 1)),
        dist=tuple(dist),
        covariance=covariance.tolist(),
        rms_px=0,
    )


def _square(x: float, y: float, side: float) -> tuple[tuple[float, float, float], ...]:
    return ((x, y + side, 0.3), (x + side, y + side, 0.3), (x + side, y, 0.3), (x, y, 0.3))
