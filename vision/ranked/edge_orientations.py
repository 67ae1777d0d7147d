"""Orientation histograms: where in a picture straight edges keep to one angle and its square, rectangles may lie.

The picture is cut into cells; each collects the orientations of its gradients, and neighbouring cells are summed.
Texture has gradients in every direction alike, the sides of a rectangle in two.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Image, Indices, Ints32, Mask
from vision.detection.hough_voting import double_angle_gradient
from vision.rectification.rectify import Window
from vision.rectification.tone_curve import tone_mapped

PX_PER_MM = 0.8
_CELL_PX = 6
_BINS = 30  # over a quarter turn: 3 degrees each
_BOTH = 5.0  # times the edges that run along, or across, whichever are fewer: more is but one long line
_HALF_CONFIDENCE = 8.0  # grey levels per pixel at which a step counts half
_LEAST_STEP = 3.0
_BLUR_PX = 0.8
_AROUND = 5  # squares taken together, each way
_FORGET_RAD = np.radians(7.0)
_TONES = tone_mapped(np.arange(256, dtype=np.uint8))


@dataclass(frozen=True)
class EdgeOrientation:
    """Dominant orientation: about here edges run along `turn_rad` (0 to a quarter turn) and across it."""

    at_mm: tuple[float, float]
    turn_rad: float
    strength: float


class OrientationMap:
    """Orientation histograms of a rectified picture, by cell, within a polygon (N, 2).

    `least`: by how many pixels of edge the best angle must outdo the others together.
    """

    def __init__(self, steps: "EdgePixels", window: Window, *, inside_mm: Floats, least: float) -> None:
        self._window, self._least = window, least
        self._counts = _orientation_histograms(steps, window.size_px[::-1])
        self._counts[self._mask(inside_mm) == 0] = 0.0
        self._excess = _excess(self._counts)
        self._best = self._excess.max(axis=2)

    def strongest(self) -> EdgeOrientation | None:
        """The cell where most edges agree, of those not suppressed; None when nowhere enough do."""
        row, column = np.unravel_index(int(self._best.argmax()), self._best.shape)
        here = self._excess[row, column]
        bin_ = int(here.argmax())
        if here[bin_] < self._least:
            return None
        near = np.array([here[(bin_ + k) % _BINS] for k in (-1, 0, 1)])
        near = near - near.min()
        shift = float((near[2] - near[0]) / max(near.sum(), 1e-6))
        ((x, y),) = self._window.to_mm(np.array([[column, row]], np.float64) * _CELL_PX + _CELL_PX / 2).tolist()
        turn = (bin_ + 0.5 + shift) * (np.pi / 2 / _BINS)
        return EdgeOrientation((x, y), float(turn % (np.pi / 2)), float(here[bin_]))

    def suppress(self, inside_mm: Floats, turn_rad: float | None = None) -> None:
        """Suppresses the cells within this polygon (N, 2), or only their edges near this angle."""
        at, mask = self._cells(inside_mm), self._mask(inside_mm)
        rows, columns = self._best.shape
        (left, top), (right, bottom) = np.maximum(at.min(axis=0), 0), np.minimum(at.max(axis=0) + 1, (columns, rows))
        if left >= right or top >= bottom:  # a block may be seen beyond the ends of the picture
            return
        counts, inside = self._counts[top:bottom, left:right], mask[top:bottom, left:right] > 0
        counts[inside] *= np.zeros(2 * _BINS, np.float32) if turn_rad is None else _mask_away_from(turn_rad)
        self._update_excess(int(top), int(bottom), int(left), int(right))

    def keep(self, inside_mm: Sequence[Floats]) -> None:
        """Keeps only the cells within these polygons, each (N, 2)."""
        mask = np.zeros(self._counts.shape[:2], np.uint8)
        for polygon in inside_mm:
            cv2.fillPoly(mask, [self._cells(polygon)], 1)
        self._best[mask == 0] = 0.0
        self._excess[mask == 0] = 0.0
        self._counts[mask == 0] = 0.0

    def _cells(self, at_mm: Floats) -> Ints32:
        return np.rint((self._window.to_px(at_mm) - _CELL_PX / 2) / _CELL_PX).astype(np.int32)

    def _mask(self, inside_mm: Floats) -> Image:
        mask = np.zeros(self._counts.shape[:2], np.uint8)
        cv2.fillPoly(mask, [self._cells(inside_mm)], 1)
        return mask

    def _update_excess(self, top: int, bottom: int, left: int, right: int) -> None:
        """Recompute what these rows and columns have a part in."""
        inner = [slice(max(0, low - _AROUND), high + _AROUND) for low, high in ((top, bottom), (left, right))]
        outer = [slice(max(0, part.start - _AROUND), part.stop + _AROUND) for part in inner]
        excess = _excess(self._counts[outer[0], outer[1]])
        rows, columns = (
            slice(part.start - wide.start, part.stop - wide.start) for part, wide in zip(inner, outer, strict=True)
        )
        self._excess[inner[0], inner[1]] = excess[rows, columns]
        self._best[inner[0], inner[1]] = excess[rows, columns].max(axis=2)


def _mask_away_from(turn_rad: float) -> Floats32:
    """1 for each angle that is not near this one."""
    middle = (np.arange(2 * _BINS) + 0.5) * (np.pi / 2 / _BINS)
    off = np.abs((middle - turn_rad + np.pi / 4) % (np.pi / 2) - np.pi / 4)
    return np.asarray(off >= _FORGET_RAD, np.float32)


@dataclass(frozen=True)
class EdgePixels:
    """Edge pixels of a picture: the confidence in each, 0 to 1, and the angle of its edge's normal, over half a
    turn."""

    rows: Indices
    columns: Indices
    confidence: Floats32
    angle_rad: Floats32


def grey_edges(picture: Image) -> EdgePixels:
    """Edge pixels by steps in brightness."""
    grey = _grey(picture)
    soft = cv2.GaussianBlur(cv2.LUT(grey, _TONES), (0, 0), _BLUR_PX)
    across, down = (cv2.Sobel(soft, cv2.CV_32F, *axes, scale=1 / 8) for axes in ((1, 0), (0, 1)))
    strength = cv2.magnitude(across, down)
    rows, columns = np.nonzero((strength > _LEAST_STEP) & _is_in_view(grey))
    step, x, y = (np.asarray(values[rows, columns], np.float32) for values in (strength, across, down))
    angle = np.asarray(np.arctan2(-y, x) % np.pi, np.float32)  # rows run the other way than the table's y
    return EdgePixels(rows, columns, step / (step + _HALF_CONFIDENCE), angle)


def colour_edges(picture: Image) -> EdgePixels:
    """Edge pixels by steps between any two colours, however bright."""
    cosines, sines = double_angle_gradient(picture, blur_px=_BLUR_PX, half_vote=_HALF_CONFIDENCE * math.sqrt(3))
    felt = np.asarray(cv2.magnitude(cosines, sines), np.float32)
    rows, columns = np.nonzero((felt > _LEAST_STEP / (_LEAST_STEP + _HALF_CONFIDENCE)) & _is_in_view(_grey(picture)))
    twice = np.arctan2(-sines[rows, columns], cosines[rows, columns])
    return EdgePixels(rows, columns, felt[rows, columns], np.asarray(twice / 2 % np.pi, np.float32))


def _grey(picture: Image) -> Image:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def _is_in_view(grey: Image) -> Mask:
    """Pixels not beside what the camera does not see."""
    return np.asarray(cv2.dilate((grey == 0).astype(np.uint8), np.ones((7, 7), np.uint8)) == 0)


def _orientation_histograms(steps: EdgePixels, shape: tuple[int, ...]) -> Floats32:
    """(rows, columns, bins): how many pixels of edge run at each angle, over half a turn, in each square."""
    bins = np.minimum((steps.angle_rad * (_BINS / (np.pi / 2))).astype(np.intp), 2 * _BINS - 1)
    height, width = (side // _CELL_PX + 1 for side in shape[:2])
    place = ((steps.rows // _CELL_PX) * width + steps.columns // _CELL_PX) * 2 * _BINS + bins
    counts = np.bincount(place, steps.confidence, height * width * 2 * _BINS)
    return np.asarray(counts.reshape(height, width, 2 * _BINS), np.float32)


def _excess(counts: Floats32) -> Floats32:
    """How many pixels of edge each angle and its square have around each square, over what they have by chance where
    edges run in all directions."""
    wide = cv2.blur(counts, (_AROUND, _AROUND), borderType=cv2.BORDER_CONSTANT) * np.float32(_AROUND**2)
    near = wide + 0.5 * (np.roll(wide, 1, axis=2) + np.roll(wide, -1, axis=2))
    along, across = near[..., :_BINS], near[..., _BINS:]
    around = np.minimum(along + across, _BOTH * np.minimum(along, across))
    mean = around.mean(axis=2, keepdims=True)
    return np.asarray(around - mean - 2 * np.sqrt(mean), np.float32)
