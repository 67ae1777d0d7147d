"""`tableside edition`: a rulebook written as data is checked, shown and tried."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.invocation import wants_json

if TYPE_CHECKING:
    from api.answers.pair_sheet import Sheet
    from api.books.book_file import ReadBook
    from api.books.check import TestResult
    from models.state import TableState


BookPath = Annotated[Path, typer.Argument(help="FILE.toml, a rulebook written as data.", metavar="FILE")]
BookOrExample = Annotated[
    str,
    typer.Argument(help="FILE.toml, or a book that ships: lantern-street, pike-and-banner, curling, far-future ..."),
]
AsText = Annotated[bool, typer.Option("--text", help="Print the file itself, to copy and to change.")]


def check_book(context: typer.Context, file: BookPath) -> None:
    """Read the book over and ask its tests; say what is wrong, with key, line and value."""
    from api.books.book_file import read_book
    from api.books.check import run_tests

    book = read_book(file)
    results = list(run_tests(book))
    failed = [result for result in results if result.wrong]
    if wants_json(context):
        typer.echo(json.dumps({**_stamp(book), "tests": len(results), "wrong": list(map(_failure_facts, failed))}))
    else:
        for result in failed:
            typer.echo(f"wrong: {result.test.name}: {'; '.join(result.wrong)}")
        typer.echo(f"{book.in_play.stamp.title()}: {len(results) - len(failed)} of {len(results)} tests are right")
    if failed:
        _refuse(book, results)


def begin_book(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="FILE.toml, which must not be there yet.", metavar="FILE")],
) -> None:
    """Begin a book by a few questions: settings, ranges, a charge, a sheet, a table and its first tests."""
    from api.books.new_book import QUESTIONS, find_fault, write_book
    from api.storage.files import write_whole
    from models.errors import BadInput

    if file.exists():
        raise BadInput(f"{file} is there already: name another file", field="file", value=str(file))
    answers: dict[str, str] = {}
    for question in QUESTIONS:
        while True:
            answer = typer.prompt(question.asks, default=question.default, err=True).strip()
            if (says := find_fault(answers | {question.key: answer})) is None:
                break
            typer.echo(f"That does not do: {says}", err=True)
        answers[question.key] = answer
    write_whole(file, write_book(answers).encode())
    check_book(context, file)


def show_book(context: typer.Context, file: BookOrExample, text: AsText = False) -> None:
    """What the book decides, in plain words: its settings, ranges, rules and the sheet's questions."""
    from api.books.book_file import parse_book, read_book
    from api.books.examples import SHIPPED, example_text

    is_example = file in SHIPPED
    book = parse_book(example_text(file).encode(), name=f"{file}.toml") if is_example else read_book(Path(file))
    if text:
        typer.echo(book.text, nl=False)
    elif wants_json(context):
        rules = book.in_play.rules.model_dump(mode="json", exclude_unset=True)
        typer.echo(json.dumps({**_stamp(book), "readings": book.in_play.rules.readings(), "book": rules}))
    else:
        typer.echo("\n".join(_describe(book)))


def try_book(
    context: typer.Context,
    file: BookPath,
    a: Annotated[str, typer.Option("--a", help="The asking miniature; the table's first when left out.")] = "",
    b: Annotated[str, typer.Option("--b", help="The other; the table's second when left out.")] = "",
    table: Annotated[str, typer.Option(help="A table of the file; its first when left out.")] = "",
    state: Annotated[Path | None, typer.Option(help="A state file instead.")] = None,
    port: Annotated[
        int | None, typer.Option(help="Show it on a page at this port, which follows the file as it is saved.")
    ] = None,
) -> None:
    """The sheet about two miniatures as the phone shows it, by this book; or the page itself."""
    from api.answers.pair_sheet import Pair, pair_sheet
    from api.books.book_file import read_book
    from models.errors import BadInput
    from referee import ask

    book = read_book(file)
    stand = _table(book, table, state)
    if port is not None:
        _serve_trial(context, file, partial(_table, name=table, state=state), port)
        return
    ids = [m.id for m in stand.miniatures]
    if len(ids) < 2:
        raise BadInput("a sheet is about two miniatures: this table has fewer", field="table", value=table or None)
    first = a or ids[0]
    sheet = pair_sheet(stand, Pair(a=first, b=b or next(id_ for id_ in ids if id_ != first)), ask=ask)
    typer.echo(sheet.model_dump_json() if wants_json(context) else "\n".join(_sheet_lines(sheet)))


