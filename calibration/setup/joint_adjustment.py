"""Joint bundle adjustment: lens, pictures' poses and how the pages lie, by robust least squares over all corners.

Pages lie on one plane, the first at the origin; a page may be bent a little, and lies at its own place and turn. Weak
priors (a phone's focal length, square pixels, a middle near the picture's, usual distortion, flat paper) hold what the
pictures do not tell, and the covariance says what that is.

Cluster-robust covariance: what pictures disagree by about lens and pages, beside what their corners' noise allows.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, Mask
from calibration.intrinsics.reprojection import BoardPoses, Lens, Points, reprojection_jacobian, reprojection_residuals
from calibration.least_squares import NormalEquations, ResidualBlock, minimise_robustly
from calibration.setup.pages import WIDTH_MM, PageView

_STEPS, _ROUNDS = 50, 4
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
class _PageProblem:
    """All corners of all pictures, in the order of the pictures, and their weights (N,).

    Unknown are the lens's values, six of each picture's pose, and five of each page.
    """

    owner: NDArray[np.int64]
    page: NDArray[np.int64]
    points_mm: Floats
    seen_px: Floats
    weights: Floats
    prior: Prior
    breathing: float
    """How much, relative, the focal length differs from picture to picture (one sigma); 0: not at all."""

    @classmethod
    def of(cls, views: Sequence[PageView], prior: Prior, breathing: float) -> "_PageProblem":
        ordered = sorted(views, key=lambda view: (view.picture, view.page))
        counts = [len(view.points_mm) for view in ordered]
        return cls(
            np.repeat([view.picture for view in ordered], counts),
            np.repeat([view.page for view in ordered], counts),
            np.concatenate([view.points_mm for view in ordered]),
            np.concatenate([view.seen_px for view in ordered]),
            np.ones(sum(counts)),
            prior,
            breathing,
        )

    def weighted(self, weights: Floats) -> "_PageProblem":
        return replace(self, weights=weights)

    def misses(self, state: JointState) -> list[Floats]:
        """What is left of each picture's corners once it has its own focal length."""
        left = []
        for block in self.picture_blocks(state):
            own = 0.0 if block.own is None else block.own @ block.own_change()
            left.append((block.residuals - own).reshape(-1, 2))
        return left

    def focal_changes(self, state: JointState) -> Floats:
        """The likeliest relative change of each picture's focal length (K,)."""
        if not self.breathing:
            return np.zeros(len(state.poses.rotations))
        return np.concatenate([block.own_change() for block in self.picture_blocks(state)])

    def cost(self, state: JointState) -> float:
        return sum(block.cost for block in (*self.picture_blocks(state), self._prior_block(state)))

    def moved(self, state: JointState, step: Floats) -> JointState:
        lenses, poses = len(state.lens.values), len(state.poses.rotations)
        lens = replace(state.lens, values=state.lens.values + step[:lenses])
        turned = state.poses.with_changes(step[lenses : lenses + 6 * poses].reshape(-1, 6))
        return JointState(lens, turned, state.pages + step[lenses + 6 * poses :].reshape(-1, PAGE_VALUES))

    def equations(self, state: JointState) -> NormalEquations:
        blocks = (*self.picture_blocks(state, self.slopes(state)), self._prior_block(state))
        return NormalEquations.of(blocks, _size(state), free=self._free(state))

    def picture_blocks(self, state: JointState, slopes: Floats | None = None) -> list[ResidualBlock]:
        """Each picture's corners, without priors; its own focal length is its own unknown.

        Without `slopes` (N, 2, lens, pose and pages) a block tells what is left of them alone.
        """
        points = self._points(state)
        off = reprojection_residuals(points, state.lens, state.poses)
        lenses, poses = len(state.lens.values), len(state.poses.rotations)
        pages = lenses + 6 * poses + np.arange(PAGE_VALUES * len(state.pages))
        by_all = np.zeros((len(off), 2, 0)) if slopes is None else slopes
        by_focal = self.seen_px - off - state.lens.values[2:4]  # a place's distance from the middle
        blocks = []
        for k in range(poses):
            here = slice(points.starts[k], points.starts[k + 1])
            columns = np.concatenate([np.arange(lenses), lenses + 6 * k + np.arange(6), pages])
            blocks.append(
                ResidualBlock(
                    off[here].ravel(),
                    by_all[here].reshape(2 * len(off[here]), -1),
                    columns,
                    np.repeat(self.weights[here], 2),
                    own=by_focal[here].reshape(-1, 1) if self.breathing else None,
                    own_precision=[1 / self.breathing**2] if self.breathing else (),
                )
            )
        return blocks

    def _points(self, state: JointState) -> Points:
        placed = np.empty_like(self.points_mm)
        for number in np.unique(self.page):
            of_page = self.page == number
            placed[of_page] = place_points(self.points_mm[of_page], state.pages[number])
        starts = np.searchsorted(self.owner, np.arange(len(state.poses.rotations) + 1))
        return Points(placed, self.seen_px, self.owner, starts)

    def slopes(self, state: JointState) -> Floats:
        """d px / d (lens, the picture's own pose, all pages), (N, 2, ...)."""
        by_lens, by_pose = reprojection_jacobian(self._points(state), state.lens, state.poses)
        by_place = by_pose[:, :, 3:] @ state.poses.rotations[self.owner]
        by_pages = np.zeros((len(self.owner), 2, PAGE_VALUES * len(state.pages)))
        for number in np.unique(self.page):
            of_page = self.page == number
            slopes = _page_jacobian(self.points_mm[of_page], state.pages[number])
            by_pages[of_page, :, PAGE_VALUES * number : PAGE_VALUES * (number + 1)] = by_place[of_page] @ slopes
        return np.concatenate([by_lens, by_pose, by_pages], axis=2)

    def _prior_block(self, state: JointState) -> ResidualBlock:
        """How far off what is known beforehand is, in sigmas."""
        lens, pages = state.lens.values, state.pages
        bends = np.arange(pages.size).reshape(pages.shape)[:, 3:].ravel()
        of_lens = lens_prior_block(self.prior, lens)
        of_pages = [(np.eye(pages.size)[bends] / _BEND_SIGMA_MM, pages[:, 3:].ravel() / _BEND_SIGMA_MM)]
        if self.prior.pages is not None and self.prior.pages_whitening is not None:
            whitening = self.prior.pages_whitening
            of_pages.append((whitening, whitening @ np.ravel(pages - self.prior.pages)))
        rows = np.concatenate([row for row, _ in of_pages])
        slopes = np.zeros((len(of_lens.residuals) + len(rows), _size(state)))
        slopes[: len(of_lens.residuals), : len(lens)] = of_lens.slopes
        slopes[len(of_lens.residuals) :, -pages.size :] = rows
        return ResidualBlock(np.concatenate([of_lens.residuals, *(-off for _, off in of_pages)]), slopes)

    def _free(self, state: JointState) -> Mask:
        """What is solved for: the lens's free values, all poses, and all pages in sight but where the first lies."""
        pages = np.ones((len(state.pages), PAGE_VALUES), np.bool_)
        if self.prior.pages is None:
            pages[list({0} | set(range(len(pages))) - set(map(int, np.unique(self.page)))), :3] = False
        return np.concatenate([state.lens.free, np.ones(6 * len(state.poses.rotations), np.bool_), pages.ravel()])


