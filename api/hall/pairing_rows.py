"""Pairing rows: the file of a tournament program -> rows of named cells; CSV, JSON, a saved page, or a game a line.

What programs call their columns, where they nest them, and how their pages and texts look stands in
`pairing_programs.toml`; a program more is some lines there.
"""

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Literal, get_args

from api.errors import TooMuch
from api.hall.errors import BadPairings
from api.rosters.html_page import is_html_page
from api.storage.files import read_bytes
from api.storage.untrusted_files import parse_toml

Role = Literal[
    "table", "round", "player_a", "player_b", "army_a", "army_b", "list_a", "list_b", "winner", "points_a", "points_b",
    "confirmed_by", "first_a", "first_b", "last_a", "last_b", "result_a", "result_b",
]  # fmt: skip
ROLES: tuple[Role, ...] = get_args(Role)
Row = dict[str, str]
MOST_ROWS = 5000
MOST_BYTES = 5_000_000
UNSAFE = ("=", "+", "-", "@", "\t", "\r", "'")
"""With these a spreadsheet begins a formula; the hub's own export puts `'` before them."""

_SHIPPED = Path(__file__).with_name("pairing_programs.toml")
_MOST_LINE = 300  # characters of a line of text that may be a game
_DEEPEST = 4  # `player1 › user › firstName` has three
_BELOW = " › "  # between the parts of a JSON path
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)


@cache
def declared_programs() -> dict[str, Any]:
    """All that is declared of tournament programs."""
    return parse_toml(read_bytes(_SHIPPED).decode())


@cache
def _role_of_column() -> dict[str, Role]:
    columns = declared_programs()["columns"]
    return {name: role for role in ROLES for name in columns.get(role, ())}


def fold(name: str) -> str:
    """A column's name as it is compared: its letters and digits."""
    return "".join(filter(str.isalnum, name.lower()))


def read_rows(data: bytes) -> tuple[list[Row], tuple[str, ...]]:
    """The rows of the file, and lines of a text before its first game. Raises: BadPairings, TooMuch."""
    if len(data) > MOST_BYTES:
        raise TooMuch(f"a file of pairings has at most {MOST_BYTES} bytes", field="file", value=len(data))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        raise BadPairings("the file is not UTF-8 text: save it as CSV UTF-8", field="file", value=None) from wrong
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    titles: list[str] = []
    try:
        rows = list(_rows_of(text, titles))
    except csv.Error as wrong:
        raise BadPairings(f"the file is no CSV: {wrong}", field="file", value=None) from wrong
    if not rows:
        raise BadPairings("the file holds no pairing", field="file", value=None)
    if len(rows) > MOST_ROWS:
        detail = f"the file has {len(rows)} rows; a round has at most {MOST_ROWS} pairings"
        raise TooMuch(detail, field="file", value=len(rows))
    return rows, tuple(titles[:40])


def _rows_of(text: str, titles: list[str]) -> Iterator[Row]:
    if text[:1] in ("[", "{"):
        return _json_rows(text)
    if is_html_page(text[:400].encode()):
        return _page_rows(text)
    if _is_text(text):
        return _text_rows(text, titles)
    return _csv_rows(text)


def name_rows(rows: Sequence[Row], roles: Mapping[str, Role]) -> list[dict[Role, str]]:
    """The rows by what their cells are; of several cells for one the first that holds something."""
    named: list[dict[Role, str]] = []
    for row in rows:
        cells: dict[Role, str] = {}
        for name, value in row.items():
            if name in roles and not cells.get(roles[name]):
                cells[roles[name]] = value
        for side in ("a", "b"):
            first, last, player = _NAMES[side]
            if not cells.get(player):
                cells[player] = f"{cells.get(first, '')} {cells.get(last, '')}".strip()
        named.append(cells)
    return named


_NAMES: dict[str, tuple[Role, Role, Role]] = {
    "a": ("first_a", "last_a", "player_a"), "b": ("first_b", "last_b", "player_b"),
}  # fmt: skip


