"""Live source: always the newest frame of a camera or a stream; a recording at its pace, or a single image of any."""

import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from api.camera.connection import FrameSource, ReaderThread
from api.storage.files import read_picture
from calibration.arrays import Image
from models.errors import SourceLost
from vision.capture.device import Device
from vision.capture.source_name import is_device, public_name
from vision.capture.sources import Frame, read_frames
from vision.capture.video_file import require_pyav

SILENCE_S = 5.0  # a camera that sends nothing for this long is gone
LATEST_S = 0.15  # a frame of a recording later than this is left out, as a live camera would have dropped it
_STILLS = {".jpg", ".jpeg", ".png"}

SourceOpener = Callable[[], FrameSource]


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
