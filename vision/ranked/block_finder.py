"""Block detection: what the networks propose as rectangles, joined to lattices of ranks and files.

A base that stands alone is a block of one. Networks see each base a few millimetres off and turned by a few degrees,
all of a block together hardly: so each block is laid through all that are seen in it before anything is measured. By
non-maximum suppression the one stays of overlapping blocks of which more is seen.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32
from models.base import Catalogue, RectBase
from models.layout import Layout
from models.vocabulary import Point
from vision.candidates import Candidate
from vision.ranked.block import Block
from vision.ranked.member_completion import grow_block
from vision.ranked.network_evidence import add_network_scores, drop_members_inside_others, is_proposed
from vision.rectification.ground_height import GroundMap
from vision.rectification.search_windows import LEVEL_MM

_OVERLAP = 0.12  # of the smaller area
_CONFIRMED = 0.25  # the networks' mean score of a block's members: fewer and they are lines of something else
_LARGE_CONFIRMED, _LARGE_MM2 = 0.1, 5000.0  # the same of a large base that stands alone
_RIVAL = 0.5  # of what is seen of the likeliest size: less is no rival
_SEES = 0.3  # the networks think that it may be a base, whatever the layout says
_SIDES_OF_A_PIECE = 2  # of a block: one may stand along an edge


class BlockFinder:
    """Lays blocks of the catalogue's rectangles through candidates, on every surface of the layout."""

    def __init__(self, catalogue: Catalogue, layout: Layout) -> None:
        self._catalogue = catalogue
        self._ground = GroundMap(layout)

    def find(self, proposed: Sequence[Candidate]) -> tuple[Block, ...]:
        """The blocks, of which most is seen first; none overlap. `proposed`: rectangles and others."""
        blocks: list[Block] = []
        for here in _by_surface(proposed):
            for alike in _by_place(here):
                if not any(is_proposed(member, alike) for block in blocks for member in block.members):
                    blocks.append(_likeliest(alike, here))
        clear = (drop_members_inside_others(block, proposed) for block in blocks)
        confirmed = [self._with_prior(block) for block in clear if block is not None and _is_confirmed(block)]
        return suppress_overlaps([block for block in confirmed if not self._is_terrain_edge(block)])

    def _with_prior(self, block: Block) -> Block:
        """The block, less likely where the usual sizes hold no rectangle."""
        if any(isinstance(base, RectBase) for base in self._catalogue.usual):
            return block
        return replace(block, log_prior=self._catalogue.log_prior(block.members[0].base))

    def _is_terrain_edge(self, block: Block) -> bool:
        """Whether the layout knows better whose lines these are: two sides of what the network sees no base in run
        along the edge of a piece of terrain."""
        if block.network_score is not None and block.network_score.p_base > _SEES:
            return False
        corners = block.corners_mm.tolist()
        sides = zip(corners, corners[1:] + corners[:1], strict=True)
        return sum(self._ground.has_edge_along((ax, ay), (bx, by)) for (ax, ay), (bx, by) in sides) >= _SIDES_OF_A_PIECE


def _by_surface(proposed: Iterable[Candidate]) -> list[list[Candidate]]:
    """The rectangles of each surface; low ground looks like the table's own."""
    surfaces: dict[float, list[Candidate]] = defaultdict(list)
    for candidate in proposed:
        if isinstance(candidate.base, RectBase):
            height_mm = candidate.ground.surface_mm
            surfaces[0.0 if abs(height_mm) < LEVEL_MM else height_mm].append(candidate)
    return list(surfaces.values())


def _by_place(candidates: Iterable[Candidate]) -> list[list[Candidate]]:
    """What one sight may be lies together; the surest sight first."""
    places: dict[Point, list[Candidate]] = defaultdict(list)
    for candidate in sorted(candidates, key=lambda candidate: -candidate.score):
        places[candidate.at_mm].append(candidate)
    return list(places.values())


def _likeliest(alike: Sequence[Candidate], here: Sequence[Candidate]) -> Block:
    """Of the blocks that may stand at one place, one for each size, that of which most is seen, beside its rivals."""
    blocks = sorted((add_network_scores(grow_block(candidate, here), here) for candidate in alike), key=_members_seen)
    of_size = {block.members[0].base: block for block in blocks}  # whichever way round more is seen
    *rivals, first = sorted(of_size.values(), key=_members_seen)
    least = _RIVAL * _members_seen(first)
    return replace(first, rivals=tuple(rival for rival in rivals if _members_seen(rival) >= least))


def _members_seen(block: Block) -> float:
    return block.network_score.p_base * len(block.members) if block.network_score is not None else 0.0


def _is_confirmed(block: Block) -> bool:
    """Whether the networks see enough of it. A large base is seen less surely, and what looks like one alone is no
    print that repeats."""
    base = block.members[0].base
    is_large_alone = len(block.members) == 1 and base.width_mm * base.depth_mm >= _LARGE_MM2
    least = _LARGE_CONFIRMED if is_large_alone else _CONFIRMED
    return block.network_score is None or block.network_score.p_base >= least


def suppress_overlaps(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Non-maximum suppression: of blocks that overlap the one of whose sides more is seen.

    What is left of the other stays if it is most of it.
    """
    kept: list[Block] = []
    taken = np.zeros((0, 4, 2), np.float32)
    for block in sorted(blocks, key=_sides_seen_mm, reverse=True):
        corners = np.array([member.corners_mm for member in block.members], np.float32)
        free = [k for k, corner in enumerate(corners) if not _overlaps_any(corner, taken)]
        if 2 * len(free) > len(block.members):
            kept.append(block.subset(free))
            taken = np.concatenate([taken, corners[free]])
    return tuple(kept)


def _sides_seen_mm(block: Block) -> float:
    base = block.members[0].base
    return (base.width_mm + base.depth_mm) * _members_seen(block)


def _overlaps_any(corners: Floats32, taken: Floats32) -> bool:
    """Whether one of these (N, 4, 2) shares more than a sliver; only those can whose circles meet."""
    apart_mm = np.linalg.norm(taken.mean(axis=1) - corners.mean(axis=0), axis=-1)
    meet = apart_mm <= _half_diagonal_mm(taken) + _half_diagonal_mm(corners)
    return any(_do_overlap(corners, other) for other in taken[meet])


def _half_diagonal_mm(corners: Floats32) -> Floats:
    return np.asarray(np.linalg.norm(corners[..., 0, :] - corners[..., 2, :], axis=-1) / 2)


def _do_overlap(first: Floats32, other: Floats32) -> bool:
    """Whether they share more than a sliver."""
    shared, _ = cv2.intersectConvexConvex(first, other)
    return bool(shared > _OVERLAP * min(cv2.contourArea(first), cv2.contourArea(other)))
