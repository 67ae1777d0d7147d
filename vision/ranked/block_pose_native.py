"""Block pose by the compiled kernel: the twin of `_align_sides_numpy`."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.arrays import Floats
from vision.native import library
from vision.native.library import KERNEL, Double, address


@dataclass(frozen=True)
class SideEvidence:
    """Evidence of sides of a block that lie alike, at each place: `residual` (widths or 1, shifts), `projection` and
    `gram` (.., 3, 3), and how it counts along which axis of the block."""

    residual: Floats
    projection: Floats
    gram: Floats
    weight: float
    strange: float
    axis: int


def align_sides_native(
    sides: Sequence[SideEvidence], prior: Floats, *, firm: float, times: int
) -> tuple[Floats, Floats]:
    """Residuals of all sides (widths, shifts ahead, shifts left), reweighted so many times, and the shared colours (3,
    3).

    `prior`: what each place costs of itself; `firm`: how firmly colours are held to none.

    Raises: MemoryError.
    """
    assert KERNEL is not None
    held = [[np.ascontiguousarray(one) for one in (side.residual, side.projection, side.gram)] for side in sides]
    given = [
        library.SideEvidence(
            *(one.ctypes.data for one in arrays), side.weight, side.strange, len(side.residual), side.axis
        )
        for side, arrays in zip(sides, held, strict=True)
    ]
    residual, colours = np.empty(prior.shape), np.empty((3, 3))
    widths, shifts, _ = prior.shape
    is_done = KERNEL.align_sides(
        (library.SideEvidence * len(given))(*given), len(given), widths, shifts, times, Double(firm),
        address(prior), address(residual), address(colours),
    )  # fmt: skip
    if not is_done:
        raise MemoryError
    return residual, colours
