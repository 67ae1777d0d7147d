"""Whether the eyes keep up: an RTSP stream for many minutes through the camera's own process, as when serving.

    python -m benchmarks.server.sustained_stream --minutes 10 --size 1080p
    python -m benchmarks.server.sustained_stream --minutes 10 --size 4k

The stream is a stretch of the shipped game, enlarged for 4K, with a camera's noise in every frame, played again and
again: hands, moves, still spells, and a table laid back at each start. Each minute: frames looked at in a second, how
old a frame is when it has been looked at, the process's memory and what it takes of one core, decoding included (also
for each frame that was looked at: on a machine with other work this says what an idle one would do).
`--idle` measures instead what one look at a still table costs, decoding apart; `--recording` how fast the shipped
game, 1080p at ten frames a second, is watched from its file.
"""

import asyncio
import multiprocessing
import os
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import cv2
import numpy as np

from api.camera.process import run as run_camera
from api.camera.process import tracker_of
from api.camera.protocol import FrameReport, Report
from api.cli.serve import shipped_job
from api.live.camera_supervisor import CameraSupervisor, open_commands
from api.live.hub import Hub
from benchmarks.harness import run
from benchmarks.server.stream_fixtures import (
    SIZES,
    encode_film,
    find_free_port,
    job_of,
    noisy_frames,
    scratch_folder,
    start_rtsp_server,
)
from vision.capture.sources import CorruptFrameFilter, Frame, read_frames

FIRST, COUNT = 60, 120  # of the game's frames: two moves and the hands that make them
FPS = {"1080p": 30, "4k": 15}
WANTED = {"1080p": 15.0, "4k": 5.0}
_IDLE_FRAMES = 300
_MEGA = 1 << 20


@dataclass(frozen=True)
class Minute:
    """What a minute of watching came to."""

    fps: float
    median_s: float
    late_s: float
    memory_mb: float
    cores: float

    @property
    def each_ms(self) -> float:
        """Of one core, for each frame that was looked at."""
        return 1e3 * self.cores / max(self.fps, 1e-9)


class CountingHub(Hub):
    """A hub that counts what it is told."""

    def __init__(self) -> None:
        super().__init__(title="sustained", commands=None)
        self.ages_s: list[float] = []
        self.told: list[str] = []

    def handle_report(self, report: Report) -> None:
        super().handle_report(report)
        if isinstance(report, FrameReport):
            self.ages_s.append(report.lag_s)
        else:
            self.told.append(str(report)[:150])


def main(
    minutes: float = 10.0, size: Literal["1080p", "4k"] = "1080p", idle: bool = False, recording: bool = False
) -> None:
    if idle:
        measure_idle(size)
    elif recording:
        measure_recording()
    else:
        measure_sustained(size, minutes)


def measure_sustained(size: str, minutes: float) -> None:
    """Print every minute, and at the end whether it kept up and the memory stayed."""
    with scratch_folder() as folder:
        times = FPS[size] // 10
        film = encode_film(
            folder, noisy_frames(SIZES[size], first=FIRST, count=COUNT, times=times), size=SIZES[size], fps=FPS[size]
        )
        port = find_free_port()
        server = start_rtsp_server(film, port=port)
        try:
            rows = asyncio.run(_watch_minutes(f"rtsp://127.0.0.1:{port}/table", size, minutes))
        finally:
            server.kill()
            server.wait()
    slowest, first, last = min(row.fps for row in rows), rows[min(1, len(rows) - 1)], rows[-1]
    kept = "kept up" if slowest >= WANTED[size] else "TOO SLOW"
    print(f"slowest minute {slowest:.1f} frames/s, wanted {WANTED[size]:.0f}: {kept}")
    print(f"memory from the second minute to the last: {last.memory_mb - first.memory_mb:+.1f} MB")


async def _watch_minutes(url: str, size: str, minutes: float) -> list[Minute]:
    """A row a minute, printed as it is known; the minute in which the table is first measured is the first."""
    hub, wanted = CountingHub(), open_commands()
    wanted.pictures.set()  # as if a phone looked on all the time
    job = replace(job_of(SIZES[size]), source=url)
    rows: list[Minute] = []
    async with CameraSupervisor(run_camera, job, wanted)(hub):
        while hub.state is None:
            await asyncio.sleep(0.1)
        (child,) = (process.pid for process in multiprocessing.active_children())
        assert child is not None
        print("minute  frames/s  age median  95 in 100  memory MB  cores  ms a frame")
        while len(rows) < max(1, round(minutes)):
            hub.ages_s.clear()
            rows.append(await _watch_minute(hub, child, 60.0 * min(1.0, minutes)))
            row = rows[-1]
            print(
                f"{len(rows):6d}  {row.fps:8.1f}  {row.median_s:8.3f} s  {row.late_s:7.3f} s"
                f"  {row.memory_mb:9.1f}  {row.cores:5.2f}  {row.each_ms:10.1f}",
                flush=True,
            )
    for line in hub.told:
        print("told:", line)
    return rows


async def _watch_minute(hub: CountingHub, child: int, seconds: float) -> Minute:
    began_s, worked_s = time.monotonic(), _processor_s(child)
    await asyncio.sleep(seconds)
    took_s = time.monotonic() - began_s
    ages_s = np.array(hub.ages_s or [np.nan])
    return Minute(
        fps=len(hub.ages_s) / took_s,
        median_s=float(np.median(ages_s)),
        late_s=float(np.percentile(ages_s, 95)),
        memory_mb=_memory_mb(child),
        cores=(_processor_s(child) - worked_s) / took_s,
    )


def _memory_mb(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / _MEGA


def _processor_s(pid: int) -> float:
    """Seconds of processor time so far, of all its threads."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure_idle(size: str) -> None:
    """Print what a look at a still table costs, with noise in every frame, decoding apart."""
    cv2.setNumThreads(1)
    job = job_of(SIZES[size])
    tracker = tracker_of(job)
    shown = list(noisy_frames(SIZES[size], first=0, count=1, times=7))
    for number in range(30):
        tracker.update(Frame(number, number / 30, shown[number % 7]))
    worked_s, wall_s = time.process_time(), []
    for number in range(30, 30 + _IDLE_FRAMES):
        began_s = time.perf_counter()
        tracker.update(Frame(number, number / 30, shown[number % 7]))
        wall_s.append(time.perf_counter() - began_s)
    each_ms = (time.process_time() - worked_s) / _IDLE_FRAMES * 1000
    on_the_clock_ms = float(np.median(wall_s)) * 1000
    print(f"{size}: a look at a still table takes {each_ms:.1f} ms of one core ({on_the_clock_ms:.1f} ms on the clock)")


def measure_recording() -> None:
    """Print how much faster than it was made the shipped game is watched, as `tableside watch` does."""
    job = shipped_job(is_looping=False)
    tracker, frame_filter = tracker_of(job), CorruptFrameFilter()
    began_s, last_s, count = time.perf_counter(), 0.0, 0
    for frame in read_frames(Path(job.source)):
        if frame_filter.accepts(frame):
            tracker.update(frame)
        last_s, count = frame.t_s, count + 1
    took_s = time.perf_counter() - began_s
    print(f"{count} frames, {last_s:.1f} s of game watched in {took_s:.1f} s: {last_s / took_s:.2f} times as fast")


if __name__ == "__main__":
    run(main)
