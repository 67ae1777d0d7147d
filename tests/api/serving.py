"""The real program in its own process, as a player starts it."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_PROGRAM = [sys.executable, "-c", "from api.cli import main; main()"]


@contextmanager
def served(*arguments: str, port: int = 0) -> Iterator[str]:
    """The address at which `tableside ARGUMENTS` serves, for as long as it is needed."""
    with started(*arguments, port=port) as server:
        assert server.stdout is not None
        told = server.stdout.readline()
        assert told, f"{' '.join(arguments)} ended with {server.wait(10)} before it served"
        yield json.loads(told)["urls"][0]


@contextmanager
def started(*arguments: str, port: int = 0) -> Iterator[subprocess.Popen[str]]:
    """The process of `tableside ARGUMENTS`, which tells its addresses in one line; it is ended when it has not."""
    command = [*_PROGRAM, *arguments, "--host", "127.0.0.1", "--port", str(port), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            yield server
        finally:
            server.terminate()
            server.wait(20)
