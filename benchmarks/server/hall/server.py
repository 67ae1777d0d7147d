"""The real server in a process of its own, playing the shipped recording, and what its processes weigh."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_PROGRAM = [sys.executable, "-c", "from api.cli import main; main()"]
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_TICKS_PER_S = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Server:
    """A running server: where it answers and which process it is."""

    url: str
    pid: int

    @property
    def live(self) -> str:
        return self.url.replace("http", "ws", 1) + "api/v1/live"

    def kill(self) -> None:
        """It is gone without a word, as when somebody pulls the plug."""
        os.kill(self.pid, signal.SIGKILL)

    def busy_s(self) -> float:
        """For how long its own process has had a processor, which does not hang on what else the machine does."""
        user, system = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / _TICKS_PER_S

    def memory_mb(self) -> dict[str, float]:
        """What each of its processes has in memory: the server's own, its camera's, and those who answer beside it."""
        return {"server": _resident_mb(self.pid)} | {
            name: _resident_mb(child) for child, name in self.children().items()
        }

    def children(self) -> dict[int, str]:
        """Its camera's process and those who answer beside it, by their ids."""
        return {child: _name(child, server=self.pid) for child in _children(self.pid)}


def _resident_mb(pid: int) -> float:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE_BYTES / 1e6


def _children(pid: int) -> list[int]:
    """Those that work; the one that only minds what they share is left out."""
    told = "".join(path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/children"))
    return [int(child) for child in told.split() if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


def _name(pid: int, *, server: int) -> str:
    """The camera's process steps back behind the others."""
    steps_back = os.getpriority(os.PRIO_PROCESS, pid) > os.getpriority(os.PRIO_PROCESS, server)
    return "camera" if steps_back else f"worker {pid}"


@dataclass(frozen=True)
class StartedTable:
    """A running server, and all that it said in its first line: addresses, codes, pages."""

    server: Server
    told: dict[str, Any]
    process: "subprocess.Popen[str]"


@contextmanager
def start_table(
    *command: str,
    port: int = 0,
    environment: Mapping[str, str] | None = None,
    program: Sequence[str] = _PROGRAM,
) -> Iterator[StartedTable]:
    """`tableside COMMAND` on this machine alone, for as long as it is needed; `environment` is added to our own."""
    whole = [*program, *command, "--host", "127.0.0.1", "--port", str(port), "--json"]
    with_ours = {**os.environ, **(environment or {})}
    with subprocess.Popen(whole, stdout=subprocess.PIPE, text=True, env=with_ours) as process:
        try:
            assert process.stdout is not None
            told = json.loads(process.stdout.readline())
            yield StartedTable(Server(told["urls"][0], process.pid), told, process)
        finally:
            process.terminate()
            process.wait(20)


@contextmanager
def run_demo(*more: str, port: int = 0) -> Iterator[Server]:
    """`tableside demo`, for as long as it is needed."""
    with start_table("demo", *more, port=port) as table:
        yield table.server
