"""Least squares: Levenberg-Marquardt over residual blocks, robust weights, and the covariance of the unknowns.

Each solver of this package hands over residual blocks: how far points, lines or edges are from where they should be
seen, and, in sigmas, how far unknowns are from what is known beforehand. A block touches a few of the unknowns. Those
that it alone has are eliminated as it is added, those of independent groups (the pose of each picture) as the equations
are solved. Sources: Triggs, McLauchlan, Hartley and Fitzgibbon, "Bundle adjustment: a modern synthesis", 2000; Madsen,
Nielsen and Tingleff, "Methods for non-linear least squares problems", 2004.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Generic, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.arrays import Floats, Mask

State = TypeVar("State")

TUKEY_SIGMAS = 4.685  # where the biweight ends that is 95 % efficient on Gaussian noise
_OUTLIER_SIGMAS = 6.0  # the same for the length of a two-dimensional residual
_LEAST_WEIGHT = 1e-9
_LEAST_NOISE_PX = 0.01
_PRIOR_POINTS = 30.0  # how many points' worth all groups say of one group's noise
_MOST_DAMPING = 1e10
_LEAST_CURVATURE = 1e-12
_RANK_TOLERANCE = 1e-13


@dataclass(frozen=True)
class ResidualBlock:
    """Residuals (n,), seen less predicted; `slopes` (n, k) is d predicted / d the unknowns of `columns`, or of all.

    `weights` (n,) are 1 / sigma^2, 1 where left out. `own` (n, m) is d predicted / d unknowns that no other block has,
    `own_precision` (m,) what is known of them: 1 / sigma^2 about zero.
    """

    residuals: Floats
    slopes: Floats
    columns: NDArray[np.int64] | slice | None = None
    weights: Floats | None = None
    own: Floats | None = None
    own_precision: ArrayLike = ()

    @property
    def normal(self) -> tuple[Floats, Floats]:
        """Normal matrix (k, k) and right side (k,), the own unknowns eliminated (Schur complement)."""
        matrix, right = self.slopes.T @ self._weighted(self.slopes), self.slopes.T @ self._weighted(self.residuals)
        if self.own is not None:
            tie = self._own_weighted.T @ self.slopes
            matrix, right = matrix - tie.T @ self._own_inverse @ tie, right - tie.T @ self.own_change()
        return np.asarray(matrix), np.asarray(right)

    @property
    def cost(self) -> float:
        """Weighted sum of squares that the own unknowns leave at best."""
        whole = float(self._weighted(self.residuals) @ self.residuals)
        return whole if self.own is None else whole - float(self._own_right @ self.own_change())

    def own_change(self, change: Floats | None = None) -> Floats:
        """The likeliest own unknowns (m,) after this change of all others."""
        right = self._own_right
        if change is not None:
            right = right - self._own_weighted.T @ self.slopes @ (
                change if self.columns is None else change[self.columns]
            )
        return np.asarray(self._own_inverse @ right)

    @cached_property
    def _own_weighted(self) -> Floats:
        return np.zeros((len(self.residuals), 0)) if self.own is None else self._weighted(self.own)

    @cached_property
    def _own_inverse(self) -> Floats:
        own = np.zeros((len(self.residuals), 0)) if self.own is None else self.own
        return np.asarray(np.linalg.inv(self._own_weighted.T @ own + np.diag(np.asarray(self.own_precision))))

    @cached_property
    def _own_right(self) -> Floats:
        return np.asarray(self._own_weighted.T @ self.residuals)

    def _weighted(self, values: Floats) -> Floats:
        if self.weights is None:
            return values
        return np.asarray(values * (self.weights if values.ndim == 1 else self.weights[:, None]))


@dataclass(frozen=True)
class NormalEquations:
    """Normal equations of all unknowns; those that are not `free` stay as they are.

    `groups`: from that column on the unknowns stand in independent groups of that size, which no block ties together.
    """

    matrix: Floats
    right: Floats
    free: Mask
    groups: tuple[int, int] | None = None

    @classmethod
    def of(
        cls,
        blocks: Iterable[ResidualBlock],
        size: int,
        *,
        free: Mask | None = None,
        groups: tuple[int, int] | None = None,
    ) -> Self:
        matrix, right, every = np.zeros((size, size)), np.zeros(size), np.arange(size)
        for block in blocks:
            part, pull = block.normal
            columns = every if block.columns is None else every[block.columns]
            matrix[np.ix_(columns, columns)] += part
            right[columns] += pull
        return cls(matrix, right, np.ones(size, np.bool_) if free is None else free, groups)

    def with_prior(self, precision: Floats) -> "NormalEquations":
        """The same where the unknowns are known beforehand to be zero, with this inverse covariance."""
        return replace(self, matrix=self.matrix + precision)

    def step(self, damping: float = 0.0) -> Floats:
        """The change of all unknowns; 0 where they are not free."""
        matrix, right, groups = self._free_part()
        if damping:
            matrix = matrix + damping * np.diag(np.diag(matrix) + _LEAST_CURVATURE)
        change = np.zeros(len(self.right))
        change[self.free] = np.linalg.solve(matrix, right) if groups is None else _solve_arrow(matrix, right, *groups)
        return change

    def covariance(self) -> Floats:
        """That of all unknowns, 0 where they are not free; of directions that nothing tells, 0 as well."""
        out = np.zeros_like(self.matrix)
        out[np.ix_(self.free, self.free)] = scaled_inverse(self.matrix[np.ix_(self.free, self.free)])
        return out

    def _free_part(self) -> tuple[Floats, Floats, tuple[int, int] | None]:
        groups = self.groups and (int(np.count_nonzero(self.free[: self.groups[0]])), self.groups[1])
        return self.matrix[np.ix_(self.free, self.free)], self.right[self.free], groups


def _solve_arrow(matrix: Floats, right: Floats, first: int, size: int) -> Floats:
    """Solve for the shared unknowns once each group has followed them (Schur complement), then for the groups."""
    count = (len(matrix) - first) // size
    each, tie = np.arange(count), matrix[first:, :first].reshape(count, size, first)
    own = matrix[first:, first:].reshape(count, size, count, size)[each, :, each, :]
    through = np.linalg.solve(own, np.concatenate([tie, right[first:].reshape(count, size, 1)], axis=2))
    by_shared, alone = through[:, :, :first], through[:, :, first]
    left = matrix[:first, :first] - np.einsum("vij,vik->jk", tie, by_shared)
    change = np.linalg.solve(left, right[:first] - np.einsum("vij,vi->j", tie, alone))
    return np.concatenate([change, (alone - by_shared @ change).ravel()])


def scaled_inverse(matrix: Floats) -> Floats:
    """Pseudo-inverse of a matrix of curvatures whose unknowns may differ a million times in size."""
    scale = np.sqrt(np.diag(matrix))
    shares = np.outer(scale, scale)
    return np.asarray(np.linalg.pinv(matrix / shares, rcond=_RANK_TOLERANCE) / shares)


class Problem(Protocol[State]):
    """Problem of least squares: what a state costs, its normal equations, and the state after a step."""

    def cost(self, state: State) -> float: ...

    def equations(self, state: State) -> NormalEquations: ...

    def moved(self, state: State, step: Floats) -> State: ...


def minimise(
    problem: Problem[State],
    state: State,
    *,
    damping: float = 1e-4,
    least_damping: float = 1e-12,
    steps: int = 60,
    still: float = 1e-9,
) -> State:
    """Levenberg-Marquardt: the state of least cost near this one, once a step gains less than `still` of the cost.

    A step too far may overflow: it costs infinitely much and is not taken.
    """
    with np.errstate(all="ignore"):
        cost = _finite_cost(problem, state)
        for _ in range(steps):
            equations = problem.equations(state)
            while damping < _MOST_DAMPING:
                candidate = problem.moved(state, equations.step(damping))
                after = _finite_cost(problem, candidate)
                if after < cost:
                    break
                damping *= 10
            else:
                return state
            gain, state, cost, damping = cost - after, candidate, after, max(damping / 10, least_damping)
            if gain < still * cost:
                return state
    return state


def _finite_cost(problem: Problem[State], state: State) -> float:
    cost = problem.cost(state)
    return cost if np.isfinite(cost) else np.inf


class GroupedProblem(Problem[State], Protocol[State]):
    """Problem whose points come in groups, such as pictures, each with a noise of its own."""

    @property
    def weights(self) -> Floats: ...

    def weighted(self, weights: Floats) -> "GroupedProblem[State]":
        """The same with these weights (N,) of all points."""

    def misses(self, state: State) -> Sequence[Floats]:
        """What is left of each group's points, (n, 2) px."""


