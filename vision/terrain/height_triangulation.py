"""Height triangulation: how high terrain is, from bases on it that two cameras saw.

Triangulation: where viewing rays of several cameras meet; what is seen twice has a height.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from calibration.arrays import Floats
from models.camera import CameraPose
from models.layout import Layout, LayoutTerrain
from models.miniature import Miniature
from models.state import TableState

_LEAST_SLANT = 0.02  # by which the slants of two rays must differ


@dataclass(frozen=True)
class ViewingRay:
    """Ray from `eye_mm` through `through_mm`, (3,) each; `covariance_mm2` (2, 2) is of its x and y at that height."""

    eye_mm: Floats
    through_mm: Floats
    covariance_mm2: Floats

    @property
    def slant(self) -> Floats:
        """How far the line goes aside for each millimetre that it rises, (2,)."""
        rise = self.eye_mm - self.through_mm
        return np.asarray(rise[:2] / rise[2])


@dataclass(frozen=True)
class Intersection:
    """Point nearest to all rays, (3,), with its covariance; `chi_square` says how nearly they meet."""

    at_mm: Floats
    covariance_mm2: Floats
    chi_square: float

    @property
    def height_sigma_mm(self) -> float:
        return float(np.sqrt(self.covariance_mm2[2, 2]))


def triangulate(rays: Sequence[ViewingRay]) -> Intersection | None:
    """Intersect the rays; None when they look along the same line, which leaves the height open."""
    rows = np.concatenate([np.column_stack([np.eye(2), -ray.slant]) for ray in rays])
    seen = np.concatenate([ray.through_mm[:2] - ray.slant * ray.through_mm[2] for ray in rays])
    weights = np.zeros((len(seen), len(seen)))
    for k, ray in enumerate(rays):
        weights[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = np.linalg.inv(ray.covariance_mm2)
    normal = rows.T @ weights @ rows
    if np.ptp([ray.slant for ray in rays], axis=0).max() < _LEAST_SLANT:
        return None
    at = np.linalg.solve(normal, rows.T @ weights @ seen)
    off = seen - rows @ at
    return Intersection(at, np.asarray(np.linalg.inv(normal)), float(off @ weights @ off))


_LOWEST_MM, _HIGHEST_MM = -10.0, 200.0
_ASIDE_MM = 60.0  # a base on a hill, taken to stand on the table, may seem to stand beside the hill
_MEETS = 12.0  # chi square of one freedom: lines that pass each other farther are of two bases
_OUTLIER = 4.0
_LEAST_SIGMA_MM = 0.05
_FLOOR_SIGMA_MM = 0.3  # a hill is no plate: felt, flock and a rim's own height


@dataclass(frozen=True)
class SurfaceHeight:
    """The height of one piece of terrain, from so many bases on it; `entered_mm` is what the layout said before."""

    terrain: str
    surface_mm: float
    sigma_mm: float
    bases: int
    entered_mm: float | None


def triangulate_heights(seen: Sequence[tuple[TableState, CameraPose]], layout: Layout) -> tuple[SurfaceHeight, ...]:
    """Triangulates every piece of terrain on which two of these states, each with its pose, hold the same base.

    The states are of one moment. What they took for a base's height need not be right: only the line of sight counts.
    """
    heights = []
    for piece in layout.terrain:
        if piece.polygon_mm is not None and len(met := _match_sights(seen, shapely.Polygon(piece.polygon_mm))):
            height, sigma, count = _robust_mean(met)
            heights.append(SurfaceHeight(piece.id, height, sigma, count, piece.surface_mm))
    return tuple(heights)


def with_heights(layout: Layout, solved: Sequence[SurfaceHeight]) -> Layout:
    """The layout with these heights in it."""
    known = {solved_height.terrain: solved_height for solved_height in solved}
    pieces = tuple(_with_height(piece, known[piece.id]) if piece.id in known else piece for piece in layout.terrain)
    return Layout(table_mm=layout.table_mm, fiducials=layout.fiducials, terrain=pieces)


def _with_height(piece: LayoutTerrain, solved: SurfaceHeight) -> LayoutTerrain:
    changed = {"surface_mm": round(solved.surface_mm, 2), "sigma_mm": round(solved.sigma_mm, 2)}
    return LayoutTerrain.model_validate(piece.model_dump() | changed)


def _match_sights(seen: Sequence[tuple[TableState, CameraPose]], outline: shapely.Polygon) -> list[Intersection]:
    """Where lines of sight to one base meet within the outline; each line is used once, the best meetings first."""
    near = shapely.buffer(outline, _ASIDE_MM)
    sights = [
        [
            (miniature, _line_of_sight(miniature, pose))
            for miniature in state.miniatures
            if near.contains(shapely.Point(miniature.at_mm))
        ]
        for state, pose in seen
    ]
    taken: set[tuple[int, str]] = set()
    met_lines = []
    for met, first, second in sorted(_candidate_pairs(sights), key=lambda pair: pair[0].chi_square):
        if not {first, second} & taken and outline.contains(shapely.Point(met.at_mm[:2])):
            met_lines.append(met)
            taken |= {first, second}
    return met_lines


SightId = tuple[int, str]


def _candidate_pairs(
    sights: Sequence[Sequence[tuple[Miniature, ViewingRay]]],
) -> Iterator[tuple[Intersection, SightId, SightId]]:
    """Pairs of sights from two eyes that can be of one base."""
    for i, ours in enumerate(sights):
        for j in range(i + 1, len(sights)):
            for a, first in ours:
                for b, second in sights[j]:
                    met = triangulate((first, second)) if a.base == b.base else None
                    if met is not None and met.chi_square < _MEETS and _LOWEST_MM < met.at_mm[2] < _HIGHEST_MM:
                        yield met, (i, a.id), (j, b.id)


def _line_of_sight(miniature: Miniature, pose: CameraPose) -> ViewingRay:
    """The line of sight to a base, free of what was taken for its height."""
    height = miniature.elevation_mm or 0.0
    eye, through = np.array(pose.centre_mm), np.array([*miniature.at_mm, height])
    line = ViewingRay(eye, through, np.eye(2))
    of_height = np.outer(line.slant, line.slant) * miniature.sigma.elevation_mm**2
    values, vectors = np.linalg.eigh(np.array(miniature.covariance()) - of_height)
    own = (vectors * np.maximum(values, _LEAST_SIGMA_MM**2)) @ vectors.T
    return ViewingRay(eye, through, own)


def _robust_mean(met: Sequence[Intersection]) -> tuple[float, float, int]:
    """Height and sigma of the piece, and by how many bases: those that agree with the middle one."""
    heights = np.array([line.at_mm[2] for line in met])
    sigmas = np.hypot([line.height_sigma_mm for line in met], _FLOOR_SIGMA_MM)
    agree = np.abs(heights - np.median(heights)) <= _OUTLIER * sigmas
    weights = 1 / sigmas[agree] ** 2
    return float(weights @ heights[agree] / weights.sum()), float(weights.sum() ** -0.5), int(agree.sum())
