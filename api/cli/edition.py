"""`tableside edition`: a rulebook written as data is checked, shown and tried."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from api.answers.pair_sheet import Sheet
    from api.books.book_file import ReadBook
    from api.books.check import TestResult
    from models.state import TableState

command = typer.Typer(help="A rulebook of your own, written as data: check it, show it, try it.", no_args_is_help=True)

BookPath = Annotated[Path, typer.Argument(help="FILE.toml, a rulebook written as data.", metavar="FILE")]
AsJson = Annotated[bool, typer.Option("--json", help="Print it as JSON.")]


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.add_typer(command, name="edition")


@command.command("check")
def check_book(file: BookPath, as_json: AsJson = False) -> None:
    """Read the book over and ask its tests; say what is wrong, with key, line and value."""
    from api.books.book_file import read_book
    from api.books.check import run_tests

    book = read_book(file)
    results = list(run_tests(book))
    failed = [one for one in results if one.wrong]
    if as_json:
        typer.echo(json.dumps({**_stamp(book), "tests": len(results), "wrong": [_tell_failure(one) for one in failed]}))
    else:
        for one in failed:
            typer.echo(f"wrong: {one.test.name}: {'; '.join(one.wrong)}")
        typer.echo(f"{book.in_play.stamp.title()}: {len(results) - len(failed)} of {len(results)} tests are right")
    if failed:
        _refuse(book, results)


@command.command("show")
def show_book(file: BookPath, as_json: AsJson = False) -> None:
    """What the book decides, in plain words: its settings, ranges, actions and the sheet's questions."""
    from api.books.book_file import read_book

    book = read_book(file)
    if as_json:
        told = book.in_play.rules.model_dump(mode="json", exclude_unset=True)
        typer.echo(json.dumps({**_stamp(book), "readings": book.in_play.rules.readings(), "book": told}))
    else:
        typer.echo("\n".join(_describe(book)))


@command.command("try")
def try_book(
    file: BookPath,
    a: Annotated[str, typer.Option("--a", help="Who asks; the table's first when left out.")] = "",
    b: Annotated[str, typer.Option("--b", help="About whom; the table's second when left out.")] = "",
    table: Annotated[str, typer.Option(help="A table of the file; its first when left out.")] = "",
    state: Annotated[Path | None, typer.Option(help="A state file instead.")] = None,
    as_json: AsJson = False,
) -> None:
    """The sheet about two miniatures as the phone shows it, by this book."""
    from api.answers.pair_sheet import Pair, pair_sheet
    from api.books.book_file import read_book
    from models.errors import BadInput
    from referee import ask

    book = read_book(file)
    stand = _table(book, table, state)
    ids = [m.id for m in stand.miniatures]
    if len(ids) < 2:
        raise BadInput("a sheet is about two miniatures: this table has fewer", field="table", value=table or None)
    first = a or ids[0]
    sheet = pair_sheet(stand, Pair(a=first, b=b or next(id_ for id_ in ids if id_ != first)), ask=ask)
    typer.echo(sheet.model_dump_json() if as_json else "\n".join(_sheet_lines(sheet)))


@command.command("example")
def print_example(
    name: Annotated[str, typer.Argument(help="lantern-street, a skirmish, or pike-and-banner, a ranked game.")],
) -> None:
    """Print a whole book that comes with the program, to copy and to change."""
    from api.books.examples import example_text

    typer.echo(example_text(name), nl=False)


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


def _stamp(book: "ReadBook") -> dict[str, str]:
    return book.in_play.stamp.model_dump()


def _tell_failure(one: "TestResult") -> dict[str, object]:
    return {
        "name": one.test.name,
        "wrong": one.wrong,
        "verdict": one.verdict.model_dump(mode="json", exclude_none=True),
    }


def _refuse(book: "ReadBook", results: "list[TestResult]") -> None:
    """Raises: WrongAnswers, naming the first test that is answered otherwise."""
    from api.books.line_numbers import line_of
    from api.errors import WrongAnswers

    k, first = next((k, one) for k, one in enumerate(results) if one.wrong)
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
        does = HOUSE_RULES[rule.key].means[chosen if rule.readings else "number"]
        told = does if rule.readings else f"{chosen} {does}"
        yield f"{'*' if rule.key in own else ' '} {rule.doubt}: {told} ({rule.key}){_place(book, rule.key)}"
    yield "(* chosen by the book)"
    for name in rules.ranges:
        yield f"range {name}: {rules.range_in(name):g} in{_place(book, name)}"
    for name, action in rules.actions.items():
        fields = action.model_dump(exclude_defaults=True).items()
        told_by = ", ".join(key.replace("_", " ") if value is True else f"{key} {value}" for key, value in fields)
        yield f"action {name}: {told_by or 'as far as the card says'}{_place(book, name)}"
    for line in rules.sheet:
        yield f"sheet: {line.title}{' (both ways)' if line.both else ''}"
    yield f"{len(book.file.tests)} tests"


def _place(book: "ReadBook", key: str) -> str:
    told = book.in_play.rules.sources.get(key)
    if told is None:
        return ""
    return f", {told.section}{f', p. {told.page}' if told.page else ''}"


def _sheet_lines(sheet: "Sheet") -> Iterator[str]:
    yield f"A is {sheet.a}, B is {sheet.b}"
    for line in sheet.lines:
        margin = line.verdict.margin_mm if line.verdict is not None else None
        spare = "" if margin is None or line.verdict is None or line.verdict.capped else f"  {margin:+.1f} mm"
        yield f"{line.title}: {line.headline}{spare}"
