"""What changed on the table between two pictures of it, and whether an arm reaches over its edge."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.camera import Camera, CameraPose
from vision.candidates import Box
from vision.fit import RimFit
from vision.footprint import Mask, share_of
from vision.rectify import Maps, Picture, Window, straightened, table_window, window_maps

_PX_PER_MM = 0.5
_EDGE_MM = 60.0  # how far beyond the table's edge is looked at: an arm crosses it, a miniature does not
_STEP = 16  # grey levels that are more than noise
_STILL_MM2 = 120.0  # less than this moving is noise
_ARM_MM2 = 400.0  # as much beyond the edge is an arm
_LAST_MM = 8.0
_HARD = 0.12  # of an arm that cannot be taken for its shadow
_GROW_MM = 12.0
_CLIPPED = 225  # grey levels of a mean of pixels of which some may be at their limit
_SPARSE, _AROUND = 8, 21  # the light is taken from every so many pixels, and evened over so many of those: 330 mm
_UNEVEN = 1.5  # how far the light of a region may leave that of the whole
_TINTED = 1.14  # a shadow's channels agree this well
_DARKEST = 0.42  # of the light a shadow leaves


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


@dataclass(frozen=True)
class Light:
    """How much brighter each region is than it was: (rows, columns, 3) gains, one for every few pixels of a view."""

    gains: NDArray[np.float32]

    @classmethod
    def between(cls, before: View, after: View, seen: Mask | None = None) -> "Light":
        """A lamp or an exposure changes whole regions alike; what stands in them changes less of them than half."""
        inside = (before.seen & after.seen if seen is None else seen)[::_SPARSE, ::_SPARSE]
        then, now = (one.picture[::_SPARSE, ::_SPARSE].astype(np.float32) + 1 for one in (before, after))
        gain = now / then
        whole = np.median(gain[inside], axis=0) if inside.any() else np.ones(3)
        gain[~inside] = whole
        levels = np.clip(np.rint(64 * gain / whole), 0, 255).astype(np.uint8)  # a median filter that takes bytes
        local = cv2.medianBlur(np.ascontiguousarray(levels), _AROUND).astype(np.float32) / 64
        return cls(np.clip(local, 1 / _UNEVEN, _UNEVEN) * whole.astype(np.float32))

    def on(self, picture: Picture) -> Picture:
        """The picture of before in the light of after."""
        gains = cv2.resize(self.gains, picture.shape[1::-1], interpolation=cv2.INTER_LINEAR)
        return np.asarray(cv2.multiply(picture, gains, dtype=cv2.CV_8U), np.uint8)

    def at(self, at_mm: tuple[float, float], window: Window) -> NDArray[np.float32]:
        """(3,) the gains at a place of the table."""
        (x, y) = window.to_px(np.array([at_mm]))[0] / _SPARSE
        row, column = (int(np.clip(round(at), 0, most - 1)) for at, most in zip((y, x), self.gains.shape, strict=False))
        return np.asarray(self.gains[row, column])


def changed(before: View, after: View) -> Mask:
    """Pixels that look different, a change of the light apart."""
    seen = before.seen & after.seen
    return _cleaned((_apart(before, after, seen) > _STEP) & seen)


def solidly_changed(before: View, after: View) -> Mask:
    """Of what changed, what is no mere shadow: a shadow darkens all colours alike and hides nothing."""
    seen = before.seen & after.seen
    different = (_apart(before, after, seen) > _STEP) & seen
    return _cleaned(different & ~_is_shaded(before.picture, after.picture))


def _cleaned(mask: Mask) -> Mask:
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)) > 0)


def _apart(before: View, after: View, seen: Mask) -> Picture:
    """By how many grey levels each pixel differs, in the channel in which it differs most.

    What a channel shows at its limit may be brighter still: it differs only from what is darker than the limit.
    """
    relit = Light.between(before, after, seen).on(before.picture)
    darker, brighter = cv2.subtract(relit, after.picture), cv2.subtract(after.picture, relit)
    cv2.bitwise_and(darker, _within(after.picture), dst=darker)
    cv2.bitwise_and(brighter, _within(before.picture), dst=brighter)
    blue, green, red = cv2.split(cv2.max(darker, brighter))
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)


def _within(picture: Picture) -> Picture:
    """255 where a channel is not at its limit, nor beside it: a view's pixel is the mean of several."""
    if int(picture.max()) < _CLIPPED:
        return np.full_like(picture, 255)
    within = cv2.threshold(picture, _CLIPPED - 1, 255, cv2.THRESH_BINARY_INV)[1]
    return np.asarray(cv2.erode(within, np.ones((5, 5), np.uint8)), np.uint8)


def _is_shaded(before: Picture, after: Picture) -> Mask:
    """Where every channel was darkened, or brightened, by the same share, and not beyond what a shadow does."""
    small = [cv2.GaussianBlur(one, (0, 0), 1.0).astype(np.float32) + 4.0 for one in (before, after)]
    ratio = small[1] / small[0]
    least, most = ratio.min(axis=2), ratio.max(axis=2)
    return np.asarray((most < _TINTED * least) & (least > _DARKEST) & (most < 1 / _DARKEST))


def is_still(mask: Mask, window: Window) -> bool:
    """Whether so little changed that nothing moved."""
    return _area_mm2(mask, window) < _STILL_MM2


def has_arm(change: Mask, solid: Mask, window: Window, seen: Mask) -> bool:
    """Whether something that is no mere shadow reaches across the table's edge, or out of what the camera sees.

    `change` is all that looks different, `solid` what of it is no shadow: a bare arm on wood may look like one in part.
    """
    rim = _rim(seen, window)
    if _area_mm2(change & rim, window) <= _ARM_MM2:
        return False
    _, labels = cv2.connectedComponents(change.astype(np.uint8))
    reaching = np.unique(labels[change & rim])
    across = np.isin(labels, reaching[reaching > 0])
    hard_mm2 = _area_mm2(across & solid, window)
    return hard_mm2 > max(_ARM_MM2, _HARD * _area_mm2(across, window))


def _rim(seen: Mask, window: Window) -> Mask:
    """The strip around the table, and the last centimetre that the camera sees of it."""
    edge_px = round(_EDGE_MM * window.px_per_mm)
    rim = np.ones(seen.shape, np.bool_)
    rim[edge_px:-edge_px, edge_px:-edge_px] = False
    reach = 2 * round(_LAST_MM * window.px_per_mm) + 1
    inner = cv2.erode(seen.astype(np.uint8), np.ones((reach, reach), np.uint8), borderValue=1)
    return np.asarray(rim | (inner == 0))


def touches(mask: Mask, window: Window, fit: RimFit) -> bool:
    """Whether a good part of this base's ground changed."""
    return share_of(mask, window, fit) > 0.12


def stands_on(mask: Mask, window: Window, fit: RimFit) -> bool:
    """Whether this base may have come with the change: much of its ground did not look so before."""
    return share_of(mask, window, fit) > 0.3


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


def _area_mm2(mask: Mask, window: Window) -> float:
    return float(mask.sum()) / window.px_per_mm**2
