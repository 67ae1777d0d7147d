"""Lattice search by the compiled kernel: the twin of `_search_blocks_numpy`."""

import ctypes
from collections.abc import Iterator

import numpy as np

from calibration.arrays import Floats, Indices
from vision.native.library import KERNEL, MOST_CELLS, LatticeBlock, LatticeSettings, address

_NEIGHBOURS = 4  # of a cell


def search_blocks_native(
    up: Floats, across: Floats, settings: LatticeSettings, *, x0: int, y0: int
) -> Iterator[tuple[float, Indices]]:
    """Lattices that begin so far from the ends of the patch: what each is worth, mm, and its cells (N, 4): column, row
    and the pixel.

    By the lines' running sums along themselves, `up` (H + 1, W) and `across` (H, W + 1), of a patch larger than the
    rectangle.

    Raises: MemoryError.
    """
    assert KERNEL is not None
    assert settings.most_cells + _NEIGHBOURS <= MOST_CELLS  # one that is begun with fewer takes in all its neighbours
    found = (LatticeBlock * settings.seeds)()
    count = KERNEL.search_blocks(
        address(up), address(across), len(across), up.shape[1], ctypes.byref(settings), x0, y0, found
    )
    if count < 0:
        raise MemoryError
    for one in found[:count]:
        yield one.worth_mm, np.array(one.cells[: 4 * one.count], np.intp).reshape(-1, 4)
