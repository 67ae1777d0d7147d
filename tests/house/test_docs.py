"""What the pages say exists, and what exists stands on the pages."""

import ast
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from pydantic import TypeAdapter, ValidationError
from typer.core import TyperGroup

from api.cli import app
from models.board import BoardFile
from models.layout import Layout
from models.queries import QUERY
from models.state import TableState
from referee import EDITIONS
from scripts.pages import all_errors, left_over, pages
from tests.house.sources import PACKAGES, ROOT, modules_of, named, tracked_files, tree_of

PAGES = [path for path in tracked_files() if path.suffix == ".md"]
_FENCE = re.compile(r"^ *```(\w*)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)|<img[^>]* src=\"([^\"]+)\"")
_HEADING = re.compile(r"^#+ +(.*)$", re.MULTILINE)


def test_the_pages_that_come_from_the_code_are_current() -> None:
    """`make pages` writes them."""
    stale = [name for name, text in pages().items() if _on_disk(name) != text]

    assert stale == []


def test_no_page_of_an_edition_is_left_over() -> None:
    assert left_over() == []


@pytest.mark.parametrize("group", ["distance", "sight", "cover", "melee"])
def test_every_question_of_these_groups_has_a_drawn_example(group: str) -> None:
    rules = EDITIONS["warmachine-prime"].rules
    kinds = [cls.model_fields["kind"].default for cls in rules if cls.__module__ == f"models.queries.{group}"]

    assert kinds
    assert [kind for kind in kinds if f"editions/warmachine-prime/{kind}.svg" not in pages()] == []


def test_errors_are_declared_in_one_module_a_package() -> None:
    """The page of errors is made from these modules, so one declared elsewhere would be missing there."""
    known = {cls.__name__ for cls in all_errors()}
    wrong = [
        f"{named(path)}:{node.lineno} {node.name}"
        for package in PACKAGES
        for path in modules_of(package)
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ClassDef) and known & {ast.unparse(base).split(".")[-1] for base in node.bases}
        if path.name != "errors.py"
    ]

    assert wrong == []


def test_every_error_has_a_code_of_its_own() -> None:
    codes = [cls.code for cls in all_errors()]

    assert len(codes) == len(set(codes))


def test_every_error_says_what_happened() -> None:
    assert [cls.__name__ for cls in all_errors() if "__doc__" not in vars(cls) or not cls.__doc__] == []


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_link_leads_somewhere(page: Path) -> None:
    broken = [link for link in _links(page) if "://" not in link and not _leads_somewhere(page, link)]

    assert broken == []


def test_every_command_line_on_the_pages_is_accepted() -> None:
    wrong = [f"{named(page)}: {line}" for page, line in _shell_lines("tableside") if _misspelt(line)]

    assert wrong == []


def test_the_pages_show_command_lines_at_all() -> None:
    """The test above would pass on pages that show none."""
    assert {line.split()[1] for _, line in _shell_lines("tableside")} >= {"demo", "serve", "ask"}


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_file_shown_on_a_page_is_what_its_reader_takes(page: Path) -> None:
    shown = [block for language, block in _FENCE.findall(page.read_text(encoding="utf-8")) if language == "json"]

    assert [block for block in shown if not _is_ours(block)] == []


def test_every_make_target_on_the_pages_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    asked = {line.split()[1] for _, line in _shell_lines("make")}

    assert {"demo", "test"} <= asked <= targets


def _on_disk(name: str) -> str | None:
    path = ROOT / "docs" / name
    return path.read_text(encoding="utf-8") if path.exists() else None


def _links(page: Path) -> Iterator[str]:
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    yield from (first or second for first, second in _LINK.findall(text))


def _leads_somewhere(page: Path, link: str) -> bool:
    file, _, anchor = link.partition("#")
    target = page.parent / file if file else page
    return target.exists() and (not anchor or anchor in _anchors(target))


def _anchors(page: Path) -> set[str]:
    headings = _HEADING.findall(page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


def _shell_lines(program: str) -> Iterator[tuple[Path, str]]:
    for page in PAGES:
        for _, block in _FENCE.findall(page.read_text(encoding="utf-8")):
            for line in block.replace("\\\n", " ").splitlines():
                words = line.strip().removeprefix("$ ").removeprefix(".venv\\Scripts\\").removeprefix(".venv/bin/")
                if words.startswith(f"{program} "):
                    yield page, words.split(" #")[0].split(" > ")[0].split(" | ")[0]


def _is_ours(block: str) -> bool:
    """Whether it is a layout, a board, a state or a question."""
    for reader in (TypeAdapter(Layout), TypeAdapter(BoardFile), TypeAdapter(TableState), QUERY):
        try:
            reader.validate_json(block)
        except ValidationError:
            continue
        return True
    return False


def _misspelt(line: str) -> bool:
    """The command does not exist, or an option of it does not."""
    command = typer.main.get_command(app)
    words = shlex.split(line)[1:]
    while isinstance(command, TyperGroup) and words:
        known = command.commands.get(words.pop(0))
        if known is None:
            return True
        command = known
    options = {option for param in command.params for option in param.opts} | {"--help"}
    return any(word.startswith("-") and word != "-" and word.split("=")[0] not in options for word in words)
