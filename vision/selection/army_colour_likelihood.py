"""Colour likelihood: how much likelier a fit's colours are for a base of this table's armies than for anything else.

A shadow or a die whose outline passes for a rim lacks the colours of the armies' rims and basing; a base of which
little is seen has them.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.arrays import Floats, Image
from calibration.view import View
from vision.facing.unwrapped_rim import unwrap_rim
from vision.measurement.base_fit import BaseFit
from vision.rectification.tone_curve import as_ratios
from vision.selection.log_odds import log_odds, rim_evidence

# Chosen on own rendered tables (25 of them, 1,039 round and oval bases): of what was taken for a base and was none 16
# remained 7, of bases left out 11 remained 9.
_ALIKE = 8.0  # colours of rim and basing so far apart, as `as_ratios` counts, are hardly of one army
_COMMON = 80.0  # so many times as often as anywhere else its colours are met with on a base of the same army
_OF_ITS_OWN = 1.0  # bases of armies of their own that are to be expected, beside those that are seen
# And per seen one, since leaders, monsters and allies are painted as nothing else on the table. Of none, .1, .2 and .4
# on 21 own tables under photographs (283 bases) the last finds most, .435 for .428, at a precision of .879 for .877.
_UNLIKE_SHARE = 0.4
_SURE, _SEEN_WELL = 3.0, 0.4  # log odds from which a base shows its army's colours, evidence from which all of them
_DOUBTFUL = (-4.0, 6.0)  # log odds between which resemblance may decide


def rim_and_basing_colours(image: Image, fit: BaseFit, *, view: View) -> Floats:
    """Median colours of its rim and of its basing's border, (6,)."""
    ratios = as_ratios(unwrap_rim(image, fit, camera=view.camera, pose=view.pose).rings)
    rim, basing = ratios[:, :2].mean(axis=1), ratios[:, 2:4].mean(axis=1)
    return np.concatenate([np.median(rim, axis=0), np.median(basing, axis=0)])


def add_colour_log_odds(
    image: Image, fits: Sequence[BaseFit], bases: Sequence[BaseFit], *, view: View
) -> tuple[BaseFit, ...]:
    """Adds to doubtful fits the log likelihood ratio of their colours, against those `bases` that are sure and stand
    elsewhere."""
    sure = [fit for fit in bases if log_odds(fit) > _SURE and rim_evidence(fit) > 0]
    if not sure:
        return tuple(fits)
    looks = np.stack([rim_and_basing_colours(image, fit, view=view) for fit in sure])

    def add_log_odds(fit: BaseFit) -> BaseFit:
        if not _DOUBTFUL[0] < log_odds(fit) < _DOUBTFUL[1]:
            return fit
        return replace(
            fit, colour_log_odds=_colour_log_odds(fit, rim_and_basing_colours(image, fit, view=view), sure, looks)
        )

    return tuple(add_log_odds(fit) for fit in fits)


def _colour_log_odds(fit: BaseFit, look: Floats, sure: Sequence[BaseFit], looks: Floats) -> float:
    """Log odds by its colours that it is a base."""
    off = np.square((looks - look) / _ALIKE).sum(axis=1)
    counts = np.array(
        [min(1.0, rim_evidence(neighbour) / _SEEN_WELL) * _is_elsewhere(neighbour, fit) for neighbour in sure]
    )
    others, alike = float(counts.sum()), float(counts @ np.exp(-off / 2))
    return math.log((_OF_ITS_OWN + _UNLIKE_SHARE * others + _COMMON * alike) / (_OF_ITS_OWN + others))


def _is_elsewhere(fit: BaseFit, other: BaseFit) -> bool:
    return math.dist(fit.at_mm, other.at_mm) > (fit.size_mm + other.size_mm) / 2
