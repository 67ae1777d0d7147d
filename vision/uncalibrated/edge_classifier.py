"""Edge classifier: log odds that an edge is that of a disc, as it parts two colours all the way round.

A line on a board has the same colour on both sides; the circle in a square meets an edge in four places; two stones
side by side leave a waist.
"""

import math
from dataclasses import astuple, dataclass

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32

_BAND, _BAND_PX = 0.12, 2.0  # wide, in shares of the radius and at least in pixels, on each side of the edge,
_FROM, _FROM_PX = 0.04, 0.7  # and so far from it
_SAMPLES = 6
_ALONG = 9  # rays that tell together
_PARTED = 12.0  # grey levels between the two sides that are half believed
_WORST = 0.1
_LARGE_PX = 33.0  # a larger disc is no likelier
# Log odds that an edge is a disc's, as `python -m benchmarks.uncalibrated.round_things --weigh --seed 1` prints them:
# of support, tight, strength, parted, alike and size.
_WEIGHTS, _ODDS = (5.32, 9.2, -1.31, 3.56, 5.55, 5.47), -32.4


@dataclass(frozen=True)
class EdgeFeatures:
    """Features of the rays to an edge, 0 to 1.

    The share that meets it (`support`), and within a narrower reach (`tight`); how far their steps are believed
    (`strength`); what all but the worst part inside from outside (`contrast`); how alike the change of colour is all
    round (`uniformity`). And the logarithm of the radius in px, up to where it tells nothing.
    """

    support: float
    tight: float
    strength: float
    contrast: float
    uniformity: float
    size: float

    @property
    def log_odds(self) -> float:
        """Log odds that this is the edge of a disc."""
        return float(sum(a * b for a, b in zip(_WEIGHTS, astuple(self), strict=True))) + _ODDS


def log_size(radius_px: float) -> float:
    """Logarithm of the radius, up to where a larger disc is no likelier."""
    return math.log(min(radius_px, _LARGE_PX))


def edge_contrast(colours: Floats32, at_px: Floats, arms_px: Floats, *, radius_px: float) -> tuple[float, float]:
    """Contrast of the two sides of an edge where it is least, and its uniformity all round, 0 to 1 each.

    `arms_px`: (rays, 2) from the middle to the edge.
    """
    near, wide = max(_FROM, _FROM_PX / radius_px), max(_BAND, _BAND_PX / radius_px)
    away = np.linspace(near, near + wide, _SAMPLES)
    share = np.concatenate([1 - away, 1 + away])
    maps = (at_px + arms_px[:, None] * share[None, :, None]).astype(np.float32)
    seen = cv2.remap(colours, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    change = seen[:, :_SAMPLES].mean(axis=1) - seen[:, _SAMPLES:].mean(axis=1)
    around = np.concatenate([change[-_ALONG:], change, change[:_ALONG]]).astype(np.float32)
    size = np.linalg.norm(cv2.blur(around, (1, _ALONG))[_ALONG:-_ALONG], axis=1)
    ways = change / (np.linalg.norm(change, axis=1, keepdims=True) + 1e-6)
    return float(np.quantile(size / (size + _PARTED), _WORST)), float(np.linalg.norm(ways.mean(axis=0)))
