"""Background subtraction: a colour model of the mat, and how much every place of the table differs from it.

A mat's colours turn up all over the table, a piece's in one place. So a colour belongs to the mat when it is found in
many tiles of the table; and what changes as slowly as light does belongs to it wherever it is.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats32, Image, Indices, Mask

PX_PER_MM = 0.5  # of the maps made here
FOREGROUND = 2.5  # from here a place is not of the mat
_WEIGHTS = np.array([0.55, 1.0, 1.0, 1.2], np.float32)  # of brightness, tint, tint and texture: a shadow is no piece
_COLOURS = 10
_TILES = 10  # each way
_SHARE = 0.03  # of a tile: less than that of a colour is chance
_SPREAD = 0.33  # of the tiles: what is found in more of them is the mat's
_LEAST_SPREAD = 1.2  # of a colour, in units of CIELAB: what no mat falls below
_COARSE_MM = 8.0  # a mat's pattern evens out over this, a piece does not
_NEAR_MM = 90.0  # the mat is as it is around there, within this
_SAMPLE = 12000


@dataclass(frozen=True)
class BackgroundDifference:
    """Difference of each place from the mat, in spreads of the mat's own colour, at `PX_PER_MM`.

    `fine` ends where a piece does; `coarse` still tells a piece from a mat whose pattern is as strong, and blurs it.
    """

    fine: Floats32
    coarse: Floats32

    @property
    def mask(self) -> Mask:
        """Foreground mask: what is not mat."""
        return np.asarray((self.fine > FOREGROUND) | (self.coarse > FOREGROUND))

    def clearer_map(self, place: Mask) -> tuple[Floats32, float]:
        """The map by which that place is better told from the mat, the fine one if it can be, and how far it is."""
        inside = cv2.distanceTransform(np.pad(place, 1).astype(np.uint8), cv2.DIST_L2, 3)[1:-1, 1:-1]
        core = inside >= 0.5 * inside.max()  # the coarse map makes it larger than it is, not elsewhere
        fine = float(np.median(self.fine[core]))
        return (self.fine, fine) if fine > FOREGROUND else (self.coarse, float(np.median(self.coarse[core])))


def background_difference(picture: Image, px_per_mm: float, *, covered: Mask) -> BackgroundDifference:
    """Background subtraction, fine and coarse; `covered` (at `PX_PER_MM`) is where bases stand, which are neither."""
    fine = _remove_illumination(_colour_and_texture(picture, px_per_mm)) * _WEIGHTS
    coarse = cv2.GaussianBlur(fine, (0, 0), _COARSE_MM * PX_PER_MM).astype(np.float32)
    return BackgroundDifference(_difference_map(fine, ~covered), _difference_map(coarse, ~covered))


def _difference_map(looks: Floats32, free: Mask) -> Floats32:
    everywhere = _distance_to_modes(looks, free)
    return np.minimum(everywhere, _distance_to_surroundings(looks, free, everywhere))


def _colour_and_texture(picture: Image, px_per_mm: float) -> Floats32:
    """Brightness, tints and roughness of every place."""
    lab = cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    fine = lab[..., 0] - cv2.GaussianBlur(lab[..., 0], (0, 0), 2.5)
    both = np.dstack([lab, np.sqrt(np.maximum(cv2.blur(fine * fine, (9, 9)), 0))])
    scale = PX_PER_MM / px_per_mm
    size = max(5, round(picture.shape[1] * scale)), max(5, round(picture.shape[0] * scale))
    small = cv2.resize(both, size, interpolation=cv2.INTER_AREA)
    return np.dstack([cv2.medianBlur(np.ascontiguousarray(small[..., k]), 5) for k in range(4)]).astype(np.float32)


def _remove_illumination(looks: Floats32) -> Floats32:
    """The same without what the light does over the whole table."""
    height, width = looks.shape[:2]
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1).reshape(-1, 6)
    some, light = terms[::7], looks[..., 0].ravel()[::7]
    weight = np.ones_like(light)
    for _ in range(6):
        gains = np.linalg.lstsq(some * weight[:, None], light * weight, rcond=None)[0]
        off = np.abs(light - some @ gains)
        weight = 1 / (1 + (off / (1.5 * np.median(off) + 0.5)) ** 2)
    slope = (terms @ gains).reshape(height, width)
    flat = looks.copy()
    flat[..., 0] -= slope - np.median(slope)
    return flat


def _distance_to_modes(looks: Floats32, free: Mask) -> Floats32:
    """How far each look is from the nearest colour that is found all over the table."""
    some = looks[free]
    if len(some) < _COLOURS:
        return np.zeros(looks.shape[:2], np.float32)
    cv2.setRNGSeed(1)  # the same picture, the same answer
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.2)
    sample = np.ascontiguousarray(some[:: max(1, len(some) // _SAMPLE)])
    _, _, colours = cv2.kmeans(sample, _COLOURS, np.empty(0, np.int32), stop, 1, cv2.KMEANS_PP_CENTERS)
    flat = looks.reshape(-1, looks.shape[2])
    square = np.maximum((flat**2).sum(axis=1)[:, None] - 2 * flat @ colours.T + (colours**2).sum(axis=1), 0)
    nearest = square.argmin(axis=1).reshape(free.shape)
    best = np.full(len(flat), np.inf, np.float32)
    for k in _widespread_modes(nearest, free):
        own = ((nearest == k) & free).ravel()
        spread = float(np.sqrt(np.median(square[own, k]))) + _LEAST_SPREAD
        best = np.minimum(best, np.sqrt(square[:, k]) / spread)
    return best.reshape(free.shape).astype(np.float32)


def _widespread_modes(nearest: Indices, free: Mask) -> list[int]:
    """The colours found in many tiles; at least the commonest."""
    height, width = free.shape
    tile = (np.arange(height) * _TILES // height)[:, None] * _TILES + np.arange(width) * _TILES // width
    counts = np.bincount(tile[free] * _COLOURS + nearest[free], minlength=_TILES**2 * _COLOURS)
    counts = counts.reshape(-1, _COLOURS)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    wide = (shares > _SHARE).mean(axis=0) > _SPREAD
    wide[counts.sum(axis=0).argmax()] = True
    return [int(k) for k in np.flatnonzero(wide)]


def _distance_to_surroundings(looks: Floats32, free: Mask, unlike: Floats32) -> Floats32:
    """How far each look is from that of the mat around it."""
    quarter = [cv2.resize(looks[..., k], None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA) for k in range(4)]
    small = np.dstack(quarter).astype(np.float32)
    is_mat = (free & (unlike < FOREGROUND)).astype(np.float32)
    for _ in range(2):
        weight = np.asarray(cv2.resize(is_mat, small.shape[1::-1], interpolation=cv2.INTER_AREA), np.float32)
        mean, spread = _local_mean_and_spread(small, weight)
        size = looks.shape[1::-1]
        off = looks - np.dstack([cv2.resize(mean[..., k], size) for k in range(4)])
        away = np.sqrt((off**2).sum(axis=2)) / cv2.resize(spread, size)
        is_mat = (free & (np.minimum(away, unlike) < FOREGROUND)).astype(np.float32)
    return np.asarray(away, np.float32)


def _local_mean_and_spread(looks: Floats32, weight: Floats32) -> tuple[Floats32, Floats32]:
    """Mean and spread of the looks round every place, weighed."""
    sigma = _NEAR_MM * PX_PER_MM / 4 / 2
    total = cv2.GaussianBlur(weight, (0, 0), sigma) + 1e-4
    mean = np.dstack([cv2.GaussianBlur(looks[..., k] * weight, (0, 0), sigma) / total for k in range(4)])
    square = ((looks - mean) ** 2).sum(axis=2)
    variance = cv2.GaussianBlur(square * weight, (0, 0), sigma) / total
    return mean.astype(np.float32), np.sqrt(variance + _LEAST_SPREAD**2).astype(np.float32)
