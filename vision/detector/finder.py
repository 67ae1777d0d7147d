"""The network behind the seam between finding and measuring, and beside the classical finder."""

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from models.base import Catalogue, OvalBase, RectBase, RoundBase
from models.camera import Camera, CameraPose
from models.layout import Layout
from vision.candidates import Box, Candidate, Finder, Ground, Opinion, Picture
from vision.cores import both
from vision.detector.network import PX_PER_MM, STRIDE, Network, shipped
from vision.detector.proposal import Proposal
from vision.fit import size_mm
from vision.ground import GroundMap
from vision.rectify import Window, straightened, window_maps
from vision.searching import HALF_RIM_MM, Standing, windows

_LIKE_SIZE = 0.14  # sizes of the catalogue this near to the seen one are worth a fit
_LIKE_SIDES = 0.2  # the same for the two sides of ovals and rectangles
_MEANT, _MEANT_MM, _MEANT_SIZE = 0.2, 1.0, 0.2  # of its size, and so much besides: so far off it is what was meant
_THERE = 0.5  # of its size: what the network sees nearer stands in the same place
_SAME_MM = 2.0  # candidates of one size this near to each other lead the fit to the same place


@dataclass(frozen=True)
class Placed:
    """A proposal in table mm, angles anticlockwise, and the ground under it."""

    proposal: Proposal
    ground: Ground


class NetworkFinder:
    """Proposes what the network takes for bases, in the sizes of the catalogue that come near."""

    def __init__(self, catalogue: Catalogue, layout: Layout, network: Network | None = None) -> None:
        self._bases = tuple(base for base in catalogue.bases if isinstance(base, RoundBase))
        self._long = tuple(base for base in catalogue.bases if isinstance(base, OvalBase | RectBase))
        self._ground = GroundMap(layout)
        self._table: Box = (0.0, 0.0, *layout.table_mm)
        self._network = network

    def find(
        self, image: Picture, *, camera: Camera, pose: CameraPose, boxes: tuple[Box, ...] | None = None
    ) -> tuple[Candidate, ...]:
        return self.candidates(self.placed(image, camera=camera, pose=pose, boxes=boxes))

    def candidates(self, placed: tuple[Placed, ...]) -> tuple[Candidate, ...]:
        """What the fit may begin with, the likeliest first."""
        found = [candidate for one in placed for candidate in self._candidates(one)]
        return tuple(sorted(found, key=lambda candidate: -candidate.score))

    def placed(
        self, image: Picture, *, camera: Camera, pose: CameraPose, boxes: tuple[Box, ...] | None = None
    ) -> tuple[Placed, ...]:
        """Round, oval and rectangular bases as the network sees them, whatever the catalogue holds."""
        found: list[Placed] = []
        for surface_mm, window in windows(self._ground, table=self._table, boxes=boxes, px_per_mm=PX_PER_MM):
            window = in_step(window)
            maps = window_maps(window, camera=camera, pose=pose, z_mm=surface_mm + HALF_RIM_MM)
            standing = Standing(self._ground, self._table, surface_mm, pose.centre_mm)
            for seen in (self._network or shipped()).proposals(straightened(image, maps)):
                one = _in_mm(seen, window)
                stands = standing.at(one.at)
                found += [Placed(replace(one, at=stands[0]), stands[1])] if stands is not None else []
        return tuple(found)

    def _candidates(self, placed: Placed) -> Iterator[Candidate]:
        """The sizes that the proposal may be."""
        seen = placed.proposal
        if seen.kind == "round":
            for base in self._bases:
                off = _size_off(seen, base.diameter_mm)
                if off < _LIKE_SIZE:
                    yield Candidate(base, seen.at, placed.ground, seen.score * (1 - off))
        for long, turn_rad in itertools.product(self._long, (0.0, np.pi / 2)):
            off = _sides_off(seen, long, is_across=turn_rad > 0)
            if long.shape == seen.kind and off < _LIKE_SIDES:
                yield Candidate(long, seen.at, placed.ground, seen.score * (1 - off), seen.turn_rad + turn_rad)


class AdvisedFinder:
    """What the network proposes, and what the other finder does besides; of each it is said what the network thinks.

    Both look at the same time. Nothing is left out: a table unlike all that the network knows is for the other finder
    and the fit to judge.
    """

    def __init__(self, network: NetworkFinder, other: Finder) -> None:
        self._network, self._other = network, other

    def find(
        self, image: Picture, *, camera: Camera, pose: CameraPose, boxes: tuple[Box, ...] | None = None
    ) -> tuple[Candidate, ...]:
        placed, others = both(
            lambda: self._network.placed(image, camera=camera, pose=pose, boxes=boxes),
            lambda: self._other.find(image, camera=camera, pose=pose, boxes=boxes),
        )
        first = self._network.candidates(placed)
        united = (*first, *(one for one in others if not any(_is_same(one, known) for known in first)))
        return tuple(replace(one, opinion=opinion_of(one, placed)) for one in united)


def opinion_of(candidate: Candidate, placed: tuple[Placed, ...]) -> Opinion:
    """How sure the network is of this base there, and how sure of something else in its place."""
    wide_mm = size_mm(candidate.base)
    is_it = is_other = 0.0
    for seen in (one.proposal for one in placed):
        away_mm, off = math.dist(candidate.at_mm, seen.at), _size_off(seen, wide_mm)
        if seen.kind == candidate.base.shape and away_mm < _MEANT * wide_mm + _MEANT_MM and off < _MEANT_SIZE:
            is_it = max(is_it, seen.score * (1 - off))
        elif away_mm < _THERE * wide_mm:
            is_other = max(is_other, seen.score)
    return Opinion(is_it, is_other)


def in_step(window: Window) -> Window:
    """The window begun where its pixels fall on the same strides of the network, however far it reaches: what the
    network says of a place depends a little on where it falls."""
    step_mm = STRIDE / window.px_per_mm
    return replace(
        window, x0_mm=math.floor(window.x0_mm / step_mm) * step_mm, y1_mm=math.ceil(window.y1_mm / step_mm) * step_mm
    )


def _size_off(proposal: Proposal, diameter_mm: float) -> float:
    """How far the seen size is from a size, relative."""
    return abs(math.log(math.sqrt(proposal.width * proposal.depth) / diameter_mm))


def _sides_off(proposal: Proposal, base: OvalBase | RectBase, *, is_across: bool) -> float:
    """How far the worse of the seen sides is from a base's, relative; `is_across`: its width lies along the depth."""
    width, depth = (base.depth_mm, base.width_mm) if is_across else (base.width_mm, base.depth_mm)
    return max(abs(math.log(proposal.width / width)), abs(math.log(proposal.depth / depth)))


def _is_same(a: Candidate, b: Candidate) -> bool:
    return a.base == b.base and math.dist(a.at_mm, b.at_mm) < _SAME_MM


def _in_mm(seen: Proposal, window: Window) -> Proposal:
    """The proposal in table mm; rows run the other way, so angles change their sign."""
    ((x_mm, y_mm),) = window.to_mm(np.array([seen.at], np.float64)).tolist()
    scale = window.px_per_mm
    return replace(seen, at=(x_mm, y_mm), width=seen.width / scale, depth=seen.depth / scale, turn_rad=-seen.turn_rad)
