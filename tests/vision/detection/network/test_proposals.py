"""What is read from the network's numbers, and which proposals are one base."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.detection.network.proposals import KINDS, Proposal, decode_proposals, non_maximum_suppression


def _round(x: float, y: float, size: float, score: float) -> Proposal:
    return Proposal("round", (x, y), size, size, 0.0, score)


def _output(*columns: tuple[float, ...]) -> np.ndarray:
    """Centre, depth, width, a score for each kind, and the angle; one column a place."""
    return np.array(columns, np.float32).T


def test_only_sure_places_are_read_the_surest_first() -> None:
    output = _output(
        (10, 20, 30, 31, 0.4, 0.1, 0.2, 0.0), (50, 60, 25, 50, 0.1, 0.2, 0.9, 0.5), (80, 90, 40, 41, 0.2, 0.2, 0.2, 0.0)
    )

    assert [(one.kind, one.at) for one in decode_proposals(output, least_score=0.3)] == [
        ("rect", (50, 60)),
        ("round", (10, 20)),
    ]


def test_depth_lies_along_the_angle() -> None:
    (one,) = decode_proposals(_output((50, 60, 75, 42, 0.1, 0.8, 0.2, 0.5)), least_score=0.3)

    assert (one.kind, one.depth, one.width, one.turn_rad) == ("oval", 75, 42, 0.5)


def test_each_kind_has_its_own_score() -> None:
    rows = [(9.0, 9.0, 30.0, 30.0, *(0.9 if k == kind else 0.0 for k in range(len(KINDS))), 0.0) for kind in range(3)]

    assert [one.kind for one in decode_proposals(_output(*rows), least_score=0.5)] == list(KINDS)


def test_of_two_on_one_spot_the_surer_stays() -> None:
    assert non_maximum_suppression([_round(100, 100, 32, 0.6), _round(101, 99, 30, 0.9)]) == [_round(101, 99, 30, 0.9)]


@pytest.mark.parametrize("size", [20.0, 30.0, 120.0])
def test_two_that_touch_both_stay(size: float) -> None:
    beside = [_round(0, 0, size, 0.9), _round(size, 0, size, 0.5)]

    assert non_maximum_suppression(beside) == beside


def test_cavalry_flank_to_flank_both_stay() -> None:
    ranked = [Proposal("rect", (0, 25.0 * file), 25, 50, 0.0, 0.9 - file / 10) for file in range(4)]

    assert non_maximum_suppression(ranked) == ranked


def test_a_small_one_inside_a_large_one_is_the_same_plastic() -> None:
    assert non_maximum_suppression([_round(0, 0, 120, 0.8), _round(20, 10, 30, 0.5)]) == [_round(0, 0, 120, 0.8)]


@given(st.lists(st.tuples(st.floats(0, 300), st.floats(0, 300), st.floats(20, 120), st.floats(0.1, 1)), max_size=8))
def test_picking_again_changes_nothing(places: list[tuple[float, float, float, float]]) -> None:
    once = non_maximum_suppression(_round(*place) for place in places)

    assert non_maximum_suppression(once) == once
