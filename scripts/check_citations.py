"""Check citations: every heading that a rulebook's rules cite, looked for in the text of that book near its page.

    .venv/bin/python scripts/check_citations.py referee/editions/warhammer_9 BOOK.txt
    .venv/bin/python scripts/check_citations.py referee/editions/warmachine/mk1_and_mk2/{*.py,hordes_mk2} BOOK.txt

The text is yours; none comes with this project. A line that holds nothing but a number ends the page of that number;
a text without such lines has its headings looked for and no pages. Of a list of errata, which names book, page and
entry itself, the entry is looked for under that page of that book, a question and answer by its words. What is not
found, or not near its page, is printed for a person to read: a heading may be broken by the line, and a long section
runs over its page.
"""

import argparse
import ast
import re
import sys
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

_NEAR_PAGES = 1  # a section that goes on overleaf is cited there
_MOST_PAGES = 4  # a number that leaps farther ahead is none of a page
_MAPS = {"_SECTIONS", "_ENTRIES"}  # the sections of a book by those of another
_AMENDED = re.compile(r"(.+), (\w+) p\. (\d+)")  # an entry, and the book and page that it amends
_ERRATUM = re.compile(r"Erratum: (\w+) p\.(\d+) : (.+)")


@dataclass(frozen=True)
class Citation:
    """A section that the code cites, its page where the book has pages, and where in the code."""

    section: str
    page: int | None
    where: str


def main() -> int:
    """Print what was not found; its exit status tells whether there was any."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rules", type=Path, nargs="+", help="folders or modules of the rules that cite the book")
    parser.add_argument("text", type=Path, help="the book")
    told = parser.parse_args()
    cited = [citation for path in told.rules for citation in citations_in(path)]
    faults = list(find_faults(cited, told.text.read_text(encoding="utf-8").splitlines()))
    print("\n".join([*faults, f"{len(cited)} citations, {len(faults)} to read."]))
    return 1 if faults else 0


def citations_in(folder: Path) -> Iterator[Citation]:
    """Every `because(section, page, ...)` of a module or a folder of them, and every section of their maps."""
    for path in sorted(folder.rglob("*.py")) if folder.is_dir() else [folder]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "because" and node.args:
                values = [one.value if isinstance(one, ast.Constant) else None for one in node.args[:2]]
                page = values[1] if len(values) > 1 and isinstance(values[1], int) else None
                for section in values[0].split("; ") if isinstance(values[0], str) else ():
                    yield Citation(section, page, f"{path.relative_to(folder.parent)}:{node.lineno}")
            names = {getattr(name, "id", None) for name in node.targets} if isinstance(node, ast.Assign) else set()
            if names & _MAPS and isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict):
                where = f"{path.relative_to(folder.parent)}:{node.lineno}"
                yield from (Citation(ast.literal_eval(value), None, where) for value in node.value.values)


def find_faults(cited: Sequence[Citation], lines: Sequence[str]) -> Iterator[str]:
    """What of them the text does not have, or has elsewhere."""
    pages = pages_of(lines)
    starts = [_plain(line) for line in lines]
    amended = {*_entries_of(lines)}
    for one in cited:
        if amended and not _is_amended(one.section, amended, lines):
            yield f"{one.where}: no entry {one.section!r}"
        if amended:
            continue
        heading = _plain(one.section)
        at = [k for k, line in enumerate(lines) if _is_headed(line, starts[k], heading)]
        if not at:
            yield f"{one.where}: no heading {one.section!r}"
        elif one.page is not None and pages and not any(abs(pages[k] - one.page) <= _NEAR_PAGES for k in at):
            found = ", ".join(str(page) for page in sorted({pages[k] for k in at}))
            yield f"{one.where}: {one.section!r} is cited from p. {one.page} and stands on {found}"


def _entries_of(lines: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Of a list of errata every title and line, with the book and the page that it amends."""
    book = page = ""
    for line in lines:
        if (entry := _ERRATUM.match(line)) is not None:
            book, page, line = entry.groups()
        elif line.startswith("Erratum: "):
            book = ""
        if book:
            yield from ((book, page, _plain(part)) for part in (line, *re.split(r" - | \(", line)))


def _is_amended(section: str, entries: Set[tuple[str, str, str]], lines: Sequence[str]) -> bool:
    """Whether a list of errata has that entry, or a question with its words."""
    if (cited := _AMENDED.fullmatch(section)) is not None:
        title, book, page = cited.groups()
        return (book, page, _plain(title)) in entries
    topic = _plain(re.sub(r".*Q/A(:| on)", "", section))
    return any(line.startswith("Q:") and topic in _plain(line) for line in lines)


def pages_of(lines: Sequence[str]) -> Mapping[int, int]:
    """The page of every line, by the page numbers that stand alone; empty where there are none."""
    ends, last = list[tuple[int, int]](), 0
    for k, line in enumerate(lines):
        number = int(line) if re.fullmatch(r"\s*\d{1,3}\s*", line) else None
        if number is not None and (not ends or last <= number <= last + _MOST_PAGES):
            ends.append((k, number))
            last = number
    found, first = dict[int, int](), 0
    for k, page in ends:
        found |= dict.fromkeys(range(first, k + 1), page)
        first = k + 1
    return found | (dict.fromkeys(range(first, len(lines)), last + 1) if ends else {})


def _plain(text: str) -> str:
    """Letters and digits alone, small: how a heading is set makes no difference."""
    return " ".join(re.findall(r"[a-z0-9]+", re.sub(r"<[^>]*>", " ", text).lower()))


def _is_headed(line: str, start: str, heading: str) -> bool:
    """Whether a line is the heading, perhaps after its number, or text that runs on from it.

    What runs on from a heading is told by its letters: the heading in capitals, before a colon, or before a capital.
    """
    line = re.sub(r"^\W*\d+[.)]?\s+", "", line)
    if heading in (start, re.sub(r"^\d+ ", "", start)):
        return True
    capitals = re.match(r"[^a-z]*", line)[0]  # type: ignore[index]
    words = r"\W+".join(word.capitalize() for word in heading.split())
    heads = (f"{_plain(capitals)} ", f"{_plain(line.split(':')[0])} " if ":" in line else "")
    return any(head.startswith(heading + " ") for head in heads) or bool(re.match(rf"\W*{words} [A-Z]", line))


if __name__ == "__main__":
    sys.exit(main())
