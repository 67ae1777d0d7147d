"""Mutation testing: change the product at random places, and see whether the quick tests notice.

`python -m scripts.mutants --seed 1 --count 40` draws places by seed: a comparison, an operator, a constant or a branch
is changed in a copy of the tree, and the tests that the quick run has for that module are run until one fails. Which
these are follows from names and imports: the module's own test, those that import it, the tests of its folder, and the
laws of its package, which lie above all folders; browsers and slow tests are left out. What no test notices is printed
with its place.
"""

import argparse
import ast
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PACKAGES = ("api", "calibration", "models", "referee", "tableside", "vision")
NOT_MUTATED = ("training", "migrations", "node_modules")
MOST_FILES = 4
"""So many of the tests that import a module, and so many of its folder."""
_NOT_COPIED = shutil.ignore_patterns(
    ".git", ".venv", "node_modules", "build", "*_cache", "__pycache__", ".hypothesis", "benchmarks", "docs"
)
_SWAPS = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"), ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="), ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"),
    ast.And: ("and", "or"), ast.Or: ("or", "and"), ast.In: ("in", "not in"), ast.Is: ("is", "is not"),
}  # fmt: skip


class Mutant(NamedTuple):
    """A file, where in its text something else stands, and what."""

    file: str
    line: int
    begin: int
    end: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.before} -> {self.after}"

    def applied(self, text: str) -> str:
        return text[: self.begin] + self.after + text[self.end :]


def mutants_of(tree: Path, file: str) -> list[Mutant]:
    """Every change of one file, in the order of its text."""
    text = (tree / file).read_text(encoding="utf-8")
    lines = [0]
    for line in text.splitlines(keepends=True):
        lines.append(lines[-1] + len(line))
    module = ast.parse(text)
    if not text.isascii():  # columns count bytes
        text_lines = text.splitlines(keepends=True)

    def offset(line: int, column: int) -> int:
        if text.isascii():
            return lines[line - 1] + column
        return lines[line - 1] + len(text_lines[line - 1].encode()[:column].decode())

    def span(node: ast.expr) -> tuple[int, int]:
        return offset(node.lineno, node.col_offset), offset(node.end_lineno or 0, node.end_col_offset or 0)

    drawn = {
        Mutant(file, text.count("\n", 0, begin) + 1, begin, end, text[begin:end], after)
        for node in _code_of(module)
        for begin, end, after in _changes(node, text, span)
    }
    return sorted(drawn)


def _code_of(module: ast.Module) -> Iterator[ast.AST]:
    """What runs: no annotation, no docstring, no decorator."""
    waiting: list[ast.AST] = [module]
    while waiting:
        node = waiting.pop()
        yield node
        for name, value in ast.iter_fields(node):
            if name not in {"annotation", "returns", "decorator_list"}:
                children = value if isinstance(value, list) else [value]
                waiting.extend(child for child in children if isinstance(child, ast.AST))


def _changes(node: ast.AST, text: str, span: Callable[[ast.expr], tuple[int, int]]) -> Iterator[tuple[int, int, str]]:
    """(begin, end, what stands there instead) of each change of this node."""
    if isinstance(node, ast.Compare):
        terms = [node.left, *node.comparators]
        for op, left, right in zip(node.ops, terms, terms[1:], strict=False):
            yield from _swapped(op, span(left)[1], span(right)[0], text)
    elif isinstance(node, ast.BinOp):
        yield from _swapped(node.op, span(node.left)[1], span(node.right)[0], text)
    elif isinstance(node, ast.BoolOp):
        for left, right in zip(node.values, node.values[1:], strict=False):
            yield from _swapped(node.op, span(left)[1], span(right)[0], text)
    elif isinstance(node, ast.If | ast.IfExp | ast.While):
        begin, end = span(node.test)
        yield begin, end, f"(not ({text[begin:end]}))"
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float):
        begin, end = span(node)
        other = not node.value if isinstance(node.value, bool) else node.value * 2 if node.value else 1
        yield begin, end, repr(other)


def _swapped(op: ast.AST, begin: int, end: int, text: str) -> Iterator[tuple[int, int, str]]:
    """The operator between two operands, if it is one that is swapped and stands there alone."""
    sign, other = _SWAPS.get(type(op), ("", ""))
    if sign and text[begin:end].strip(" ()\n") == sign:
        at = text.index(sign, begin, end)
        yield at, at + len(sign), other


def draw_mutants(tree: Path, *, seed: int, count: int, within: tuple[str, ...]) -> list[Mutant]:
    """So many places, each as likely as any other of these folders."""
    files = sorted(
        path.relative_to(tree).as_posix()
        for package in PACKAGES
        for path in (tree / package).rglob("*.py")
        if not set(NOT_MUTATED) & set(path.parts)
    )
    places = [one for file in files if file.startswith(within) for one in mutants_of(tree, file)]
    return random.Random(seed).sample(places, min(count, len(places)))


def tests_for(tree: Path, file: str) -> list[str]:
    """The quick run's test files for a module, the nearest first."""
    module = Path(file)
    dotted = ".".join(module.with_suffix("").parts)
    own = tree / "tests" / module.parent / f"test_{module.stem}.py"
    folder = sorted(own.parent.glob("test_*.py"))
    importing = [path for path in sorted((tree / "tests").rglob("test_*.py")) if dotted in path.read_text("utf-8")]
    laws = sorted((tree / "tests" / module.parts[0]).glob("test_*.py"))
    namesakes = [path for path in folder if module.stem in path.stem]
    nearest = dict.fromkeys([own, *namesakes, *importing[:MOST_FILES], *folder[:MOST_FILES], *laws])
    return [path.relative_to(tree).as_posix() for path in nearest if path.exists() and "house" not in path.parts]


def run_tests(tree: Path, tests: list[str], *, limit_s: int) -> str:
    """`killed`, `survived`, or `limit` where the processor time ran out before a test failed."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider"]
    command += ["-m", "not slow and not browser", *tests]
    ended = subprocess.run(
        command, cwd=tree, env=os.environ | {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit_s, limit_s + 5)),
    )  # fmt: skip
    if ended.returncode < 0:
        return "limit"
    return "survived" if ended.returncode in (0, 5) else "killed"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--within", nargs="*", default=PACKAGES, help="folders or files of the product")
    parser.add_argument("--tests", nargs="*", help="these instead of those that belong to each module")
    parser.add_argument("--limit-s", type=int, default=60, help="processor time that a mutant's tests may take")
    parser.add_argument("--tree", type=Path, default=ROOT, help="another clone of the project")
    asked = parser.parse_args()
    drawn = draw_mutants(asked.tree, seed=asked.seed, count=asked.count, within=tuple(asked.within))
    tally: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="tableside-mutants-") as folder:
        copy = Path(folder) / "tree"
        shutil.copytree(asked.tree, copy, ignore=_NOT_COPIED, symlinks=True)
        for mutant in drawn:
            path = copy / mutant.file
            plain = path.read_text(encoding="utf-8")
            path.write_text(mutant.applied(plain), encoding="utf-8")
            fate = run_tests(copy, asked.tests or tests_for(copy, mutant.file), limit_s=asked.limit_s)
            path.write_text(plain, encoding="utf-8")
            tally[fate] += 1
            print(f"{fate:8} {mutant}", flush=True)
    print(", ".join(f"{fate} {count}" for fate, count in sorted(tally.items())), f"of {len(drawn)}")


if __name__ == "__main__":
    main()
