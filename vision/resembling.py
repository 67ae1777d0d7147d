"""How much what may be a base looks like those that surely are: an army's bases are painted by one hand.

A shadow or a die whose outline passes for a rim has not the colours that the rims and the basing of this table's armies
have; a base of which little is seen has them.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from models.camera import Camera, CameraPose
from vision.fit import RimFit
from vision.rims.colours import as_ratios
from vision.rims.strip import unrolled
from vision.selecting import evidence, odds_told

Floats = NDArray[np.float64]
Picture = NDArray[np.uint8]

# Chosen on own rendered tables (25 of them, 1,039 round and oval bases): of what was taken for a base and was none 16
# remained 7, of bases left out 11 remained 9.
_ALIKE = 8.0  # colours of rim and basing so far apart, as `as_ratios` counts, are hardly of one army
_COMMON = 80.0  # so many times as often as anywhere else its colours are met with on a base of the same army
_OF_ITS_OWN = 1.0  # bases of armies of their own that are to be expected, beside those that are seen
_SURE, _SEEN_WELL = 3.0, 0.4  # log odds from which a base shows its army's colours, evidence from which all of them
_DOUBTFUL = (-4.0, 6.0)  # log odds between which resemblance may decide


def look_of(image: Picture, fit: RimFit, *, camera: Camera, pose: CameraPose) -> Floats:
    """The colours of most of its rim and of most of its basing's border, (6,)."""
    ratios = as_ratios(unrolled(image, fit, camera=camera, pose=pose).rings)
    rim, basing = ratios[:, :2].mean(axis=1), ratios[:, 2:4].mean(axis=1)
    return np.concatenate([np.median(rim, axis=0), np.median(basing, axis=0)])


def with_resemblance(
    image: Picture, fits: Sequence[RimFit], bases: Sequence[RimFit], *, camera: Camera, pose: CameraPose
) -> tuple[RimFit, ...]:
    """These fits, the doubtful ones with how far they resemble those of `bases` that are sure and stand elsewhere."""
    sure = [fit for fit in bases if odds_told(fit) > _SURE and evidence(fit) > 0]
    if not sure:
        return tuple(fits)
    looks = np.stack([look_of(image, fit, camera=camera, pose=pose) for fit in sure])

    def resembling(fit: RimFit) -> RimFit:
        if not _DOUBTFUL[0] < odds_told(fit) < _DOUBTFUL[1]:
            return fit
        return replace(fit, resemblance=_resemblance(fit, look_of(image, fit, camera=camera, pose=pose), sure, looks))

    return tuple(resembling(fit) for fit in fits)


def _resemblance(fit: RimFit, look: Floats, sure: Sequence[RimFit], looks: Floats) -> float:
    """Log odds by its colours that it is a base."""
    off = np.square((looks - look) / _ALIKE).sum(axis=1)
    counts = np.array([min(1.0, evidence(one) / _SEEN_WELL) * _is_elsewhere(one, fit) for one in sure])
    return math.log((_OF_ITS_OWN + _COMMON * float(counts @ np.exp(-off / 2))) / (_OF_ITS_OWN + float(counts.sum())))


def _is_elsewhere(one: RimFit, other: RimFit) -> bool:
    return math.dist(one.at_mm, other.at_mm) > (one.size_mm + other.size_mm) / 2
