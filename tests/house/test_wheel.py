"""A user of the wheel needs Python and nothing else: no Node, no clone, no package of ours from elsewhere."""

import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from hatch_build import FOLDERS
from tests.house.installed import build_wheel, install, run_installed, serve_installed
from tests.house.sources import PACKAGES, ROOT

STATE = {
    "version": 1,
    "edition": "warmachine-prime",
    "table": {"width_mm": 1219.2, "depth_mm": 914.4},
    "miniatures": [
        {"id": "a", "base": {"shape": "round", "diameter_mm": 30}, "at_mm": [300, 410], "facing_deg": 90},
        {"id": "b", "base": {"shape": "round", "diameter_mm": 50}, "at_mm": [520, 640], "facing_deg": 200},
    ],
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def names(wheel: Path) -> frozenset[str]:
    return frozenset(zipfile.ZipFile(wheel).namelist())


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment that holds the wheel and what it asks for."""
    return install(tmp_path_factory.mktemp("empty") / "venv", "-c", ROOT / "requirements.lock", wheel)


@pytest.fixture
def address(installed: Path, tmp_path: Path) -> Iterator[str]:
    """Where the installed program serves a hand-written table; it stands in a folder that holds nothing of ours."""
    (tmp_path / "state.json").write_text(json.dumps(STATE))
    with serve_installed(installed, "serve", "--state", "state.json", cwd=tmp_path) as address:
        yield address


def test_the_wheel_holds_the_built_page(names: frozenset[str]) -> None:
    assert "api/web/dist/index.html" in names
    assert any(re.fullmatch(r"api/web/dist/assets/.+\.js", name) for name in names)


def test_the_wheel_holds_the_recorded_game(names: frozenset[str]) -> None:
    shipped = {path.relative_to(ROOT).as_posix() for path in (ROOT / "api/demo").rglob("*") if path.is_file()}
    shipped = {name for name in shipped if "__pycache__" not in name}

    assert any(name.endswith(".mp4") for name in shipped)
    assert shipped <= names


def test_the_wheel_holds_the_trained_network(names: frozenset[str]) -> None:
    weights = {f"{network}.{kind}" for network in ("bases", "dense") for kind in ("onnx", "md")}

    assert {f"vision/detection/network/weights/{name}" for name in weights} <= names


def test_the_wheel_holds_no_training(names: frozenset[str]) -> None:
    assert [name for name in names if name.startswith("vision/training")] == []


def test_the_wheel_holds_our_packages_and_nothing_beside_them(names: frozenset[str]) -> None:
    tops = {name.split("/")[0] for name in names if ".dist-info/" not in name}

    assert tops == set(PACKAGES)


def test_one_wheel_serves_every_python_of_a_platform(wheel: Path, names: frozenset[str]) -> None:
    assert {f"{folder}/kernel.so" for folder in FOLDERS} <= names
    assert re.fullmatch(r"tableside-[\w.]+-py3-none-(?!any)\w+\.whl", wheel.name)


def test_the_wheel_holds_the_source_of_the_page_which_everybody_may_have(names: frozenset[str]) -> None:
    assert {"api/web/src/player/main.ts", "api/web/package-lock.json", "api/web/dist/licences.txt"} <= names
    assert [name for name in names if "node_modules" in name] == []


def test_the_wheel_holds_the_whole_licence(wheel: Path, names: frozenset[str]) -> None:
    (licence,) = [name for name in names if name.endswith("licenses/LICENSE")]

    assert zipfile.ZipFile(wheel).read(licence) == (ROOT / "LICENSE").read_bytes()


def test_the_installed_program_is_not_the_clone(installed: Path, tmp_path: Path) -> None:
    """Else the tests below would open the page of the clone."""
    found = run_installed(installed, "-c", "import api; print(api.__file__)", cwd=tmp_path)

    assert Path(found.strip()).is_relative_to(installed.parent)


def test_a_user_of_the_wheel_has_no_test_tools(installed: Path, tmp_path: Path) -> None:
    """The runtime dependencies alone must do."""
    listed = run_installed(installed, "-m", "pip", "list", "--format=freeze", cwd=tmp_path)

    assert not {"pytest", "httpx2", "torch", "ultralytics"} & {line.split("==")[0] for line in listed.splitlines()}


@pytest.mark.browser
def test_the_installed_program_shows_the_phone_page(address: str, phone: Page) -> None:
    phone.goto(address)

    expect(phone.locator("g.base")).to_have_count(len(STATE["miniatures"]))
