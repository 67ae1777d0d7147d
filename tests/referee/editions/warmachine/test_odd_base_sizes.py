"""Bases of no size of the book: what they count as is said, and what another size would change."""

from typing import Any

import pytest

from models.verdict import Verdict
from referee.editions.warmachine.parameters import SIZES
from tests.referee.tables import asked, box, mini, table


def look_over_a_wall(target_mm: float, **state: Any) -> Verdict:
    """Over 50 mm of wall one sees a medium base and no small one."""
    wall = box("w", "wall", 480, 400, 490, 800, height_mm=50)
    minis = (mini("a", 300, 600, 0, side="red"), mini("t", 700, 600, 180, mm=target_mm, side="blue"))
    return asked(table(*minis, terrain=[wall], **state), "los", viewer="a", target="t")


def test_which_size_it_counts_as_is_said_and_which_other_answer_another_would_bring() -> None:
    verdict = look_over_a_wall(35)

    assert verdict.answer == "no"
    assert verdict.house_rules == {"odd-base-size": "nearest"}
    assert [(f.house_rule, f.reading, f.answer) for f in verdict.flips_under] == [("odd-base-size", "larger", "yes")]
    assert "t counts as 30 mm" in verdict.because[-1].says


def test_a_table_may_choose_what_it_counts_as() -> None:
    assert look_over_a_wall(35, house_rules={"odd-base-size": "larger"}).answer == "yes"


@pytest.mark.parametrize("size_mm", [30, 40, 50, 120])
def test_a_size_of_the_book_is_no_doubt(size_mm: float) -> None:
    verdict = look_over_a_wall(size_mm)

    assert "odd-base-size" not in verdict.house_rules
    assert not any("of no size" in reason.says for reason in verdict.because)


def test_where_every_size_finds_the_same_nothing_is_said() -> None:
    minis = (mini("a", 300, 600, 0, side="red"), mini("t", 700, 600, 180, mm=35, side="blue"))
    verdict = asked(table(*minis), "distance", a="a", b="t")

    assert verdict.house_rules == {}


@pytest.mark.parametrize(
    ("extent_mm", "nearest", "smaller", "larger"),
    [(25, 30, 30, 30), (35, 30, 30, 40), (60, 50, 50, 120), (100, 120, 50, 120), (160, 120, 120, 120)],
)
def test_nearest_smaller_and_larger(extent_mm: float, nearest: float, smaller: float, larger: float) -> None:
    chosen = [SIZES.choose_mm(extent_mm, reading) for reading in ("nearest", "smaller", "larger")]

    assert chosen == [nearest, smaller, larger]
