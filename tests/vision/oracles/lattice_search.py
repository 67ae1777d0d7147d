"""Lattice search in NumPy, which the compiled region growing must agree with."""

from collections.abc import Iterator

import numpy as np

from vision.native.library import LatticeSettings
from vision.ranked.lattice_search import (
    CLEAR,
    STEPS,
    Cell,
    GrowthThresholds,
    Lattice,
    LineSums,
    OrientedSize,
    RectSides,
    lattice_settings,
    margins_px,
    worth_mm,
)


def search_blocks_numpy(
    sums: LineSums, size: OrientedSize, *, within_mm: float, limits: GrowthThresholds = CLEAR
) -> Iterator[Lattice]:
    """As `search_blocks`."""
    height, width = sums.lines.up.shape
    y0, x0 = margins_px(sums.lines, within_mm)
    growth = lattice_settings(size, sums.lines.px_per_mm, limits)
    sides, reach = RectSides(sums, growth), growth.reach
    middle = sides.rim((x0, y0, width - 2 * x0, height - 2 * y0))
    for _ in range(growth.seeds):
        row, column = np.unravel_index(int(middle.argmax()), middle.shape)
        if middle[row, column] < growth.seed:
            return
        block = _RegionGrower(sides, growth, (height, width))
        block.grow((int(column) + x0, int(row) + y0))
        block.prune()
        worth = worth_mm(block.cells, sides, growth)
        if worth is not None:
            yield Lattice(size, {cell: (float(x), float(y)) for cell, (x, y) in block.cells.items()}, worth)
        for x, y in block.cells.values():
            top, left = max(0, y - y0 - reach), max(0, x - x0 - reach)
            middle[top : max(0, y - y0 + reach + 1), left : max(0, x - x0 + reach + 1)] = -1.0


class _RegionGrower:
    """A block that takes in neighbours as long as they add lines."""

    def __init__(self, sides: RectSides, growth: LatticeSettings, shape: tuple[int, int]) -> None:
        self.cells: dict[Cell, tuple[int, int]] = {}
        self._sides, self._growth, self._shape = sides, growth, shape

    def grow(self, seed: tuple[int, int]) -> None:
        self.cells[(0, 0)] = seed
        edge = [(0, 0)]
        while edge and len(self.cells) < self._growth.most_cells:
            cell = edge.pop(0)
            for step in STEPS:
                beside = cell[0] + step[0], cell[1] + step[1]
                if beside not in self.cells and (at := self._find_neighbour(cell, step, beside)) is not None:
                    self.cells[beside] = at
                    edge.append(beside)

    def _find_neighbour(self, cell: Cell, step: Cell, beside: Cell) -> tuple[int, int] | None:
        """Where the neighbour stands, if one does."""
        (x, y), growth, (height, width) = self.cells[cell], self._growth, self._shape
        x0, y0 = round(x + step[0] * growth.pitch_x), round(y + step[1] * growth.pitch_y)
        slack = growth.slack
        if not (slack <= x0 < width - slack and slack <= y0 < height - slack):
            return None
        near = self._sides.rim((x0 - slack, y0 - slack, 2 * slack + 1, 2 * slack + 1))
        row, column = divmod(int(near.argmax()), near.shape[1])
        at = x0 - slack + column, y0 - slack + row
        if near[row, column] <= growth.neighbour:
            return None
        return at if not growth.is_bounded_at_once or self._is_bounded(at, beside) else None

    def _is_bounded(self, at: tuple[int, int], cell: Cell) -> bool:
        """Whether the sides that no neighbour accounts for are there: otherwise it is a gap between neighbours."""
        free = [
            side
            for side, step in zip(self._sides.each(*at), STEPS, strict=True)
            if (cell[0] + step[0], cell[1] + step[1]) not in self.cells
        ]
        return not free or (
            min(free) > self._growth.least_free_side and sum(free) > self._growth.least_free * len(free)
        )

    def prune(self) -> None:
        """Leave out those at the edge whose free sides are not there, until nobody is left out."""
        while out := [cell for cell, at in self.cells.items() if not self._is_bounded(at, cell)]:
            for cell in out:
                del self.cells[cell]
