"""Pairs of least total cost, against all ways, counted."""

from itertools import permutations

import numpy as np
import pytest

from calibration.arrays import Floats
from vision.tracking.linear_assignment import linear_assignment


@pytest.mark.parametrize("rows", range(1, 6))
@pytest.mark.parametrize("columns", range(1, 6))
def test_no_other_pairing_is_cheaper(rows: int, columns: int) -> None:
    dice = np.random.default_rng(10 * rows + columns)
    for _ in range(30):
        cost = dice.integers(-50, 50, (rows, columns)).astype(np.float64)
        pairs = linear_assignment(cost)

        assert sum(cost[pair] for pair in pairs) == _cheapest(cost)


@pytest.mark.parametrize(("rows", "columns"), [(7, 4), (4, 7), (40, 40)])
def test_no_row_and_no_column_is_taken_twice(rows: int, columns: int) -> None:
    pairs = linear_assignment(np.random.default_rng(3).normal(size=(rows, columns)))
    taken = [row for row, _ in pairs], [column for _, column in pairs]

    assert [len(set(one)) for one in taken] == [min(rows, columns)] * 2


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0)])
def test_nothing_pairs_with_nothing(shape: tuple[int, int]) -> None:
    assert linear_assignment(np.zeros(shape)) == []


def _cheapest(cost: Floats) -> float:
    rows, columns = cost.shape
    if rows > columns:
        return _cheapest(cost.T)
    ways = permutations(range(columns), rows)
    return min(float(sum(cost[i, j] for i, j in enumerate(way))) for way in ways)
