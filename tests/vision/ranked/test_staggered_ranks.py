"""A short rear rank stands in the middle, half a base aside where it lacks an odd number: each member is found there.

Source: Warhammer 9th edition 1.61, "Forming Units", p. 11.
"""

import math
from dataclasses import replace

import numpy as np
import pytest

from models.base import catalogue_of
from models.state import TableState
from tests.vision import regiments
from tests.vision.regiments import Stood, regiment
from vision.locate import locate

FACING_DEG = 30.0


def _centred(files: int, short: int, sides_mm: tuple[float, float]) -> list[Stood]:
    """Three ranks of so many files, the last of them of fewer, in the middle."""
    gap_mm, left_rad = 0.4, math.radians(FACING_DEG + 90)
    missing = frozenset((2, file) for file in range(short, files))
    stood = regiment(
        (250.0, 200.0), FACING_DEG, ranks=3, files=files, sides_mm=sides_mm, gap_mm=gap_mm, missing=missing
    )
    away = -(files - short) / 2 * (sides_mm[0] + gap_mm)
    x, y = away * math.cos(left_rad), away * math.sin(left_rad)
    return [replace(one, at_mm=(one.at_mm[0] + x, one.at_mm[1] + y)) if one.rank == 2 else one for one in stood]


def _seen(stood: list[Stood]) -> TableState:
    return locate(regiments.photograph(stood), view=regiments.view(), catalogue=catalogue_of(), edition="warhammer-9")


@pytest.mark.parametrize(
    ("files", "short", "sides_mm"),
    [
        (5, 2, (25.0, 25.0)),
        (5, 3, (25.0, 25.0)),
        (5, 4, (20.0, 20.0)),
        (6, 3, (20.0, 20.0)),
        (4, 3, (25.0, 50.0)),
        (4, 1, (25.0, 50.0)),
    ],
)
def test_who_stands_in_a_centred_rear_rank_is_found_in_his_place(
    files: int, short: int, sides_mm: tuple[float, float]
) -> None:
    stood = _centred(files, short, sides_mm)
    seen = _seen(stood).miniatures
    off_mm = [min(math.dist(one.at_mm, other.at_mm) for other in seen) for one in stood]

    assert len(seen) == len(stood)
    assert np.max(off_mm) < 0.6
    assert {one.unit for one in seen} == {"u1"}
    assert sorted(one.rank for one in seen if one.rank is not None) == sorted(one.rank for one in stood)
