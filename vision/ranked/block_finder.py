"""Block detection: where straight edges agree on an orientation, the lattice of rectangles that explains them best.

A base that stands alone is a block of one. Where another finder proposed a rectangle, it is searched for as well. By
non-maximum suppression the one with more evidence stays of those that overlap.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Image
from calibration.view import View
from models.base import Catalogue, RectBase
from models.layout import Layout
from models.vocabulary import Point
from vision.candidates import Box, Candidate
from vision.ranked.block import Block, PlacedRect
from vision.ranked.edge_orientations import (
    PX_PER_MM,
    EdgeOrientation,
    EdgePixels,
    OrientationMap,
    colour_edges,
    grey_edges,
)
from vision.ranked.lattice_search import oriented_sizes
from vision.ranked.network_evidence import add_network_scores, drop_members_inside_others, is_proposed
from vision.ranked.surface_search import SEES, Detection, SurfaceSearch
from vision.rectification.ground_height import GroundMap
from vision.rectification.rectify import Window, rectification_maps, rectify
from vision.rectification.search_windows import HALF_RIM_MM, is_on_table, search_windows

_OVERLAP = 0.12  # of the smaller area
# Of a side of which the network is sure counts as if line explained it. On own tables the right block then outdoes the
# wrong one in 100 of 105 pairs; from 0.02 to 1.0 it does in 98 to 101. So little, for lines to decide where the two
# differ: there are tables that the network does not know.
_SEEN = 0.1
_EDGE_MM = 12.0  # from the table's own edge, whose line no base need have
_FORGET_MM = 25.0
_CONFIRMED = 0.25  # the networks' mean score of a block's members: fewer and they are lines of something else
_LARGE_CONFIRMED, _LARGE_MM2 = 0.1, 5000.0  # the same of a large base that stands alone
_NEAR_MM = 80.0  # from where a network sees a rectangle: edges are looked at no farther off
_MOST_PICTURES = 70
# What is looked for, and by how many pixels of edge the best angle must outdo the others. Colours tell apart what is
# alike in brightness, but figures are of many, too: they come last.
_STEPS: tuple[tuple[Callable[[Image], EdgePixels], float], ...] = ((grey_edges, 14.0), (colour_edges, 28.0))
_LEVEL_MM = 3.0  # ground no higher looks like the table's own
_SIDES_OF_A_PIECE = 2  # of a block: one may stand along an edge


class BlockFinder:
    """Detects blocks of the catalogue's rectangles on every surface of the layout."""

    def __init__(self, catalogue: Catalogue, layout: Layout) -> None:
        self._catalogue = catalogue
        self._sizes = oriented_sizes([base for base in catalogue.bases if isinstance(base, RectBase)])
        self._ground = GroundMap(layout)
        self._table: Box = (0.0, 0.0, *layout.table_mm)
        wide, deep = (side - 2 * _EDGE_MM for side in layout.table_mm)
        self._within = _EDGE_MM + np.array([[0.0, 0.0], [wide, 0.0], [wide, deep], [0.0, deep]])

    def find(
        self, image: Image, *, view: View, boxes: tuple[Box, ...] | None = None, proposed: Sequence[Candidate] = ()
    ) -> tuple[Block, ...]:
        """The blocks, whole, most evidence first; none overlap. `proposed`: candidates of finders, rectangles and
        others."""
        near = rectangles_seen(proposed)
        return self.complete(self.detect_by_edges(image, view=view, boxes=boxes, near=near), proposed)

    def detect_by_edges(
        self, image: Image, *, view: View, boxes: tuple[Box, ...] | None = None, near: Sequence[Point] | None = None
    ) -> "tuple[SurfaceBlocks, ...]":
        """Blocks by their edges, surface by surface; only around the places `near`, unless that is None."""
        if not self._sizes:
            return ()
        detected: list[SurfaceBlocks] = []
        for surface_mm, window in search_windows(self._ground, table=self._table, boxes=boxes, px_per_mm=PX_PER_MM):
            if 0 < abs(surface_mm) < _LEVEL_MM:
                continue
            search = SurfaceSearch(image, view.camera, view.pose, surface_mm + HALF_RIM_MM, self._sizes)
            if near is not None and not near:
                detected.append(SurfaceBlocks(surface_mm, search, ()))
                continue
            whole = rectify(image, rectification_maps(window, camera=view.camera, pose=view.pose, z_mm=search.z_mm))
            seen = self._search_orientations(whole, window, search, near)
            blocks = tuple(block for detection in seen for block in self._blocks_on_surface(detection, surface_mm))
            detected.append(SurfaceBlocks(surface_mm, search, blocks))
        return tuple(detected)

    def complete(self, detected: "Sequence[SurfaceBlocks]", proposed: Sequence[Candidate]) -> tuple[Block, ...]:
        """Completes the blocks found by edges, and adds those where finders proposed rectangles."""
        blocks: list[Block] = []
        for surface_mm, search in {surface.surface_mm: surface.search for surface in detected}.items():
            places = _group_by_place(proposed, surface_mm)
            here = [candidate for alike in places for candidate in alike]
            known = [block for surface in detected if surface.surface_mm == surface_mm for block in surface.blocks]
            blocks += [search.complete_block(block, here) for block in known]
            for alike in places:
                if not any(is_proposed(member, alike) for block in blocks for member in block.members):
                    detections = search.search_proposed(alike)
                    again = [block for seen in detections for block in self._blocks_on_surface(seen, surface_mm)]
                    blocks += [search.complete_block(block, here) for block in again]
        scored = (drop_members_inside_others(add_network_scores(block, proposed), proposed) for block in blocks)
        blocks = [self._with_prior(block) for block in scored if block is not None and _is_confirmed(block)]
        return suppress_overlaps([block for block in blocks if not self._is_terrain_edge(block)])

    def _with_prior(self, block: Block) -> Block:
        """The block, less likely where the usual sizes hold no rectangle."""
        if any(isinstance(base, RectBase) for base in self._catalogue.usual):
            return block
        return replace(block, log_prior=self._catalogue.log_prior(block.members[0].base))

    def _is_terrain_edge(self, block: Block) -> bool:
        """Whether the layout knows better whose lines these are: two sides of what the network sees no base in run
        along the edge of a piece of terrain."""
        if block.network_score is not None and block.network_score.p_base > SEES:
            return False
        corners = block.corners_mm.tolist()
        sides = zip(corners, corners[1:] + corners[:1], strict=True)
        return sum(self._ground.has_edge_along((ax, ay), (bx, by)) for (ax, ay), (bx, by) in sides) >= _SIDES_OF_A_PIECE

    def _search_orientations(
        self, picture: Image, window: Window, search: SurfaceSearch, near: Sequence[Point] | None
    ) -> list[Detection]:
        """The blocks where edges agree, those first that are told by brightness."""
        seen: list[Detection] = []
        looked: list[EdgeOrientation] = []
        for steps, least in _STEPS:
            slants = OrientationMap(steps(picture), window, inside_mm=self._within, least=least)
            if near is not None:
                slants.keep([_disc_polygon(at, _NEAR_MM) for at in near])
            for slant in looked:
                slants.suppress(_disc_polygon(slant.at_mm, _FORGET_MM), slant.turn_rad)
            for known in seen:
                _suppress(slants, known)
            for slant in islice(iter(slants.strongest, None), _MOST_PICTURES):
                looked.append(slant)
                detection = search.search_at(slant)
                slants.suppress(_disc_polygon(slant.at_mm, _FORGET_MM), slant.turn_rad)
                if detection is not None:
                    _suppress(slants, detection)
                    seen.append(detection)
        return seen

    def _blocks_on_surface(self, seen: Detection, surface_mm: float) -> Iterator[Block]:
        """The block, of those members that stand on this surface."""
        size, turn = seen.lattice.size, seen.turn_rad
        members, cells = [], []
        for cell, at in zip(seen.cells, seen.at_mm.tolist(), strict=True):
            ground = self._ground.under((at[0], at[1]))
            if is_on_table(self._table, (at[0], at[1])) and abs(ground.surface_mm - surface_mm) < _LEVEL_MM:
                members.append(PlacedRect(size.base, (at[0], at[1]), turn, ground))
                cells.append(cell)
        if members:
            yield Block(tuple(members), tuple(cells), turn, seen.lattice.worth_mm * len(members) / len(seen.cells))


