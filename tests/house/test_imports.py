"""Who may import whom: data goes one way, and the referee knows nothing but the table."""

import ast

import pytest

from tests.house.import_graph import PAGES, Graph, area_of, circles, page_graph, python_graph
from tests.house.sources import PACKAGES, ROOT, imports_of, modules_of, named, tree_of

MAY_IMPORT = {
    "models": {"models"},
    "calibration": {"calibration", "models"},
    "vision": {"vision", "calibration", "models"},
    "referee": {"referee", "models"},
    "api": set(PACKAGES) - {"tableside"},
    "tableside": set(PACKAGES),
}

# Sub-packages from top to bottom: each imports only from rows below its own, and none from its own row.
ORDER = {
    "vision": (
        "tracking self_check camera_fusion terrain uncalibrated training",
        "locate",
        "tap_measurement tapped_regiment size_ruler",
        "hint_prior hinted_bases labelled_crops",
        "prompted_fit state_assembly",
        "ranked",
        "selection",
        "facing detection",
        "measurement",
        "rectification",
        "candidates parallel capture native",
    ),
    "referee": (
        "verdicts",
        "editions",
        "uncertainty margins",
        "rules",
        "motion line_of_sight",
        "geometry",
        "arrays cached_attribute search_effort",
    ),
    "api": (
        "cli",
        "diagnosis",
        "server",
        "hall games",
        "routes",
        "rulings",
        "overlay projector",
        "answers evidence tables http tap_measurement",
        "live lists",
        "setup_pictures",
        "setups",
        "clocks corners corrections camera",
        "evaluation seats cards books",
        "journal printing rosters",
        "supervision",
        "errors storage malloc backoff process_state",
    ),
    "api/web/src": (
        "hall projector docs",
        "identity corners measure overlay judge setup",
        "player",
        "shared",
    ),
}

# All that the referee may lean on besides `models`: mathematics and the plain tools of the language.
# No cv2, no files, no clock, no log, no network, no chance but numpy's with a seed.
REFEREE_MAY_USE = {
    "abc", "bisect", "cmath", "collections", "contextlib", "contextvars", "dataclasses", "enum", "fractions",
    "functools", "hashlib", "heapq",
    "itertools", "math", "numpy", "operator", "pydantic", "shapely", "string", "types", "typing",
}  # fmt: skip
EXCEPTIONS = {
    ("referee/line_of_sight/widest_lane.py", "ctypes"),  # the referee's own code, compiled; no data comes this way
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


def test_nothing_that_is_shipped_imports_training() -> None:
    """No wheel holds it."""
    wrong = [
        f"{named(path)}:{line} imports {name}"
        for package in PACKAGES
        for path in modules_of(package)
        for line, name in imports_of(path)
        if name.startswith("vision.training") and not named(path).startswith("vision/training/")
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


def graph_of(place: str) -> Graph:
    return page_graph() if ROOT / place == PAGES else python_graph(place)


@pytest.mark.parametrize("place", ORDER)
def test_a_sub_package_imports_only_what_stands_below_it(place: str) -> None:
    rows = {area: row for row, areas in enumerate(ORDER[place]) for area in areas.split()}
    edges = [(a, b) for a, imported in graph_of(place).items() for b in imported]
    wrong = [
        f"{named(a)} imports {named(b)}"
        for a, b in edges
        if (above := area_of(a, ROOT / place)) not in {below := area_of(b, ROOT / place), "__init__"}
        if rows[above] >= rows[below]
    ]

    assert wrong == []


@pytest.mark.parametrize("place", ORDER)
def test_every_sub_package_has_its_place_in_the_order(place: str) -> None:
    areas = {area_of(path, ROOT / place) for path in graph_of(place)} - {"__init__"}

    assert areas <= {area for row in ORDER[place] for area in row.split()}


@pytest.mark.parametrize("place", ORDER)
def test_the_page_for_contributors_shows_this_order(place: str) -> None:
    row = " > ".join(", ".join(areas.split()) for areas in ORDER[place])

    assert f"| `{place}` | {row} |" in (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("place", [*PACKAGES, "api/web/src"])
def test_no_import_circle_is_longer_than_one_package(place: str) -> None:
    """Imports for types alone count as well: a circle of words is one too."""
    long = [sorted(map(named, circle)) for circle in circles(graph_of(place)) if len({p.parent for p in circle}) > 1]

    assert long == []


def test_what_is_live_knows_no_http() -> None:
    """The hub and its subscribers serve a socket, a stream of events and a test alike."""
    wrong = [
        f"{named(path)}:{line} imports {name}"
        for path in modules_of("api/live")
        for line, name in imports_of(path)
        if name.split(".")[0] in ONLY_API_SPEAKS
    ]

    assert wrong == []


def test_the_graph_sees_imports_of_both_languages() -> None:
    ask = ROOT / "referee" / "verdicts" / "ask.py"

    assert ROOT / "referee" / "rules" / "exact_table.py" in python_graph("referee")[ask]
    assert PAGES / "shared" in {path.parent for path in page_graph()[PAGES / "judge" / "main.ts"]}


def test_a_circle_is_found_whole() -> None:
    a, b, c, d = (ROOT / name for name in "abcd")

    graph = {a: frozenset({b}), b: frozenset({c}), c: frozenset({a}), d: frozenset({a})}

    assert circles(graph) == [frozenset({a, b, c})]