@dataclass(frozen=True)
class RobustMinimum(Generic[State]):
    """State of least robust cost; what is left of each group, trust 0..1 of each point, noise per axis of each group.

    `fitted_weights` (N,) are those that the state was fitted with, `weights` those that what is left gives.
    """

    state: State
    misses_px: tuple[Floats, ...]
    trust: tuple[Floats, ...]
    noise_px: Floats
    fitted_weights: Floats
    weights: Floats


def minimise_robustly(
    problem: GroupedProblem[State], state: State, *, rounds: int, steps: int = 60
) -> RobustMinimum[State] | None:
    """Minimise and weigh in turn (iteratively reweighted least squares); None when the descent does not converge."""
    minimum: RobustMinimum[State] | None = None
    for _ in range(rounds):
        fitted = problem if minimum is None else problem.weighted(minimum.weights)
        state = minimise(fitted, state, steps=steps)
        misses = fitted.misses(state)
        if not all(len(off) and np.all(np.isfinite(off)) for off in misses):
            return None
        trust, noise = weigh_points(misses)
        weights = np.concatenate([each / sigma**2 for each, sigma in zip(trust, noise, strict=True)])
        minimum = RobustMinimum(state, tuple(misses), tuple(trust), noise, fitted.weights, weights)
    return minimum


