"""What is the matter with one connection, by a script of what comes."""

from collections import deque
from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest

from api.camera.connection import LIVE, SourceWarning, SourceWhole, Watchdog, WatchdogTimeouts
from models.errors import SourceLost, SourceStalled
from vision.capture.decoded_frame import DecodedFrame, frame_from_image

EVERY_S = 0.125


class Script:
    """A reading of pictures an eighth of a second apart: a grey level, `x` for a damaged one, `-` for silence."""

    def __init__(self, *coming: "int | str") -> None:
        self._coming: Iterator[int | str] = iter(coming)
        self._now_s = self._heard_s = 0.0
        self.damaged = 0
        self.damaged_lately: deque[bool] = deque(maxlen=20)
        self.waits_s: list[float] = []

    def next(self, wait_s: float) -> DecodedFrame | None:
        self.waits_s.append(wait_s)
        until_s = self._now_s + wait_s
        while self._now_s < until_s - 1e-9:
            self._now_s += EVERY_S
            one = next(self._coming)
            if one == "-":
                continue
            self._heard_s = self._now_s
            self.damaged_lately.append(one == "x")
            if isinstance(one, int):
                return _shot(self._now_s, one)
            self.damaged += 1
        return None

    def silence_s(self) -> float:
        return self._now_s - self._heard_s

    def usual_gap_s(self) -> float:
        return EVERY_S


def _shot(came_s: float, level: int) -> DecodedFrame:
    return frame_from_image(np.full((32, 32, 3), level, np.uint8), came_s=came_s)


def told(*coming: "int | str", timeouts: WatchdogTimeouts = LIVE) -> list[str]:
    """A word for each thing that is told: the level of a picture, or what is the matter."""
    words: list[str] = []
    try:
        for one in Watchdog(Script(*coming), name="table cam", timeouts=timeouts).news():
            words.append(str(one.bgr()[0, 0, 0]) if isinstance(one, DecodedFrame) else _word(one))
    except SourceLost:
        words.append("lost")
    except RuntimeError:
        pass  # the script is over
    return words


def _word(one: SourceWarning | SourceWhole | SourceStalled) -> str:
    if isinstance(one, SourceWhole):
        return "whole again"
    text = one.text if isinstance(one, SourceWarning) else one.detail
    return next(word for word in ("left out", "damaged", "it hangs", "no pictures") if word in text)


def test_pictures_that_differ_are_shown() -> None:
    assert told(1, 2, 3, 2) == ["1", "2", "3", "2"]


def test_silence_is_told_once_within_a_second() -> None:
    assert told(1, *"-" * 25, 2) == ["1", "no pictures", "2"]
    assert LIVE.quiet_s < 1


def test_a_longer_silence_is_a_loss() -> None:
    assert told(1, *"-" * 80) == ["1", "no pictures", "lost"]


def test_pictures_that_all_come_damaged_are_told_as_such_and_are_no_loss() -> None:
    assert told(1, *"x" * 90, 2) == ["1", "damaged", "2", "left out"]


def test_a_picture_that_stays_the_same_to_the_pixel_is_told_once_and_not_shown_again() -> None:
    assert told(*[7] * 40, 8, 9) == [*["7"] * 6, "it hangs", "8", "whole again", "9"]


def test_after_a_freeze_the_next_one_is_told_too() -> None:
    words = told(*[7] * 30, *[8] * 30)

    assert [word for word in words if word != "whole again"] == [*["7"] * 6, "it hangs", *["8"] * 6, "it hangs"]


def test_a_few_damaged_pictures_are_not_spoken_of() -> None:
    assert "left out" not in told(*[number % 200 if number % 30 else "x" for number in range(300)])


def test_that_damage_is_over_is_told_and_the_next_is_told_at_once() -> None:
    damaged = [number % 200 if number % 3 else "x" for number in range(1, 31)]
    words = told(*damaged, *range(30), *damaged)

    assert [word for word in words if not word.isdigit()] == ["left out", "whole again", "left out"]


def test_a_connection_that_shows_whole_pictures_says_so_once_whatever_the_last_one_told() -> None:
    assert told(*range(60)).count("whole again") == 1


def test_before_twenty_pictures_came_whole_in_a_row_nobody_knows_that_they_do() -> None:
    assert "whole again" not in told(*range(19))
    assert "whole again" not in told(*range(19), "x", *range(19))


def test_many_damaged_pictures_are_spoken_of_once_a_minute() -> None:
    words = told(*[number % 200 if number % 3 else "x" for number in range(900)])

    assert words.count("left out") == 2


def test_a_source_that_is_always_slow_is_given_more_time() -> None:
    class Slow(Script):
        def usual_gap_s(self) -> float:
            return 0.5

    script = Slow(1, *"-" * 12, 2)
    list(islice(Watchdog(script, name="table cam", timeouts=LIVE).news(), 2))

    assert script.waits_s == [pytest.approx(1.5)] * 2
