"""Structured light: numbered dots that a projector shows one picture after the other, and how a camera reads them.

One picture is black, one white, one shows all dots; in each of the others those dots shine whose number has that bit.
What was black is taken away and what was white divided by: left is the projector's own picture, whatever is printed on
the mat, however unevenly lamp and lens light it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats, Image, Indices, Mask
from models.errors import BadInput

_BLACK, _WHITE, _ALL = 0, 1, 2
_GAMMA = 2.2
_LEAST_LIGHT = 0.004  # of the sensor's range, linear: less is noise
_CLIPPED = 251  # grey levels
_LIT = 0.5  # of the projector's own white
_FEWEST_PX = 9
_SIZE_RATIO = 3.0  # how much a dot's area may differ from the usual one
_MARGIN_PX = 3
_DARKER = 0.98  # of a picture of all dots: what is brighter still, over the black one, is inside a dot
_HALO = 0.08  # of white: less is blur of neighbours and noise


@dataclass(frozen=True)
class DotPattern:
    """Dots in rows over the projector's whole picture; `size_px` is its width and height."""

    size_px: tuple[int, int]
    columns: int = 26
    rows: int = 15

    @property
    def dots_px(self) -> Floats:
        """Middles of the dots, (N, 2), integers at pixel centres."""
        width, height = self.size_px
        x = (np.arange(self.columns) + 0.5) * width / self.columns - 0.5
        y = (np.arange(self.rows) + 0.5) * height / self.rows - 0.5
        return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)

    @property
    def radius_px(self) -> float:
        return 0.15 * min(self.size_px[0] / self.columns, self.size_px[1] / self.rows)

    @property
    def bits(self) -> int:
        """Bits of a dot's code: its number, and whether that has an odd count of ones."""
        return (self.columns * self.rows - 1).bit_length() + 1

    @property
    def pictures(self) -> int:
        return _ALL + 1 + self.bits

    def shown(self, picture: int) -> Indices:
        """The dots that shine in this picture; white is none of them, but all of the picture."""
        numbers = np.arange(self.columns * self.rows)
        if picture <= _WHITE:
            return numbers[:0]
        return numbers if picture == _ALL else numbers[_codes(numbers, self.bits)[:, picture - _ALL - 1]]

    def is_white(self, picture: int) -> bool:
        return picture == _WHITE


@dataclass(frozen=True)
class SeenDots:
    """Centroids of the dots in the camera's picture, and their middles in the projector's, (N, 2) both."""

    camera_px: Floats
    projector_px: Floats
    radius_px: float


def read_dots(pattern: DotPattern, pictures: Sequence[Image]) -> SeenDots:
    """The dots that these grey pictures show, one for each of the pattern. Raises: BadInput when there are too few."""
    if len(pictures) != pattern.pictures:
        raise BadInput(f"pictures: {len(pictures)} of {pattern.pictures}", field="pictures", value=len(pictures))
    linear = _level_exposures([(picture.astype(np.float32) / 255) ** _GAMMA for picture in pictures])
    white = linear[_WHITE] - linear[_BLACK]
    is_read = (white > _LEAST_LIGHT) & (pictures[_WHITE] < _CLIPPED)
    shares = [
        np.where(is_read, (light - linear[_BLACK]) / np.maximum(white, _LEAST_LIGHT), 0) for light in linear[_ALL:]
    ]
    middles, bits = _find_blobs(shares[0], shares[1:], is_read)
    numbers, is_whole = _numbers(bits, pattern)
    once = [n for n, count in zip(*np.unique(numbers[is_whole], return_counts=True), strict=True) if count == 1]
    is_whole &= np.isin(numbers, once)
    return SeenDots(middles[is_whole], pattern.dots_px[numbers[is_whole]], pattern.radius_px)


def _level_exposures(linear: Sequence[Floats]) -> list[Floats]:
    """The pictures as if all were exposed as the black one was: a camera that is not locked exposes each anew.

    Most of every picture of dots is as dark as in the black one, and a dot's middle as bright as in the white one.
    """
    black = linear[_BLACK]
    is_lit = black > _LEAST_LIGHT
    if not is_lit.any():
        return list(linear)
    shown = [light / _gain(light[is_lit] / black[is_lit]) for light in linear[_ALL:]]
    over_black = np.where(is_lit, shown[0] / np.maximum(black, _LEAST_LIGHT), 0)
    is_dot = over_black >= np.quantile(over_black[is_lit], _DARKER)
    white = linear[_WHITE] / _gain(linear[_WHITE][is_dot] / np.maximum(shown[0][is_dot], _LEAST_LIGHT))
    return [black, white, *shown]


def _gain(ratios: Floats) -> float:
    """The usual one; a picture that is wholly dark has none."""
    return max(float(np.median(ratios)), _LEAST_LIGHT)


def _codes(numbers: Indices, bits: int) -> Mask:
    """The bits of these numbers, (N, bits); the last makes their count even."""
    plain = (numbers[:, None] >> np.arange(bits - 1)) & 1
    return np.concatenate([plain, plain.sum(axis=1, keepdims=True) & 1], axis=1).astype(np.bool_)


def _numbers(codes: Mask, pattern: DotPattern) -> tuple[Indices, Mask]:
    """What these codes say, and whether they can be right."""
    numbers = codes[:, :-1] @ (1 << np.arange(pattern.bits - 1))
    is_known = (codes.sum(axis=1) % 2 == 0) & (numbers < pattern.columns * pattern.rows)
    return np.where(is_known, numbers, 0), is_known


def _find_blobs(all_dots: Floats, by_bit: Sequence[Floats], is_read: Mask) -> tuple[Floats, Mask]:
    """Middles of the bright spots and which bits each has; without those that are cut or of an unusual size."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats((all_dots > _LIT).astype(np.uint8))
    areas = stats[1:, cv2.CC_STAT_AREA]
    usual = float(np.median(areas[areas >= _FEWEST_PX])) if np.any(areas >= _FEWEST_PX) else 0.0
    middles, bits = [], []
    for i in range(1, count):
        left, top, width, height, area = stats[i]
        if area < _FEWEST_PX or not usual / _SIZE_RATIO < area < usual * _SIZE_RATIO:
            continue
        around = np.s_[
            max(top - _MARGIN_PX, 0) : top + height + _MARGIN_PX, max(left - _MARGIN_PX, 0) : left + width + _MARGIN_PX
        ]
        if not is_read[around].all():
            continue
        weights = np.clip(all_dots[around] - _HALO, 0, None)
        rows, columns = np.indices(weights.shape)
        origin = np.array([max(left - _MARGIN_PX, 0), max(top - _MARGIN_PX, 0)])
        middles.append(origin + np.array([np.sum(weights * columns), np.sum(weights * rows)]) / weights.sum())
        inside = labels[around] == i
        bits.append([float(share[around][inside].mean()) > _LIT for share in by_bit])
    return np.array(middles).reshape(-1, 2), np.array(bits, np.bool_).reshape(-1, len(by_bit))
