"""Bases of one army are painted alike: a reading gains by others of the picture that show the same marks in the same
paint on the same rims, and loses where none does.

The weights are those that `python -m benchmarks.facings --weigh` prints.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.rims.changes import Rim, ring_mean
from vision.rims.halves import halves_of
from vision.rims.ticks import KINDS, places_of
from vision.rims.weighing import Reading

Floats = NDArray[np.float64]
Read = tuple[Rim, Sequence[Reading]]

_ALIKE = np.array([25.0, 9.0, 9.0])  # how far one paint differs from base to base: light, and what blurs into it
_MARK_MM = 1.0
_LEAST_ODDS = -5.0  # readings that are less likely are not asked about
# Of painted halves, and of ticks, dots and notches: the constant, and weights of a reading's own log odds, of the same
# paint on others, and of the same paint and rim on others so marked.
WEIGHTS: dict[bool, tuple[float, ...]] = {False: (-0.477, 0.908, -1.197, 3.002), True: (-1.078, 0.912, 1.318, 0.463)}


def among_others(read: Sequence[Read]) -> list[list[Reading]]:
    """The likely readings of each rim, weighed anew beside the best ones of all other rims."""
    likely = [[one for one in readings if one.log_odds > _LEAST_ODDS] for _, readings in read]
    found = []
    for (_, _), own, traits in zip(read, likely, traits_among(read, likely), strict=True):
        found.append([replace(one, weighed=_odds(one, trait)) for one, trait in zip(own, traits, strict=True)])
    return found


def traits_among(read: Sequence[Read], likely: Sequence[Sequence[Reading]]) -> list[list[tuple[float, ...]]]:
    """Of each reading: its own log odds, how like its paint is to that of the best reading of another rim, and how like
    its paint and rim are to those of another rim that is marked in the same way; each times how likely that one is."""
    bests = [max(readings, key=lambda one: one.log_odds) for _, readings in read]
    paints = np.array([_paints(rim, best) for (rim, _), best in zip(read, bests, strict=True)]).reshape(-1, 2, 3)
    sure = np.array([best.probability for best in bests])
    is_half = np.array([best.marking == "front-half" for best in bests])
    return [
        [_trait(one, _paints(rim, one), paints, np.where(np.arange(len(sure)) == k, 0.0, sure), is_half) for one in own]
        for k, ((rim, _), own) in enumerate(zip(read, likely, strict=True))
    ]


def _trait(
    reading: Reading, own: Floats, others: Floats, sure: Floats, is_half: NDArray[np.bool_]
) -> tuple[float, ...]:
    if reading.marking == "front-half":
        straight, crossed = _like(own, others), _like(own[::-1], others)
        paint = np.maximum(straight.max(axis=1), np.where(is_half, crossed.max(axis=1), crossed[:, 0]))
        paint = np.where(is_half, paint, np.maximum(straight[:, 0], crossed[:, 0]))
        both = np.where(is_half, np.maximum(straight.prod(axis=1), crossed.prod(axis=1)), 0.0)
    else:
        to_front, to_rest = _like(own[[0, 0]], others).T
        paint = np.where(is_half, np.maximum(to_front, to_rest), to_front)
        both = np.where(is_half, 0.0, _like(own, others).prod(axis=1))
    return reading.log_odds, float((paint * sure).max()), float((both * sure).max())


def _like(own: Floats, others: Floats) -> Floats:
    """How alike the first paints are, and the second: (M, 2), 1 for the same."""
    return np.asarray(np.exp(-((((others - own) / _ALIKE) ** 2).sum(axis=2)) / 2))


def _paints(rim: Rim, reading: Reading) -> Floats:
    """The paint of the marks and that of the rim, (2, 3)."""
    if reading.marking == "front-half":
        return np.stack(halves_of(rim.colours, reading.front))
    marks = ring_mean(rim.colours, round(_MARK_MM / rim.strip.step_mm))
    at = places_of(rim, KINDS[reading.marking], reading.front)
    return np.stack([marks[at].mean(axis=0), np.median(rim.colours, axis=0)])


def _odds(reading: Reading, traits: tuple[float, ...]) -> float:
    weights = WEIGHTS[reading.marking == "front-half"]
    return weights[0] + float(np.dot(weights[1:], traits))
