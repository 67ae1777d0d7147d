"""Joint bundle adjustment: lens, pictures' poses and how the pages lie, by robust least squares over all corners.

Pages lie on one plane, the first at the origin; a page may be bent a little, and lies at its own place and turn. Weak
priors (a phone's focal length, square pixels, a middle near the picture's, usual distortion, flat paper) hold what the
pictures do not tell, and the covariance says what that is.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats
from calibration.intrinsics.bundle_adjustment import weigh_points
from calibration.intrinsics.reprojection import BoardPoses, Lens, Points, reprojection_jacobian, reprojection_residuals
from calibration.setup.page_detection import PageView
from calibration.setup.pages import WIDTH_MM
from calibration.setup.picture_spread import widen_covariance

_STEPS = 50
_STILL = 1e-9
_ROUNDS = 4
_BEND_SIGMA_MM = 1.0  # of the middle of a sheet above its ends: paper that was lain down flat
PAGE_VALUES = 5  # x, y, turn, bend along and across


@dataclass(frozen=True)
class Prior:
    """What is known of the lens before any picture: values (c,), and sigmas (c,); infinite where nothing is."""

    values: Floats
    sigmas: Floats
    aspect_sigma: float = 1e-3
    """Of fx / fy, which is 1 for square pixels."""
    lens_whitening: Floats | None = None
    """(c, c), of a lens that was solved before: in its place of the sigmas."""
    pages: Floats | None = None
    """(P, 5), of pages that were solved before and have not moved."""
    pages_whitening: Floats | None = None
    """(5P, 5P), of the same."""


@dataclass(frozen=True)
class JointState:
    """Lens, camera_from_table of each picture, and (P, 5) how each page lies: x, y mm, turn rad, bends mm."""

    lens: Lens
    poses: BoardPoses
    pages: Floats


@dataclass(frozen=True)
class JointSolution:
    """The best state, what is left of every corner, and the covariance of (lens, poses, pages but the first)."""

    state: JointState
    misses_px: tuple[Floats, ...]
    noise_px: Floats
    """Of each picture, per axis."""
    covariance: Floats
    cost: float
    """Of corners and priors, with the weights it ended with."""
    focal_changes: Floats
    """Relative, of each picture's focal length from that of all; zeros where it was taken as one."""

    def lens_covariance(self) -> Floats:
        size = len(self.state.lens.values)
        return self.covariance[:size, :size]

    def pages_covariance(self) -> Floats:
        """Of x, y, turn, bends of each page (5P, 5P); the first is what all others are measured from."""
        count = len(self.state.pages)
        out = np.zeros((PAGE_VALUES * count,) * 2)
        first = len(self.state.lens.values) + 6 * len(self.state.poses.rotations)
        out[3:, 3:] = self.covariance[first:, first:]
        return out


def place_points(points_mm: Floats, page: Floats) -> Floats:
    """Points of a page (N, 3) where they lie on the table, by x, y, turn and bends of the page."""
    x, y, turn, along, across = page
    c, s = np.cos(turn), np.sin(turn)
    u, v = points_mm[:, 0], points_mm[:, 1]
    rise = along * (1 - _share(u)) + across * (1 - _share(v))
    return np.stack([x + c * u - s * v, y + s * u + c * v, points_mm[:, 2] + rise], axis=1)


def _share(along_mm: Floats) -> Floats:
    """0 in the middle of a page, 1 at its ends, as a bent sheet rises."""
    return np.asarray((2 * along_mm / WIDTH_MM) ** 2)


def _page_jacobian(points_mm: Floats, page: Floats) -> Floats:
    """d place / d (x, y, turn, bends), (N, 3, 5)."""
    c, s = np.cos(page[2]), np.sin(page[2])
    u, v = points_mm[:, 0], points_mm[:, 1]
    out = np.zeros((len(points_mm), 3, PAGE_VALUES))
    out[:, 0, 0] = out[:, 1, 1] = 1
    out[:, 0, 2], out[:, 1, 2] = -s * u - c * v, c * u - s * v
    out[:, 2, 3], out[:, 2, 4] = 1 - _share(u), 1 - _share(v)
    return out


