"""Switches: what a comparison leaves in the trace, and what is remembered with it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.rules.memo import remember
from referee.rules.switches import (
    EXACT_MM,
    Switch,
    find_recorded,
    is_at_least,
    is_more_than,
    record_switches,
    replay,
    turn_switches,
)

LENGTHS = st.floats(-1000, 1000)


@given(LENGTHS)
def test_exactly_at_its_limit_one_is_met_and_the_other_not(limit_mm: float) -> None:
    assert is_at_least(limit_mm, limit_mm, "reaches", ("a",))
    assert not is_more_than(limit_mm, limit_mm, "passes", ("a",))


@given(LENGTHS, LENGTHS)
def test_beyond_rounding_both_say_the_same(value_mm: float, limit_mm: float) -> None:
    if abs(value_mm - limit_mm) > 2 * EXACT_MM:
        both = is_at_least(value_mm, limit_mm, "reaches", ()), is_more_than(value_mm, limit_mm, "passes", ())

        assert both[0] == both[1] == (value_mm > limit_mm)


def test_the_trace_names_the_clause_its_margin_and_what_it_hangs_on() -> None:
    with record_switches() as trace:
        is_at_least(12.5, 10.0, "stands within 1 in of", ("a", "b"))

    assert [(one.clause, one.margin, one.on) for one in trace] == [("stands within 1 in of", 2.5, ("a", "b"))]


def test_nobody_records_what_nobody_asked_to_record() -> None:
    is_at_least(1.0, 0.0, "touches", ("a",))
    with record_switches() as trace:
        pass

    assert trace == []


def test_who_records_within_keeps_it_to_itself_unless_it_is_replayed() -> None:
    with record_switches() as outer:
        with record_switches() as inner:
            is_at_least(1.0, 0.0, "touches", ("a",))
        assert outer == []
        replay(inner)

    assert outer == inner


def test_what_is_remembered_leaves_its_switches_each_time() -> None:
    memo: dict[object, object] = {}
    with record_switches() as first:
        remember(memo, "in", lambda: is_at_least(3.0, 1.0, "touches", ("a",)))
    with record_switches() as again:
        found = remember(memo, "in", lambda: pytest.fail("it is known"))

    assert found is True
    assert first == again != []


def test_an_error_leaves_the_outer_trace_in_place() -> None:
    with record_switches() as outer:
        with pytest.raises(ZeroDivisionError):
            find_recorded(lambda: 1 / 0)
        is_at_least(1.0, 0.0, "touches", ("b",))

    assert [one.on for one in outer] == [("b",)]


TOUCHES = Switch("touches", 2.0, ("a",))


def touches() -> bool:
    return is_at_least(3.0, 1.0, "touches", ("a",))


def test_a_turned_switch_is_found_the_other_way_and_no_other_is() -> None:
    with turn_switches((TOUCHES,)):
        found = touches(), is_at_least(3.0, 1.0, "touches", ("b",)), is_more_than(0.0, 1.0, "touches", ("a",))

    assert found == (False, True, True)
    assert touches()


def test_what_hangs_on_a_turned_switch_is_found_anew_and_then_as_before() -> None:
    memo: dict[object, object] = {}
    remember(memo, "in", touches)
    with turn_switches((TOUCHES,)):
        turned = [remember(memo, "in", touches) for _ in range(2)]

    assert turned == [False, False]
    assert remember(memo, "in", lambda: pytest.fail("it is known"))


def test_what_is_first_found_with_a_turned_switch_is_not_kept() -> None:
    memo: dict[object, object] = {}
    with turn_switches((TOUCHES,)):
        remember(memo, "in", touches)

    assert remember(memo, "in", touches)


def test_what_hangs_on_no_turned_switch_is_not_found_again() -> None:
    memo: dict[object, object] = {}
    remember(memo, "in", touches)
    with turn_switches((Switch("sees", 1.0, ("a",)),)):
        assert remember(memo, "in", lambda: pytest.fail("it is known"))


def test_what_a_memo_that_is_gone_held_is_told_of_no_other() -> None:
    def number_with_touch(n: int) -> tuple[int, bool]:
        return remember({}, "in", lambda: (n, touches()))  # let go before the next, mostly at the same address

    with turn_switches((TOUCHES,)):
        assert [number_with_touch(n) for n in range(50)] == [(n, False) for n in range(50)]
