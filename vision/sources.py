"""Where frames come from: a video file, a folder of pictures, a single picture."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import av
import numpy as np
from av.container import InputContainer
from numpy.typing import NDArray

from models.errors import BadFile
from vision.ahead import ahead
from vision.decoding import Decoder, NoPictures, opened
from vision.pictures import decoded

log = logging.getLogger(__name__)

_PICTURES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff", ".webp"})
_FOLDER_FPS = 10.0
_AHEAD = 3  # frames; of 4K each is 25 MB


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
    with _opened(path) as container:
        return Decoder(container).promised or None


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
    """Decoded a little ahead, on a thread of its own: while one picture is looked at, the next is made ready."""
    with _opened(path) as container:
        decoder = Decoder(container)
        yield from ahead(_frames(decoder, path), most=_AHEAD)


def _frames(decoder: Decoder, path: Path) -> Iterator[Frame]:
    index, damaged, t_s = 0, 0, 0.0
    begin_s: float | None = None
    every_s = 1 / (decoder.fps or _FOLDER_FPS)
    try:
        for shot in decoder.shots():
            if shot is None:
                damaged += 1
            else:
                at_s = index * every_s if shot.t_s is None else shot.t_s
                begin_s = at_s - index * every_s if begin_s is None else begin_s
                t_s = max(t_s, round(at_s - begin_s, 6))
                yield Frame(index, t_s, shot.bgr())
            index += 1
    except av.FFmpegError as wrong:
        log.info("source=%s frames=%d wrong=%s", path, index, wrong)
    if damaged:
        log.info("source=%s frames=%d damaged=%d", path, index, damaged)
    _check_whole(path, decoder.packets, decoder.promised)


def _opened(path: Path) -> InputContainer:
    try:
        return opened(str(path))
    except (av.FFmpegError, NoPictures) as wrong:
        raise BadFile(f"{path}: no video can be read from this file", field="source", value=str(path)) from wrong


def _check_whole(path: Path, decoded: int, promised: int) -> None:
    if decoded < max(promised, 1):
        raise BadFile(
            f"{path}: the video breaks off after {decoded} of {promised} frames",
            field="source",
            value=str(path),
            frames=decoded,
        )
