"""Shared library: loads the compiled kernel, declares its structures and checks their sizes. Imports nothing of ours.

Every number that the kernel needs is handed over from the module that calls it; tests compare its results with the same
steps in NumPy. The interpreter is free while the kernel works: fits may run beside each other.
"""

import ctypes
from functools import cache
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

_FILE = Path(__file__).parent / "kernel.so"
MOST_WIDTHS, MOST_TURNS, MOST_SHIFTS = 6, 5, 32  # as in `kernel.h`, and the next two lines too
STATE, WINDOWS = 7, 4
PLACES_BESIDE = 8  # so many are weighed at once
NO_MEMORY = -2

Double, Int = ctypes.c_double, ctypes.c_int
_Two, _Widths = Double * 2, Double * MOST_WIDTHS


def _doubles(*names: str) -> list[tuple[str, Any]]:
    return [(name, Double) for name in names]


class Picture(ctypes.Structure):
    """As in `kernel.h`; so are all that follow."""

    _fields_ = [("pixels", ctypes.c_void_p), ("width", Int), ("height", Int), ("stride", ctypes.c_long)]


class View(ctypes.Structure):
    """A camera and its pose."""

    _fields_ = [
        ("rotation", Double * 9), ("shift_mm", Double * 3), ("centre_mm", Double * 3), ("focal_px", _Two),
        ("middle_px", _Two), ("dist", Double * 12), ("terms", Int), ("is_fisheye", Int),
    ]  # fmt: skip


class Start(ctypes.Structure):
    """Where a base may lie."""

    _fields_ = [
        *_doubles("depth_mm", "width_mm"), ("at_mm", _Two), *_doubles("turn_rad", "ground_mm", "min_score"),
        ("is_round", Int), ("points", Int),
    ]  # fmt: skip


class RimProfile(ctypes.Structure):
    """The side of a base."""

    _fields_ = [*_doubles("top_mm", "inset_mm"), ("rim_widths_mm", _Widths), ("widths", Int)]


class SearchGrid(ctypes.Structure):
    """Places and turns that are tried."""

    _fields_ = [*_doubles("reach_mm", "step_mm"), ("turns_rad", Double * MOST_TURNS), ("turns", Int)]


class FitSettings(ctypes.Structure):
    """The numbers of the fit."""

    _fields_ = [
        ("offsets_mm", ctypes.c_void_p), ("levels", ctypes.c_void_p), ("columns", Int),
        *_doubles("step_mm", "along_mm", "blur_px"), ("rough", SearchGrid), ("fine", SearchGrid),
        ("finer_widths_mm", _Widths), ("finer_widths", Int), ("times_rough", Int),
        *_doubles("half_confidence", "inner_share", "side_px", "shaded_price", "per_mm", "likeness", "close_profile"),
        *_doubles("soft_px", "most_soft_mm"), ("soft_columns", Int), *_doubles("agree_mm"),
        ("windows_mm", Double * WINDOWS), *_doubles("noise", "inner_precision", "peak_sigma_mm"),
        ("sigmas", Double * STATE),
        *_doubles("usual_scatter_mm", "least_scatter", "doubt", "scatter_power", "support_mm", "on_rim_mm"),
        *_doubles("near_mm", "faint", "shade_mm", "busy_share", "busy_in_mm", "grain_in_mm"),
        *_doubles("around_out_mm", "around_to_mm"), ("shade_columns", Int),
    ]  # fmt: skip


class FitResult(ctypes.Structure):
    """What the fit of one base gives."""

    _fields_ = [
        ("profile", Int), ("at_mm", _Two), *_doubles("turn_rad"), ("covariance_mm2", Double * 3),
        *_doubles("turn_variance", "support", "score", "bias_mm", "rim_width_mm", "scatter_mm"),
        *_doubles("both", "busy", "grain", "around"),
    ]  # fmt: skip


class SideEvidence(ctypes.Structure):
    """What sides that lie alike tell at each place."""

    _fields_ = [
        *((name, ctypes.c_void_p) for name in ("residual", "projection", "gram")),
        *_doubles("weight", "strange"), ("widths", Int), ("axis", Int),
    ]  # fmt: skip


class LayerModel(ctypes.Structure):
    """What is worked out once for sides that show alike."""

    _fields_ = [
        *((name, ctypes.c_void_p) for name in ("take", "gram", "counts", "price")),
        *_doubles("noise", "least_noise", "rough"),
        *((name, Int) for name in ("options", "widths", "shifts", "offsets", "own_layers")),
    ]  # fmt: skip


_STRUCTURES = (Picture, View, Start, RimProfile, FitSettings, FitResult, SideEvidence, LayerModel)
_SIZES = tuple(map(ctypes.sizeof, _STRUCTURES))


@cache
def kernel() -> ctypes.CDLL:
    """The compiled kernel, loaded when it is first asked: a program that sees nothing says what it lacks. Raises:
    ImportError."""
    try:
        library = ctypes.CDLL(str(_FILE))
        library.fit_base.restype = library.hough_votes.restype = None
        library.align_sides.restype = library.fit_layers.restype = Int
        is_ours = tuple(library.size_of(which) for which in range(len(_SIZES))) == _SIZES
    except (OSError, AttributeError):
        is_ours = False
    if not is_ours:
        raise ImportError(f"{_FILE.name} of vision is missing or compiled from other sources: install Tableside again")
    return library


def address(array: NDArray[Any]) -> ctypes.c_void_p:
    """Where the array lies in memory: it must be contiguous and outlive the call."""
    return ctypes.c_void_p(array.ctypes.data)
