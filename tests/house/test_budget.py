"""Budgets of size: what the house may grow to. A figure rises with a reason in the commit, and falls without one."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.core import TyperCommand, TyperGroup

from api.cli import app
from tests.house.sources import PACKAGES, ROOT, modules_of, named, tree_of

LINES = {
    "api": 42_730, "calibration": 9_190, "models": 7_260, "referee": 43_580, "tableside": 190, "vision": 21_500,
    "benchmarks": 16_290, "scripts": 2_640, "tests": 81_590,
}  # fmt: skip
"""Lines of Python a folder, blank ones and comments with them."""
PAGE_LINES = 20_080
"""Lines of TypeScript and style sheets."""
MODULES = 839
SMALL_LINES, SMALL_SHARE = 50, 0.177
"""A file under so many lines is small, and so many of the product's may be."""
IMPORT_SHARE = 0.123
"""Of the product's lines of code, which blank lines, comments and docstrings are not."""
BODY_LINES, LONG_BODIES = 48, 9
"""The longest body, and how many have more than forty lines."""
COMMANDS, OPTIONS = 40, 171


@pytest.mark.parametrize("folder", LINES)
def test_a_folder_has_no_more_lines_than_its_budget(folder: str) -> None:
    assert sum(len(_lines(path)) for path in modules_of(folder)) <= LINES[folder]


def test_the_pages_have_no_more_lines_than_their_budget() -> None:
    sources = [path for path in (ROOT / "api/web/src").rglob("*") if path.suffix in {".ts", ".css"}]

    assert sum(len(_lines(path)) for path in sources) <= PAGE_LINES


def test_small_modules_are_few() -> None:
    """A file that serves one neighbour belongs into it."""
    lengths = [len(_lines(path)) for path in _product()]

    assert len(lengths) <= MODULES
    assert sum(length < SMALL_LINES for length in lengths) <= SMALL_SHARE * len(lengths)


def test_imports_are_a_small_share_of_the_code() -> None:
    imports = sum(
        node.end_lineno - node.lineno + 1
        for path in _product()
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Import | ast.ImportFrom) and node.end_lineno
    )

    assert imports <= IMPORT_SHARE * sum(_code_lines(path) for path in _product())


def test_bodies_are_short() -> None:
    bodies = sorted(((lines, place) for path in _product() for lines, place in _bodies(path)), reverse=True)

    assert bodies[0][0] <= BODY_LINES, bodies[0]
    assert sum(lines > 40 for lines, _ in bodies) <= LONG_BODIES, bodies[: LONG_BODIES + 3]


def test_commands_and_options_are_few() -> None:
    commands, options = count_commands_and_options()

    assert (commands <= COMMANDS, options <= OPTIONS) == (True, True), (commands, options)


def count_commands_and_options() -> tuple[int, int]:
    """Visible commands, and the visible options of all of them."""
    commands = list(_commands(typer.main.get_command(app)))
    options = [p for one in commands for p in one.params if p.param_type_name == "option" and not p.hidden]
    return len(commands), len(options)


def _commands(group: object) -> Iterator[TyperCommand]:
    if isinstance(group, TyperGroup):
        for command in group.commands.values():
            if not command.hidden:
                yield from _commands(command)
    elif isinstance(group, TyperCommand):
        yield group


def _product() -> list[Path]:
    return [path for package in PACKAGES for path in modules_of(package)]


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def _code_lines(path: Path) -> int:
    """Lines that are neither blank nor a comment nor of a docstring."""
    prose = {
        line
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    lines = enumerate(map(str.strip, _lines(path)), 1)
    return sum(bool(text) and not text.startswith("#") and number not in prose for number, text in lines)


def _bodies(path: Path) -> Iterator[tuple[int, str]]:
    """(lines, place) of each function, from its first statement, which no docstring is."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            documented = ast.get_docstring(node) is not None and len(node.body) > 1
            first = node.body[1] if documented else node.body[0]
            yield (node.end_lineno or 0) - first.lineno + 1, f"{named(path)}:{node.lineno} {node.name}"
