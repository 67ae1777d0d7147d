"""Lattice search: the blocks of rectangles in a deskewed patch, by region growing over the evidence of lines.

Every size of the catalogue is laid over every place, its four sides summed; from the best places a block grows by
neighbours that add more lines than they lack. The block with the largest sum wins: four small squares explain the lines
between them, one large square does not.
"""

import ctypes
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.arrays import Floats32
from models.base import RectBase
from vision.native.library import MOST_CELLS, LatticeBlock, LatticeSettings, address, kernel
from vision.ranked.line_evidence import ABSENT, LineMaps

Window = tuple[int, int, int, int]  # left, top, width, height
Cell = tuple[int, int]  # column, row
Line = dict[Cell, tuple[float, float]]  # cells, and the pixel at the middle of each

_SIDE_SHARE = 0.9  # of a side: the corners are left out
_END_SHARE = 0.3  # of a side, at each end
_SEEDS = 3  # of a size
_LEAST_FREE_SIDE = -0.55  # below it nothing is there: a hole in the ranks
_LEAST_FREE = 0.0  # of all free sides of a base
_GAP_MM = 0.6  # usual between the members of a block
_SLACK_MM = 2.0
_CELL_COST_MM = 12.0  # of clean line that each base must add
_LEAST_AROUND = 0.35  # of clean line round a block
_LEAST_SIDE = -0.2  # of a base that stands alone
_MOST_CELLS = 150
_NEIGHBOURS = 4  # of a cell


@dataclass(frozen=True)
class GrowthThresholds:
    """Thresholds of region growing: the whole rim of its first base, that of each other, all lines between neighbours;
    by how many mm of line a block must be worth it; and whether each base must be bounded as it is added, or only those
    at the edge in the end."""

    seed: float
    neighbour: float
    between: float
    worth_mm: float
    is_bounded_at_once: bool


CLEAR = GrowthThresholds(seed=0.2, neighbour=0.12, between=0.2, worth_mm=22.0, is_bounded_at_once=True)
FAINT = GrowthThresholds(seed=0.0, neighbour=-0.35, between=-1.0, worth_mm=-np.inf, is_bounded_at_once=False)


@dataclass(frozen=True)
class OrientedSize:
    """A base's sides along the columns (`wide_mm`) and the rows of the patch; `is_turned`: its depth runs upward."""

    base: RectBase
    wide_mm: float
    tall_mm: float
    is_turned: bool


@dataclass(frozen=True)
class Lattice:
    """A lattice of one size: the pixel at the middle of each cell, and by how many mm of line it is worth believing."""

    size: OrientedSize
    cells: dict[Cell, tuple[float, float]]
    worth_mm: float


def oriented_sizes(bases: Sequence[RectBase]) -> tuple[OrientedSize, ...]:
    """The sizes of bases, each both ways round."""
    sizes = {}
    for base in bases:
        sizes[(base.depth_mm, base.width_mm)] = OrientedSize(base, base.depth_mm, base.width_mm, False)
        sizes.setdefault((base.width_mm, base.depth_mm), OrientedSize(base, base.width_mm, base.depth_mm, True))
    return tuple(sizes.values())


def best_block(lines: LineMaps, sizes: Sequence[OrientedSize], *, within_mm: float) -> Lattice | None:
    """The lattice with most evidence, with a member this near to the middle of the patch; None when nothing is
    found."""
    sums = LineSums(lines)
    blocks = (block for size in sizes for block in search_blocks(sums, size, within_mm=within_mm))
    return max(blocks, key=lambda block: block.worth_mm, default=None)


class LineSums:
    """Means of the line maps along sides of any length, each worked out once."""

    def __init__(self, lines: LineMaps) -> None:
        self.lines = lines
        self._known: dict[tuple[bool, int], Floats32] = {}

    def side(self, length: int, end: int, *, is_up: bool) -> Floats32:
        """Evidence of a side of so many pixels about each pixel: as a whole, or near both its ends, whichever is less.

        What stands in the middle of a base may look like a line, but not from corner to corner.
        """
        if (is_up, length) not in self._known:
            source = self.lines.up if is_up else self.lines.across
            height, width = source.shape
            away = (length - end) // 2
            x, y = (0, away) if is_up else (away, 0)
            ends = _mean_along(source, end, is_up=is_up)
            both = (_crop(ends, (x, y, width, height)) + _crop(ends, (-x, -y, width, height))) / 2
            self._known[is_up, length] = np.minimum(_mean_along(source, length, is_up=is_up), both)
        return self._known[is_up, length]


