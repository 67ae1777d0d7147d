"""The table of the soak: a stream that can be broken, and a server over it that can be killed."""

import shutil
import struct
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

import cv2
import numpy as np

from api.cli.serve import SHIPPED, shipped_job
from api.storage.files import save
from benchmarks.server.hall.server import StartedTable, start_table
from benchmarks.server.memory_account import program, read_account
from benchmarks.server.stream_fixtures import find_free_port
from tests.streams import mjpeg
from vision.capture.sources import read_frames

SOURCE = Path(__file__).with_name("fake_clock.c")


class FakeClock:
    """The clock of the processes that are started with `environment`; `set_off` sets it at any time."""

    def __init__(self, folder: Path) -> None:
        self._file, self._library = folder / "clock", folder / "fake_clock.so"
        self.set_off(0)
        command = ["cc", "-O2", "-shared", "-fPIC", "-o", str(self._library), str(SOURCE), "-ldl"]
        subprocess.run(command, check=True)

    @staticmethod
    def can_be_had() -> bool:
        """Whether there is a C compiler."""
        return shutil.which("cc") is not None

    def set_off(self, by_s: int) -> None:
        """From now on it is so far ahead of the right time."""
        told = struct.pack("q", by_s)
        if self._file.exists():
            with self._file.open("r+b") as file:  # processes have mapped this very file
                file.write(told)
        else:
            self._file.write_bytes(told)

    @property
    def environment(self) -> dict[str, str]:
        """What a process has to find in its environment."""
        return {"LD_PRELOAD": str(self._library), "FAKE_CLOCK_FILE": str(self._file)}


FPS = 10
QUALITY = 90
SILENT_LOOK_S = 0.05

Mode = Literal["playing", "killed", "silent", "garbled", "half damaged"]
Child = Literal["camera", "worker"]


class Stream:
    """The recording, looped; `mode` may be changed at any time. In a process of its own the server is left alone."""

    def __init__(self) -> None:
        frames = (frame.image for frame in read_frames(SHIPPED / "game.mp4"))
        self._jpegs = [cv2.imencode(".jpg", one, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes() for one in frames]
        self.mode: Mode = "playing"
        self._began_s = time.monotonic()

    def pictures(self) -> Iterator[bytes]:
        """What a listener is sent: always what is due now, as from a camera."""
        chance = np.random.default_rng(3)
        while self.mode != "killed":
            if self.mode == "silent":
                time.sleep(SILENT_LOOK_S)
                continue
            data = self._jpegs[int((time.monotonic() - self._began_s) * FPS) % len(self._jpegs)]
            is_hurt = self.mode == "garbled" or (self.mode == "half damaged" and chance.random() < 0.5)
            yield _hurt(data, chance) if is_hurt else data


def _hurt(jpeg: bytes, chance: np.random.Generator) -> bytes:
    at = int(chance.integers(1000, len(jpeg) // 2))
    return jpeg[:at] if chance.random() < 0.5 else jpeg[:at] + chance.bytes(3000) + jpeg[at + 3000 :]


class SoakTable:
    """A served table and its stream; used as a context."""

    def __init__(self, folder: Path, *, accounts_memory: bool = False) -> None:
        self.data = folder / "table"
        self._accounts = folder / "memory" if accounts_memory else None
        self.stream = Stream()
        self._folder = folder
        self._port = find_free_port()
        self._stack = ExitStack()
        self._server = ExitStack()
        self.table: StartedTable
        self.clock = FakeClock(folder) if FakeClock.can_be_had() else None

    def __enter__(self) -> "SoakTable":
        self._url = self._stack.enter_context(mjpeg(self.stream.pictures, every_s=1 / FPS))
        job = shipped_job(is_looping=False)
        save(job.camera, self._folder / "camera.json")
        save(job.layout, self._folder / "layout.json")
        self._edition = job.edition
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, wrong: BaseException | None, at: TracebackType | None) -> None:
        self.stream.mode = "killed"
        self._server.close()
        self._stack.close()

    def start(self) -> None:
        """Start the server, as whoever looks after the table would after it was killed."""
        self._server.close()
        command = ["serve", "--source", self._url, "--edition", self._edition, "--data", str(self.data)]
        files = ["--camera", str(self._folder / "camera.json"), "--layout", str(self._folder / "layout.json")]
        environment = None if self.clock is None else self.clock.environment
        options: dict[str, Any] = {"port": self._port, "environment": environment}
        if self._accounts is not None:
            shutil.rmtree(self._accounts, ignore_errors=True)  # another process counts from the beginning
            self._accounts.mkdir()
            options["program"] = program(self._accounts)
        started = start_table(*command, *files, **options)
        self.table = self._server.enter_context(started)

    @property
    def url(self) -> str:
        return self.table.server.url

    @property
    def live(self) -> str:
        return self.table.server.live

    def code(self, door: str) -> str:
        return str(self.table.told["join"][door]).rsplit("/", 1)[1]

    def memory_mb(self) -> float:
        """Of the server's own process; NaN while there is none."""
        try:
            return self.table.server.memory_mb()["server"]
        except OSError:
            return float("nan")

    def read_memory_account(self) -> dict[str, Any]:
        """Where the server's memory lies now; empty where that is not asked for."""
        return {} if self._accounts is None else read_account(self.table.server.pid, self._accounts)

    def children(self, kind: Child) -> list[int]:
        """The processes beside the server; none before the camera's has stepped back, by which it is known."""
        named = self.table.server.children()
        return [pid for pid, name in named.items() if name.startswith(kind)] if "camera" in named.values() else []
