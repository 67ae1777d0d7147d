"""HTML page: a list as a page that a browser saved -> its text, a line each, for the readers of text.

A page of BattleScribe becomes its text: forces and categories as sections, a unit a line, and what is chosen below it
as bullets by depth. Its tables hold the rules and are passed over.
"""

import re
from html.parser import HTMLParser

from api.errors import BadRoster
from api.rosters.conservation import POINTS_WORD
from models.roster import RosterList, RosterQuestion

MOST_PAGE = 4 * 1024 * 1024  # characters; a saved page with its pictures by address has a tenth
_SILENT = frozenset({"script", "style", "head", "noscript", "svg", "template"})
_BLOCKS = frozenset(
    {"p", "div", "li", "ul", "ol", "br", "tr", "table", "section", "pre", "dt", "dd", *(f"h{n}" for n in range(1, 7))}
)
_SECTIONS = {"h1": "++ {} ++", "h2": "++ {} ++", "h3": "+ {} +"}

_COSTS = re.compile(rf"(?i)\[(?:[^\[\]]*,\s)?([\d.,]+)\s*{POINTS_WORD}\s*\]\s*$")
"""Such as `[4 PL, 80pts]`, of which the points count."""


def is_html_page(raw: bytes) -> bool:
    """Whether it begins as a page does, and not as any other XML."""
    start = raw[:400].lstrip().lower()
    return start.startswith((b"<!doctype html", b"<html")) or b"<html" in start


def page_text(text: str, name: str) -> str:
    """The lines of the page. Raises: BadRoster when it is longer than a page with a list."""
    if len(text) > MOST_PAGE:
        says = f"The page has more than {MOST_PAGE >> 20} MB: save it without its pictures."
        raise BadRoster(says, field="file", value=name)
    reading = _Page(is_battlescribe=is_battlescribe_page(text))
    reading.feed(text)
    reading.close()
    return "\n".join(reading.lines())


def with_page_question(roster: RosterList) -> RosterList:
    """The list, asked about: what else stands on a page may be read as a part of it."""
    says = "The list was read from a page that holds more than a list: are these its units?"
    question = RosterQuestion(where="list", asks="lines", says=says)
    return RosterList(**{**dict(roster), "questions": (question, *roster.questions)})


def is_battlescribe_page(text: str) -> bool:
    """Whether BattleScribe wrote it, which puts nothing beside the list."""
    return "rootselection" in text.lower()


class _Page(HTMLParser):
    """A page while it is read: its lines, and how deep in the unit the newest stands."""

    def __init__(self, *, is_battlescribe: bool) -> None:
        super().__init__(convert_charrefs=True)
        self._is_battlescribe = is_battlescribe
        self._lines: list[str] = []
        self._parts: list[str] = []
        self._silent = 0
        self._depth: int | None = None  # of list items below a unit; None: outside of one
        self._items: list[bool] = []
        self._heading = ""
        self._is_typed = False  # spaces and line ends stand as they are
        self._total: str | None = None

    def lines(self) -> list[str]:
        self._end_line()
        if self._is_battlescribe and not self._items:  # else it was cut: no line says that it ends
            total = [f"++ Total: [{self._total} pts] ++"] if self._total else []
            return [*self._lines, *total, "Created with BattleScribe"]
        return self._lines

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SILENT or (tag == "table" and self._is_battlescribe):
            self._silent += 1
        if tag in _BLOCKS:
            self._end_line()
        elif tag in ("td", "th"):
            self._parts.append("\t")
        self._is_typed = self._is_typed or tag == "pre"
        if tag == "li":
            is_unit = "rootselection" in (dict(attrs).get("class") or "").lower()
            self._items.append(is_unit)
            self._depth = 0 if is_unit else None if self._depth is None else self._depth + 1
        self._heading = tag if tag in _SECTIONS or tag == "h4" else self._heading

    def handle_endtag(self, tag: str) -> None:
        if tag in _BLOCKS:
            self._end_line()
        if self._silent and (tag in _SILENT or (tag == "table" and self._is_battlescribe)):
            self._silent -= 1
        self._is_typed = self._is_typed and tag != "pre"
        if tag == "li" and self._items:
            is_unit = self._items.pop()
            self._depth = None if is_unit or self._depth is None else self._depth - 1
        self._heading = "" if tag == self._heading else self._heading

    def handle_data(self, data: str) -> None:
        if self._silent:
            return
        first, *others = data.split("\n") if self._is_typed else [data]
        self._parts.append(first)
        for line in others:
            self._end_line()
            self._parts.append(line)

    def _end_line(self) -> None:
        typed = "".join(self._parts)
        line = "\t".join(" ".join(cell.split()) for cell in typed.split("\t")).strip("\t ")
        if self._is_typed:
            line = typed.rstrip()
        self._parts = []
        if line:
            self._lines.append(self._as_text(line) if self._is_battlescribe else line)

    def _as_text(self, line: str) -> str:
        costs = _COSTS.search(line)
        if costs is not None:
            line = f"{line[: costs.start()]}[{costs[1]} pts]"
        if self._heading == "h1":
            self._total = costs[1] if costs is not None else None
        if self._heading in _SECTIONS and self._depth is None:
            return _SECTIONS[self._heading].format(line)
        if self._heading == "h4" and self._depth:
            return f"{'  ' * (self._depth - 1)}• {line}"
        if self._depth and (chosen := re.sub(r"(?i)^selections:", "", line)) != line:
            return f"{'  ' * self._depth}• {chosen.strip()}"
        return f"    {line}" if self._depth is not None and self._heading != "h4" else line
