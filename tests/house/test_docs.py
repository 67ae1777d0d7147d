"""What the pages say exists, and what exists stands on the pages."""

import ast
import contextlib
import io
import re
import shlex
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import pytest
import typer
from pydantic import TypeAdapter, ValidationError
from typer.core import TyperGroup

from api.cli import app
from api.hall.rounds import PairingChanges
from api.overlay.cues import Cue
from models.board import BoardFile
from models.hint import Hints
from models.layout import Layout
from models.queries import QUERY
from models.state import TableState
from models.tap import Tap
from referee import EDITIONS
from scripts.generate_docs import all_errors, generated_pages, stale_pages
from tests.house.sources import PACKAGES, ROOT, modules_of, named, tracked_files, tree_of
from tests.rows import every_row

PAGES = [path for path in tracked_files() if path.suffix == ".md"]
_FILE_NAMES = {path.name for path in tracked_files()}
_TOP_FOLDERS = {path.relative_to(ROOT).parts[0] for path in tracked_files() if path.parent != ROOT}
_FENCE = re.compile(r"^ *```(\w*)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)|<img[^>]* src=\"([^\"]+)\"")
_MODULE_RUN = re.compile(r"python(?:3(?:\.11)?)? -m\s+((?:benchmarks|vision)[\w.]*)((?:\s+[^\s#>]+)*)")
_RUN_BENCHMARKS = [
    path
    for path in tracked_files()
    if path.suffix == ".py" and path.parent.parent == ROOT / "benchmarks" and '"__main__"' in path.read_text("utf-8")
]
_HEADING = re.compile(r"^#+ +(.*)$", re.MULTILINE)


def test_the_pages_that_come_from_the_code_are_current() -> None:
    """`make pages` writes them."""
    stale = [name for name, text in generated_pages().items() if _on_disk(name) != text]

    assert stale == []


def test_no_page_of_an_edition_is_left_over() -> None:
    assert stale_pages() == []


@pytest.mark.parametrize("group", ["distances", "arcs", "sight_and_shooting", "cover", "melee"])
def test_every_question_of_these_groups_has_a_drawn_example(group: str) -> None:
    rules = EDITIONS["warmachine-prime"].rules
    kinds = [cls.model_fields["kind"].default for cls in rules if cls.__module__ == f"models.queries.{group}"]

    assert kinds
    assert [kind for kind in kinds if f"editions/warmachine-prime/{kind}.svg" not in generated_pages()] == []


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


@every_row("page", PAGES, ids=named)
def test_every_link_leads_somewhere(page: Path) -> None:
    broken = [link for link in _links(page) if "://" not in link and not _leads_somewhere(page, link)]

    assert broken == []


def test_every_command_line_on_the_pages_is_accepted() -> None:
    wrong = [f"{named(page)}: {line}" for page, line in _shell_lines("tableside") if _misspelt(line)]

    assert wrong == []


def test_the_pages_show_command_lines_at_all() -> None:
    """The test above would pass on pages that show none."""
    assert {line.split()[1] for _, line in _shell_lines("tableside")} >= {"demo", "serve", "ask"}


@every_row("page", PAGES, ids=named)
def test_every_file_shown_on_a_page_is_what_its_reader_takes(page: Path) -> None:
    shown = [block for language, block in _FENCE.findall(page.read_text(encoding="utf-8")) if language == "json"]

    assert [block for block in shown if not _is_ours(block)] == []


def test_every_make_target_on_the_pages_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    asked = {line.split()[1] for _, line in _shell_lines("make")}

    assert {"demo", "test"} <= asked <= targets


@every_row("page", PAGES, ids=named)
def test_every_path_named_on_a_page_exists(page: Path) -> None:
    missing = [path for path in _paths_of_the_tree(page) if not (ROOT / path).exists() and path not in _FILE_NAMES]

    assert missing == []


@every_row("page", PAGES, ids=named)
def test_every_module_run_on_a_page_exists_and_knows_its_options(page: Path) -> None:
    assert [f"{module}{options}" for module, options in _module_runs(page) if not _is_runnable(module, options)] == []


@every_row("folder", sorted({path.parent for path in _RUN_BENCHMARKS}), ids=named)
def test_every_benchmark_that_runs_stands_in_the_table_of_its_folder(folder: Path) -> None:
    text = (folder / "README.md").read_text(encoding="utf-8")
    modules = [path for path in _RUN_BENCHMARKS if path.parent == folder]

    assert [named(path) for path in modules if not _is_named_in(text, path)] == []


def test_every_folder_of_benchmarks_has_its_table_and_stands_in_the_tree() -> None:
    folders = {path.parent for path in _RUN_BENCHMARKS}
    (line,) = re.findall(r"^benchmarks/ .*$", (ROOT / "docs" / "contributing.md").read_text("utf-8"), re.MULTILINE)

    assert len(folders) > 5
    assert [named(folder) for folder in sorted(folders) if f" {folder.name}/" not in line] == []


