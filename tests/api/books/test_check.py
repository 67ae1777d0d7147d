"""Checking a book: its own tests are asked of the referee, and the examples that are shipped are right."""

import pytest

from api.books.book_file import parse_book
from api.books.check import run_tests
from api.books.examples import EXAMPLES
from api.errors import BadBook
from referee import ask
from tests.api.books.files import HEAD, PAIR, read


def _test(question: str, right: str) -> str:
    return f"[[tests]]\nname = 'one'\ntable = 'plain'\nquestion = {question}\n{right}\n"


WITHIN = "{ kind = 'within', a = 'a', b = 'b', range_in = 'near' }"
RANGES = "[ranges]\nnear = 3\n"


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_shipped_example_has_thirty_tests_and_all_are_right(name: str) -> None:
    results = list(run_tests(parse_book(EXAMPLES[name].read_bytes(), name=name)))

    assert len(results) >= 30
    assert [(one.test.name, one.wrong) for one in results if one.wrong] == []


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_tests_of_an_example_ask_every_question_of_its_sheet(name: str) -> None:
    file = parse_book(EXAMPLES[name].read_bytes(), name=name).file

    assert {line.ask for line in file.sheet} <= {test.question["kind"] for test in file.tests}


@pytest.mark.parametrize("name", EXAMPLES)
def test_another_answer_than_the_right_one_is_found_in_every_test(name: str) -> None:
    """No test is right whatever is answered: what is told as right is turned round, and then it is wrong."""
    other = {"yes": "no", "no": "yes"}
    text = EXAMPLES[name].read_text(encoding="utf-8")
    for word in other:
        text = text.replace(f'answer = "{word}"', f'answer = "~{word}"')
    for word, turned in other.items():
        text = text.replace(f'answer = "~{word}"', f'answer = "{turned}"')
    results = [one for one in run_tests(parse_book(text.encode(), name=name)) if one.test.answer is not None]

    assert all(one.wrong for one in results)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("answer = 'yes'", ()),
        ("answer = 'no'", ("answer: yes, not no",)),
        ("margin_mm = 6.2", ()),
        ("margin_mm = 7", ("margin_mm: 6.20, not 7",)),
        ("length_mm = 70", ()),
        ("length_mm = 71", ("length_mm: 70.00, not 71",)),
        ("value = { distance_mm = 70 }", ()),
        ("value = { distance_mm = 60 }", ("distance_mm: 70, not 60",)),
        ("members = ['a']", ("members: nobody, not a",)),
    ],
)
def test_what_differs_is_told(right: str, wrong: tuple[str, ...]) -> None:
    (result,) = run_tests(read(RANGES + PAIR + _test(WITHIN, right)))

    assert result.wrong == wrong


def test_a_test_may_place_and_turn_them_otherwise() -> None:
    asked = "{ kind = 'arc', viewer = 'a', target = 'b' }"
    more = "value = { arc = 'back' }\nturn = { a = 180 }\nplace = { b = [420, 300] }"
    (result,) = run_tests(read(PAIR + _test(asked, more)))

    assert result.wrong == ()


@pytest.mark.parametrize(
    ("text", "field", "says"),
    [
        (PAIR + _test(WITHIN, "answer = 'yes'"), "tests.0.question", "no range 'near'"),
        (PAIR + _test("{ kind = 'far' }", "answer = 'yes'"), "tests.0.question.kind", "no question 'far'"),
        (PAIR + _test("{ kind = 'b2b', a = 'a', b = 'z' }", "answer = 'yes'"), "tests.0.b", "z"),
        (PAIR + _test("{ kind = 'b2b', a = 'a', b = 'b' }", "answer = 'yes'\nplace = { z = [1, 2] }"), "tests.0.place",
         "no miniature 'z'"),
        (PAIR.replace("diameter_mm = 30", "diameter_mm = -3", 1) + _test("{ kind = 'b2b', a = 'a', b = 'b' }",
         "answer = 'yes'"), "tables.plain.miniatures.0.base.diameter_mm", "greater than 0"),
    ],
)  # fmt: skip
def test_a_test_that_cannot_be_asked_is_a_fault_of_the_file(text: str, field: str, says: str) -> None:
    with pytest.raises(BadBook, match=says) as refused:
        list(run_tests(read(text)))

    assert refused.value.field == field
    assert refused.value.facts["line"] > 2


def test_a_verdict_names_the_book_its_section_and_its_page_in_its_own_words() -> None:
    text = (
        "[sources]\nopen-measure = { section = 'The stick', page = 7 }\n[texts]\nopen-measure = 'From rim to rim.'\n"
        "too-close = 'Toss a coin.'\n"
    )
    (result,) = run_tests(read(RANGES + text + PAIR + _test(WITHIN, "answer = 'yes'")))

    (reason,) = result.verdict.because
    assert (reason.source.book, reason.source.section, reason.source.page) == ("Steel 1.0", "The stick", 7)
    assert reason.says == "From rim to rim."
    assert result.verdict.book == read(RANGES + text + PAIR + _test(WITHIN, "answer = 'yes'")).in_play.stamp


def test_under_another_rulebook_the_written_one_says_nothing() -> None:
    from api.books.check import table_of
    from models.parsing import parse_query

    state = table_of(read(PAIR), "plain")
    verdict = ask(state.in_edition("warmachine-prime", state.book), parse_query({"kind": "b2b", "a": "a", "b": "b"}))

    assert verdict.book is None
    assert HEAD.splitlines()[0] not in str(verdict.because)
