"""Book file: a rulebook as TOML that a player writes, with the tables and tests that it is checked by."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, Field, ValidationError

from api.books.examples import SHIPPED
from api.books.line_numbers import line_of
from api.errors import BadBook
from api.storage.files import read_bytes
from api.storage.untrusted_files import TomlError, parse_toml
from models.frozen import Frozen
from models.written_book import BookFault, BookInPlay, Name, Title, WrittenBook, book_faults

MOST_BYTES = 1024 * 1024
FORM = 1
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

    extends: str | None = Field(
        None, max_length=80, description="a book that ships, and its version, as `curling 1.0`: what is not told is its"
    )
    tables: dict[Name, dict[str, Any]] = Field({}, max_length=50, description="states without edition, as for `ask`")
    tests: Annotated[tuple[BookTest, ...], Field(max_length=500)] = ()

    def book(self) -> WrittenBook:
        return WrittenBook(**{name: getattr(self, name) for name in WrittenBook.model_fields})


class ReadBook(Frozen):
    """A file that was read: its bytes as they are, comments and all, and what it says."""

    path: str
    raw: bytes
    text: str
    file: BookFile
    in_play: BookInPlay


def read_book(path: Path) -> ReadBook:
    """The book in this file. Raises: BadFile; BadBook naming key, line and value."""
    return parse_book(read_bytes(path), name=str(path))


def parse_book(raw: bytes, *, name: str) -> ReadBook:
    """The book in these bytes. Raises: BadBook naming key, line and value."""
    if len(raw) > MOST_BYTES:
        says = f"{name} is larger than {MOST_BYTES // 2**20} MB"
        raise BadBook(says, field="file", value=name, line=None)
    text, content = _parse_toml(raw, name)
    _check_form(content, text, name)
    content, extended = _extend(content, text, name)
    try:
        file = BookFile.model_validate(content)
    except ValidationError as wrong:
        raise name_fault(wrong, content, text, name) from wrong
    for fault in _faults(file):
        raise fault_error(fault, text, name)
    digest = sha256(raw + extended).hexdigest()
    return ReadBook(path=name, raw=raw, text=text, file=file, in_play=BookInPlay(sha256=digest, rules=file.book()))


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
    """Raises: BadBook when a later version wrote the file."""
    form = content.get("format", FORM)
    if isinstance(form, int) and form > FORM:
        line = line_of(text, ("format",))
        says = f"{name}: line {line}: format {form} is of a later version; this one reads up to format {FORM}"
        raise BadBook(says, field="format", value=form, line=line)


def _extend(content: dict[str, Any], text: str, name: str) -> tuple[dict[str, Any], bytes]:
    """The content with all that the book it extends tells and it does not, and the bytes of that book.

    Its tables and tests are its own. Raises: BadBook where no such book ships, or in another version.
    """
    if (wanted := content.get("extends")) is None:
        return content, b""
    stem, _, version = str(wanted).partition(" ")
    if stem not in SHIPPED:
        says = f"no book {stem!r} ships, only {', '.join(SHIPPED)}"
        raise fault_error(BookFault(("extends",), wanted, says), text, name)
    raw = SHIPPED[stem].read_bytes()
    base = parse_toml(raw.decode())
    if version != base["version"]:
        says = f"{stem} is of version {base['version']} here: write {stem} {base['version']}, and look what changed"
        raise fault_error(BookFault(("extends",), wanted, says), text, name)
    kept = {key: value for key, value in base.items() if key not in ("tables", "tests", "name", "version", "author")}
    joined = {
        key: value | content[key] if key in content else value
        for key, value in kept.items()
        if key not in content or (isinstance(value, dict) and isinstance(content[key], dict))
    }
    return content | joined, raw


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
    """The fault as a problem: key, line and value; of an expression its column, too."""
    line, key = line_of(text, fault.path), ".".join(map(str, fault.path))
    value = fault.value if isinstance(fault.value, int | float | bool | None) else _shorten(fault.value)
    line, column = (line, None) if fault.at is None else _place_in_value(text, line, str(fault.value), fault.at)
    where = f"line {line}" if column is None else f"line {line}, column {column}"
    return BadBook(
        f"{name}: {where}: {_shorten(key)}: {_shorten(fault.says, 400)}",
        field=_shorten(key),
        value=value,
        line=line,
        **({} if column is None else {"column": column}),
    )


def _place_in_value(text: str, line: int, value: str, at: int) -> tuple[int, int | None]:
    """The line and the column of a character of a text that stands from this line on; of one with escapes the line."""
    start = sum(len(before) for before in text.splitlines(keepends=True)[: line - 1])
    begins = text.find(value, start)
    if begins < 0:
        return line, None
    before = text[: begins + at]
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def _shorten(value: object, most: int = _MOST_SHOWN) -> str:
    text = str(value)
    return text if len(text) <= most else f"{text[:most]}… ({len(text)} characters)"
