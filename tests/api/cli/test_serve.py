"""The program as it is started and stopped."""

import json
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.api.cli.commands import run
from tests.api.worlds import SKIRMISH

PROGRAM = [sys.executable, "-c", "from api.cli import main; main()"]


def test_a_stopped_server_leaves_quietly() -> None:
    command = [*PROGRAM, "serve", "--state", str(SKIRMISH), "--host", "127.0.0.1", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        told = server.stdout.readline()
        with urlopen(told.split()[-1] + "api/v1/health", timeout=120):
            pass
        server.send_signal(signal.SIGTERM)
        _, complaints = server.communicate(timeout=120)

    assert told.startswith("Open on your phone: http://127.0.0.1:")
    assert (server.returncode, complaints) == (0, "")


def test_a_port_that_is_taken_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run("serve", "--state", str(SKIRMISH), "--host", "127.0.0.1", "--port", str(port))

    assert done.code == 2
    assert (done.problem["field"], done.problem["value"]) == ("port", port)
    assert "give this table another one: --port" in done.problem["detail"]


def test_a_state_with_an_unknown_field_is_named_before_anything_is_served(tmp_path: Path) -> None:
    state = json.loads(SKIRMISH.read_text())
    state["miniatures"][2]["colour"] = "red"
    (tmp_path / "state.json").write_text(json.dumps(state))

    done = run("serve", "--state", str(tmp_path / "state.json"), "--port", "0")

    assert (done.code, done.out) == (2, "")
    assert (done.problem["field"], done.problem["value"]) == ("miniatures.2.colour", "red")


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ((), "source"),
        (("--source", "0"), "camera"),
        (("--source", "0", "--camera", "nowhere.json", "--layout", "x.json"), "file"),
        (("--edition", "chess", "--state", str(SKIRMISH)), "edition"),
    ],
)
def test_what_is_missing_to_serve_is_named(arguments: tuple[str, ...], field: str) -> None:
    done = run("serve", *arguments)

    assert done.code == 2
    assert done.problem["field"] == field


def test_a_list_that_is_no_list_is_named_before_anything_is_served(tmp_path: Path) -> None:
    (tmp_path / "army.ros").write_bytes(b"\x00\x01")
    done = run("serve", "--state", str(SKIRMISH), "--port", "0", "--roster", f"red={tmp_path / 'army.ros'}")
    unnamed = run("serve", "--state", str(SKIRMISH), "--port", "0", "--roster", "army.ros")

    assert (done.code, done.problem["type"]) == (2, "roster/invalid")
    assert (unnamed.code, unnamed.problem["field"]) == (2, "roster")


def test_lists_are_laid_out_as_they_are_named(tmp_path: Path) -> None:
    lists = []
    for side in ("red", "blue"):
        (tmp_path / f"{side}.txt").write_text("6 Reeve, , 30\n1 Drover\n")
        lists += ["--roster", f"{side}={tmp_path / f'{side}.txt'}"]
    command = [*PROGRAM, "serve", "--state", str(SKIRMISH), "--host", "127.0.0.1", "--port", "0", "--json", *lists]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = json.loads(server.stdout.readline())["urls"][0]
        with urlopen(address + "api/v1/lists", timeout=120) as answer:
            told = json.load(answer)
        server.send_signal(signal.SIGTERM)

    assert [(one["side"], one["miniatures"]) for one in told["lists"]] == [("red", 7), ("blue", 7)]
    assert told["entries"][1]["expected"]["card"] == "Drover, invented for Tableside"
