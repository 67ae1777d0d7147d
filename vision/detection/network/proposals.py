"""Decoding and non-maximum suppression of the network's output."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from calibration.arrays import Floats32
from vision.rectification.ground_height import Ground

Kind = Literal["round", "oval", "rect"]
KINDS: tuple[Kind, ...] = get_args(Kind)

_SQUARE = 1.15  # longer side by shorter: up to here a box of an unknown class holds a round base
_APART = 0.6  # of the sum of their smaller half sides: bases that stand nearer would overlap


@dataclass(frozen=True)
class Proposal:
    """A proposal: a base may lie here. Lengths are in pixels of the picture, or in mm once it was placed.

    `depth` lies along `turn_rad`, `width` across; which of a base's two ends is its front is not known.
    """

    kind: Kind
    at: tuple[float, float]
    width: float
    depth: float
    turn_rad: float
    score: float
    size_chances: tuple[float, ...] | None = None  # of channels.SIZES, given the kind; None: no network tells them
    sigma: float = 0.0  # of the place, per axis, as the network itself believes

    @property
    def shorter_side(self) -> float:
        return min(self.width, self.depth)


@dataclass(frozen=True)
class PlacedProposal:
    """A proposal in table mm, angles anticlockwise, and the ground under it."""

    proposal: Proposal
    ground: Ground


def decode_proposals(output: Floats32, *, names: Sequence[str] = KINDS, least_score: float) -> list[Proposal]:
    """Decodes (4 + classes + 1, N) oriented boxes: every proposal of at least this score, best first.

    A class that is named after no kind of base is round where its box is nearly a square, oval elsewhere.
    """
    scores = output[4:-1]
    classes = scores.argmax(axis=0)
    best = scores.max(axis=0)
    sure = np.flatnonzero(best >= least_score)
    return [
        Proposal(_kind_of(names[classes[k]], width, depth), (x, y), width, depth, float(output[-1, k]), float(best[k]))
        for k in sure[np.argsort(-best[sure])]
        for x, y, depth, width in [map(float, output[:4, k])]
    ]


def _kind_of(name: str, width: float, depth: float) -> Kind:
    shape: Kind = "round" if max(width, depth) < _SQUARE * min(width, depth) else "oval"
    return next((kind for kind in KINDS if kind == name), shape)


def non_maximum_suppression(proposals: Iterable[Proposal]) -> list[Proposal]:
    """Non-maximum suppression: of proposals that cannot stand side by side the one with the best score; best first."""
    ordered = sorted(proposals, key=lambda proposal: -proposal.score)
    at = np.array([proposal.at for proposal in ordered]).reshape(-1, 2)
    small = np.array([proposal.shorter_side for proposal in ordered])
    left, kept = np.ones(len(ordered), np.bool_), list[Proposal]()
    for number, candidate in enumerate(ordered):
        if left[number]:
            kept.append(candidate)
            left &= np.hypot(*(at - at[number]).T) > _APART * (small + small[number]) / 2
    return kept


def are_disjoint(a: tuple[float, float], a_small: float, b: tuple[float, float], b_small: float) -> bool:
    """Whether bases of these smaller sides may both stand at these places."""
    return math.dist(a, b) > _APART * (a_small + b_small) / 2
