"""Live source: always the newest frame of a camera or a stream; a recording at its pace, or a single image of any."""

import re
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from api.backoff import backoff_waits
from api.camera.connection import (
    IN_PIECES,
    LIVE,
    FrameSource,
    ReaderThread,
    SourceWarning,
    SourceWhole,
    Watchdog,
    WatchdogTimeouts,
)
from api.camera.plugin_camera import PluginCamera, plugin_opener
from api.errors import CameraFailed
from api.storage.files import read_picture
from calibration.arrays import Image
from models.errors import SourceLost, WorldError
from vision.capture.decoded_frame import DecodedFrame
from vision.capture.device import Device
from vision.capture.source_name import BY_ID, is_device, names_by_id, public_name
from vision.capture.sources import Frame, read_frames
from vision.capture.video_file import require_pyav

SILENCE_S = 5.0  # a camera that sends nothing for this long is gone
LATEST_S = 0.15  # a frame of a recording later than this is left out, as a live camera would have dropped it
_STILLS = {".jpg", ".jpeg", ".png"}

SourceOpener = Callable[[], FrameSource]
_LINUX = Path("/sys/class/video4linux")
_ELSEWHERE = 2  # numbers to offer on systems that do not list their cameras without being opened
HANGS_S = 15.0  # a reader that has not ended so long after it was stopped hangs in a driver, and holds the device
STEADY_S = 5.0  # a connection that held so long is tried again at once when it breaks


def is_live(source: str) -> bool:
    """Whether this names a device (a number, a path below /dev) or a stream (a URL), and no file."""
    return is_device(source) or "://" in source


def opener_of(source: str, *, size: tuple[int, int] | None = None, fps: float | None = None) -> SourceOpener:
    """Connects to a live source; a device is asked for this size and rate, a stream's are the sender's affair.

    A device's number is looked up at each connection: it may move while the cable is out.

    What is returned raises SourceLost. Raises: BadInput when streams cannot be read here.
    """
    if is_device(source):
        return lambda: Device(source, size=size, fps=fps)
    if (pictures := plugin_opener(source)) is not None:
        return lambda: PluginCamera(source, pictures)
    require_pyav("a network stream", field="source", value=public_name(source))
    from vision.capture.stream import Stream  # with PyAV, an extra

    return lambda: Stream(source)


def live_frames(
    source: str, *, size: tuple[int, int] | None = None, opened: SourceOpener | None = None
) -> Iterator[Frame]:
    """The newest frame each time one is asked for. Raises: SourceLost."""
    reader = ReaderThread((opened or opener_of(source, size=size))(), name=public_name(source))
    begin_s, index = time.monotonic(), 0
    try:
        while shot := reader.next(SILENCE_S):
            yield Frame(index, max(0.0, shot.came_s - begin_s), shot.bgr())
            index += 1
        raise SourceLost(f"{public_name(source)}: no more pictures come", field="source", value=public_name(source))
    finally:
        reader.stop()


def always() -> bool:
    """The recording's time runs from its first frame on."""
    return True


