"""The real program in its own process, as a player starts it; or an app of a test's own, in a thread of the test."""

import json
import secrets
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import uvicorn
from fastapi import FastAPI

from api.server.serve import StreamEndingServer

_PROGRAM = [sys.executable, "-c", "from api.cli import main; main()"]


@contextmanager
def serve_table(*arguments: str, port: int = 0) -> Iterator[str]:
    """The address at which `tableside ARGUMENTS` serves, for as long as it is needed."""
    with start_program(*arguments, port=port) as server:
        assert server.stdout is not None
        told = server.stdout.readline()
        assert told, f"{' '.join(arguments)} ended with {server.wait(10)} before it served"
        yield json.loads(told)["urls"][0]


@contextmanager
def start_program(*arguments: str, port: int = 0) -> Iterator[subprocess.Popen[str]]:
    """The process of `tableside ARGUMENTS`, which tells its addresses in one line; it is ended when it has not."""
    command = [*_PROGRAM, *arguments, "--host", "127.0.0.1", "--port", str(port), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            yield server
        finally:
            server.terminate()
            server.wait(20)


def read_addresses(server: subprocess.Popen[str]) -> dict[str, Any]:
    """What a started program says in its one line: its addresses, the pages, and the codes that open the seats."""
    assert server.stdout is not None
    return dict(json.loads(server.stdout.readline()))


def call_api(url: str, path: str, *, token: str = "", body: dict[str, Any] | None = None, method: str = "GET") -> Any:
    """The answer of the server at this address to one request."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{url}api/v1/{path}", data=data, headers=headers, method=method)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def find_free_port() -> int:
    """A port at which nobody listens, below those that the system lends to clients.

    One that tries again and again would else take the port of the very server it waits for.
    """
    for _ in range(200):
        with suppress(OSError), socket.create_server(("127.0.0.1", 20_000 + secrets.randbelow(10_000))) as listening:
            return int(listening.getsockname()[1])
    raise OSError("no port is free")


@contextmanager
def serve_app(app: FastAPI) -> Iterator[str]:
    """The address at which this app serves, for as long as it is needed."""
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(app, log_level="error", ws="websockets-sansio")
    server = StreamEndingServer(config, endings=getattr(app.state, "endings", ()))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
    finally:
        server.should_exit = True
        thread.join(20)
        listening.close()