def weigh_points(misses: Sequence[Floats]) -> tuple[list[Floats], Floats]:
    """Trust of each point, and each group's noise per axis, drawn a little towards that of all groups."""
    common = _noise_sigma(np.concatenate(misses))
    trust, noise = [], []
    for off in misses:
        sigma = np.sqrt((len(off) * _noise_sigma(off) ** 2 + _PRIOR_POINTS * common**2) / (len(off) + _PRIOR_POINTS))
        trust.append(tukey(np.linalg.norm(off, axis=1) / sigma, cut=_OUTLIER_SIGMAS))
        noise.append(float(sigma))
    return trust, np.array(noise)


def _noise_sigma(off: Floats) -> float:
    """Sigma per axis, whatever a few bad points do: half of all points lie within 1.1774 sigma of the middle."""
    return max(float(np.median(np.linalg.norm(off, axis=1))) / 1.1774, _LEAST_NOISE_PX)


def tukey(ratio: Floats, *, cut: float = TUKEY_SIGMAS, least: float = _LEAST_WEIGHT) -> Floats:
    """Tukey's biweight of residuals in sigmas: 1 in the middle, hardly anything from `cut` on."""
    return np.where(np.abs(ratio) < cut, (1 - (ratio / cut) ** 2) ** 2, least)


def fit_robustly(
    off: Floats, slopes: Floats, *, ridge: Floats, least_noise: float, rounds: int
) -> tuple[Floats, float]:
    """Trust of each residual and their noise, once the unknowns of a linear model have explained what they can.

    `ridge` (k,) is added to the curvatures: a little, for unknowns that the residuals do not tell apart.
    """
    trust, noise = np.ones(len(off)), least_noise
    for _ in range(rounds):
        change = NormalEquations.of([ResidualBlock(off, slopes, weights=trust)], len(ridge)).with_prior(np.diag(ridge))
        left = off - slopes @ change.step()
        noise = max(1.4826 * float(np.median(np.abs(left))), least_noise)
        trust = tukey(left / noise)
    return trust, noise