def find_roles(rows: Sequence[Row], columns: Mapping[str, str]) -> tuple[dict[str, Role], tuple[str, ...]]:
    """Which column is what, and those that are nothing; `columns`: as mapped by hand, which goes first.

    Of JSON, several paths may be one role, and what is nested and means nothing is not told.

    Raises: BadPairings with `columns` where somebody must say which is which.
    """
    names = list(dict.fromkeys(name for row in rows for name in row))
    is_nested = any(_BELOW in name for name in names)
    roles: dict[str, Role] = {}
    for name in names:
        mapped = columns.get(name)
        role = next((role for role in ROLES if role == mapped), None)
        role = role or (None if mapped else _role_of_column().get(fold(name)))
        if role is not None and (is_nested or role not in roles.values()):
            roles[name] = role
    known = set(roles.values())
    if missing := [player for first, _, player in _NAMES.values() if player not in known and first not in known]:
        mapped = f"no column is known as {' or '.join(missing)}; the file has {', '.join(map(repr, names[:40]))}"
        raise BadPairings(mapped, field="columns", value=names[:40], columns=names[:40], known=roles, roles=list(ROLES))
    return roles, tuple(name for name in names if name not in roles and _BELOW not in name)


def _csv_rows(text: str) -> Iterator[Row]:
    reader = csv.DictReader(io.StringIO(text), delimiter=_delimiter(text), skipinitialspace=True)
    names = [(name or "").strip() for name in reader.fieldnames or ()]
    twice = next((name for name in names if name and names.count(name) > 1), None)
    if twice is not None:
        raise BadPairings(f"the column {twice!r} is there twice", field="columns", value=twice)
    for row in reader:
        if None in row:
            raise BadPairings(f"row {reader.line_num - 1} has more cells than the heading", field="file", value=None)
        cells = {name.strip(): _unguard((value or "").strip()) for name, value in row.items() if name and name.strip()}
        if any(cells.values()):
            yield cells


def _delimiter(text: str) -> str:
    head = text.partition("\n")[0]
    return max(",;\t", key=head.count)


def _unguard(cell: str) -> str:
    """The cell that was guarded."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(UNSAFE) else cell


def _json_rows(text: str) -> Iterator[Row]:
    try:
        body = json.loads(text)
    except (ValueError, RecursionError) as wrong:
        raise BadPairings(f"the file is no JSON: {wrong}", field="file", value=None) from wrong
    if isinstance(body, dict):
        if isinstance(body.get("rounds"), list):
            body = [pairing for view in body["rounds"] for pairing in _pairings_of(view)]
        else:
            inner = [body[name] for name in declared_programs()["json"]["lists"] if isinstance(body.get(name), list)]
            body = inner[0] if inner else list(body.values())
    if not isinstance(body, list) or not all(isinstance(item, dict) for item in body):
        raise BadPairings("pairings are a list of objects", field="file", value=None)
    return map(_flatten, body)


def _pairings_of(view: Any) -> Iterator[Any]:
    """The pairings of a round of the hub's own export, in the form in which a program tells them."""
    pairings = view.get("pairings") if isinstance(view, dict) else None
    for pairing in pairings if isinstance(pairings, list) else ():
        if not isinstance(pairing, dict):
            raise BadPairings("pairings are a list of objects", field="file", value=None)
        row: dict[str, Any] = {name: pairing.get(name) for name in ("round", "table")}
        for role, player in (("1", pairing.get("a")), ("2", pairing.get("b"))):
            known = player if isinstance(player, dict) else {}
            row |= {f"player {role}": known.get("name"), f"army {role}": known.get("army")}
            row |= {f"list {role}": known.get("list_file")}
        if isinstance(result := pairing.get("result"), dict):
            row |= {"winner": result.get("winner"), "confirmed by": pairing.get("confirmed_by")}
            row |= {f"points {n}": result.get(f"points_{side}") for n, side in (("1", "a"), ("2", "b"))}
        yield row


