"""Change detection between two views of the table: whether an arm reaches over its edge, which bases it touches."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Image, Mask
from models.base import OvalBase, RoundBase
from models.camera import Camera, CameraPose
from vision.candidates import Box
from vision.measurement.base_fit import BaseFit
from vision.rectification.rectify import Window, rectification_maps, rectify, table_window

Crop = tuple[slice, slice]  # rows and columns of a picture
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
class RectifiedView:
    """Small rectified picture of the table and a strip around it, and which of its pixels the camera can see."""

    picture: Image
    seen: Mask


class Overview:
    """Rectifies small views of the table while the camera stands still."""

    def __init__(self, table_mm: tuple[float, float], *, camera: Camera, pose: CameraPose) -> None:
        self.window = table_window(table_mm, px_per_mm=_PX_PER_MM, margin_mm=_EDGE_MM)
        self._maps: Floats32 = rectification_maps(self.window, camera=camera, pose=pose)
        width, height = camera.image_size
        x, y = self._maps[..., 0], self._maps[..., 1]
        self._seen: Mask = (x > 1) & (y > 1) & (x < width - 2) & (y < height - 2)

    def make_view(self, image: Image) -> RectifiedView:
        """The view of this image."""
        return RectifiedView(cv2.GaussianBlur(rectify(image, self._maps), (0, 0), 1.0).astype(np.uint8), self._seen)


@dataclass(frozen=True)
class Illumination:
    """Illumination gains, region by region: (rows, columns, 3), one for every few pixels of a view."""

    gains: Floats32

    @classmethod
    def estimate(cls, before: RectifiedView, after: RectifiedView, seen: Mask | None = None) -> "Illumination":
        """Local medians: a lamp changes whole regions alike; what stands in them changes less of them than half."""
        inside = (before.seen & after.seen if seen is None else seen)[::_SPARSE, ::_SPARSE]
        then, now = (view.picture[::_SPARSE, ::_SPARSE].astype(np.float32) + 1 for view in (before, after))
        gain = now / then
        whole = np.median(gain[inside], axis=0) if inside.any() else np.ones(3)
        gain[~inside] = whole
        levels = np.clip(np.rint(64 * gain / whole), 0, 255).astype(np.uint8)  # a median filter that takes bytes
        local = cv2.medianBlur(np.ascontiguousarray(levels), _AROUND).astype(np.float32) / 64
        return cls(np.clip(local, 1 / _UNEVEN, _UNEVEN) * whole.astype(np.float32))

    def relight(self, picture: Image) -> Image:
        """The picture of before in the light of after."""
        gains = cv2.resize(self.gains, picture.shape[1::-1], interpolation=cv2.INTER_LINEAR)
        return np.asarray(cv2.multiply(picture, gains, dtype=cv2.CV_8U), np.uint8)

    def gains_at(self, at_mm: tuple[float, float], window: Window) -> Floats32:
        """(3,) the gains at a place of the table."""
        (x, y) = window.to_px(np.array([at_mm]))[0] / _SPARSE
        row, column = (int(np.clip(round(at), 0, most - 1)) for at, most in zip((y, x), self.gains.shape, strict=False))
        return np.asarray(self.gains[row, column])


def detect_change(before: RectifiedView, after: RectifiedView) -> Mask:
    """Mask of pixels that look different, a change of the light apart."""
    seen = before.seen & after.seen
    return _remove_specks((_grey_difference(before, after, seen) > _STEP) & seen)


def detect_solid_change(before: RectifiedView, after: RectifiedView) -> Mask:
    """Mask of the change that is no mere shadow: a shadow darkens all colours alike and hides nothing."""
    seen = before.seen & after.seen
    different = (_grey_difference(before, after, seen) > _STEP) & seen
    return _remove_specks(different & ~_is_shaded(before.picture, after.picture))


def _remove_specks(mask: Mask) -> Mask:
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)) > 0)


def _grey_difference(before: RectifiedView, after: RectifiedView, seen: Mask) -> Image:
    """By how many grey levels each pixel differs, in the channel in which it differs most.

    What a channel shows at its limit may be brighter still: it differs only from what is darker than the limit.
    """
    relit = Illumination.estimate(before, after, seen).relight(before.picture)
    darker, brighter = cv2.subtract(relit, after.picture), cv2.subtract(after.picture, relit)
    cv2.bitwise_and(darker, _unclipped_mask(after.picture), dst=darker)
    cv2.bitwise_and(brighter, _unclipped_mask(before.picture), dst=brighter)
    blue, green, red = cv2.split(cv2.max(darker, brighter))
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)


def _unclipped_mask(picture: Image) -> Image:
    """255 where a channel is not at its limit, nor beside it: a view's pixel is the mean of several."""
    if int(picture.max()) < _CLIPPED:
        return np.full_like(picture, 255)
    within = cv2.threshold(picture, _CLIPPED - 1, 255, cv2.THRESH_BINARY_INV)[1]
    return np.asarray(cv2.erode(within, np.ones((5, 5), np.uint8)), np.uint8)