@dataclass(frozen=True)
class _Problem:
    """All corners of all pictures, in the order of the pictures."""

    views: tuple[PageView, ...]
    owner: NDArray[np.int64]
    page: NDArray[np.int64]
    points_mm: Floats
    seen_px: Floats
    prior: Prior
    breathing: float
    """How much, relative, the focal length differs from picture to picture (one sigma); 0: not at all."""

    @classmethod
    def of(cls, views: Sequence[PageView], prior: Prior, breathing: float) -> "_Problem":
        ordered = tuple(sorted(views, key=lambda one: (one.picture, one.page)))
        counts = [len(one.points_mm) for one in ordered]
        return cls(
            ordered,
            np.repeat([one.picture for one in ordered], counts),
            np.repeat([one.page for one in ordered], counts),
            np.concatenate([one.points_mm for one in ordered]),
            np.concatenate([one.seen_px for one in ordered]),
            prior,
            breathing,
        )

    def points(self, state: JointState) -> Points:
        placed = np.empty_like(self.points_mm)
        for number in np.unique(self.page):
            of_page = self.page == number
            placed[of_page] = place_points(self.points_mm[of_page], state.pages[number])
        starts = np.searchsorted(self.owner, np.arange(len(state.poses.rotations) + 1))
        return Points(placed, self.seen_px, self.owner, starts)

    def residuals(self, state: JointState) -> Floats:
        return reprojection_residuals(self.points(state), state.lens, state.poses)

    def cost(self, state: JointState, weights: Floats) -> float:
        with np.errstate(all="ignore"):
            off = self.residuals(state)
            value = float(weights @ np.sum(off**2, axis=1)) + self._prior_cost(state)
            if self.breathing and np.isfinite(value):
                changes, stiffness = self._refocus(state, off, weights)
                value -= float(np.sum(changes**2 * stiffness))
        return value if np.isfinite(value) else np.inf

    def refocused(self, state: JointState, weights: Floats) -> tuple[Floats, Floats]:
        """What is left of each corner (N, 2) px once each picture has its own focal length, and the changes (K,)."""
        off = self.residuals(state)
        if not self.breathing:
            return off, np.zeros(len(state.poses.rotations))
        changes, _ = self._refocus(state, off, weights)
        return off - self._by_focal(state, off) * changes[self.owner, None], changes

    def _refocus(self, state: JointState, off: Floats, weights: Floats) -> tuple[Floats, Floats]:
        """The likeliest change of each picture's focal length (K,), and the curvature of its cost (K,)."""
        by_focal, count = self._by_focal(state, off), len(state.poses.rotations)
        pull = np.bincount(self.owner, weights * np.sum(by_focal * off, axis=1), minlength=count).astype(np.float64)
        square = np.bincount(self.owner, weights * np.sum(by_focal**2, axis=1), minlength=count)
        stiffness = np.asarray(square + 1 / self.breathing**2, np.float64)
        return pull / stiffness, stiffness

    def _by_focal(self, state: JointState, off: Floats) -> Floats:
        """d a corner's place / d the logarithm of the focal length (N, 2): its distance from the middle."""
        return np.asarray(self.seen_px - off - state.lens.values[2:4])

    def _prior_cost(self, state: JointState) -> float:
        return float(np.sum(self._prior_terms(state)[1] ** 2))

    def _prior_terms(self, state: JointState) -> tuple[Floats, Floats]:
        """Rows of d prior / d all values, and how far off each is, in sigmas."""
        lens, pages = state.lens.values, state.pages
        size = len(lens) + 6 * len(state.poses.rotations) + PAGE_VALUES * len(pages)
        bends = len(lens) + 6 * len(state.poses.rotations)
        rows, off = [], []
        for first, block in ((0, self._lens_block(lens)), (bends, self._pages_block(pages))):
            for row, miss in zip(*block, strict=True):
                rows.append(_padded(row, first, size))
                off.append(float(miss))
        aspect = np.zeros(size)
        aspect[0], aspect[1] = 1 / lens[1], -lens[0] / lens[1] ** 2
        rows.append(aspect / self.prior.aspect_sigma)
        off.append((lens[0] / lens[1] - 1) / self.prior.aspect_sigma)
        for number in range(len(pages)):
            for bend in (3, 4):
                rows.append(_unit(size, bends + PAGE_VALUES * number + bend, 1 / _BEND_SIGMA_MM))
                off.append(pages[number, bend] / _BEND_SIGMA_MM)
        return np.array(rows), np.array(off)

    def _lens_block(self, lens: Floats) -> tuple[Floats, Floats]:
        """Rows over the lens's values, and how far off each is."""
        known = np.isfinite(self.prior.sigmas)
        whitening = np.diag(1 / self.prior.sigmas)[known]
        if self.prior.lens_whitening is not None:
            whitening = self.prior.lens_whitening
        return whitening, whitening @ (lens - self.prior.values)

    def _pages_block(self, pages: Floats) -> tuple[Floats, Floats]:
        """Rows over the pages' values; none where nothing is known of them."""
        if self.prior.pages is None or self.prior.pages_whitening is None:
            return np.zeros((0, pages.size)), np.zeros(0)
        return self.prior.pages_whitening, self.prior.pages_whitening @ np.ravel(pages - self.prior.pages)

    def normal(self, state: JointState, weights: Floats) -> tuple[Floats, Floats]:
        """The normal matrix and right side over all values, of which some are fixed."""
        parts = self.picture_normals(state, weights)
        rows, off = self._prior_terms(state)
        matrix = np.sum([part for part, _ in parts], axis=0) + rows.T @ rows
        return matrix, np.sum([right for _, right in parts], axis=0) - rows.T @ off

    def picture_normals(self, state: JointState, weights: Floats) -> list[tuple[Floats, Floats]]:
        """The same of each picture's corners alone, without priors."""
        flat, off = self._jacobian(state).reshape(len(self.owner), 2, -1), self.residuals(state)
        changes, stiffness, by_focal = np.zeros(len(state.poses.rotations)), None, None
        if self.breathing:  # each picture's own focal length is solved for and eliminated (Schur complement)
            changes, stiffness = self._refocus(state, off, weights)
            by_focal = self._by_focal(state, off)
        parts = []
        for picture in range(len(changes)):
            here = self.owner == picture
            rows = flat[here].reshape(-1, flat.shape[2])
            heavy = rows * np.repeat(weights[here], 2)[:, None]
            matrix, right = heavy.T @ rows, heavy.T @ off[here].reshape(-1)
            if by_focal is not None and stiffness is not None:
                coupling = heavy.T @ by_focal[here].reshape(-1)
                matrix = matrix - np.outer(coupling, coupling) / stiffness[picture]
                right = right - coupling * changes[picture]
            parts.append((matrix, right))
        return parts

    def _jacobian(self, state: JointState) -> Floats:
        """d residual / d all values (N, 2, P)."""
        points = self.points(state)
        by_lens, by_pose = reprojection_jacobian(points, state.lens, state.poses)
        lenses, poses = len(state.lens.values), len(state.poses.rotations)
        jacobian = np.zeros((len(points.owner), 2, lenses + 6 * poses + PAGE_VALUES * len(state.pages)))
        jacobian[:, :, :lenses] = by_lens
        by_place = by_pose[:, :, 3:] @ state.poses.rotations[points.owner]
        rows = np.arange(len(points.owner))
        for k in range(6):
            jacobian[rows, :, lenses + 6 * self.owner + k] = by_pose[:, :, k]
        for number in np.unique(self.page):
            of_page = np.flatnonzero(self.page == number)
            first = lenses + 6 * poses + PAGE_VALUES * number
            by_page = by_place[of_page] @ _page_jacobian(self.points_mm[of_page], state.pages[number])
            jacobian[of_page, :, first : first + PAGE_VALUES] = by_page
        return jacobian

    def free(self, state: JointState) -> NDArray[np.bool_]:
        """What is solved for: the lens's free values, all poses, and all pages in sight but where the first lies."""
        pages = np.ones(PAGE_VALUES * len(state.pages), bool)
        if self.prior.pages is None:
            pages[:3] = False
            for number in set(range(len(state.pages))) - set(map(int, np.unique(self.page))):
                pages[PAGE_VALUES * number : PAGE_VALUES * number + 3] = False
        return np.concatenate([state.lens.free, np.ones(6 * len(state.poses.rotations), bool), pages])


