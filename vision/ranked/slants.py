"""Where in a picture straight edges keep to one angle and its square: there rectangles may lie.

The picture is cut into small squares; each collects the directions of its colour steps, and neighbouring squares are
taken together. Texture steps in every direction alike, the sides of a rectangle in two.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rectify import Window
from vision.tone import perceived
from vision.voting import steps_of

Map = NDArray[np.float32]
Picture = NDArray[np.uint8]
Ints = NDArray[np.intp]

PX_PER_MM = 0.8
_CELL_PX = 6
_BINS = 30  # over a quarter turn: 3 degrees each
_BOTH = 5.0  # times the edges that run along, or across, whichever are fewer: more is but one long line
_HALF_FELT = 8.0  # grey levels per pixel at which a step counts half
_LEAST_STEP = 3.0
_BLUR_PX = 0.8
_AROUND = 5  # squares taken together, each way
_FORGET_RAD = np.radians(7.0)
_TONES = perceived(np.arange(256, dtype=np.uint8))


@dataclass(frozen=True)
class Slant:
    """About here edges run along `turn_rad` (0 to a quarter turn) and across it."""

    at_mm: tuple[float, float]
    turn_rad: float
    strength: float


class Slants:
    """The directions of the steps of a straightened picture, by place, within a polygon (N, 2). `least`: by how many
    pixels of edge the best angle must outdo the others together."""

    def __init__(self, steps: "Steps", window: Window, *, inside_mm: NDArray[np.float64], least: float) -> None:
        self._window, self._least = window, least
        self._counts = _counted(steps, window.size_px[::-1])
        self._counts[self._mask(inside_mm) == 0] = 0.0
        self._excess = _excess(self._counts)
        self._best = self._excess.max(axis=2)

    def strongest(self) -> Slant | None:
        """Where most edges agree, of those not forgotten; None when nowhere enough do."""
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
        return Slant((x, y), float(turn % (np.pi / 2)), float(here[bin_]))

    def forget(self, inside_mm: NDArray[np.float64], turn_rad: float | None = None) -> None:
        """Leave out the squares within this polygon (N, 2); only the steps near this angle when one is given."""
        at, mask = self._cells(inside_mm), self._mask(inside_mm)
        rows, columns = self._best.shape
        (left, top), (right, bottom) = np.maximum(at.min(axis=0), 0), np.minimum(at.max(axis=0) + 1, (columns, rows))
        if left >= right or top >= bottom:  # a block may be seen beyond the ends of the picture
            return
        counts, inside = self._counts[top:bottom, left:right], mask[top:bottom, left:right] > 0
        counts[inside] *= np.zeros(2 * _BINS, np.float32) if turn_rad is None else _away_from(turn_rad)
        self._look_again(int(top), int(bottom), int(left), int(right))

    def _cells(self, at_mm: NDArray[np.float64]) -> NDArray[np.int32]:
        return np.rint((self._window.to_px(at_mm) - _CELL_PX / 2) / _CELL_PX).astype(np.int32)

    def _mask(self, inside_mm: NDArray[np.float64]) -> Picture:
        mask = np.zeros(self._counts.shape[:2], np.uint8)
        cv2.fillPoly(mask, [self._cells(inside_mm)], 1)
        return mask

    def _look_again(self, top: int, bottom: int, left: int, right: int) -> None:
        """Work out anew what these rows and columns have a part in."""
        inner = [slice(max(0, low - _AROUND), high + _AROUND) for low, high in ((top, bottom), (left, right))]
        outer = [slice(max(0, one.start - _AROUND), one.stop + _AROUND) for one in inner]
        found = _excess(self._counts[outer[0], outer[1]])
        rows, columns = (
            slice(one.start - wide.start, one.stop - wide.start) for one, wide in zip(inner, outer, strict=True)
        )
        self._excess[inner[0], inner[1]] = found[rows, columns]
        self._best[inner[0], inner[1]] = found[rows, columns].max(axis=2)


def _away_from(turn_rad: float) -> Map:
    """1 for each angle that is not near this one."""
    middle = (np.arange(2 * _BINS) + 0.5) * (np.pi / 2 / _BINS)
    off = np.abs((middle - turn_rad + np.pi / 4) % (np.pi / 2) - np.pi / 4)
    return np.asarray(off >= _FORGET_RAD, np.float32)


@dataclass(frozen=True)
class Steps:
    """The pixels of a picture at which something begins: how much each is felt, 0 to 1, and at which angle its edge's
    normal is, over half a turn."""

    rows: Ints
    columns: Ints
    felt: Map
    angle_rad: Map


def grey_steps(picture: Picture) -> Steps:
    """Steps in brightness."""
    grey = _grey(picture)
    soft = cv2.GaussianBlur(cv2.LUT(grey, _TONES), (0, 0), _BLUR_PX)
    across, down = (cv2.Sobel(soft, cv2.CV_32F, *way, scale=1 / 8) for way in ((1, 0), (0, 1)))
    strength = cv2.magnitude(across, down)
    rows, columns = np.nonzero((strength > _LEAST_STEP) & _is_seen(grey))
    step, x, y = (np.asarray(one[rows, columns], np.float32) for one in (strength, across, down))
    angle = np.asarray(np.arctan2(-y, x) % np.pi, np.float32)  # rows run the other way than the table's y
    return Steps(rows, columns, step / (step + _HALF_FELT), angle)


def colour_steps(picture: Picture) -> Steps:
    """Steps between any two colours, however bright."""
    cosines, sines = steps_of(picture, blur_px=_BLUR_PX, half_vote=_HALF_FELT * math.sqrt(3))
    felt = np.asarray(cv2.magnitude(cosines, sines), np.float32)
    rows, columns = np.nonzero((felt > _LEAST_STEP / (_LEAST_STEP + _HALF_FELT)) & _is_seen(_grey(picture)))
    twice = np.arctan2(-sines[rows, columns], cosines[rows, columns])
    return Steps(rows, columns, felt[rows, columns], np.asarray(twice / 2 % np.pi, np.float32))


def _grey(picture: Picture) -> Picture:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def _is_seen(grey: Picture) -> NDArray[np.bool_]:
    """Pixels not beside what the camera does not see."""
    return np.asarray(cv2.dilate((grey == 0).astype(np.uint8), np.ones((7, 7), np.uint8)) == 0)


def _counted(steps: Steps, shape: tuple[int, ...]) -> Map:
    """(rows, columns, bins): how many pixels of edge run at each angle, over half a turn, in each square."""
    bins = np.minimum((steps.angle_rad * (_BINS / (np.pi / 2))).astype(np.intp), 2 * _BINS - 1)
    height, width = (side // _CELL_PX + 1 for side in shape[:2])
    place = ((steps.rows // _CELL_PX) * width + steps.columns // _CELL_PX) * 2 * _BINS + bins
    counts = np.bincount(place, steps.felt, height * width * 2 * _BINS)
    return np.asarray(counts.reshape(height, width, 2 * _BINS), np.float32)


def _excess(counts: Map) -> Map:
    """How many pixels of edge each angle and its square have around each square, over what they have by chance where
    edges run in all directions."""
    wide = cv2.blur(counts, (_AROUND, _AROUND), borderType=cv2.BORDER_CONSTANT) * np.float32(_AROUND**2)
    near = wide + 0.5 * (np.roll(wide, 1, axis=2) + np.roll(wide, -1, axis=2))
    along, across = near[..., :_BINS], near[..., _BINS:]
    around = np.minimum(along + across, _BOTH * np.minimum(along, across))
    mean = around.mean(axis=2, keepdims=True)
    return np.asarray(around - mean - 2 * np.sqrt(mean), np.float32)
