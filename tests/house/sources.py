"""The sources of the house, read and not run."""

import ast
import subprocess
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PACKAGES = ("api", "calibration", "models", "referee", "tableside", "vision")


@cache
def project() -> dict[str, Any]:
    """What pyproject.toml says."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def modules_of(package: str) -> list[Path]:
    """Every Python file of a package, none of what npm brought."""
    return sorted(path for path in (ROOT / package).rglob("*.py") if "node_modules" not in path.parts)


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def imports_of(path: Path) -> Iterator[tuple[int, str]]:
    """(line, dotted name) of every import, those inside functions and under TYPE_CHECKING included."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, name.name) for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.lineno, node.module


def calls_in(path: Path) -> Iterator[tuple[int, str]]:
    """(line, dotted name) of every call whose callee is written as a name."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            yield node.lineno, ast.unparse(node.func)


@cache
def tracked_files() -> tuple[Path, ...]:
    """Every file that git holds or would hold: what a stranger clones."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, check=True, text=True,
    ).stdout  # fmt: skip
    return tuple(sorted(path for name in set(listed.split("\0")) - {""} if (path := ROOT / name).is_file()))


def text_of(path: Path) -> str | None:
    """The file's text, or None when it is a picture or another binary."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def named(path: Path) -> str:
    """The path as it is written in the house."""
    return path.relative_to(ROOT).as_posix()
