import numpy as np

from api.pacing import LATEST_S, paced
from vision.sources import Frame


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


def test_a_quick_watcher_sees_every_frame_when_it_was_made() -> None:
    time = Time()

    seen = [(frame.index, time.now_s) for frame, _ in paced(frames(4, every_s=0.5), clock=time.clock, sleep=time.sleep)]

    assert seen == [(0, 40.0), (1, 40.5), (2, 41.0), (3, 41.5)]


def test_a_slow_watcher_misses_frames_but_not_time() -> None:
    time = Time()
    seen = []
    for frame, late_s in paced(frames(30, every_s=0.1), clock=time.clock, sleep=time.sleep):
        seen.append(frame.index)
        assert late_s <= LATEST_S
        time.now_s += 0.34

    assert seen[0] == 0
    assert 5 < len(seen) < 12


def test_how_late_a_frame_comes_is_told() -> None:
    time = Time()
    paced_frames = paced(frames(3, every_s=0.25), clock=time.clock, sleep=time.sleep)
    next(paced_frames)
    time.now_s += 0.35

    _, late_s = next(paced_frames)

    assert round(late_s, 6) == 0.1
