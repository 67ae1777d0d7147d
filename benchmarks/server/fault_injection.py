"""What the phone hears, and what becomes of the table, when something happens to the source.

    python -m benchmarks.server.fault_injection [--only killed,silent,...]

A still table of the shipped game with a camera's noise in every frame, over RTSP (GStreamer's server) or as MJPEG over
HTTP, through the camera's own process into the hub that the phones listen to. For each fault: how soon the phone is
told and what, how soon pictures are looked at again, and whether anything on the table changed by it. On a machine that
has other work, what the phone hears is late by as long as the camera's process waits for a core: that is said too.
"""

import argparse
import asyncio
import contextlib
import multiprocessing
import os
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from subprocess import Popen

import cv2
import numpy as np

from api.camera.process import run
from api.camera.protocol import FailureReport, FrameReport, Report, SourceNotice
from api.live.camera_supervisor import CameraSupervisor, open_commands
from api.live.hub import Hub
from benchmarks.server.stream_fixtures import (
    SIZES,
    Film,
    encode_film,
    find_free_port,
    job_of,
    noisy_frames,
    scratch_folder,
    start_rtsp_server,
)
from calibration.arrays import Image
from models.state import TableState
from models.timeline import EventLine
from tests.streams import mjpeg

FPS = 10
STILLS = 50
BEFORE_S = 3.0
DAMAGED = 0.3
_FIRST_LOOK_S, _PATIENCE_S = 120.0, 40.0
_ON_THE_TABLE = {"moved", "turned", "removed", "appeared", "swapped", "unsure", "in-hand"}
_FAKE_CLOCK = Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1")


@dataclass
class Notice:
    """Something the phone was told, and when."""

    at_s: float
    text: str


class RecordingHub(Hub):
    """A hub that writes down what it tells, and when."""

    def __init__(self) -> None:
        super().__init__(title="faults", commands=None)
        self.troubles: list[Notice] = []
        self.sightings_s: list[float] = []
        self.events: list[str] = []

    def handle_report(self, report: Report) -> None:
        super().handle_report(report)
        now_s = time.monotonic()
        match report:
            case FailureReport():
                self.troubles.append(Notice(now_s, f"{report.problem['type']}: {report.problem['detail']}"))
            case SourceNotice():
                self.troubles.append(Notice(now_s, f"notice: {report.text}"))
            case FrameReport():
                self.sightings_s.append(now_s)
                if report.halt is not None:
                    self.troubles.append(Notice(now_s, f"halt: {report.halt.says}"))
        if isinstance(report, FrameReport | FailureReport):
            self.events += [line.type for line in report.lines if isinstance(line, EventLine)]

    async def wait_until(self, is_so: Callable[[], bool], *, patience_s: float = _PATIENCE_S) -> bool:
        """Whether it came to be so in time."""
        end_s = time.monotonic() + patience_s
        while not is_so() and time.monotonic() < end_s:
            await asyncio.sleep(0.02)
        return is_so()


@dataclass
class Outcome:
    """One fault and what came of it; times from the moment of the fault, and from its end."""

    name: str
    told_s: float | None = None
    told: str = "nothing"
    waited_s: float = 0.0  # for a core, until it was told
    back_s: float | None = None
    frames: int = 0
    shift_mm: float = 0.0
    same_ids: bool = True
    events: list[str] = field(default_factory=list)


@dataclass
class StreamContent:
    """What the MJPEG server sends just now; swapped while it runs."""

    jpegs: list[bytes]
    is_frozen: bool = False
    damaged: float = 0.0

    def stream(self) -> Iterator[bytes]:
        chance = np.random.default_rng(3)
        number = 0
        while True:
            data = self.jpegs[number % len(self.jpegs)]
            yield _damage_jpeg(data, chance) if chance.random() < self.damaged else data
            number += 0 if self.is_frozen else 1


