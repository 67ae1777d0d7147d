"""Which edge of a block's bases is the front, told by its paint: seldom on every base, but the front rank shows it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from models.base import RectBase
from vision.ranked.aligning import Told
from vision.ranked.fitting import STEPS, FittedBlock
from vision.ranked.sides import OFFSETS_MM
from vision.tone import painted

Floats = NDArray[np.float64]

_BAND_MM = (-1.3, -0.3)  # of the rim, from its top edge
_LEAST_CONTRAST = 14.0  # of the front edge against the other three, on the scale of `painted`
# Log odds by which the block was laid as painted there. With less than the least it was hardly: walls in their own
# light make a contrast too. On own tables no right front has less, but for one in a hundred in blurred pictures.
_LEAST_ODDS, _SURE, _VERY_SURE = 1.0, 3.0, 6.0
# The same as the mean of all looks, less those that took other sides: a block that lies wrong looks otherwise from
# elsewhere. Of 761 units and lone bases drawn a third of the wrong fronts went by it, and 4 in a hundred of the right.
_LEAST_STEADY, _MOST_STEADY = 1.25, 5.0
_LESS, _MORE = 0.5, 1.8  # of the contrast will do where that is very sure, and is needed where it was not: shadows
_ALONE = 0.6  # the next edge must differ this much less
_FEW = 1.0  # bases at an edge, of which half is believed: one figure that hangs over a rim makes a contrast of its own


def front_of(fitted: FittedBlock) -> int | None:
    """In quarter turns anticlockwise from where the members' depth runs; None when no edge is told from the
    others, or what is seen across the sides speaks against the one that is."""
    contrast = _contrasts(_rim_colours(fitted))
    shown, believed = np.zeros(4), np.zeros(4)
    for way, (dx, dy) in enumerate(STEPS):
        outermost = [(x + dx, y + dy) not in fitted.block.cells for x, y in fitted.block.cells]
        shown[way] = np.median(contrast[outermost, way])
        believed[way] = shown[way] * sum(outermost) / (sum(outermost) + _FEW)
    base = fitted.block.members[0].base
    allowed = ways_of(base)
    order = sorted(allowed, key=lambda way: -believed[way])
    aligned, odds = fitted.front.way, fitted.front.odds
    agrees = aligned == order[0]
    least = _LEAST_CONTRAST * (_MORE if not agrees else _LESS if odds > _VERY_SURE else 1.0)
    if shown[order[0]] < least or (not agrees and aligned in allowed and odds > _VERY_SURE):
        return None
    is_alone = believed[order[1]] < _ALONE * believed[order[0]]
    if not agrees:
        return order[0] if is_alone and len(fitted.block.cells) > 1 else None
    is_steady = odds >= _LEAST_ODDS and _steady_odds(fitted.fronts) >= _LEAST_STEADY
    return order[0] if is_steady and (is_alone or odds >= _SURE) else None


def _steady_odds(fronts: Sequence[Told]) -> float:
    """How surely all looks, on the whole, took the same sides for fronts as the last."""
    odds = [min(one.odds, _MOST_STEADY) * (1 if one.way == fronts[-1].way else -1) for one in fronts]
    return float(np.mean(odds))


def ways_of(base: RectBase) -> tuple[int, ...]:
    """The quarter turns by which it may face and look the same."""
    return (0, 1, 2, 3) if base.width_mm == base.depth_mm else (0, 2)


def _rim_colours(fitted: FittedBlock) -> Floats:
    """(N, 4, C): the usual paint of each side's rim."""
    look = fitted.look
    away = OFFSETS_MM - look.top_mm[..., None]
    band = (away >= _BAND_MM[0]) & (away <= _BAND_MM[1]) & look.is_part[..., None]
    share = band / np.maximum(band.sum(axis=-1, keepdims=True), 1)
    parts = np.einsum("nspo,nspoc->nspc", share, look.sampled.colours)
    parts = painted(parts.reshape(-1, 3)).reshape(*parts.shape[:3], -1)
    parts[:, ~look.is_part] = np.nan
    return np.asarray(np.nanmedian(parts, axis=2))


def _contrasts(colours: Floats) -> Floats:
    """(N, 4): how far each side's rim differs in colour from the other three of its base."""
    others = np.stack([np.median(np.delete(colours, way, axis=1), axis=1) for way in range(4)], axis=1)
    return np.asarray(np.linalg.norm(colours - others, axis=2))
