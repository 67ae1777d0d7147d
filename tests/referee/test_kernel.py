"""The compiled kernel and the plain path are one. Without a C compiler both are the plain path."""

import random

import pytest

from referee.sight.lane import plain_lane, widest_lane
from tests.referee.sight_tables import FAMILIES

_HARD_EDGED = sorted(set(FAMILIES) - {"forests"})


@pytest.mark.parametrize("family", _HARD_EDGED)
def test_both_paths_find_the_same_margin(family: str) -> None:
    for k in range(3):
        scene = FAMILIES[family](random.Random(f"kernel {family}{k}"))
        scene = (*scene[:2], scene[2][:6], scene[3])

        assert widest_lane(*scene).margin_mm == pytest.approx(plain_lane(*scene).margin_mm, abs=1e-6)


def test_both_paths_agree_among_woods_where_tops_are_rounded() -> None:
    for k in range(2):
        scene = FAMILIES["forests"](random.Random(f"kernel forests {k}"))

        assert widest_lane(*scene).margin_mm == pytest.approx(plain_lane(*scene).margin_mm, abs=0.02)
