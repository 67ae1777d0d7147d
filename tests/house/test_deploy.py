"""What brings the program to others: the workflow that publishes, and the units that start it, call what is there."""

import configparser
import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from api.cli import app
from tests.house.sources import ROOT


@pytest.fixture(scope="module")
def jobs() -> dict[str, Any]:
    return yaml.safe_load((ROOT / ".github/workflows/publish.yml").read_text(encoding="utf-8"))["jobs"]


def test_the_workflow_makes_what_the_makefile_has(jobs: dict[str, Any]) -> None:
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    steps = [str(step.get("run", "")) for job in jobs.values() for step in job["steps"]]
    made = [target for run in steps for target in re.findall(r"\bmake ([a-z-]+)", run)]

    assert made == ["release"]
    assert set(made) <= set(targets)


def test_nothing_but_wheels_and_the_sources_is_published_and_by_no_password(jobs: dict[str, Any]) -> None:
    uploads = [step["with"] for step in jobs["build"]["steps"] if "upload-artifact" in step.get("uses", "")]
    download, publish = jobs["pypi"]["steps"]

    assert {upload["name"]: upload["path"].split() for upload in uploads}[download["with"]["name"]] == [
        "dist/*.whl",
        "dist/*.tar.gz",
    ]
    assert jobs["pypi"]["permissions"] == {"id-token": "write"}
    assert "with" not in publish


@pytest.mark.parametrize("unit", sorted((ROOT / "deploy").glob("*.service")), ids=lambda path: path.stem)
def test_a_unit_starts_a_command_with_options_that_it_has(unit: Path, tmp_path: Path) -> None:
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(unit, encoding="utf-8")
    program, *words = parser["Service"]["ExecStart"].split()
    (tmp_path / "tableside.toml").write_text('source = "0"\n')
    words = [str(tmp_path) if "/" in word else word for word in words]

    assert Path(program).name == "tableside"
    check_options(words)


def test_the_container_starts_a_command_with_options_that_it_has() -> None:
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")

    assert 'ENTRYPOINT ["tableside"]' in text
    check_options(json.loads(re.findall(r"^CMD (.+)$", text, re.MULTILINE)[-1]))


def check_options(words: list[str]) -> None:
    assert CliRunner().invoke(app, [*words, "--help"]).exit_code == 0
    assert CliRunner().invoke(app, [*words, "--no-such-option", "--help"]).exit_code != 0
