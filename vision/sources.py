"""Where frames come from: a video file, a folder of pictures, a single picture."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.errors import BadFile
from vision.pictures import decoded

_PICTURES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff", ".webp"})
_FOLDER_FPS = 10.0


@dataclass(frozen=True)
class Frame:
    """One picture of a source: its number, seconds since the source began, and BGR pixels (H, W, 3)."""

    index: int
    t_s: float
    image: NDArray[np.uint8]


def frames_of(path: Path) -> Iterator[Frame]:
    """Every frame of a video file, of a folder of pictures in the order of their names, or of one picture.

    Raises: BadFile when it is not there, cannot be decoded, or ends before it says it does.
    """
    if path.is_dir():
        yield from _folder(path)
    elif not path.exists():
        raise BadFile(f"{path}: there is no such file", field="source", value=str(path))
    elif path.suffix.lower() in _PICTURES:
        yield Frame(0, 0.0, _picture(path))
    else:
        yield from _video(path)


def frame_count(path: Path) -> int | None:
    """How many frames the source says it has; None when it does not say."""
    if path.is_dir():
        return sum(1 for one in path.iterdir() if one.suffix.lower() in _PICTURES)
    if path.suffix.lower() in _PICTURES:
        return 1
    video = cv2.VideoCapture(str(path))
    count = int(video.get(cv2.CAP_PROP_FRAME_COUNT))
    video.release()
    return count if count > 0 else None


def _folder(path: Path) -> Iterator[Frame]:
    names = sorted(one for one in path.iterdir() if one.suffix.lower() in _PICTURES)
    if not names:
        raise BadFile(f"{path}: no pictures in this folder", field="source", value=str(path))
    for index, name in enumerate(names):
        yield Frame(index, index / _FOLDER_FPS, _picture(name))


def _picture(path: Path) -> NDArray[np.uint8]:
    try:
        data = path.read_bytes()
    except OSError as wrong:
        raise BadFile(f"{path}: {wrong.strerror}", field="source", value=str(path)) from wrong
    return decoded(data, field="source", name=str(path))


def _video(path: Path) -> Iterator[Frame]:
    video = cv2.VideoCapture(str(path))
    try:
        if not video.isOpened():
            raise BadFile(f"{path}: no video can be read from this file", field="source", value=str(path))
        fps = video.get(cv2.CAP_PROP_FPS) or _FOLDER_FPS
        promised = int(video.get(cv2.CAP_PROP_FRAME_COUNT))
        index = 0
        while True:
            decoded, image = video.read()
            if not decoded:
                break
            yield Frame(index, index / fps, np.asarray(image, np.uint8))
            index += 1
        _check_whole(path, index, promised)
    finally:
        video.release()


def _check_whole(path: Path, decoded: int, promised: int) -> None:
    if decoded < max(promised, 1):
        raise BadFile(
            f"{path}: the video breaks off after {decoded} of {promised} frames",
            field="source",
            value=str(path),
            frames=decoded,
        )
