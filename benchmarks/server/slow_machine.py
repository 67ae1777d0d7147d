"""What a slow machine can do: the shipped game, 1080p, as the camera's process would follow it with a part of one core.

    python -m benchmarks.server.slow_machine --share 0.25
    python -m benchmarks.server.slow_machine --share 0.25 --light

A clock of its own goes on by the processor time of each step, divided by the share, so that other work on this machine
matters little: while a look takes long the game goes on, and the next look is at the newest picture. Every picture that
comes is decoded, as a webcam's is. Printed: seconds until the table is known, looks a second at rest and under hands,
what a look costs, the most memory (this benchmark's own pictures in it), and what is told of the game. Its camera is
bumped by 27.5 mm after 19.3 s, which is 40 s later here: `camera-moved` is told once, and rightly.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np
import typer

from api.camera.frame_loop import FrameLoop
from api.camera.process import LIGHT_FPS, pause_after, tracker_of
from api.camera.protocol import FrameReport, Job
from api.live.camera_supervisor import open_commands
from benchmarks.harness import run
from benchmarks.server.stream_fixtures import SIZES, job_of, noisy_frames
from calibration.arrays import Image
from models.timeline import StateLine
from vision.capture.sources import Frame
from vision.parallel import use_single_thread

_RECORDED_FPS, _FRAMES = 10, 290
_REST_S = 40.0  # the table at rest before the game, and after it


@dataclass
class Watched:
    """What was told, by the slow machine's clock."""

    known_s: float | None = None
    looks: list[tuple[float, float, bool]] = field(default_factory=list)  # when it began, what it cost, whether hands
    told: list[str] = field(default_factory=list)
    bases: int = 0


def main(
    share: Annotated[float, typer.Option(help="of one core of this machine")] = 0.25,
    fps: Annotated[float, typer.Option(help="pictures a second that the camera sends")] = 30.0,
    light: Annotated[bool, typer.Option(help="as `light` of the settings does")] = False,
) -> None:
    cv2.setNumThreads(1)
    use_single_thread()
    pictures = [_jpeg(one) for one in noisy_frames(SIZES["1080p"], first=0, count=_FRAMES)]
    before_mb = _memory_mb("VmRSS")
    watched = watch(pictures, job_of(SIZES["1080p"]), share=share, fps=fps, is_light=light)
    _print(watched, _memory_mb("VmHWM"), before_mb)


def _jpeg(picture: Image) -> bytes:
    return bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes())


def watch(pictures: list[bytes], job: Job, *, share: float, fps: float, is_light: bool = False) -> Watched:
    """The game followed on a clock that goes on by processor time."""
    watched, loop, now_s, index = Watched(), FrameLoop(job, open_commands(), tracker_of), 0.0, 0
    ends_s: float | None = None
    fps = LIGHT_FPS if is_light else fps
    decoding_s = _cost_s(lambda: _decode(pictures[0])) / share
    while ends_s is None or now_s < ends_s:
        begins_s = None if watched.known_s is None else watched.known_s + _REST_S
        t_s = 0.0 if begins_s is None else max(0.0, now_s - begins_s)
        image = _decode(pictures[min(int(t_s * _RECORDED_FPS), len(pictures) - 1)])
        began = time.process_time()
        reports = list(loop.process_frame(Frame(index, now_s, image), 0.0))
        took_s = (time.process_time() - began) / share
        took_s /= 1 - min(0.9, decoding_s * fps)  # the rest goes to pictures that come meanwhile
        is_hand = _take(watched, reports, now_s + took_s)
        if watched.known_s is not None:
            watched.looks.append((now_s, took_s, is_hand))
            ends_s = watched.known_s + 2 * _REST_S + len(pictures) / _RECORDED_FPS
        now_s += max(took_s + (pause_after(took_s, is_hand=is_hand) if is_light else 0.0), 1 / fps)
        index += 1
    return watched


def _take(watched: Watched, reports: Sequence[object], now_s: float) -> bool:
    hand = False
    for report in reports:
        if isinstance(report, FrameReport):
            hand = hand or report.hand
            for line in report.lines:
                if isinstance(line, StateLine):
                    watched.bases = len(line.state.miniatures)
                    watched.known_s = now_s if watched.known_s is None else watched.known_s
                else:
                    watched.told.append(f"{now_s:.0f}s {line.type} {','.join(line.ids)}")
    return hand


def _decode(jpeg: bytes) -> Image:
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def _cost_s(step: Callable[[], object], times: int = 20) -> float:
    began = time.process_time()
    for _ in range(times):
        step()
    return (time.process_time() - began) / times


def _memory_mb(name: str) -> float:
    (line,) = [one for one in Path("/proc/self/status").read_text().splitlines() if one.startswith(f"{name}:")]
    return int(line.split()[1]) / 1024


def _print(watched: Watched, most_mb: float, before_mb: float) -> None:
    assert watched.known_s is not None
    costs = np.array([took_s for _, took_s, _ in watched.looks])
    begins = np.array([at_s for at_s, _, _ in watched.looks])
    hands = np.array([hand for _, _, hand in watched.looks])
    gaps = np.diff(begins)
    print(f"table known after {watched.known_s:.1f} s; {watched.bases} bases at the end")
    for name, which in (("at rest", ~hands[:-1]), ("under hands", hands[:-1])):
        if which.any():
            of = gaps[which]
            print(f"{name}: {1 / of.mean():.2f} looks/s, median {1 / np.median(of):.2f}, longest wait {of.max():.1f} s")
    print(f"a look takes {np.median(costs):.3f} s of such a machine; {most_mb:.0f} MB at most, {before_mb:.0f} before")
    print("told:", "; ".join(watched.told))


if __name__ == "__main__":
    run(main)
