"""Crowds: where round bases of a size stand side by side the networks see few of them, unless they look closer.

They know bases with ground around them. Packed ones they half see, and enlarged nearly all.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from vision.candidates import Box
from vision.detection.network.proposals import PlacedProposal, Proposal, are_disjoint

CLOSER = 1.6  # times as large as in the first look
# On 24 photographic tables of 136 bases 2 proposals were in a crowd: printed stones seldom lie as close.
_SIDE_BY_SIDE, _NEIGHBOURS = 1.3, 2  # of the middle between both sizes; so many stand so near
_LIKE_SIZE = 0.15
_LARGEST_MM = 55.0  # enlarged, larger ones are larger than any that the networks know
_AROUND = 3.0  # of its size: so far from one that is half seen others may stand that are not


def crowd_boxes(seen: Sequence[Proposal]) -> tuple[Box, ...]:
    """Boxes in table mm around the places where round bases of a size stand side by side; none overlap."""
    boxes: list[Box] = []
    for proposal in seen:
        if _is_crowded(proposal, seen):
            (x, y), reach = proposal.at, _AROUND * proposal.width
            boxes = _joined((x - reach, y - reach, x + reach, y + reach), boxes)
    return tuple(boxes)


def merge_looks(first: Iterable[PlacedProposal], closer: Iterable[PlacedProposal]) -> tuple[PlacedProposal, ...]:
    """What both looks see. Of one base the first look's sizes count, which know no other scale, and the better score;
    of bases that overlap the surer stands."""
    left, merged = [_without_sizes(placed) for placed in closer], list[PlacedProposal]()
    for sighting in first:
        again = [other for other in left if _is_same(sighting.proposal, other.proposal)]
        left = [other for other in left if other not in again]
        score = max(other.proposal.score for other in (sighting, *again))
        merged.append(replace(sighting, proposal=replace(sighting.proposal, score=score)))
    kept: list[PlacedProposal] = []
    for sighting in sorted((*merged, *left), key=lambda placed: -placed.proposal.score):
        if all(_have_room(sighting.proposal, other.proposal) for other in kept):
            kept.append(sighting)
    return tuple(kept)


def _is_crowded(proposal: Proposal, seen: Sequence[Proposal]) -> bool:
    if proposal.kind != "round" or proposal.width > _LARGEST_MM:
        return False
    return sum(other is not proposal and _is_beside(proposal, other) for other in seen) >= _NEIGHBOURS


def _is_beside(proposal: Proposal, other: Proposal) -> bool:
    is_near = math.dist(proposal.at, other.at) < _SIDE_BY_SIDE * (proposal.width + other.width) / 2
    return other.kind == "round" and is_near and abs(math.log(proposal.width / other.width)) < _LIKE_SIZE


def _joined(box: Box, boxes: Iterable[Box]) -> list[Box]:
    """The boxes and this one, those that it overlaps grown into one."""
    apart: list[Box] = []
    for other in boxes:
        if box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]:
            box = min(box[0], other[0]), min(box[1], other[1]), max(box[2], other[2]), max(box[3], other[3])
        else:
            apart.append(other)
    return _joined(box, apart) if len(apart) < len(list(boxes)) else [*apart, box]


def _without_sizes(placed: PlacedProposal) -> PlacedProposal:
    return replace(placed, proposal=replace(placed.proposal, size_chances=None))


def _is_same(proposal: Proposal, other: Proposal) -> bool:
    is_alike = abs(math.log(proposal.width * proposal.depth / (other.width * other.depth))) < 2 * _LIKE_SIZE
    return proposal.kind == other.kind and is_alike and not _have_room(proposal, other)


def _have_room(proposal: Proposal, other: Proposal) -> bool:
    return are_disjoint(proposal.at, proposal.shorter_side, other.at, other.shorter_side)
