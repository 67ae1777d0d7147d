"""A real RTSP server for the benchmarks: GStreamer's, which Debian's own Python can reach.

    scripts/apt-install gir1.2-gst-rtsp-server-1.0 python3-gi gstreamer1.0-plugins-good
    /usr/bin/python3 benchmarks/server/rtsp_server.py FILM.units --port 8554 --fps 30 --width 1920 --height 1080

Plays the film's units (each with its length before it, 4 bytes) again and again, a share of them damaged. Imports
nothing of ours, since another Python runs it.
"""

import argparse
import random
import struct
from pathlib import Path
from typing import Any

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer  # noqa: E402 # the versions must be asked for first

_CHAIN = (
    "( appsrc name=film is-live=true format=time block=true max-bytes=400000"
    " caps=video/x-h264,stream-format=byte-stream,alignment=au,width={width},height={height},framerate={fps}/1"
    " ! rtph264pay name=pay0 pt=96 config-interval=-1 )"
)
_HEAD = 60  # bytes that say what a unit is


class Factory(GstRtspServer.RTSPMediaFactory):  # type: ignore[misc] # the library has no types
    """One film for everyone who comes."""

    def __init__(self, told: argparse.Namespace) -> None:
        super().__init__()
        self._told, self._units, self._number = told, read_units(told.film), 0
        self._chance = random.Random(7)
        self.set_shared(True)

    def do_create_element(self, _url: Any) -> Any:
        told = self._told
        return Gst.parse_launch(_CHAIN.format(width=told.width, height=told.height, fps=told.fps))

    def do_configure(self, media: Any) -> None:
        self._number = 0
        media.get_element().get_child_by_name("film").connect("need-data", self._push)

    def _push(self, source: Any, _length: int) -> None:
        data = self._units[self._number % len(self._units)]
        if self._chance.random() < self._told.damaged:
            data = self._damage(data)
        buffer = Gst.Buffer.new_wrapped(data)
        buffer.duration = Gst.SECOND // self._told.fps
        buffer.pts = self._number * buffer.duration
        self._number += 1
        source.emit("push-buffer", buffer)

    def _damage(self, data: bytes) -> bytes:
        """The same unit with one byte in a thousand, and at least three, spoilt."""
        spoilt = bytearray(data)
        for _ in range(max(3, len(data) // 1000)):
            spoilt[self._chance.randrange(min(_HEAD, len(data) - 1), len(data))] = self._chance.randrange(1, 256)
        return bytes(spoilt)


def read_units(film: str) -> list[bytes]:
    """The film's units, in order."""
    data, at = Path(film).read_bytes(), 0
    found: list[bytes] = []
    while at < len(data):
        (length,) = struct.unpack_from("!I", data, at)
        found.append(data[at + 4 : at + 4 + length])
        at += 4 + length
    return found


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("film")
    for name in ("port", "fps", "width", "height"):
        asked.add_argument(f"--{name}", type=int, required=True)
    asked.add_argument("--damaged", type=float, default=0.0)
    told = asked.parse_args()
    Gst.init(None)
    server = GstRtspServer.RTSPServer()
    server.set_address("127.0.0.1")
    server.set_service(str(told.port))
    server.get_mount_points().add_factory("/table", Factory(told))
    server.attach(None)
    print("ready", flush=True)
    GLib.MainLoop().run()


if __name__ == "__main__":
    main()
