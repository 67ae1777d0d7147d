"""What other finders, the network among them, think of the members of a block."""

import math
from collections.abc import Sequence
from dataclasses import replace

from vision.candidates import Candidate, Opinion
from vision.ranked.blocks import Block, Placed

_MEANT = 0.3  # of its shorter side: so near to where a base was proposed it is the one that was meant


def is_meant(one: Placed, proposed: Sequence[Candidate]) -> bool:
    """Whether this is the base that was proposed, of any of its sizes."""
    near_mm = _MEANT * min(one.base.width_mm, one.base.depth_mm)
    return any(one.base == other.base and math.dist(one.at_mm, other.at_mm) < near_mm for other in proposed)


def advised(block: Block, proposed: Sequence[Candidate]) -> Block:
    """The block, of each of whose members it is said what the network thinks, if it was asked."""
    asked = [one for one in proposed if one.opinion is not None]
    if not asked:
        return block
    return replace(block, members=tuple(replace(one, opinion=_opinion_of(one, asked)) for one in block.members))


def _opinion_of(member: Placed, asked: Sequence[Candidate]) -> Opinion:
    """How sure the network is of this base there, and how sure of something else in its place."""
    is_it = is_other = 0.0
    near_mm = min(member.base.width_mm, member.base.depth_mm) / 2  # who is meant stands nearer still
    for one in (one for one in asked if math.dist(one.at_mm, member.at_mm) < near_mm):
        sure = one.opinion.is_it if one.opinion is not None else 0.0
        if is_meant(member, (one,)):
            is_it = max(is_it, sure)
        elif one.base.shape != "rect":
            is_other = max(is_other, sure)
    return Opinion(is_it, is_other)
