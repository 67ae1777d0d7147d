"""Import order of the pages' TypeScript: each page stands on the player's view and on what all share."""

import re
from functools import cache
from pathlib import Path

import pytest

from tests.house.sources import ROOT

SOURCES = ROOT / "api" / "web" / "src"
MAY_IMPORT = {
    "shared": {"shared"},
    "player": {"player", "shared"},
    "judge": {"judge", "player", "shared"},
    "overlay": {"overlay", "player", "shared"},
    "projector": {"projector", "overlay", "player", "shared"},
    "hall": {"hall", "judge", "player", "shared"},
    "corners": {"corners", "player", "shared"},
    "measure": {"measure", "player", "shared"},
    "setup": {"setup", "shared"},
    "identity": {"identity", "player", "shared"},
    "docs": set(),
}
ROOTS = {"main.ts", "clock.ts", "watch.ts"}  # a page's entry: it alone may import what draws the page
_FROM = re.compile(r'^(?:import|export)\b[^"]*?"(\.[^"]+)";', re.MULTILINE)


@cache
def imports() -> dict[Path, set[Path]]:
    """What each file of the pages imports of ours, types included; style sheets and messages are no code."""
    return {
        path: {
            (path.parent / f"{name}.ts").resolve()
            for name in _FROM.findall(path.read_text(encoding="utf-8"))
            if not name.endswith((".css", ".json"))
        }
        for path in SOURCES.rglob("*.ts")
    }


def page_of(path: Path) -> str:
    return path.relative_to(SOURCES).parts[0]


def short(path: Path) -> str:
    return path.relative_to(SOURCES).as_posix()


def cluster(path: Path) -> frozenset[Path]:
    """The files that it imports, at once or through others, and that import it again."""
    return frozenset(other for other in _reach(path) if path in _reach(other))


@cache
def _reach(path: Path) -> frozenset[Path]:
    reached: set[Path] = set()
    waiting = [path]
    while waiting:
        for target in imports()[waiting.pop()] - reached:
            reached.add(target)
            waiting.append(target)
    return frozenset(reached)


def test_every_import_of_ours_names_a_file() -> None:
    """Else the rules below would look past it."""
    targets = {target for found in imports().values() for target in found}

    assert [short(target) for target in targets if target not in imports()] == []
    assert {page_of(path) for path in imports()} == set(MAY_IMPORT)


@pytest.mark.parametrize("page", MAY_IMPORT)
def test_a_page_imports_only_what_stands_below_it(page: str) -> None:
    wrong = [
        f"{short(path)} imports {short(target)}"
        for path, targets in imports().items()
        for target in targets
        if page_of(path) == page and page_of(target) not in MAY_IMPORT[page]
    ]

    assert wrong == []


def test_state_and_actions_know_no_view() -> None:
    wrong = [
        f"{short(path)} imports {short(target)}"
        for path, targets in imports().items()
        for target in targets
        if path.name not in ROOTS and page_of(path) == page_of(target)
        if target.parent.name == "view" and path.parent.name != "view"
    ]

    assert wrong == []


def test_no_import_circle_is_longer_than_one_folder() -> None:
    circles = {cluster(path) for path in imports()}

    assert [sorted(map(short, circle)) for circle in circles if len({path.parent for path in circle}) > 1] == []
