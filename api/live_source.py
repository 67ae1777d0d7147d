"""A camera or a stream: always the newest frame, never a queue of old ones."""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import cv2
import numpy as np

from models.errors import SourceLost
from vision.sources import Frame

SILENCE_S = 5.0  # a camera that sends nothing for this long is gone


class Capture(Protocol):
    """What `cv2.VideoCapture` does."""

    def isOpened(self) -> bool: ...
    def read(self) -> tuple[bool, Any]: ...
    def release(self) -> None: ...


def is_live(source: str) -> bool:
    """Whether this names a device (a number) or a stream (a URL), and no file."""
    return source.isdigit() or "://" in source


def _opened(source: int | str) -> Capture:
    return cv2.VideoCapture(source)


def at_size(size: tuple[int, int]) -> Callable[[int | str], Capture]:
    """Opens a device so that it gives pictures of this size, if it can; a stream's size is the sender's affair."""

    def opened(source: int | str) -> Capture:
        capture = cv2.VideoCapture(source)
        if isinstance(source, int):
            capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
            capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        return capture

    return opened


def live_frames(source: str, *, capture: Callable[[int | str], Capture] = _opened) -> Iterator[Frame]:
    """The newest frame each time one is asked for. Raises: SourceLost."""
    opened = capture(int(source) if source.isdigit() else source)
    if not opened.isOpened():
        raise SourceLost(f"{source}: nothing answers there", field="source", value=source)
    newest = _Newest(opened)
    threading.Thread(target=newest.follow, daemon=True).start()
    try:
        yield from newest.frames(source)
    finally:
        newest.stop()


class _Newest:
    """One frame that a reading thread keeps replacing."""

    def __init__(self, opened: Capture) -> None:
        self._opened = opened
        self._news = threading.Condition()
        self._frame: Frame | None = None
        self._is_over = False

    def follow(self) -> None:
        """Read until the source ends or nobody wants more."""
        start, index = time.monotonic(), 0
        while not self._is_over:
            got, image = self._opened.read()
            with self._news:
                if not got:
                    self._is_over = True
                else:
                    self._frame = Frame(index, time.monotonic() - start, np.asarray(image, np.uint8))
                self._news.notify()
            index += 1
        self._opened.release()

    def frames(self, source: str) -> Iterator[Frame]:
        while True:
            with self._news:
                self._news.wait_for(lambda: self._frame is not None or self._is_over, SILENCE_S)
                frame, self._frame = self._frame, None
            if frame is None:
                raise SourceLost(f"{source}: no more pictures come", field="source", value=source)
            yield frame

    def stop(self) -> None:
        self._is_over = True
