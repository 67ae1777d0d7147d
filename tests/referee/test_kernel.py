"""The compiled kernel and the plain path are one. Without a C compiler both are the plain path."""

import random

import pytest

from referee.shapes import disc
from referee.sight import End
from referee.sight.lane import plain_lane, widest_lane
from tests.referee.sight_tables import FAMILIES

_STEP_MM = 2e-5  # either path stops looking when nothing wider by half of this is left
_HARD_EDGED = sorted(set(FAMILIES) - {"forests", "nested_walls"})


@pytest.mark.parametrize("family", _HARD_EDGED)
def test_both_paths_find_the_same_margin(family: str) -> None:
    for k in range(2):
        scene = FAMILIES[family](random.Random(f"kernel {family}{k}"))
        scene = (*scene[:2], scene[2][:6], scene[3])

        assert widest_lane(*scene).margin_mm == pytest.approx(plain_lane(*scene).margin_mm, abs=_STEP_MM)


def test_both_paths_agree_among_woods_where_tops_are_rounded() -> None:
    for k in range(1):
        scene = FAMILIES["forests"](random.Random(f"kernel forests {k}"))

        assert widest_lane(*scene).margin_mm == pytest.approx(plain_lane(*scene).margin_mm, abs=0.02)


def test_both_paths_measure_the_same_depth_in_nested_walls() -> None:
    """Ends without size, so that there is one line; among real ends the plain path takes too long for every run."""
    for k in range(3):
        start, stop, obstacles, _ = FAMILIES["nested_walls"](random.Random(f"kernel nested {k}"))
        ends = End(disc(start.shape.centre, 0.0)), End(disc(stop.shape.centre, 0.0))

        assert widest_lane(*ends, obstacles).margin_mm == pytest.approx(
            plain_lane(*ends, obstacles).margin_mm, abs=1e-6
        )
