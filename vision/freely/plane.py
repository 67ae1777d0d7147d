"""Plane and scale of a picture from the discs in it: their shapes tell the slant, their sizes the scale.

A disc of radius R on a plane with unit normal n at distance h covers an area of the picture that grows with
(n · ray)³ R² / h². The catalogue knows which R there are, so the slant and h are those that put most discs on sizes.
"""

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.freely.discs import Disc

Floats = NDArray[np.float64]

_STEEPEST = 0.85  # sine of the largest slant
_GRID = 0.07  # of its two parts, tried first
_FINE = 0.002  # of the same, at last
_SIZE_SIGMA = 0.006  # of most measured radii, as a share
_WIDE, _WIDE_SHARE = 4.0, 0.1  # how much worse some are measured, and how many
_SHAPE_SIGMA = 0.035  # of what the axes of an ellipse differ by, as a share
_STRANGE = 0.02  # likelihood of a disc that is of no size, beside one that is
_SCALE_STEP = 0.002
_AS_GOOD = 2.0  # log likelihood by which another scale must be worse


@dataclass(frozen=True)
class Lens:
    """A pinhole without distortion."""

    focal_px: float
    middle_px: tuple[float, float]

    def rays(self, at_px: Floats) -> Floats:
        """(N, 3), third part 1."""
        return np.column_stack([(at_px - self.middle_px) / self.focal_px, np.ones(len(at_px))])


@dataclass(frozen=True)
class FreePlane:
    """The plane in the camera's frame: unit normal away from the camera, and distance."""

    normal: Floats
    distance_mm: float
    lens: Lens
    scale_sigma: float  # share by which all lengths may be off
    other_scales: tuple[float, ...]  # factors of all lengths that explain the picture about as well

    def depths(self, at_px: Floats) -> Floats:
        """Distances along the camera's axis at which rays meet the plane, (N,) mm."""
        return np.asarray(self.distance_mm / (self.lens.rays(at_px) @ self.normal))

    def diameters_mm(self, discs: Sequence[Disc]) -> Floats:
        """How large the discs are on this plane."""
        return (
            2
            * np.exp(_log_sizes(discs, self.lens.rays(_places(discs)), self.normal, self.lens.focal_px))
            * self.distance_mm
        )


def solved(discs: Sequence[Disc], *, sizes_mm: Sequence[float], lens: Lens) -> FreePlane | None:
    """The plane and the scale under which most discs are of the catalogue's sizes; None for no discs."""
    if not discs:
        return None
    rays, focal_px = lens.rays(_places(discs)), lens.focal_px
    steps = np.arange(-_STEEPEST, _STEEPEST + _GRID / 2, _GRID)
    slants = [(a, b) for a, b in itertools.product(steps, steps) if np.hypot(a, b) < _STEEPEST]
    slant = _best_near(
        np.array(max(slants, key=lambda one: _worth(np.array(one), discs, rays, sizes_mm, focal_px))),
        lambda one: _worth(one, discs, rays, sizes_mm, focal_px),
    )
    normal = _normal(slant)
    tries, worths = _scales(_log_sizes(discs, rays, normal, focal_px), discs, sizes_mm)
    top = int(worths.argmax())
    sigma = _WIDE * _SIZE_SIGMA / math.sqrt(len(discs))
    return FreePlane(normal, math.exp(tries[top]), lens, sigma, _rivals(tries, worths, top))


def _best_near(slant: Floats, worth: Callable[[Floats], float]) -> Floats:
    """The best slant uphill from this one."""
    reach = _GRID / 2
    while reach > _FINE:
        near = [slant + reach * np.array(step) for step in itertools.product((0, -1, 1), repeat=2)]
        best = max(near, key=worth)
        reach = reach if np.any(best != slant) else reach / 2
        slant = best
    return slant


def _places(discs: Sequence[Disc]) -> Floats:
    return np.array([disc.at_px for disc in discs], np.float64).reshape(-1, 2)


def _normal(slant: Floats) -> Floats:
    return np.array([slant[0], slant[1], np.sqrt(max(1e-6, 1 - float(slant @ slant)))])


def _log_sizes(discs: Sequence[Disc], rays: Floats, normal: Floats, focal_px: float) -> Floats:
    """Logarithms of the radii on a plane at distance 1."""
    areas = np.array([disc.long_px * disc.short_px for disc in discs]) / focal_px**2
    return np.asarray(0.5 * np.log(areas) - 1.5 * np.log(np.maximum(rays @ normal, 0.05)))