def _is_shaded(before: Image, after: Image) -> Mask:
    """Where every channel was darkened, or brightened, by the same share, and not beyond what a shadow does."""
    small = [cv2.GaussianBlur(picture, (0, 0), 1.0).astype(np.float32) + 4.0 for picture in (before, after)]
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
    rim = _edge_strip(seen, window)
    if _area_mm2(change & rim, window) <= _ARM_MM2:
        return False
    _, labels = cv2.connectedComponents(change.astype(np.uint8))
    reaching = np.unique(labels[change & rim])
    across = np.isin(labels, reaching[reaching > 0])
    hard_mm2 = _area_mm2(across & solid, window)
    return hard_mm2 > max(_ARM_MM2, _HARD * _area_mm2(across, window))


def _edge_strip(seen: Mask, window: Window) -> Mask:
    """The strip around the table, and the last centimetre that the camera sees of it."""
    edge_px = round(_EDGE_MM * window.px_per_mm)
    rim = np.ones(seen.shape, np.bool_)
    rim[edge_px:-edge_px, edge_px:-edge_px] = False
    reach = 2 * round(_LAST_MM * window.px_per_mm) + 1
    inner = cv2.erode(seen.astype(np.uint8), np.ones((reach, reach), np.uint8), borderValue=1)
    return np.asarray(rim | (inner == 0))


def is_touched(mask: Mask, window: Window, fit: BaseFit) -> bool:
    """Whether a good part of this base's ground changed."""
    return covered_share(mask, window, fit) > 0.12


def is_on_change(mask: Mask, window: Window, fit: BaseFit) -> bool:
    """Whether this base may have come with the change: much of its ground did not look so before."""
    return covered_share(mask, window, fit) > 0.3


def change_boxes(mask: Mask, window: Window) -> tuple[Box, ...]:
    """Boxes in table mm that hold all changes, those near each other together."""
    grow = round(_GROW_MM * window.px_per_mm)
    grown = cv2.dilate(mask.astype(np.uint8), np.ones((2 * grow + 1, 2 * grow + 1), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(grown)
    boxes = []
    for x, y, width, height, _area in stats[1:count]:
        corners = window.to_mm(np.array([[x, y + height], [x + width, y]], np.float64))
        (x0, y0), (x1, y1) = corners.tolist()
        boxes.append((x0, y0, x1, y1))
    return tuple(boxes)


def _area_mm2(mask: Mask, window: Window) -> float:
    return float(mask.sum()) / window.px_per_mm**2


def crop_around(shape: tuple[int, ...], window: Window, fit: BaseFit, *, margin_mm: float = 0.0) -> Crop:
    """Rows and columns that hold the base and so much ground around it."""
    base = fit.base
    half_mm = base.radius_mm if isinstance(base, RoundBase) else float(np.hypot(base.width_mm, base.depth_mm)) / 2
    (x, y), reach = window.to_px(np.array([fit.at_mm]))[0], (half_mm + margin_mm) * window.px_per_mm + 1
    (top, bottom), (left, right) = (
        np.clip([int(at - reach), int(at + reach) + 2], 0, most).tolist() for at, most in ((y, shape[0]), (x, shape[1]))
    )
    return slice(top, bottom), slice(left, right)


def rim_distance_mm(part: Crop, window: Window, fit: BaseFit) -> Floats:
    """Distance of each pixel of this crop beyond the base's rim; negative on the base."""
    (x, y), base = window.to_px(np.array([fit.at_mm]))[0], fit.base
    rows, columns = np.ogrid[part]
    right, up = (columns - x) / window.px_per_mm, (y - rows) / window.px_per_mm
    if isinstance(base, RoundBase):
        return np.asarray(np.hypot(right, up) - base.radius_mm)
    cos, sin = np.cos(fit.turn_rad), np.sin(fit.turn_rad)
    along, aside = np.abs(right * cos + up * sin), np.abs(up * cos - right * sin)
    if isinstance(base, OvalBase):
        return np.asarray((np.hypot(along * 2 / base.depth_mm, aside * 2 / base.width_mm) - 1) * fit.inradius_mm)
    return np.asarray(np.maximum(along - base.depth_mm / 2, aside - base.width_mm / 2))


def base_mask(fit: BaseFit, window: Window, shape: tuple[int, ...]) -> Mask:
    """Mask of this base's ground in the whole view."""
    ground, part = np.zeros(shape, np.bool_), crop_around(shape, window, fit)
    ground[part] = rim_distance_mm(part, window, fit) <= 0
    return ground


def covered_share(mask: Mask, window: Window, fit: BaseFit) -> float:
    """Share of the base's ground that is in the mask."""
    part = crop_around(mask.shape, window, fit)
    inside = mask[part][rim_distance_mm(part, window, fit) <= 0]
    return float(inside.mean()) if inside.size else 0.0
