"""A live source over a game: what goes wrong is told at once, and it goes on by itself."""

import threading
import time
from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest

from api.camera.connection import WatchdogTimeouts
from api.camera.live_source import STEADY_S, News, SourceOpener, TimedFrame, opener_of, reconnecting_frames
from api.camera.process import tell_slow_opening
from api.errors import CameraFailed
from models.errors import SourceLost, SourceStalled
from tests.api.feeds import Desk, Reel
from tests.streams import jpegs, mjpeg

HURRIED = WatchdogTimeouts(quiet_s=0.05, lost_s=0.2, frozen_s=1e9)
SECOND_S = 1.0


def steady(opened: SourceOpener, *, timeouts: WatchdogTimeouts = HURRIED, **how: Any) -> Iterator[News]:
    how = {"sleep": lambda _: None, "random": Random(5)} | how
    return reconnecting_frames(opened, name="table cam", timeouts=timeouts, **how)


def kinds(news: Iterator[News], count: int) -> list[str]:
    return [type(one).__name__ for one in islice(news, count)]


def until(news: Iterator[News], is_it: Callable[[News], bool]) -> News:
    return next(one for one in news if is_it(one))


def arrived(one: News) -> bool:
    return isinstance(one, TimedFrame)


def test_a_source_that_breaks_off_is_told_and_connected_again() -> None:
    desk = Desk(Reel(10, ends=True), Reel(20))

    assert kinds(steady(desk), 3) == ["TimedFrame", "SourceLost", "TimedFrame"]


def test_frames_count_on_and_time_goes_on_over_a_loss() -> None:
    news = steady(Desk(Reel(10, ends=True), Reel(20)))
    first, second = [one for one in islice(news, 3) if isinstance(one, TimedFrame)]

    assert (first.index, second.index) == (0, 1)
    assert 0 <= first.t_s < second.t_s


def test_tries_become_rarer() -> None:
    slept: list[float] = []
    list(islice(steady(Desk(), sleep=slept.append), 6))

    assert slept == sorted(slept)
    assert slept[-1] > 4 * slept[0]


def test_a_connection_that_held_is_tried_again_at_once() -> None:
    now = [0.0]

    def clock() -> float:
        now[0] += STEADY_S + 1
        return now[0]

    slept: list[float] = []
    list(islice(steady(Desk(), sleep=slept.append, clock=clock), 6))

    assert max(slept) <= 0.25


def test_a_silent_source_is_told_once_and_given_up_later() -> None:
    assert kinds(steady(Desk(Reel(10), Reel(20))), 4) == ["TimedFrame", "SourceStalled", "SourceLost", "TimedFrame"]


def test_a_source_that_speaks_again_is_not_given_up() -> None:
    reel = Reel(10)
    news = steady(Desk(reel))
    before = kinds(news, 2)
    reel.put(20)

    assert (before, kinds(news, 1)) == (["TimedFrame", "SourceStalled"], ["TimedFrame"])


def test_a_server_that_is_stopped_and_started_again_is_found_again() -> None:
    """The loss is told within a second of it."""
    with mjpeg() as url:
        news = reconnecting_frames(opener_of(url), name=url, sleep=lambda _: None)
        before = until(news, arrived)
        port = int(url.rsplit(":", 1)[1].split("/")[0])
    stopped_s = time.monotonic()
    lost = until(news, lambda one: isinstance(one, SourceLost))
    told_s = time.monotonic() - stopped_s
    with mjpeg(jpegs, port=port):
        after = until(news, arrived)

    assert isinstance(before, TimedFrame)
    assert isinstance(lost, SourceLost)
    assert isinstance(after, TimedFrame)
    assert told_s < SECOND_S
    assert after.t_s > before.t_s


def test_a_wall_clock_that_jumps_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with mjpeg() as url:
        news = reconnecting_frames(opener_of(url), name=url)
        seen = [until(news, arrived)]
        monkeypatch.setattr(time, "time", lambda: 0.0)
        seen += [until(news, arrived) for _ in range(5)]

    times_s = [one.t_s for one in seen if isinstance(one, TimedFrame)]
    assert times_s == sorted(times_s)
    assert times_s[-1] < 5


def test_a_driver_that_does_not_let_go_of_its_device_ends_the_process() -> None:
    class Stuck(Reel):
        def stop(self) -> None:
            """As a driver that hangs: nobody reaches it."""

    stuck = Stuck(10)
    try:
        with pytest.raises(CameraFailed, match="driver hangs"):
            list(steady(Desk(stuck), clock=lambda: 100 * time.monotonic()))
    finally:
        stuck.end()


def test_a_source_that_does_not_open_is_told_of_meanwhile() -> None:
    told, is_told = list[News](), threading.Event()

    def tell(one: News) -> None:
        told.append(one)
        is_told.set()

    def open_slowly() -> Reel:
        assert is_told.wait(120)
        return Reel(10)

    tell_slow_opening(open_slowly, name="table cam", tell=tell, after_s=0.01)()

    assert [type(one) for one in told] == [SourceStalled]