def _size(state: JointState) -> int:
    return len(state.lens.values) + 6 * len(state.poses.rotations) + state.pages.size


def lens_prior_block(prior: Prior, lens: Floats) -> ResidualBlock:
    """How far the lens's values are from what is known of them beforehand, in sigmas, and fx / fy from one."""
    known = np.isfinite(prior.sigmas)
    whitening = np.diag(1 / prior.sigmas)[known] if prior.lens_whitening is None else prior.lens_whitening
    aspect = np.zeros((1, len(lens)))
    aspect[0, :2] = np.array([1, -lens[0] / lens[1]]) / lens[1] / prior.aspect_sigma
    off = np.append(whitening @ (lens - prior.values), (lens[0] / lens[1] - 1) / prior.aspect_sigma)
    return ResidualBlock(-off, np.concatenate([whitening, aspect]), slice(0, len(lens)))


def adjust_jointly(
    views: Sequence[PageView], start: JointState, prior: Prior, *, breathing: float = 0.0
) -> JointSolution | None:
    """The best state from this first guess; None when the descent does not converge.

    `breathing`: how much, relative and one sigma, the focal length may differ from picture to picture.
    """
    problem = _PageProblem.of(views, prior, breathing)
    minimum = minimise_robustly(problem, start, rounds=_ROUNDS, steps=_STEPS)
    if minimum is None:
        return None
    weighed = problem.weighted(minimum.weights)
    return JointSolution(
        minimum.state,
        minimum.misses_px,
        minimum.noise_px,
        _covariance(weighed, minimum.state),
        weighed.cost(minimum.state),
        problem.weighted(minimum.fitted_weights).focal_changes(minimum.state),
    )


