"""Anchor patches: pieces of a picture that stand still with the table, on its fiducials and on all that has texture.

Where they are found again tells how the camera moved, far better than it tells where the camera hangs: what nobody
measured (how a print lies, how the lens bends) is the same before and after.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, Floats32, Image, Mask
from calibration.image import to_gray
from calibration.view import View
from models.layout import Marker

BACKGROUND = -1
_HALF_PX = 10  # a piece is 21 px wide
_FINEST_PX_PER_MM = 0.7  # a finer picture is made smaller by a whole number: less to do, less noise
_CELLS = (12, 9)  # of the table: one piece of background each
_MARGIN_MM = 110.0  # beyond the table's edge, where its fiducials lie
_IN_A_MARKER = (1 / 6, 1 / 2, 5 / 6)
_NOISE_GREY = 2.0
_MOST_SIGMA_PX = 0.15  # a piece that noise alone moves farther has too little texture
_ROUNDS = 6
_FAR_PX = 4.0  # farther than a piece can be followed without searching
_ALIKE = 0.7
_NEIGHBOURS = 4.0  # pixels share their noise with their neighbours, after blur and compression
_SEARCH_PX = 18
_SEARCHED = 40


@dataclass(frozen=True)
class SmallImage:
    """Grey image reduced by a whole number, slightly blurred."""

    gray: Image
    by: int

    def to_px(self, points_px: Floats) -> Floats:
        """From the camera's pixels to this picture's."""
        return np.asarray((points_px + 0.5) / self.by - 0.5)

    def from_px(self, points_px: Floats) -> Floats:
        """From this picture's pixels to the camera's."""
        return np.asarray((points_px + 0.5) * self.by - 0.5)


@dataclass(frozen=True)
class Anchors:
    """Anchor patches and where on the table they lie.

    `points_mm` (N, 3); `of` (N,): a fiducial's id or BACKGROUND; `piece` (N, M): grey values with mean 0 and spread 1;
    `slope` (N, M, 2): its derivative by px.
    """

    points_mm: Floats
    of: NDArray[np.int64]
    piece: Floats
    slope: Floats

    def __len__(self) -> int:
        return len(self.of)

    def select(self, kept: Mask) -> "Anchors":
        """The anchors that `kept` marks."""
        return Anchors(self.points_mm[kept], self.of[kept], self.piece[kept], self.slope[kept])

    def concatenate(self, other: "Anchors") -> "Anchors":
        """These anchors, then the others."""
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return Anchors(*(np.concatenate(pair) for pair in pairs))


@dataclass(frozen=True)
class AnchorShifts:
    """Shift of each anchor from where it was expected, (N, 2) px of the small image, and how well it is known."""

    shift_px: Floats
    covariance: Floats
    is_alike: Mask


def shrink_to_table_scale(image: Image, *, view: View) -> SmallImage:
    """The image at a pixel a millimetre or so."""
    return shrink_image(image, by=max(1, int(px_per_mm(view) / _FINEST_PX_PER_MM)))


def shrink_image(image: Image, *, by: int) -> SmallImage:
    """The grey image reduced by this whole number."""
    gray = to_gray(image)
    if by == 1:
        return SmallImage(np.asarray(cv2.GaussianBlur(gray, (0, 0), 0.8), np.uint8), 1)
    height, width = (side // by for side in gray.shape)
    whole = gray[: height * by, : width * by]
    return SmallImage(np.asarray(cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA), np.uint8), by)


def px_per_mm(view: View) -> float:
    """Scale at which the middle of the table is seen."""
    width, depth = view.table_mm
    by_place = view.project_jacobian([[width / 2, depth / 2, 0.0]])[0]
    return float(np.sqrt(abs(np.linalg.det(by_place))))


def select_anchors(small: SmallImage, *, view: View) -> Anchors:
    """Anchors: nine of every fiducial that the pose was found by, and the one with most texture of every cell."""
    known = view.used_markers()
    marker_mm = np.concatenate([_marker_points(marker) for marker in known] or [np.zeros((0, 3))])
    of = np.repeat([marker.id for marker in known], len(_IN_A_MARKER) ** 2)
    marker_px = np.rint(small.to_px(view.project(marker_mm)))
    ground_px = _textured_points(small, marker_px, view=view)
    at_px = np.concatenate([marker_px, ground_px])
    of = np.concatenate([of, np.full(len(ground_px), BACKGROUND)]).astype(np.int64)
    z_mm = np.concatenate([marker_mm[:, 2], np.zeros(len(ground_px))])
    return _cut_patches(small, at_px, of, z_mm, view=view)


def project_anchors(anchors: Anchors, small: SmallImage, *, view: View) -> Floats:
    """Expected places of the anchors under this pose, (N, 2) px of the small image."""
    return small.to_px(view.project(anchors.points_mm))


def measure_shifts(anchors: Anchors, small: SmallImage, expected_px: Floats) -> AnchorShifts:
    """Measure where the anchors are, near where they are expected, however bright it is now."""
    square = np.einsum("nmi,nmj->nij", anchors.slope, anchors.slope)
    inverse = np.linalg.inv(square + 1e-9 * np.eye(2))
    shift = np.zeros((len(anchors), 2))
    for _ in range(_ROUNDS):
        off = _normalise(_sample_patches(small, expected_px + shift)) - anchors.piece
        step = np.einsum("nij,nmj,nm->ni", inverse, anchors.slope, off)
        shift -= np.clip(step, -1.5, 1.5)
        if np.abs(step).max(initial=0) < 0.01:
            break
    off = _normalise(_sample_patches(small, expected_px + shift)) - anchors.piece
    spread = np.mean(off**2, axis=1)
    inside = np.hypot(*shift.T) < _FAR_PX
    alike = (1 - spread / 2 > _ALIKE) & inside & _is_within(small, expected_px + shift, margin=_HALF_PX)
    return AnchorShifts(shift, inverse * (_NEIGHBOURS * spread)[:, None, None], alike)


def search_shifts(anchors: Anchors, small: SmallImage, expected_px: Floats) -> AnchorShifts:
    """Search some of the anchors much farther away, to a pixel or two; the others are not alike."""
    shift, alike = np.zeros((len(anchors), 2)), np.zeros(len(anchors), np.bool_)
    reach = _HALF_PX + _SEARCH_PX
    usable = np.flatnonzero(_is_within(small, expected_px, margin=reach))
    for i in usable[np.linspace(0, len(usable) - 1, min(_SEARCHED, len(usable))).astype(int)]:
        x, y = np.rint(expected_px[i]).astype(int)
        around = small.gray[y - reach : y + reach + 1, x - reach : x + reach + 1].astype(np.float32)
        side = 2 * _HALF_PX + 1
        likeness = cv2.matchTemplate(
            around, anchors.piece[i].reshape(side, side).astype(np.float32), cv2.TM_CCOEFF_NORMED
        )
        _, best, _, at = cv2.minMaxLoc(likeness)
        shift[i] = np.array([x, y]) + np.array(at) - _SEARCH_PX - expected_px[i]
        alike[i] = best > _ALIKE
    return AnchorShifts(shift, np.tile(0.3 * np.eye(2), (len(anchors), 1, 1)), alike)


def _marker_points(marker: Marker) -> Floats:
    a, b, _, d = np.array(marker.corners_mm)
    return np.array([a + u * (b - a) + v * (d - a) for u in _IN_A_MARKER for v in _IN_A_MARKER])


def _textured_points(small: SmallImage, taken_px: Floats, *, view: View) -> Floats:
    """The place with most texture in every cell, away from the places that are taken, (N, 2) px."""
    strength = np.asarray(cv2.cornerMinEigenVal(small.gray, 2 * _HALF_PX + 1), np.float32)
    for x, y in taken_px:
        cv2.circle(strength, (int(x), int(y)), 2 * _HALF_PX, 0.0, -1)
    width, depth = view.layout.table_mm
    across = np.linspace(-_MARGIN_MM, width + _MARGIN_MM, _CELLS[0] + 1)
    along = np.linspace(-_MARGIN_MM, depth + _MARGIN_MM, _CELLS[1] + 1)
    knots = np.stack([*np.meshgrid(across, along), np.zeros((len(along), len(across)))], axis=-1)
    knots_px = small.to_px(view.project(knots.reshape(-1, 3))).reshape(*knots.shape[:2], 2)
    textured = []
    for row in range(_CELLS[1]):
        for column in range(_CELLS[0]):
            corners = knots_px[row : row + 2, column : column + 2].reshape(-1, 2)
            best = _strongest_point(strength, corners, small)
            if best is not None:
                textured.append(best)
    return np.array(textured, np.float64).reshape(-1, 2)


def _strongest_point(strength: Floats32, corners_px: Floats, small: SmallImage) -> tuple[int, int] | None:
    if not np.all(np.isfinite(corners_px)):
        return None
    height, width = small.gray.shape
    edge = _HALF_PX + 2
    low = np.maximum(np.ceil(corners_px.min(axis=0)), edge).astype(int)
    high = np.minimum(np.floor(corners_px.max(axis=0)), (width - edge, height - edge)).astype(int)
    if np.any(high - low < 2):
        return None
    _, best, _, (x, y) = cv2.minMaxLoc(strength[low[1] : high[1], low[0] : high[0]])
    return (int(low[0] + x), int(low[1] + y)) if best > 0 else None


def _cut_patches(small: SmallImage, at_px: Floats, of: NDArray[np.int64], z_mm: Floats, *, view: View) -> Anchors:
    """The pieces at these places that the picture holds whole and that have texture enough."""
    kept = _is_within(small, at_px, margin=_HALF_PX + 2)
    at_px, of, z_mm = at_px[kept], of[kept], z_mm[kept]
    grey = _sample_patches(small, at_px)
    side = 2 * _HALF_PX + 1
    wide = _sample_patches(small, at_px, half=_HALF_PX + 1).reshape(-1, side + 2, side + 2)
    slope = np.stack([wide[:, 1:-1, 2:] - wide[:, 1:-1, :-2], wide[:, 2:, 1:-1] - wide[:, :-2, 1:-1]], axis=-1) / 2
    slope = slope.reshape(len(grey), -1, 2)
    square = np.einsum("nmi,nmj->nij", slope, slope)
    weakest = np.linalg.eigvalsh(square)[:, 0]
    good = _MOST_SIGMA_PX * np.sqrt(np.maximum(weakest, 0)) > _NOISE_GREY
    spread = grey.std(axis=1)[:, None, None]
    places = view.intersect_plane(small.from_px(at_px), z_mm=z_mm)
    with np.errstate(divide="ignore", invalid="ignore"):
        all_ = Anchors(np.column_stack([places, z_mm]), of, _normalise(grey), slope / spread)
    return all_.select(good & np.all(np.isfinite(places), axis=1))


def _sample_patches(small: SmallImage, at_px: Floats, *, half: int = _HALF_PX) -> Floats:
    """The grey values around each place, (N, pixels), row by row."""
    steps = np.arange(-half, half + 1, dtype=np.float32)
    x = at_px[:, 0].astype(np.float32)[:, None, None] + steps[None, None, :]
    y = at_px[:, 1].astype(np.float32)[:, None, None] + steps[None, :, None]
    x, y = np.broadcast_arrays(x, y)
    flat = (len(at_px), (2 * half + 1) ** 2)
    seen = cv2.remap(small.gray, x.reshape(flat), y.reshape(flat), cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.float64).reshape(flat)


def _normalise(grey: Floats) -> Floats:
    """With mean 0 and spread 1: a lamp that was dimmed changes nothing."""
    off = grey - grey.mean(axis=1, keepdims=True)
    return np.asarray(off / np.maximum(off.std(axis=1, keepdims=True), 1e-6))


def _is_within(small: SmallImage, at_px: Floats, *, margin: int) -> Mask:
    height, width = small.gray.shape
    limit = np.array([width, height]) - 1 - margin
    with np.errstate(invalid="ignore"):
        return np.asarray(np.all((at_px >= margin) & (at_px <= limit), axis=1))
