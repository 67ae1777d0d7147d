from collections.abc import Iterator
from typing import Any

import pytest

from api.camera.live_source import is_live, live_frames
from models.errors import SourceLost
from tests.api.feeds import Desk, Reel


def levels(frames: Iterator[Any]) -> Iterator[int]:
    return (int(frame.image[0, 0, 0]) for frame in frames)


@pytest.mark.parametrize(
    ("source", "live"), [("0", True), ("rtsp://table/1", True), ("game.mp4", False), ("pictures/2", False)]
)
def test_a_number_or_a_url_is_live_and_a_path_is_not(source: str, live: bool) -> None:
    assert is_live(source) is live


def test_a_slow_tracker_gets_the_newest_picture() -> None:
    reel = Reel(10)
    seen = levels(live_frames("0", opened=lambda: reel))
    first = next(seen)
    for level in (20, 30, 40):
        reel.put(level)
    while reel.taken < 4:
        ...

    assert (first, next(seen)) == (10, 40)


def test_a_device_that_is_not_there_is_lost_by_name() -> None:
    with pytest.raises(SourceLost) as lost:
        next(live_frames("7", opened=Desk(None)))

    assert lost.value.field == "source"


def test_a_stream_that_ends_is_lost_and_let_go() -> None:
    reel = Reel(10, ends=True)

    with pytest.raises(SourceLost, match="no more pictures come"):
        list(live_frames("rtsp://table/1", opened=lambda: reel))
    assert reel.is_closed.wait(120)


def test_a_driver_that_stumbles_is_a_source_that_was_lost() -> None:
    reel = Reel(10, ZeroDivisionError("one over none"))

    with pytest.raises(SourceLost, match="one over none"):
        list(live_frames("0", opened=lambda: reel))
    assert reel.is_closed.wait(120)
