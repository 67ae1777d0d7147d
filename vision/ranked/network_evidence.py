"""Network evidence: scores of the network, and of other finders' candidates, for the members of a block."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from models.base import RectBase
from models.vocabulary import Point
from vision.candidates import Candidate, NetworkScore
from vision.measurement.base_fit import inradius_mm
from vision.ranked.block import Block, PlacedRect, axes_of

_SEEN, _UNSEEN = 0.8, 0.1  # so sure the network is of a round or oval base, and so little of the rectangle in its place
_DEEP_MM = 6.0  # farther into such a base none can reach, wherever nearby both prove to be
_MEANT = 0.3  # of its shorter side: so near to where a base was proposed it is the one that was meant


def is_proposed(rect: PlacedRect, proposed: Sequence[Candidate]) -> bool:
    """Whether this is the base that was proposed, of any of its sizes."""
    near_mm = _MEANT * min(rect.base.width_mm, rect.base.depth_mm)
    return any(rect.base == other.base and math.dist(rect.at_mm, other.at_mm) < near_mm for other in proposed)


def add_network_scores(block: Block, proposed: Sequence[Candidate]) -> Block:
    """Adds the network's score to each member, if it was asked."""
    asked = [candidate for candidate in proposed if candidate.network_score is not None]
    if not asked:
        return block
    return replace(
        block, members=tuple(replace(member, network_score=_score_member(member, asked)) for member in block.members)
    )


def drop_members_inside_others(block: Block, proposed: Sequence[Candidate]) -> Block | None:
    """Drops members that reach deep into round or oval bases of which the network is sure, and not of them; None where
    nobody is left."""
    sure = [
        candidate
        for candidate in proposed
        if candidate.network_score is not None and candidate.network_score.p_base > _SEEN
    ]
    others = [
        (candidate.at_mm, inradius_mm(candidate.base)) for candidate in sure if not isinstance(candidate.base, RectBase)
    ]
    clear = [k for k, member in enumerate(block.members) if not _reaches_into(member, others)]
    return block.subset(clear) if clear else None


def _reaches_into(member: PlacedRect, others: Sequence[tuple[Point, float]]) -> bool:
    if member.network_score is None or member.network_score.p_base > _UNSEEN:
        return False
    half = np.array([member.base.depth_mm, member.base.width_mm]) / 2
    for at_mm, reach_mm in others:
        away = np.abs(axes_of(member.turn_rad) @ np.subtract(at_mm, member.at_mm)) - half
        if float(np.hypot(*np.maximum(away, 0.0))) < reach_mm - _DEEP_MM:
            return True
    return False


def _score_member(member: PlacedRect, asked: Sequence[Candidate]) -> NetworkScore:
    """How sure the network is of this base there, and how sure of something else in its place."""
    is_it = is_other = 0.0
    near_mm = min(member.base.width_mm, member.base.depth_mm) / 2  # who is meant stands nearer still
    for candidate in (candidate for candidate in asked if math.dist(candidate.at_mm, member.at_mm) < near_mm):
        sure = candidate.network_score.p_base if candidate.network_score is not None else 0.0
        if is_proposed(member, (candidate,)):
            is_it = max(is_it, sure)
        elif candidate.base.shape != "rect":
            is_other = max(is_other, sure)
    return NetworkScore(is_it, is_other)
