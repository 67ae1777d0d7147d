"""A feed whose pictures come when a test lets them."""

import time
from collections.abc import Iterator
from queue import Queue
from threading import Event

import numpy as np

from models.errors import SourceLost
from vision.capture.decoded_frame import DecodedFrame, frame_from_image


class Reel:
    """Pictures put in by hand: a grey level each, None for a damaged one, an error to end with."""

    is_segmented = False

    def __init__(self, *levels: "int | Exception | None", ends: bool = False) -> None:
        self._coming: Queue[int | Exception | type[StopIteration] | None] = Queue()
        self.is_closed = Event()
        self.taken = 0  # pictures whose taker has come for the next
        for level in levels:
            self.put(level)
        if ends:
            self.end()

    def put(self, level: "int | Exception | None") -> None:
        self._coming.put(level)

    def end(self) -> None:
        self._coming.put(StopIteration)

    def frames(self) -> Iterator[DecodedFrame | None]:
        while (level := self._coming.get()) is not StopIteration:
            if isinstance(level, Exception):
                raise level
            yield None if level is None else _shot(int(level))  # type: ignore[call-overload]
            self.taken += 1

    def stop(self) -> None:
        self.end()

    def close(self) -> None:
        self.is_closed.set()


class Desk:
    """Opens one reel after the other; where there is none, nobody answers."""

    def __init__(self, *reels: Reel | None) -> None:
        self._reels = iter(reels)
        self.asked = 0

    def __call__(self) -> Reel:
        self.asked += 1
        reel = next(self._reels, None)
        if reel is None:
            raise SourceLost("table cam: nothing answers there", field="source", value="table cam")
        return reel


def _shot(level: int) -> DecodedFrame:
    return frame_from_image(np.full((16, 24, 3), level, np.uint8), came_s=time.monotonic())
