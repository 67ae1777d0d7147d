"""Write the pages of docs/ that come from the code: `make pages`. A test holds that they are current."""

import importlib.util
import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import takewhile
from pathlib import Path

from pydantic.fields import FieldInfo

from api.books.book_file import BookFile, ReadBook, read_book
from api.books.check import TestResult, run_tests
from api.books.examples import SHELF
from api.cli import exit_code
from api.cli.settings import HallSettings, Settings, variable_of, write_value
from models.book_language import declarations as language
from models.errors import BadInput, TablesideError, WorldError
from models.queries import QUERY_CLASSES, BaseQuery
from referee import EDITIONS
from referee.verdicts.svg import draw
from scripts.docs_editions import edition_pages
from scripts.docs_http_api import api_page, hub_page

DOCS = Path(__file__).parents[1] / "docs"
SCHEMA = "editions/written-book.schema.json"
_ERRORS_HEAD = """\
# Errors

<!-- Written by scripts/generate_docs.py from the classes of errors; run `make pages` after changing one. -->

Every error is one problem object (RFC 9457): on standard error of the command line, as the body of an HTTP answer, or
on the phone. `type` is the stable code below, `detail` a sentence for people; `field` and `value` name invalid input.

| code | title | who can mend it | exit | HTTP | what happened |
|---|---|---|---|---|---|
"""
_QUERIES_HEAD = f"""\
# Questions

<!-- Written by scripts/generate_docs.py from models/queries/; run `make pages` after changing a question. -->

Each is one JSON object, `{{"kind": ..., ...}}`, for `tableside ask` and for the server. `tableside queries` prints the
same as JSON Schema. Every question may also carry `asked_by`: {BaseQuery.model_fields["asked_by"].description}.
"""
_SETTINGS_HEAD = """\
# Settings: what a table sets once

<!-- Written by scripts/generate_docs.py from api/cli/settings.py; run `make pages` after changing a key. -->

`tableside.toml` of the folder in which a command runs, or the file or folder that `--settings` names behind a command.
`tableside setup` writes one, `tableside doctor` proposes what else this machine would do better with.

```toml
source = "0"
camera = "camera.json"
layout = "layout.json"
edition = "warmachine-prime"
names = ["club.example"]
```

With it `tableside serve` needs no option. An option of a command comes first, then a variable of the environment
(`TABLESIDE_` and the key, a list as JSON), then the file. Names of files are relative to it. An unknown key, or a wrong
value, ends a command with the line, the key and the value. `tableside demo` takes host, port and names alone.
"""
_LANGUAGE_HEAD = """\
# The language of rules

<!-- Written by scripts/generate_docs.py from models/book_language/declarations.py; run `make pages` after a change. -->

What the expressions under `[rules]` of [a rulebook that you write](writing-one.md) are made of. Nothing in them is run
as a program: they are parsed and typed when the book is read, and evaluated in counted steps on the geometry of the
built-in questions.

- `and`, `or`, `not`; `if CONDITION then X else Y`; `<`, `<=`, `==`, `!=`, `>=`, `>`; `+`, `-`, `*`, `/`; brackets.
- `FUNCTION(x in GROUP where CONDITION)` and `FUNCTION(VALUE for x in GROUP where CONDITION)` go over a group; `where`
  may be left out.
- `least(x in GROUP by VALUE)` and `greatest` pick one; `those(x in GROUP where CONDITION)` is a smaller group.
- `==` and `!=` compare words and things, too; words stand in quotes.
- Exactly at a limit `<=` is met and `<` is not, whatever the settings say; `within` asks the settings.
- A text has at most 2,000 characters, 400 steps and 40 levels, and three groups within each other; one question goes
  over at most 20,000 steps on a table.
"""
RECIPES = {
    "a charge by dice that may end an inch short": "free_way(a, b, 1) and way(a, b, 1) <= 2D6",
    "beside it the roll from which on it has to touch": "free_way(a, b) and way(a, b) <= 2D6",
    "a charge at two, within an inch of both at its end": "way(a, those(x in enemies where x == b or x == c), 1) "
    "<= 2D6",
    "engaged within 1 inch across and 5 up": "distance(a, b) <= 1 and height_gap(a, b) <= 5",
    "together: one neighbour, two from seven on": "count(x in unit(a) where x != a and distance(a, x) <= 2) >= "
    "(if count(x in unit(a)) >= 7 then 2 else 1)",
    "an aura: who stands in it": "count(x in friends where distance(a, x) <= 6)",
    "whether one stands in such an aura": 'any(distance(a, x) <= 6 and has(x, "standard") for x in friends)',
    "a modifier by what hides how much": 'if hidden_share(a, b, those(x in terrain where kind(x) == "wall")) >= 50 % '
    "then 2 else if covered(a, b) then 1 else 0",
    "which floor of a ruin, three inches each": "whole(ground(a) / 3 in)",
    "reserves: from the near edge, away from every foe": 'distance(a, edge("near")) <= 6 '
    "and all(distance(a, x) > 9 for x in enemies)",
    "deployment by scenario": 'in_area(a, thing(if scenario() == "ambush" then "left-zone" else "home-zone"))',
    "only in a phase, by who has not moved": 'phase() == "shooting" and moved(a) <= 0.1',
    "a number of its card, or of a table of the book": 'stat(b, "defence") + look_up("bonus", name(b))',
    "who holds an objective": 'count(x in friends where distance(x, thing("relic")) <= 3) > '
    'count(x in enemies where distance(x, thing("relic")) <= 3)',
    "points of a disc in rings": "if distance(a, point(13, 13)) <= 4 then 15 else 10",
}
"""What books often need, each as one rule; the tests read them."""
PACKAGES = ("api", "calibration", "models", "referee", "tableside", "vision")


