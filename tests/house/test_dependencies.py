"""What we lean on, why, and what must never creep in."""

import re
from importlib.metadata import distributions

from tests.house.sources import ROOT, project

NEVER_AT_A_TABLE = {"torch", "ultralytics", "torchvision"}
WINDOWED_OPENCV = {"opencv-python", "opencv-contrib-python"}


def test_every_dependency_says_why_it_is_there() -> None:
    lines = (ROOT / "pyproject.toml").read_text(encoding="utf-8").splitlines()
    named = [line for line in lines if re.match(r'\s+"[a-z0-9-]+(\[.*\])?[<>=~]', line)]
    unexplained = [line.strip() for line in named if not re.search(r'",?\s+# \S+', line)]

    assert len(named) >= len(project()["project"]["dependencies"])
    assert unexplained == []


def test_a_table_needs_no_training_library() -> None:
    assert not NEVER_AT_A_TABLE & {_name(line) for line in project()["project"]["dependencies"]}


def test_a_table_has_no_window() -> None:
    """Two builds of OpenCV in one environment overwrite each other's files."""
    assert not WINDOWED_OPENCV & {distribution.name for distribution in distributions()}


def test_every_dependency_of_a_table_is_pinned() -> None:
    pinned = {_name(line) for line in _lock()}

    assert {_name(line) for line in project()["project"]["dependencies"]} - pinned == set()


def test_every_development_dependency_is_pinned() -> None:
    pinned = {_name(line) for line in _lock()}

    assert {_name(line) for line in project()["project"]["optional-dependencies"]["dev"]} - pinned == set()


def test_the_lock_names_versions_and_no_place() -> None:
    """A host name or a path in it would tie the project to one machine's registry."""
    assert [line for line in _lock() if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", line)] == []


def _lock() -> list[str]:
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def _name(requirement: str) -> str:
    return re.split(r"[\[<>=~!; ]", requirement)[0].lower().replace("_", "-")
