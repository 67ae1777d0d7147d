"""Annotated video: the table's picture with bases, facings and terrain drawn into it, as JPEG or MJPEG."""

import asyncio
import math
from collections import OrderedDict
from collections.abc import AsyncIterator
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
from anyio import CapacityLimiter, to_thread

from api.camera.protocol import ChangedPart
from api.errors import NoPicture
from api.live.hub import Hub
from api.live.table_schemas import DrawnMiniature, DrawnTable
from calibration.arrays import Image
from models.base import RectBase, RoundBase
from models.vocabulary import Point

BOUNDARY = "table"
MJPEG = f"multipart/x-mixed-replace; boundary={BOUNDARY}"
FRAME_S = 0.2  # at least so long between two frames of the video
AGAIN_S = 1.0
QUALITY = 80

# BGR. Blue and orange are told apart by every eye; each line has a dark rim, so that it is seen on every mat.
_SIDES = ((200, 120, 0), (0, 159, 230))
_NOBODYS, _RIM, _AREA, _GROUND = (230, 230, 230), (20, 20, 20), (180, 180, 120), (52, 60, 56)
_INK = (255, 255, 255)
_FONT, _TEXT = cv2.FONT_HERSHEY_SIMPLEX, 0.45
WIDTH_STEP_PX = 160  # so that screens that are nearly alike share a picture
WEBP_QUALITY, JPEG_QUALITY = 60, 72
_MOST_KEPT = 24
_BESIDE_PX = 2  # of what the scaled pixels at a part's edge are made


async def annotate_picture(hub: Hub) -> bytes:
    """The picture as JPEG. Raises: NoPicture when nothing has been seen yet."""
    table = hub.snapshot().table
    if table is None:
        raise NoPicture("No table has been seen yet.")
    return await to_thread.run_sync(_draw_table, hub.live_picture.jpeg, table)


async def stream_frames(hub: Hub) -> AsyncIterator[bytes]:
    """The picture as parts of an MJPEG stream: a new one when something changed, and again every second.

    Again, since browsers show a part only when the next one begins. Raises: as `annotated`.
    """
    shown: tuple[int, str | None] | None = None
    rested_s = 0.0
    while not hub.broadcast.is_closed:
        hub.note_picture_fetched()
        newest = (hub.live_picture.version, None if hub.state is None else hub.state.state_id)
        if newest != shown or rested_s >= AGAIN_S:
            yield _frame_part(await annotate_picture(hub))
            shown, rested_s = newest, 0.0
        await asyncio.sleep(FRAME_S)
        rested_s += FRAME_S


def _frame_part(jpeg: bytes) -> bytes:
    head = f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
    return head.encode() + jpeg + b"\r\n"


@lru_cache(maxsize=2)  # all who watch see the same, so it is drawn once
def _draw_table(jpeg: bytes | None, table: DrawnTable) -> bytes:
    picture = _decode_ground(jpeg, table)
    scale = picture.shape[1] / table.size.width_mm
    for area in table.areas:
        if area.outline_mm:
            _draw_polygon(picture, [_to_px(picture, at, scale) for at in area.outline_mm], _AREA)
    sides = sorted({m.side for m in table.miniatures if m.side})
    for miniature in table.miniatures:
        _draw_miniature(picture, miniature, scale, _side_colour(miniature, sides))
    _, encoded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return encoded.tobytes()


def _decode_ground(jpeg: bytes | None, table: DrawnTable) -> Image:
    """The camera's picture from above; a plain ground of a pixel a millimetre while there is none."""
    picture = None if jpeg is None else cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    if picture is not None:
        return np.asarray(picture, np.uint8)
    size = (round(table.size.depth_mm), round(table.size.width_mm), 3)
    return np.full(size, _GROUND, np.uint8)


def _to_px(picture: Image, at_mm: Point, scale: float) -> tuple[int, int]:
    return round(at_mm[0] * scale), round(picture.shape[0] - at_mm[1] * scale)


def _side_colour(miniature: DrawnMiniature, sides: list[str]) -> tuple[int, int, int]:
    return _SIDES[sides.index(miniature.side) % len(_SIDES)] if miniature.side else _NOBODYS


def _draw_miniature(picture: Image, m: DrawnMiniature, scale: float, colour: tuple[int, int, int]) -> None:
    rim_mm = _rim_outline(m)
    _draw_polygon(picture, [_to_px(picture, at, scale) for at in rim_mm], colour)
    if m.facing_deg is not None:
        reach_mm = _radius_mm(m) + 8.0
        x, y = (reach_mm * turn(math.radians(m.facing_deg)) for turn in (math.cos, math.sin))
        tip = _to_px(picture, (m.at_mm[0] + x, m.at_mm[1] + y), scale)
        for shade, px in ((_RIM, 5), (colour, 2)):
            cv2.line(picture, _to_px(picture, m.at_mm, scale), tip, shade, px, cv2.LINE_AA)
    name = m.name.encode("ascii", "replace").decode()
    left, low = _to_px(picture, (m.at_mm[0], m.at_mm[1] - _radius_mm(m) - 14.0), scale)
    (width, _), _ = cv2.getTextSize(name, _FONT, _TEXT, 1)
    for x, y, shade in (*((dx, dy, _RIM) for dx in (-1, 1) for dy in (-1, 1)), (0, 0, _INK)):
        cv2.putText(picture, name, (left - width // 2 + x, low + y), _FONT, _TEXT, shade, 1, cv2.LINE_AA)


def _radius_mm(m: DrawnMiniature) -> float:
    return m.base.radius_mm if isinstance(m.base, RoundBase) else m.base.depth_mm / 2


def _rim_outline(m: DrawnMiniature) -> list[Point]:
    """The base's outline in table millimetres, turned the way it faces."""
    facing = math.radians(m.facing_deg or 0.0)
    if isinstance(m.base, RectBase):
        half_mm = ((m.base.depth_mm / 2, m.base.width_mm / 2), (m.base.depth_mm / 2, -m.base.width_mm / 2))
        ahead = [*half_mm, *((-x, -y) for x, y in half_mm)]
    else:
        deep_mm = _radius_mm(m)
        wide_mm = deep_mm if isinstance(m.base, RoundBase) else m.base.width_mm / 2
        ahead = [(deep_mm * math.cos(math.tau * k / 40), wide_mm * math.sin(math.tau * k / 40)) for k in range(40)]
    cos, sin = math.cos(facing), math.sin(facing)
    return [(m.at_mm[0] + x * cos - y * sin, m.at_mm[1] + x * sin + y * cos) for x, y in ahead]


def _draw_polygon(picture: Image, corners_px: list[tuple[int, int]], colour: tuple[int, int, int]) -> None:
    for shade, px in ((_RIM, 5), (colour, 2)):
        cv2.polylines(picture, [np.array(corners_px, np.int32)], True, shade, px, cv2.LINE_AA)


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
