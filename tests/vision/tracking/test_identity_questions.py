"""Questions about who is who, and what answers change."""

import pytest

from models.errors import BadInput
from vision.tracking.track_registry import Question

SWAP = Question("q1", 4.0, ((1.0, 2.0), (3.0, 4.0)), (("a", "b"), ("b", "a")), (0.7, 0.3))
LEFT = Question("q2", 4.0, ((1.0, 2.0),), (("a",), ("b",), ("m9",)), (0.5, 0.4, 0.1))


def test_the_naming_that_was_told_changes_nobody() -> None:
    assert SWAP.renames_by(("a", "b")) == {}


def test_the_other_naming_exchanges_two() -> None:
    assert SWAP.renames_by(("b", "a")) == {"a": "b", "b": "a"}


def test_whoever_was_thought_gone_gives_that_place_to_the_other() -> None:
    assert LEFT.renames_by(("b",)) == {"a": "b", "b": "a"}


def test_three_go_round_without_losing_one() -> None:
    turn = Question("q3", 4.0, ((1.0, 1.0),) * 3, (("a", "b", "c"), ("b", "c", "a")), (0.6, 0.4))

    assert turn.renames_by(("b", "c", "a")) == {"a": "b", "b": "c", "c": "a"}


def test_what_was_not_offered_is_refused() -> None:
    with pytest.raises(BadInput, match="asks for one of: a; b; m9"):
        LEFT.renames_by(("c",))


def test_a_question_learns_the_right_names_of_others() -> None:
    assert SWAP.with_renames({"b": "x"}).namings == (("a", "x"), ("x", "a"))
