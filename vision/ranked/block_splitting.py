"""Block splitting: a block of large bases is split into smaller ones where lines part them along every seam.

Where rims are thin or the picture is soft, the lines between neighbours are too weak to pay for one base more each, and
a few large bases explain what is left. So lattices of smaller ones are laid over the same ground, and believed where
each line between them, but for one of several that figures may hide, runs from end to end. So are two that stand alone:
else they are one base.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from calibration.arrays import Floats, Image
from vision.ranked.lattice_search import FAINT, Cell, Lattice, LineSums, OrientedSize, search_blocks
from vision.ranked.line_evidence import LineMaps
from vision.ranked.seam_evidence import SeamEvidence

_SMALLER = 0.7  # of the area of a base, at most
_COVERS = 0.8  # of the ground of the larger ones
# What parts bases (`python -m benchmarks.detection.block_splitting_limits`): so many grey levels clearer than what is
# found beside it,
_LEAST_CLARITY = 1.2
_LEAST_MM = 50.0  # and so long, of all that run one way:
_FOR_EACH_UNCLEAR = 5  # lines that run one way: figures may hide one, hardly two of so many
_LONG_MM = 100.0  # shorter ones must be clearer in proportion, as what stands on one base may look so too


@dataclass(frozen=True, eq=False)
class Seam:
    """A seam: the line at which two columns of a block meet, or two rows (not `is_up`)."""

    is_up: bool
    side_mm: float  # of a base
    at_px: Floats  # its middle between each two bases, (N, 2)
    evidence: SeamEvidence

    @property
    def length_mm(self) -> float:
        return self.side_mm * len(self.at_px)

    @cached_property
    def clarity(self) -> float:
        return self.evidence.clarity(self.at_px, self.side_mm, is_up=self.is_up)


def split_block(picture: Image, lines: LineMaps, block: Lattice, sizes: Sequence[OrientedSize]) -> Lattice:
    """Splits the block into the smallest bases that lines part all its bases into; the same block, where they do
    not."""
    ways = sorted(overlay_smaller_bases(picture, lines, block, sizes), key=lambda way: -len(way[0].cells))
    return next((one for one, seams in ways if are_clear(seams, clarity=_LEAST_CLARITY)), block)


def merge_pair(picture: Image, lines: LineMaps, block: Lattice, sizes: Sequence[OrientedSize]) -> Lattice:
    """Merges two bases into the one they make together, where no line parts them; all other blocks stay as they are.

    What stands on one base may look like a line, too. Where there is no such size, they are worth half: hardly both are
    there.
    """
    seams = list(_seams_of(SeamEvidence(picture, px_per_mm=lines.px_per_mm), block)) if len(block.cells) == 2 else []
    if not seams or seams[0].clarity > _LEAST_CLARITY:
        return block
    wide = block.size.wide_mm * (2 if seams[0].is_up else 1)
    tall = block.size.tall_mm * (1 if seams[0].is_up else 2)
    one = next((size for size in sizes if (size.wide_mm, size.tall_mm) == (wide, tall)), None)
    if one is None:
        return replace(block, worth_mm=block.worth_mm / 2)
    x, y = np.mean(list(block.cells.values()), axis=0).tolist()
    return Lattice(one, {(0, 0): (x, y)}, block.worth_mm)


def are_clear(seams: Sequence[Seam], *, clarity: float) -> bool:
    """Whether all of these seams part bases, if those do that are so clear; of those that run one way all but one in
    five."""
    ways = [[one for one in seams if one.is_up == is_up] for is_up in (True, False)]
    return all(_are_all_clear(way, clarity) for way in ways if way)


def _are_all_clear(seams: Sequence[Seam], clarity: float) -> bool:
    long_mm = sum(one.length_mm for one in seams)
    felt = [one.clarity * min(1.0, long_mm / _LONG_MM) for one in seams]
    unclear = sum(one <= clarity for one in felt)
    return long_mm >= _LEAST_MM and unclear <= len(seams) // _FOR_EACH_UNCLEAR


def overlay_smaller_bases(
    picture: Image, lines: LineMaps, block: Lattice, sizes: Sequence[OrientedSize]
) -> Iterator[tuple[Lattice, tuple[Seam, ...]]]:
    """Lattices of smaller bases that cover most of this block, each with the seams between them."""
    sums, seams = LineSums(lines), SeamEvidence(picture, px_per_mm=lines.px_per_mm)
    reach_mm = _reach_mm(block, lines.px_per_mm)
    for size in sizes:
        if _area(size) > _SMALLER * _area(block.size):
            continue
        for one in search_blocks(sums, size, within_mm=reach_mm, limits=FAINT):
            if len(one.cells) > 1 and _covered_share(block, one, lines.px_per_mm) > _COVERS:
                more = len(one.cells) * _area(size) / len(block.cells) / _area(block.size)
                yield replace(one, worth_mm=more * block.worth_mm), tuple(_seams_of(seams, one))


def _seams_of(seams: SeamEvidence, block: Lattice) -> Iterator[Seam]:
    for is_up, side_mm in ((True, block.size.tall_mm), (False, block.size.wide_mm)):
        places: dict[int, list[Floats]] = defaultdict(list)
        for (column, row), at in block.cells.items():
            beside: Cell = (column + 1, row) if is_up else (column, row + 1)
            if beside in block.cells:
                places[column if is_up else row].append(np.add(at, block.cells[beside]) / 2)
        for at_px in places.values():
            yield Seam(is_up, side_mm, np.array(at_px), seams)


def _area(size: OrientedSize) -> float:
    return size.wide_mm * size.tall_mm


def _reach_mm(block: Lattice, px_per_mm: float) -> float:
    """How far it extends at most from its middle, either way."""
    spread_mm = np.ptp(_at_mm(block, px_per_mm), axis=0)
    return float((spread_mm + np.array([block.size.wide_mm, block.size.tall_mm])).max()) / 2


def _covered_share(block: Lattice, other: Lattice, px_per_mm: float) -> float:
    """Which share of the block's ground the other's bases stand on."""
    away = np.abs(_at_mm(block, px_per_mm)[:, None] - _at_mm(other, px_per_mm)[None])
    sides, others = (np.array([one.size.wide_mm, one.size.tall_mm]) for one in (block, other))
    shared = np.minimum((sides + others) / 2 - away, np.minimum(sides, others)).clip(0)
    return float(shared.prod(axis=2).sum() / (len(block.cells) * sides.prod()))


def _at_mm(block: Lattice, px_per_mm: float) -> Floats:
    return np.array(list(block.cells.values())) / px_per_mm
