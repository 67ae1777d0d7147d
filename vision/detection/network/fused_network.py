"""Fusion of both networks: the dense one and that of the boxes look at the same picture, and agree on proposals."""

import math
from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from calibration.arrays import Image
from vision.detection.network.inference import DenseNetwork, Network, shipped_dense_network, shipped_network
from vision.detection.network.instances import SeenBase
from vision.detection.network.proposals import KINDS, Proposal, non_maximum_suppression
from vision.parallel import run_both

# Chance of a base by the scores of both, a logistic regression on drawn tiles of both generators, half photographic.
_DENSE, _BOX, _BIAS = 0.99, 0.79, 1.28
_UNSEEN = 0.02  # the score of a network that told of nothing there
_LEAST_SCORE = 0.1  # of either network, and of both together
_NEAR, _NEAR_PX, _LIKE_AREA = 0.25, 2.0, 0.5  # of the short side, and so much besides; log of the area


class FusedNetwork:
    """Both networks as one: what either sees, each with the chance that both together give it."""

    def __init__(self, dense: DenseNetwork, boxes: Network) -> None:
        self._dense, self._boxes = dense, boxes

    def proposals(self, picture: Image) -> list[Proposal]:
        """The bases in a rectified BGR picture, in its pixels, best first."""
        view, boxes = run_both(
            lambda: self._dense.look(picture), lambda: self._boxes.proposals(picture, least_score=_LEAST_SCORE)
        )
        return fuse(view.bases, boxes)


@cache
def shipped_networks() -> FusedNetwork:
    """The networks that come with the program, loaded on first use."""
    return FusedNetwork(shipped_dense_network(), shipped_network())


def fuse(bases: Iterable[SeenBase], boxes: Iterable[Proposal]) -> list[Proposal]:
    """Proposals of both networks, those of one place together, best first."""
    left = sorted(boxes, key=lambda box: -box.score)
    proposals: list[Proposal] = []
    for base in bases:
        box = next((other for other in left if _is_same(other, base)), None)
        if box is not None:
            left.remove(box)
        proposals.append(_fused(base, box))
    proposals += [_scored(box, chance_of(_UNSEEN, box.score)) for box in left]
    return non_maximum_suppression(proposal for proposal in proposals if proposal.score >= _LEAST_SCORE)


def chance_of(dense: float, box: float) -> float:
    """The chance that a base stands where the networks give these scores."""
    return 1 / (1 + math.exp(-(_DENSE * _logit(dense) + _BOX * _logit(box) + _BIAS)))


def _logit(score: float) -> float:
    bounded = min(max(score, _UNSEEN), 1 - _UNSEEN)
    return math.log(bounded / (1 - bounded))


def _is_same(box: Proposal, base: SeenBase) -> bool:
    is_near = math.dist(box.at, base.at_px) < _NEAR * base.short_px + _NEAR_PX
    return is_near and abs(math.log(box.width * box.depth / (base.long_px * base.short_px))) < _LIKE_AREA


def _fused(base: SeenBase, box: Proposal | None) -> Proposal:
    """The dense network's base; where the other is surer that it is of another kind, the box."""
    kind = next(kind for kind in KINDS if kind == base.kind)
    score = chance_of(base.score, box.score if box is not None else _UNSEEN)
    if box is not None and box.kind != kind and box.score > base.score:
        return replace(_scored(box, score), sigma=base.sigma_px)
    chances = tuple(map(float, base.sizes))
    return Proposal(kind, base.at_px, base.short_px, base.long_px, base.axis_rad, score, chances, base.sigma_px)


def _scored(box: Proposal, score: float) -> Proposal:
    return Proposal(box.kind, box.at, box.width, box.depth, box.turn_rad, score)
