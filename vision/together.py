"""Miniatures that were moved together, as on a tray: one turn and shift that takes many old places to new ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_SLIDES_MM = 3.5  # they slide about a little on their tray
_FEWEST = 3  # two places are brought to two others in too many ways
_MOST_SHARE_LEFT = 0.4  # of a group that moved together, those that did not
_TURN_RAD = 0.7  # of two ways alike the smaller turn is meant, when it is smaller by so much
_FAVOUR = 5.0  # nats for a pair that moved with the others


@dataclass(frozen=True)
class _Motion:
    turn_rad: float
    pairs: frozenset[tuple[int, int]]


def moved_together(old_mm: Floats, new_mm: Floats, alike: NDArray[np.bool_]) -> Floats:
    """(old, new): what common movement says for each pair, in nats; zero when there is none, or when two compete.

    `alike` says which pairs may be one miniature at all.
    """
    favour = np.zeros(alike.shape)
    if min(alike.shape, default=0) < _FEWEST:
        return favour
    motions = sorted(_motions(old_mm, new_mm, alike), key=lambda one: (-len(one.pairs), abs(one.turn_rad)))
    if not motions or len(motions[0].pairs) < max(_FEWEST, (1 - _MOST_SHARE_LEFT) * alike.any(axis=1).sum()):
        return favour
    best = motions[0]
    for other in motions[1:]:
        competes = len(other.pairs) == len(best.pairs) and other.pairs != best.pairs
        if competes and abs(other.turn_rad) - abs(best.turn_rad) < _TURN_RAD:
            return favour
    for i, j in best.pairs:
        favour[i, j] = _FAVOUR
    return favour


def _motions(old_mm: Floats, new_mm: Floats, alike: NDArray[np.bool_]) -> Sequence[_Motion]:
    """What each pair of pairs would mean for all others, of those that keep their distance."""
    found: dict[frozenset[tuple[int, int]], _Motion] = {}
    apart_old = np.linalg.norm(old_mm[:, None] - old_mm[None], axis=2)
    apart_new = np.linalg.norm(new_mm[:, None] - new_mm[None], axis=2)
    for a, b in permutations(range(len(old_mm)), 2):
        if a > b:
            continue
        for c, d in permutations(range(len(new_mm)), 2):
            if alike[a, c] and alike[b, d] and abs(apart_old[a, b] - apart_new[c, d]) < _SLIDES_MM:
                motion = _motion(old_mm, new_mm, alike, (a, b), (c, d))
                found.setdefault(motion.pairs, motion)
    return list(found.values())


def _motion(
    old_mm: Floats, new_mm: Floats, alike: NDArray[np.bool_], ab: tuple[int, int], cd: tuple[int, int]
) -> _Motion:
    before, after = old_mm[ab[1]] - old_mm[ab[0]], new_mm[cd[1]] - new_mm[cd[0]]
    turn = float(np.arctan2(after[1], after[0]) - np.arctan2(before[1], before[0]))
    turn = (turn + np.pi) % (2 * np.pi) - np.pi
    matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    shift = new_mm[list(cd)].mean(axis=0) - matrix @ old_mm[list(ab)].mean(axis=0)
    far = np.linalg.norm((old_mm @ matrix.T + shift)[:, None] - new_mm[None], axis=2)
    far[~alike] = np.inf
    near = far.argmin(axis=1)
    return _Motion(turn, frozenset((i, int(j)) for i, j in enumerate(near) if far[i, j] < _SLIDES_MM))
