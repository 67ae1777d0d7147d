"""Check: a book's tests, asked of the referee by its own settings."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from api.books.book_file import BookTest, ReadBook, fault_error, name_fault
from models.errors import BadInput, BadQuery
from models.parsing import parse_query
from models.queries import BaseQuery
from models.state import TableState
from models.verdict import Verdict
from models.vocabulary import OPEN_EDITION
from models.written_book import BookFault
from referee import ask

_CLOSE_MM = 0.05


@dataclass(frozen=True)
class TestResult:
    """One test with what was answered; `wrong` says what differs, nothing when all is right."""

    test: BookTest
    state: TableState
    verdict: Verdict
    wrong: tuple[str, ...]

    __test__ = False  # the name is the trade's, and pytest collects by it


def run_tests(book: ReadBook) -> Iterator[TestResult]:
    """Every test in its order. Raises: BadBook where a table is none, or a question is not well formed."""
    tables = {name: table_of(book, name) for name in book.file.tables}
    questions = [_question_of(book, k) for k in range(len(book.file.tests))]
    for k, test in enumerate(book.file.tests):
        try:
            state = _arrange(tables[test.table], test)
            verdict = ask(state, questions[k])
        except BadInput as wrong:
            raise fault_error(_at(k, wrong), book.text, book.path) from wrong
        yield TestResult(test, state, verdict, tuple(_differences(test, verdict)))


def table_of(book: ReadBook, name: str) -> TableState:
    """A table of the file, judged by its book. Raises: BadBook."""
    content = book.file.tables[name]
    try:
        return TableState.model_validate(
            {**content, "edition": OPEN_EDITION, "book": book.in_play.model_dump(exclude_unset=True)}
        )
    except ValidationError as wrong:
        raise name_fault(wrong, content, book.text, book.path, below=("tables", name)) from wrong


def _arrange(state: TableState, test: BookTest) -> TableState:
    """The table with some of them elsewhere. Raises: BadInput naming a miniature that does not stand on it."""
    ids = {m.id for m in state.miniatures}
    for field, changes in (("place", test.place), ("turn", test.turn)):
        for id_ in changes:
            if id_ not in ids:
                raise BadInput(f"there is no miniature {id_!r} on the table", field=field, value=id_)
    if not test.place and not test.turn:
        return state
    miniatures = []
    for miniature in state.miniatures:
        fields = miniature.model_dump(exclude_unset=True)
        fields |= {"at_mm": test.place[miniature.id]} if miniature.id in test.place else {}
        fields |= {"facing_deg": test.turn[miniature.id]} if miniature.id in test.turn else {}
        miniatures.append(type(miniature).model_validate(fields))
    return state.with_miniatures(tuple(miniatures))


def resolve_ranges(book: ReadBook, question: Mapping[str, Any]) -> dict[str, Any]:
    """The question with lengths in place of the names of ranges. Raises: KeyError."""
    return {
        field: book.file.range_in(value) if field.endswith("_in") and isinstance(value, str) else value
        for field, value in question.items()
    }


def _question_of(book: ReadBook, k: int) -> BaseQuery:
    try:
        return parse_query(resolve_ranges(book, book.file.tests[k].question))
    except BadQuery as wrong:
        raise fault_error(_at(k, wrong, "question"), book.text, book.path) from wrong
    except KeyError as wrong:
        says = f"there is no range {wrong.args[0]!r}, only {', '.join(book.file.ranges) or 'none'}"
        raise fault_error(BookFault(("tests", k, "question"), wrong.args[0], says), book.text, book.path) from wrong


def _at(k: int, wrong: BadInput, *under: str) -> BookFault:
    path = (*under, *(wrong.field or "").split(".")) if wrong.field else under
    return BookFault(("tests", k, *path), wrong.value, wrong.detail)


def _differences(test: BookTest, verdict: Verdict) -> Iterator[str]:
    """What the test calls right and the verdict does not."""
    if test.answer is not None and verdict.answer != test.answer:
        yield f"answer: {verdict.answer or verdict.status}, not {test.answer}"
    if test.margin_mm is not None:
        margin = verdict.margin_mm
        if margin is None or abs(margin - test.margin_mm) > _CLOSE_MM:
            yield f"margin_mm: {'none' if margin is None else f'{margin:.2f}'}, not {test.margin_mm:g}"
    if test.length_mm is not None:
        length = verdict.measured[0].value_mm if verdict.measured else None
        if length is None or abs(length - test.length_mm) > _CLOSE_MM:
            yield f"length_mm: {'none' if length is None else f'{length:.2f}'}, not {test.length_mm:g}"
    if test.members is not None:
        those = sorted(member.id for member in verdict.members if member.answer == "yes")
        if those != sorted(test.members):
            yield f"members: {', '.join(those) or 'nobody'}, not {', '.join(sorted(test.members)) or 'nobody'}"
    yield from _value_differences(test.value, verdict.value)


def _value_differences(right: Mapping[str, Any], actual: Mapping[str, Any]) -> Iterator[str]:
    for key, wanted in right.items():
        got = actual.get(key)
        if isinstance(wanted, dict) and isinstance(got, dict):
            yield from (f"{key}.{difference}" for difference in _value_differences(wanted, got))
        elif isinstance(wanted, int | float) and isinstance(got, int | float) and not isinstance(wanted, bool):
            if abs(wanted - got) > _CLOSE_MM:
                yield f"{key}: {got:g}, not {wanted:g}"
        elif got != wanted:
            yield f"{key}: {got!r}, not {wanted!r}"
