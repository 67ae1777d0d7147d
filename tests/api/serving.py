"""The real program in its own process, as a player starts it; or an app of a test's own, in a thread of the test."""

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from fastapi import FastAPI

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


@contextmanager
def running(app: FastAPI) -> Iterator[str]:
    """The address at which this app serves, for as long as it is needed."""
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", ws="websockets-sansio"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
    finally:
        server.should_exit = True
        thread.join(20)
        listening.close()