def _table(book: "ReadBook", name: str, state: Path | None) -> "TableState":
    """The table that was named, by this book. Raises: BadInput, BadFile, BadState, BadBook."""
    from api.books.check import table_of
    from api.storage.files import load
    from models.errors import BadInput, BadState
    from models.state import TableState
    from models.vocabulary import OPEN_EDITION

    if state is not None:
        return load(TableState, state, error=BadState).in_edition(OPEN_EDITION, book.in_play)
    chosen = name or next(iter(book.file.tables), "")
    if chosen not in book.file.tables:
        known = ", ".join(book.file.tables) or "none"
        says = f"table: the file has no table {chosen!r}, only {known}; or name a state file with --state"
        raise BadInput(says, field="table", value=chosen or None)
    return table_of(book, chosen)


def _serve_trial(context: typer.Context, file: Path, table_of: "Callable[[ReadBook], TableState]", port: int) -> None:
    from api.cli.hosting_options import listen_on
    from api.server.book_trial import serve_trial

    serve_trial(file, table_of, listen_on(context, "0.0.0.0", port))


def _stamp(book: "ReadBook") -> dict[str, str]:
    return book.in_play.stamp.model_dump()


def _failure_facts(result: "TestResult") -> dict[str, object]:
    return {
        "name": result.test.name,
        "wrong": result.wrong,
        "verdict": result.verdict.model_dump(mode="json", exclude_none=True),
    }


def _refuse(book: "ReadBook", results: "list[TestResult]") -> None:
    """Raises: WrongAnswers, naming the first test that is answered otherwise."""
    from api.books.line_numbers import line_of
    from api.errors import WrongAnswers

    k, first = next((k, result) for k, result in enumerate(results) if result.wrong)
    line = line_of(book.text, ("tests", k))
    says = f"{book.path}: line {line}: test {first.test.name!r}: {'; '.join(first.wrong)}"
    raise WrongAnswers(says, field=f"tests.{k}", value=first.test.name, line=line)


def _describe(book: "ReadBook") -> Iterator[str]:
    from models.house_rules import HOUSE_RULES, OPEN_SETTINGS, PRESET_KEY

    rules, stamp = book.in_play.rules, book.in_play.stamp
    yield f"{stamp.title()}{f', by {rules.author}' if rules.author else ''}"
    yield f"sha256 {stamp.sha256}"
    if about := rules.texts.get("about"):
        yield about
    yield ""
    own = rules.readings()
    for rule in (rule for rule in OPEN_SETTINGS if rule.key != PRESET_KEY):
        chosen = own.get(rule.key, rule.defaults["open"])
        meaning = HOUSE_RULES[rule.key].means[chosen if rule.readings else "number"]
        says = meaning if rule.readings else f"{chosen} {meaning}"
        yield f"{'*' if rule.key in own else ' '} {rule.doubt}: {says} ({rule.key}){_place(book, rule.key)}"
    yield "(* chosen by the book)"
    for name in rules.ranges:
        yield f"range {name}: {rules.range_in(name):g} in{_place(book, name)}"
    for name, written in rules.rules.items():
        yield f"rule {name}: {written if isinstance(written, str) else written.gives}{_place(book, name)}"
    for line in rules.sheet:
        yield f"sheet: {line.title}{' (both ways)' if line.both else ''}"
    yield f"{len(book.file.tests)} tests"


def _place(book: "ReadBook", key: str) -> str:
    source = book.in_play.rules.sources.get(key)
    if source is None:
        return ""
    return f", {source.section}{f', p. {source.page}' if source.page else ''}"


def _sheet_lines(sheet: "Sheet") -> Iterator[str]:
    yield f"A is {sheet.a}, B is {sheet.b}"
    for line in sheet.lines:
        margin = line.verdict.margin_mm if line.verdict is not None else None
        spare = "" if margin is None or line.verdict is None or line.verdict.capped else f"  {margin:+.1f} mm"
        yield f"{line.title}: {line.headline}{spare}{f'  ({line.note})' if line.note else ''}"
