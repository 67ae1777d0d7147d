"""Linear assignment: rows paired with columns at least total cost."""

import numpy as np

from calibration.arrays import Floats, Indices


def linear_assignment(cost: Floats) -> list[tuple[int, int]]:
    """Pairs (row, column) of least total cost, as many as the shorter side of `cost` has, in the order of the rows.

    Shortest augmenting paths with potentials: H. W. Kuhn, The Hungarian method for the assignment problem, 1955.
    """
    rows, columns = cost.shape
    if rows > columns:
        return sorted((row, column) for column, row in linear_assignment(cost.T))
    row_of = np.full(columns + 1, -1)  # the last column is none: there each new row begins
    potentials = np.zeros(rows), np.zeros(columns + 1)
    for row in range(rows):
        row_of[columns] = row
        end, before = _shortest_path(cost, row_of, *potentials)
        while end != columns:
            row_of[end] = row_of[before[end]]
            end = before[end]
    return sorted((int(row), column) for column, row in enumerate(row_of[:columns]) if row >= 0)


def _shortest_path(cost: Floats, row_of: Indices, of_rows: Floats, of_columns: Floats) -> tuple[int, Indices]:
    """The free column that a new row reaches most cheaply, and the way back from it; potentials follow."""
    none = cost.shape[1]
    distance, before = np.full(none, np.inf), np.full(none, none)
    is_done = np.zeros(none + 1, bool)
    column = none
    while row_of[column] >= 0:
        is_done[column] = True
        row = row_of[column]
        step = cost[row] - of_rows[row] - of_columns[:none]
        shorter = ~is_done[:none] & (step < distance)
        distance[shorter], before[shorter] = step[shorter], column
        nearest = int(np.where(is_done[:none], np.inf, distance).argmin())
        on = distance[nearest]
        of_rows[row_of[is_done]] += on
        of_columns[is_done] -= on
        distance[~is_done[:none]] -= on
        column = nearest
    return column, before
