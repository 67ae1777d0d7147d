"""Reprojection of boards through a lens: residuals and their derivatives."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, Mask
from calibration.camera_model.distortion import distort, distort_jacobian, distort_terms_jacobian, undistort
from calibration.intrinsics.board_detection import BoardView


@dataclass(frozen=True)
class Lens:
    """Lens values (fx, fy, cx, cy, *dist), and which of them are solved for."""

    values: Floats
    free: Mask
    fisheye: bool = False

    @property
    def dist(self) -> list[float]:
        return list(map(float, self.values[4:]))

    def project(self, seen: Floats) -> Floats:
        """Pixels of points of the camera's frame, (N, 2); NaN for one that cannot be seen."""
        return distort(seen, self.dist, fisheye=self.fisheye) * self.values[:2] + self.values[2:4]

    def rays(self, seen_px: Floats) -> Floats:
        """Unit rays of these pixels, (N, 3)."""
        return undistort((seen_px - self.values[2:4]) / self.values[:2], self.dist, fisheye=self.fisheye)

    def with_fixed_terms(self) -> "Lens":
        return replace(self, free=np.zeros_like(self.free))


@dataclass(frozen=True)
class BoardPoses:
    """Board poses: camera_from_board of every view, (V, 3, 3) and (V, 3)."""

    rotations: Floats
    translations_mm: Floats

    def with_changes(self, changes: Floats) -> "BoardPoses":
        """After small turns on the camera's side and shifts, (V, 6)."""
        turns = np.array([cv2.Rodrigues(turn)[0] for turn in changes[:, :3]], np.float64)
        return BoardPoses(turns @ self.rotations, self.translations_mm + changes[:, 3:])

    def select(self, views: Sequence[int]) -> "BoardPoses":
        return BoardPoses(self.rotations[views], self.translations_mm[views])


@dataclass(frozen=True)
class Points:
    """Points of all views, one after the other; `owner` is the view of each."""

    on_board_mm: Floats
    seen_px: Floats
    owner: NDArray[np.int64]
    starts: NDArray[np.int64]

    @classmethod
    def of(cls, views: Sequence[BoardView]) -> "Points":
        counts = [len(view.points_mm) for view in views]
        return cls(
            np.concatenate([view.points_mm for view in views]),
            np.concatenate([view.seen_px for view in views]),
            np.repeat(np.arange(len(views)), counts),
            np.concatenate([[0], np.cumsum(counts)]),
        )

    def sums(self, values: Floats) -> Floats:
        """The values of each view added up."""
        return np.asarray(np.add.reduceat(values, self.starts[:-1], axis=0))

    def split(self, values: Floats) -> list[Floats]:
        """The values of each view apart."""
        return np.split(values, self.starts[1:-1])


def to_camera_frame(points: Points, places: BoardPoses) -> Floats:
    """Points of the boards in the camera's frame, (N, 3) mm."""
    turned = np.einsum("nij,nj->ni", places.rotations[points.owner], points.on_board_mm)
    return np.asarray(turned + places.translations_mm[points.owner])


def reprojection_residuals(points: Points, lens: Lens, places: BoardPoses) -> Floats:
    """Residuals (N, 2) px, from where each point should be seen to where it is; NaN for one behind the camera."""
    with np.errstate(all="ignore"):
        return np.asarray(points.seen_px - lens.project(to_camera_frame(points, places)))


def reprojection_jacobian(points: Points, lens: Lens, places: BoardPoses) -> tuple[Floats, Floats]:
    """d px / d the lens's values, (N, 2, 4 + terms), and d px / d (small turn on the camera's side, t), (N, 2, 6)."""
    seen = to_camera_frame(points, places)
    focal = lens.values[:2, None]
    by_lens = np.zeros((len(seen), 2, len(lens.values)))
    by_lens[:, 0, 0], by_lens[:, 1, 1] = distort(seen, lens.dist, fisheye=lens.fisheye).T
    by_lens[:, 0, 2] = by_lens[:, 1, 3] = 1
    by_lens[:, :, 4:] = distort_terms_jacobian(seen, lens.dist, fisheye=lens.fisheye) * focal
    by_place = np.empty((len(seen), 2, 6))
    by_place[:, :, 3:] = distort_jacobian(seen, lens.dist, fisheye=lens.fisheye) * focal
    arm = seen - places.translations_mm[points.owner]
    by_place[:, :, :3] = np.cross(arm[:, None, :], by_place[:, :, 3:])
    return by_lens, by_place
