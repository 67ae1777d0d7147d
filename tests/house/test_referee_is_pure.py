"""The referee opens nothing, says nothing and throws no dice of its own."""

import ast

from tests.house.sources import calls_in, modules_of, named, tree_of

OPENS_OR_SPEAKS = {"open", "print", "input", "breakpoint"}


def test_the_referee_neither_opens_nor_prints() -> None:
    wrong = [
        f"{named(path)}:{line} calls {name}"
        for path in modules_of("referee")
        for line, name in calls_in(path)
        if name in OPENS_OR_SPEAKS or name.split(".")[-1] in {"loadtxt", "fromfile", "savetxt", "tofile"}
    ]

    assert wrong == []


def test_every_chance_in_the_referee_has_a_seed() -> None:
    """`default_rng()` without a seed, or numpy's shared generator, would give one table two verdicts."""
    wrong = [
        f"{named(path)}:{node.lineno} {ast.unparse(node)}"
        for path in modules_of("referee")
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call) and _draws_unseeded(node)
    ]

    assert wrong == []


def _draws_unseeded(call: ast.Call) -> bool:
    name = ast.unparse(call.func)
    if name.endswith(("default_rng", "SeedSequence")):
        return not call.args and not call.keywords
    parts = name.split(".")
    return len(parts) > 1 and parts[-2] == "random" and parts[-1][0].islower()
