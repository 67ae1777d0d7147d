"""Live source: always the newest frame of a camera or a stream, never a queue of old ones."""

import time
from collections.abc import Callable, Iterator

from api.camera.connection import FrameSource, ReaderThread
from models.errors import SourceLost
from vision.capture.device import Device
from vision.capture.source_name import is_device, public_name
from vision.capture.sources import Frame
from vision.capture.video_file import require_pyav

SILENCE_S = 5.0  # a camera that sends nothing for this long is gone

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
