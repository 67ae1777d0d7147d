"""How much better marks explain changes along a rim than chance does: log ratios of densities.

Marks on one rim are of one paint, of which nothing is known before; chance is noise, and now and then an arm or a tuft.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.rims.changes import Changes, Places, apart

Floats = NDArray[np.float64]

_LOG_2PI = float(np.log(2 * np.pi))
_CHANCE, _CHANCE_SPREAD = 0.10, 35.0  # how often something else changes the colour, and by how much
_PAINT_SPREAD = 45.0
_UNLIKE = 0.2  # share of a change by which two marks of one paint differ
_EACH = -1.0  # for each mark that was looked for within a reach
_PAINT_ENDS, _ARM_GOES_ON, _WHOLLY = 1.0, -5.0, 0.7
_PLACE_MM, _REACH_MM = 0.35, 1.6  # how well marks keep their place, and how wide chance is spread


def together(changes: Changes, at: Sequence[Places], signs: Sequence[float]) -> Floats:
    """The log ratio for changes of one paint at each of these places."""
    shifts = np.stack([sign * changes.shift[place] for place, sign in zip(at, signs, strict=True)])
    size = np.stack([changes.size[place] for place in at])
    beyond = np.clip(np.stack([changes.beyond[place] for place in at]) / _WHOLLY, 0.0, 1.0)
    spread = np.sqrt(changes.noise**2 + (_UNLIKE * size.mean(axis=0)) ** 2)
    own = _PAINT_ENDS + (_ARM_GOES_ON - _PAINT_ENDS) * beyond + _EACH
    return np.asarray(_of_one_paint(shifts, spread) + (own - _by_chance(size, changes.noise)).sum(axis=0))


def in_place(at: Sequence[Places], wanted: Sequence[Places], *, count: int, step_mm: float) -> Floats:
    """The log ratio for changes that lie so far from where marks should be."""
    off_mm = np.stack([apart(place, want, count) * step_mm for place, want in zip(at, wanted, strict=True)])
    usual = np.log(_PLACE_MM * np.sqrt(2 * np.pi) / _REACH_MM)
    return np.asarray((-(off_mm**2) / 2 / _PLACE_MM**2 - usual).sum(axis=0))


def _of_one_paint(shifts: Floats, spread: Floats) -> Floats:
    """Log density of shifts (marks, N, 3) that one unknown shift explains, but for `spread` (N,)."""
    marks, own, paint = len(shifts), spread**2, _PAINT_SPREAD**2
    shared = (shifts.sum(axis=0) ** 2).sum(axis=-1) * paint / (own * (own + marks * paint))
    square = (shifts**2).sum(axis=(0, 2)) / own - shared
    volume = marks * _LOG_2PI + (marks - 1) * np.log(own) + np.log(own + marks * paint)
    return np.asarray(-0.5 * square - 1.5 * volume)


def _by_chance(size: Floats, noise: float) -> Floats:
    return np.asarray(
        np.logaddexp(np.log(1 - _CHANCE) + _normal(size, noise), np.log(_CHANCE) + _normal(size, _CHANCE_SPREAD))
    )


def _normal(size: Floats, sigma: float) -> Floats:
    return np.asarray(-0.5 * (size / sigma) ** 2 - 3 * np.log(sigma) - 1.5 * _LOG_2PI)
