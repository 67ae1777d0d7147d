"""Layout file: how the lines of a program's text look, as templates in TOML, compiled into patterns.

A template is a line as it is printed, with fields in braces: `{count} {name} @ {cost} {points}`. What stands in angle
brackets may be missing. Letter case, tabs and other spaces make no difference, nor does the language of points.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import platformdirs

from api.errors import BadLayout
from api.rosters.conservation import MODELS_WORD, POINTS_WORD
from api.storage.files import read_bytes
from api.storage.untrusted_files import parse_toml

SHIPPED = Path(__file__).with_name("layouts.toml")
KINDS = ("total", "frame", "free", "uncounted", "unit", "model", "option")
"""A line is held against them as they stand in the file; `free` costs nothing, `uncounted` says not how many."""
_MOST_LAYOUTS, _MOST_TEMPLATES, _LONGEST_TEMPLATE, _MOST_FREE_FIELDS = 40, 60, 160, 6
_LONGEST_FILE_BYTES = 64 * 1024
_NUMBER = r"\d[\d.,'’]*+"
_FIELDS = {
    "name": r"(?P<name>\S[^\n]{0,119}?)", "title": r"(?P<title>\S.{0,119}?)", "text": r".*?",
    "members": r"(?P<members>[^\d:-][^:-]*?|\d+ [^:-]+?)",
    "count": r"(?P<count>\d{1,5}+)", "units": r"(?P<units>\d{1,2}+)", "maybe": r"(?P<maybe>\d{1,3}+)",
    "cost": rf"(?P<cost>{_NUMBER})", "spent": rf"(?P<spent>{_NUMBER})", "total": rf"(?P<total>{_NUMBER})",
    "number": _NUMBER, "points": POINTS_WORD, "models": MODELS_WORD,
    "bullet": r"[•◦▪‣∙·*+–>.-]", "indent": r"(?<=\s\s)", "flag": r"<!.*?!>", "mark": r"[*†]",
}  # fmt: skip
_FREE_FIELD = re.compile(r"\{(?:name|title|text|members)\}")
_PART = re.compile(r"\{(\w+)\}|(\s+)|([<>])|([^{<>\s]+|\{)")


class Layout:
    """A program's text: what gives it away, and the patterns of each kind of its lines."""

    def __init__(self, program: str, tables: dict[str, Any], source: str) -> None:
        self.program, self.source = program, source
        self.signature = tuple(compile_template(template) for template in _texts(tables, "signature", source))
        signs = tables.get("signs", 1)
        self.signs = signs if isinstance(signs, int) and signs > 0 else 1
        self.title_after, self.is_title_first, self.title = _read_title(tables.get("title"), source)
        self.first_line = _read_first_line(tables.get("title"))
        self.games = tuple((str(sign), str(game)) for sign, game in _pairs(tables.get("games", []), source))
        kinds = [kind for kind in tables if kind in KINDS]
        self.lines = tuple((kind, compile_template(line)) for kind in kinds for line in _texts(tables, kind, source))
        self.has_total = "total" in kinds
        if not self.signature or not any(kind in ("unit", "uncounted", "free") for kind, _ in self.lines):
            raise _bad(f"{program} has no signature, or no line that is a unit", source)

    def game_of(self, text: str) -> str | None:
        """The game of the first sign that stands in the text."""
        bare = re.sub(r"\s+", "", text)
        return next((game for sign, game in self.games if sign in bare), None)


def compile_template(template: str) -> re.Pattern[str]:
    """The pattern of a line that looks so. Raises: BadLayout for a field that is none, or brackets that stay open."""
    most = max(len(_FREE_FIELD.findall(template)), template.count("<"))
    if len(template) > _LONGEST_TEMPLATE or most > _MOST_FREE_FIELDS:
        raise _bad(f"a template has too many fields, or more than {_LONGEST_TEMPLATE} letters", template)
    parts, named, depth = [r"^\s*"], set[str](), 0
    for field, space, bracket, literal in _PART.findall(template):
        if field:
            if field not in _FIELDS:
                raise _bad(f"there is no field {{{field}}}; there are {', '.join(_FIELDS)}", template)
            pattern = _FIELDS[field]
            parts.append(re.sub(r"\?P<\w+>", "?:", pattern) if field in named else pattern)
            named.add(field)
        elif bracket:
            depth += 1 if bracket == "<" else -1
            parts.append("(?:" if bracket == "<" else ")?")
        else:
            parts.append(
                r"\s*"
                if space
                else r"\s*".join(re.escape(part) for part in re.split(r"(?<=\W)(?=\w)|(?<=\w)(?=[(\[:])", literal))
            )
        if depth < 0:
            break
    if depth:
        raise _bad("an angle bracket stays open", template)
    return re.compile("".join([*parts, r"\s*$"]), re.IGNORECASE)


