"""The table seen straight from above: a picture in which a pixel is a fixed length of one height."""

from dataclasses import dataclass
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import project
from models.camera import Camera, CameraPose

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]
Maps = NDArray[np.float32]

_NO_OTHER: Any = None  # map beside one that holds both axes
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
    cell_px = max(1, round(_GRID_MM * window.px_per_mm))
    columns, rows = (_cells(side_px, cell_px) for side_px in window.size_px)
    across, down = np.meshgrid(columns, rows)
    at_mm = window.to_mm(np.column_stack([across.ravel(), down.ravel()]))
    points = np.column_stack([at_mm, np.full(len(at_mm), z_mm)])
    seen = np.nan_to_num(project(points, camera=camera, pose=pose), nan=-1e6)
    return _between(seen.reshape(*across.shape, 2).astype(np.float32), window.size_px, cell_px)


def straightened(image: Picture, maps: Maps) -> Picture:
    picture = cv2.remap(image, maps, _NO_OTHER, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(picture, np.uint8)


def _cells(side_px: int, cell_px: int) -> Floats:
    """The middles of cells that cover a side of the window, in its pixels, and one more at each end."""
    return np.asarray((np.arange(-1, -(-side_px // cell_px) + 1) + 0.5) * cell_px - 0.5, np.float64)


def _between(coarse: Maps, size_px: tuple[int, int], cell_px: int) -> Maps:
    """What stands in the middles of cells, drawn out to every pixel."""
    rows, columns = coarse.shape[:2]
    fine = cv2.resize(coarse, (columns * cell_px, rows * cell_px), interpolation=cv2.INTER_LINEAR)
    return np.asarray(fine[cell_px : cell_px + size_px[1], cell_px : cell_px + size_px[0]], np.float32)
