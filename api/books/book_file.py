"""Book file: a rulebook as TOML that a player writes, with the tables and tests that it is checked by."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar
from urllib.request import urlopen

import tomlkit
from pydantic import BaseModel, Field, ValidationError

from api.books.examples import SHIPPED
from api.books.line_numbers import line_of, place_of
from api.errors import BadBook
from api.storage.files import read_bytes
from api.storage.untrusted_files import TomlError, parse_toml
from models.frozen import Frozen
from models.written_book import BookFault, BookInPlay, Name, Title, WrittenBook, book_faults, rules_of_actions

MOST_BYTES = 1024 * 1024
FORM = 1
_OWN = ("format", "name", "version", "author", "tables", "tests")
"""What a book does not take from those that it extends."""
_MOST_EXTENDED, _PATIENCE_S = 4, 10.0
_MOST_SHOWN = 60

Point = tuple[float, float]
Value = TypeVar("Value", bound=BaseModel)


class BookTest(Frozen):
    """A test: a table of the file, perhaps with some elsewhere, a question, and what is right."""

    name: Title
    table: Name
    place: dict[str, Point] = Field({}, max_length=50, description="where these stand instead, in mm")
    turn: dict[str, float] = Field({}, max_length=50, description="which way these look instead, in degrees")
    question: dict[str, Any] = Field(max_length=20, description="as for `ask`; a length may be the name of a range")
    answer: Literal["yes", "no", "too-close"] | None = None
    margin_mm: float | None = None
    length_mm: float | None = Field(None, description="the first length that is measured")
    members: tuple[str, ...] | None = Field(None, description="ids of those that are answered yes, in any order")
    value: dict[str, Any] = Field({}, max_length=20, description="what the verdict's value has to hold")

    def tells_anything(self) -> bool:
        expectations = (self.answer, self.margin_mm, self.length_mm, self.members)
        return bool(self.value) or any(expectation is not None for expectation in expectations)


class BookFile(WrittenBook):
    """The whole file: the book, and what it is checked by."""

    extends: str | tuple[str, ...] | None = Field(
        None,
        description="books that ship or lie beside it, each with its version, as `curling 1.0` or `house.toml 2`; what "
        "is not told is theirs",
    )
    tables: dict[Name, dict[str, Any]] = Field({}, max_length=50, description="states without edition, as for `ask`")
    tests: Annotated[tuple[BookTest, ...], Field(max_length=500)] = ()

    def book(self) -> WrittenBook:
        return WrittenBook(**{name: getattr(self, name) for name in WrittenBook.model_fields})


class ReadBook(Frozen):
    """A file that was read; `whole` is the one file that it makes, with all that it extends."""

    path: str
    text: str
    whole: bytes
    file: BookFile
    in_play: BookInPlay


def read_book(path: Path) -> ReadBook:
    """The book in this file. Raises: BadFile; BadBook naming file, key, line and value."""
    return parse_book(read_bytes(path), name=str(path), opened=(path,))


def fetch_book(address: str) -> ReadBook:
    """The book at this address, which has to be the one whose hash follows `#sha256=`, where one does.

    Raises: BadBook.
    """
    page, _, wanted = address.partition("#sha256=")
    try:
        with urlopen(page, timeout=_PATIENCE_S) as answer:
            raw = answer.read(MOST_BYTES + 1)
    except (OSError, ValueError) as wrong:
        raise BadBook(f"{page}: no book came: {wrong}", field="file", value=page, line=None) from wrong
    read = parse_book(raw, name=page)
    if wanted and read.in_play.sha256 != wanted:
        says = f"{page}: this is {read.in_play.sha256}, another book than {_shorten(wanted)}"
        raise BadBook(says, field="file", value=page, line=None)
    return read


def parse_book(raw: bytes, *, name: str, opened: tuple[Path, ...] = ()) -> ReadBook:
    """The book in these bytes, which lie in the last of the files that were `opened`; in none, where it came alone.

    Raises: BadBook naming file, key, line and value.
    """
    if len(raw) > MOST_BYTES:
        says = f"{name} is larger than {MOST_BYTES // 2**20} MB"
        raise BadBook(says, field="file", value=name, line=None)
    text, content = _parse_toml(raw, name)
    _check_form(content, text, name)
    whole = raw
    if "extends" in content:
        content = _extend(content, text, name, opened)
        whole = tomlkit.dumps(content).encode()
    try:
        file = BookFile.model_validate(content)
    except ValidationError as wrong:
        raise name_fault(wrong, content, text, name) from wrong
    for fault in _faults(file):
        raise fault_error(fault, text, name)
    in_play = BookInPlay(sha256=sha256(whole).hexdigest(), rules=file.book())
    return ReadBook(path=name, text=text, whole=whole, file=file, in_play=in_play)


def _parse_toml(raw: bytes, name: str) -> tuple[str, dict[str, Any]]:
    try:
        text = raw.decode("utf-8-sig")
        return text, parse_toml(text)
    except TomlError as wrong:
        raise BadBook(
            f"{name} is no TOML: {wrong}", field="file", value=name, line=_line_in(str(wrong), text)
        ) from wrong
    except (ValueError, RecursionError) as wrong:
        raise BadBook(f"{name} is no TOML: {wrong}", field="file", value=name, line=None) from wrong


def _line_in(message: str, text: str) -> int | None:
    """The line that the reader of TOML names."""
    if "(at end of document)" in message:
        return len(text.splitlines())
    _, _, after = message.rpartition("(at line ")
    number = after.partition(",")[0]
    return int(number) if number.isdigit() else None


def _check_form(content: dict[str, Any], text: str, name: str) -> None:
    """Raises: BadBook when a later version wrote the file, or one that knew actions."""
    form = content.get("format", FORM)
    if isinstance(form, int) and form > FORM:
        line = line_of(text, ("format",))
        says = f"{name}: line {line}: format {form} is of a later version; this one reads up to format {FORM}"
        raise BadBook(says, field="format", value=form, line=line)
    if isinstance(actions := content.get("actions"), dict) and all(isinstance(a, dict) for a in actions.values()):
        rules = "; ".join(f"{key} = '{rule}'" for key, rule in rules_of_actions(actions).items())
        says = f'actions are rules now, and lines of the sheet ask = "rule": under [rules] write {rules}'
        raise fault_error(BookFault(("actions",), "actions", says), text, name)


def _extend(content: dict[str, Any], text: str, name: str, opened: tuple[Path, ...]) -> dict[str, Any]:
    """The content with all that the books it extends tell and it does not; a later one outweighs an earlier.

    Tables and tests are its own. Raises: BadBook where there is no such book, or in another version.
    """
    wanted = content.pop("extends")
    books = wanted if isinstance(wanted, list) else [wanted]
    if len(books) > _MOST_EXTENDED:
        says = f"at most {_MOST_EXTENDED} books are extended"
        raise fault_error(BookFault(("extends",), len(books), says), text, name)
    joined: dict[str, Any] = {}
    for book in books:
        joined = _lay_over(joined, _extended(str(book), text, name, opened))
    return _lay_over(joined, content)


def _lay_over(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    both = {k: below[k] | above[k] for k in below.keys() & above.keys() if isinstance(below[k], dict)
            and isinstance(above[k], dict)}  # fmt: skip
    return below | above | both


def _extended(wanted: str, text: str, name: str, opened: tuple[Path, ...]) -> dict[str, Any]:
    """What a book that is extended passes on. Raises: BadBook."""
    stem, _, version = wanted.rpartition(" ")
    says = None
    if stem.endswith(".toml") and opened:
        path = opened[-1].parent / stem
        if path.resolve() in {before.resolve() for before in opened} or len(opened) > _MOST_EXTENDED:
            says = f"{stem} extends itself, or too many lie within each other"
        elif not path.is_file() or opened[-1].parent.resolve() not in path.resolve().parents:
            says = f"there is no book {stem} beside {opened[-1].name}"
    elif (path := SHIPPED.get(stem, Path())) == Path():
        says = f"no book {_shorten(stem)!r} ships, only {', '.join(SHIPPED)}"
    if says is not None:
        raise fault_error(BookFault(("extends",), wanted, says), text, name)
    read = parse_book(read_bytes(path), name=str(path), opened=(*opened, path))
    if version != read.file.version:
        says = f"{stem} is of version {read.file.version} here: write {stem} {read.file.version}, and look what changed"
        raise fault_error(BookFault(("extends",), wanted, says), text, name)
    _, content = _parse_toml(read.whole, str(path))
    return {key: value for key, value in content.items() if key not in _OWN}


def _faults(file: BookFile) -> Iterator[BookFault]:
    yield from book_faults(file)
    for k, test in enumerate(file.tests):
        if test.table not in file.tables:
            known = ", ".join(file.tables) or "none"
            yield BookFault(("tests", k, "table"), test.table, f"there is no table {test.table!r}, only {known}")
        if not test.tells_anything():
            yield BookFault(("tests", k), test.name, "it tells nothing that is right")


def name_fault(
    wrong: ValidationError, content: Any, text: str, name: str, *, below: tuple[str | int, ...] = ()
) -> BadBook:
    """The first fault of a value that stands in the file under the key `below`.

    Of a value that fits none of several kinds, the fault that lies deepest, and no mere "this is another kind": that of
    the kind which fits best.
    """
    errors = wrong.errors(include_url=False)
    same = [error for error in errors[:20] if error["loc"][:2] == errors[0]["loc"][:2]]
    chosen = max(
        same, key=lambda error: (len(_written_path(error["loc"], content)), not error["type"].endswith("_type"))
    )
    says = "this key is not known" if chosen["type"] == "extra_forbidden" else chosen["msg"]
    path = (*below, *_written_path(chosen["loc"], content))
    return fault_error(BookFault(path, chosen["input"], says.removeprefix("Value error, ")), text, name)


def _written_path(loc: Sequence[str | int], content: Any) -> tuple[str | int, ...]:
    """The parts of a place that stand in the file, and a last one that is missing there; the rest names kinds."""
    path: list[str | int] = []
    for k, part in enumerate(loc):
        if isinstance(content, dict) and part in content:
            content = content[part]
        elif isinstance(content, list) and isinstance(part, int):
            content = content[part] if part < len(content) else None
        elif k < len(loc) - 1 or not isinstance(content, dict) or part == "[key]":
            continue
        path.append(part)
    return tuple(path)


def fault_error(fault: BookFault, text: str, name: str) -> BadBook:
    """The fault as a problem: key, line, column and value; of an expression the place in it."""
    (line, column), key = place_of(text, fault.path), ".".join(map(str, fault.path))
    value = fault.value if isinstance(fault.value, int | float | bool | None) else _shorten(fault.value)
    if fault.at is not None:
        line, column = _place_in_value(text, line, str(fault.value), fault.at) or (line, column)
    where = f"line {line}" if column == 1 else f"line {line}, column {column}"
    return BadBook(
        f"{name}: {where}: {_shorten(key)}: {_shorten(fault.says, 400)}",
        field=_shorten(key),
        value=value,
        line=line,
        column=column,
    )


def _place_in_value(text: str, line: int, value: str, at: int) -> tuple[int, int] | None:
    """The line and the column of a character of a text that stands from this line on; None of one with escapes."""
    start = sum(len(before) for before in text.splitlines(keepends=True)[: line - 1])
    begins = text.find(value, start)
    if begins < 0:
        return None
    before = text[: begins + at]
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def _shorten(value: object, most: int = _MOST_SHOWN) -> str:
    text = str(value)
    return text if len(text) <= most else f"{text[:most]}… ({len(text)} characters)"
