"""Swift reforms: the unit turns about its centre as one piece, and keeps its files."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.verdict import Verdict
from tests.referee.editions.warhammer_9.tables import block, table
from tests.referee.tables import asked


def swift(wide: int, count: int, **fields: Any) -> Verdict:
    state = table([block("A", "red", (900, 600), 90, wide, count, musician=True)])
    return asked(state, "reform", unit="A", manner="swift", **fields)


@given(st.integers(5, 12), st.integers(1, 3), st.floats(0, 359))
def test_a_swift_reform_is_as_long_as_the_way_of_the_outermost_model(files: int, ranks: int, facing: float) -> None:
    verdict = swift(files, files * ranks, facing_deg=facing)
    arm = math.hypot(10 * (files - 1), 10 * (ranks - 1))
    longest = 2 * arm * abs(math.sin(math.radians(facing - 90) / 2))

    assert verdict.value["longest_mm"] == pytest.approx(longest)
    assert (verdict.answer == "yes") == (longest <= 203.2)


def test_a_square_that_turns_by_a_quarter_swiftly_is_no_square_that_stays() -> None:
    assert swift(5, 25, facing_deg=0).value["longest_mm"] == pytest.approx(80)


def test_a_swift_reform_to_other_files_is_none() -> None:
    verdict = swift(5, 20, files=10)
    told: Any = verdict.value["clauses"]

    assert verdict.answer == "no"
    assert [one["clause"] for one in told if one["answer"] == "no"] == ["formation"]


def test_a_swift_reform_to_the_same_files_is_one() -> None:
    assert swift(5, 20, files=5, facing_deg=0).answer == "yes"