def rectangles_seen(proposed: Sequence[Candidate]) -> tuple[Point, ...] | None:
    """Where networks think that there may be rectangles; None where no network was asked."""
    if not any(candidate.network_score is not None for candidate in proposed):
        return None
    rectangles = (
        candidate
        for candidate in proposed
        if isinstance(candidate.base, RectBase) and candidate.network_score is not None
    )
    return tuple(
        dict.fromkeys(
            candidate.at_mm
            for candidate in rectangles
            if candidate.network_score and candidate.network_score.p_base > SEES
        )
    )


@dataclass(frozen=True)
class SurfaceBlocks:
    """The blocks detected in one window of a surface, and what searches there again."""

    surface_mm: float
    search: SurfaceSearch
    blocks: tuple[Block, ...]


def _is_confirmed(block: Block) -> bool:
    """Whether the networks see enough of it: lattices of joints and printed grids have lines as good as any block's.

    A large base is seen less surely, and what looks like one alone is no print that repeats.
    """
    base = block.members[0].base
    is_large_alone = len(block.members) == 1 and base.width_mm * base.depth_mm >= _LARGE_MM2
    least = _LARGE_CONFIRMED if is_large_alone else _CONFIRMED
    return block.network_score is None or block.network_score.p_base >= least


def _suppress(slants: OrientationMap, seen: Detection) -> None:
    for corners in seen.corners_mm():
        slants.suppress(corners)


