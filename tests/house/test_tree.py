"""What a stranger clones: nothing of one machine, nothing huge, no test that looks away."""

import ast
import re

from tests.conftest import LONGEST
from tests.house.sources import ROOT, named, text_of, tracked_files, tree_of

LARGEST_BYTES = 8 * 1024 * 1024
HOME_OF_SOMEONE = re.compile(r"(?<![\w.])/(?:home|Users|root)/[a-z]|[A-Z]:\\Users\\")


def test_no_file_names_a_path_of_one_machine() -> None:
    wrong = [named(path) for path in tracked_files() if _names_a_machine(text_of(path) or "")]

    assert wrong == []


def test_no_file_is_too_large_to_clone() -> None:
    assert [named(path) for path in tracked_files() if path.stat().st_size > LARGEST_BYTES] == []


def test_no_test_is_skipped() -> None:
    """What is missing fails: a skipped test says nothing and looks like a green one."""
    wrong = [
        f"{named(path)}:{node.lineno}"
        for path in tracked_files()
        if path.suffix == ".py" and path.is_relative_to(ROOT / "tests")
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Attribute) and node.attr in {"skip", "skipif", "xfail", "importorskip"}
    ]

    assert wrong == []


def test_the_files_that_run_first_are_there() -> None:
    assert [name for name in LONGEST if not (ROOT / "tests" / name).is_file()] == []


def _names_a_machine(text: str) -> bool:
    here = str(ROOT)
    told_apart = len(ROOT.parts) > 2  # a clone in /app is no rare word
    return (told_apart and here in text) or HOME_OF_SOMEONE.search(text) is not None
