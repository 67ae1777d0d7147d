"""The shelf: every book is right, asks its whole sheet in its tests, and says what it was checked against."""

import re

import pytest

from api.books.book_file import parse_book, read_book
from api.books.check import run_tests
from api.books.examples import EXAMPLES, SHELF

LEAST_TESTS = 25


@pytest.mark.parametrize("name", SHELF)
def test_every_test_of_a_book_is_right(name: str) -> None:
    results = list(run_tests(read_book(SHELF[name])))

    assert len(results) >= LEAST_TESTS
    assert [(result.test.name, result.wrong) for result in results if result.wrong] == []


@pytest.mark.parametrize("name", SHELF)
def test_the_tests_ask_every_rule_and_every_question_of_the_sheet(name: str) -> None:
    book = read_book(SHELF[name]).file
    asked = {test.question.get("rule", test.question["kind"]) for test in book.tests}
    program = book.program
    called = {
        node.text for rule in program.rules.values() for node in rule.tree.walk() if node.kind in ("name", "call")
    }

    assert {line.rule or line.ask for line in book.sheet} <= asked
    assert {rule for rule in program.rules if rule not in called} <= {rule.replace("-", "_") for rule in asked} | {
        "coherent"
    }


@pytest.mark.parametrize("name", SHELF)
def test_another_answer_or_number_than_the_right_one_is_found(name: str) -> None:
    text = SHELF[name].read_text(encoding="utf-8")
    text = re.sub(r'^answer = "(yes|no)"', lambda m: f'answer = "{"no" if m[1] == "yes" else "yes"}"', text, flags=re.M)
    text = re.sub(r"^(margin_mm|length_mm) = .*", r"\1 = 777.7", text, flags=re.M)
    text = re.sub(r"number = -?[0-9.]+", "number = 77", text)
    results = [r for r in run_tests(parse_book(text.encode(), name=name)) if r.test.answer or "number" in r.test.value]

    assert results
    assert [result.test.name for result in results if not result.wrong] == []


@pytest.mark.parametrize("name", SHELF)
def test_a_book_says_what_was_checked_or_that_it_is_invented(name: str) -> None:
    head = SHELF[name].read_text(encoding="utf-8").partition("format = 1")[0]

    assert ("Checked against" in head and "Not checked" in head) or "invented game" in head


def test_there_are_ten_books_none_of_the_name_of_an_example() -> None:
    assert len(SHELF) >= 10
    assert not SHELF.keys() & EXAMPLES.keys()