def _covariance(problem: _PageProblem, state: JointState) -> Floats:
    """Of (lens, poses, pages but where the first lies), from the curvature; 0 for what is fixed.

    Corners of one picture are off together where paper is not flat or an edge is sharpened: then pictures disagree by
    more than their corners' noise allows, and all of it is known less surely.
    """
    equations, lenses = problem.equations(state), len(state.lens.values)
    free = np.flatnonzero(equations.free)
    pictures = problem.picture_blocks(state, problem.slopes(state))
    parts = [NormalEquations.of([picture], _size(state)) for picture in pictures]
    covariance = equations.covariance()
    covariance[np.ix_(free, free)] = widen_covariance(
        covariance[np.ix_(free, free)], [(part.matrix, part.right) for part in parts], free, first_pose=lenses
    )
    first_page = lenses + 6 * len(state.poses.rotations)
    keep = np.delete(np.arange(len(covariance)), slice(first_page, first_page + 3))
    return np.asarray(covariance[np.ix_(keep, keep)])


_SHARE = (
    0.5  # of what pictures disagree by in each direction; the rest is one factor for all, which is told more surely
)
_SURE = 2.0  # degrees of freedom: so much is that factor drawn towards 1
_WHOLE = 0.98  # share of a direction from which a picture alone tells it, and nothing contradicts it
_CUT = 1e-13


def widen_covariance(
    covariance: Floats, parts: Sequence[tuple[Floats, Floats]], free: NDArray[np.int64], *, first_pose: int
) -> Floats:
    """The covariance (F, F) of the free values, as pictures disagree; as it was where they do so by chance only.

    `parts`: normal matrix and right side of each picture; the poses, six values of each, begin at `first_pose`.
    """
    poses = range(first_pose, first_pose + 6 * len(parts))
    place = np.flatnonzero([k not in poses for k in free])
    pulls = [_reduce(*part, free[place], np.arange(6) + first_pose + 6 * k) for k, part in enumerate(parts)]
    root = _root(covariance[np.ix_(place, place)])
    shares = [root.T @ curvature @ root for curvature, _ in pulls]
    scores = [root.T @ score for _, score in pulls]
    excess = _excess(shares, scores)
    spread = excess * (1 - _SHARE) * np.eye(root.shape[1]) + _SHARE * _spread(shares, scores)
    by_common = covariance[:, place] @ np.linalg.pinv(root).T  # (F, c): how all values follow the common ones
    wider = excess * covariance + by_common @ (spread - excess * np.eye(len(spread))) @ by_common.T
    return np.asarray((wider + wider.T) / 2)


def _reduce(matrix: Floats, right: Floats, common: NDArray[np.int64], pose: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """What a picture says of the common values once its pose follows them (Schur complement)."""
    across = matrix[np.ix_(common, pose)] @ np.linalg.pinv(matrix[np.ix_(pose, pose)], rcond=_CUT, hermitian=True)
    curvature = matrix[np.ix_(common, common)] - across @ matrix[np.ix_(pose, common)]
    return curvature, right[common] - across @ right[pose]


def _root(covariance: Floats) -> Floats:
    """A matrix whose product with its transpose is the covariance."""
    scale = np.sqrt(np.diag(covariance))
    values, vectors = np.linalg.eigh(covariance / np.outer(scale, scale))
    kept = values > _CUT * values[-1]
    return np.asarray(scale[:, None] * vectors[:, kept] * np.sqrt(values[kept]))


def _excess(shares: Sequence[Floats], scores: Sequence[Floats]) -> float:
    """One factor for all values, at least 1: the size of all pulls over that which noise gives them."""
    measured = sum(float(score @ score) for score in scores)
    expected = sum(float(np.trace(share - share @ share)) for share in shares)
    return max(1.0, (measured + _SURE) / (expected + _SURE))


def _spread(shares: Sequence[Floats], scores: Sequence[Floats]) -> Floats:
    """The covariance in units of the stated one: on average the unit matrix where pictures disagree by noise alone."""
    out = np.eye(len(shares[0])) - np.sum(shares, axis=0)  # what priors say
    for share, score in zip(shares, scores, strict=True):
        values, vectors = np.linalg.eigh(share)
        shared = values < _WHOLE
        pull = vectors[:, shared] @ ((vectors[:, shared].T @ score) / np.sqrt(1 - np.clip(values[shared], 0, None)))
        alone = vectors[:, ~shared]
        out += np.outer(pull, pull) + alone @ np.diag(values[~shared]) @ alone.T
    return np.asarray(out)
