"""Answers that grow are told as often as a page can draw them."""

from collections.abc import Iterator

from api.routes.question_desk import PAUSE_S, throttle
from models.frozen import Frozen


class Part(Frozen):
    n: int
    is_whole: bool = False


class Clock:
    """A clock that goes on by a step whenever somebody looks."""

    def __init__(self, step_s: float) -> None:
        self.step_s, self.now_s = step_s, 0.0

    def __call__(self) -> float:
        self.now_s += self.step_s
        return self.now_s


def told(parts: Iterator[Part], *, every_s: float) -> list[int]:
    found = throttle(parts, stage=lambda part: part.is_whole, clock=Clock(every_s))
    return [part.n for part in found]


def test_parts_that_come_at_once_are_told_as_one() -> None:
    parts = (Part(n=n, is_whole=n == 9) for n in range(10))

    assert told(parts, every_s=PAUSE_S / 100) == [0, 9]


def test_parts_that_come_slowly_are_all_told() -> None:
    assert told((Part(n=n) for n in range(4)), every_s=2 * PAUSE_S) == [0, 1, 2, 3]


def test_what_is_told_is_as_new_as_can_be() -> None:
    assert told((Part(n=n) for n in range(7)), every_s=PAUSE_S / 2.5) == [0, 3, 6]
