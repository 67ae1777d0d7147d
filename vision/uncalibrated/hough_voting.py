"""Generalised Hough transform: colour gradients vote for where a rim may lie.

A gradient votes by its orientation, not its sign, since rims are painted light and dark. One that points across a rim
counts for it, one that points along it against it. Votes are correlated with a rim template by Fourier transforms.
"""

import ctypes
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats32, Image
from vision.native.library import address, kernel
from vision.rectification.tone_curve import tone_mapped

_HALF_VOTE = 6.0  # grey levels per pixel at which a step has half a vote


@dataclass(frozen=True)
class HoughAccumulator:
    """Hough accumulator: the votes of a picture as spectra, for rims that reach at most `reach_px` from their
    centre."""

    shape: tuple[int, int]
    reach_px: int
    cosines: Floats32
    sines: Floats32

    def correlate(self, rim: "RimTemplate") -> Floats32:
        """Cross-correlation of the votes around each pixel with this rim, 1 at best."""
        across = cv2.mulSpectrums(self.cosines, rim.cosines, 0, conjB=True)
        both = across + cv2.mulSpectrums(self.sines, rim.sines, 0, conjB=True)
        whole = cv2.idft(both, flags=cv2.DFT_SCALE | cv2.DFT_REAL_OUTPUT)
        first, (rows, columns) = self.reach_px - rim.reach_px, self.shape
        return np.ascontiguousarray(whole[first : first + rows, first : first + columns], np.float32)


@dataclass(frozen=True)
class RimTemplate:
    """A rim's template as spectra, of the same shape as those of the votes."""

    reach_px: int
    cosines: Floats32
    sines: Floats32


def rim_template(weights: Floats32, turn_rad: Floats32, *, shape: tuple[int, ...]) -> RimTemplate:
    """The template of these weights, an odd square of them, whose gradients point so; `shape` of its spectra."""
    whole = weights / weights.sum()
    cosines, sines = (_padded_spectrum(whole * part(2 * turn_rad), shape) for part in (np.cos, np.sin))
    return RimTemplate(len(weights) // 2, cosines, sines)


def _padded_spectrum(weights: Floats32, shape: tuple[int, ...]) -> Floats32:
    """The spectrum of this shape with nothing but these weights in it."""
    alone = np.zeros(shape, np.float32)
    alone[: weights.shape[0], : weights.shape[1]] = weights
    return np.asarray(cv2.dft(alone, nonzeroRows=len(weights)), np.float32)


def cast_votes(picture: Image, *, reach_px: int) -> HoughAccumulator:
    """Casts the votes of a picture: the strength of each pixel's gradient, by twice its angle."""
    cosines, sines = (
        _mirrored_spectrum(part, reach_px) for part in double_angle_gradient(picture, blur_px=1.0, half_vote=_HALF_VOTE)
    )
    return HoughAccumulator((picture.shape[0], picture.shape[1]), reach_px, cosines, sines)


def double_angle_gradient(picture: Image, *, blur_px: float, half_vote: float) -> tuple[Floats32, Floats32]:
    """Double-angle representation of the colour gradient, (H, W) each: cosine and sine of twice its angle.

    Their length, 0 to 1, is a half for a gradient as strong as `half_vote`, grey levels per pixel.
    """
    smooth = cv2.GaussianBlur(tone_mapped(picture), (0, 0), blur_px)
    across, down = (
        np.asarray(cv2.Sobel(smooth, cv2.CV_32F, *axes, scale=1 / 8), np.float32) for axes in ((1, 0), (0, 1))
    )
    return hough_votes(across, down, half_vote)


def hough_votes(across: Floats32, down: Floats32, half_vote: float) -> tuple[Floats32, Floats32]:
    """Cosines and sines, (H, W) each, that gradients (H, W, 3) vote."""
    steps = [np.ascontiguousarray(step) for step in (across, down)]
    cosines, sines = (np.empty(across.shape[:2], np.float32) for _ in range(2))
    pixels, half = ctypes.c_long(cosines.size), ctypes.c_float(half_vote)
    kernel().hough_votes(*map(address, steps), pixels, half, address(cosines), address(sines))
    return cosines, sines


def _mirrored_spectrum(votes: Floats32, reach_px: int) -> Floats32:
    """Of the votes, mirrored beyond their ends."""
    rows, columns = (cv2.getOptimalDFTSize(side + 2 * reach_px) for side in votes.shape)
    below, right = rows - votes.shape[0] - reach_px, columns - votes.shape[1] - reach_px
    wide = cv2.copyMakeBorder(votes, reach_px, below, reach_px, right, cv2.BORDER_REFLECT_101)
    return np.asarray(cv2.dft(wide), np.float32)
