"""Table pictures: the table from above for phones, only while somebody looks and only when it shows something new."""

from typing import NamedTuple

import cv2
import numpy as np

from api.camera.protocol import ChangedPart, EventFlag, Job
from calibration.arrays import Floats, Image
from models.camera import CameraPose
from vision.capture.sources import Frame
from vision.rectification.rectify import rectify_table
from vision.tracking.tracker import FrameResult

PICTURE_PX_PER_MM = 1.0  # a phone's screen is about as wide in pixels as a table in millimetres
PICTURE_QUALITY = 72
PICTURE_MOVING_S = 0.4  # least time between two pictures while hands or miniatures move
PICTURE_STILL_S = 2.0  # and while nothing does
BLOCK_PX = 8
NOISE_LEVELS = 10.0  # a block whose mean changes by less is taken for the same: a camera's noise moves it by 6


class TablePicture(NamedTuple):
    """The table as JPEG, and where it differs from the picture before; None: nobody knows, so anywhere."""

    jpeg: bytes
    changed: ChangedPart | None = None


class TablePictures:
    """The table from above, at most a few times a second and only while somebody wants it.

    A picture is sent when the frame after it shows that the camera had not been knocked away: through the old pose
    such a picture would show the room. One that differs from what was sent by noise alone is not sent.
    """

    def __init__(self, wanted: EventFlag) -> None:
        self._wanted = wanted
        self._painted_at: float | None = None
        self._held: tuple[Image, Job, CameraPose] | None = None
        self._shown: Floats | None = None  # the mean of each block, as phones have it

    def next_picture(self, frame: Frame, result: FrameResult, job: Job) -> TablePicture | None:
        """The table and nothing beyond its edge; None when none is due, or it looks as it did."""
        held, self._held = self._held, None
        if result.pose is None or result.halt is not None:
            return None
        if self._painted_at is None:  # the first phone to come should not look at an empty table
            self._painted_at = frame.t_s
            return self._paint(frame.image, job, result.pose)  # the pose is of this very frame
        if self._is_due(frame.t_s, is_settled=result.is_settled):
            self._painted_at = frame.t_s
            self._held = (frame.image, job, result.pose)
        return None if held is None else self._paint(*held)

    def _is_due(self, t_s: float, *, is_settled: bool) -> bool:
        assert self._painted_at is not None
        least_s = PICTURE_STILL_S if is_settled else PICTURE_MOVING_S
        return self._wanted.is_set() and t_s - self._painted_at >= least_s

    def _paint(self, image: Image, job: Job, pose: CameraPose) -> TablePicture | None:
        picture = straighten(image, job, pose)
        blocks = block_means(picture)
        if self._shown is None or self._shown.shape != blocks.shape:
            self._shown = blocks
            return TablePicture(encode(picture))
        part = changed_blocks(self._shown, blocks)
        if part is None:
            return None
        left, top, right, bottom = part
        self._shown[top:bottom, left:right] = blocks[top:bottom, left:right]  # the rest stays as phones have it
        height, width = picture.shape[:2]
        return TablePicture(
            encode(picture),
            ChangedPart(left * BLOCK_PX, top * BLOCK_PX, min(right * BLOCK_PX, width), min(bottom * BLOCK_PX, height)),
        )


def straighten(image: Image, job: Job, pose: CameraPose) -> Image:
    """The table from above, and nothing beyond its edge: what else the camera saw is no player's business."""
    return rectify_table(image, camera=job.camera, pose=pose, table_mm=job.layout.table_mm, px_per_mm=PICTURE_PX_PER_MM)


def encode(picture: Image) -> bytes:
    return bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, PICTURE_QUALITY])[1].tobytes())


def table_jpeg(image: Image, job: Job, pose: CameraPose) -> bytes:
    return encode(straighten(image, job, pose))


def block_means(picture: Image) -> Floats:
    """The mean colour of each block, (rows, columns, 3); blocks at the right and lower edge may be smaller."""
    height, width = picture.shape[:2]
    padded = cv2.copyMakeBorder(picture, 0, -height % BLOCK_PX, 0, -width % BLOCK_PX, cv2.BORDER_REPLICATE)
    size = (padded.shape[1] // BLOCK_PX, padded.shape[0] // BLOCK_PX)
    return cv2.resize(padded.astype(np.float32), size, interpolation=cv2.INTER_AREA).astype(np.float64)


def changed_blocks(before: Floats, now: Floats) -> tuple[int, int, int, int] | None:
    """The smallest box of blocks that holds all that changed, and one more on each side; None where nothing did."""
    rows, columns = np.nonzero(np.abs(now - before).max(axis=2) > NOISE_LEVELS)
    if not len(rows):
        return None
    high, wide = before.shape[:2]
    left, right = max(0, int(columns.min()) - 1), min(wide, int(columns.max()) + 2)
    return left, max(0, int(rows.min()) - 1), right, min(high, int(rows.max()) + 2)
