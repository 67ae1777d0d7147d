"""Video file: its frames by PyAV, or by the FFmpeg inside OpenCV where PyAV is not installed.

OpenCV paints over damage and does not say so; that a file ends too early is told either way.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import cv2
import numpy as np

from models.errors import BadFile, BadInput
from vision.capture.decoded_frame import DecodedFrame, frame_from_image

if TYPE_CHECKING:
    from vision.capture.decoder import Decoder


class DecodingFailed(Exception):
    """Error: what comes next cannot be read."""


class VideoFile(Protocol):
    """Protocol of an opened video: frames a second and in all, where it says so, and how many were read so far."""

    @property
    def fps(self) -> float | None: ...
    @property
    def frame_count(self) -> int: ...
    @property
    def packets(self) -> int: ...
    def frames(self) -> Iterator[DecodedFrame | None]:
        """Each picture, None for one that came damaged. Raises: DecodingFailed."""
        ...


def has_pyav() -> bool:
    """Whether PyAV is installed, which tells damaged pictures from whole ones."""
    try:
        import av  # noqa: F401
    except ImportError:
        return False
    return True


def require_pyav(what: str, *, field: str, value: str) -> None:
    """Raises: BadInput, which says how to install it, where `what` cannot be had without."""
    if not has_pyav():
        raise BadInput(
            f"{what} needs a package that is not installed: pip install 'tableside[streams]'", field=field, value=value
        )


@contextmanager
def open_video_file(path: Path) -> Iterator[VideoFile]:
    """The video in this file. Raises: BadFile when there is none."""
    with _PyavFile.open(path) if has_pyav() else _OpencvFile.open(path) as video:
        yield video


class _PyavFile:
    """By PyAV: a picture that came damaged, or builds on one, is None."""

    def __init__(self, decoder: "Decoder") -> None:
        self._decoder = decoder

    @classmethod
    @contextmanager
    def open(cls, path: Path) -> Iterator[VideoFile]:
        import av

        from vision.capture.decoder import Decoder, NoVideoStream, open_video

        try:
            container = open_video(str(path))
        except (av.FFmpegError, NoVideoStream) as wrong:
            raise _no_video(path) from wrong
        with container:
            yield cls(Decoder(container))

    @property
    def fps(self) -> float | None:
        return self._decoder.fps

    @property
    def frame_count(self) -> int:
        return self._decoder.frame_count

    @property
    def packets(self) -> int:
        return self._decoder.packets

    def frames(self) -> Iterator[DecodedFrame | None]:
        import av

        try:
            yield from self._decoder.frames()
        except av.FFmpegError as wrong:
            raise DecodingFailed(str(wrong)) from wrong


class _OpencvFile:
    """By OpenCV: every picture is taken for whole."""

    def __init__(self, capture: cv2.VideoCapture) -> None:
        self._capture = capture
        self.packets = 0

    @classmethod
    @contextmanager
    def open(cls, path: Path) -> Iterator[VideoFile]:
        capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
        try:
            if not capture.isOpened():
                raise _no_video(path)
            yield cls(capture)
        finally:
            capture.release()

    @property
    def fps(self) -> float | None:
        return self._capture.get(cv2.CAP_PROP_FPS) or None

    @property
    def frame_count(self) -> int:
        return max(round(self._capture.get(cv2.CAP_PROP_FRAME_COUNT)), 0)

    def frames(self) -> Iterator[DecodedFrame | None]:
        while True:
            got, image = self._capture.read()
            if not got:
                return
            self.packets += 1
            t_s = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
            yield frame_from_image(np.asarray(image, np.uint8), came_s=time.monotonic(), t_s=t_s)


def _no_video(path: Path) -> BadFile:
    return BadFile(f"{path}: no video can be read from this file", field="source", value=str(path))