def _flatten(item: dict[str, Any], path: str = "", depth: int = 1) -> Row:
    """The object as a row, each cell by its path."""
    row: Row = {}
    for name, value in item.items():
        if isinstance(value, dict) and depth < _DEEPEST:
            row |= _flatten(value, f"{path}{name}{_BELOW}", depth + 1)
        elif not isinstance(value, dict | list):
            row[f"{path}{name}"] = "" if value is None else str(value)
    return row


@cache
def _line_pattern(kind: str) -> re.Pattern[str]:
    return re.compile(declared_programs()["text"][kind], re.IGNORECASE)


def _match_line(kind: str, line: str) -> re.Match[str] | None:
    return None if len(line) > _MOST_LINE else _line_pattern(kind).fullmatch(line)


def _is_text(text: str) -> bool:
    """Whether the file says its games a line each, and has no heading of columns."""
    head, _, _ = text.partition("\n")
    known = {_role_of_column().get(fold(cell)) for cell in head.split(_delimiter(text))} - {None}
    return len(known) < 2 and any(_match_line("game", line.strip()) for line in text.split("\n"))


def _text_rows(text: str, titles: list[str]) -> Iterator[Row]:
    """A game a line below the round that a line names. Raises: BadPairings for a line between them that is neither."""
    number, has_begun = "", False
    for n, line in enumerate(map(str.strip, text.split("\n")), start=1):
        heading = _match_line("round", line)
        game = None if heading else _match_line("game", line) or _match_line("bye", line)
        if heading is not None:
            number = heading["round"]
        elif game is not None:
            has_begun = True
            yield {"round": number, "table": game["table"] or "", "player 1": game["a"], "player 2": game["b"]}
        elif line and has_begun:
            raise BadPairings(f"line {n} is no game: {line[:80]!r}", field="file", value=line[:80])
        elif line:
            titles.append(line[:80])


def _page_rows(text: str) -> Iterator[Row]:
    lowered = text.lower()
    program = next((page for page in declared_programs()["page"] if page["signature"] in lowered), None)
    if program is None:
        known = " and ".join(page["program"] for page in declared_programs()["page"])
        raise BadPairings(f"the page is none of {known}: export CSV or JSON", field="file", value=None)
    page = _EventPage(program)
    page.feed(text)
    page.close()
    return iter(page.rows)


class _EventPage(HTMLParser):
    """A page of an event while it is read. `rows` has its games."""

    def __init__(self, program: Mapping[str, str]) -> None:
        super().__init__(convert_charrefs=True)
        self.rows: list[Row] = []
        self._program = program
        self._open: list[str] = []  # what each open element is: a part of the program, or nothing
        self._number = 0  # of the player within the game
        self._round = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _VOID:
            return
        facts = dict(attrs)
        part = self._part_of(tag, facts)
        self._open.append(part)
        if part == "game":
            self.rows.append({"round": self._round})
            self._number = 0
        elif part == "player":
            self._number += 1
            if self._program["winner"] in (facts.get("class") or "").split():
                self.rows[-1]["winner"] = str(self._number)

    def _part_of(self, tag: str, facts: Mapping[str, str | None]) -> str:
        classes = (facts.get("class") or "").split()
        if facts.get("id") == self._program["round"]:
            return "rounds"
        if tag == "option" and "rounds" in self._open:
            return "round" if "selected" in facts else ""
        if self._program["game"] in classes:
            return "game"
        if "game" not in self._open:
            return ""
        if self._program["player"] in classes:
            return "player"
        return next((part for part in ("name", "score") if self._program[part] in classes and self._number), "")

    def handle_endtag(self, tag: str) -> None:
        if tag not in _VOID and self._open:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        part = next((part for part in reversed(self._open) if part), "")
        data = " ".join(data.split())
        if part == "round" and (heading := _match_line("round", data)):
            self._round = heading["round"]
        elif data and part in ("name", "score"):
            self._take(part, data)

    def _take(self, part: str, data: str) -> None:
        row = self.rows[-1]
        column = f"player {self._number}" if part == "name" else f"points {self._number}"
        joined = f"{row.get(column, '')} {data}".strip()
        row[column] = re.sub(self._program["id"], "", joined) if part == "name" else joined
