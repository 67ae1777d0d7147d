"""What is asked of a camera on a cable. No real one was ever tried."""

from itertools import islice
from typing import Any

import cv2
import numpy as np
import pytest

from models.errors import SourceLost
from vision.capture.device import Device


class Fake:
    """A driver that gives pictures and remembers what it was asked for."""

    def __init__(self, pictures: int, *, is_open: bool = True, refuses: frozenset[tuple[int, float]] = frozenset()):
        self.asked: dict[int, float] = {}
        self.is_released = False
        self._left, self._is_open, self._refuses = pictures, is_open, refuses

    def isOpened(self) -> bool:
        return self._is_open

    def set(self, prop: int, value: float) -> bool:
        if (prop, value) in self._refuses:
            return False
        self.asked[prop] = value
        return True

    def read(self) -> tuple[bool, Any]:
        self._left -= 1
        return self._left >= 0, np.full((4, 6, 3), self._left % 256, np.uint8)

    def release(self) -> None:
        self.is_released = True


def looked_through(fake: Fake, pictures: int) -> None:
    list(islice(Device("2", size=(1920, 1080), capture=lambda _: fake).frames(), pictures))


def test_a_device_is_asked_for_the_size_it_was_calibrated_at() -> None:
    fake = Fake(5)
    looked_through(fake, 1)

    assert (fake.asked[cv2.CAP_PROP_FRAME_WIDTH], fake.asked[cv2.CAP_PROP_FRAME_HEIGHT]) == (1920, 1080)


def test_a_device_is_asked_for_few_pictures_where_few_are_wanted() -> None:
    fake = Fake(5)
    list(islice(Device("2", fps=5.0, capture=lambda _: fake).frames(), 1))

    assert fake.asked[cv2.CAP_PROP_FPS] == 5.0


def test_focus_and_exposure_are_left_to_the_camera_first() -> None:
    fake = Fake(5)
    looked_through(fake, 5)

    assert cv2.CAP_PROP_AUTOFOCUS not in fake.asked
    assert cv2.CAP_PROP_AUTO_EXPOSURE not in fake.asked


def test_focus_and_exposure_are_locked_once_they_were_found() -> None:
    fake = Fake(100)
    looked_through(fake, 60)

    assert (fake.asked[cv2.CAP_PROP_AUTOFOCUS], fake.asked[cv2.CAP_PROP_AUTO_EXPOSURE]) == (0.0, 1.0)


def test_a_driver_with_another_word_for_by_hand_is_asked_in_it() -> None:
    fake = Fake(100, refuses=frozenset({(cv2.CAP_PROP_AUTO_EXPOSURE, 1.0)}))
    looked_through(fake, 60)

    assert fake.asked[cv2.CAP_PROP_AUTO_EXPOSURE] == 0.25


def test_a_cable_that_is_pulled_is_told_by_the_camera_s_number() -> None:
    with pytest.raises(SourceLost, match="no more pictures come") as lost:
        looked_through(Fake(3), 10)

    assert (lost.value.field, lost.value.value) == ("source", "2")


def test_a_camera_that_is_not_there_is_let_go() -> None:
    fake = Fake(0, is_open=False)
    with pytest.raises(SourceLost, match=r"no such camera.*tableside doctor"):
        looked_through(fake, 1)

    assert fake.is_released
