"""Bundle adjustment: the lens and every view's board pose, by robust least squares over all points at once."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.arrays import Floats
from calibration.intrinsics.board_detection import BoardView
from calibration.intrinsics.reprojection import BoardPoses, Lens, Points, reprojection_jacobian, reprojection_residuals

_STEPS = 60
_STILL = 1e-9  # of the cost: no use in going on
_LEAST_NOISE_PX = 0.01
_PRIOR_POINTS = 30.0  # how many points' worth all views say of one view's noise
_OUTLIER = 6.0  # sigmas


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


def adjust_bundle(
    views: Sequence[BoardView], lens: Lens, *, places: BoardPoses | None = None, rounds: int = 3
) -> Solution | None:
    """The best lens and board poses from this first guess; None when the descent does not converge."""
    start = places or estimate_poses(views, lens)
    if start is None:
        return None
    points = Points.of(views)
    now = _State(lens, start)
    weights = np.ones(len(points.owner))
    for _ in range(rounds):
        now = _descend(points, now, weights)
        misses = points.split(reprojection_residuals(points, now.lens, now.places))
        if not all(np.all(np.isfinite(off)) for off in misses):
            return None
        trust, noise = weigh_points(misses)
        weights = np.concatenate(trust) / noise[points.owner] ** 2
    covariance = _lens_covariance(points, now, weights)
    return Solution(now.lens, now.places, tuple(misses), tuple(trust), noise, covariance)


def estimate_poses(views: Sequence[BoardView], lens: Lens) -> BoardPoses | None:
    """Board poses of the views, the lens taken as right; None when no rays of it lead to one of them."""
    starts = [_initial_pose(view, lens) for view in views]
    if any(start is None for start in starts):
        return None
    points = Points.of(views)
    ends = []
    for which in range(2):  # a flat board seen from afar could be tilted one way or the other
        pairs = [start[min(which, len(start) - 1)] for start in starts if start is not None]
        guess = BoardPoses(np.array([turn for turn, _ in pairs]), np.array([shift for _, shift in pairs]))
        ends.append(_descend(points, _State(lens.with_fixed_terms(), guess), np.ones(len(points.owner))).places)
    costs = [
        [_or_infinite(np.sum(off**2)) for off in points.split(reprojection_residuals(points, lens, end))]
        for end in ends
    ]
    best = np.argmin(costs, axis=0)
    chosen = [ends[which].select([view]) for view, which in enumerate(best)]
    return BoardPoses(
        np.concatenate([one.rotations for one in chosen]), np.concatenate([one.translations_mm for one in chosen])
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
    found = [
        (
            np.asarray(looking.T @ cv2.Rodrigues(turn)[0], np.float64),
            np.asarray(looking.T @ np.ravel(shift), np.float64),
        )
        for turn, shift in zip(turns, shifts, strict=True)
    ]
    return [one for one in found if np.all(np.isfinite(one[1]))] or None


def _rotation_towards(direction: Floats) -> Floats:
    """The rotation that turns this direction to straight ahead."""
    ahead = direction / np.linalg.norm(direction)
    right = np.cross([0.0, 1.0, 0.0], ahead)
    right /= max(float(np.linalg.norm(right)), 1e-12)
    return np.stack([right, np.cross(ahead, right), ahead])


@dataclass(frozen=True)
class _NormalEquations:
    """Normal equations: the lens's free values (c), the views' poses (V, 6), and what ties the two."""

    lens: Floats
    own: Floats
    tie: Floats
    lens_right: Floats
    own_right: Floats

    def with_damping(self, damping: float) -> "_NormalEquations":
        lens = self.lens + damping * np.diag(np.diag(self.lens) + 1e-12)
        diagonal = np.einsum("vii->vi", self.own)
        return replace(self, lens=lens, own=self.own + damping * (diagonal + 1e-12)[:, :, None] * np.eye(6))

    def schur_complement(self) -> tuple[Floats, Floats]:
        """What is left for the lens once every place has followed it."""
        through = np.linalg.solve(self.own, self.tie)
        own = np.linalg.solve(self.own, self.own_right[:, :, None])[:, :, 0]
        left = self.lens - np.einsum("vij,vik->jk", self.tie, through)
        return np.asarray(left), np.asarray(self.lens_right - np.einsum("vij,vi->j", self.tie, own))

    def step(self) -> tuple[Floats, Floats]:
        """How to change the lens's free values, and the places."""
        matrix, right = self.schur_complement()
        lens = np.linalg.solve(matrix, right)
        rest = self.own_right - self.tie @ lens
        return np.asarray(lens), np.asarray(np.linalg.solve(self.own, rest[:, :, None])[:, :, 0])


