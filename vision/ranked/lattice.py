"""Blocks of rectangles in an upright picture: the arrangement that explains most of its lines.

Every size of the catalogue is laid over every place, its four sides counted; from the best places a block grows by
neighbours that add more lines than they lack. Of all sizes and places the block with the largest sum wins: four small
squares explain the lines between them, one large square does not.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from models.base import RectBase
from vision import compiled
from vision.ranked.lines import ABSENT, Lines

Map = NDArray[np.float32]
Cell = tuple[int, int]  # column, row

_SIDE_SHARE = 0.9  # of a side: the corners are left out
_END_SHARE = 0.3  # of a side, at each end
_SEEDS = 3  # of a size
_ROUNDED = 1e-4  # sums in another order differ by less
_LEAST_FREE_SIDE = -0.55  # below it nothing is there: a hole in the ranks
_LEAST_FREE = 0.0  # of all free sides of a base
_GAP_MM = 0.6  # usual between the members of a block
_SLACK_MM = 2.0
_CELL_COST_MM = 12.0  # of clean line that each base must add
_LEAST_AROUND = 0.35  # of clean line round a block
_LEAST_SIDE = -0.2  # of a base that stands alone
_MOST_CELLS = 150


@dataclass(frozen=True)
class Limits:
    """On how clean lines a block is believed: the whole rim of its first base, that of each other, all lines between
    neighbours; by how many mm of line it must be worth it; and whether each base must be bounded as it is added, or
    only those at the edge in the end."""

    seed: float
    neighbour: float
    between: float
    worth_mm: float
    is_bounded_at_once: bool


CLEAR = Limits(seed=0.2, neighbour=0.12, between=0.2, worth_mm=22.0, is_bounded_at_once=True)
FAINT = Limits(seed=0.0, neighbour=-0.35, between=-1.0, worth_mm=-np.inf, is_bounded_at_once=False)


@dataclass(frozen=True)
class Size:
    """A base's sides along the columns (`wide_mm`) and the rows of the picture; `is_turned`: its depth runs upward."""

    base: RectBase
    wide_mm: float
    tall_mm: float
    is_turned: bool


@dataclass(frozen=True)
class Found:
    """A block of one size: the pixel at the middle of each cell, and by how many mm of line it is worth believing."""

    size: Size
    cells: dict[Cell, tuple[float, float]]
    worth_mm: float


def sizes_of(bases: Sequence[RectBase]) -> tuple[Size, ...]:
    """Each base both ways round."""
    sizes = {}
    for base in bases:
        sizes[(base.depth_mm, base.width_mm)] = Size(base, base.depth_mm, base.width_mm, False)
        sizes.setdefault((base.width_mm, base.depth_mm), Size(base, base.width_mm, base.depth_mm, True))
    return tuple(sizes.values())


def best_block(lines: Lines, sizes: Sequence[Size], *, within_mm: float) -> Found | None:
    """The block with a member this near to the middle of the picture that explains the most; None when nothing does."""
    sums = Sums(lines)
    found = [block for size in sizes for block in grown(sums, size, within_mm=within_mm)]
    return max(found, key=lambda one: one.worth_mm, default=None)


class Sums:
    """Means of the lines' maps along sides of any length, each worked out once."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self._known: dict[tuple[bool, int], Map] = {}

    def best_rim(self, size: Size, x0: int, y0: int) -> float:
        """How clean the cleanest whole rim is, but for so many columns and rows at each end of the picture."""
        sides = _rim_size(size, self.lines.px_per_mm, x0, y0)
        has_room = x0 >= max(sides.half_x, sides.wide // 2) and y0 >= max(sides.half_y, sides.tall // 2)
        if compiled.KERNEL is None or not has_room:
            return float(_rim(self, size, x0, y0).max())
        return compiled.best_rim(*self._running, sides)

    @cached_property
    def _running(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Sums along the lines, from the ends of the picture up to before each pixel."""
        up, across = self.lines.up, self.lines.across
        rows, columns = up.shape
        sums = np.zeros((rows + 1, columns)), np.zeros((rows, columns + 1))
        np.cumsum(up, axis=0, dtype=np.float64, out=sums[0][1:])
        np.cumsum(across, axis=1, dtype=np.float64, out=sums[1][:, 1:])
        return sums

    def side(self, length_mm: float, *, is_up: bool) -> Map:
        """How clean a side of this length is that has its middle at each pixel: as a whole, or near both its ends,
        whichever is less. What stands in the middle of a base may look like a line, but not from corner to corner."""
        length, end = _lengths_px(length_mm, self.lines.px_per_mm)
        if (is_up, length) not in self._known:
            source = self.lines.up if is_up else self.lines.across
            x, y = (0, (length - end) / 2) if is_up else ((length - end) / 2, 0)
            ends = _mean_along(source, end, is_up=is_up)
            both = (_shifted(ends, x, y) + _shifted(ends, -x, -y)) / 2
            self._known[is_up, length] = np.minimum(_mean_along(source, length, is_up=is_up), both)
        return self._known[is_up, length]


