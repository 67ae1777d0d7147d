"""Lint of words: names say what a thing is, and a docstring opens with the field's term."""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.sources import PACKAGES, modules_of, named, tree_of

NAMELESS = {"told", "one", "found", "way", "there", "who", "beside", "words"}
"""They say how a value was come by, or nothing; `correction`, `candidate`, `detection`, `path`, `observer` say more."""
CHATTER = ("whoever", "nobody told", "anew")
ALLOWED = {"api": 0, "calibration": 1, "models": 0, "referee": 0, "tableside": 0, "vision": 0}
"""How many a package still has. The number falls; it never rises."""
ALLOWED_CHATTER = 10


@pytest.mark.parametrize("package", PACKAGES)
def test_names_say_what_a_thing_is(package: str) -> None:
    wrong = [f"{named(path)}:{line} {name}" for path in modules_of(package) for line, name in nameless_in(path)]
    by_file = Counter(place.split(":")[0] for place in wrong)

    assert len(wrong) <= ALLOWED[package], (len(wrong), by_file.most_common(10), wrong[:20])


def test_the_first_line_of_a_docstring_does_not_chat() -> None:
    wrong = [f"{named(path)}:{line}" for p in PACKAGES for path in modules_of(p) for line in chatter_in(path)]

    assert len(wrong) <= ALLOWED_CHATTER, wrong[:20]


def test_a_field_on_the_wire_may_keep_its_name_and_nothing_else_may() -> None:
    """The exemption: what is annotated in a class's body is a field, and its name is a format's, not ours to change."""
    source = "class A(Frozen):\n    who: str\n    def b(self, one):\n        self._told = [way for way in one]\n"

    assert sorted(name for _, name in _nameless(ast.parse(source))) == ["_told", "one", "way"]


def nameless_in(path: Path) -> list[tuple[int, str]]:
    return sorted(_nameless(tree_of(path)))


def chatter_in(path: Path) -> Iterator[int]:
    """Lines of docstrings that open with a phrase."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node) or ""
            if any(phrase in text.partition("\n")[0].lower() for phrase in CHATTER):
                yield getattr(node, "lineno", 1)


def _nameless(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """(line, name) wherever a name is given: assigned, bound by a loop, a parameter, a definition, an import."""
    fields = {id(line.target) for node in ast.walk(tree) if isinstance(node, ast.ClassDef)
              for line in node.body if isinstance(line, ast.AnnAssign)}  # fmt: skip
    for node in ast.walk(tree):
        given = _given(node)
        if given and given.lstrip("_") in NAMELESS and id(node) not in fields:
            yield getattr(node, "lineno", 0), given


def _given(node: ast.AST) -> str | None:
    """The name that a node gives, if it gives one."""
    if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
        return node.id if isinstance(node, ast.Name) else node.attr
    if isinstance(node, ast.arg):
        return node.arg
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.ExceptHandler | ast.MatchAs):
        return node.name
    return node.asname if isinstance(node, ast.alias) else None
