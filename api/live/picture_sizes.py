"""Picture sizes: a picture as this screen needs it, as WebP where that is understood; each is made once for all."""

import asyncio
from collections import OrderedDict
from typing import NamedTuple

import cv2
import numpy as np
from anyio import CapacityLimiter, to_thread

from api.camera.protocol import ChangedPart

WIDTH_STEP_PX = 160  # so that screens that are nearly alike share a picture
WEBP_QUALITY, JPEG_QUALITY = 60, 72
_MOST_KEPT = 24
_BESIDE_PX = 2  # of what the scaled pixels at a part's edge are made


class Wanted(NamedTuple):
    """How a picture is wanted; without a width as wide as it is, without a part the whole."""

    width_px: int | None = None
    is_webp: bool = False
    part: ChangedPart | None = None


class SizedPicture(NamedTuple):
    """A picture, or a part of it: where its corner lies in the whole, and how large that is."""

    content: bytes
    media_type: str
    left_px: int = 0
    top_px: int = 0
    whole_px: tuple[int, int] = (0, 0)


class PictureSizes:
    """Makes one picture at a time, away from the event loop, however many phones ask for it."""

    def __init__(self) -> None:
        self._made: OrderedDict[tuple[bytes, Wanted], asyncio.Task[SizedPicture]] = OrderedDict()
        self._one_at_a_time = CapacityLimiter(1)

    async def fit(self, jpeg: bytes, wanted: Wanted) -> SizedPicture:
        """This picture as it is wanted."""
        if wanted == Wanted():
            return SizedPicture(jpeg, "image/jpeg")
        key = jpeg, wanted
        if key not in self._made:
            self._made[key] = asyncio.create_task(
                to_thread.run_sync(fit_picture, jpeg, wanted, limiter=self._one_at_a_time)
            )
            while len(self._made) > _MOST_KEPT:
                self._made.popitem(last=False)
        return await asyncio.shield(self._made[key])


def fit_picture(jpeg: bytes, wanted: Wanted) -> SizedPicture:
    """This JPEG in the next larger of the widths that are made; never larger than it is. As it is, if unreadable."""
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        return SizedPicture(jpeg, "image/jpeg")
    height, width = image.shape[:2]
    wide = width if wanted.width_px is None else min(width, -(-wanted.width_px // WIDTH_STEP_PX) * WIDTH_STEP_PX)
    high = round(height * wide / width)
    if wide < width:
        image = cv2.resize(image, (wide, high), interpolation=cv2.INTER_AREA)
    left, top, right, bottom = _scale_part(wanted.part, wide / width, (wide, high))
    shown = image[top:bottom, left:right]
    if wanted.is_webp:
        content, media_type = cv2.imencode(".webp", shown, [cv2.IMWRITE_WEBP_QUALITY, WEBP_QUALITY])[1], "image/webp"
    else:
        content, media_type = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1], "image/jpeg"
    return SizedPicture(bytes(content.tobytes()), media_type, left, top, (wide, high))


def _scale_part(part: ChangedPart | None, scale: float, size: tuple[int, int]) -> tuple[int, int, int, int]:
    wide, high = size
    if part is None:
        return 0, 0, wide, high
    return (
        max(0, int(part.left_px * scale) - _BESIDE_PX),
        max(0, int(part.top_px * scale) - _BESIDE_PX),
        min(wide, int(part.right_px * scale) + 1 + _BESIDE_PX),
        min(high, int(part.bottom_px * scale) + 1 + _BESIDE_PX),
    )