def _descend(points: Points, now: _State, weights: Floats) -> _State:
    """Levenberg-Marquardt. A step too far may overflow: it costs infinitely much and is not taken."""
    with np.errstate(over="ignore", invalid="ignore"):
        return _minimise(points, now, weights)


def _minimise(points: Points, now: _State, weights: Floats) -> _State:
    damping, cost = 1e-4, _cost(points, now, weights)
    for _ in range(_STEPS):
        normal = _normal_equations(points, now, weights)
        while damping < 1e10:
            then = _apply_step(now, *normal.with_damping(damping).step())
            after = _cost(points, then, weights)
            if after < cost:
                break
            damping *= 10
        else:
            return now
        gain, now, cost, damping = cost - after, then, after, max(damping / 10, 1e-12)
        if gain < _STILL * cost:
            return now
    return now


def _cost(points: Points, now: _State, weights: Floats) -> float:
    return _or_infinite(weights @ np.sum(reprojection_residuals(points, now.lens, now.places) ** 2, axis=1))


def _or_infinite(value: float) -> float:
    return float(value) if np.isfinite(value) else np.inf


def _apply_step(now: _State, lens: Floats, own: Floats) -> _State:
    values = now.lens.values.copy()
    values[now.lens.free] += lens
    return _State(replace(now.lens, values=values), now.places.with_changes(own))


def _normal_equations(points: Points, now: _State, weights: Floats) -> _NormalEquations:
    by_lens, by_place = reprojection_jacobian(points, now.lens, now.places)
    by_lens = by_lens[:, :, now.lens.free]
    off = reprojection_residuals(points, now.lens, now.places)
    heavy = by_place * weights[:, None, None]
    lens_heavy = by_lens * weights[:, None, None]
    return _NormalEquations(
        lens=np.einsum("nki,nkj->ij", lens_heavy, by_lens),
        own=points.sums(np.einsum("nki,nkj->nij", heavy, by_place)),
        tie=points.sums(np.einsum("nki,nkj->nij", heavy, by_lens)),
        lens_right=np.einsum("nki,nk->i", lens_heavy, off),
        own_right=points.sums(np.einsum("nki,nk->ni", heavy, off)),
    )


def weigh_points(misses: Sequence[Floats]) -> tuple[list[Floats], Floats]:
    """How far to trust each point, and each view's noise per axis, drawn a little towards that of all views."""
    common = _noise_sigma(np.concatenate(misses))
    trust, noise = [], []
    for off in misses:
        sigma = np.sqrt((len(off) * _noise_sigma(off) ** 2 + _PRIOR_POINTS * common**2) / (len(off) + _PRIOR_POINTS))
        ratio = np.linalg.norm(off, axis=1) / (_OUTLIER * sigma)
        trust.append(np.where(ratio < 1, (1 - ratio**2) ** 2, 1e-9))
        noise.append(float(sigma))
    return trust, np.array(noise)


def _noise_sigma(off: Floats) -> float:
    """Sigma per axis, whatever a few bad points do: half of all points lie within 1.1774 sigma of the middle."""
    return max(float(np.median(np.linalg.norm(off, axis=1))) / 1.1774, _LEAST_NOISE_PX)


def _lens_covariance(points: Points, now: _State, weights: Floats) -> Floats:
    """That of the lens's values, from the curvature, at the size the points' own scatter has; 0 for what is fixed."""
    matrix, _ = _normal_equations(points, now, weights).schur_complement()
    free = np.flatnonzero(now.lens.free)
    scale = np.sqrt(np.diag(matrix))
    inverse = np.linalg.pinv(matrix / np.outer(scale, scale), rcond=1e-13) / np.outer(scale, scale)
    spent = (len(free) + 6 * len(now.places.rotations)) / (2 * len(points.owner))
    out = np.zeros((len(now.lens.values),) * 2)
    out[np.ix_(free, free)] = inverse / max(1 - spent, 0.1)
    return out
