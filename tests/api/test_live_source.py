from collections.abc import Iterator
from threading import Event
from typing import Any

import numpy as np
import pytest

from api.live_source import is_live, live_frames
from models.errors import SourceLost


class Reel:
    """A capture that shows numbered pictures, each when it is let go on."""

    def __init__(self, pictures: int, *, is_open: bool = True) -> None:
        self._left = iter(range(pictures))
        self._is_open = is_open
        self.turns: list[Event] = [Event() for _ in range(pictures + 1)]
        self.shown = 0
        self.four_shown = Event()
        self.is_released = Event()

    def isOpened(self) -> bool:
        return self._is_open

    def read(self) -> tuple[bool, Any]:
        self.turns[self.shown].wait(10)
        number = next(self._left, None)
        if number is None:
            return False, None
        self.shown += 1
        if self.shown == 4:
            self.four_shown.set()
        return True, np.full((2, 3, 3), number, np.uint8)

    def release(self) -> None:
        self.is_released.set()


def numbers(frames: Iterator[Any]) -> Iterator[int]:
    return (int(frame.image[0, 0, 0]) for frame in frames)


@pytest.mark.parametrize(
    ("source", "live"), [("0", True), ("rtsp://table/1", True), ("game.mp4", False), ("pictures/2", False)]
)
def test_a_number_or_a_url_is_live_and_a_path_is_not(source: str, live: bool) -> None:
    assert is_live(source) is live


def test_a_slow_watcher_gets_the_newest_picture() -> None:
    reel = Reel(5)
    seen = numbers(live_frames("0", capture=lambda _: reel))
    reel.turns[0].set()
    first = next(seen)
    for turn in reel.turns[1:4]:
        turn.set()
    assert reel.four_shown.wait(10)

    later = next(seen)

    assert first == 0
    assert later in (2, 3)


def test_a_device_that_is_not_there_is_lost_by_name() -> None:
    with pytest.raises(SourceLost) as lost:
        next(live_frames("7", capture=lambda _: Reel(0, is_open=False)))

    assert (lost.value.field, lost.value.value) == ("source", "7")


def test_a_stream_that_ends_is_lost() -> None:
    reel = Reel(1)
    for turn in reel.turns:
        turn.set()

    with pytest.raises(SourceLost):
        list(live_frames("rtsp://table/1", capture=lambda _: reel))
    assert reel.is_released.wait(10)
