"""Which of two halves of a rim is the painted one: the more colourful, or of two dull ones the brighter."""

import numpy as np
from numpy.typing import NDArray

from vision.rims.changes import Rim, ring_mean
from vision.rims.halves import ends_of, halves_of

Floats = NDArray[np.float64]

_DARK = 20.0  # grey levels: what is darker has no colour that could be told
_GAP_MM, _WIDE_MM = 0.8, 3.0  # from an end of the painted half: where both paints lie in the same light
# Log odds that the front half is the painted one: a weight for each trait below, as printed by
# `python -m benchmarks.facings --weigh`.
WEIGHTS: tuple[float, ...] = (6.633, -0.242, -1.442, 1.762, 0.028, 4.044, 1.826, 9.084)


def share_painted(rim: Rim, front: int) -> float:
    """The probability that the half round this front is the painted one, and not the other."""
    odds = float(np.dot(WEIGHTS, traits_of_paint(rim, front)))
    return float(1 / (1 + np.exp(-np.clip(odds, -40.0, 40.0))))


def traits_of_paint(rim: Rim, front: int) -> tuple[float, ...]:
    """How much more colourful the front half is, for its brightness and in grey levels, how much brighter, and that
    again if both are dull: of the whole halves, and beside their ends."""
    halves = _more(*halves_of(rim.strip.colours, front))
    step_mm = rim.strip.step_mm
    mean, away = ring_mean(rim.strip.colours, round(_WIDE_MM / step_mm)), round((_GAP_MM + _WIDE_MM / 2) / step_mm)
    ends = [
        _more(mean[(end + sign * away) % rim.count], mean[(end - sign * away) % rim.count])
        for end, sign in zip(ends_of(rim, front), (1, -1), strict=True)
    ]
    return (*halves.tolist(), *((ends[0] + ends[1]) / 2).tolist())


def _more(first: Floats, second: Floats) -> Floats:
    (tint, chroma, bright), (other_tint, other_chroma, other_bright) = _look(first), _look(second)
    brighter = bright - other_bright
    return np.array([tint - other_tint, chroma - other_chroma, brighter, brighter * (1 - max(tint, other_tint))])


def _look(colour: Floats) -> tuple[float, float, float]:
    most, least = float(colour.max()), float(colour.min())
    return (most - least) / (most + _DARK), (most - least) / 100.0, float(np.log((most + _DARK) / _DARK))
