"""The real server in a process of its own, playing the shipped recording, and what its processes weigh."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

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

    def memory_mb(self) -> float:
        """What the server's own process has in memory; its camera's process is another."""
        resident = Path(f"/proc/{self.pid}/statm").read_text().split()[1]
        return int(resident) * _PAGE_BYTES / 1e6


@contextmanager
def playing(*more: str, port: int = 0) -> Iterator[Server]:
    """`tableside demo`, for as long as it is needed."""
    command = [*_PROGRAM, "demo", "--host", "127.0.0.1", "--port", str(port), "--json", *more]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield Server(json.loads(process.stdout.readline())["urls"][0], process.pid)
        finally:
            process.terminate()
            process.wait(20)