def _padded(part: Floats, first: int, size: int) -> Floats:
    row = np.zeros(size)
    row[first : first + len(part)] = part
    return row


def _unit(size: int, place: int, value: float) -> Floats:
    row = np.zeros(size)
    row[place] = value
    return row


def adjust_jointly(
    views: Sequence[PageView], start: JointState, prior: Prior, *, breathing: float = 0.0
) -> JointSolution | None:
    """The best state from this first guess; None when the descent does not converge.

    `breathing`: how much, relative and one sigma, the focal length may differ from picture to picture.
    """
    problem = _Problem.of(views, prior, breathing)
    state, weights = start, np.ones(len(problem.owner))
    for _ in range(_ROUNDS):
        state = _descend(problem, state, weights)
        off, changes = problem.refocused(state, weights)
        misses = problem.points(state).split(off)
        if not all(len(off) and np.all(np.isfinite(off)) for off in misses):
            return None
        trust, noise = weigh_points(misses)
        weights = np.concatenate(trust) / noise[problem.owner] ** 2
    cost = problem.cost(state, weights)
    return JointSolution(state, tuple(misses), noise, _covariance(problem, state, weights), cost, changes)


def _descend(problem: _Problem, state: JointState, weights: Floats) -> JointState:
    """Levenberg-Marquardt. A step too far costs infinitely much and is not taken."""
    damping, cost, free = 1e-4, problem.cost(state, weights), problem.free(state)
    for _ in range(_STEPS):
        matrix, right = problem.normal(state, weights)
        matrix, right = matrix[np.ix_(free, free)], right[free]
        while damping < 1e10:
            step = np.zeros(len(free))
            step[free] = np.linalg.solve(matrix + damping * np.diag(np.diag(matrix) + 1e-12), right)
            then = apply_step(state, step)
            after = problem.cost(then, weights)
            if after < cost:
                break
            damping *= 10
        else:
            return state
        gain, state, cost, damping = cost - after, then, after, max(damping / 10, 1e-12)
        if gain < _STILL * cost:
            return state
    return state


