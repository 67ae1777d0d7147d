"""Memo: it answers as before, and a table that is asked about for hours does not fill the machine's memory."""

import gc
import weakref

from models.state import TableState
from referee.rules.consulted_readings import note_consulted
from referee.rules.memo import memoize, memoize_read
from tests.referee.editions.warhammer_9.tables import drawn


class Found:
    """Something found about a table."""


def find_many(state: TableState, count: int) -> list[weakref.ref[Found]]:
    return [weakref.ref(memoize(state, ("question", n), Found)) for n in range(count)]


def test_the_same_question_is_worked_out_once() -> None:
    state = drawn(0)

    assert memoize(state, "one", Found) is memoize(state, "one", Found)


def test_a_table_at_rest_keeps_some_thousand_findings_however_many_are_asked_for() -> None:
    state = drawn(0)
    found = find_many(state, 10_000)
    gc.collect()

    assert 0 < sum(one() is not None for one in found) <= 4000


def test_what_was_found_for_one_table_is_not_told_of_another_alike() -> None:
    one, other = drawn(0), drawn(0).model_copy()

    assert memoize(one, "same", Found) is not memoize(other, "same", Found)


def consult(*keys: str) -> Found:
    note_consulted(*keys)
    return Found()


def test_what_consulted_no_reading_that_is_tried_out_is_found_once() -> None:
    state = drawn(0)
    stated = memoize_read(state, "path", frozenset(), lambda: consult("seen-body"))

    assert memoize_read(state, "path", frozenset({("charge-line", "way-round")}), Found) is stated
    assert memoize_read(state, "path", frozenset({("seen-body", "base")}), Found) is not stated
