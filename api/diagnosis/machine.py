"""Machine checks: the program itself, network, port, disk, speed."""

import hashlib
import os
import platform
import shutil
import socket
import time
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

from api.diagnosis.findings import Finding, bad, good, warn
from api.server.bind import UNREACHED, is_loopback
from calibration.arrays import Image
from vision.capture.video_file import has_pyav

_ROOT = Path(__file__).parents[2]
_KERNELS = ("referee/line_of_sight", "vision/native")
_WEIGHTS = _ROOT / "vision" / "detection" / "network" / "weights"
_PAGE = _ROOT / "api" / "web" / "dist" / "index.html"
_SHARED = ("numpy", "opencv-python-headless", "onnxruntime", "shapely", "fastapi", "pydantic")
_LEAST_FREE, _FEW_FREE = 200_000_000, 2_000_000_000  # bytes
_TABLE_PX = 1248  # a side of the picture the network sees of a table of four feet
_SLOW_S = 1.0


def check_program() -> Iterator[Finding]:
    """Versions, the compiled kernels, the page, the weights."""
    yield good("program", f"Tableside {version_of('tableside')} on Python {platform.python_version()}, {_system()}")
    yield good("packages", ", ".join(f"{name} {version_of(name)}" for name in _SHARED))
    if has_pyav():
        yield good("streams", f"network cameras and recordings are read by PyAV {version_of('av')}")
    else:
        says = "network cameras cannot be read, and damage in a recording is not noticed"
        yield warn("streams", says, "pip install 'tableside[streams]', where they are used")
    absent = ", ".join(folder for folder in _KERNELS if not (_ROOT / folder / "kernel.so").is_file())
    yield (
        bad("kernels", f"not compiled: {absent}", "install Tableside again") if absent else good("kernels", "compiled")
    )
    advice = "install the wheel, or run `make demo` in a clone"
    yield good("page", "built") if _PAGE.is_file() else bad("page", "the phone's page has not been built", advice)
    yield good("weights", ", ".join(f"{path.name} {_digest(path)}" for path in sorted(_WEIGHTS.glob("*.onnx"))))


def version_of(name: str) -> str:
    """A package's version; of ours in a clone that was not installed: unknown."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "unknown"


def check_network(lan: str | None, *, host: str = "0.0.0.0") -> Finding:
    """Whether a phone has an address to go to; `lan`: what this machine is called on the local network."""
    if is_loopback(host):
        return bad("network", f"at {host} no other machine reaches the server", "leave out --host, so that phones do")
    if lan is None:
        return bad(
            "network", "this machine is in no network", "join the phones' Wi-Fi, or open a hotspot here, and look again"
        )
    says = f"phones on the same network reach this machine as {lan}; {UNREACHED}"
    return good("network", says)


def check_port(host: str, port: int) -> Finding:
    """Whether a server can listen there."""
    try:
        with socket.create_server((host, port)):
            return good("port", f"{port} is free")
    except OSError as wrong:
        return bad(
            "port",
            f"{port} cannot be had: {wrong.strerror}",
            "end the other server (another `tableside`?), or choose one with --port",
        )


def check_disk(folder: Path) -> Finding:
    """Whether a game can be kept in this folder, which need not exist yet."""
    existing = next(place for place in (folder, *folder.absolute().parents) if place.is_dir())
    if not os.access(existing, os.W_OK):
        return bad("disk", f"{existing} cannot be written to", "choose another folder with --data, or change its owner")
    free = shutil.disk_usage(existing).free
    says = f"{free / 1e9:.1f} GB free where games are kept ({existing})"
    if free < _LEAST_FREE:
        return bad("disk", says, "make room: a game of three hours with evidence takes up to 2 GB")
    if free < _FEW_FREE:
        return warn("disk", says, 'keep fewer pictures: keep_pictures = "200MB"')
    return good("disk", says)


def check_speed(run: Callable[[Image], object], *, clock: Callable[[], float] = time.perf_counter) -> Finding:
    """How long `run`, the network, takes over a picture of a table of four feet."""
    blank = np.full((_TABLE_PX, _TABLE_PX, 3), 90, np.uint8)
    run(blank)
    began = clock()
    run(blank)
    took = clock() - began
    says = f"{os.cpu_count()} cores; the network takes {took:.2f} s over a table"
    if took > _SLOW_S:
        return warn("speed", says, "use a camera of 1080p instead of 4K, and light = true")
    return good("speed", says)


def _system() -> str:
    return f"{platform.system()} {platform.release()} ({platform.machine()})"


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]