class RectSides:
    """For a rectangle of one size about each pixel how clean its sides are, and the whole rim. Beyond the picture
    all is absent."""

    def __init__(self, sums: LineSums, growth: LatticeSettings) -> None:
        self._up = sums.side(growth.tall, growth.tall_end, is_up=True)
        self._across = sums.side(growth.wide, growth.wide_end, is_up=False)
        self._growth = growth

    def rim(self, window: Window) -> Floats32:
        left, right, top, bottom = self._crop_sides(window)
        share = self._growth.tall_share
        return np.asarray(share * (left + right) + (0.5 - share) * (top + bottom), np.float32)

    def cleanest(self, x: float, y: float) -> tuple[float, tuple[float, float]]:
        """How clean the cleanest rim about there is, and where it lies."""
        slack = self._growth.slack
        left, top = round(x) - slack, round(y) - slack
        near = self.rim((left, top, 2 * slack + 1, 2 * slack + 1))
        row, column = divmod(int(near.argmax()), near.shape[1])
        return float(near[row, column]), (float(left + column), float(top + row))

    def each(self, x: int, y: int) -> tuple[float, ...]:
        """Left, right, top and bottom."""
        return tuple(float(side[0, 0]) for side in self._crop_sides((x, y, 1, 1)))

    def _crop_sides(self, window: Window) -> tuple[Floats32, ...]:
        (left, top, *size), x, y = window, self._growth.half_x, self._growth.half_y
        upright = [_crop(self._up, (left + away, top, size[0], size[1])) for away in (-x, x)]
        return *upright, *(_crop(self._across, (left, top + away, size[0], size[1])) for away in (-y, y))


def _side_lengths_px(length_mm: float, px_per_mm: float) -> tuple[int, int]:
    """Of a side, and of each of its ends."""
    length = round(_SIDE_SHARE * length_mm * px_per_mm) | 1
    return length, round(_END_SHARE * length) | 1


def _mean_along(values: Floats32, length: int, *, is_up: bool) -> Floats32:
    return np.asarray(cv2.blur(values, (1, length) if is_up else (length, 1)), np.float32)


def _crop(values: Floats32, window: Window) -> Floats32:
    """What lies in the window; nothing is beyond the map."""
    left, top, wide, tall = window
    height, width = values.shape
    if 0 <= left <= width - wide and 0 <= top <= height - tall:
        return values[top : top + tall, left : left + wide]
    cropped = np.full((tall, wide), ABSENT, np.float32)
    x0, y0, x1, y1 = max(left, 0), max(top, 0), min(left + wide, width), min(top + tall, height)
    if x0 < x1 and y0 < y1:
        cropped[y0 - top : y1 - top, x0 - left : x1 - left] = values[y0:y1, x0:x1]
    return cropped


_KINDS = ("around", "beside", "behind")  # of sides: of the block, and between neighbours either way
STEPS: tuple[Cell, ...] = ((-1, 0), (1, 0), (0, -1), (0, 1))


def search_blocks(
    sums: LineSums, size: OrientedSize, *, within_mm: float, limits: GrowthThresholds = CLEAR
) -> Iterator[Lattice]:
    """Region growing: the lattices of this size with a member this near to the middle of the patch.

    Raises: MemoryError.
    """
    lines, (rows, columns) = sums.lines, sums.lines.up.shape
    y0, x0 = margins_px(lines, within_mm)
    growth = lattice_settings(size, lines.px_per_mm, limits)
    assert growth.most_cells + _NEIGHBOURS <= MOST_CELLS  # one that is begun with fewer takes in all its neighbours
    blocks = (LatticeBlock * growth.seeds)()
    count = kernel().search_blocks(
        *map(address, lines.running_sums), rows, columns, ctypes.byref(growth), x0, y0, blocks
    )
    if count < 0:
        raise MemoryError
    for block in blocks[:count]:
        cells = np.array(block.cells[: 4 * block.count], np.intp).reshape(-1, 4).tolist()
        yield Lattice(size, {(column, row): (float(x), float(y)) for column, row, x, y in cells}, block.worth_mm)


def margins_px(lines: LineMaps, within_mm: float) -> tuple[int, int]:
    """Rows and columns at each end of the patch that are farther than this from its middle."""
    rows, columns = (max(0, round(side / 2 - within_mm * lines.px_per_mm)) for side in lines.up.shape)
    return rows, columns


def block_worth_mm(sums: LineSums, block: Lattice) -> float:
    """Evidence of a lattice whose bases stand about where they are taken to; 0 where lines that it should have are
    missing."""
    growth = lattice_settings(block.size, sums.lines.px_per_mm, FAINT)
    sides = RectSides(sums, growth)
    cells = {}
    for cell, at in block.cells.items():
        x, y = sides.cleanest(*at)[1]
        cells[cell] = round(x), round(y)
    return max(0.0, worth_mm(cells, sides, growth) or 0.0)


