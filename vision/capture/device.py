"""Capture devices: cameras on a cable, by number or path. What a driver does with a setting, only the driver knows."""

import time
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import cv2
import numpy as np

from models.errors import SourceLost
from vision.capture.decoded_frame import DecodedFrame, frame_from_image
from vision.capture.source_name import device_number, public_name


class Capture(Protocol):
    """Protocol of what `cv2.VideoCapture` does."""

    def isOpened(self) -> bool: ...
    def read(self) -> tuple[bool, Any]: ...
    def set(self, prop: int, value: float) -> bool: ...
    def release(self) -> None: ...


def _open_capture(number: int) -> Capture:
    return cv2.VideoCapture(number)


class Device:
    """Camera on a cable: asked for a picture size and rate; exposure and focus are locked once it has found them.

    Raises: SourceLost when there is none, or another program holds it.
    """

    is_segmented = False

    def __init__(
        self,
        source: str,
        *,
        size: tuple[int, int] | None = None,
        fps: float | None = None,
        capture: Callable[[int], Capture] = _open_capture,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._name = public_name(source)
        self._clock = clock
        self._capture = capture(device_number(source))
        self._is_stopped = False
        if not self._capture.isOpened():
            self._capture.release()
            raise self._source_lost(f"there is no such camera, or another program holds it; {_LISTED}")
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        if size is not None:
            self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))  # USB 2 has no room for plain 1080p
            self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
            self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        if fps is not None:
            self._capture.set(cv2.CAP_PROP_FPS, fps)

    def frames(self) -> Iterator[DecodedFrame | None]:
        """Each frame as it comes. Raises: SourceLost when the cable is out."""
        count = 0
        while not self._is_stopped:
            got, image = self._capture.read()
            if not got:
                raise self._source_lost("no more pictures come")
            picture = np.asarray(image, np.uint8)
            yield frame_from_image(picture, came_s=self._clock())
            count += 1
            if count == _FOUND_AFTER:
                lock_exposure(self._capture)

    def stop(self) -> None:
        """No more frames are wanted."""
        self._is_stopped = True

    def close(self) -> None:
        """Release the camera."""
        self._capture.release()

    def _source_lost(self, why: str) -> SourceLost:
        return SourceLost(f"camera {self._name}: {why}", field="source", value=self._name)


_LISTED = "`tableside doctor` lists the cameras that are there"
_FOUND_AFTER = 45  # pictures: a second and a half for the camera to find exposure, white and focus by itself
_MANUAL_V4L2, _MANUAL_DSHOW = 1.0, 0.25  # what "by hand" is called; the one that is unknown is refused


def lock_exposure(capture: Capture) -> None:
    """Lock exposure, white balance and focus as they are, where the driver can do it; a refusal is no fault."""
    capture.set(cv2.CAP_PROP_AUTOFOCUS, 0.0)
    capture.set(cv2.CAP_PROP_AUTO_WB, 0.0)
    for by_hand in (_MANUAL_V4L2, _MANUAL_DSHOW):
        if capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, by_hand):
            return
