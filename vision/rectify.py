"""The table seen straight from above: a picture in which a pixel is a fixed length of one height."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import project
from models.camera import Camera, CameraPose
from models.words import Point

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

_GRID_MM = 12.0  # the lens is followed exactly on this grid and straight between: 0.01 px off


@dataclass(frozen=True)
class Scale:
    """How table millimetres and picture pixels belong together. Row 0 is the far edge; pixel centres are integers."""

    px_per_mm: float
    margin_mm: float
    table_mm: tuple[float, float]

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of the picture."""
        width, depth = (side + 2 * self.margin_mm for side in self.table_mm)
        return round(width * self.px_per_mm), round(depth * self.px_per_mm)

    def to_px(self, at_mm: Floats) -> Floats:
        """(N, 2) table mm to (N, 2) px."""
        far = self.table_mm[1] + self.margin_mm
        x = (at_mm[:, 0] + self.margin_mm) * self.px_per_mm - 0.5
        return np.column_stack([x, (far - at_mm[:, 1]) * self.px_per_mm - 0.5])

    def to_mm(self, x_px: float, y_px: float) -> Point:
        far = self.table_mm[1] + self.margin_mm
        return (x_px + 0.5) / self.px_per_mm - self.margin_mm, far - (y_px + 0.5) / self.px_per_mm


def table_picture(
    image: Picture,
    *,
    camera: Camera,
    pose: CameraPose,
    table_mm: tuple[float, float],
    px_per_mm: float,
    margin_mm: float = 0.0,
    z_mm: float = 0.0,
) -> Picture:
    """The plane at height `z_mm` over the table, (H, W, 3), far edge up. What the camera does not see is black."""
    scale = Scale(px_per_mm, margin_mm, table_mm)
    maps = table_maps(scale, camera=camera, pose=pose, z_mm=z_mm)
    return straightened(image, maps)


def table_maps(scale: Scale, *, camera: Camera, pose: CameraPose, z_mm: float = 0.0) -> NDArray[np.float32]:
    """Where each pixel of the table picture lies in the camera's, (H, W, 2) px; reusable while the camera stands still."""
    width, height = scale.size_px
    columns = np.linspace(-0.5, width - 0.5, max(2, round(width / scale.px_per_mm / _GRID_MM)))
    rows = np.linspace(-0.5, height - 0.5, max(2, round(height / scale.px_per_mm / _GRID_MM)))
    coarse = _seen_at(scale, columns, rows, camera=camera, pose=pose, z_mm=z_mm)
    return _between(coarse, width, height)


def straightened(image: Picture, maps: NDArray[np.float32]) -> Picture:
    picture = cv2.remap(image, maps, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)  # type: ignore[call-overload]
    return np.asarray(picture, np.uint8)


def _seen_at(
    scale: Scale, columns: Floats, rows: Floats, *, camera: Camera, pose: CameraPose, z_mm: float
) -> NDArray[np.float32]:
    across, down = np.meshgrid(columns, rows)
    x_mm, y_mm = scale.to_mm(across.ravel(), down.ravel())  # type: ignore[arg-type]
    points = np.column_stack([x_mm, y_mm, np.full(across.size, z_mm)])
    seen = np.nan_to_num(project(points, camera=camera, pose=pose), nan=-1e6)
    return seen.reshape(*across.shape, 2).astype(np.float32)


def _between(coarse: NDArray[np.float32], width: int, height: int) -> NDArray[np.float32]:
    """The coarse grid, whose ends lie half a pixel outside the picture, drawn out to every pixel."""
    rows, columns = coarse.shape[:2]
    x = ((np.arange(width) + 0.5) / width * (columns - 1)).astype(np.float32)
    y = ((np.arange(height) + 0.5) / height * (rows - 1)).astype(np.float32)
    return np.asarray(cv2.remap(coarse, *np.meshgrid(x, y), interpolation=cv2.INTER_LINEAR), np.float32)