def apply_step(state: JointState, step: Floats) -> JointState:
    """The state after a change of all its values: lens, poses, pages."""
    lenses, poses = len(state.lens.values), len(state.poses.rotations)
    lens = replace(state.lens, values=state.lens.values + step[:lenses])
    moved = state.poses.with_changes(step[lenses : lenses + 6 * poses].reshape(-1, 6))
    return JointState(lens, moved, state.pages + step[lenses + 6 * poses :].reshape(-1, PAGE_VALUES))


def _covariance(problem: _Problem, state: JointState, weights: Floats) -> Floats:
    """Of (lens, poses, pages but where the first lies), from the curvature; 0 for what is fixed.

    Corners of one picture are off together where paper is not flat or an edge is sharpened: then pictures disagree by
    more than their corners' noise allows, and all of it is known less surely.
    """
    matrix, _ = problem.normal(state, weights)
    free = np.flatnonzero(problem.free(state))
    part = matrix[np.ix_(free, free)]
    scale = np.sqrt(np.diag(part))
    inverse = np.linalg.pinv(part / np.outer(scale, scale), rcond=1e-13) / np.outer(scale, scale)
    parts = problem.picture_normals(state, weights)
    out = np.zeros_like(matrix)
    out[np.ix_(free, free)] = widen_covariance(inverse, parts, free, first_pose=len(state.lens.values))
    keep = np.ones(len(matrix), bool)
    first = len(state.lens.values) + 6 * len(state.poses.rotations)
    keep[first : first + 3] = False
    return np.asarray(out[np.ix_(keep, keep)])
