"""The sheet of a written book: its rules are lines, and what nobody told is asked for, not supposed."""

from api.answers.pair_sheet import Pair, pair_sheet
from api.books.check import table_of
from referee import ask
from tests.api.books.files import PAIR, read

BOOK = read(
    """
[rules]
run = 'free_way(a, b) and way(a, b) <= speed(a)'
close = 'distance(a, b) <= 2'
nearest = 'least(x in miniatures where x != a by distance(a, x))'

[[sheet]]
ask = "rule"
rule = "run"
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


def test_a_rule_asks_for_the_speed_that_no_card_tells() -> None:
    assert _headlines()[0] == ("A runs at B", "Cannot tell", "needs the speed of a")
    assert _headlines(speed_in=3)[0] == ("A runs at B", "Yes", None)


def test_a_rule_is_a_line_of_the_sheet_both_ways_or_about_one() -> None:
    assert [line[:2] for line in _headlines()[1:]] == [
        ("A is close to B", "No"),
        ("B is close to A", "No"),
        ("Nearest to A", "b"),
    ]


DOUBTED = PAIR.replace("facing_deg = 180 }", "facing_deg = 180, sigma = { at_mm = 1.0 } }")
TOLD = read(
    """
[rules]
tee = 'point(351 mm, 300 mm)'
near = 'distance(a, tee) <= 1'
nearest = 'least(x in miniatures by distance(x, tee))'
blow = 'near(a) and distance(a, b) <= 1'
charge = 'way(a, b) <= 2D6'
"""
    + "".join(f'[[sheet]]\nask = "rule"\nrule = "{rule}"\ntitle = "A"\n' for rule in ("nearest", "blow", "charge"))
    + DOUBTED
)


def test_a_line_says_by_how_much_and_how_surely_one_is_ahead_what_a_roll_needs_and_what_fails() -> None:
    """From 351 the rims lie 36 and 34 off: b is 2 mm nearer, with a doubt of 1 mm."""
    sheet = pair_sheet(table_of(TOLD, "plain"), Pair(a="a", b="b"), ask=ask)

    assert [(line.headline, line.note) for line in sheet.lines] == [
        ("b", "+0.08\u2033 \u00b7 98 %"),
        ("No", "near"),
        ("97 %", "3+"),
    ]


def test_by_a_written_book_neither_speed_nor_reach_is_supposed() -> None:
    sheet = pair_sheet(table_of(TOLD, "plain"), Pair(a="a", b="b"), ask=ask)

    assert (sheet.reach_in, sheet.speed_in, sheet.cards) == (None, None, ())
