"""Small real servers of streams: MJPEG over HTTP, HLS from files, and RTSP with H.264 inside its own connection."""

import socket
import socketserver
import struct
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import av
import cv2
import numpy as np

from calibration.arrays import Image

SIZE = (96, 64)
EVERY_S = 0.02


def numbered(number: int, size: tuple[int, int] = SIZE) -> Image:
    """A picture whose grey level tells its number, with a pattern that no codec flattens."""
    noise = np.random.default_rng(number).integers(0, 6, (size[1], size[0], 3))
    return np.clip(noise + 20 + 8 * (number % 25), 0, 255).astype(np.uint8)


def jpeg(picture: Image) -> bytes:
    return bytes(cv2.imencode(".jpg", picture)[1].tobytes())


def jpegs(count: int = 100_000, size: tuple[int, int] = SIZE) -> Iterator[bytes]:
    """Pictures without an end."""
    return (jpeg(numbered(number, size)) for number in range(count))


@contextmanager
def mjpeg(pictures: Callable[[], Iterable[bytes]] = jpegs, *, every_s: float = EVERY_S, port: int = 0) -> Iterator[str]:
    """The address of a server that sends these pictures to everyone who comes; at its end all lines are cut."""
    stopped = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=next")
            self.end_headers()
            for data in pictures():
                head = f"--next\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
                self.wfile.write(head.encode() + data + b"\r\n")
                if stopped.wait(every_s):
                    return

        def log_message(self, *_: object) -> None: ...

    with _serving(_Quiet(("127.0.0.1", port), Handler), stopped) as server:
        yield f"http://127.0.0.1:{server.server_address[1]}/table.mjpg"


@contextmanager
def hls(folder: Path, *, seconds: int = 3, fps: int = 10) -> Iterator[str]:
    """The address of a playlist whose pieces of a second each lie in this folder."""
    options = {"hls_time": "1", "hls_list_size": "0", "hls_flags": "independent_segments"}
    with av.open(str(folder / "table.m3u8"), "w", format="hls", options=options) as out:
        _encode(out, seconds * fps, fps=fps)
    handler = partial(_Files, directory=str(folder))
    with _serving(_Quiet(("127.0.0.1", 0), handler), threading.Event()) as server:
        yield f"http://127.0.0.1:{server.server_address[1]}/table.m3u8"


def film(path: Path, count: int, *, fps: int = 10, size: tuple[int, int] = SIZE) -> Path:
    """An H.264 file of numbered pictures, a whole one every ten."""
    with av.open(str(path), "w") as out:
        _encode(out, count, fps=fps, size=size)
    return path


@contextmanager
def rtsp(path: Path, *, port: int = 0) -> Iterator[str]:
    """The address of an RTSP server that plays this file again and again to everyone who comes, at its own pace."""
    stopped = threading.Event()

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            while (request := _request(self.rfile)) is not None:
                method, sequence = request
                self.wfile.write(_reply(method, sequence).encode())
                if method == "PLAY":
                    self._play()
                    return

        def _play(self) -> None:
            for number, (nals, is_last, at) in enumerate(_nals(path)):
                head = struct.pack("!BBHII", 0x80, 96 | (0x80 if is_last else 0), number & 0xFFFF, at, 7)
                self.wfile.write(struct.pack("!cBH", b"$", 0, len(head) + len(nals)) + head + nals)
                if is_last and stopped.wait(EVERY_S):
                    return

    with _serving(_QuietTcp(("127.0.0.1", port), Handler), stopped) as server:
        yield f"rtsp://127.0.0.1:{server.server_address[1]}/table"


class _QuietTcp(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    block_on_close = False

    def __init__(self, *arguments: object) -> None:
        self.lines: set[socket.socket] = set()
        super().__init__(*arguments)  # type: ignore[arg-type]

    def process_request(self, request: object, client_address: object) -> None:
        self.lines.add(request)  # type: ignore[arg-type]
        super().process_request(request, client_address)  # type: ignore[arg-type]

    def handle_error(self, *_: object) -> None:
        """Who hangs up is no error."""


class _Quiet(_QuietTcp, ThreadingHTTPServer):
    """HTTP, as quiet."""


class _Files(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None: ...


@contextmanager
def _serving(server: _QuietTcp, stopped: threading.Event) -> Iterator[_QuietTcp]:
    thread = threading.Thread(target=partial(server.serve_forever, 0.02), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        stopped.set()
        server.shutdown()
        server.server_close()
        for line in server.lines:
            with line:
                try:
                    line.shutdown(socket.SHUT_RDWR)
                except OSError:
                    continue
        thread.join()


def _encode(out: "av.container.OutputContainer", count: int, *, fps: int, size: tuple[int, int] = SIZE) -> None:
    stream = out.add_stream("libx264", rate=fps, options={"tune": "zerolatency", "g": "10", "preset": "ultrafast"})
    stream.width, stream.height, stream.pix_fmt = *size, "yuv420p"
    stream.codec_context.gop_size = 10
    for number in range(count):
        out.mux(stream.encode(av.VideoFrame.from_ndarray(numbered(number, size), format="bgr24")))
    out.mux(stream.encode())


def _request(lines: "socketserver.BufferedIOBase") -> tuple[str, str] | None:  # type: ignore[name-defined]
    """Method and number of the next request; None when there is none."""
    first = lines.readline().decode()
    sequence = "0"
    while (line := lines.readline().decode().strip()) != "":
        if line.lower().startswith("cseq:"):
            sequence = line.split(":")[1].strip()
    return (first.split()[0], sequence) if first else None


def _reply(method: str, sequence: str) -> str:
    head = f"RTSP/1.0 200 OK\r\nCSeq: {sequence}\r\n"
    if method == "DESCRIBE":
        told = "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=table\r\nt=0 0\r\nm=video 0 RTP/AVP 96\r\n"
        told += "a=rtpmap:96 H264/90000\r\na=fmtp:96 packetization-mode=1\r\na=control:track1\r\n"
        return f"{head}Content-Type: application/sdp\r\nContent-Length: {len(told)}\r\n\r\n{told}"
    if method == "SETUP":
        return f"{head}Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\nSession: 1\r\n\r\n"
    return f"{head}Public: DESCRIBE, SETUP, PLAY\r\nSession: 1\r\n\r\n"


def _nals(path: Path) -> Iterator[tuple[bytes, bool, int]]:
    """Each unit of the file's pictures, whether it ends one, and its time in 90000ths of a second, without an end."""
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        to_units = av.BitStreamFilterContext("h264_mp4toannexb", stream)
        packets = [bytes(out) for packet in container.demux(stream) if packet.size for out in to_units.filter(packet)]
    at = 0
    while True:
        for data in packets:
            units = [unit.rstrip(b"\0") for unit in data.replace(b"\0\0\0\1", b"\0\0\1").split(b"\0\0\1") if unit]
            for number, unit in enumerate(units):
                yield unit, number == len(units) - 1, at & 0xFFFFFFFF
            at += round(90_000 * EVERY_S)
