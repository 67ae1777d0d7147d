"""A lens and the place of every view's board, by robust least squares over all points at once."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import View
from calibration.distortion import distort, distort_jacobian, distort_terms_jacobian, undistort

Floats = NDArray[np.float64]

_STEPS = 60
_STILL = 1e-10  # of the cost: no use in going on
_LEAST_NOISE_PX = 0.01
_PRIOR_POINTS = 30.0  # how many points' worth all views say of one view's noise


@dataclass(frozen=True)
class Lens:
    """(fx, fy, cx, cy, *dist), and which of them are solved for."""

    values: Floats
    free: tuple[bool, ...]
    fisheye: bool = False

    def bent(self, flat: Floats) -> Floats:
        """Pixels of rays at depth one."""
        return distort(flat, self.values[4:].tolist(), fisheye=self.fisheye) * self.values[:2] + self.values[2:4]

    def flat(self, seen_px: Floats) -> Floats:
        """Rays at depth one of these pixels."""
        bent = (seen_px - self.values[2:4]) / self.values[:2]
        return undistort(bent, self.values[4:].tolist(), fisheye=self.fisheye)


@dataclass(frozen=True)
class Place:
    """camera_from_board."""

    rotation: Floats
    translation_mm: Floats

    def moved(self, change: Floats) -> "Place":
        turn = np.asarray(cv2.Rodrigues(change[:3])[0], np.float64)
        return Place(turn @ self.rotation, self.translation_mm + change[3:])

    def apply(self, points_mm: Floats) -> Floats:
        return np.asarray(points_mm @ self.rotation.T + self.translation_mm)


@dataclass(frozen=True)
class Solution:
    """What explains the views best.

    `noise_px` is each view's own, per axis; `trust` 0..1 of each point; `covariance` that of the lens's values.
    """

    lens: Lens
    places: tuple[Place, ...]
    misses_px: tuple[Floats, ...]
    trust: tuple[Floats, ...]
    noise_px: tuple[float, ...]
    covariance: Floats


def solve(
    views: Sequence[View], lens: Lens, *, places: Sequence[Place] | None = None, rounds: int = 3
) -> Solution | None:
    """The best lens and places from this first guess; None when there is no way down to one."""
    starts = places or [place(view, lens) for view in views]
    if any(one is None for one in starts):
        return None
    now = _State(lens, tuple(one for one in starts if one is not None))
    weights = [np.ones(len(view.points_mm)) for view in views]
    for _ in range(rounds):
        now = _descend(views, now, weights)
        misses = [miss(view, now.lens, there) for view, there in zip(views, now.places, strict=True)]
        if not all(np.all(np.isfinite(off)) for off in misses):
            return None
        trust, noise = _judge(misses)
        weights = [part / sigma**2 for part, sigma in zip(trust, noise, strict=True)]
    covariance = _covariance(views, now, weights)
    return Solution(now.lens, now.places, tuple(misses), tuple(trust), tuple(noise), covariance)


def place(view: View, lens: Lens) -> Place | None:
    """Where the view's board is, the lens taken as right; None when no ray of the lens leads there."""
    flat = lens.flat(view.seen_px)
    good = np.all(np.isfinite(flat), axis=1)
    if good.sum() < 4:
        return None
    _, turns, shifts, _ = cv2.solvePnPGeneric(
        view.points_mm[good], flat[good], np.eye(3), None, flags=cv2.SOLVEPNP_IPPE
    )
    found = [
        Place(np.asarray(cv2.Rodrigues(turn)[0], np.float64), np.ravel(shift).astype(np.float64))
        for turn, shift in zip(turns, shifts, strict=True)
    ]
    ends = [_settled(view, lens, start) for start in found if np.all(np.isfinite(start.translation_mm))]
    return min(ends, key=lambda end: _size(miss(view, lens, end)), default=None)


@dataclass(frozen=True)
class _State:
    lens: Lens
    places: tuple[Place, ...]


def _settled(view: View, lens: Lens, start: Place) -> Place:
    fixed = replace(lens, free=(False,) * len(lens.free))
    return _descend([view], _State(fixed, (start,)), [np.ones(len(view.points_mm))]).places[0]


def _descend(views: Sequence[View], now: _State, weights: Sequence[Floats]) -> _State:
    """Levenberg and Marquardt's way down."""
    damping, cost = 1e-4, _cost(views, now, weights)
    for _ in range(_STEPS):
        normal, right = _equations(views, now, weights)
        while damping < 1e10:
            step = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-12), right)
            then = _stepped(now, np.asarray(step, np.float64))
            after = _cost(views, then, weights)
            if after < cost:
                break
            damping *= 10
        else:
            return now
        gain, now, cost, damping = cost - after, then, after, max(damping / 10, 1e-12)
        if gain < _STILL * cost:
            return now
    return now


def _cost(views: Sequence[View], now: _State, weights: Sequence[Floats]) -> float:
    total = 0.0
    for view, there, weight in zip(views, now.places, weights, strict=True):
        total += float(weight @ np.sum(miss(view, now.lens, there) ** 2, axis=1))
    return total if np.isfinite(total) else np.inf


