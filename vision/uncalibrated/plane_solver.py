"""Plane from discs: their shapes give the slant, their sizes slant and scale.

A disc of radius R on a plane with unit normal n at distance h covers an area of the picture that grows with
(n · ray)³ R² / h². The catalogue knows which R there are.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.arrays import Floats
from vision.uncalibrated.ellipse_detection import Disc
from vision.uncalibrated.plane_hypotheses import DiscArrays, PlaneHypothesis, find_hypotheses

_AS_GOOD = 2.0  # log probability by which another scale must be worse not to be named
_WHOLE = 0.3  # support from which on a disc counts in full
_SAME_SCALE = 0.012  # as a share


@dataclass(frozen=True)
class Lens:
    """Pinhole model without distortion."""

    focal_px: float
    middle_px: tuple[float, float]

    def rays(self, at_px: Floats) -> Floats:
        """Back-projected rays, (N, 3), third part 1."""
        return np.column_stack([(at_px - self.middle_px) / self.focal_px, np.ones(len(at_px))])


@dataclass(frozen=True)
class SolvedPlane:
    """The plane in the camera's frame: unit normal away from the camera, and distance."""

    normal: Floats
    distance_mm: float
    lens: Lens
    swelling: float  # how much larger discs look towards the border, as a share per square of the ray's slope
    scale_sigma: float  # share by which all lengths may be off
    other_scales: tuple[float, ...]  # factors of all lengths that explain the picture about as well
    size_shares: Floats  # (discs, sizes): probability that each disc is of each size; what is missing to 1 is of none

    def depths(self, at_px: Floats) -> Floats:
        """Distances along the camera's axis at which rays meet the plane, (N,) mm."""
        return np.asarray(self.distance_mm / (self.lens.rays(at_px) @ self.normal))

    def diameters_mm(self, discs: Sequence[Disc]) -> Floats:
        """How large the discs are on this plane."""
        sight = disc_arrays(discs, self.lens)
        logs = sight.log_sizes - 1.5 * np.log(np.maximum(sight.rays @ self.normal, 0.05)) + self.swelling * sight.far
        return np.asarray(2 * self.distance_mm * np.exp(logs))


def solve_plane(discs: Sequence[Disc], *, sizes_mm: Sequence[float], lens: Lens) -> SolvedPlane | None:
    """Solves for the plane and scale under which most discs are of the catalogue's sizes; None for no discs."""
    if not discs:
        return None
    readings = find_hypotheses(disc_arrays(discs, lens), sizes_mm)
    best = readings[0]
    weights = np.array([reading.weight for reading in readings])
    off = np.array([reading.log_distance - best.log_distance for reading in readings])
    spread = np.array([reading.scale_sigma for reading in readings])
    return SolvedPlane(
        normal=best.normal,
        distance_mm=float(np.exp(best.log_distance)),
        lens=lens,
        swelling=best.swelling,
        scale_sigma=float(np.sqrt(weights @ (spread**2 + off**2))),
        other_scales=_other_scales(readings),
        size_shares=np.asarray(sum(reading.weight * reading.shares for reading in readings)),
    )


def disc_arrays(discs: Sequence[Disc], lens: Lens) -> DiscArrays:
    """The discs as the solver reads them."""
    at_px = np.array([disc.at_px for disc in discs], np.float64).reshape(-1, 2)
    axes = np.array([(disc.long_px, disc.short_px) for disc in discs])
    turn = np.array([disc.turn_rad for disc in discs])
    ratio = np.log(axes[:, 0] / axes[:, 1])
    return DiscArrays(
        rays=lens.rays(at_px),
        log_sizes=0.5 * np.log(axes.prod(axis=1)) - np.log(lens.focal_px),
        sigma=np.array([disc.sigma_px for disc in discs]) / axes[:, 0],
        stretch=np.stack([ratio * np.cos(2 * turn), ratio * np.sin(2 * turn)], axis=1),
        trust=np.minimum(1.0, np.array([disc.support for disc in discs]) / _WHOLE),
    )


def circle_jacobian(ray: Floats, normal: Floats) -> Floats:
    """Jacobian (2, 2) of the ray's end in the picture by the plane's two axes.

    At distance 1 and focal length 1.
    """
    point = ray / float(ray @ normal)
    first = np.cross(normal, (0.0, 1.0, 0.0))
    first /= np.linalg.norm(first)
    axes = np.stack([first, np.cross(normal, first)], axis=1)
    by_point = np.array([[1, 0, -point[0] / point[2]], [0, 1, -point[1] / point[2]]]) / point[2]
    return np.asarray(by_point @ axes)


def ellipse_axes(matrix: Floats) -> tuple[float, float, float]:
    """Half axes, and turn of the longer one, of the ellipse that this matrix makes of the unit circle."""
    vectors, values, _ = np.linalg.svd(matrix)
    return float(values[0]), float(values[1]), float(np.arctan2(vectors[1, 0], vectors[0, 0]))


def _other_scales(readings: Sequence[PlaneHypothesis]) -> tuple[float, ...]:
    """Factors of all lengths, besides 1, under which the picture is explained nearly as well, likeliest first."""
    best, offsets = readings[0], [0.0]
    for reading in readings[1:]:
        off = reading.log_distance - best.log_distance
        if reading.weight > best.weight * np.exp(-_AS_GOOD) and all(
            abs(off - other) > _SAME_SCALE for other in offsets
        ):
            offsets.append(off)
    return tuple(round(float(np.exp(off)), 3) for off in offsets[1:])
