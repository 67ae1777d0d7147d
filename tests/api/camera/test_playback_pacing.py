"""Playback pacing: a recording is shown as fast as it was made."""

import numpy as np

from api.camera.live_source import LATEST_S, pace_frames
from vision.capture.sources import Frame


class Time:
    """A clock that sleeping moves on."""

    def __init__(self) -> None:
        self.now_s = 40.0

    def clock(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


def frames(count: int, *, every_s: float) -> list[Frame]:
    return [Frame(index=i, t_s=i * every_s, image=np.zeros((1, 1, 3), np.uint8)) for i in range(count)]


def test_a_quick_tracker_sees_every_frame_when_it_was_made() -> None:
    time = Time()

    seen = [
        (frame.index, time.now_s)
        for frame, _ in pace_frames(frames(4, every_s=0.5), clock=time.clock, sleep=time.sleep)
    ]

    assert seen == [(0, 40.0), (1, 40.5), (2, 41.0), (3, 41.5)]


def test_a_slow_tracker_misses_frames_but_not_time() -> None:
    time = Time()
    seen = []
    for frame, late_s in pace_frames(frames(30, every_s=0.1), clock=time.clock, sleep=time.sleep):
        seen.append(frame.index)
        assert late_s <= LATEST_S
        time.now_s += 0.34

    assert seen[0] == 0
    assert 5 < len(seen) < 12


def test_a_recording_waits_for_a_slow_tracker_until_it_has_begun() -> None:
    time = Time()
    seen: list[int] = []
    for frame, _ in pace_frames(
        frames(30, every_s=0.1), has_begun=lambda: len(seen) > 4, clock=time.clock, sleep=time.sleep
    ):
        seen.append(frame.index)
        time.now_s += 0.34

    assert seen[:5] == [0, 1, 2, 3, 4]
    assert seen[-1] - seen[4] > len(seen) - 5


def test_what_has_not_begun_is_played_no_faster_than_it_was_made() -> None:
    time = Time()

    seen = [
        one.index for one, _ in pace_frames(frames(4, every_s=0.5), has_begun=bool, clock=time.clock, sleep=time.sleep)
    ]

    assert seen == [0, 1, 2, 3]
    assert time.now_s == 41.5


def test_how_late_a_frame_comes_is_told() -> None:
    time = Time()
    paced_frames = pace_frames(frames(3, every_s=0.25), clock=time.clock, sleep=time.sleep)
    next(paced_frames)
    time.now_s += 0.35

    _, late_s = next(paced_frames)

    assert round(late_s, 6) == 0.1