def pace_frames(
    frames: Iterable[Frame],
    *,
    has_begun: Callable[[], bool] = always,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[tuple[Frame, float]]:
    """Frames with how late each comes, in seconds; one that nobody had time for is left out, the first never.

    Until it `has_begun` the recording waits for who looks at it, and nothing is left out.
    """
    start: float | None = None
    for frame in frames:
        start = clock() - frame.t_s if start is None else start
        late_s = clock() - start - frame.t_s
        if late_s > 0 and not has_begun():
            start, late_s = start + late_s, 0.0
        if late_s < 0:
            sleep(-late_s)
            late_s = 0.0
        if late_s <= LATEST_S or frame.index == 0:
            yield frame, late_s


def image_grabber(source: str) -> Callable[[], Image]:
    """A camera or stream gives what it sees then; a picture itself, a folder or a recording its first picture.

    What is returned raises SourceLost or BadFile.
    """
    if is_live(source):
        return lambda: _grab_live(source)
    path = Path(source)
    if path.suffix.lower() in _STILLS:
        return lambda: read_picture(path)
    return lambda: _read_first(path)


def _grab_live(source: str) -> Image:
    """The camera is opened for each picture, so that a camera is not held while somebody taps."""
    frames = live_frames(source)
    for frame in frames:
        return frame.image
    raise SourceLost(f"{source}: no picture came", field="source", value=source)


def _read_first(path: Path) -> Image:
    for frame in read_frames(path):
        return frame.image
    raise SourceLost(f"{path}: holds no picture", field="source", value=str(path))


def list_devices(folder: Path = _LINUX, *, by_id: Path = BY_ID) -> tuple[tuple[str, str], ...]:
    """(source, name) of each, in order: the path by id, which a camera keeps, or else its number.

    On Linux a camera's metadata nodes, which give no pictures, are left out.
    """
    if not folder.is_dir():
        return () if _LINUX.parent.is_dir() else tuple((str(k), f"camera {k}") for k in range(_ELSEWHERE))
    nodes = sorted(
        (int(number[1]), path) for path in folder.iterdir() if (number := re.fullmatch(r"video(\d+)", path.name))
    )
    kept = names_by_id(by_id)
    return tuple(
        (kept.get(number, str(number)), _read(path / "name") or f"camera {number}")
        for number, path in nodes
        if _read(path / "index") in ("", "0")
    )


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except OSError:
        return ""


@dataclass(frozen=True)
class TimedFrame:
    """A picture of a source, numbered and timed from when the source was first asked for."""

    index: int
    t_s: float
    shot: DecodedFrame


News = TimedFrame | SourceWarning | SourceWhole | WorldError


def reconnecting_frames(
    opened: SourceOpener,
    *,
    name: str,
    timeouts: WatchdogTimeouts | None = None,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
    random: Random | None = None,
    first: int = 0,
    begin_s: float | None = None,
) -> Iterator[News]:
    """The newest picture each time one is asked for, without an end; an error each time that none can be had.

    Pictures count on from `first`, and time goes on since `begin_s`, from one connection to the next. Raises:
    CameraFailed when a driver hangs: it lets go of its device with this process alone.
    """
    stopped: list[tuple[ReaderThread, float]] = []
    random = random or Random()
    pauses = backoff_waits(random)
    begin_s, index = clock() if begin_s is None else begin_s, first
    while True:
        connected_s = clock()
        try:
            for seen in _read_connection(opened, name=name, timeouts=timeouts, clock=clock, stopped=stopped):
                if isinstance(seen, DecodedFrame):
                    yield TimedFrame(index, max(0.0, seen.came_s - begin_s), seen)
                    index += 1
                else:
                    yield seen
        except SourceLost as lost:
            yield lost
        if clock() - connected_s > STEADY_S:
            pauses = backoff_waits(random)
        sleep(next(pauses))
        stopped = [(reader, since_s) for reader, since_s in stopped if reader.is_running()]
        if any(clock() - since_s > HANGS_S for _, since_s in stopped):
            raise CameraFailed(f"{name}: its driver hangs")


def _read_connection(
    opened: SourceOpener,
    *,
    name: str,
    timeouts: WatchdogTimeouts | None,
    clock: Callable[[], float],
    stopped: list[tuple[ReaderThread, float]],
) -> Iterator[DecodedFrame | SourceWarning | SourceWhole | WorldError]:
    """What one connection shows until it is lost; its reader is then among those `stopped`. Raises: SourceLost."""
    source = opened()
    reader = ReaderThread(source, name=name, clock=clock)
    try:
        yield from Watchdog(reader, name=name, timeouts=timeouts or (IN_PIECES if source.is_segmented else LIVE)).news()
    finally:
        reader.stop()
        stopped.append((reader, clock()))
