"""The compiled loops of the fit, where they were built; `KERNEL` is None where the plain ones of `fit.py` answer.

Both must agree; a test holds them to each other.
"""

import ctypes

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_LIBRARY = __file__.removesuffix("compiled.py") + "kernel.so"
_Numbers = ctypes.POINTER(ctypes.c_double)


def _load() -> ctypes.CDLL | None:
    try:
        kernel = ctypes.CDLL(_LIBRARY)
    except OSError:
        return None
    kernel.best_place.restype = ctypes.c_double
    kernel.nearest_steps.restype = None
    return kernel


KERNEL = _load()


class _Steps(ctypes.Structure):
    """The steps across an outline, as the kernel takes them."""

    _fields_ = [
        ("strength", _Numbers), ("rows", ctypes.c_int), ("columns", ctypes.c_int),
        ("first_mm", ctypes.c_double), ("step_mm", ctypes.c_double), ("half_felt", ctypes.c_double),
    ]  # fmt: skip


class Across:
    """The strengths of an outline (rows, columns), handed to the kernel, which must be there."""

    def __init__(self, strength: NDArray[np.float32], offsets_mm: Floats, *, step_mm: float, half_felt: float) -> None:
        assert KERNEL is not None
        self._kernel, self._kept = (
            KERNEL,
            (np.ascontiguousarray(strength, np.float64), np.ascontiguousarray(offsets_mm, np.float64)),
        )
        rows, columns = strength.shape
        self._steps = _Steps(_at(self._kept[0]), rows, columns, float(offsets_mm[0]), step_mm, half_felt)

    def best_place(
        self, places: Floats, moves: Floats, inward_mm: Floats, *, share: float, per_mm: float
    ) -> tuple[int, int, float]:
        """The number of the best place (P, 3), of the rim's width (L, rows), and the score. Raises: MemoryError."""
        place, lip = ctypes.c_int(), ctypes.c_int()
        places, moves, inward_mm = (np.ascontiguousarray(one, np.float64) for one in (places, moves, inward_mm))
        score = self._kernel.best_place(
            self._steps, _at(moves), _at(places), len(places), _at(inward_mm), len(inward_mm),
            ctypes.c_double(share), ctypes.c_double(per_mm), ctypes.byref(place), ctypes.byref(lip),
        )  # fmt: skip
        if place.value < 0:
            raise MemoryError
        return place.value, lip.value, float(score)

    def nearest(self, expected_mm: Floats, *, window_mm: float, noise: float) -> tuple[Floats, Floats]:
        """(rows,) twice: where the strongest step near the expected place is, and how much it counts."""
        expected = np.ascontiguousarray(expected_mm, np.float64)
        offset_mm, counts = np.empty(len(expected)), np.empty(len(expected))
        self._kernel.nearest_steps(
            self._steps, _at(self._kept[1]), _at(expected), ctypes.c_double(window_mm), ctypes.c_double(noise),
            _at(offset_mm), _at(counts),
        )  # fmt: skip
        return offset_mm, counts


def _at(values: Floats) -> "ctypes._Pointer[ctypes.c_double]":
    return values.ctypes.data_as(_Numbers)
