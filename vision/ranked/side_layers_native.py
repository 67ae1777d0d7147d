"""Layered edge model by the compiled kernel: the twin of `_fit_layers_numpy`."""

import ctypes

import numpy as np

from calibration.arrays import Floats, Indices
from vision.native.library import KERNEL, MOST_SHIFTS, Double, LayerModel, address


def fit_layers_native(layers: LayerModel, seen: Floats) -> tuple[Indices, Floats, Floats, Floats, Floats, float]:
    """Best option, cost, residual, `projection` and `gram` (.., 3, 3) at each place (widths, shifts) for the colours
    seen (R, 3); and the noise in grey levels.

    Raises: MemoryError.
    """
    assert KERNEL is not None
    assert layers.shifts <= MOST_SHIFTS
    places = layers.widths, layers.shifts
    known, options = np.ascontiguousarray(seen, np.float64), np.empty(places, np.intp)
    costs, residual, projection, gram = (np.empty((*places, *more)) for more in ((), (), (3, 3), (3, 3)))
    arrays, noise = (known, options, costs, residual, projection, gram), Double()
    if not KERNEL.fit_layers(ctypes.byref(layers), *map(address, arrays), ctypes.byref(noise)):
        raise MemoryError
    return options, costs, residual, projection, gram, noise.value
