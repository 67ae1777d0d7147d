"""A camera or a stream: always the newest frame, never a queue of old ones."""

import time
from collections.abc import Callable, Iterator

from api.reading import Feed, Reading
from models.errors import SourceLost
from vision.devices import Device
from vision.sources import Frame
from vision.streams import Stream, shown

SILENCE_S = 5.0  # a camera that sends nothing for this long is gone

Opening = Callable[[], Feed]


def is_live(source: str) -> bool:
    """Whether this names a device (a number) or a stream (a URL), and no file."""
    return source.isdigit() or "://" in source


def opening(source: str, *, size: tuple[int, int] | None = None) -> Opening:
    """Connects to a live source; a device is asked for pictures of this size, a stream's are the sender's affair.

    What is returned raises SourceLost.
    """
    if source.isdigit():
        return lambda: Device(int(source), size=size)
    return lambda: Stream(source)


def live_frames(source: str, *, size: tuple[int, int] | None = None, opened: Opening | None = None) -> Iterator[Frame]:
    """The newest frame each time one is asked for. Raises: SourceLost."""
    reading = Reading((opened or opening(source, size=size))(), name=shown(source))
    begin_s, index = time.monotonic(), 0
    try:
        while shot := reading.next(SILENCE_S):
            yield Frame(index, max(0.0, shot.came_s - begin_s), shot.bgr())
            index += 1
        raise SourceLost(f"{shown(source)}: no more pictures come", field="source", value=shown(source))
    finally:
        reading.stop()
