"""Formation prior: log odds of a block's shape for each front, as of a unit's ranks only the rearmost may be short."""

import math
from collections import Counter
from collections.abc import Collection

import numpy as np

from calibration.arrays import Floats

Cell = tuple[int, int]

_FULL = 0.4  # of units whose rearmost rank is as long as the others
_HOLE = math.log(0.03)  # for each base that lacks elsewhere, or stands where none belongs


def formation_log_odds(cells: Collection[Cell]) -> Floats:
    """Log odds of this shape, (4,), by quarter turns of the front anticlockwise from where columns run.

    `cells`: columns ahead and rows to the left. One rank says nothing.

    Source: Warhammer 9th edition 1.61, "Forming Units", p. 11.
    """
    return np.array([_shape_log_odds(ranks_and_files(cells, quarter)) for quarter in range(4)])


def ranks_and_files(cells: Collection[Cell], quarter: int) -> list[Cell]:
    """Rank and file of each cell, from the front and from the left as a block sees it that faces this way."""
    turned = [_rotate_cell(cell, quarter) for cell in cells]
    front, left = max(ahead for ahead, _ in turned), max(aside for _, aside in turned)
    return [(front - ahead, left - aside) for ahead, aside in turned]


def _rotate_cell(cell: Cell, quarter: int) -> Cell:
    for _ in range(quarter % 4):
        cell = cell[1], -cell[0]
    return cell


def _shape_log_odds(places: Collection[Cell]) -> float:
    count = Counter(rank for rank, _ in places)
    last, files = max(count), 1 + max(file for _, file in places)
    if last == 0:
        return 0.0
    lacking = [files - count[rank] for rank in range(last)]
    wrong = min(lacking[0], count[0]) + sum(lacking[1:])  # a few before the front rank may be somebody else
    return wrong * _HOLE + math.log(_FULL if count[last] == files else 1 - _FULL)