def main() -> None:
    """Write every page."""
    for name, text in generated_pages().items():
        (DOCS / name).parent.mkdir(parents=True, exist_ok=True)
        (DOCS / name).write_text(text, encoding="utf-8", newline="\n")
    for path in stale_pages():
        path.unlink()


@cache
def generated_pages() -> dict[str, str]:
    """File name and text of every page that comes from the code."""
    schema = json.dumps(BookFile.model_json_schema(), indent=1, ensure_ascii=False) + "\n"
    pages = {"api.md": api_page(), "hub-api.md": hub_page(), "errors.md": errors_page(), "queries.md": queries_page()}
    pages |= {"settings.md": settings_page(), SCHEMA: schema, "editions/language.md": language_page()}
    pages |= shelf_pages()
    return pages | edition_pages()


def stale_pages() -> list[Path]:
    """Files among the pages of the editions that nothing writes any more; what is written by hand stays."""
    current = {*generated_pages(), "editions/writing-one.md", "editions/abilities.md", "editions/ability-kinds.md"}
    return [p for p in (DOCS / "editions").rglob("*.*") if p.relative_to(DOCS).as_posix() not in current]


def errors_page() -> str:
    """Every stable code with what it means and what it does to exit code and HTTP status."""
    rows = [_error_row(cls) for cls in sorted(all_errors(), key=lambda cls: cls.code)]
    return _ERRORS_HEAD + "\n".join(rows) + "\n"


def language_page() -> str:
    """Every type, function and group of the language that written rulebooks state rules in."""
    functions = "".join(f"| `{f.signature()}` | {f.gives} | {f.about} |\n" for f in language.FUNCTIONS.values())
    functions += "".join(f"| `{name}(…)` | as given | {about} |\n" for name, about in language.FREE_FUNCTIONS.items())
    tables = (
        ("Functions", "| function | gives | what |\n|---|---|---|\n", functions),
        ("Over a group", _TWO_COLUMNS, _rows(language.EACH)),
        ("Groups", _TWO_COLUMNS, _rows({name: about for name, (_, about) in language.GROUPS.items()})),
        ("Types", _TWO_COLUMNS, _rows({str(name): about for name, about in language.ABOUT_TYPES.items()})),
    )
    recipes = "\n## Recipes\n\n| for | rule |\n|---|---|\n" + "".join(
        f"| {what} | `{rule}` |\n" for what, rule in RECIPES.items()
    )
    return _LANGUAGE_HEAD + recipes + "".join(f"\n## {title}\n\n{head}{rows}" for title, head, rows in tables)


_TWO_COLUMNS = "| word | what |\n|---|---|\n"


def _rows(about: Mapping[str, str]) -> str:
    return "".join(f"| `{name}` | {says} |\n" for name, says in about.items())


def shelf_pages() -> dict[str, str]:
    """The gallery: every book of the shelf with what it says of itself, what it asks, and tests of its own drawn."""
    books = {name: read_book(path) for name, path in SHELF.items()}
    shown = {name: _most_drawn(list(run_tests(book))) for name, book in books.items()}
    page = _SHELF_HEAD + "".join(_shelf_entry(name, book, shown[name]) for name, book in books.items())
    pictures = {_picture_of(name, k): draw(r.state, r.verdict) for name, rs in shown.items() for k, r in enumerate(rs)}
    return {"editions/shelf.md": page} | {f"editions/{file}": svg for file, svg in pictures.items()}


def _most_drawn(results: list[TestResult]) -> list[TestResult]:
    """Two tests that there is most to see of, of different questions."""
    asked: dict[str, TestResult] = {}
    for result in sorted(results, key=lambda r: (-len(r.verdict.witness), -len(r.verdict.members))):
        asked.setdefault(result.test.question.get("rule", result.verdict.kind), result)
    return list(asked.values())[:2]


