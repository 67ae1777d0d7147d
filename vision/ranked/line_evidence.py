"""Line evidence: how surely a straight line runs up or across at each pixel of a deskewed patch.

A line is a step between two colours or a narrow stripe; along a few millimetres it keeps its sign, texture does not.
Evidence is additive: +1 where a line is beyond doubt, `ABSENT` where there is none, so that the lines of a whole block
are judged by their sum.
"""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Image
from vision.native.library import address, kernel
from vision.rectification.tone_curve import tone_mapped

ABSENT = -0.7
ALONG_MM = 9.0
_LOCAL_MM = 30.0
_TEXTURE = (1.0, 3.0)  # grey levels per pixel that texture alone reaches, at least and at most
_QUIET = 0.35  # of a picture shows nothing but texture
_OF_QUIET = 2.3  # times what the quiet part reaches at most
_EVERY_PX = 3
_MOST = 30.0  # a line as strong as this counts no more for what is usual
_LOCAL_SHARE = 0.75  # times the usual strength around a place, beyond which a line stands out
_TONES = tone_mapped(np.arange(256, dtype=np.uint8))


@dataclass(frozen=True)
class LineMaps:
    """Maps of line evidence, (H, W) each: along the columns of pixels (`up`) and along the rows (`across`), `ABSENT` to
    1."""

    up: Floats32
    across: Floats32
    px_per_mm: float

    @cached_property
    def running_sums(self) -> tuple[Floats, Floats]:
        """Integral along the lines, from the ends of the patch up to before each pixel: (H + 1, W) and (H, W + 1)."""
        rows, columns = self.up.shape
        sums = np.zeros((rows + 1, columns)), np.zeros((rows, columns + 1))
        np.cumsum(self.up, axis=0, dtype=np.float64, out=sums[0][1:])
        np.cumsum(self.across, axis=1, dtype=np.float64, out=sums[1][:, 1:])
        return sums


def detect_lines(upright: Image, *, px_per_mm: float) -> LineMaps:
    """Detects lines in a deskewed patch."""
    tones = np.asarray(cv2.GaussianBlur(cv2.LUT(upright, _TONES), (0, 0), 0.6), np.float32)
    along = round(ALONG_MM * px_per_mm) | 1
    up = _to_evidence(line_strength(_box_blur(tones, 1, along), is_across=False), px_per_mm)
    across = _to_evidence(line_strength(_box_blur(tones, along, 1), is_across=True), px_per_mm)
    unseen = (cv2.cvtColor(upright, cv2.COLOR_BGR2GRAY) == 0).astype(np.uint8)
    if unseen.any():
        border = cv2.dilate(unseen, np.ones((along, along), np.uint8)) > 0
        up[border], across[border] = ABSENT, ABSENT
    return LineMaps(up, across, px_per_mm)


def _box_blur(tones: Floats32, wide_px: int, tall_px: int) -> Floats32:
    return np.asarray(cv2.blur(tones, (wide_px, tall_px)), np.float32)


def line_strength(tones: Floats32, *, is_across: bool) -> Floats32:
    """Line strength (H, W) of tones (H, W, 3), along the columns or along the rows: steps and stripes taken together,
    whichever colours they are of. Raises: MemoryError."""
    source, strength = np.ascontiguousarray(tones), np.empty(tones.shape[:2], np.float32)
    if not kernel().line_strength(address(source), *strength.shape, int(is_across), address(strength)):
        raise MemoryError
    return strength


def _to_evidence(strength: Floats32, px_per_mm: float) -> Floats32:
    """(r² - 1) / (r² + 1) of r times the usual, in place: it is asked of every patch that is looked at."""
    local = round(_LOCAL_MM * px_per_mm) | 1
    usual = np.asarray(cv2.blur(np.minimum(strength, _MOST), (local, local)), np.float32)
    usual *= _LOCAL_SHARE
    usual += _texture_level(strength)
    evidence = np.asarray(strength / usual, np.float32)
    evidence *= evidence
    evidence += 1
    np.divide(-2, evidence, out=evidence)
    evidence += 1
    np.maximum(evidence, ABSENT, out=evidence)
    return evidence


def _texture_level(strength: Floats32) -> float:
    """What texture alone reaches in this picture: less where it is washed out or soft, as its lines are."""
    some = strength[::_EVERY_PX, ::_EVERY_PX]
    seen = some[some > 0]
    if not len(seen):
        return _TEXTURE[1]
    at = int(_QUIET * (len(seen) - 1))
    return min(max(_OF_QUIET * float(np.partition(seen, at)[at]), _TEXTURE[0]), _TEXTURE[1])