def _lengths_px(length_mm: float, px_per_mm: float) -> tuple[int, int]:
    """Of a side, and of each of its ends."""
    length = round(_SIDE_SHARE * length_mm * px_per_mm) | 1
    return length, round(_END_SHARE * length) | 1


def _rim_size(size: Size, px_per_mm: float, x0: int, y0: int) -> compiled.RimSize:
    half_x, half_y = (round(side / 2 * px_per_mm) for side in (size.wide_mm, size.tall_mm))
    wide, tall = (_lengths_px(side_mm, px_per_mm) for side_mm in (size.wide_mm, size.tall_mm))
    return compiled.RimSize(_tall_share(size), *wide, half_x, x0, *tall, half_y, y0)


def _tall_share(size: Size) -> float:
    """Of a whole rim, how much each of the two sides is that run up."""
    return size.tall_mm / (size.wide_mm + size.tall_mm) / 2


def _mean_along(values: Map, length: int, *, is_up: bool) -> Map:
    return np.asarray(cv2.blur(values, (1, length) if is_up else (length, 1)), np.float32)


@dataclass(frozen=True)
class _Sides:
    """For a rectangle centred at each pixel how clean its sides are: left, right, top, bottom; and the whole rim."""

    each: tuple[Map, Map, Map, Map]
    rim: Map


_KINDS = ("around", "beside", "behind")  # of sides: of the block, and between neighbours either way
_STEPS: tuple[Cell, ...] = ((-1, 0), (1, 0), (0, -1), (0, 1))


def _sides(sums: Sums, size: Size) -> _Sides:
    left, right, top, bottom = (_shifted(values, x, y) for values, x, y in _placed(sums, size))
    each = left, right, top, bottom
    return _Sides(each, _rim_of(each, size))


def _rim(sums: Sums, size: Size, x0: int, y0: int) -> Map:
    """How clean the whole rim is, without so many columns and rows at each end of the picture."""
    left, right, top, bottom = (_cut(values, x, y, x0, y0) for values, x, y in _placed(sums, size))
    return _rim_of((left, right, top, bottom), size)


def _placed(sums: Sums, size: Size) -> Iterator[tuple[Map, float, float]]:
    """For left, right, top and bottom how clean such a side is, and how far it lies from the rectangle's middle."""
    half_x, half_y = (side / 2 * sums.lines.px_per_mm for side in (size.wide_mm, size.tall_mm))
    up, across = sums.side(size.tall_mm, is_up=True), sums.side(size.wide_mm, is_up=False)
    yield from ((up, -half_x, 0), (up, half_x, 0), (across, 0, -half_y), (across, 0, half_y))


def _rim_of(each: tuple[Map, Map, Map, Map], size: Size) -> Map:
    share = _tall_share(size)
    rim = share * (each[0] + each[1]) + (0.5 - share) * (each[2] + each[3])
    return np.asarray(rim, np.float32)


def _cut(values: Map, x: float, y: float, x0: int, y0: int) -> Map:
    """The map as seen from this many pixels away, without what lies so near to its ends."""
    x_px, y_px = round(x), round(y)
    height, width = values.shape
    if abs(x_px) > x0 or abs(y_px) > y0:
        return _shifted(values, x, y)[y0 : height - y0, x0 : width - x0]
    return values[y0 + y_px : height - y0 + y_px, x0 + x_px : width - x0 + x_px]


def _shifted(values: Map, x: float, y: float) -> Map:
    """The map as seen from this many pixels away; nothing is beyond its edge."""
    moved = np.full_like(values, ABSENT)
    x_px, y_px = round(x), round(y)
    height, width = values.shape
    if abs(x_px) < width and abs(y_px) < height:
        moved[max(0, -y_px) : height - max(0, y_px), max(0, -x_px) : width - max(0, x_px)] = values[
            max(0, y_px) : height + min(0, y_px), max(0, x_px) : width + min(0, x_px)
        ]
    return moved


