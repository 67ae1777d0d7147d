"""Frame sources on disk: a video file, a folder of images, a single image; prefetch, and a filter of corrupt frames."""

import logging
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Image
from models.errors import BadFile
from vision.capture.image_decoding import decode_image
from vision.capture.video_file import DecodingFailed, VideoFile, open_video_file

_EVERY = 16  # pixels of a row and a column of which one is compared
_STEP = 24  # grey levels that are more than noise
_MUCH = 0.2  # of the picture: no hand comes and goes so fast
_MOST = 3  # pictures in a row that are left out
Item = TypeVar("Item")
log = logging.getLogger(__name__)

_PICTURES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff", ".webp", ".heic", ".heif"})
_FOLDER_FPS = 10.0
_AHEAD = 3  # frames; of 4K each is 25 MB


@dataclass(frozen=True)
class Frame:
    """Frame of a source: its number, seconds since the source began, and BGR pixels (H, W, 3)."""

    index: int
    t_s: float
    image: Image


def read_frames(path: Path, *, passes_over: bool = False) -> Iterator[Frame]:
    """Read every frame of a video file, of a folder of images in the order of their names, or of one image.

    With `passes_over` a picture of a folder that cannot be read is left out: a game goes on.

    Raises: BadFile when the source is not there, cannot be decoded, or ends before it says it does.
    """
    if path.is_dir():
        yield from _read_folder(path, passes_over=passes_over)
    elif not path.exists():
        raise BadFile(f"{path}: there is no such file", field="source", value=str(path))
    elif path.suffix.lower() in _PICTURES:
        yield Frame(0, 0.0, _read_image(path))
    else:
        yield from _read_video(path)


def is_video(path: Path) -> bool:
    """Whether this is read as a video: a file, and no picture by its name."""
    return path.is_file() and path.suffix.lower() not in _PICTURES


def frame_count(path: Path) -> int | None:
    """How many frames the source says it has; None when it does not say."""
    if path.is_dir():
        return sum(1 for file in path.iterdir() if file.suffix.lower() in _PICTURES)
    if path.suffix.lower() in _PICTURES:
        return 1
    with open_video_file(path) as video:
        return video.frame_count or None


def _read_folder(path: Path, *, passes_over: bool) -> Iterator[Frame]:
    names = sorted(file for file in path.iterdir() if file.suffix.lower() in _PICTURES)
    if not names:
        raise BadFile(f"{path}: no pictures in this folder", field="source", value=str(path))
    read = 0
    for index, name in enumerate(names):
        try:
            image = _read_image(name)
        except BadFile as wrong:
            if not passes_over:
                raise
            log.warning("picture passed over why=%s", wrong.detail)
            continue
        read += 1
        yield Frame(index, index / _FOLDER_FPS, image)
    if not read:
        raise BadFile(f"{path}: none of its {len(names)} pictures can be read", field="source", value=str(path))


def _read_image(path: Path) -> Image:
    try:
        data = path.read_bytes()
    except OSError as wrong:
        raise BadFile(f"{path}: {wrong.strerror}", field="source", value=str(path)) from wrong
    return decode_image(data, field="source", name=str(path))


def _read_video(path: Path) -> Iterator[Frame]:
    """Decoded a little ahead, on a thread of its own: while one frame is used, the next is made ready."""
    with open_video_file(path) as video:
        yield from prefetch(_decode_frames(video, path), most=_AHEAD)


def _decode_frames(video: VideoFile, path: Path) -> Iterator[Frame]:
    index, damaged, t_s = 0, 0, 0.0
    begin_s: float | None = None
    every_s = 1 / (video.fps or _FOLDER_FPS)
    try:
        for shot in video.frames():
            if shot is None:
                damaged += 1
            else:
                at_s = index * every_s if shot.t_s is None else shot.t_s
                begin_s = at_s - index * every_s if begin_s is None else begin_s
                t_s = max(t_s, round(at_s - begin_s, 6))
                yield Frame(index, t_s, shot.bgr())
            index += 1
    except DecodingFailed as wrong:
        log.info("source=%s frames=%d wrong=%s", path, index, wrong)
    if damaged:
        log.info("source=%s frames=%d damaged=%d", path, index, damaged)
    _check_whole(path, video.packets, video.frame_count)


def _check_whole(path: Path, decoded: int, promised: int) -> None:
    if decoded < max(promised, 1):
        raise BadFile(
            f"{path}: the video breaks off after {decoded} of {promised} frames",
            field="source",
            value=str(path),
            frames=decoded,
        )


def prefetch(items: Iterator[Item], *, most: int) -> Iterator[Item]:
    """The same items in the same order, up to `most` of them made ahead on one other thread."""
    pool = ThreadPoolExecutor(1)

    def next_item() -> Item | None:
        return next(items, None)

    try:
        coming = deque(pool.submit(next_item) for _ in range(most))
        while (item := coming.popleft().result()) is not None:
            coming.append(pool.submit(next_item))
            yield item
    finally:
        pool.shutdown(cancel_futures=True)


class CorruptFrameFilter:
    """Filters frames one by one; one that differs much from the last must be borne out by the next."""

    def __init__(self) -> None:
        self._last: NDArray[np.int16] | None = None
        self._doubted: NDArray[np.int16] | None = None
        self._left_out = 0

    def accepts(self, frame: Frame) -> bool:
        """Whether this frame is to be used."""
        few = frame.image[::_EVERY, ::_EVERY].astype(np.int16)
        is_borne_out = self._doubted is not None and _are_alike(self._doubted, few)
        if self._last is None or _are_alike(self._last, few) or is_borne_out or self._left_out == _MOST:
            self._last, self._doubted, self._left_out = few, None, 0
            return True
        self._doubted = few
        self._left_out += 1
        return False


def _are_alike(before: NDArray[np.int16], after: NDArray[np.int16]) -> bool:
    if before.shape != after.shape:
        return True  # another size is no glitch, and told elsewhere
    return bool((np.abs(before - after).max(axis=2) > _STEP).mean() < _MUCH)
