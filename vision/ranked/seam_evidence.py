"""Seam evidence: how clearly a line runs from end to end between bases that stand side by side.

Such a line keeps its colours all the way, however weak they are. Figures that stand in a row are strong lines on the
whole, but of many colours and with gaps between.
"""

from functools import cached_property

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Image
from vision.rectification.tone_curve import tone_mapped

_TONES = tone_mapped(np.arange(256, dtype=np.uint8))
_SHARE = 0.9  # of a side: the corners are left out
_MOST = 0.3  # of a line may be hidden, or of other colours
_BESIDE_MM = 7.0  # as far as that is looked for which a line must outdo
_NEAR_PX = 1  # that the line may be off its place
_APART_PX = 4  # from it, where beside begins
_OF_BESIDE = 0.9  # of what is found there
_REACH_PX = 2  # of a step or stripe


class SeamEvidence:
    """Seams between neighbours in a deskewed patch."""

    def __init__(self, upright: Image, *, px_per_mm: float) -> None:
        self._upright, self._px_per_mm = upright, px_per_mm

    def clarity(self, middles_px: Floats, length_mm: float, *, is_up: bool) -> float:
        """Contrast, in grey levels, of the line through all these places (N, 2), as long at each, over what is found
        beside it."""
        tones = self._tones if is_up else self._tones.transpose(1, 0, 2)
        at = middles_px if is_up else middles_px[:, ::-1]
        along = _consistent_strength(
            _steps_and_stripes(_sample_along(tones, at, _SHARE * length_mm * self._px_per_mm, self._off_px))
        )
        middle = self._off_px
        here = float(along[middle - _NEAR_PX : middle + _NEAR_PX + 1].max())
        beside = np.delete(along, slice(middle - _APART_PX + 1, middle + _APART_PX))
        return here - max(0.0, float(np.quantile(beside, _OF_BESIDE)))

    @cached_property
    def _tones(self) -> Floats32:
        return np.asarray(cv2.GaussianBlur(cv2.LUT(self._upright, _TONES), (0, 0), 0.6), np.float32)

    @property
    def _off_px(self) -> int:
        return round(_BESIDE_MM * self._px_per_mm)


def _sample_along(tones: Floats32, at: Floats, length_px: float, off_px: int) -> Floats32:
    """(pixels along all the lines, columns about them, 3)."""
    height, width = tones.shape[:2]
    rows = np.rint(at[:, 1:] + np.arange(round(length_px)) - length_px / 2).astype(int).clip(0, height - 1)
    beside = np.arange(-off_px - _REACH_PX, off_px + _REACH_PX + 1)
    columns = (np.rint(at[:, :1]).astype(int) + beside).clip(0, width - 1)
    return np.asarray(tones[rows[:, :, None], columns[:, None, :]]).reshape(-1, len(beside), 3)


def _steps_and_stripes(seen: Floats32) -> Floats32:
    """(.., columns but for the outermost, 6): steps and stripes at each, with their sign."""
    step = 0.5 * (seen[:, 3:-1] - seen[:, 1:-3])
    stripe = 0.7 * seen[:, 2:-2] - 0.35 * (seen[:, :-4] + seen[:, 4:])
    return np.concatenate([step, stripe], axis=2)


def _consistent_strength(steps: Floats32) -> Floats:
    """For each column how much of the usual step all but a few of its pixels share."""
    usual = np.median(steps, axis=0)
    size = np.linalg.norm(usual, axis=1)
    share = np.einsum("nks,ks->nk", steps, usual / np.maximum(size, 1e-6)[:, None])
    return np.asarray(np.quantile(share, _MOST, axis=0), np.float64)
