"""The wheel in an environment of its own: Python and what it brings, no Node, no clone, no package from elsewhere."""

import os
import re
import subprocess
import sys
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from threading import Thread

from hatch_build import find_compiler
from tests.house.sources import ROOT

READY_S = 300


def build_wheel(folder: Path) -> Path:
    assert (ROOT / "api/web/dist/index.html").exists(), "build the phone's page first, as `make test` does"
    isolation = ["--no-isolation"] if find_compiler() else []  # without a compiler the build fetches its own
    build = [sys.executable, "-m", "build", "--wheel", *isolation, "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


def install(home: Path, *packages: object) -> Path:
    """The folder of programs of a new environment that holds these packages and what they ask for."""
    venv.create(home, with_pip=True)
    programs = home / ("Scripts" if os.name == "nt" else "bin")
    subprocess.run([programs / "python", "-m", "pip", "install", "-qq", *map(str, packages)], check=True)
    return programs


def run_installed(programs: Path, *words: str, cwd: Path) -> str:
    """What Python prints that was started with these words."""
    command = [str(programs / "python"), *words]
    ended = subprocess.run(
        command, cwd=cwd, env=bare_environment(programs), capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@contextmanager
def serve_installed(programs: Path, *words: str, cwd: Path) -> Iterator[str]:
    """Where `tableside` answers that was started with these words in a folder that holds nothing of ours."""
    command = [str(programs / "tableside"), *words, "--host", "127.0.0.1", "--port", "0"]
    with subprocess.Popen(
        command, cwd=cwd, env=bare_environment(programs),
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8",
    ) as server:  # fmt: skip
        try:
            yield _printed_address(server)
        finally:
            server.terminate()


def bare_environment(programs: Path) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL_ENV", "NODE"))}
    return kept | {"PATH": str(programs), "PYTHONUNBUFFERED": "1"}


def _printed_address(server: subprocess.Popen[str]) -> str:
    lines: Queue[str] = Queue()
    Thread(target=_pass_on, args=(server, lines), daemon=True).start()
    printed = ""
    while (found := re.search(r"https?://127\.0\.0\.1:\d+\S*", printed)) is None:
        line = lines.get(timeout=READY_S)
        assert line, f"the server ended before it printed its address: {printed}"
        printed += line
    return found.group()


def _pass_on(server: subprocess.Popen[str], lines: "Queue[str]") -> None:
    for line in server.stdout or ():
        lines.put(line)
    lines.put("")
