"""What the network says of a straightened picture, and which of its answers mean the same base."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Kind = Literal["round", "oval", "rect"]
KINDS: tuple[Kind, ...] = get_args(Kind)

_APART = 0.6  # of the sum of their smaller half sides: bases that stand nearer would overlap


@dataclass(frozen=True)
class Proposal:
    """A base may lie here. Lengths are those of the picture it was seen in: pixels, or mm once it was placed.

    `depth` lies along `turn_rad`, `width` across; which of a base's two ends is its front is not known.
    """

    kind: Kind
    at: tuple[float, float]
    width: float
    depth: float
    turn_rad: float
    score: float

    @property
    def small(self) -> float:
        return min(self.width, self.depth)


def proposals(output: Floats, *, least_score: float) -> list[Proposal]:
    """Every answer of (4 + kinds + 1, N) network output that is sure enough, best first."""
    scores = output[4 : 4 + len(KINDS)]
    kinds = scores.argmax(axis=0)
    best = scores.max(axis=0)
    sure = np.flatnonzero(best >= least_score)
    return [
        Proposal(KINDS[kinds[k]], (float(x), float(y)), float(width), float(depth), float(turn), float(best[k]))
        for k in sure[np.argsort(-best[sure])]
        for x, y, depth, width in [output[:4, k]]
        for turn in [output[-1, k]]
    ]


def distinct(found: Iterable[Proposal]) -> list[Proposal]:
    """Of proposals that cannot stand side by side the surest; best first."""
    kept: list[Proposal] = []
    for one in sorted(found, key=lambda proposal: -proposal.score):
        if all(_can_stand_beside(one, other) for other in kept):
            kept.append(one)
    return kept


def _can_stand_beside(a: Proposal, b: Proposal) -> bool:
    return stand_apart(a.at, a.small, b.at, b.small)


def stand_apart(a: tuple[float, float], a_small: float, b: tuple[float, float], b_small: float) -> bool:
    """Whether bases of these smaller sides may both stand at these places."""
    return math.dist(a, b) > _APART * (a_small + b_small) / 2
