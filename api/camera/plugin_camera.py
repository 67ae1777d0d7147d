"""Plug-in cameras: a source `NAME://...` is opened by the package that brings a camera of that name."""

import threading
import time
from collections.abc import Callable, Iterator

import numpy as np

from api.storage.plugins import load_plugins
from calibration.arrays import Image
from models.errors import SourceLost
from vision.capture.decoded_frame import DecodedFrame, frame_from_image
from vision.capture.source_name import public_name

PictureOpener = Callable[[str], Iterator[Image | None]]
"""Opens an address: pictures (H, W, 3) uint8, blue first, as they come; None for one that came damaged."""


def plugin_opener(source: str) -> PictureOpener | None:
    """What a plug-in brings for sources such as this one; None where none does."""
    scheme, is_address, _ = source.partition("://")
    opener: PictureOpener | None = load_plugins("tableside.cameras").loaded.get(scheme) if is_address else None
    return opener


class PluginCamera:
    """A camera of another package; what goes wrong in it is a lost source, which is opened again."""

    is_segmented = False

    def __init__(self, source: str, opener: PictureOpener, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._source, self._opener, self._clock = source, opener, clock
        self._is_stopped = threading.Event()

    def frames(self) -> Iterator[DecodedFrame | None]:
        """Each picture as it comes; None for one that came damaged. Raises: SourceLost."""
        name = public_name(self._source)
        try:
            for picture in self._opener(self._source):
                if self._is_stopped.is_set():
                    return
                yield None if picture is None else frame_from_image(_checked(picture), came_s=self._clock())
        except Exception as wrong:  # whatever another's module raises must not end ours
            says = f"{name}: its plug-in failed ({type(wrong).__name__}: {wrong})"
            raise SourceLost(says, field="source", value=name) from wrong

    def stop(self) -> None:
        """The next picture is the last that is waited for."""
        self._is_stopped.set()

    def close(self) -> None:
        """Close nothing: an iterator of pictures ends with its reader."""


def _checked(picture: Image) -> Image:
    if not isinstance(picture, np.ndarray) or picture.dtype != np.uint8 or picture.ndim != 3 or picture.shape[2] != 3:
        raise TypeError("a picture is an array (height, width, 3) of uint8")
    return picture