def grown(sums: Sums, size: Size, *, within_mm: float, limits: Limits = CLEAR) -> Iterator[Found]:
    height, width = sums.lines.up.shape
    scale = sums.lines.px_per_mm
    y0, x0 = (max(0, round(side / 2 - within_mm * scale)) for side in (height, width))
    if sums.best_rim(size, x0, y0) < limits.seed - _ROUNDED:  # most sizes are nowhere, and whole maps take long
        return
    sides = _sides(sums, size)
    middle = sides.rim[y0 : height - y0, x0 : width - x0].copy()
    reach = max(3, round(min(size.wide_mm, size.tall_mm) * scale / 2) | 1)
    for _ in range(_SEEDS):
        row, column = np.unravel_index(int(middle.argmax()), middle.shape)
        if middle[row, column] < limits.seed:
            return
        block = _Growing(sides, size, scale, limits)
        block.grow((int(column) + x0, int(row) + y0))
        block.prune()
        found = block.found()
        if found is not None:
            yield found
        for x, y in block.cells.values():
            top, left = max(0, y - y0 - reach), max(0, x - x0 - reach)
            middle[top : max(0, y - y0 + reach + 1), left : max(0, x - x0 + reach + 1)] = -1.0


class _Growing:
    """A block that takes in neighbours as long as they add lines."""

    def __init__(self, sides: _Sides, size: Size, scale: float, limits: Limits) -> None:
        self.cells: dict[Cell, tuple[int, int]] = {}
        self._sides, self._size, self._scale, self._limits = sides, size, scale, limits
        self._slack = max(1, round(_SLACK_MM * scale))

    def grow(self, seed: tuple[int, int]) -> None:
        self.cells[(0, 0)] = seed
        edge = [(0, 0)]
        while edge and len(self.cells) < _MOST_CELLS:
            cell = edge.pop(0)
            for step in _STEPS:
                beside = cell[0] + step[0], cell[1] + step[1]
                if beside not in self.cells and (at := self._standing(cell, step, beside)) is not None:
                    self.cells[beside] = at
                    edge.append(beside)

    def _standing(self, cell: Cell, step: Cell, beside: Cell) -> tuple[int, int] | None:
        """Where the neighbour stands, if one does."""
        x, y = self.cells[cell]
        pitch_x, pitch_y = ((side + _GAP_MM) * self._scale for side in (self._size.wide_mm, self._size.tall_mm))
        x0, y0 = round(x + step[0] * pitch_x), round(y + step[1] * pitch_y)
        rim, slack = self._sides.rim, self._slack
        height, width = rim.shape
        if not (slack <= x0 < width - slack and slack <= y0 < height - slack):
            return None
        near = rim[y0 - slack : y0 + slack + 1, x0 - slack : x0 + slack + 1]
        row, column = divmod(int(near.argmax()), near.shape[1])
        at = x0 - slack + column, y0 - slack + row
        if near[row, column] <= self._limits.neighbour:
            return None
        return at if not self._limits.is_bounded_at_once or self._is_bounded(at, beside) else None

    def _is_bounded(self, at: tuple[int, int], cell: Cell) -> bool:
        """Whether the sides that no neighbour accounts for are there: otherwise it is a gap between neighbours."""
        free = [
            float(side[at[1], at[0]])
            for side, step in zip(self._sides.each, _STEPS, strict=True)
            if (cell[0] + step[0], cell[1] + step[1]) not in self.cells
        ]
        return not free or (min(free) > _LEAST_FREE_SIDE and sum(free) > _LEAST_FREE * len(free))

    def prune(self) -> None:
        """Leave out those at the edge whose free sides are not there, until nobody is left out."""
        while out := [cell for cell, at in self.cells.items() if not self._is_bounded(at, cell)]:
            for cell in out:
                del self.cells[cell]

    def found(self) -> Found | None:
        """The block, unless too much of the lines around it, or between its members, is missing."""
        if not self.cells:
            return None
        size, sides = self._size, self._sides
        lengths = (size.tall_mm, size.tall_mm, size.wide_mm, size.wide_mm)
        clean, whole = dict.fromkeys(_KINDS, 0.0), dict.fromkeys(_KINDS, 1e-9)
        for cell, (x, y) in self.cells.items():
            for side, step, length in zip(sides.each, _STEPS, lengths, strict=True):
                is_shared = (cell[0] + step[0], cell[1] + step[1]) in self.cells
                if len(self.cells) == 1 and side[y, x] < _LEAST_SIDE:
                    return None
                kind = (is_shared and ("beside" if step[0] else "behind")) or "around"
                clean[kind] += float(side[y, x]) * length * (0.5 if is_shared else 1.0)
                whole[kind] += length * (0.5 if is_shared else 1.0)
        worth = sum(clean.values()) - _CELL_COST_MM * len(self.cells)
        least = {"around": _LEAST_AROUND, "beside": self._limits.between, "behind": self._limits.between}
        if worth < self._limits.worth_mm or any(whole[k] > 1 and clean[k] < least[k] * whole[k] for k in whole):
            return None
        return Found(size, {cell: (float(x), float(y)) for cell, (x, y) in self.cells.items()}, worth)
