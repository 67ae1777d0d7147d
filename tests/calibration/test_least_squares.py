"""The least-squares core: what is eliminated changes nothing, what is fixed stays, and outliers count little."""

from dataclasses import dataclass

import numpy as np
import pytest

from calibration.arrays import Floats
from calibration.least_squares import NormalEquations, ResidualBlock, fit_robustly, minimise

RANDOM = np.random.default_rng(11)
SHARED, GROUPS, OWN = 3, 4, 2
SIZE = SHARED + GROUPS * OWN


def _grouped_blocks() -> list[ResidualBlock]:
    """Each ties the shared unknowns to those of one group."""
    columns = [np.concatenate([np.arange(SHARED), SHARED + OWN * k + np.arange(OWN)]) for k in range(GROUPS)]
    return [
        ResidualBlock(RANDOM.normal(size=9), RANDOM.normal(size=(9, SHARED + OWN)), some, RANDOM.uniform(1, 2, 9))
        for some in columns
    ]


@pytest.mark.parametrize("damping", [0.0, 0.1])
def test_groups_that_are_eliminated_move_as_in_the_whole_system(damping: float) -> None:
    blocks = _grouped_blocks()
    free = np.ones(SIZE, np.bool_)
    free[1] = False
    sparse = NormalEquations.of(blocks, SIZE, free=free, groups=(SHARED, OWN)).step(damping)
    dense = NormalEquations.of(blocks, SIZE, free=free).step(damping)

    assert sparse == pytest.approx(dense)
    assert sparse[1] == 0


def test_unknowns_of_one_block_are_solved_for_without_standing_in_the_equations() -> None:
    off, slopes, own, precision = RANDOM.normal(size=8), RANDOM.normal(size=(8, 3)), RANDOM.normal(size=(8, 2)), 0.7
    block = ResidualBlock(off, slopes, own=own, own_precision=[precision] * 2)
    whole = NormalEquations.of([ResidualBlock(off, np.concatenate([slopes, own], axis=1))], 5)
    whole = whole.with_prior(np.diag([0.0] * 3 + [precision] * 2))
    change = NormalEquations.of([block], 3).step()

    assert change == pytest.approx(whole.step()[:3])
    assert block.own_change(change) == pytest.approx(whole.step()[3:])
    assert NormalEquations.of([block], 3).covariance() == pytest.approx(whole.covariance()[:3, :3])
    assert ResidualBlock(off, slopes[:, :0]).cost == pytest.approx(float(off @ off))


@dataclass(frozen=True)
class _Circle:
    """A circle (x, y, radius) through points, and a line that it touches: residuals of two kinds."""

    points: Floats
    floor: float

    def _blocks(self, state: Floats) -> list[ResidualBlock]:
        arms = self.points - state[:2]
        away = np.linalg.norm(arms, axis=1)
        on_rim = ResidualBlock(away - state[2], np.column_stack([arms / away[:, None], np.ones(len(away))]))
        touching = ResidualBlock(
            np.array([self.floor - (state[1] - state[2])]), np.array([[1.0, -1.0]]), np.array([1, 2]), np.array([100.0])
        )
        return [on_rim, touching]

    def cost(self, state: Floats) -> float:
        return sum(block.cost for block in self._blocks(state))

    def equations(self, state: Floats) -> NormalEquations:
        return NormalEquations.of(self._blocks(state), 3)

    def moved(self, state: Floats, step: Floats) -> Floats:
        return np.asarray(state + step)


def test_residuals_of_two_kinds_are_descended_together() -> None:
    angles = np.linspace(0, 2, 12)
    points = np.column_stack([4 + 3 * np.cos(angles), 5 + 3 * np.sin(angles)])

    assert minimise(_Circle(points, floor=2.0), np.array([0.0, 0.0, 1.0])) == pytest.approx([4, 5, 3])


def test_outliers_of_a_line_count_hardly_anything() -> None:
    along = np.linspace(0, 1, 40)
    off = 1 + 2 * along + RANDOM.normal(0, 0.01, 40)
    off[::8] += 5
    slopes = np.column_stack([np.ones(40), along])
    trust, noise = fit_robustly(off, slopes, ridge=np.full(2, 1e-9), least_noise=1e-3, rounds=8)

    assert trust[::8].max() < 1e-6
    assert noise == pytest.approx(0.01, rel=0.5)
