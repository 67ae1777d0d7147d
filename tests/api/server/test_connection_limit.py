"""Half-sent requests and idle lines end by themselves, and no client holds all of them."""

import logging
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
from fastapi import FastAPI
from websockets.sync.client import connect

from api.live.hub import Hub
from api.server.app import create_app
from api.server.serve import (
    ConnectionLimits,
    StreamEndingServer,
    raise_descriptor_limit,
    server_config,
)
from api.supervision import SaidOnce
from tests.api import fakes
from tests.api.worlds import frame_report, skirmish, state_line

PATIENCE_S = 120


@contextmanager
def limited_server(limits: ConnectionLimits, app: FastAPI | None = None) -> Iterator[int]:
    """The port of a table's server with these limits."""
    hub = Hub(title="test table")
    hub.handle_report(frame_report(state_line(skirmish())))
    app = app or create_app(hub, ask=fakes.ask)
    listening = socket.create_server(("127.0.0.1", 0))
    server = StreamEndingServer(server_config(app, limits), endings=app.state.endings)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield int(listening.getsockname()[1])
    finally:
        server.should_exit = True
        thread.join(PATIENCE_S)
        listening.close()


def open_line(port: int, sent: bytes = b"") -> socket.socket:
    line = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
    line.sendall(sent)
    return line


def read_to_end(line: socket.socket) -> bytes:
    found = b""
    try:
        while part := line.recv(65536):
            found += part
    except ConnectionResetError:
        pass
    return found


GET = b"GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: localh"])
def test_a_request_that_does_not_come_whole_ends_its_line(sent: bytes) -> None:
    with limited_server(ConnectionLimits(header_s=0.2)) as port, open_line(port, sent) as line:
        assert read_to_end(line).startswith(b"HTTP/1.1 408")


def test_a_trickle_of_header_lines_buys_no_time() -> None:
    with limited_server(ConnectionLimits(header_s=0.5)) as port, open_line(port, b"GET / HTTP/1.1\r\n") as line:
        line.settimeout(0.05)
        began_s, found = time.monotonic(), b""
        while not found and time.monotonic() - began_s < PATIENCE_S:
            try:
                line.sendall(b"X-More: 1\r\n")
                found = line.recv(100)
            except TimeoutError:
                continue
            except OSError:
                break

        assert time.monotonic() - began_s < PATIENCE_S


def test_a_body_that_does_not_come_ends_its_line() -> None:
    head = b"POST /api/v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"
    with limited_server(ConnectionLimits(body_s=0.2)) as port, open_line(port, head) as line:
        assert b"200 OK" not in read_to_end(line)


def test_a_client_holds_so_many_lines_and_is_served_again_when_one_ends() -> None:
    with limited_server(ConnectionLimits(from_one=3)) as port, ExitStack() as held:
        lines = [held.enter_context(open_line(port)) for _ in range(3)]
        with open_line(port, GET) as refused:
            assert read_to_end(refused).startswith(b"HTTP/1.1 503")
        lines[0].close()
        status = b""
        while not status.startswith(b"HTTP/1.1 200"):
            with open_line(port, GET) as line:
                status = read_to_end(line)


def test_a_websocket_counts_as_a_line_until_it_ends() -> None:
    with limited_server(ConnectionLimits(from_one=1)) as port:
        with connect(f"ws://127.0.0.1:{port}/api/v1/live") as phone:
            phone.recv(PATIENCE_S)
            with open_line(port, GET) as refused:
                assert read_to_end(refused).startswith(b"HTTP/1.1 503")
        status = b""
        while not status.startswith(b"HTTP/1.1 200"):
            with open_line(port, GET) as line:
                status = read_to_end(line)


def test_a_websocket_is_no_request_whose_body_is_awaited() -> None:
    with (
        limited_server(ConnectionLimits(body_s=0.0)) as port,
        connect(f"ws://127.0.0.1:{port}/api/v1/live") as phone,
    ):
        assert phone.ping().wait(PATIENCE_S)
        assert phone.ping().wait(PATIENCE_S)


def test_four_hundred_half_sent_headers_and_many_idle_lines_are_survived_quietly(
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert raise_descriptor_limit() >= 256
    with caplog.at_level(logging.WARNING), limited_server(ConnectionLimits(from_one=150)) as port, ExitStack() as held:
        for n in range(400):
            held.enter_context(open_line(port, b"GET / HTTP/1.1\r\nHost:" if n % 2 else b""))
        held.close()
        status = b""
        while not status.startswith(b"HTTP/1.1 200"):
            with open_line(port, GET) as line:
                status = read_to_end(line)

    assert not [record for record in caplog.records if record.exc_info]
    assert len(caplog.records) <= 2


def test_that_no_descriptor_is_left_is_logged_once_a_minute_without_a_traceback() -> None:
    now_s = [0.0]
    faults = SaidOnce("socket.accept() out of", clock=lambda: now_s[0])
    kept = []
    for second in range(121):
        now_s[0] = float(second)
        says = "socket.accept() out of system resource\nsocket: <socket>"
        record = logging.LogRecord("asyncio", logging.ERROR, "", 0, says, (), (OSError, OSError(24, "EMFILE"), None))
        kept += [record.exc_info] if faults.filter(record) else []

    assert kept == [None, None, None]
    assert faults.filter(logging.LogRecord("asyncio", logging.ERROR, "", 0, "another", (), None))
