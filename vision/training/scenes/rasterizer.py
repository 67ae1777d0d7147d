"""Software rasteriser: triangles to depth, faces and lit colours. Compiled from C at first use, for training only."""

import ctypes
import os
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats32, Ints32

_SOURCE = Path(__file__).parent / "kernel" / "rasterizer.c"
_FLAGS = ("-O3", "-march=native", "-std=c11", "-shared", "-fPIC")


@dataclass(frozen=True)
class Triangles:
    """Vertices (N, 8): x, y, z in mm, normal, u, v. Faces (M, 4): three vertices and a material."""

    vertices: Floats32
    faces: Ints32


@dataclass(frozen=True)
class Surfaces:
    """Materials (K, 8), and their textures: a pool of BGR bytes with (width, height, offset) of each."""

    materials: Floats32
    pool: NDArray[np.uint8]
    textures: Ints32


@dataclass(frozen=True)
class View:
    """What one camera sees: q (H, W), larger is nearer; face numbers (H, W), -1 for none; vertices on screen."""

    depth: Floats32
    faces: Ints32
    screen: Floats32


def rasterize(triangles: Triangles, matrix: Floats32, size_px: tuple[int, int], *, is_parallel: bool = False) -> View:
    """Visibility by z-buffer. `matrix` (3, 4): table mm to pixels and depth; perspective unless `is_parallel`."""
    width, height = size_px
    depth, faces = np.empty((height, width), np.float32), np.empty((height, width), np.int32)
    screen = np.empty((len(triangles.vertices), 3), np.float32)
    matrix = np.ascontiguousarray(matrix, np.float32)
    _kernel().rasterize(
        _at(matrix), ctypes.c_int(is_parallel), _at(triangles.vertices), len(triangles.vertices), _at(triangles.faces),
        len(triangles.faces), width, height, _at(screen), _at(depth), _at(faces),
    )  # fmt: skip
    return View(depth, faces, screen)


def shade(
    view: View,
    triangles: Triangles,
    surfaces: Surfaces,
    *,
    eye_mm: Floats32,
    lamps: Floats32,
    shadow_maps: Floats32,
    ambient: Floats32,
) -> Floats32:
    """Deferred shading: linear light (H, W, 3) BGR of what `view` holds. `lamps` (L, 24) as the kernel's head says."""
    height, width = view.depth.shape
    colours = np.empty((height, width, 3), np.float32)
    eye_mm, ambient = np.ascontiguousarray(eye_mm, np.float32), np.ascontiguousarray(ambient, np.float32)
    _kernel().shade(
        _at(eye_mm), _at(triangles.vertices), _at(triangles.faces), _at(view.screen), _at(view.faces), width, height,
        _at(surfaces.materials), _at(surfaces.pool), _at(surfaces.textures), _at(lamps), len(lamps), _at(shadow_maps),
        _at(ambient), _at(colours),
    )  # fmt: skip
    return colours


def _at(array: NDArray[np.generic]) -> ctypes.c_void_p:
    if not array.flags.c_contiguous:
        raise ValueError("the kernel reads contiguous arrays only")
    return ctypes.c_void_p(array.ctypes.data)


@cache
def _kernel() -> ctypes.CDLL:
    """The compiled kernel, made anew where its source is newer."""
    library = _SOURCE.with_name("librasterizer.so")
    if not library.exists() or library.stat().st_mtime < _SOURCE.stat().st_mtime:
        unfinished = library.with_suffix(f".{os.getpid()}.so")
        command = [os.environ.get("CC", "cc"), *_FLAGS, "-o", str(unfinished), str(_SOURCE), "-lm"]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        unfinished.replace(library)
    return ctypes.CDLL(str(library))
