"""Rectification: the table resampled as seen from straight above, at a fixed scale and height."""

from dataclasses import dataclass
from typing import Any, Protocol

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Image
from calibration.camera_model.projection import project
from models.camera import Camera, CameraPose

_NO_OTHER: Any = None  # map beside one that holds both axes
_FINER, _FILTERED_FROM = 1.25, 0.87  # so much finer than asked is enough; less than this is not worth another picture
_BESIDE_PX = 48  # of what every eighth place of the maps reads
_GRID_MM = 12.0  # the lens is followed exactly on this grid and straight between: 0.01 px off


class PlaneView(Protocol):
    """A piece of the plane and its pixels."""

    @property
    def px_per_mm(self) -> float: ...

    @property
    def size_px(self) -> tuple[int, int]: ...

    def to_mm(self, at_px: Floats) -> Floats: ...


@dataclass(frozen=True)
class Window:
    """A rectangle of the plane and its pixels. Row 0 is the far side; integer pixels lie at pixel centres."""

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


def rectify_table(
    image: Image,
    *,
    camera: Camera,
    pose: CameraPose,
    table_mm: tuple[float, float],
    px_per_mm: float,
    margin_mm: float = 0.0,
    z_mm: float = 0.0,
) -> Image:
    """Rectified picture of the plane at height `z_mm`, (H, W, 3), far edge up; black where the camera does not see
    it."""
    window = table_window(table_mm, px_per_mm=px_per_mm, margin_mm=margin_mm)
    return rectify(image, rectification_maps(window, camera=camera, pose=pose, z_mm=z_mm))


def rectification_maps(window: PlaneView, *, camera: Camera, pose: CameraPose, z_mm: float = 0.0) -> Floats32:
    """Remap tables, (H, W, 2) px: where each pixel of the window lies in the picture, while the camera stands still."""
    cell_px = max(1, round(_GRID_MM * window.px_per_mm))
    columns, rows = (_grid_centres(side_px, cell_px) for side_px in window.size_px)
    across, down = np.meshgrid(columns, rows)
    at_mm = window.to_mm(np.column_stack([across.ravel(), down.ravel()]))
    points = np.column_stack([at_mm, np.full(len(at_mm), z_mm)])
    seen = np.nan_to_num(project(points, camera=camera, pose=pose), nan=-1e6)
    return _upsample_grid(seen.reshape(*across.shape, 2).astype(np.float32), window.size_px, cell_px)


def rectify(image: Image, maps: Floats32) -> Image:
    """The picture resampled by these maps."""
    picture = cv2.remap(image, maps, _NO_OTHER, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(picture, np.uint8)


def rectify_filtered(image: Image, maps: Floats32) -> Image:
    """The picture resampled by these maps, made coarser first where it is finer than they ask: nothing aliases."""
    share = _scale_asked(maps)
    if share > _FILTERED_FROM:
        return rectify(image, maps)
    left, top, right, bottom = _part_asked(image, maps)
    width, height = right - left, bottom - top
    size = max(1, round(width * share)), max(1, round(height * share))
    coarse = np.asarray(cv2.resize(image[top:bottom, left:right], size, interpolation=cv2.INTER_AREA), np.uint8)
    by = np.array([size[0] / width, size[1] / height], np.float32)
    moved = (by - 1) / 2 - by * np.array([left, top], np.float32)
    return rectify(coarse, np.asarray(maps * by + moved, np.float32))


def _part_asked(image: Image, maps: Floats32) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of the part of the picture that these maps read; of nothing seen one pixel."""
    height, width = image.shape[:2]
    read = np.concatenate([places.reshape(-1, 2) for places in (maps[::8, ::8], maps[-1], maps[:, -1])])
    low, high = np.floor(read.min(axis=0)) - _BESIDE_PX, np.ceil(read.max(axis=0)) + _BESIDE_PX
    left, right = (int(np.clip(side[0], 0, width)) for side in (low, high))
    top, bottom = (int(np.clip(side[1], 0, height)) for side in (low, high))
    return min(left, width - 1), min(top, height - 1), max(right, left + 1), max(bottom, top + 1)


def _scale_asked(maps: Floats32) -> float:
    """How coarse the picture may be for these maps: a little finer than one pixel for each of theirs, at most 1."""
    across, down = maps[::16, 1:][:, ::16] - maps[::16, :-1][:, ::16], maps[1:, ::16][::16] - maps[:-1, ::16][::16]
    rows, columns = min(len(across), len(down)), min(across.shape[1], down.shape[1])
    across, down = across[:rows, :columns], down[:rows, :columns]
    area = np.abs(across[..., 0] * down[..., 1] - across[..., 1] * down[..., 0])
    inside = area[(area > 0) & np.isfinite(area)]
    return float(min(1.0, _FINER / np.sqrt(np.median(inside)))) if len(inside) else 1.0


def _grid_centres(side_px: int, cell_px: int) -> Floats:
    """The middles of cells that cover a side of the window, in its pixels, and one more at each end."""
    return np.asarray((np.arange(-1, -(-side_px // cell_px) + 1) + 0.5) * cell_px - 0.5, np.float64)


def _upsample_grid(coarse: Floats32, size_px: tuple[int, int], cell_px: int) -> Floats32:
    """What stands in the middles of cells, drawn out to every pixel."""
    rows, columns = coarse.shape[:2]
    fine = cv2.resize(coarse, (columns * cell_px, rows * cell_px), interpolation=cv2.INTER_LINEAR)
    return np.asarray(fine[cell_px : cell_px + size_px[1], cell_px : cell_px + size_px[0]], np.float32)
