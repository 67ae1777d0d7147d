"""What the benchmarks of live sources share: films of a table with a camera's noise, and servers that play them."""

import shutil
import socket
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from pathlib import Path

import av
import cv2
import numpy as np

from api.camera.protocol import Job
from api.cli.serve import SHIPPED, shipped_job
from calibration.arrays import Image
from calibration.camera_model.rescale import rescale_camera
from vision.capture.sources import read_frames

SIZES = {"1080p": (1920, 1080), "4k": (3840, 2160)}
_NOISE = 1.5  # grey levels, as of a webcam indoors
_NOISES = 7  # pictures of noise, shown one after the other
_SERVER = Path(__file__).parent / "rtsp_server.py"
_PYTHON = "/usr/bin/python3"  # Debian's packages are for Debian's Python
_WANTED = "gir1.2-gst-rtsp-server-1.0 python3-gi gstreamer1.0-plugins-good"
PATIENCE_S = 20.0


@dataclass(frozen=True)
class Film:
    """Units of H.264, each with its length before it, and what they show."""

    path: Path
    size: tuple[int, int]
    fps: int


def job_of(size: tuple[int, int], *, source: str = "") -> Job:
    """The shipped game, its camera as if it had taken pictures of this size."""
    job = shipped_job(is_looping=False)
    return Job(source=source, camera=rescale_camera(job.camera, size), layout=job.layout, edition=job.edition)


def noisy_frames(size: tuple[int, int], *, first: int, count: int, times: int = 1) -> Iterator[Image]:
    """Frames of the shipped game in this size, each shown so many times, each time with noise of its own."""
    rng = np.random.default_rng(11)
    noises = [rng.normal(0, _NOISE, (size[1], size[0], 3)).astype(np.float32) for _ in range(_NOISES)]
    number = 0
    for frame in islice(read_frames(SHIPPED / "game.mp4"), first, first + count):
        large = cv2.resize(frame.image, size, interpolation=cv2.INTER_CUBIC).astype(np.float32)
        for _ in range(times):
            yield np.clip(large + noises[number % _NOISES], 0, 255).astype(np.uint8)
            number += 1


def encode_film(folder: Path, shown: Iterator[Image], *, size: tuple[int, int], fps: int) -> Film:
    """The pictures as H.264 like a camera's: a whole picture each second, none that waits for a later one."""
    path = folder / f"{size[0]}x{size[1]}.units"
    codec = av.CodecContext.create("libx264", "w")
    assert isinstance(codec, av.VideoCodecContext)
    codec.width, codec.height, codec.pix_fmt = *size, "yuv420p"
    codec.framerate = Fraction(fps)
    codec.gop_size = fps
    codec.options = {"tune": "zerolatency", "preset": "veryfast", "crf": "23", "x264-params": "sliced-threads=0"}
    with path.open("wb") as out:
        for picture in shown:
            for packet in codec.encode(av.VideoFrame.from_ndarray(picture, format="bgr24")):
                _write(out, bytes(packet))
        for packet in codec.encode():
            _write(out, bytes(packet))
    return Film(path, size, fps)


def _write(out: "object", data: bytes) -> None:
    out.write(struct.pack("!I", len(data)) + data)  # type: ignore[attr-defined]


def find_free_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as one:
        return int(one.getsockname()[1])


def start_rtsp_server(film: Film, *, port: int, damaged: float = 0.0) -> subprocess.Popen[str]:
    """GStreamer's RTSP server, playing this film at rtsp://127.0.0.1:PORT/table."""
    told = {"port": port, "fps": film.fps, "width": film.size[0], "height": film.size[1], "damaged": damaged}
    words = [f"--{name}={value}" for name, value in told.items()]
    server = subprocess.Popen([_PYTHON, str(_SERVER), str(film.path), *words], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    if server.stdout.readline().strip() != "ready":
        sys.exit(f"no RTSP server: scripts/apt-install {_WANTED}")
    return server


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder that is gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="tableside-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder)
