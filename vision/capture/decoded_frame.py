"""Decoded frame: one picture of a video, a stream or a device, before it is used."""

from collections.abc import Callable
from dataclasses import dataclass

from calibration.arrays import Image

THUMBNAIL_STEP = 4  # every so many pixels of a row, and every so many rows


@dataclass(frozen=True)
class DecodedFrame:
    """Decoded frame: when it came, on a clock that only goes forward, and when it belongs in its video.

    `bgr` turns it into pixels (H, W, 3), which costs as much as a look at it: only for pictures that are used.
    `thumbnail` gives the grey levels of a pixel in sixteen.
    """

    came_s: float
    t_s: float | None
    bgr: Callable[[], Image]
    thumbnail: Callable[[], Image]


def frame_from_image(picture: Image, *, came_s: float, t_s: float | None = None) -> DecodedFrame:
    """Frame of an image that is in pixels already."""
    return DecodedFrame(came_s, t_s, lambda: picture, lambda: picture[::THUMBNAIL_STEP, ::THUMBNAIL_STEP, 1].copy())