def read_layouts(text: str, source: str) -> tuple[Layout, ...]:
    """The layouts of a file. Raises: BadLayout naming the file and the template."""
    if len(text) > _LONGEST_FILE_BYTES:
        raise _bad(f"a layout file has at most {_LONGEST_FILE_BYTES >> 10} KB", source)
    try:
        tables = parse_toml(text)
    except (ValueError, RecursionError) as wrong:
        raise _bad(f"it is no TOML: {wrong}", source) from wrong
    layouts = tables.get("layout")
    if not isinstance(layouts, list) or not 0 < len(layouts) <= _MOST_LAYOUTS:
        raise _bad(f"it holds no [[layout]], or more than {_MOST_LAYOUTS}", source)
    return tuple(_read_layout(table, source) for table in layouts)


def layouts_folder() -> Path:
    """Where the layouts lie that a user added."""
    return platformdirs.user_data_path("tableside", appauthor=False) / "layouts"


def load_layouts(folder: Path | None = None) -> tuple[Layout, ...]:
    """The user's layouts, then the shipped ones; files are read again when they change. Raises: BadFile, BadLayout."""
    files = [*sorted((folder or layouts_folder()).glob("*.toml")), SHIPPED]
    return tuple(layout for path in files for layout in _load_file(path, path.stat().st_mtime_ns))


@lru_cache(maxsize=64)
def _load_file(path: Path, _changed_ns: int) -> tuple[Layout, ...]:
    return read_layouts(read_bytes(path).decode("utf-8", errors="replace"), path.name)


def _read_layout(table: object, source: str) -> Layout:
    if not isinstance(table, dict) or not isinstance(table.get("program"), str):
        raise _bad("a layout has no program", source)
    unknown = set(table) - {"program", "signature", "signs", "title", "games", *KINDS}
    if unknown:
        raise _bad(f"{table['program']} has no {', '.join(sorted(unknown))}; it may have {', '.join(KINDS)}", source)
    return Layout(table["program"][:60], table, source)


def _read_title(title: object, source: str) -> tuple[re.Pattern[str] | None, bool, re.Pattern[str] | None]:
    """A line after which it stands, whether it is the first line, or its template."""
    if isinstance(title, str):
        return None, False, compile_template(title)
    if isinstance(title, dict):
        after = title.get("after")
        return compile_template(after) if isinstance(after, str) else None, bool(title.get("first")), None
    if title is not None:
        raise _bad("its title is no template", source)
    return None, False, None


def _read_first_line(title: object) -> re.Pattern[str] | None:
    """How the first line looks, where it is a title that a unit might be taken for."""
    first = title.get("first") if isinstance(title, dict) else None
    return compile_template(first) if isinstance(first, str) else None


def _texts(tables: dict[str, Any], key: str, source: str) -> Iterator[str]:
    texts = tables.get(key, [])
    if not isinstance(texts, list) or len(texts) > _MOST_TEMPLATES or not all(isinstance(a, str) and a for a in texts):
        raise _bad(f"{key} is no list of at most {_MOST_TEMPLATES} templates", source)
    yield from texts


def _pairs(games: object, source: str) -> Iterable[list[object]]:
    if not isinstance(games, list) or not all(isinstance(a, list) and len(a) == 2 for a in games):
        raise _bad("games is no list of [sign, game]", source)
    return games


def _bad(says: str, value: str) -> BadLayout:
    return BadLayout(f"{value}: {says}.", field="layout", value=value)
