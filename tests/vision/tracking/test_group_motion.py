"""Miniatures moved together."""

import numpy as np
import pytest

from calibration.arrays import Floats
from vision.tracking.unit_membership import group_motion_prior

BLOCK = np.array([[40.0 * (k % 3), 40.0 * (k // 3)] for k in range(6)])
EVERYBODY = np.ones((6, 6), np.bool_)


def _moved(turn_deg: float) -> Floats:
    turn = np.radians(turn_deg)
    matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return np.asarray((BLOCK - BLOCK.mean(axis=0)) @ matrix.T + (300.0, 200.0))


@pytest.mark.parametrize("turn_deg", [0.0, 18.0, -40.0])
def test_a_block_that_was_turned_a_little_keeps_its_order(turn_deg: float) -> None:
    favour = group_motion_prior(BLOCK, _moved(turn_deg), EVERYBODY)

    assert (favour > 0).tolist() == np.eye(6, dtype=bool).tolist()


def test_a_block_turned_by_a_right_angle_or_so_may_be_turned_either_way() -> None:
    """Seen from above, a quarter to the left and to the right differ by a half turn of the same block."""
    favour = group_motion_prior(BLOCK, _moved(85.0), EVERYBODY)

    assert not favour.any()


def test_the_order_in_which_they_were_found_does_not_matter() -> None:
    order = [3, 0, 5, 1, 4, 2]
    favour = group_motion_prior(BLOCK, _moved(10.0)[order], EVERYBODY)

    assert [int(row.argmax()) for row in favour.T] == order


def test_two_say_nothing_about_each_other() -> None:
    assert not group_motion_prior(BLOCK[:2], BLOCK[:2] + 100, EVERYBODY[:2, :2]).any()


def test_those_who_went_their_own_ways_did_not_move_together() -> None:
    apart = np.array([[10.0, 300.0], [200.0, 20.0], [330.0, 250.0], [90.0, 95.0]])

    assert not group_motion_prior(BLOCK[:4], apart, EVERYBODY[:4, :4]).any()


def test_whoever_cannot_be_the_same_is_not_favoured() -> None:
    favour = group_motion_prior(BLOCK, _moved(0.0), EVERYBODY & ~np.eye(6, dtype=bool))

    assert not np.diag(favour).any()


def test_facings_say_which_way_a_block_was_turned_by_a_right_angle() -> None:
    turned = np.full((6, 6), np.radians(90.0))
    favour = group_motion_prior(BLOCK, _moved(90.0), EVERYBODY, turned)

    assert (favour > 0).tolist() == np.eye(6, dtype=bool).tolist()


def test_a_large_unit_that_goes_forward_by_one_rank_keeps_its_order() -> None:
    old = np.array([[25.4 * (k % 8), 25.4 * (k // 8)] for k in range(40)])
    favour = group_motion_prior(old, old + np.array([0.0, 25.4]), np.ones((40, 40), np.bool_))

    assert (favour > 0).tolist() == np.eye(40, dtype=bool).tolist()
