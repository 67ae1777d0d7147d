"""A stranger's first ten minutes: what the documentation says to type, where nothing is but what it names."""

import json
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest

from tests.house.installed import bare_environment, build_wheel, install, run_installed, serve_installed
from tests.house.sources import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]

ADDRESS = "http://localhost:8017"
"""As the documentation names a table's."""
GENERATOR = "openapi-python-client==0.29.1"
"""It wants an older typer than the command line does, so it cannot stand beside it."""
NODE_PACKAGES = ("openapi-fetch@0.17.0", "openapi-typescript@7.13.0", "typescript@5.9.3", "@types/node@20.19.43")
"""This generator wants an older TypeScript than the pages do, so it cannot stand beside them."""
MOST_MB = 420
"""Of everything that `pip install` brings, byte code left out."""
BASES = 16


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel as pip installs it: with the newest of what it asks for."""
    wheel = build_wheel(tmp_path_factory.mktemp("wheel"))
    return install(tmp_path_factory.mktemp("stranger") / "venv", "--no-compile", wheel)


@pytest.fixture(scope="module")
def address(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the demo answers once all its bases lie still."""
    with serve_installed(installed, "demo", cwd=tmp_path_factory.mktemp("demo")) as address:
        until = time.monotonic() + 300
        while len(_get(address, "api/v1/state").get("miniatures", ())) < BASES:
            assert time.monotonic() < until, "the demo's table was not seen"
            time.sleep(1)
        yield address.rstrip("/")


def test_eight_lines_of_python_end_in_a_picture(installed: Path, tmp_path: Path) -> None:
    program = _documented("start/developers.md", "from tableside import Table")
    for name in ("table.jpg", "camera.json", "layout.json"):
        shutil.copy(ROOT / "docs" / "cookbook" / name, tmp_path)
    said = run_installed(installed, "-c", program, cwd=tmp_path)

    drawn = ElementTree.parse(tmp_path / "verdict.svg").getroot()
    assert len(program.splitlines()) <= 8
    assert re.match(r"(yes|no|too-close) ", said), said
    assert len(drawn.findall(".//{*}circle") + drawn.findall(".//{*}path")) >= BASES


def test_a_generated_python_client_asks_a_live_table_and_takes_its_picture(address: str, tmp_path: Path) -> None:
    program = _documented("start/developers.md", "from tableside_client import Client")
    programs = install(tmp_path / "generator", GENERATOR)
    (tmp_path / "openapi.json").write_text(json.dumps(_get(f"{address}/", "api/v1/openapi.json")))
    document = ["--path", "openapi.json", "--meta", "none", "--output-path", "tableside_client"]
    generate = [programs / "openapi-python-client", "generate", *document]
    subprocess.run(generate, check=True, capture_output=True, cwd=tmp_path, env=bare_environment(programs))
    said = run_installed(programs, "-W", "ignore", "-c", program.replace(ADDRESS, address), cwd=tmp_path)

    picture = cv2.imread(str(tmp_path / "table.jpg"))
    *headlines, lines = said.split("; ")
    assert len(headlines) == int(lines) > 3
    assert picture is not None
    assert np.std(picture) > 10


def test_a_generated_typescript_client_asks_a_live_table(address: str, tmp_path: Path) -> None:
    program = _documented("api.md", "openapi-fetch", language="ts")
    (tmp_path / "package.json").write_text('{"type": "module", "private": true}')
    (tmp_path / "openapi.json").write_text(json.dumps(_get(f"{address}/", "api/v1/openapi.json")))
    (tmp_path / "ask.ts").write_text(program.replace(ADDRESS, address))
    generate = ["npx", "openapi-typescript", "openapi.json", "-o", "tableside.ts", "--default-non-nullable", "false"]
    assert " ".join(generate) in (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    for command in (
        ["npm", "install", "--ignore-scripts", "--loglevel=error", *NODE_PACKAGES],
        generate,
        ["npx", "tsc", "--strict", "--module", "nodenext", "--target", "es2022", "ask.ts"],
    ):
        ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert ended.returncode == 0, ended.stdout + ended.stderr
    said = subprocess.run(["node", "ask.js"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout

    answered, refused = said.splitlines()
    assert float(answered) > 0
    assert refused == "query/unknown_thing"


def test_what_pip_brings_is_as_small_as_it_is_said_to_be(installed: Path) -> None:
    (packages,) = installed.parent.glob("lib/python*/site-packages")
    held = sum(path.stat().st_size for path in packages.rglob("*") if path.is_file() and path.suffix != ".pyc")

    assert held / 2**20 < MOST_MB


def _documented(page: str, mark: str, *, language: str = "python") -> str:
    """The example of a page that holds this."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    (example,) = [one for one in re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL) if mark in one]
    return str(example)


def _get(address: str, path: str) -> dict[str, object]:
    try:
        return dict(json.load(urllib.request.urlopen(f"{address}{path}")))
    except urllib.error.HTTPError:
        return {}
