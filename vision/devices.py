"""Cameras on a cable, by their number. Thin on purpose: what a driver does with a setting, only the driver knows."""

import time
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import cv2
import numpy as np

from models.errors import SourceLost
from vision.decoding import FEW, Picture, Shot


class Capture(Protocol):
    """What `cv2.VideoCapture` does."""

    def isOpened(self) -> bool: ...
    def read(self) -> tuple[bool, Any]: ...
    def set(self, prop: int, value: float) -> bool: ...
    def release(self) -> None: ...


def _opened(number: int) -> Capture:
    return cv2.VideoCapture(number)


class Device:
    """One camera, its picture's size asked for, its exposure and focus left where they are once it has found them.

    Raises: SourceLost when there is none, or another program holds it.
    """

    is_in_pieces = False

    def __init__(
        self,
        number: int,
        *,
        size: tuple[int, int] | None = None,
        capture: Callable[[int], Capture] = _opened,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._name = str(number)
        self._clock = clock
        self._capture = capture(number)
        self._is_stopped = False
        if not self._capture.isOpened():
            self._capture.release()
            raise self._lost("there is no such camera, or another program holds it")
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        if size is not None:
            self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))  # USB 2 has no room for plain 1080p
            self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
            self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])

    def shots(self) -> Iterator[Shot | None]:
        """Each picture as it comes. Raises: SourceLost when the cable is out."""
        count = 0
        while not self._is_stopped:
            got, image = self._capture.read()
            if not got:
                raise self._lost("no more pictures come")
            picture = np.asarray(image, np.uint8)
            yield shot_of(picture, came_s=self._clock())
            count += 1
            if count == _FOUND_AFTER:
                lock(self._capture)

    def stop(self) -> None:
        self._is_stopped = True

    def close(self) -> None:
        self._capture.release()

    def _lost(self, why: str) -> SourceLost:
        return SourceLost(f"camera {self._name}: {why}", field="source", value=self._name)


def shot_of(picture: Picture, *, came_s: float) -> Shot:
    """A picture that is in pixels already."""
    return Shot(came_s, None, lambda: picture, lambda: picture[::FEW, ::FEW, 1].copy())


_FOUND_AFTER = 45  # pictures: a second and a half for the camera to find exposure, white and focus by itself
_MANUAL_V4L2, _MANUAL_DSHOW = 1.0, 0.25  # what "by hand" is called; the one that is unknown is refused


def lock(capture: Capture) -> None:
    """Exposure, white and focus stay as they are, where the driver can do it; a refusal is no fault."""
    capture.set(cv2.CAP_PROP_AUTOFOCUS, 0.0)
    capture.set(cv2.CAP_PROP_AUTO_WB, 0.0)
    for by_hand in (_MANUAL_V4L2, _MANUAL_DSHOW):
        if capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, by_hand):
            return
