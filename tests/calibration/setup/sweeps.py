"""Sweeps: what a camera sees of set-up pages around a table, as points with noise or as pictures."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from calibration.arrays import Floats
from calibration.camera_model import projection
from calibration.setup.joint_adjustment import place_points
from calibration.setup.pages import DEPTH_MM, WIDTH_MM, PageView, setup_pages
from calibration.setup.table_layout import MARK_MM
from models.camera import Camera, CameraPose
from tests.calibration.scene import pose_towards

TABLE_MM = (1219.2, 1219.2)


def pages_on(table_mm: tuple[float, float] = TABLE_MM, *, seed: int = 0, laid_mm: float = 1.0) -> Floats:
    """How four pages lie around a table (4, 5), each laid by hand."""
    r = np.random.default_rng(seed)
    width, depth = table_mm
    u, v = WIDTH_MM / 2 + MARK_MM, DEPTH_MM / 2 + MARK_MM
    places = [(u, -v, 0.0), (width - u, -v, 0.0), (width - u, depth + v, np.pi), (u, depth + v, np.pi)]
    laid = np.array([[x, y, turn, 0.0, 0.0] for x, y, turn in places])
    laid[:, :2] += r.normal(0, laid_mm, (4, 2))
    laid[:, 2] += r.normal(0, 0.01, 4)
    return laid


def phone(*, focal: float = 3050.0, size: tuple[int, int] = (4032, 3024), dist: Sequence[float] = ()) -> Camera:
    terms = tuple(dist) or (0.09, -0.24, 0.0004, -0.0006, 0.19)
    width, height = size
    return Camera(
        image_size=size,
        K=((focal, 0, width / 2 + 17.3), (0, focal * 1.0004, height / 2 - 23.1), (0, 0, 1)),
        dist=terms,
        covariance=tuple(map(tuple, np.zeros((9, 9)))),
        rms_px=0,
    )


def walk_around(table_mm: tuple[float, float] = TABLE_MM, *, pictures: int = 12, seed: int = 0) -> list[CameraPose]:
    """Poses of somebody who walks around the table with a phone, at 0.9 to 1.5 m above it."""
    r = np.random.default_rng(seed)
    middle = np.array([table_mm[0] / 2, table_mm[1] / 2, 0.0])
    found = []
    for k in range(pictures):
        angle = 2 * np.pi * k / pictures + r.normal(0, 0.1)
        away = 0.5 * max(table_mm) + r.uniform(250, 600)
        place = middle + np.array([away * np.cos(angle), away * np.sin(angle), r.uniform(900, 1500)])
        aim = middle + np.array([*r.normal(0, 60, 2), 0.0])
        found.append(pose_towards(place.tolist(), aim.tolist()))
    return found


@dataclass(frozen=True)
class Sweep:
    """Everything true of a sweep, and what is seen."""

    camera: Camera
    pages: Floats
    poses: Sequence[CameraPose]
    noise_px: float = 0.1
    seed: int = 0
    moved: dict[tuple[int, int], Floats] = field(default_factory=dict)
    """(picture, page) -> how that page lies there, where it lies elsewhere."""

    def views(self) -> list[PageView]:
        """All pages wholly in sight, with noise."""
        r = np.random.default_rng(self.seed)
        return [one for k, pose in enumerate(self.poses) for one in self._of_picture(k, pose, r)]

    def _of_picture(self, k: int, pose: CameraPose, r: np.random.Generator) -> list[PageView]:
        found = []
        width, height = self.camera.image_size
        for page in setup_pages():
            lies = self.moved.get((k, page.number), self.pages[page.number])
            seen = projection.project(place_points(page.corners_mm, lies), camera=self.camera, pose=pose)
            inside = np.all((seen > 10) & (seen < [width - 10, height - 10]), axis=1)
            if inside.sum() >= 8:
                noisy = seen + r.normal(0, self.noise_px, seen.shape)
                found.append(PageView(k, page.number, page.corners_mm[inside], noisy[inside]))
        return found
