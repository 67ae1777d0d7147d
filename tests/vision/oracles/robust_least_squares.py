"""Robust least squares: the nearest steps of both edges of a base, and of the rim's own above a shaded side."""

from dataclasses import dataclass

import numpy as np

from calibration.arrays import Floats, Floats32, Indices, Mask
from tests.vision.oracles.edge_profiles import (
    column_of,
    edge_confidence,
    has_visible_side,
    inner_edge_mm,
    outline_jacobian,
    smooth_across,
)
from vision.measurement.edge_profiles import OFFSETS_MM, STEP_MM, EdgeProfiles
from vision.measurement.fit_settings import (
    AGREE_MM,
    DOUBT,
    INNER_PRECISION,
    LEAST_SCATTER,
    MOST_SOFT_MM,
    NOISE,
    OVAL_DOUBT,
    OVAL_SCATTER_POWER,
    PEAK_SIGMA_MM,
    SCATTER_POWER,
    SIGMAS,
    SOFT_COLUMNS,
    SOFT_PX,
    USUAL_SCATTER_MM,
    WINDOWS_MM,
)


@dataclass(frozen=True)
class Guess:
    """Initial guess: a shift and a turn from the outline that was sampled, and the width of the rim."""

    shift_mm: Floats
    turn_rad: float
    rim_width_mm: float
    score: float


@dataclass(frozen=True)
class RobustSolution:
    """Least-squares state of both edges, its covariance and its residual scatter.

    The state: shift x and y, bias of the outline and of the inner edge outward, turn, and how much higher the rim and
    how much further in its side is than the profile says.

    `outer_mm` and `inner_mm` are where the search put the edges: what tells a base from a look-alike was weighed there.
    Of a side with a tone of its own the outer one is the foot or the rim, whichever shows.
    """

    state: Floats
    covariance: Floats
    outer_mm: Floats
    inner_mm: Floats
    scatter_mm: float


def refine_robust(
    edges: EdgeProfiles, guess: Guess, centre: Floats, *, turns: bool, slant: Floats, is_shaded: bool
) -> RobustSolution:
    """Robust least squares of the nearest steps of both edges, and of the rim's own above a shaded side.

    A round base does not turn. `slant`: how far the camera casts a point outward for each millimetre of height.
    """
    aside = np.stack([np.zeros(len(edges.strength)), inner_edge_mm(edges, guess.rim_width_mm), edges.silhouette.rim_mm])
    rows = _jacobian_rows(edges, centre, turns=turns, slant=slant)
    state = np.array([*guess.shift_mm, 0.0, 0.0, guess.turn_rad, 0.0, 0.0])
    covariance, weight, found = np.eye(7), np.zeros(aside.size), np.zeros(aside.size)
    searched = (rows @ state).reshape(aside.shape) + aside
    side = has_visible_side(edges) & is_shaded
    soft = smooth_across(edges, min(SOFT_PX * edges.mm_per_px, MOST_SOFT_MM))
    for window_mm, placed_on in zip(WINDOWS_MM, (*(edges.strength for _ in WINDOWS_MM[1:]), soft), strict=True):
        expected = (rows @ state).reshape(aside.shape) + aside
        crest_mm = np.where(side, expected[2], np.inf)
        others_mm = (crest_mm, crest_mm, expected[0])  # a step is that of the edge it is nearest to
        steps = [
            _nearest_steps(edges, placed_on, at, window_mm=window_mm, other_mm=other)
            for at, other in zip(expected, others_mm, strict=True)
        ]
        found = np.concatenate([offset - by for (offset, _), by in zip(steps, aside, strict=True)])
        (_, outer_weight), (_, inner_weight), (_, crest_weight) = steps
        weight = np.concatenate([outer_weight, INNER_PRECISION * inner_weight, crest_weight * side])
        state, covariance = _solve_normal_equations(rows, found, weight)
    scatter_mm = float(np.sqrt((weight @ (found - rows @ state) ** 2 + 1e-6) / (weight.sum() + 1e-6)))
    outer_mm = _stronger_edge(edges, searched[0], np.where(side, searched[2], searched[0]))
    return RobustSolution(
        state, _covariance_factor(scatter_mm, is_oval=turns) * covariance, outer_mm, searched[1], scatter_mm
    )


