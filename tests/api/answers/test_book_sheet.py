"""The sheet of a written book: its rules are lines, and what nobody told is asked for, not supposed."""

from api.answers.pair_sheet import Pair, pair_sheet
from api.books.check import table_of
from referee import ask
from tests.api.books.files import PAIR, read

BOOK = read(
    """
[actions.run]

[rules]
close = 'distance(a, b) <= 2'
nearest = 'least(x in miniatures where x != a by distance(a, x))'

[[sheet]]
ask = "action"
action = "run"
title = "A runs at B"

[[sheet]]
ask = "rule"
rule = "close"
title = "A is close to B"
both = true

[[sheet]]
ask = "rule"
rule = "nearest"
title = "Nearest to A"
"""
    + PAIR
)


def _headlines(**told: float) -> list[tuple[str, str | None, str | None]]:
    sheet = pair_sheet(table_of(BOOK, "plain"), Pair(a="a", b="b", **told), ask=ask)
    return [(line.title, line.headline, line.note) for line in sheet.lines]


def test_an_action_without_a_range_asks_for_the_speed_that_no_card_tells() -> None:
    assert _headlines()[0] == ("A runs at B", "Cannot tell", "needs the speed of a")
    assert _headlines(speed_in=3)[0] == ("A runs at B", "Yes", None)


def test_a_rule_is_a_line_of_the_sheet_both_ways_or_about_one() -> None:
    assert [line[:2] for line in _headlines()[1:]] == [
        ("A is close to B", "No"),
        ("B is close to A", "No"),
        ("Nearest to A", "b"),
    ]
