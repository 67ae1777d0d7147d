"""Facings kept while a table is followed."""

import math

import pytest

from vision.facing.facing_estimate import Facing
from vision.tracking.track_registry import keep_facing, propagate_facing

SIGMA_RAD = math.radians(1.0)


def told(deg: float) -> Facing:
    return Facing(math.radians(deg), SIGMA_RAD, False, "ticks+dot")


def open_(*ends: tuple[float, float]) -> Facing:
    """May look these ways (degrees), each with its probability."""
    return Facing(
        math.radians(ends[0][0]), SIGMA_RAD, True, "ticks", hypotheses=tuple((math.radians(a), p) for a, p in ends)
    )


def shares(facing: Facing | None) -> dict[int, float]:
    assert facing is not None
    return {round(math.degrees(rad)): share for rad, share in facing.hypotheses}


def test_who_stands_still_keeps_the_facing_that_was_told_where_the_rim_leaves_two() -> None:
    assert keep_facing(told(90), open_((91, 0.5), (271, 0.5)), is_turned=False) == told(90)


def test_who_stands_still_keeps_the_facing_where_the_rim_shows_none() -> None:
    assert keep_facing(told(90), None, is_turned=False) == told(90)


def test_who_stands_still_learns_which_of_two_it_is() -> None:
    assert keep_facing(open_((91, 0.5), (271, 0.5)), told(272), is_turned=False) == told(272)


def test_who_stands_still_learns_a_facing_at_last() -> None:
    assert keep_facing(None, told(30), is_turned=False) == told(30)


def test_a_rim_that_leaves_only_other_ways_was_turned() -> None:
    now = open_((20, 0.5), (200, 0.5))

    assert keep_facing(told(90), now, is_turned=False) == now


def test_who_looks_turned_has_the_facing_of_his_rim_alone() -> None:
    now = open_((91, 0.5), (271, 0.5))

    assert keep_facing(told(90), now, is_turned=True) == now
    assert keep_facing(told(90), None, is_turned=True) is None


def test_who_was_nudged_nearly_always_looks_into_the_same_half() -> None:
    assert shares(propagate_facing(told(80), open_((275, 0.5), (95, 0.5)), is_nudged=True)) == {
        95: pytest.approx(0.95),
        275: pytest.approx(0.05),
    }


def test_who_was_moved_mostly_does() -> None:
    assert shares(propagate_facing(told(80), open_((95, 0.5), (275, 0.5)), is_nudged=False))[95] == pytest.approx(0.75)


def test_what_all_ways_leave_to_others_is_left_to_them() -> None:
    found = shares(propagate_facing(told(80), open_((95, 0.4), (275, 0.4)), is_nudged=True))

    assert sum(found.values()) == pytest.approx(0.8)


def test_a_facing_that_the_rim_tells_stands_against_all_that_was() -> None:
    assert propagate_facing(told(80), told(260), is_nudged=True) == told(260)


def test_of_whom_nothing_was_known_nothing_is_carried() -> None:
    now = open_((95, 0.5), (275, 0.5))

    assert propagate_facing(None, now, is_nudged=True) == now
    assert shares(propagate_facing(open_((10, 0.5), (190, 0.5)), now, is_nudged=True)) == {
        95: pytest.approx(0.5),
        275: pytest.approx(0.5),
    }


def test_doubt_about_the_facing_before_is_carried_too() -> None:
    found = shares(propagate_facing(open_((90, 0.8), (270, 0.2)), open_((95, 0.5), (275, 0.5)), is_nudged=True))

    assert found[95] == pytest.approx(0.8 * 0.95 + 0.2 * 0.05)
