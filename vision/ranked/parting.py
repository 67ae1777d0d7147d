"""Bases of a block that are several smaller ones: lines part them all where those would meet.

Where rims are thin or the picture is soft, the lines between neighbours are too weak to pay for one base more each, and
a few large bases explain what is left. So smaller ones are laid over the same ground, by whatever lines there are; they
are believed where each line between them, but for one of several that figures may hide, runs from end to end. So are
two that stand alone: else they are one base.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision.candidates import Picture
from vision.ranked.lattice import FAINT, Cell, Found, Size, Sums, grown
from vision.ranked.lines import Lines
from vision.ranked.seams import Seams

Floats = NDArray[np.float64]

_SMALLER = 0.7  # of the area of a base, at most
_COVERS = 0.8  # of the ground of the larger ones
# What parts bases (`python -m benchmarks.parting_blocks`): so many grey levels clearer than what is found beside it,
_LEAST_CLARITY = 1.2
_LEAST_MM = 50.0  # and so long, of all that run one way:
_FOR_EACH_UNCLEAR = 5  # lines that run one way: figures may hide one, hardly two of so many
_LONG_MM = 100.0  # shorter ones must be clearer in proportion, as what stands on one base may look so too


@dataclass(frozen=True, eq=False)
class Seam:
    """The line at which two columns of a block meet, or two rows (not `is_up`)."""

    is_up: bool
    side_mm: float  # of a base
    at_px: Floats  # its middle between each two bases, (N, 2)
    seen: Seams

    @property
    def length_mm(self) -> float:
        return self.side_mm * len(self.at_px)

    @cached_property
    def clarity(self) -> float:
        return self.seen.clarity(self.at_px, self.side_mm, is_up=self.is_up)


def parted(picture: Picture, lines: Lines, block: Found, sizes: Sequence[Size]) -> Found:
    """The block as one of the smallest bases that all its bases part into; the same, where they do not."""
    ways = sorted(laid_over(picture, lines, block, sizes), key=lambda way: -len(way[0].cells))
    return next((one for one, seams in ways if are_clear(seams, clarity=_LEAST_CLARITY)), block)


def as_one(picture: Picture, lines: Lines, block: Found, sizes: Sequence[Size]) -> Found:
    """Two bases as the one that they make together, where no line parts them: what stands on one base may look like a
    line, too. Where there is no such size, they are worth half: hardly both are there. All others as they are."""
    seams = list(_between(Seams(picture, px_per_mm=lines.px_per_mm), block)) if len(block.cells) == 2 else []
    if not seams or seams[0].clarity > _LEAST_CLARITY:
        return block
    wide = block.size.wide_mm * (2 if seams[0].is_up else 1)
    tall = block.size.tall_mm * (1 if seams[0].is_up else 2)
    one = next((size for size in sizes if (size.wide_mm, size.tall_mm) == (wide, tall)), None)
    if one is None:
        return replace(block, worth_mm=block.worth_mm / 2)
    x, y = np.mean(list(block.cells.values()), axis=0).tolist()
    return Found(one, {(0, 0): (x, y)}, block.worth_mm)


def are_clear(seams: Sequence[Seam], *, clarity: float) -> bool:
    """Whether all of them part bases, if those do that are so clear; of those that run one way all but one in five."""
    ways = [[one for one in seams if one.is_up == is_up] for is_up in (True, False)]
    return all(_are_all_clear(way, clarity) for way in ways if way)


def _are_all_clear(seams: Sequence[Seam], clarity: float) -> bool:
    long_mm = sum(one.length_mm for one in seams)
    felt = [one.clarity * min(1.0, long_mm / _LONG_MM) for one in seams]
    unclear = sum(one <= clarity for one in felt)
    return long_mm >= _LEAST_MM and unclear <= len(seams) // _FOR_EACH_UNCLEAR


def laid_over(
    picture: Picture, lines: Lines, block: Found, sizes: Sequence[Size]
) -> Iterator[tuple[Found, tuple[Seam, ...]]]:
    """Each block of smaller bases that covers most of this one, and the lines between them."""
    sums, seams = Sums(lines), Seams(picture, px_per_mm=lines.px_per_mm)
    reach_mm = _reach_mm(block, lines.px_per_mm)
    for size in sizes:
        if _area(size) > _SMALLER * _area(block.size):
            continue
        for one in grown(sums, size, within_mm=reach_mm, limits=FAINT):
            if len(one.cells) > 1 and _covered(block, one, lines.px_per_mm) > _COVERS:
                more = len(one.cells) * _area(size) / len(block.cells) / _area(block.size)
                yield replace(one, worth_mm=more * block.worth_mm), tuple(_between(seams, one))


def _between(seams: Seams, block: Found) -> Iterator[Seam]:
    for is_up, side_mm in ((True, block.size.tall_mm), (False, block.size.wide_mm)):
        places: dict[int, list[Floats]] = defaultdict(list)
        for (column, row), at in block.cells.items():
            beside: Cell = (column + 1, row) if is_up else (column, row + 1)
            if beside in block.cells:
                places[column if is_up else row].append(np.add(at, block.cells[beside]) / 2)
        for at_px in places.values():
            yield Seam(is_up, side_mm, np.array(at_px), seams)


def _area(size: Size) -> float:
    return size.wide_mm * size.tall_mm


def _reach_mm(block: Found, px_per_mm: float) -> float:
    """How far it extends at most from its middle, either way."""
    spread_mm = np.ptp(_at_mm(block, px_per_mm), axis=0)
    return float((spread_mm + np.array([block.size.wide_mm, block.size.tall_mm])).max()) / 2


def _covered(block: Found, other: Found, px_per_mm: float) -> float:
    """Which share of the block's ground the other's bases stand on."""
    away = np.abs(_at_mm(block, px_per_mm)[:, None] - _at_mm(other, px_per_mm)[None])
    sides, others = (np.array([one.size.wide_mm, one.size.tall_mm]) for one in (block, other))
    shared = np.minimum((sides + others) / 2 - away, np.minimum(sides, others)).clip(0)
    return float(shared.prod(axis=2).sum() / (len(block.cells) * sides.prod()))


def _at_mm(block: Found, px_per_mm: float) -> Floats:
    return np.array(list(block.cells.values())) / px_per_mm
