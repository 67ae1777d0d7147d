"""What we lean on, why, and what must never creep in."""

import re
import shutil
import subprocess
from importlib.metadata import distributions
from pathlib import Path

import pytest

from tests.house.sources import ROOT, project

NEVER_AT_A_TABLE = {"torch", "ultralytics", "torchvision"}
LOCKS = ("requirements.lock", "requirements-table.lock", "requirements-streams.lock")
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


def test_every_dependency_is_pinned_but_those_of_training() -> None:
    extras = project()["project"]["optional-dependencies"]
    named = {extra: lines for extra, lines in extras.items() if extra != "train"}
    named["a table"] = project()["project"]["dependencies"]
    pinned = {_name(line) for line in _lock()}

    assert {extra: absent for extra, lines in named.items() if (absent := {*map(_name, lines)} - pinned)} == {}


@pytest.mark.slow
def test_the_locks_are_what_the_script_writes_and_it_notices_others(tmp_path: Path) -> None:
    for name in ("pyproject.toml", "README.md", "LICENSE", "scripts/lock", *LOCKS):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    check = [tmp_path / "scripts/lock", "--check"]
    as_written = subprocess.run(check, capture_output=True, text=True, check=False)
    lock = tmp_path / LOCKS[0]
    lock.write_text("".join(line for line in lock.read_text().splitlines(keepends=True) if "anyio" not in line))
    edited = subprocess.run(check, capture_output=True, text=True, check=False)

    assert as_written.returncode == 0, as_written.stdout + as_written.stderr
    assert (edited.returncode, "+anyio==" in edited.stdout) == (1, True)


def test_the_lock_names_versions_and_no_place() -> None:
    """A host name or a path in it would tie the project to one machine's registry."""
    assert [line for line in _lock() if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", line)] == []


def _lock() -> list[str]:
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def _name(requirement: str) -> str:
    return re.split(r"[\[<>=~!; ]", requirement)[0].lower().replace("_", "-")