@pytest.mark.parametrize("package", [*PACKAGES, "api/web/src"])
def test_every_room_stands_in_the_tree_and_the_tree_names_no_other(package: str) -> None:
    """A room is a folder right below a package, or below the pages' sources."""
    (tree, *_) = [block for _, block in _FENCE.findall((ROOT / "docs" / "contributing.md").read_text("utf-8"))]
    lines = tree[tree.index(f"{package.split('/')[0]}/ ") :].split("\n")
    below = takewhile(lambda line: line.startswith(" "), lines[1:])
    told = set(re.findall(r"([\w.]+)/(?= |$)", "\n".join(below), re.MULTILINE))
    inside = {path.relative_to(ROOT / package).parts for path in tracked_files() if path.is_relative_to(ROOT / package)}

    assert {parts[0] for parts in inside if len(parts) > 1} - told == {"web"} & {parts[0] for parts in inside}
    assert [name for name in told if not any((ROOT / package.split("/")[0]).rglob(name))] == []


def test_the_answer_on_the_readme_comes_out() -> None:
    """What its eight lines print is what their comment says."""
    ((_, code),) = [block for block in _FENCE.findall((ROOT / "README.md").read_text("utf-8")) if block[0] == "python"]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {})

    assert printed.getvalue().strip() == code.strip().rpartition("  # ")[2]
    assert len([line for line in code.splitlines() if line]) == 8


def test_every_script_run_in_a_table_of_benchmarks_exists() -> None:
    """Modules run with `-m` are looked up on every page."""
    runs = [
        path
        for page in (ROOT / "benchmarks").rglob("README.md")
        for path in re.findall(r"`(?:\S*/)?python3? (benchmarks/[\w/.]+)", page.read_text(encoding="utf-8"))
    ]

    assert [path for path in runs if not (ROOT / path).exists()] == []
    assert "benchmarks/calibration" in runs


def test_the_pages_name_paths_and_modules_at_all() -> None:
    """The two tests above would pass on pages that name none."""
    assert sum(len(_paths_of_the_tree(page)) for page in PAGES) > 50
    assert sum(len(_module_runs(page)) for page in PAGES) > 10


def test_every_change_not_yet_released_says_of_which_kind_it_is() -> None:
    changes = [path for path in tracked_files() if path.parent == ROOT / "changelog.d" and path.name != "README.md"]

    assert [named(path) for path in changes if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+\.md", path.name)] == []
    assert [named(path) for path in changes if not re.match("(Added|Changed|Fixed): ", path.read_text("utf-8"))] == []


def test_the_changelog_opens_with_the_version_of_the_project() -> None:
    (version,) = re.findall(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE)

    assert re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)[0] == version


def _paths_of_the_tree(page: Path) -> list[str]:
    """What stands in backticks and begins with a folder of the house, or is a module."""
    quoted = re.findall(r"`([\w./-]+)`", _FENCE.sub("", page.read_text(encoding="utf-8")))
    errors = {cls.code for cls in all_errors()}
    return [
        word for word in quoted
        if word not in errors and (word.endswith(".py") or ("/" in word and word.split("/")[0] in _TOP_FOLDERS))
    ]  # fmt: skip


def _module_runs(page: Path) -> list[tuple[str, str]]:
    """Module and options of every `python -m` in a fenced line or in backticks."""
    text = page.read_text(encoding="utf-8")
    lines = [line for _, block in _FENCE.findall(text) for line in block.splitlines()]
    return [
        run for part in [*lines, *re.findall(r"`([^`]+)`", _FENCE.sub("", text))] for run in _MODULE_RUN.findall(part)
    ]


def _is_runnable(module: str, options: str) -> bool:
    path = ROOT.joinpath(*module.split("."))
    files = sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]
    main = path / "__main__.py" if path.is_dir() else path.with_suffix(".py")
    if not main.exists() or "__main__" not in f"{main.name}{main.read_text(encoding='utf-8')}":
        return False
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    return all(_is_option_of(text, word.split("=")[0]) for word in options.split() if word.startswith("--"))


def _is_option_of(text: str, option: str) -> bool:
    """Of a parser that names it, or a parameter of `main`, which typer reads."""
    head = re.search(r"^def main\(.*?\) -> ", text, re.MULTILINE | re.DOTALL)
    name = option.removeprefix("--").replace("-", "_")
    return f'"{option}"' in text or (head is not None and re.search(rf"\b{name}: ", head[0]) is not None)


def _is_named_in(text: str, path: Path) -> bool:
    """Whether a table gives the module's command, that of its folder for `__main__.py`, or a server's file."""
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    commands = {f"-m {module}", f"`{path.name}`"}
    if path.name == "__main__.py":
        commands = {f"python {named(path.parent)} ", f"-m {module.removesuffix('.__main__')}"}
    return any(re.search(rf"{re.escape(command)}(?![\w.])", text) for command in commands)


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
    """Whether it is a layout, a board, a state, a list of hints, a tap, pairings, a cue or a question."""
    for reader in (*map(TypeAdapter, (Layout, BoardFile, TableState, Hints, Tap, PairingChanges, Cue)), QUERY):
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
