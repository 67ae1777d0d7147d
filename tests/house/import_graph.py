"""The import graph: which module imports which, read and not run; of Python and of the pages' TypeScript."""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from tests.house.sources import ROOT, modules_of, tree_of

PAGES = ROOT / "api" / "web" / "src"
_TS_IMPORT = re.compile(r"""\b(?:from|import)\s*\(?\s*["'](\.[^"']*)["']""")

Graph = Mapping[Path, frozenset[Path]]


@cache
def python_graph(package: str) -> Graph:
    """Module -> modules of the same package that it imports, inside functions and under TYPE_CHECKING too."""
    return {path: frozenset(_imported(path, package)) - {path} for path in modules_of(package)}


@cache
def page_graph() -> Graph:
    """The same of the pages' TypeScript and the style sheets that it imports."""
    files = [path for path in sorted(PAGES.rglob("*.ts")) if not path.name.endswith(".d.ts")]
    return {path: frozenset(_imported_by_page(path)) for path in files}


def area_of(path: Path, root: Path) -> str:
    """The sub-package that a module belongs to: the first folder under the root, or the module's own name."""
    return path.relative_to(root).parts[0].removesuffix(".py").removesuffix(".ts")


def circles(graph: Graph) -> list[frozenset[Path]]:
    """Strongly connected components of more than one module (Tarjan), each a set that imports itself."""
    number: dict[Path, int] = {}
    low: dict[Path, int] = {}
    open_: list[Path] = []
    found: list[frozenset[Path]] = []

    def visit(node: Path) -> None:
        number[node] = low[node] = len(number)
        open_.append(node)
        for other in sorted(graph.get(node, ())):
            if other not in number:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in open_:
                low[node] = min(low[node], number[other])
        if low[node] == number[node]:
            start = open_.index(node)
            if len(open_) - start > 1:
                found.append(frozenset(open_[start:]))
            del open_[start:]

    for node in graph:
        if node not in number:
            visit(node)
    return found


def _imported(path: Path, package: str) -> Iterator[Path]:
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            names = [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names = [f"{node.module}.{name.name}" for name in node.names]
        else:
            continue
        for name in names:
            if name.split(".")[0] == package and (module := _module(name) or _module(name.rpartition(".")[0])):
                yield module


def _module(name: str) -> Path | None:
    """The file of a dotted module name; None where there is no such module."""
    base = ROOT.joinpath(*name.split("."))
    files = (base.with_suffix(".py"), base / "__init__.py")
    return next((file for file in files if name and file.is_file()), None)


def _imported_by_page(path: Path) -> Iterator[Path]:
    for target in _TS_IMPORT.findall(path.read_text(encoding="utf-8")):
        base = (path.parent / target).resolve()
        files = (base, base.with_name(f"{base.name}.ts"), base / "index.ts")
        if module := next((file for file in files if file.is_file()), None):
            yield module
