"""Packages of others, put where Python finds them."""

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from api.storage.plugins import load_plugins

EXAMPLE = Path(__file__).parent / "plugin_package"
Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Puts packages where Python finds them, as pip would."""

    def install_package(name: str, **groups: dict[str, str]) -> None:
        info = tmp_path / f"{name.replace('-', '_')}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        entries = {f"tableside.{group}": points for group, points in groups.items()}
        text = "".join(
            f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in points.items())
            for group, points in entries.items()
        )
        (info / "entry_points.txt").write_text(text)
        load_plugins.cache_clear()

    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.syspath_prepend(str(EXAMPLE))
    yield install_package
    load_plugins.cache_clear()


@pytest.fixture
def example_package(install: Install) -> None:
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    groups = {group.removeprefix("tableside."): points for group, points in project["entry-points"].items()}
    install(project["name"], **groups)
