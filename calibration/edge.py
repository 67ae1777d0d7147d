"""Where the edge between bright and dark really lies, to hundredths of a pixel, near where it is expected."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_STEP_PX = 0.5
_LEAST_CONTRAST = 25.0  # grey levels


@dataclass(frozen=True)
class Found:
    """`offset_px`: from the expected place towards the dark side, (N,); NaN where no such edge is seen."""

    offset_px: Floats
    contrast: Floats


def find(gray: NDArray[np.uint8], points_px: Floats, dark_px: Floats, *, reach_px: float) -> Found:
    """The edges along the unit directions `dark_px` (from bright to dark) through `points_px`, both (N, 2).

    An edge is where the light has fallen half-way between its own two sides.
    """
    profile, steps = _profiles(gray, points_px, dark_px, reach_px=reach_px)
    ends = max(2, round(0.3 * reach_px / _STEP_PX))
    bright, dark = np.median(profile[:, :ends], axis=1), np.median(profile[:, -ends:], axis=1)
    contrast = bright - dark
    with np.errstate(divide="ignore", invalid="ignore"):
        share = (profile - dark[:, None]) / contrast[:, None] - 0.5
    good = (contrast > _LEAST_CONTRAST) & _inside(gray, points_px, reach_px)
    return Found(np.where(good, _crossing(share, steps), np.nan), contrast)


def widths(gray: NDArray[np.uint8], points_px: Floats, across_px: Floats, *, reach_px: float) -> Floats:
    """How soft the steps across these points are, (N,) px: the sigma of the blur that would make them so.

    NaN where there is none; never more than about half the reach.
    """
    profile, _ = _profiles(gray, points_px, across_px, reach_px=reach_px)
    height = np.abs(profile[:, -1] - profile[:, 0])
    steepest = np.maximum(np.abs(np.diff(profile, axis=1)).max(axis=1), 1e-9) / _STEP_PX
    good = (height > _LEAST_CONTRAST) & _inside(gray, points_px, reach_px)
    return np.where(good, height / (steepest * np.sqrt(2 * np.pi)), np.nan)


def _profiles(gray: NDArray[np.uint8], points: Floats, dark: Floats, *, reach_px: float) -> tuple[Floats, Floats]:
    steps = np.arange(-reach_px, reach_px + _STEP_PX / 2, _STEP_PX)
    places = (points[:, None, :] + dark[:, None, :] * steps[None, :, None]).astype(np.float32)
    seen = cv2.remap(gray, places[..., 0], places[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return seen.astype(np.float64).reshape(len(points), len(steps)), steps


def _crossing(share: Floats, steps: Floats) -> Floats:
    """Where the profile falls through zero; NaN when it does so not exactly once."""
    falls = (share[:, :-1] > 0) & (share[:, 1:] <= 0)
    at = np.argmax(falls, axis=1)
    rows = np.arange(len(share))
    before, after = share[rows, at], share[rows, at + 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        place = steps[at] + _STEP_PX * before / (before - after)
    return np.where(falls.sum(axis=1) == 1, place, np.nan)


def _inside(gray: NDArray[np.uint8], points: Floats, reach_px: float) -> NDArray[np.bool_]:
    height, width = gray.shape
    edge = np.array([width, height]) - 1 - reach_px
    return np.asarray(np.all((points >= reach_px) & (points <= edge), axis=1))