def miss(view: View, lens: Lens, there: Place) -> Floats:
    """From where each point should be seen to where it is, (N, 2) px."""
    seen = there.apply(view.points_mm)
    with np.errstate(all="ignore"):
        flat = seen[:, :2] / np.where(seen[:, 2:] > 0, seen[:, 2:], np.nan)
        return view.seen_px - lens.bent(flat)


def _stepped(now: _State, step: Floats) -> _State:
    free = np.array(now.lens.free)
    values = now.lens.values.copy()
    values[free] += step[: free.sum()]
    parts = step[free.sum() :].reshape(-1, 6)
    places = tuple(there.moved(part) for there, part in zip(now.places, parts, strict=True))
    return _State(replace(now.lens, values=values), places)


def _equations(views: Sequence[View], now: _State, weights: Sequence[Floats]) -> tuple[Floats, Floats]:
    """The normal matrix and its right side: the lens's free values first, then six of each view."""
    free = np.array(now.lens.free)
    count = int(free.sum())
    normal = np.zeros((count + 6 * len(views), count + 6 * len(views)))
    right = np.zeros(len(normal))
    for i, (view, there, weight) in enumerate(zip(views, now.places, weights, strict=True)):
        by_lens, by_place = slopes(view, now.lens, there)
        rows = np.concatenate([by_lens[:, :, free], by_place], axis=2).reshape(-1, count + 6)
        at = np.concatenate([np.arange(count), count + 6 * i + np.arange(6)])
        heavy = rows * np.repeat(weight, 2)[:, None]
        normal[np.ix_(at, at)] += rows.T @ heavy
        right[at] += heavy.T @ miss(view, now.lens, there).reshape(-1)
    return normal, right


def slopes(view: View, lens: Lens, there: Place) -> tuple[Floats, Floats]:
    """d px / d the lens's values, (N, 2, 4 + terms), and d px / d (small turn on the camera's side, t), (N, 2, 6)."""
    seen = there.apply(view.points_mm)
    flat = seen[:, :2] / seen[:, 2:]
    dist = lens.values[4:].tolist()
    by_lens = np.zeros((len(flat), 2, len(lens.values)))
    bent = distort(flat, dist, fisheye=lens.fisheye)
    by_lens[:, 0, 0], by_lens[:, 1, 1] = bent.T
    by_lens[:, 0, 2] = by_lens[:, 1, 3] = 1
    by_lens[:, :, 4:] = distort_terms_jacobian(flat, dist, fisheye=lens.fisheye) * lens.values[:2, None]
    bend = distort_jacobian(flat, dist, fisheye=lens.fisheye) * lens.values[:2, None]
    by_shift = np.empty((len(flat), 2, 3))
    by_shift[:, :, :2] = bend / seen[:, 2, None, None]
    by_shift[:, :, 2] = -np.einsum("nij,nj->ni", bend, flat) / seen[:, 2, None]
    arm = seen - there.translation_mm
    by_turn = np.cross(arm[:, None, :], by_shift)
    return by_lens, np.concatenate([by_turn, by_shift], axis=2)


def _judge(misses: Sequence[Floats]) -> tuple[list[Floats], list[float]]:
    """How far to trust each point, and each view's noise per axis, drawn a little towards that of all views."""
    common = _noise(np.concatenate(misses))
    trust, noise = [], []
    for off in misses:
        own = _noise(off)
        sigma = np.sqrt((len(off) * own**2 + _PRIOR_POINTS * common**2) / (len(off) + _PRIOR_POINTS))
        ratio = np.linalg.norm(off, axis=1) / sigma
        trust.append(np.where(ratio < 6, (1 - (ratio / 6) ** 2) ** 2, 1e-9))
        noise.append(float(sigma))
    return trust, noise


def _noise(off: Floats) -> float:
    """Sigma per axis, whatever a few bad points do: half of all points lie within 1.1774 sigma of the middle."""
    return max(float(np.median(np.linalg.norm(off, axis=1))) / 1.1774, _LEAST_NOISE_PX)


def _covariance(views: Sequence[View], now: _State, weights: Sequence[Floats]) -> Floats:
    """That of the lens's values, from the curvature, at the size the points' own scatter has; 0 for what is fixed."""
    normal, _ = _equations(views, now, weights)
    free = np.flatnonzero(now.lens.free)
    scale = np.sqrt(np.diag(normal))
    inverse = np.linalg.pinv(normal / np.outer(scale, scale), rcond=1e-13) / np.outer(scale, scale)
    points = sum(float(np.sum(weight > 0)) for weight in weights)
    spent = len(normal) / (2 * points)
    out = np.zeros((len(now.lens.values),) * 2)
    out[np.ix_(free, free)] = inverse[: len(free), : len(free)] / max(1 - spent, 0.1)
    return out


def _size(off: Floats) -> float:
    rms = float(np.sqrt(np.mean(np.sum(off**2, axis=1))))
    return rms if np.isfinite(rms) else np.inf
