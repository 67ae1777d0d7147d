"""Check of citations: a heading that a book does not have, or has elsewhere, is named."""

from pathlib import Path

import pytest

from scripts.check_citations import Citation, citations_in, find_faults, pages_of

BOOK = ["MARCHING Units hurry.", "7", "<b>Wheels</b>", "They turn.", "8", "2) Charges", "9"]


@pytest.mark.parametrize(
    ("section", "page"), [("Marching", 7), ("Wheels", 8), ("Charges", 9), ("Marching", 8), ("Wheels", None)]
)
def test_a_heading_near_its_page_is_no_fault(section: str, page: int | None) -> None:
    assert not list(find_faults([Citation(section, page, "move.py:1")], BOOK))


def test_a_heading_that_is_not_there_is_named() -> None:
    assert list(find_faults([Citation("Flying", 7, "move.py:1")], BOOK)) == ["move.py:1: no heading 'Flying'"]


def test_a_heading_on_another_page_is_named_with_its_page() -> None:
    told = next(find_faults([Citation("Charges", 7, "move.py:1")], BOOK))

    assert told == "move.py:1: 'Charges' is cited from p. 7 and stands on 9"


def test_a_text_without_page_numbers_has_its_headings_looked_for() -> None:
    assert not list(find_faults([Citation("Charges", 99, "move.py:1")], ["Charges"]))
    assert pages_of(["Charges"]) == {}


def test_citations_are_read_from_the_code(tmp_path: Path) -> None:
    (tmp_path / "move.py").write_text('A = because("Marching; Wheels", 7, "They go.")\n')

    assert [(one.section, one.page) for one in citations_in(tmp_path)] == [("Marching", 7), ("Wheels", 7)]
