"""The real program in its own process, as a player starts it; or an app of a test's own, in a thread of the test."""

import atexit
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI

from api.server.serve import StreamEndingServer

PATIENCE_S = 120
_PROGRAM = [sys.executable, "-c", "from api.cli import main; main()"]


@contextmanager
def serve_table(*arguments: str, port: int = 0) -> Iterator[str]:
    """The address at which `tableside ARGUMENTS` serves, for as long as it is needed."""
    with start_program(*arguments, port=port) as server:
        assert server.stdout is not None
        told = server.stdout.readline()
        assert told, f"{' '.join(arguments)} ended with {server.wait(120)} before it served"
        yield json.loads(told)["urls"][0]


@contextmanager
def start_program(
    *arguments: str, port: int = 0, environment: Mapping[str, str] | None = None
) -> Iterator["subprocess.Popen[str] | ForkedProgram"]:
    """The process of `tableside ARGUMENTS`, which tells its addresses in one line; it is ended when it has not."""
    listen = {"TABLESIDE_HOST": "127.0.0.1", "TABLESIDE_PORT": str(port)}
    with _start([*arguments, "--json"], {**os.environ, **listen, **(environment or {})}) as server:
        try:
            yield server
        finally:
            server.terminate()
            server.wait(PATIENCE_S)


def _start(words: list[str], environment: dict[str, str]) -> "subprocess.Popen[str] | ForkedProgram":
    """A fork of the tests' zygote where there is one; benchmarks, which time a start, begin with an interpreter."""
    if "PYTEST_CURRENT_TEST" in os.environ and sys.platform == "linux":
        return ForkedProgram(_zygote(), words, environment)
    return subprocess.Popen([*_PROGRAM, *words], stdout=subprocess.PIPE, text=True, env=environment)


class ForkedProgram:
    """A started program with what of a Popen the tests need."""

    def __init__(self, zygote: socket.socket, words: list[str], environment: dict[str, str]) -> None:
        told = {"arguments": words, "folder": os.getcwd(), "environment": environment}
        (reads, prints), (mine, its) = os.pipe(), socket.socketpair()
        with its:
            socket.send_fds(zygote, [json.dumps(told).encode()], [prints, its.fileno()])
        os.close(prints)
        self.stdout = open(reads, encoding="utf-8")  # noqa: SIM115
        self._status = mine
        self.pid = int(self._line())
        self.returncode: int | None = None

    def __enter__(self) -> "ForkedProgram":
        return self

    def __exit__(self, *_: object) -> None:
        self.stdout.close()
        self.wait()
        self._status.close()

    def poll(self) -> int | None:
        with suppress(TimeoutError):
            self.wait(0.001)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code, once it has ended. Raises: TimeoutError."""
        if self.returncode is None:
            self._status.settimeout(timeout)
            self.returncode = int(self._line())
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _line(self) -> str:
        line = b""
        while not line.endswith(b"\n"):
            byte = self._status.recv(1)
            assert byte, "the zygote ended"
            line += byte
        return line.decode()


@cache
def _zygote() -> socket.socket:
    """The control socket of this process's zygote, which ends when the socket is closed."""
    mine, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with its:
        command = [sys.executable, "-c", "from tests.api.zygote import main; main()", str(its.fileno())]
        zygote = subprocess.Popen(command, pass_fds=[its.fileno()])
    atexit.register(lambda: (mine.close(), zygote.wait(PATIENCE_S)))
    return mine


def folders_of_user(folder: Path) -> dict[str, str]:
    """The variables by which a program keeps tables and cameras in this folder, not in the user's own."""
    return {"TABLESIDE_TABLES": str(folder), "TABLESIDE_PROFILES": str(folder / "cameras")}


def read_addresses(server: "subprocess.Popen[str] | ForkedProgram") -> dict[str, Any]:
    """What a started program says in its one line: its addresses, the pages, and the codes that open the seats."""
    assert server.stdout is not None
    return dict(json.loads(server.stdout.readline()))


def call_api(url: str, path: str, *, token: str = "", body: dict[str, Any] | None = None, method: str = "GET") -> Any:
    """The answer of the server at this address to one request."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{url}api/v1/{path}", data=data, headers=headers, method=method)
    with urllib.request.urlopen(request, timeout=120) as answer:
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
        thread.join(120)
        listening.close()
