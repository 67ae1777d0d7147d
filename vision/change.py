"""What changed on the table between two pictures of it, and whether an arm reaches over its edge."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.camera import Camera, CameraPose
from vision.candidates import Box
from vision.fit import RimFit
from vision.rectify import Maps, Picture, Window, straightened, table_window, window_maps

Mask = NDArray[np.bool_]

_PX_PER_MM = 0.5
_EDGE_MM = 60.0  # how far beyond the table's edge is looked at: an arm crosses it, a miniature does not
_STEP = 16  # grey levels that are more than noise
_STILL_MM2 = 120.0  # less than this moving is noise
_ARM_MM2 = 400.0  # as much beyond the edge is an arm
_GROW_MM = 12.0


@dataclass(frozen=True)
class View:
    """A small picture of the table and a strip around it, and which pixels of it the camera can see."""

    picture: Picture
    seen: Mask


class Overview:
    """Makes small straightened views of the table while the camera stands still."""

    def __init__(self, table_mm: tuple[float, float], *, camera: Camera, pose: CameraPose) -> None:
        self.window = table_window(table_mm, px_per_mm=_PX_PER_MM, margin_mm=_EDGE_MM)
        self._maps: Maps = window_maps(self.window, camera=camera, pose=pose)
        width, height = camera.image_size
        x, y = self._maps[..., 0], self._maps[..., 1]
        self._seen: Mask = (x > 1) & (y > 1) & (x < width - 2) & (y < height - 2)

    def of(self, image: Picture) -> View:
        return View(cv2.GaussianBlur(straightened(image, self._maps), (0, 0), 1.0).astype(np.uint8), self._seen)


def changed(before: View, after: View) -> Mask:
    """Pixels that look different, a change of the whole light apart."""
    seen = before.seen & after.seen
    off = cv2.absdiff(_relit(before.picture, after.picture, seen), after.picture)
    strongest = cv2.max(cv2.max(off[..., 0], off[..., 1]), off[..., 2])
    mask = ((strongest > _STEP) & seen).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)) > 0)


def _relit(picture: Picture, like: Picture, seen: Mask) -> Picture:
    """The picture as brightly lit as the other: a lamp, or a camera's exposure, makes all grey levels larger alike."""
    sparse = (slice(None, None, 9), slice(None, None, 9))
    inside = seen[sparse]
    if not inside.any():
        return picture
    now, then = (one[sparse][inside].astype(np.float64) + 1 for one in (like, picture))
    gains = np.median(now / then, axis=0)
    levels = np.clip(np.rint(np.outer(np.arange(256), gains)), 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(picture, levels[:, None, :]), np.uint8)


def is_still(mask: Mask, window: Window) -> bool:
    """Whether so little changed that nothing moved."""
    return _area_mm2(mask, window) < _STILL_MM2


def has_arm(mask: Mask, window: Window) -> bool:
    """Whether the change reaches across the table's edge."""
    edge_px = round(_EDGE_MM * window.px_per_mm)
    beyond = mask.copy()
    beyond[edge_px:-edge_px, edge_px:-edge_px] = False
    return _area_mm2(beyond, window) > _ARM_MM2


def touches(mask: Mask, window: Window, fit: RimFit) -> bool:
    """Whether a good part of this base's ground changed."""
    return _share(mask, window, fit) > 0.12


def stands_on(mask: Mask, window: Window, fit: RimFit) -> bool:
    """Whether this base may have come with the change: much of its ground did not look so before."""
    return _share(mask, window, fit) > 0.3


def boxes_of(mask: Mask, window: Window) -> tuple[Box, ...]:
    """Boxes in table mm that hold all changes, those near each other together."""
    grow = round(_GROW_MM * window.px_per_mm)
    grown = cv2.dilate(mask.astype(np.uint8), np.ones((2 * grow + 1, 2 * grow + 1), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(grown)
    found = []
    for x, y, width, height, _area in stats[1:count]:
        corners = window.to_mm(np.array([[x, y + height], [x + width, y]], np.float64))
        (x0, y0), (x1, y1) = corners.tolist()
        found.append((x0, y0, x1, y1))
    return tuple(found)


def _share(mask: Mask, window: Window, fit: RimFit) -> float:
    (x, y), reach = window.to_px(np.array([fit.at_mm]))[0], fit.base.radius_mm * window.px_per_mm
    rows, columns = np.ogrid[: mask.shape[0], : mask.shape[1]]
    disc = (columns - x) ** 2 + (rows - y) ** 2 <= reach**2
    return float(mask[disc].mean()) if disc.any() else 0.0


def _area_mm2(mask: Mask, window: Window) -> float:
    return float(mask.sum()) / window.px_per_mm**2
