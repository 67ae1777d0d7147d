"""Evidence pictures: the camera's own picture around what decides, and the table straightened.

Both are cut from a picture that is black beyond the table's edge. The crop's corner lies on the grid of a JPEG's
blocks, so that coding it a second time changes next to nothing.
"""

import math
from collections.abc import Iterable

import cv2
import numpy as np

from api.camera.protocol import SettledPicture
from api.evidence.schemas import PixelBox, TablePart
from calibration.arrays import Floats, Image
from calibration.camera_model.projection import project
from models.base import RoundBase
from models.state import TableState
from models.verdict import Verdict, Witness
from models.vocabulary import Id, Point

SPARE_MM = 60.0
QUALITY = 95
TABLE_QUALITY = 90
TABLE_PX_PER_MM = 1.0
_BLOCK_PX = 16
_MOST_PX_PER_MM, _MOST_PART_PX = 8.0, 2400.0  # no camera over a table sees more
_NEAR_MM = 5.0
_RIM_MM = 4.0
_ARC_STEP_RAD = math.radians(6.0)


def cut_crop(image: Image, box: PixelBox) -> bytes:
    right, low = box.left_px + box.width_px, box.top_px + box.height_px
    return _encode(image[box.top_px : low, box.left_px : right], QUALITY)


def straighten_table(picture: SettledPicture, image: Image) -> bytes:
    from vision.rectification.rectify import rectify_table

    flat = rectify_table(
        image, camera=picture.camera, pose=picture.pose, table_mm=picture.table_mm, px_per_mm=TABLE_PX_PER_MM
    )
    return _encode(flat, TABLE_QUALITY)


def straighten_part(picture: SettledPicture, image: Image, part: TablePart) -> bytes:
    """This part of the table from above as JPEG, as finely as the camera sees it; nothing beyond the table's edge."""
    from vision.rectification.rectify import Window, rectification_maps, rectify_filtered

    left, near, right, far = part.within(picture.table_mm)
    finest = min(_MOST_PX_PER_MM, _MOST_PART_PX / max(right - left, far - near))
    scale = float(np.clip(_native_px_per_mm(picture, ((left + right) / 2, (near + far) / 2)), TABLE_PX_PER_MM, finest))
    maps = rectification_maps(Window(left, near, right, far, scale), camera=picture.camera, pose=picture.pose)
    return _encode(rectify_filtered(image, maps), QUALITY)


def _native_px_per_mm(picture: SettledPicture, at_mm: Point) -> float:
    """How many of the camera's pixels lie in a millimetre here, in the finer direction."""
    x, y = at_mm
    around = np.array([(x - _NEAR_MM, y, 0), (x + _NEAR_MM, y, 0), (x, y - _NEAR_MM, 0), (x, y + _NEAR_MM, 0)], float)
    left, right, near, far = project(around, camera=picture.camera, pose=picture.pose)
    return float(max(np.hypot(*(right - left)), np.hypot(*(far - near))) / (2 * _NEAR_MM))


def decode(picture: SettledPicture) -> Image:
    """The picture's pixels, BGR. Raises: ValueError when they cannot be read."""
    image = cv2.imdecode(np.frombuffer(picture.jpeg, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise ValueError("the picture that was kept cannot be read")
    return np.asarray(image, np.uint8)


def box_around(
    picture: SettledPicture, image: Image, state: TableState, verdict: Verdict, ids: Iterable[Id]
) -> PixelBox | None:
    """The part of the picture that shows these miniatures and what decides; None when none of it is in sight."""
    points = np.array([*_base_corners(state, ids), *_witness_points(verdict)])
    if not len(points):
        return None
    limit = np.array(picture.table_mm)
    (left, near), (right, far) = (
        (points.min(axis=0) - SPARE_MM).clip(0, limit),
        (points.max(axis=0) + SPARE_MM).clip(0, limit),
    )
    share = np.linspace(0.0, 1.0, 9)
    across, deep = left + share * (right - left), near + share * (far - near)
    rim = [(x, y) for x in across for y in (near, far)] + [(x, y) for x in (left, right) for y in deep]
    solid = np.array([(x, y, z) for x, y in rim for z in (0.0, _RIM_MM)])
    return _clip_to_blocks(project(solid, camera=picture.camera, pose=picture.pose), image)


def witness_lines(witness: Witness) -> tuple[tuple[Point, ...], ...]:
    """The lines of a witness in table millimetres, curves as short chords."""
    if witness.points_mm:
        closed = (witness.points_mm[0],) if witness.type == "polygon" else ()
        return ((*witness.points_mm, *closed),)
    if witness.centre_mm is None or not witness.radius_mm:
        return ()
    begin, end = (
        math.radians(witness.from_deg or 0.0),
        math.radians(360.0 if witness.to_deg is None else witness.to_deg),
    )
    end += math.tau if end <= begin else 0.0
    steps = max(2, math.ceil((end - begin) / _ARC_STEP_RAD))
    (x, y), radius = witness.centre_mm, witness.radius_mm
    turns = [begin + (end - begin) * k / steps for k in range(steps + 1)]
    return (tuple((x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns),)


def _witness_points(verdict: Verdict) -> Iterable[Point]:
    """Points of what decides; limits and arcs reach over half a table and only show how far something goes."""
    for witness in verdict.witness:
        if witness.role not in ("arc", "limit"):
            for line in witness_lines(witness):
                yield from line
            if witness.centre_mm is not None:
                yield witness.centre_mm


def _base_corners(state: TableState, ids: Iterable[Id]) -> Iterable[Point]:
    wanted = set(ids)
    for m in state.miniatures:
        if m.id in wanted:
            base = m.base
            reach = base.radius_mm if isinstance(base, RoundBase) else math.hypot(base.width_mm, base.depth_mm) / 2
            yield (m.at_mm[0] - reach, m.at_mm[1] - reach)
            yield (m.at_mm[0] + reach, m.at_mm[1] + reach)


def _clip_to_blocks(corners_px: Floats, image: Image) -> PixelBox | None:
    seen = corners_px[np.isfinite(corners_px).all(axis=1)]
    if not len(seen):
        return None
    height, width = image.shape[:2]
    left, top = np.floor(seen.min(axis=0).clip(0, (width, height)) / _BLOCK_PX).astype(int) * _BLOCK_PX
    right, low = np.ceil(seen.max(axis=0).clip(0, (width, height)) / _BLOCK_PX).astype(int) * _BLOCK_PX
    right, low = min(int(right), width), min(int(low), height)
    if right <= left or low <= top:
        return None
    return PixelBox(left_px=int(left), top_px=int(top), width_px=right - int(left), height_px=low - int(top))


def _encode(image: Image, quality: int) -> bytes:
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes())
