"""Check citations: every heading that a rulebook's rules cite, looked for in the text of that book near its page.

    .venv/bin/python scripts/check_citations.py referee/editions/warhammer_9 BOOK.txt

The text is yours; none comes with this project. A line that holds nothing but a number ends the page of that number;
a text without such lines has its headings looked for and no pages. What is not found, or not near its page, is printed
for a person to read: a heading may be broken by the line, and a long section runs over its page.
"""

import argparse
import ast
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_NEAR_PAGES = 1  # a section that goes on overleaf is cited there
_MOST_PAGES = 4  # a number that leaps farther ahead is none of a page


@dataclass(frozen=True)
class Citation:
    """A section that the code cites, its page where the book has pages, and where in the code."""

    section: str
    page: int | None
    where: str


def main() -> int:
    """Print what was not found; its exit status tells whether there was any."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="of the rules that cite the book")
    parser.add_argument("text", type=Path, help="the book")
    told = parser.parse_args()
    cited = list(citations_in(told.folder))
    faults = list(find_faults(cited, told.text.read_text(encoding="utf-8").splitlines()))
    print("\n".join([*faults, f"{len(cited)} citations, {len(faults)} to read."]))
    return 1 if faults else 0


def citations_in(folder: Path) -> Iterator[Citation]:
    """Every `because(section, page, ...)` of the modules in a folder."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "because" and node.args:
                values = [one.value if isinstance(one, ast.Constant) else None for one in node.args[:2]]
                page = values[1] if len(values) > 1 and isinstance(values[1], int) else None
                for section in values[0].split("; ") if isinstance(values[0], str) else ():
                    yield Citation(section, page, f"{path.relative_to(folder)}:{node.lineno}")


def find_faults(cited: Sequence[Citation], lines: Sequence[str]) -> Iterator[str]:
    """What of them the text does not have, or has elsewhere."""
    pages = pages_of(lines)
    starts = [_plain(line) for line in lines]
    for one in cited:
        heading = _plain(one.section)
        at = [k for k, start in enumerate(starts) if _begins_with(start, heading)]
        if not at:
            yield f"{one.where}: no heading {one.section!r}"
        elif one.page is not None and pages and not any(abs(pages[k] - one.page) <= _NEAR_PAGES for k in at):
            found = ", ".join(str(page) for page in sorted({pages[k] for k in at}))
            yield f"{one.where}: {one.section!r} is cited from p. {one.page} and stands on {found}"


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


def _begins_with(start: str, heading: str) -> bool:
    """Whether a line begins with the heading, perhaps after its number."""
    without_number = re.sub(r"^\d+ ", "", start)
    return any(one == heading or one.startswith(heading + " ") for one in (start, without_number))


if __name__ == "__main__":
    sys.exit(main())