def _stronger_edge(edges: EdgeProfiles, one_mm: Floats, other_mm: Floats) -> Floats:
    """Of two places on each normal that of the stronger step; of equals the first."""
    row = np.arange(len(edges.strength))
    one, other = (edges.strength[row, column_of(at)] for at in (one_mm, other_mm))
    return np.where(other > one, other_mm, one_mm)


def _covariance_factor(scatter_mm: float, *, is_oval: bool) -> float:
    """How much larger the covariance is than the steps' own error makes it."""
    least, power = (OVAL_DOUBT, OVAL_SCATTER_POWER) if is_oval else (DOUBT, SCATTER_POWER)
    return float(least * max(scatter_mm / USUAL_SCATTER_MM, LEAST_SCATTER) ** power)


def _jacobian_rows(edges: EdgeProfiles, centre: Floats, *, turns: bool, slant: Floats) -> Floats:
    """How far each point of the outline, of the inner edge and of the rim's edge moves outward with each part of the
    state."""
    moves, cast = outline_jacobian(edges, centre), edges.silhouette.normals @ slant
    one, none = np.ones(len(moves)), np.zeros(len(moves))
    is_rim = (edges.silhouette.rim_mm > -1e-9).astype(np.float64)  # elsewhere the outline is the foot's
    turning = moves[:, 2] * turns
    outer = np.column_stack([moves[:, :2], one, none, turning, is_rim * cast, -is_rim])
    inner = np.column_stack([moves[:, :2], none, one, turning, cast, none])
    return np.concatenate([outer, inner, np.column_stack([moves[:, :2], one, none, turning, cast, -one])])


def _nearest_steps(
    edges: EdgeProfiles, soft: Floats32, expected_mm: Floats, *, window_mm: float, other_mm: Floats
) -> tuple[Floats, Floats]:
    """For each normal the top of the strongest step near `expected_mm` and not nearer to `other_mm`, and how much it
    counts (0 = none)."""
    strength = edges.strength
    is_top = np.zeros(strength.shape, np.bool_)
    is_top[:, 1:-1] = (strength[:, 1:-1] >= strength[:, :-2]) & (strength[:, 1:-1] > strength[:, 2:])
    away = OFFSETS_MM[None, :] - expected_mm[:, None]
    is_top &= np.abs(away) <= np.abs(OFFSETS_MM[None, :] - other_mm[:, None])
    near = np.where(is_top, strength * np.exp(-((away / window_mm) ** 2)), 0.0)
    best, row = near.argmax(axis=1), np.arange(len(strength))
    offset, is_peak = _peaks_near(strength, best, columns=0)
    softly, is_soft_peak = _peaks_near(soft, best, columns=SOFT_COLUMNS)
    offset += np.where(is_soft_peak, (softly - offset) * np.exp(-(((softly - offset) / AGREE_MM) ** 2)), 0.0)
    counts = is_top[row, best] & is_peak
    weight = edge_confidence(strength[row, best]) * np.exp(-(((offset - expected_mm) / window_mm) ** 2))
    return offset, np.where(counts & (strength[row, best] > NOISE), weight, 0.0)


def _peaks_near(strength: Floats32, near: Indices, *, columns: int) -> tuple[Floats, Mask]:
    """Where each normal's step tops within so many columns of the one near it, and whether it does."""
    row = np.arange(len(strength))
    around = (near[:, None] + np.arange(-columns, columns + 1)).clip(1, len(OFFSETS_MM) - 2)
    best = around[row, strength[row[:, None], around].argmax(axis=1)]
    left, peak, right = (strength[row, best + k].astype(np.float64) for k in (-1, 0, 1))
    curve = left - 2 * peak + right
    is_peak = curve < -1e-9
    vertex = np.where(is_peak, 0.5 * (left - right) / np.where(is_peak, curve, -1.0), 0.0).clip(-1.0, 1.0)
    return OFFSETS_MM[best] + vertex * STEP_MM, is_peak


def _solve_normal_equations(rows: Floats, found_mm: Floats, weight: Floats) -> tuple[Floats, Floats]:
    precision = weight / PEAK_SIGMA_MM**2 / 3  # neighbours along the rim share their error
    information = (rows * precision[:, None]).T @ rows
    information += np.diag([1 / sigma**2 for sigma in SIGMAS])
    state = np.linalg.solve(information, (rows * precision[:, None]).T @ found_mm)
    return np.asarray(state, np.float64), np.asarray(np.linalg.inv(information), np.float64)
