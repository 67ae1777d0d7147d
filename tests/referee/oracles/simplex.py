"""Simplex step: raises the least of linear conditions the most, by a small linear program."""

from collections.abc import Sequence

import numpy as np

from referee.arrays import Floats
from tests.referee.oracles.linear_constraints import Row

_TIE = 1e-10  # what does not gain this much a millimetre is not worth a step
_PIVOTS = 200


def maximise_minimum(
    rows: Sequence[Row], held: Sequence[Row], trust_mm: float
) -> tuple[float, tuple[complex, complex]]:
    """The gain, and how both ends move: by `trust_mm` at most in all, the held conditions holding on."""
    table, n = _dictionary(rows, held, trust_mm), len(rows) + len(held) + 1
    basis, outside = [100 + i for i in range(n)], list(range(9))
    for turn in range(_PIVOTS):
        column = _entering_column(table[n], turn)
        row = None if column is None else _leaving_row(table[:n], column)
        if column is None or row is None:
            break
        _pivot(table, row, column)
        basis[row], outside[column] = outside[column], basis[row]
    found = dict(zip(basis, table[:n, 9].tolist(), strict=True))
    x = [found.get(2 * k, 0.0) - found.get(2 * k + 1, 0.0) for k in range(4)]
    return found.get(8, 0.0), (complex(x[0], x[1]), complex(x[2], x[3]))


def _dictionary(rows: Sequence[Row], held: Sequence[Row], trust_mm: float) -> Floats:
    """Each way of four coordinates, the gain, and the right-hand side; the objective last."""
    table = np.zeros((len(rows) + len(held) + 2, 10))
    low = min((row.f for row in rows), default=0.0)
    for i, row in enumerate([*rows, *held]):
        table[i, 0:8:2], table[i, 1:8:2] = -np.array(row.g), row.g
        table[i, 8:] = (1.0, row.f - low) if i < len(rows) else (-row.eases, row.f)
    table[-2, :8], table[-2, 9] = 1.0, trust_mm
    table[-1, :8], table[-1, 8] = _TIE, -1.0
    return table


def _entering_column(objective: Floats, turn: int) -> int | None:
    worse = [k for k in range(9) if objective[k] < -1e-13]
    if not worse:
        return None
    return min(worse, key=lambda k: float(objective[k])) if turn < 60 else worse[0]


def _leaving_row(table: Floats, column: int) -> int | None:
    best: int | None = None
    for i in range(len(table)):
        if table[i, column] > 1e-12 and (
            best is None or table[i, 9] * table[best, column] < table[best, 9] * table[i, column]
        ):
            best = i
    return best


def _pivot(table: Floats, row: int, column: int) -> None:
    inverse = 1 / table[row, column]
    times = table[:, column].copy()
    times[row] = 0.0
    table[row] *= inverse
    table[row, column] = inverse
    table[times != 0, column] = 0.0
    table -= np.outer(times, table[row])
