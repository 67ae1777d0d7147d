"""Edition differences: every reason is a declaration of a book, and is explained on the page."""

from pathlib import Path

import pytest

from benchmarks.rules.edition_difference_reasons import ROWS, row_of
from benchmarks.rules.edition_differences import BOOKS, exchange_declarations, find_differences
from referee import EDITIONS

PAGE = Path(__file__).parents[2] / "docs" / "edition-differences.md"


@pytest.mark.parametrize("seed", [1, 2, 95])
def test_every_difference_on_a_table_has_a_reason_that_is_explained(seed: int) -> None:
    found = find_differences(seed)

    assert found
    assert [why for *_, why in found if row_of(why) is None] == []


def test_every_reason_on_the_page_is_explained() -> None:
    text = PAGE.read_text(encoding="utf-8")

    assert "random tables" in text
    assert "unexplained" not in text
    assert "not explained" not in text


def test_what_is_explained_is_declared_by_some_book() -> None:
    known = {
        name
        for one in BOOKS
        for other in BOOKS
        for name, _ in exchange_declarations(EDITIONS[one], EDITIONS[other], set(ROWS))
    }

    assert set(ROWS) - known <= {"cards"}
