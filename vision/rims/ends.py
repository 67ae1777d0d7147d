"""Where a painted half ends on a rim: the place that parts one of its colours from the other best.

Every place a few millimetres to either side counts, by which of the two colours it is nearer to; what is neither of
them, or hidden, counts for little.
"""

import numpy as np
from numpy.typing import NDArray

from vision.rims.patterns import Rim
from vision.rims.sights import HIDDEN

Floats = NDArray[np.float64]

_BESIDE_MM, _GAP_MM = 2.4, 0.6  # where each colour is taken from: so wide, so far from the end
_REACH_MM = 1.6  # how far the end may be from where it is sought
_NOISE = 10.0  # grey levels by which one colour scatters
_ASKEW = 0.3  # of what parts the colours: so far from both a place is soon of neither
_DOUBT_MM = 0.3  # so much rim of the wrong colour makes a place e times less likely
_LEAST_MM, _UNEXPLAINED_MM = 0.25, 0.6  # the end's sigma where all is explained, and what is added where nothing is


def end_near(rim: Rim, place: int) -> tuple[float, float]:
    """How far beyond this place of the rim the colour changes, and the standard deviation of that, mm."""
    step_mm = rim.strip.step_mm
    beside, gap, reach = (max(1, round(wide_mm / step_mm)) for wide_mm in (_BESIDE_MM, _GAP_MM, _REACH_MM))
    off = np.arange(-beside - reach, beside + reach + 1)
    at = (place + off) % rim.strip.count
    before, after = (off < -gap) & (off >= -beside), (off > gap) & (off <= beside)
    sided = _sided(rim.strip.rings[at, :2], before, after) * (1 - np.exp(rim.sights[at, HIDDEN]))[:, None]
    parted = np.concatenate([[0.0], np.cumsum(sided.mean(axis=1))]) * step_mm
    edges_mm = (np.arange(len(parted)) - 0.5 + off[0]) * step_mm
    near = np.abs(edges_mm) <= reach * step_mm
    likely = np.exp((parted[near] - parted[near].max()) / _DOUBT_MM)
    explained = (2 * float(parted[near].max()) - float(parted[-1])) / (len(off) * step_mm)
    return float(likely @ edges_mm[near] / likely.sum()), _LEAST_MM + _UNEXPLAINED_MM * (1 - max(0.0, explained))


def _sided(colours: Floats, before: NDArray[np.bool_], after: NDArray[np.bool_]) -> Floats:
    """For every place and ring (N, M, 3) 1 where it is of the colour before, -1 where it is of that after (N, M)."""
    first, last = np.median(colours[before], axis=0), np.median(colours[after], axis=0)
    apart, off = last - first, colours - first
    squared = (apart**2).sum(axis=-1)
    share = (off * apart).sum(axis=-1) / np.maximum(squared, 1e-9)
    aside = np.maximum((off**2).sum(axis=-1) - share**2 * squared, 0.0)
    told = np.exp(-aside / (2 * (_ASKEW**2 * squared + _NOISE**2))) * squared / (squared + _NOISE**2)
    return np.asarray((1 - 2 * np.clip(share, 0.0, 1.0)) * told)
