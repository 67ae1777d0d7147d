"""Bases of a block that are several smaller ones: lines part all of them where those would meet.

Where rims are thin or the picture is soft, the lines between neighbours are too weak to pay for one more base each; but
they run through every base of the block at one place, and nothing like them runs beside it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.ranked.lattice import Cell, Found, Size, Sums
from vision.ranked.lines import Lines

Floats = NDArray[np.float64]

_FITS_MM = 0.5  # by which so many sides may miss the larger one
LEAST_MM = 50.0  # of line that runs at one place: a shorter one may be anything
# Lines that part bases (`python -m benchmarks.parting_blocks`): on the whole so clean, and so much more than beside.
_LEAST_CLEAN = -0.2
_STANDS_OUT = 0.3
_BESIDE_MM = 7.0  # as far as that is looked for
_NEAR_PX = 1  # that the line may be off its place
_APART_PX = 4  # from it, where beside begins
_OF_BESIDE = 0.9  # of what is found there


def parted(lines: Lines, block: Found, sizes: Sequence[Size]) -> Found:
    """The block as one of the smallest bases that all its bases part into; the same, where they do not."""
    sums = Sums(lines)
    ways = ((size, *times(block.size, size)) for size in sizes)
    found = [way for way in ways if way[1] * way[2] > 1 and _is_parted(sums, block, way[1], way[2])]
    if not found:
        return block
    size, columns, rows = max(found, key=lambda way: way[1] * way[2])
    return replace(block, size=size, cells=dict(_cells(block, columns, rows, lines.px_per_mm)))


def times(large: Size, small: Size) -> tuple[int, int]:
    """How many of the smaller make up the larger one, side by side and one behind the other; none if they do not."""
    columns, rows = round(large.wide_mm / small.wide_mm), round(large.tall_mm / small.tall_mm)
    off = abs(large.wide_mm - columns * small.wide_mm), abs(large.tall_mm - rows * small.tall_mm)
    return (columns, rows) if max(off) < _FITS_MM else (0, 0)


def _is_parted(sums: Sums, block: Found, columns: int, rows: int) -> bool:
    """Whether a line runs through all its bases wherever smaller ones would meet."""
    return all(one.stands_out for one in between(sums, block, columns, rows))


@dataclass(frozen=True)
class Between:
    """What is seen where smaller bases would meet in all of a block's: how clean it is, and by how much more than what
    is found beside it."""

    length_mm: float
    clean: float
    above: float

    @property
    def stands_out(self) -> bool:
        return self.length_mm >= LEAST_MM and self.clean > _LEAST_CLEAN and self.above > _STANDS_OUT


def between(sums: Sums, block: Found, columns: int, rows: int) -> Iterator[Between]:
    """Each place where so many columns and rows of smaller bases would meet."""
    for count, is_up in ((columns, True), (rows, False)):
        for k in range(1, count):
            yield _between(sums, block, k / count - 0.5, is_up=is_up)


def _between(sums: Sums, block: Found, share: float, *, is_up: bool) -> Between:
    """What runs there through all its bases, this share of a side from their middle."""
    along = _beside(sums, block, share, is_up=is_up)
    length_mm = (block.size.tall_mm if is_up else block.size.wide_mm) * len(block.cells)
    middle = len(along) // 2
    here = float(along[middle - _NEAR_PX : middle + _NEAR_PX + 1].max())
    beside = np.delete(along, slice(middle - _APART_PX + 1, middle + _APART_PX))
    return Between(length_mm, here, here - float(np.quantile(beside, _OF_BESIDE)))


def _beside(sums: Sums, block: Found, share: float, *, is_up: bool) -> Floats:
    """How clean lines are on the whole that run through all its bases at and about that place, a pixel each."""
    size, scale = block.size, sums.lines.px_per_mm
    clean = sums.side(size.tall_mm, is_up=True) if is_up else sums.side(size.wide_mm, is_up=False).T
    off = round(_BESIDE_MM * scale)
    at = np.array(list(block.cells.values()))[:, :: 1 if is_up else -1]
    across = np.rint(at[:, :1] + share * (size.wide_mm if is_up else size.tall_mm) * scale).astype(int)
    places = (across + np.arange(-off, off + 1)).clip(0, clean.shape[1] - 1)
    return np.asarray(clean[at[:, 1:].astype(int), places].mean(axis=0, dtype=np.float64))


def _cells(block: Found, columns: int, rows: int, px_per_mm: float) -> Iterator[tuple[Cell, tuple[float, float]]]:
    """Where the smaller bases stand, so many to each larger one."""
    wide, tall = block.size.wide_mm * px_per_mm, block.size.tall_mm * px_per_mm
    for (column, row), (x, y) in block.cells.items():
        for i in range(columns):
            for k in range(rows):
                at = x + ((i + 0.5) / columns - 0.5) * wide, y + ((k + 0.5) / rows - 0.5) * tall
                yield (column * columns + i, row * rows + k), at
