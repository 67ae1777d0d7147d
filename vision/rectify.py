"""The table seen straight from above: a picture in which a pixel is a fixed length of one height."""

from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import project
from models.camera import Camera, CameraPose

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]
Maps = NDArray[np.float32]

_GRID_MM = 12.0  # the lens is followed exactly on this grid and straight between: 0.01 px off


class Flat(Protocol):
    """A piece of the plane and its picture."""

    @property
    def px_per_mm(self) -> float: ...

    @property
    def size_px(self) -> tuple[int, int]: ...

    def to_mm(self, at_px: Floats) -> Floats: ...


@dataclass(frozen=True)
class Window:
    """A piece of the plane and its picture. Row 0 is the far side; integer pixels lie at pixel centres."""

    x0_mm: float
    y0_mm: float
    x1_mm: float
    y1_mm: float
    px_per_mm: float

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of the picture."""
        width_mm, depth_mm = self.x1_mm - self.x0_mm, self.y1_mm - self.y0_mm
        return max(1, round(width_mm * self.px_per_mm)), max(1, round(depth_mm * self.px_per_mm))

    def to_px(self, at_mm: Floats) -> Floats:
        """(N, 2) table mm to (N, 2) px."""
        x = (at_mm[:, 0] - self.x0_mm) * self.px_per_mm - 0.5
        return np.column_stack([x, (self.y1_mm - at_mm[:, 1]) * self.px_per_mm - 0.5])

    def to_mm(self, at_px: Floats) -> Floats:
        """(N, 2) px to (N, 2) table mm."""
        x = (at_px[:, 0] + 0.5) / self.px_per_mm + self.x0_mm
        return np.column_stack([x, self.y1_mm - (at_px[:, 1] + 0.5) / self.px_per_mm])


def table_window(table_mm: tuple[float, float], *, px_per_mm: float, margin_mm: float = 0.0) -> Window:
    """The whole table, and a margin around it."""
    return Window(-margin_mm, -margin_mm, table_mm[0] + margin_mm, table_mm[1] + margin_mm, px_per_mm)


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
    window = table_window(table_mm, px_per_mm=px_per_mm, margin_mm=margin_mm)
    return straightened(image, window_maps(window, camera=camera, pose=pose, z_mm=z_mm))


def window_maps(window: Flat, *, camera: Camera, pose: CameraPose, z_mm: float = 0.0) -> Maps:
    """Where each pixel of the window lies in the camera's picture, (H, W, 2) px; good while the camera stands still."""
    width, height = window.size_px
    columns = np.linspace(-0.5, width - 0.5, max(2, round(width / window.px_per_mm / _GRID_MM)))
    rows = np.linspace(-0.5, height - 0.5, max(2, round(height / window.px_per_mm / _GRID_MM)))
    across, down = np.meshgrid(columns, rows)
    at_mm = window.to_mm(np.column_stack([across.ravel(), down.ravel()]))
    points = np.column_stack([at_mm, np.full(len(at_mm), z_mm)])
    seen = np.nan_to_num(project(points, camera=camera, pose=pose), nan=-1e6)
    return _between(seen.reshape(*across.shape, 2).astype(np.float32), width, height)


def straightened(image: Picture, maps: Maps) -> Picture:
    picture = cv2.remap(image, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(picture, np.uint8)


def _between(coarse: Maps, width: int, height: int) -> Maps:
    """The coarse grid, whose ends lie half a pixel outside the picture, drawn out to every pixel."""
    rows, columns = coarse.shape[:2]
    x = ((np.arange(width) + 0.5) / width * (columns - 1)).astype(np.float32)
    y = ((np.arange(height) + 0.5) / height * (rows - 1)).astype(np.float32)
    across, down = np.meshgrid(x, y)
    return np.asarray(cv2.remap(coarse, across, down, cv2.INTER_LINEAR), np.float32)
