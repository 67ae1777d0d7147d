"""`tableside doctor` and `tableside selftest` as a user calls them."""

import json
import socket
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.api.cli.commands import run


def test_doctor_says_how_each_thing_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLESIDE_PROFILES", str(tmp_path))
    ended = run("doctor", "--port", 0, "--host", "127.0.0.1", "--data", tmp_path, "--json")
    subjects = {one["subject"] for one in json.loads(ended.out)}

    assert {"program", "network", "port", "disk", "speed", "cameras", "lenses", "game", "settings"} <= subjects | {
        "cameras"
    }


def test_the_command_says_its_version() -> None:
    ended = run("--version")

    assert (ended.code, ended.out) == (0, f"tableside {version('tableside')}\n")


def test_a_held_port_ends_with_three(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLESIDE_PROFILES", str(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as held:
        ended = run("doctor", "--host", "127.0.0.1", "--port", held.getsockname()[1])

    assert ended.code == 3
    assert "BAD port" in ended.out


def test_a_bundle_names_neither_folders_nor_addresses(tmp_path: Path) -> None:
    bundle = tmp_path / "support.zip"
    run("doctor", "--port", 0, "--host", "127.0.0.1", "--data", tmp_path / "secret-club", "--bundle", bundle)
    with zipfile.ZipFile(bundle) as held:
        text = held.read("findings.json").decode()

    assert {one["subject"] for one in json.loads(text)} >= {"program", "port", "speed"}
    assert "secret-club" not in text


def test_the_installed_program_measures_its_own_recording() -> None:
    ended = run("selftest", "--json")

    assert ended.code == 0
    assert [one["subject"] for one in json.loads(ended.out)] == ["state", "verdicts", "page"]
    assert {one["grade"] for one in json.loads(ended.out)} == {"good"}
