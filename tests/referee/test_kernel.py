"""The compiled kernel and the plain path are one. Without a C compiler both are the plain path."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.sight import height_to_spare_mm, least_length_mm
from referee.sight.heights import plain_height_to_spare_mm
from referee.sight.lane import plain_lane, plain_least_length_mm, widest_lane
from tests.referee.sight_tables import FAMILIES, Scene

_ALIKE_MM = 1e-9
_SLOW = {"forests", "low_walls", "everything", "nested_walls", "overlapping"}
_SEEDS = st.integers(0, 10**6)


def _scene(family: str, seed: int) -> Scene:
    return FAMILIES[family](random.Random(f"both {family}{seed}"))


def _assert_alike(scene: Scene) -> None:
    kernel, plain = widest_lane(*scene), plain_lane(*scene)

    assert kernel.margin_mm == pytest.approx(plain.margin_mm, abs=_ALIKE_MM)
    assert kernel.held_by == plain.held_by


@given(st.sampled_from(sorted(set(FAMILIES) - _SLOW)), _SEEDS)
@settings(max_examples=80, deadline=None)
def test_both_paths_find_the_same_margin(family: str, seed: int) -> None:
    _assert_alike(_scene(family, seed))


@pytest.mark.parametrize("family", sorted(_SLOW))
def test_both_paths_find_the_same_margin_where_many_lines_are_looked_at(family: str) -> None:
    _assert_alike(_scene(family, 3))


@pytest.mark.slow
@given(st.sampled_from(sorted(FAMILIES)), _SEEDS)
@settings(max_examples=300, deadline=None)
def test_both_paths_find_the_same_margin_on_very_many_tables(family: str, seed: int) -> None:
    _assert_alike(_scene(family, seed))


@given(_SEEDS)
@settings(max_examples=20, deadline=None)
def test_both_paths_measure_the_same_height_to_spare(seed: int) -> None:
    """It is told and decides nothing; among several solids it jumps, and a climb ends before the jump or after it."""
    r = random.Random(seed)
    start, stop, obstacles, _ = _scene("low_walls", seed)
    solids = tuple((obstacle.area, r.uniform(10, 60)) for obstacle in obstacles if obstacle.area.outline)
    tops = (r.uniform(30, 60), r.uniform(30, 60))

    assert height_to_spare_mm(start, stop, tops, solids) == pytest.approx(
        plain_height_to_spare_mm(start, stop, tops, solids), abs=0.02
    )


@given(_SEEDS)
@settings(max_examples=20, deadline=None)
def test_both_paths_measure_the_same_length_in_a_wood(seed: int) -> None:
    start, stop, _, woods = _scene("forests", seed)

    assert least_length_mm(start, stop, woods[0]) == pytest.approx(
        plain_least_length_mm(start, stop, woods[0]), abs=_ALIKE_MM
    )