def _worth(slant: Floats, discs: Sequence[Disc], rays: Floats, sizes_mm: Sequence[float], focal_px: float) -> float:
    """Log likelihood of the discs' shapes, and of their sizes at the best scale."""
    if np.hypot(*slant) > _STEEPEST:
        return -np.inf
    normal = _normal(slant)
    _, worths = _scales(_log_sizes(discs, rays, normal, focal_px), discs, sizes_mm)
    return float(worths.max() + _shapes(discs, rays, normal).sum())


def _scales(logs: Floats, discs: Sequence[Disc], sizes_mm: Sequence[float]) -> tuple[Floats, Floats]:
    """Log distances, and how well the discs are of the catalogue's sizes at each."""
    wanted = np.log(np.array(sorted(sizes_mm)) / 2)
    tries = np.arange(wanted[0] - logs.max() - 0.1, wanted[-1] - logs.min() + 0.1, _SCALE_STEP)
    off = np.abs(logs[:, None, None] + tries[None, :, None] - wanted).min(axis=2) / _SIZE_SIGMA
    trust = np.array([disc.support for disc in discs])
    return tries, (trust[:, None] * np.log(_likely(off))).sum(axis=0)


def _likely(off: Floats) -> Floats:
    """Of a size that is so many sigmas off the nearest of the catalogue."""
    wide = _WIDE_SHARE / _WIDE * np.exp(-((off / _WIDE) ** 2) / 2)
    return np.asarray(np.exp(-(off**2) / 2) + wide + 0.1 * _STRANGE)


def _shapes(discs: Sequence[Disc], rays: Floats, normal: Floats) -> Floats:
    """Log likelihood of each ellipse's shape under this slant."""
    told = np.array([_stretch(disc.long_px, disc.short_px, disc.turn_rad) for disc in discs])
    meant = np.array([_seen_stretch(ray, normal) for ray in rays])
    off = np.linalg.norm(told - meant, axis=1) / _SHAPE_SIGMA
    trust = np.array([disc.support for disc in discs])
    return np.asarray(trust * np.log(np.exp(-(off**2) / 2) + _STRANGE))


def _stretch(long: float, short: float, turn_rad: float) -> tuple[float, float]:
    """Log of the ratio of the axes, along twice the longer one's angle."""
    ratio = np.log(long / short)
    return float(ratio * np.cos(2 * turn_rad)), float(ratio * np.sin(2 * turn_rad))


def _seen_stretch(ray: Floats, normal: Floats) -> tuple[float, float]:
    """The same for a small circle on the plane in this direction."""
    return _stretch(*axes_of(seen_circle(ray, normal)))


def seen_circle(ray: Floats, normal: Floats) -> Floats:
    """(2, 2): what moves the ray's end in the picture when its point on the plane moves by the plane's two axes.

    At distance 1 and focal length 1.
    """
    point = ray / float(ray @ normal)
    first = np.cross(normal, (0.0, 1.0, 0.0))
    first /= np.linalg.norm(first)
    axes = np.stack([first, np.cross(normal, first)], axis=1)
    by_point = np.array([[1, 0, -point[0] / point[2]], [0, 1, -point[1] / point[2]]]) / point[2]
    return np.asarray(by_point @ axes)


def axes_of(matrix: Floats) -> tuple[float, float, float]:
    """Half axes and turn of the longer one, of the ellipse that this makes of the unit circle."""
    vectors, values, _ = np.linalg.svd(matrix)
    return float(values[0]), float(values[1]), float(np.arctan2(vectors[1, 0], vectors[0, 0]))


def _rivals(tries: Floats, worths: Floats, top: int) -> tuple[float, ...]:
    """Factors of all lengths, besides 1, under which the picture is explained nearly as well."""
    inner = np.arange(1, len(worths) - 1)
    peaks = inner[(worths[inner] >= worths[inner - 1]) & (worths[inner] >= worths[inner + 1])]
    good = [k for k in peaks if worths[k] > worths[top] - _AS_GOOD and abs(tries[k] - tries[top]) > 2 * _SIZE_SIGMA]
    return tuple(round(float(np.exp(tries[k] - tries[top])), 3) for k in good)
