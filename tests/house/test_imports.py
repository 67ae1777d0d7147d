"""Who may import whom: data goes one way, and the referee knows nothing but the table."""

import ast

import pytest

from tests.house.sources import PACKAGES, imports_of, modules_of, named, tree_of

MAY_IMPORT = {
    "models": {"models"},
    "calibration": {"calibration", "models"},
    "vision": {"vision", "calibration", "models"},
    "referee": {"referee", "models"},
    "api": set(PACKAGES),
}

# All that the referee may lean on besides `models`: mathematics and the plain tools of the language.
# No cv2, no files, no clock, no log, no network, no chance but numpy's with a seed.
REFEREE_MAY_USE = {
    "abc", "bisect", "cmath", "collections", "dataclasses", "enum", "fractions", "functools", "hashlib", "heapq",
    "itertools", "math", "numpy", "operator", "pydantic", "shapely", "string", "types", "typing",
}  # fmt: skip
EXCEPTIONS = {
    ("referee/sight/compiled.py", "ctypes"),  # the referee's own code, compiled; no data comes this way
}

ONLY_API_SPEAKS = {"fastapi", "starlette", "uvicorn", "websockets", "typer", "click", "rich", "segno", "socket", "http"}


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_imports_only_what_stands_below_it(package: str) -> None:
    wrong = [
        f"{named(path)}:{line} imports {name}"
        for path in modules_of(package)
        for line, name in imports_of(path)
        if name.split(".")[0] in {*PACKAGES, "tests", "benchmarks", "scripts"} - MAY_IMPORT[package]
    ]

    assert wrong == []


@pytest.mark.parametrize("package", PACKAGES)
def test_no_import_is_relative(package: str) -> None:
    """A relative import would hide from the rule above."""
    wrong = [
        f"{named(path)}:{node.lineno}"
        for path in modules_of(package)
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ImportFrom) and node.level > 0
    ]

    assert wrong == []


@pytest.mark.parametrize("package", ["calibration", "models", "referee", "vision"])
def test_no_name_is_imported_by_a_string(package: str) -> None:
    """An import by name at run time would hide as well."""
    wrong = [
        f"{named(path)}:{node.lineno}"
        for path in modules_of(package)
        for node in ast.walk(tree_of(path))
        if (isinstance(node, ast.Name) and node.id in {"__import__", "exec", "eval"})
        or (isinstance(node, ast.Import) and any(name.name.startswith("importlib") for name in node.names))
        or (isinstance(node, ast.ImportFrom) and (node.module or "").startswith("importlib"))
    ]

    assert wrong == []


def test_the_referee_leans_on_mathematics_only() -> None:
    wrong = [
        f"{named(path)}:{line} imports {name}"
        for path in modules_of("referee")
        for line, name in imports_of(path)
        if name.split(".")[0] not in REFEREE_MAY_USE | MAY_IMPORT["referee"]
        if (named(path), name) not in EXCEPTIONS
    ]

    assert wrong == []


@pytest.mark.parametrize("package", ["calibration", "models", "referee", "vision"])
def test_only_api_speaks_to_the_outside(package: str) -> None:
    wrong = [
        f"{named(path)}:{line} imports {name}"
        for path in modules_of(package)
        for line, name in imports_of(path)
        if name.split(".")[0] in ONLY_API_SPEAKS
    ]

    assert wrong == []


def test_the_shared_words_bring_no_machinery() -> None:
    wrong = [
        f"{named(path)}:{line} imports {name}"
        for path in modules_of("models")
        for line, name in imports_of(path)
        if name.split(".")[0] in {"cv2", "shapely", "onnxruntime", "os", "pathlib", "subprocess"}
    ]

    assert wrong == []
