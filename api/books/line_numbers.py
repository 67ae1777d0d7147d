"""Line numbers: where a key of a TOML file stands, which the language's own reader does not tell, nor does tomlkit."""

import re
from collections.abc import Iterator, Sequence

_HEADER = re.compile(r"^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY = r"(?:[A-Za-z0-9_-]+|\"(?:[^\"\\]|\\.)*\"|'[^']*')"
_ASSIGNMENT = re.compile(rf"^\s*({_KEY}(?:\s*\.\s*{_KEY})*)\s*=")
_OPENED_ARRAY = re.compile(r"=\s*\[\s*(#.*)?$")
_INLINE = re.compile(rf"[{{,]\s*({_KEY})\s*=")
Path = tuple[str | int, ...]


def line_of(text: str, path: Sequence[str | int]) -> int:
    """The line of the key at this path, counted from 1."""
    return place_of(text, path)[0]


def place_of(text: str, path: Sequence[str | int]) -> tuple[int, int]:
    """Line and column of the key at this path, counted from 1.

    Of one that is missing, or written within another's value, those of the nearest key above it; else the first.
    """
    best = (0, (1, 1))
    for place, key in _keys_in(text):
        shared = _shared_length(key, path)
        if shared in (len(key), len(path)) and shared > best[0]:
            best = (shared, place)
    return best[1]


def _shared_length(key: Path, path: Sequence[str | int]) -> int:
    """How many parts agree from the first on."""
    count = 0
    for part, other in zip(key, path, strict=False):
        if part != other:
            break
        count += 1
    return count


def _keys_in(text: str) -> Iterator[tuple[tuple[int, int], Path]]:
    """Every header and every key with its line, its column and its path; keys of inline tables, where they are."""
    counts: dict[Path, int] = {}
    table: Path = ()
    inner: Path = ()
    element: int | None = None  # of an array with one table a line
    quotes: str | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        if quotes is not None:
            quotes = None if quotes in line else quotes
            continue
        if (header := _HEADER.match(line)) is not None and not line.lstrip().startswith("[ "):
            table = _table_path(header, counts)
            yield (number, header.start(2) + 1), table
            continue
        if (assigned := _ASSIGNMENT.match(line)) is not None:
            inner, element = (*table, *_split(assigned[1])), -1 if _OPENED_ARRAY.search(line) else None
            yield (number, assigned.start(1) + 1), inner
        elif element is not None and line.lstrip().startswith("{"):
            element += 1
            yield (number, line.index("{") + 1), (*inner, element)
        place: Path = inner if element is None or element < 0 else (*inner, element)
        keys = _INLINE.finditer(line) if inner else ()
        yield from (((number, key.start(1) + 1), (*place, _bare(key[1]))) for key in keys)
        quotes = _opened_quotes(line)


def _table_path(header: "re.Match[str]", counts: dict[Path, int]) -> Path:
    """The path of a header, tables of an array by their number."""
    path: Path = ()
    parts = _split(header[2])
    for k, part in enumerate(parts):
        path = (*path, part)
        is_new = header[1] == "[[" and k == len(parts) - 1
        if is_new:
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    return path


def _split(dotted: str) -> Path:
    return tuple(_bare(part) for part in re.findall(_KEY, dotted))


def _bare(key: str) -> str:
    return key[1:-1] if key[:1] in "\"'" else key


def _opened_quotes(line: str) -> str | None:
    """The triple quotes that this line opens and does not close."""
    for quotes in ('"""', "'''"):
        if line.count(quotes) % 2:
            return quotes
    return None
