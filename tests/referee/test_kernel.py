"""The compiled kernel and the same steps in Python are one."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.geometry.shapes import disc
from referee.line_of_sight import End, height_to_spare_mm, least_length_mm, widest_lane
from tests.referee.oracles.widest_lane import plain_height_to_spare_mm, plain_lane, plain_least_length_mm
from tests.referee.sight_tables import FAMILIES, Scene, block

_ALIKE_MM = 1e-9
_TOLD_MM = 1e-6
_HAIR_MM = 0.03  # by which a lane must be wider to be looked for among woods
_SLOW = {"forests", "low_walls", "everything", "nested_walls", "overlapping"}
_SEEDS = st.integers(0, 10**6)


def _scene(family: str, seed: int) -> Scene:
    return FAMILIES[family](random.Random(f"both {family}{seed}"))


def _assert_alike(scene: Scene, to_mm: float = _ALIKE_MM) -> None:
    kernel, plain = widest_lane(*scene), plain_lane(*scene)

    assert kernel.margin_mm == pytest.approx(plain.margin_mm, abs=to_mm)
    assert bool(kernel.held_by) == bool(plain.held_by)  # of lanes just as wide either may take another


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
    """Among woods a climb along two curved conditions may end a few hundred-thousandths short, on either path."""
    _assert_alike(_scene(family, seed), 1e-4 if family in ("forests", "everything") else _ALIKE_MM)


@given(st.sampled_from(sorted(set(FAMILIES) - _SLOW | {"forests"})), _SEEDS, st.floats(-3, 3))
@settings(max_examples=60, deadline=None)
def test_a_lane_wider_than_asked_is_the_widest_and_where_there_is_none_none_is_told(
    family: str, seed: int, by_mm: float
) -> None:
    scene = _scene(family, seed)
    widest_mm = widest_lane(*scene).margin_mm
    asked_mm = max(0.0, widest_mm + by_mm)

    found_mm = widest_lane(*scene, wider_than_mm=asked_mm).margin_mm

    assert found_mm <= widest_mm + _TOLD_MM
    assert found_mm == pytest.approx(widest_mm, abs=_TOLD_MM) or widest_mm <= asked_mm + _HAIR_MM


@given(st.floats(0.2, 0.8), st.floats(-0.6, 0.6), st.floats(20, 60), st.floats(20, 60), st.sampled_from((15, 25, 60)))
@settings(max_examples=40, deadline=None)
def test_both_paths_measure_the_same_height_to_spare(
    share: float, turn: float, top: float, other: float, radius: float
) -> None:
    """Over a wall that nothing leads round. It is told and decides nothing; among several solids it is a local best."""
    start, stop = End(disc((600.0, 600.0), radius)), End(disc((850.0, 600.0), 20.0))
    wall = block(random.Random(0), 600 + share * 250, 600, 8, 800, turn)

    assert height_to_spare_mm(start, stop, (top, other), ((wall, 40.0),)) == pytest.approx(
        plain_height_to_spare_mm(start, stop, (top, other), ((wall, 40.0),)), abs=_TOLD_MM
    )


@given(_SEEDS)
@settings(max_examples=20, deadline=None)
def test_both_paths_measure_the_same_length_in_a_wood(seed: int) -> None:
    start, stop, _, woods = _scene("forests", seed)

    assert least_length_mm(start, stop, woods[0]) == pytest.approx(
        plain_least_length_mm(start, stop, woods[0]), abs=_ALIKE_MM
    )