def _group_by_place(proposed: Iterable[Candidate], surface_mm: float) -> list[list[Candidate]]:
    """The rectangles that stand on this surface: what one sight may be lies together."""
    places: dict[Point, list[Candidate]] = defaultdict(list)
    for candidate in proposed:
        if isinstance(candidate.base, RectBase) and abs(candidate.ground.surface_mm - surface_mm) < _LEVEL_MM:
            places[candidate.at_mm].append(candidate)
    return list(places.values())


def _disc_polygon(at_mm: Point, radius_mm: float) -> Floats:
    angle = np.arange(16) * (np.pi / 8)
    return np.asarray(np.column_stack([np.cos(angle), np.sin(angle)]) * radius_mm + at_mm)


def suppress_overlaps(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Non-maximum suppression: of blocks that overlap the one with more lines and a better network score.

    What is left of the other stays if it is most of it.
    """
    kept: list[Block] = []
    taken = np.zeros((0, 4, 2), np.float32)
    for block in sorted(blocks, key=_nms_score_mm, reverse=True):
        corners = np.array([member.corners_mm for member in block.members], np.float32)
        free = [k for k, corner in enumerate(corners) if not _overlaps_any(corner, taken)]
        if 2 * len(free) > len(block.members):
            kept.append(block.subset(free))
            taken = np.concatenate([taken, corners[free]])
    return tuple(kept)


def _nms_score_mm(block: Block) -> float:
    """By how much it is believed: the line that it explains, and what the network thinks of its members."""
    sides_mm = 2 * sum(member.base.width_mm + member.base.depth_mm for member in block.members)
    return block.worth_mm + (_SEEN * sides_mm * block.network_score.p_base if block.network_score is not None else 0.0)


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