def _damage_jpeg(jpeg: bytes, chance: np.random.Generator) -> bytes:
    """The picture with a stretch of it spoilt, or cut short."""
    if chance.random() < 0.3:
        return jpeg[: len(jpeg) // 2]
    at = int(chance.integers(2000, len(jpeg) - 3000))
    return jpeg[:at] + chance.bytes(2000) + jpeg[at + 2000 :]


Fault = Callable[[RecordingHub], Awaitable[float]]  # does it, undoes it, and says when it was undone


@asynccontextmanager
async def _watch_source(url: str, size: tuple[int, int], **environment: str) -> AsyncIterator[RecordingHub]:
    """A phone whose table has been measured."""
    phone, wanted = RecordingHub(), open_commands()
    was = {name: os.environ.get(name) for name in environment}
    os.environ.update(environment)  # the process that is started inherits it
    try:
        feed = CameraSupervisor(run, replace(job_of(size), source=url), wanted)(phone)
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(feed)
            for name, value in was.items():
                os.environ.pop(name) if value is None else os.environ.update({name: value})
            if not await phone.wait_until(lambda: phone.state is not None, patience_s=_FIRST_LOOK_S):
                raise SystemExit(f"no table was seen at {url}: {phone.troubles}")
            await asyncio.sleep(BEFORE_S)
            yield phone
    finally:
        for name in environment:
            os.environ.pop(name, None)


async def _inject_fault(name: str, phone: RecordingHub, fault: Fault, *, must_tell: bool = True) -> Outcome:
    """The fault done to a watched table, and what came of it."""
    before = phone.state
    assert before is not None
    phone.troubles.clear()
    phone.events.clear()
    phone.sightings_s.clear()
    began_s, waits = time.monotonic(), CoreWaits()
    minding = asyncio.create_task(phone.wait_until(lambda: bool(phone.troubles), patience_s=_PATIENCE_S))
    minding.add_done_callback(lambda _: waits.stop())
    undone_s = await fault(phone)
    if must_tell:
        await phone.wait_until(lambda: bool(phone.troubles), patience_s=5)
    minding.cancel()
    await phone.wait_until(lambda: phone.source.problem is None and any(at > undone_s for at in phone.sightings_s))
    back_s = next((at - undone_s for at in phone.sightings_s if at > undone_s), None)
    await asyncio.sleep(BEFORE_S)
    first = phone.troubles[0] if phone.troubles else None
    outcome = Outcome(name, back_s=back_s, frames=sum(began_s < at < undone_s for at in phone.sightings_s))
    if first is not None:
        outcome.told_s, outcome.told = first.at_s - began_s, first.text
    outcome.waited_s = waits.longest_s
    outcome.events = [event for event in phone.events if event in _ON_THE_TABLE]
    outcome.same_ids, outcome.shift_mm = _compare_tables(before, phone.state)
    return outcome


class CoreWaits:
    """How long the threads of the camera's process have been ready to run and without a core, since this was made."""

    def __init__(self) -> None:
        self._pids = [child.pid for child in multiprocessing.active_children()]
        self._before = self._so_far_s()
        self.longest_s = 0.0

    def stop(self) -> None:
        """Of the thread that waited longest."""
        waits = [after - self._before.get(thread, 0.0) for thread, after in self._so_far_s().items()]
        self.longest_s = max(waits, default=0.0)

    def _so_far_s(self) -> dict[str, float]:
        found = {}
        for pid in self._pids:
            for path in Path(f"/proc/{pid}/task").glob("*/schedstat"):
                with contextlib.suppress(OSError):  # it has ended
                    found[str(path)] = int(path.read_text().split()[1]) / 1e9
        return found


def _compare_tables(before: TableState, after: TableState | None) -> tuple[bool, float]:
    """Whether the same miniatures stand there, and how far the farthest was shifted."""
    assert after is not None
    was, now = ({one.id: one.at_mm for one in state.miniatures} for state in (before, after))
    shared = was.keys() & now.keys()
    return was.keys() == now.keys(), max((float(np.hypot(*np.subtract(was[i], now[i]))) for i in shared), default=0.0)


async def kill_server(film: Film) -> Outcome:
    """The server is killed and starts again three seconds later."""
    async with _serve_film(film) as (phone, server):

        async def fault(_: RecordingHub) -> float:
            server[0].kill()
            await asyncio.sleep(3)
            server[0] = await asyncio.to_thread(start_rtsp_server, film, port=server.port)
            return time.monotonic()

        return await _inject_fault("RTSP server killed, back after 3 s", phone, fault)


async def silence_server(film: Film, *, seconds: float) -> Outcome:
    """The server stands still, its connections open."""
    async with _serve_film(film) as (phone, server):

        async def fault(_: RecordingHub) -> float:
            server[0].send_signal(signal.SIGSTOP)
            await asyncio.sleep(seconds)
            server[0].send_signal(signal.SIGCONT)
            return time.monotonic()

        return await _inject_fault(f"RTSP server silent for {seconds:.0f} s", phone, fault)


async def damage_packets(film: Film) -> Outcome:
    """Of the H.264 units 30 in 100 come damaged, for ten seconds."""
    async with _serve_film(film) as (phone, server):

        async def fault(_: RecordingHub) -> float:
            server[0].kill()
            server[0] = await asyncio.to_thread(start_rtsp_server, film, port=server.port, damaged=DAMAGED)
            await asyncio.sleep(10)
            server[0].kill()
            server[0] = await asyncio.to_thread(start_rtsp_server, film, port=server.port)
            return time.monotonic()

        return await _inject_fault("30 % of H.264 units damaged, 10 s", phone, fault)


async def change_stream(
    name: str, show: StreamContent, change: Callable[[], Callable[[], None]], seconds: float
) -> Outcome:
    """The MJPEG server sends something else for a while."""
    with mjpeg(show.stream, every_s=1 / FPS) as url:
        async with _watch_source(url, SIZES["1080p"]) as phone:

            async def fault(_: RecordingHub) -> float:
                undo = change()
                await asyncio.sleep(seconds)
                undo()
                return time.monotonic()

            return await _inject_fault(name, phone, fault)


async def kill_camera_process(show: StreamContent) -> Outcome:
    """The camera's process is killed."""
    with mjpeg(show.stream, every_s=1 / FPS) as url:
        async with _watch_source(url, SIZES["1080p"]) as phone:

            async def fault(_: RecordingHub) -> float:
                for child in multiprocessing.active_children():
                    child.kill()
                return time.monotonic()

            return await _inject_fault("the camera's process killed", phone, fault)


async def shift_clock(show: StreamContent) -> Outcome:
    """The machine's clock jumps by a day, back by two, and to the right time again."""
    with scratch_folder() as folder, mjpeg(show.stream, every_s=1 / FPS) as url:
        told = folder / "clock"
        told.write_text("+0")
        fake = {
            "LD_PRELOAD": str(_FAKE_CLOCK),
            "FAKETIME_TIMESTAMP_FILE": str(told),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }
        async with _watch_source(url, SIZES["1080p"], **fake) as phone:

            async def fault(_: RecordingHub) -> float:
                for jump in ("+1d", "-1d", "+0"):
                    told.write_text(jump)
                    await asyncio.sleep(3)
                return time.monotonic()

            return await _inject_fault("clock +1 day, -2 days, right again", phone, fault, must_tell=False)


class _Server(list[Popen[str]]):
    """The server's process, which a fault may replace, and its port."""

    port: int


@asynccontextmanager
async def _serve_film(film: Film) -> AsyncIterator[tuple[RecordingHub, _Server]]:
    server = _Server()
    server.port = find_free_port()
    server.append(start_rtsp_server(film, port=server.port))
    try:
        async with _watch_source(f"rtsp://127.0.0.1:{server.port}/table", film.size) as phone:
            yield phone, server
    finally:
        server[0].kill()
        server[0].wait()


def _encode_jpegs(shown_pictures: Iterator[Image]) -> list[bytes]:
    return [cv2.imencode(".jpg", one, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes() for one in shown_pictures]


def _swap_facts(show: StreamContent, **to: object) -> Callable[[], Callable[[], None]]:
    """Sets these of the show's facts, and hands back what sets them as they were."""

    def change() -> Callable[[], None]:
        was = {name: getattr(show, name) for name in to}
        vars(show).update(to)
        return lambda: vars(show).update(was)

    return change


def faults(folder: Path, only: set[str]) -> Iterator[tuple[str, Callable[[], Awaitable[Outcome]]]]:
    """Every fault by its name, made only when asked for."""
    size = SIZES["1080p"]
    film = encode_film(folder, noisy_frames(size, first=0, count=1, times=STILLS), size=size, fps=FPS)
    full = _encode_jpegs(noisy_frames(size, first=0, count=1, times=7))
    small = _encode_jpegs(noisy_frames((1280, 720), first=0, count=1, times=7))
    cropped = _encode_jpegs(one[:, 240:1680] for one in noisy_frames(size, first=0, count=1, times=7))

    def stream_fault(name: str, seconds: float, **to: object) -> Callable[[], Awaitable[Outcome]]:
        show = StreamContent(full)
        return partial(change_stream, name, show, _swap_facts(show, **to), seconds)

    every: dict[str, Callable[[], Awaitable[Outcome]]] = {
        "killed": partial(kill_server, film),
        "silent": partial(silence_server, film, seconds=3),
        "lost": partial(silence_server, film, seconds=12),
        "packets": partial(damage_packets, film),
        "damaged": stream_fault("30 % of MJPEG pictures damaged, 20 s", 20, damaged=DAMAGED),
        "frozen": stream_fault("the same picture for 4 s", 4, is_frozen=True),
        "hiccup": stream_fault("the same picture for 2 s", 2, is_frozen=True),
        "size": stream_fault("1080p becomes 720p for 8 s", 8, jpegs=small),
        "process": partial(kill_camera_process, StreamContent(full)),
        "shape": stream_fault("16:9 becomes 4:3 for 5 s", 5, jpegs=cropped),
    }
    if _FAKE_CLOCK.exists():
        every["clock"] = partial(shift_clock, StreamContent(full))
    elif not only or "clock" in only:
        print("the clock is left alone: scripts/apt-install faketime")
    return ((name, fault) for name, fault in every.items() if not only or name in only)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument(
        "--only", default="", help="killed,silent,lost,packets,damaged,frozen,hiccup,size,process,shape,clock"
    )
    only = {name for name in asked.parse_args().only.split(",") if name}
    with ExitStack() as stack:
        folder = stack.enter_context(scratch_folder())
        for _, fault in faults(folder, only):
            _print_outcome(asyncio.run(fault()))  # type: ignore[arg-type]


def _print_outcome(outcome: Outcome) -> None:
    told = "told nothing" if outcome.told_s is None else f"told after {outcome.told_s:.2f} s"
    told += f" ({outcome.waited_s:.2f} s of it without a core)" if outcome.waited_s > 0.05 else ""
    back = "NOT BACK" if outcome.back_s is None else f"back {outcome.back_s:.2f} s after its end"
    table = "everybody stays" if outcome.same_ids else "OTHER IDS"
    print(f"{outcome.name}: {told}; {outcome.frames} frames meanwhile; {back}")
    print(f"    table: {table}, at most {outcome.shift_mm:.3f} mm off; events on it: {outcome.events or 'none'}")
    print(f"    said: {outcome.told}", flush=True)


if __name__ == "__main__":
    main()
