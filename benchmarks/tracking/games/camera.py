"""The camera of a drawn game: from the ground to its pixels, worked out without the product's own projection."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats
from models.camera import Camera


@dataclass(frozen=True)
class Eye:
    """A camera that looks down; tilts about the table's x and y, a turn about its z."""

    size_px: tuple[int, int]
    focal_px: float
    centre_mm: tuple[float, float, float]
    tilt_rad: tuple[float, float] = (0.035, -0.02)
    turn_rad: float = 0.012
    dist: tuple[float, float, float, float, float] = (-0.08, 0.03, 0.0004, -0.0003, 0.0)

    @property
    def matrix(self) -> Floats:
        width, height = self.size_px
        return np.array([[self.focal_px, 0, width / 2 + 3.4], [0, self.focal_px, height / 2 - 2.1], [0, 0, 1]])

    @property
    def camera_from_table(self) -> Floats:
        rows = cv2.Rodrigues(np.array([self.tilt_rad[0], self.tilt_rad[1], self.turn_rad]))[0]
        return np.asarray(np.diag([1.0, -1.0, -1.0]) @ rows)

    def project(self, points_mm: Floats) -> Floats:
        """Where points of the table (N, 3) appear, (N, 2) px."""
        there = (np.asarray(points_mm, np.float64) - self.centre_mm) @ self.camera_from_table.T
        pixels, _ = cv2.projectPoints(there, np.zeros(3), np.zeros(3), self.matrix, np.array(self.dist))
        return np.asarray(pixels.reshape(-1, 2))

    def ground_of_pixels(self) -> Floats:
        """Where the ray of each pixel meets the ground, (H, W, 2) table mm."""
        width, height = self.size_px
        at_px = np.stack(np.meshgrid(np.arange(width, dtype=np.float64), np.arange(height)), axis=-1).reshape(-1, 1, 2)
        slopes = cv2.undistortPoints(at_px.astype(np.float64), self.matrix, np.array(self.dist)).reshape(-1, 2)
        rays = np.column_stack([slopes, np.ones(len(slopes))]) @ self.camera_from_table
        along = -self.centre_mm[2] / rays[:, 2:]
        return np.asarray((np.array(self.centre_mm[:2]) + along * rays[:, :2]).reshape(height, width, 2))

    def cast(self, points_mm: Floats, z_mm: float) -> Floats:
        """Where points at this height appear on the ground, (N, 2) mm."""
        centre = np.array(self.centre_mm[:2])
        grown = self.centre_mm[2] / (self.centre_mm[2] - z_mm)
        return np.asarray(centre + (points_mm - centre) * grown)

    def camera(self) -> Camera:
        """What a calibration without error would say."""
        return Camera(
            image_size=self.size_px,
            K=tuple(map(tuple, self.matrix.tolist())),
            dist=self.dist,
            covariance=tuple(map(tuple, np.diag([0.5, 0.5, 0.5, 0.5, 1e-6, 1e-6, 1e-8, 1e-8, 1e-8]).tolist())),
            rms_px=0.1,
        )