def worth_mm(cells: Mapping[Cell, tuple[int, int]], sides: RectSides, growth: LatticeSettings) -> float | None:
    """What a block is worth; None when too much of the lines around it, or between its members, is missing."""
    if not cells:
        return None
    lengths = (growth.tall_mm, growth.tall_mm, growth.wide_mm, growth.wide_mm)
    clean, whole = dict.fromkeys(_KINDS, 0.0), dict.fromkeys(_KINDS, 1e-9)
    for cell, (x, y) in cells.items():
        for side, step, length in zip(sides.each(x, y), STEPS, lengths, strict=True):
            is_shared = (cell[0] + step[0], cell[1] + step[1]) in cells
            if len(cells) == 1 and side < growth.least_side:
                return None
            kind = (is_shared and ("beside" if step[0] else "behind")) or "around"
            clean[kind] += side * length * (0.5 if is_shared else 1.0)
            whole[kind] += length * (0.5 if is_shared else 1.0)
    worth = float(sum(clean.values()) - growth.cell_cost_mm * len(cells))
    least = {"around": growth.least_around, "beside": growth.between, "behind": growth.between}
    if worth < growth.worth_mm or any(whole[k] > 1 and clean[k] < least[k] * whole[k] for k in whole):
        return None
    return worth


def align_staggered_lines(sums: LineSums, block: Lattice) -> Lattice:
    """Shifts a short outermost line to where it stands: half a base aside, as a centred rear rank may.

    Those in it are of the cell that they reach into from the next.
    """
    growth = lattice_settings(block.size, sums.lines.px_per_mm, CLEAR)
    cells = dict(block.cells)
    sides = RectSides(sums, growth)
    for axis, sign in ((0, -1), (0, 1), (1, -1), (1, 1)):
        line = _outermost_line(cells, axis, sign)
        if _is_short(line, cells, axis):
            aside = _shift_by_half(sides, growth, line, axis)
            cells = {cell: at for cell, at in cells.items() if cell not in line} | aside if aside else cells
        elif len(line) > 1:
            cells |= _shift_by_half(sides, growth, _next_line(line, growth, axis, sign), axis, is_new=True)
    return replace(block, cells=cells)


def _outermost_line(cells: Line, axis: int, sign: int) -> Line:
    """The first (-1) or last (1) column (axis 0) or row."""
    number = max(sign * cell[axis] for cell in cells) * sign
    return {cell: at for cell, at in cells.items() if cell[axis] == number}


def _is_short(line: Line, cells: Line, axis: int) -> bool:
    return len(line) < max(Counter(cell[axis] for cell in cells).values())


def _next_line(line: Line, growth: LatticeSettings, axis: int, sign: int) -> Line:
    """Where the next line would stand."""
    x, y = (sign * growth.pitch_x, 0.0) if axis == 0 else (0.0, sign * growth.pitch_y)
    step = (sign, 0) if axis == 0 else (0, sign)
    return {(c + step[0], r + step[1]): (at[0] + x, at[1] + y) for (c, r), at in line.items()}


def _shift_by_half(sides: RectSides, growth: LatticeSettings, line: Line, axis: int, *, is_new: bool = False) -> Line:
    """Those who stand half a base up or down (columns, axis 0) or aside of these; none where these rims are cleaner.
    `is_new`: nobody was found in this line yet."""
    step, half = ((0, 1), growth.pitch_y / 2) if axis == 0 else ((1, 0), growth.pitch_x / 2)
    shifted: dict[Cell, tuple[float, tuple[float, float]]] = {}
    for (column, row), (x, y) in line.items():
        shifted[column, row] = sides.cleanest(x + step[0] * half, y + step[1] * half)
        before = sides.cleanest(x - step[0] * half, y - step[1] * half)
        shifted.setdefault((column - step[0], row - step[1]), before)
    clean = {cell: at for cell, (rim, at) in shifted.items() if rim > growth.seed}
    if is_new:
        bounded = {cell: at for cell, at in clean.items() if min(sides.each(*map(int, at))) > growth.least_side}
        return bounded if len(bounded) < len(line) else {}
    here = [sides.cleanest(*at)[0] for at in line.values()]
    aside = sorted((rim for rim, _ in shifted.values()), reverse=True)[: len(here)]
    return clean if len(clean) > len(here) and sum(aside) > sum(here) else {}


def lattice_settings(size: OrientedSize, px_per_mm: float, limits: GrowthThresholds) -> LatticeSettings:
    wide, tall = (_side_lengths_px(side_mm, px_per_mm) for side_mm in (size.wide_mm, size.tall_mm))
    half_x, half_y = (round(side / 2 * px_per_mm) for side in (size.wide_mm, size.tall_mm))
    pitch_x, pitch_y = ((side + _GAP_MM) * px_per_mm for side in (size.wide_mm, size.tall_mm))
    share = size.tall_mm / (size.wide_mm + size.tall_mm) / 2  # of a whole rim, each of the two sides that run up
    slack = max(1, round(_SLACK_MM * px_per_mm))
    reach = max(3, round(min(size.wide_mm, size.tall_mm) * px_per_mm / 2) | 1)
    return LatticeSettings(
        size.wide_mm, size.tall_mm, share, pitch_x, pitch_y, ABSENT,
        limits.seed, limits.neighbour, limits.between, limits.worth_mm,
        _LEAST_FREE_SIDE, _LEAST_FREE, _CELL_COST_MM, _LEAST_AROUND, _LEAST_SIDE,
        *wide, half_x, *tall, half_y, slack, reach, _SEEDS, _MOST_CELLS, limits.is_bounded_at_once,
    )  # fmt: skip
