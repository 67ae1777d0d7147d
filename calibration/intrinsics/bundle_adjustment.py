"""Bundle adjustment: the lens and every view's board pose, by robust least squares over all points at once."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.arrays import Floats
from calibration.intrinsics.board_detection import BoardView
from calibration.intrinsics.reprojection import BoardPoses, Lens, Points, reprojection_jacobian, reprojection_residuals
from calibration.least_squares import NormalEquations, ResidualBlock, minimise, minimise_robustly


@dataclass(frozen=True)
class Solution:
    """Lens and board poses that explain the views best.

    `noise_px` is each view's own, per axis; `trust` 0..1 of each of its points; `covariance` that of the lens's values.
    """

    lens: Lens
    places: BoardPoses
    misses_px: tuple[Floats, ...]
    trust: tuple[Floats, ...]
    noise_px: Floats
    covariance: Floats


@dataclass(frozen=True)
class _State:
    lens: Lens
    places: BoardPoses


@dataclass(frozen=True)
class _BoardProblem:
    """Points of all views and their weights (N,); unknown are the lens's values and six of each view's pose."""

    points: Points
    weights: Floats

    @classmethod
    def of(cls, points: Points) -> "_BoardProblem":
        return cls(points, np.ones(len(points.owner)))

    def weighted(self, weights: Floats) -> "_BoardProblem":
        return replace(self, weights=weights)

    def misses(self, state: _State) -> list[Floats]:
        return self.points.split(reprojection_residuals(self.points, state.lens, state.places))

    def cost(self, state: _State) -> float:
        off = reprojection_residuals(self.points, state.lens, state.places)
        return float(self.weights @ np.sum(off**2, axis=1))

    def moved(self, state: _State, step: Floats) -> _State:
        lenses = len(state.lens.values)
        lens = replace(state.lens, values=state.lens.values + step[:lenses])
        return _State(lens, state.places.with_changes(step[lenses:].reshape(-1, 6)))

    def equations(self, state: _State) -> NormalEquations:
        slopes = np.concatenate(reprojection_jacobian(self.points, state.lens, state.places), axis=2)
        lenses, views = len(state.lens.values), len(state.places.rotations)
        parts = zip(self.misses(state), self.points.split(slopes), self.points.split(self.weights), strict=True)
        blocks = (
            ResidualBlock(
                off.ravel(),
                by_all.reshape(-1, lenses + 6),
                np.concatenate([np.arange(lenses), lenses + 6 * view + np.arange(6)]),
                np.repeat(weights, 2),
            )
            for view, (off, by_all, weights) in enumerate(parts)
        )
        free = np.concatenate([state.lens.free, np.ones(6 * views, np.bool_)])
        return NormalEquations.of(blocks, lenses + 6 * views, free=free, groups=(lenses, 6))


def adjust_bundle(
    views: Sequence[BoardView], lens: Lens, *, places: BoardPoses | None = None, rounds: int = 3
) -> Solution | None:
    """The best lens and board poses from this first guess; None when the descent does not converge."""
    start = places or estimate_poses(views, lens)
    if start is None:
        return None
    problem = _BoardProblem.of(Points.of(views))
    minimum = minimise_robustly(problem, _State(lens, start), rounds=rounds)
    if minimum is None:
        return None
    state, lenses = minimum.state, len(lens.values)
    equations = problem.weighted(minimum.weights).equations(state)
    spent = np.count_nonzero(equations.free) / (2 * len(minimum.weights))  # the points' own scatter sets the size
    covariance = equations.covariance()[:lenses, :lenses] / max(1 - spent, 0.1)
    return Solution(state.lens, state.places, minimum.misses_px, minimum.trust, minimum.noise_px, covariance)


def estimate_poses(views: Sequence[BoardView], lens: Lens) -> BoardPoses | None:
    """Board poses of the views, the lens taken as right; None when no rays of it lead to one of them."""
    starts = [_initial_pose(view, lens) for view in views]
    if any(start is None for start in starts):
        return None
    problem, ends = _BoardProblem.of(Points.of(views)), []
    for which in range(2):  # a flat board seen from afar could be tilted one way or the other
        pairs = [start[min(which, len(start) - 1)] for start in starts if start is not None]
        guess = BoardPoses(np.array([turn for turn, _ in pairs]), np.array([shift for _, shift in pairs]))
        ends.append(minimise(problem, _State(lens.with_fixed_terms(), guess)))
    costs = [[np.nan_to_num(np.sum(off**2), nan=np.inf) for off in problem.misses(end)] for end in ends]
    best = [ends[which].places.select([view]) for view, which in enumerate(np.argmin(costs, axis=0))]
    return BoardPoses(
        np.concatenate([place.rotations for place in best]), np.concatenate([place.translations_mm for place in best])
    )


def _initial_pose(view: BoardView, lens: Lens) -> list[tuple[Floats, Floats]] | None:
    """First board pose, as seen along the middle of its rays: a wide lens sees boards beside itself."""
    rays = lens.rays(view.seen_px)
    good = np.all(np.isfinite(rays), axis=1)
    if good.sum() < 4:
        return None
    looking = _rotation_towards(rays[good].mean(axis=0))
    turned = rays[good] @ looking.T
    if turned[:, 2].min() < 0.1:
        return None
    seen = turned[:, :2] / turned[:, 2:]
    _, turns, shifts, _ = cv2.solvePnPGeneric(view.points_mm[good], seen, np.eye(3), None, flags=cv2.SOLVEPNP_IPPE)
    poses = [
        (
            np.asarray(looking.T @ cv2.Rodrigues(turn)[0], np.float64),
            np.asarray(looking.T @ np.ravel(shift), np.float64),
        )
        for turn, shift in zip(turns, shifts, strict=True)
    ]
    return [pose for pose in poses if np.all(np.isfinite(pose[1]))] or None


def _rotation_towards(direction: Floats) -> Floats:
    """The rotation that turns this direction to straight ahead."""
    ahead = direction / np.linalg.norm(direction)
    right = np.cross([0.0, 1.0, 0.0], ahead)
    right /= max(float(np.linalg.norm(right)), 1e-12)
    return np.stack([right, np.cross(ahead, right), ahead])
