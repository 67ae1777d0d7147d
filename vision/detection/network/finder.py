"""Network finder: proposals of the networks as candidates, in the sizes of the catalogue, each with its score.

Crowds: where round bases of a size stand side by side the networks see few of them, unless they look closer.
"""

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from calibration.arrays import Image
from models.base import Base, Catalogue, OvalBase, RectBase, RoundBase
from models.camera import Camera, CameraPose
from models.layout import Layout
from vision.candidates import Box, Candidate, NetworkScore
from vision.detection.network.channels import SIZES
from vision.detection.network.fused_network import shipped_networks
from vision.detection.network.inference import PX_PER_MM, STRIDE
from vision.detection.network.proposals import PlacedProposal, Proposal, are_disjoint
from vision.measurement.base_fit import size_mm
from vision.rectification.ground_height import GroundMap
from vision.rectification.rectify import Window, rectification_maps, rectify_filtered
from vision.rectification.search_windows import HALF_RIM_MM, GroundProjection, search_windows

_LIKE_SIZE = 0.14  # sizes of the catalogue this near to the seen one are worth a fit
_LIKE_SIDES = 0.2  # the same for the two sides of ovals and rectangles
_MEANT, _MEANT_MM, _MEANT_SIZE = 0.2, 1.0, 0.2  # of its size, and so much besides: so far off it is what was meant
_UNLIKELY_SIZE = 0.3  # no size is farther off than this where the network tells chances
_THERE = 0.5  # of its size: what the network sees nearer stands in the same place


class Proposer(Protocol):
    """A network, or several: the bases in a rectified BGR picture, in its pixels, best first."""

    def proposals(self, picture: Image) -> list[Proposal]: ...


class NetworkFinder:
    """Proposes what the network takes for bases, in the sizes of the catalogue that come near."""

    def __init__(self, catalogue: Catalogue, layout: Layout, network: Proposer | None = None) -> None:
        self._catalogue = catalogue
        self._bases = tuple(base for base in catalogue.bases if isinstance(base, RoundBase))
        self._long = tuple(base for base in catalogue.bases if isinstance(base, OvalBase | RectBase))
        self._ground = GroundMap(layout)
        self._table: Box = (0.0, 0.0, *layout.table_mm)
        self._network = network

    def find(
        self, image: Image, *, camera: Camera, pose: CameraPose, boxes: tuple[Box, ...] | None = None
    ) -> tuple[Candidate, ...]:
        return self.candidates(self.propose(image, camera=camera, pose=pose, boxes=boxes))

    def candidates(self, placed: tuple[PlacedProposal, ...]) -> tuple[Candidate, ...]:
        """Candidates for the fit, best score first, each with the network's score of its place."""
        sized = [candidate for proposal in placed for candidate in self._sized_candidates(proposal)]
        ordered = sorted(sized, key=lambda candidate: -candidate.score)
        return tuple(replace(candidate, network_score=score_at(candidate, placed)) for candidate in ordered)

    def propose(
        self, image: Image, *, camera: Camera, pose: CameraPose, boxes: tuple[Box, ...] | None = None
    ) -> tuple[PlacedProposal, ...]:
        """Round, oval and rectangular bases as the network sees them, whatever the catalogue holds."""
        proposals: list[PlacedProposal] = []
        for surface_mm, window in search_windows(self._ground, table=self._table, boxes=boxes, px_per_mm=PX_PER_MM):
            first = self._look(image, window, surface_mm, camera=camera, pose=pose)
            for box in crowd_boxes([placed.proposal for placed in first]):
                closer = Window(*box, CLOSER * PX_PER_MM)
                first = merge_looks(first, self._look(image, closer, surface_mm, camera=camera, pose=pose))
            proposals += first
        return tuple(proposals)

    def _look(
        self, image: Image, window: Window, surface_mm: float, *, camera: Camera, pose: CameraPose
    ) -> tuple[PlacedProposal, ...]:
        """What the network sees in this window, placed on the ground of the surface."""
        window = align_to_stride(window)
        maps = rectification_maps(window, camera=camera, pose=pose, z_mm=surface_mm + HALF_RIM_MM)
        standing = GroundProjection(self._ground, self._table, surface_mm, pose.centre_mm)
        placed: list[PlacedProposal] = []
        for seen in (self._network or shipped_networks()).proposals(rectify_filtered(image, maps)):
            proposal = _to_table_mm(seen, window)
            stands = standing.at(proposal.at)
            placed += [PlacedProposal(replace(proposal, at=stands[0]), stands[1])] if stands is not None else []
        return tuple(placed)

    def _sized_candidates(self, placed: PlacedProposal) -> Iterator[Candidate]:
        """The sizes that the proposal may be."""
        seen = placed.proposal
        if seen.kind == "round":
            for base in self._bases:
                off = size_off(seen, base)
                if off < _LIKE_SIZE:
                    yield self._candidate(base, placed, off)
        for long, turn_rad in itertools.product(self._long, (0.0, np.pi / 2)):
            off = _sides_off(seen, long, is_across=turn_rad > 0)
            if long.shape == seen.kind and off < _LIKE_SIDES:
                yield replace(self._candidate(long, placed, off), turn_rad=seen.turn_rad + turn_rad)

    def _candidate(self, base: Base, placed: PlacedProposal, off: float) -> Candidate:
        seen = placed.proposal
        return Candidate(
            base, seen.at, placed.ground, seen.score * (1 - off), sigma_mm=seen.sigma,
            log_prior=self._catalogue.log_prior(base), size_share=size_share(seen, base),
        )  # fmt: skip


