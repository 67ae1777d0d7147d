"""The network behind the seam between finding and measuring, and beside the classical finder."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from models.base import Catalogue, RoundBase
from models.camera import Camera, CameraPose
from models.layout import Layout
from vision.candidates import Box, Candidate, Finder, Ground, Picture
from vision.detector.network import PX_PER_MM, Network, shipped
from vision.detector.proposal import Proposal
from vision.ground import GroundMap
from vision.rectify import Window, straightened, window_maps
from vision.searching import HALF_RIM_MM, ground_there, windows

_LIKE_SIZE = 0.14  # sizes of the catalogue this near to the seen one are worth a fit
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
        self._ground = GroundMap(layout)
        self._table: Box = (0.0, 0.0, *layout.table_mm)
        self._network = network

    def find(
        self, image: Picture, *, camera: Camera, pose: CameraPose, boxes: tuple[Box, ...] | None = None
    ) -> tuple[Candidate, ...]:
        placed = self.placed(image, camera=camera, pose=pose, boxes=boxes)
        found = [candidate for one in placed for candidate in self._candidates(one)]
        return tuple(sorted(found, key=lambda candidate: -candidate.score))

    def placed(
        self, image: Picture, *, camera: Camera, pose: CameraPose, boxes: tuple[Box, ...] | None = None
    ) -> tuple[Placed, ...]:
        """Round, oval and rectangular bases as the network sees them, whatever the catalogue holds."""
        found: list[Placed] = []
        for surface_mm, window in windows(self._ground, table=self._table, boxes=boxes, px_per_mm=PX_PER_MM):
            maps = window_maps(window, camera=camera, pose=pose, z_mm=surface_mm + HALF_RIM_MM)
            for seen in (self._network or shipped()).proposals(straightened(image, maps)):
                one = _in_mm(seen, window)
                ground = ground_there(self._ground, one.at, surface_mm=surface_mm, table=self._table)
                found += [Placed(one, ground)] if ground is not None else []
        return tuple(found)

    def _candidates(self, placed: Placed) -> Iterator[Candidate]:
        """The round sizes that the proposal may be, the nearest first."""
        seen = placed.proposal
        if seen.kind == "round":
            diameter_mm = math.sqrt(seen.width * seen.depth)
            for base in self._bases:
                off = abs(math.log(diameter_mm / base.diameter_mm))
                if off < _LIKE_SIZE:
                    yield Candidate(base, seen.at, placed.ground, seen.score * (1 - off))


class UnitedFinder:
    """What any of its finders proposes, those of the first finder first; what two of them propose stands once."""

    def __init__(self, *finders: Finder) -> None:
        self._finders = finders

    def find(
        self, image: Picture, *, camera: Camera, pose: CameraPose, boxes: tuple[Box, ...] | None = None
    ) -> tuple[Candidate, ...]:
        united: list[Candidate] = []
        for finder in self._finders:
            found = finder.find(image, camera=camera, pose=pose, boxes=boxes)
            united += [one for one in found if not any(_is_same(one, other) for other in united)]
        return tuple(united)


def _is_same(a: Candidate, b: Candidate) -> bool:
    return a.base == b.base and math.dist(a.at_mm, b.at_mm) < _SAME_MM


def _in_mm(seen: Proposal, window: Window) -> Proposal:
    """The proposal in table mm; rows run the other way, so angles change their sign."""
    ((x_mm, y_mm),) = window.to_mm(np.array([seen.at], np.float64)).tolist()
    scale = window.px_per_mm
    return replace(seen, at=(x_mm, y_mm), width=seen.width / scale, depth=seen.depth / scale, turn_rad=-seen.turn_rad)
