"""Books of one family: each stands without the folders of the others."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.sources import ROOT, imports_of, modules_of, named, tree_of

FAMILY = "referee.editions.warmachine"
OLDER = "mk1_and_mk2"
BOOKS = ("prime", f"{OLDER}.hordes_mk2", f"{OLDER}.mk1")

WITHOUT_THE_OTHERS = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if any(name == book or name.startswith(book + ".") for book in {missing!r}):
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Missing())
from {book} import EDITION
assert EDITION.rules
"""


def _book_of(name: str) -> str | None:
    """The book whose folder a module of the family lies in; None for what they share."""
    return next((b for b in BOOKS if name == f"{FAMILY}.{b}" or name.startswith(f"{FAMILY}.{b}.")), None)


def _modules_of_the_family() -> list[Path]:
    return [path for path in modules_of("referee") if named(path).startswith(FAMILY.replace(".", "/"))]


def _imported(path: Path) -> list[str]:
    """What a module imports, names from a package written out: `from family import prime` is `family.prime`."""
    whole = [
        f"{node.module}.{alias.name}"
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ImportFrom) and node.module is not None
        for alias in node.names
    ]
    return [*whole, *(name for _, name in imports_of(path))]


def test_no_book_and_nothing_that_books_share_imports_from_the_folder_of_another_book() -> None:
    paths = _modules_of_the_family()
    wrong = [
        f"{named(path)} imports {name}"
        for path in paths
        for name in _imported(path)
        if _book_of(name) not in (None, _book_of(named(path).removesuffix(".py").replace("/", ".")))
    ]

    assert len(paths) > 80
    assert wrong == []


@pytest.mark.parametrize("book", BOOKS)
def test_a_book_loads_where_the_folders_of_the_others_are_missing(book: str) -> None:
    """Prime also without the chapters that the two older books share."""
    others = {other for other in BOOKS if other != book} | ({OLDER} if not book.startswith(OLDER) else set())
    missing = tuple(f"{FAMILY}.{other}" for other in sorted(others))
    program = WITHOUT_THE_OTHERS.format(missing=missing, book=f"{FAMILY}.{book}")

    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)

    assert (ran.returncode, ran.stderr) == (0, "")
