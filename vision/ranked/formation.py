"""How well a block's shape goes with each way it may face: of a unit's ranks only the rearmost may be short."""

import math
from collections import Counter
from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Cell = tuple[int, int]

_FULL = 0.4  # of units whose rearmost rank is as long as the others
_HOLE = math.log(0.03)  # for each base that lacks elsewhere, or stands where none belongs


def formation_odds(cells: Collection[Cell]) -> Floats:
    """(4,): log odds of this shape, by quarter turns of the front anticlockwise from where columns run.

    `cells`: columns ahead and rows to the left. One rank says nothing.

    Source: Warhammer 9th edition 1.61, "Forming Units", p. 11.
    """
    return np.array([_odds(in_ranks(cells, quarter)) for quarter in range(4)])


def in_ranks(cells: Collection[Cell], quarter: int) -> list[Cell]:
    """Rank and file of each, from the front and from the left as the block sees it that faces this way."""
    turned = [_turned_back(cell, quarter) for cell in cells]
    front, left = max(ahead for ahead, _ in turned), max(aside for _, aside in turned)
    return [(front - ahead, left - aside) for ahead, aside in turned]


def _turned_back(cell: Cell, quarter: int) -> Cell:
    for _ in range(quarter % 4):
        cell = cell[1], -cell[0]
    return cell


def _odds(places: Collection[Cell]) -> float:
    count = Counter(rank for rank, _ in places)
    last, files = max(count), 1 + max(file for _, file in places)
    if last == 0:
        return 0.0
    lacking = [files - count[rank] for rank in range(last)]
    wrong = min(lacking[0], count[0]) + sum(lacking[1:])  # a few before the front rank may be somebody else
    return wrong * _HOLE + math.log(_FULL if count[last] == files else 1 - _FULL)
