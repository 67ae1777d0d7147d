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


@pytest.mark.parametrize("line", ["Charges are fast", "They turn to charges", "The Charges"])
def test_text_that_begins_with_the_word_is_no_heading(line: str) -> None:
    assert list(find_faults([Citation("Charges", None, "move.py:1")], [line, "9"]))


@pytest.mark.parametrize("line", ["Charges", "CHARGES are fast", "- Charges: they are fast", "3. Charges Units run"])
def test_text_may_run_on_from_its_heading(line: str) -> None:
    assert not list(find_faults([Citation("Charges", 9, "move.py:1")], [line, "9"]))


ERRATA = [
    "Erratum: Prime p.34 : Movement", "Leaving the Area", "They stay.", "Erratum: Remix p.35 : Arms - Locks (old)",
    "Q: What if a base is in both arcs?",
]  # fmt: skip


@pytest.mark.parametrize(
    ("section", "is_there"),
    [("Movement, Prime p. 34", True), ("Leaving the Area, Prime p. 34", True), ("Locks, Remix p. 35", True),
     ("General Rules, Q/A on both arcs", True), ("Q/A: both arcs", True), ("Movement, Prime p. 35", False),
     ("Movement, Remix p. 34", False), ("Locks, Prime p. 34", False), ("Q/A: no arc", False)],
)  # fmt: skip
def test_an_entry_of_errata_is_looked_for_under_the_page_and_the_book_that_it_amends(
    section: str, is_there: bool
) -> None:
    assert (not list(find_faults([Citation(section, None, "move.py:1")], ERRATA))) == is_there


def test_a_text_without_page_numbers_has_its_headings_looked_for() -> None:
    assert not list(find_faults([Citation("Charges", 99, "move.py:1")], ["Charges"]))
    assert pages_of(["Charges"]) == {}


def test_citations_are_read_from_the_code(tmp_path: Path) -> None:
    (tmp_path / "move.py").write_text('A = because("Marching; Wheels", 7, "They go.")\n')

    assert [(one.section, one.page) for one in citations_in(tmp_path)] == [("Marching", 7), ("Wheels", 7)]


def test_the_sections_of_a_map_are_citations_too(tmp_path: Path) -> None:
    (tmp_path / "move.py").write_text('_ENTRIES = {"Wheels": "Turning, Prime p. 8"}\n')

    assert [one.section for one in citations_in(tmp_path / "move.py")] == ["Turning, Prime p. 8"]