def score_at(candidate: Candidate, placed: tuple[PlacedProposal, ...]) -> NetworkScore:
    """Class scores at a candidate: that this base stands there, and that something else does in its place."""
    wide_mm = size_mm(candidate.base)
    is_it = is_other = 0.0
    for seen in (proposal.proposal for proposal in placed):
        away_mm = math.dist(candidate.at_mm, seen.at)
        is_meant = seen.kind == candidate.base.shape and away_mm < _MEANT * wide_mm + _MEANT_MM
        if is_meant and (off := size_off(seen, candidate.base)) < _MEANT_SIZE:
            is_it = max(is_it, seen.score * (1 - off))
        elif away_mm < _THERE * wide_mm:
            is_other = max(is_other, seen.score)
    return NetworkScore(is_it, is_other)


def align_to_stride(window: Window) -> Window:
    """The window begun on the network's stride, however far it reaches: its scores depend a little on where a place
    falls."""
    step_mm = STRIDE / window.px_per_mm
    return replace(
        window, x0_mm=math.floor(window.x0_mm / step_mm) * step_mm, y1_mm=math.ceil(window.y1_mm / step_mm) * step_mm
    )


def size_off(proposal: Proposal, base: RoundBase | OvalBase | RectBase) -> float:
    """How far the seen size is from a base's, relative; less where the network tells sizes and finds it likely."""
    off = abs(math.log(math.sqrt(proposal.width * proposal.depth) / size_mm(base)))
    chance = size_chance(proposal, base)
    return off if chance is None else min(off, _UNLIKELY_SIZE) * (1 - chance)


def size_chance(proposal: Proposal, base: RoundBase | OvalBase | RectBase) -> float | None:
    """How likely the network finds a size beside the likeliest; None where it does not tell or nobody sells it."""
    share = size_share(proposal, base)
    return None if share is None else share / max(max(proposal.size_chances or ()), 1e-9)


def size_share(proposal: Proposal, base: RoundBase | OvalBase | RectBase) -> float | None:
    """How likely the network finds a size, of all sizes; None where it does not tell or nobody sells it."""
    if proposal.size_chances is None or base.shape != proposal.kind:
        return None
    short, long = sorted((base.diameter_mm,) * 2 if isinstance(base, RoundBase) else (base.width_mm, base.depth_mm))
    shares = dict(zip(SIZES, proposal.size_chances, strict=True))
    return shares.get((base.shape, long, short))


def _sides_off(proposal: Proposal, base: OvalBase | RectBase, *, is_across: bool) -> float:
    """How far the worse of the seen sides is from a base's, relative; `is_across`: its width lies along the depth."""
    width, depth = (base.depth_mm, base.width_mm) if is_across else (base.width_mm, base.depth_mm)
    return max(abs(math.log(proposal.width / width)), abs(math.log(proposal.depth / depth)))


def _to_table_mm(seen: Proposal, window: Window) -> Proposal:
    """The proposal in table mm; rows run the other way, so angles change their sign."""
    ((x_mm, y_mm),) = window.to_mm(np.array([seen.at], np.float64)).tolist()
    scale = window.px_per_mm
    return replace(
        seen, at=(x_mm, y_mm), width=seen.width / scale, depth=seen.depth / scale, turn_rad=-seen.turn_rad,
        sigma=seen.sigma / scale,
    )  # fmt: skip


CLOSER = 1.6  # times as large as in the first look
# On 24 photographic tables of 136 bases 2 proposals were in a crowd: printed stones seldom lie as close.
_SIDE_BY_SIDE, _NEIGHBOURS = 1.3, 2  # of the middle between both sizes; so many stand so near
_CROWD_LIKE_SIZE = 0.15
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
        again = [other for other in left if _is_same_base(sighting.proposal, other.proposal)]
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
    return other.kind == "round" and is_near and abs(math.log(proposal.width / other.width)) < _CROWD_LIKE_SIZE


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


def _is_same_base(proposal: Proposal, other: Proposal) -> bool:
    is_alike = abs(math.log(proposal.width * proposal.depth / (other.width * other.depth))) < 2 * _CROWD_LIKE_SIZE
    return proposal.kind == other.kind and is_alike and not _have_room(proposal, other)


def _have_room(proposal: Proposal, other: Proposal) -> bool:
    return are_disjoint(proposal.at, proposal.shorter_side, other.at, other.shorter_side)