def _picture_of(name: str, k: int) -> str:
    return f"shelf/{name}-{k + 1}.svg"


_SHELF_HEAD = """\
# Books on the shelf

<!-- Written by scripts/generate_docs.py from referee/editions/shelf/; run `make pages` after changing a book. -->

Books that ship with Tableside, to play by and to change: distances, angles and conditions in our own words. `tableside
edition show curling --text > my-curling.toml` gives you one, `extends = "curling 1.0"` builds on it. Each says what it
was checked against, and what not. The pictures are two of its own tests, drawn by the referee.
"""


def _shelf_entry(name: str, book: ReadBook, shown: list[TestResult]) -> str:
    lines = takewhile(lambda line: line.startswith("#"), book.text.splitlines())
    about = " ".join(line.lstrip("# ") for line in lines)
    asks = ", ".join(f"`{rule}`" for rule in book.file.rules)
    drawn = "".join(
        f"\n![{result.test.name}]({_picture_of(name, k)})\n\n{result.test.name}.\n" for k, result in enumerate(shown)
    )
    return f"\n## `{name}`\n\n{about}\n{drawn}\nRules: {asks}. Tests worked by hand: {len(book.file.tests)}.\n"


def queries_page() -> str:
    """Every question with its fields and the editions that answer it."""
    return _QUERIES_HEAD + "".join(f"{line}\n" for cls in QUERY_CLASSES for line in _question(cls))


def settings_page() -> str:
    """Every key of `tableside.toml` with its default and its variable."""
    own = [_setting_row(name, field, variable_of(name)) for name, field in Settings.model_fields.items()]
    hall = [_setting_row(name, field) for name, field in HallSettings.model_fields.items()]
    head = "\n| key | default | meaning | variable |\n|---|---|---|---|\n"
    section = "\n\n## `[hall]`: the hub's machine\n\n| key | default | meaning |\n|---|---|---|\n"
    return _SETTINGS_HEAD + head + "\n".join(own) + section + "\n".join(hall) + "\n"


def _setting_row(name: str, field: FieldInfo, *more: str) -> str:
    default = "" if field.default in (None, (), HallSettings()) else f"`{write_value(field.default)}`"
    return f"| `{name}` | {default} | {field.description} |" + "".join(f" `{text}` |" for text in more)


def all_errors() -> list[type[TablesideError]]:
    """Every class of error in the house, the roots included; each package keeps its own in one `errors.py`."""
    for package in (*PACKAGES, "api.hall"):
        if importlib.util.find_spec(f"{package}.errors"):
            importlib.import_module(f"{package}.errors")
    return [TablesideError, *_subclasses_of(TablesideError)]


def _subclasses_of(cls: type[TablesideError]) -> Iterator[type[TablesideError]]:
    for child in cls.__subclasses__():
        yield child
        yield from _subclasses_of(child)


def _error_row(cls: type[TablesideError]) -> str:
    example = cls("")
    meaning = _one_line(cls.__doc__ or "")
    return f"| `{cls.code}` | {cls.title} | {_mender(cls)} | {exit_code(example)} | {cls.status} | {meaning} |"


def _mender(cls: type[TablesideError]) -> str:
    if issubclass(cls, BadInput):
        return "who asked"
    return "who minds the table" if issubclass(cls, WorldError) else "we"


def _question(cls: type[BaseQuery]) -> Iterator[str]:
    kind = cls.model_fields["kind"].default
    about = _one_line((cls.__doc__ or "").partition("\n")[2])
    yield from ("", f"## `{kind}`: {cls.title()}", "", about, "", "| field | | meaning |", "|---|---|---|")
    properties = cls.schema_of_fields()["properties"]
    for name, field in cls.model_fields.items():
        if name not in {"kind", "asked_by"}:
            need = "required" if field.is_required() else "optional"
            yield f"| `{name}` | {need} | {_describe_field(field.description, properties[name])} |"
    yield from ("", f"Answered in: {_editions_with(cls)}.")


def _editions_with(cls: type[BaseQuery]) -> str:
    return (
        ", ".join(f"`{name}`" for name, edition in sorted(EDITIONS.items()) if cls in edition.rules) or "no edition yet"
    )


def _describe_field(description: str | None, schema: dict[str, object]) -> str:
    words = re.findall(r"'enum': \[([^\]]*)\]", str(schema))
    allowed = " or ".join(f"`{word}`" for word in re.findall(r"'([^']*)'", words[0])) if words else ""
    return ": ".join(part for part in (description, allowed) if part)


def _one_line(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    main()
