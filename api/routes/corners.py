"""Corner routes at a live table: the camera's own picture, and a pose handed back to it."""

import time
from functools import partial
from queue import Empty

from fastapi import FastAPI

from api.camera.protocol import ImageReport, Job
from api.corners.service import CornerService
from api.errors import RoomShown
from api.http.static_pages import add_page
from api.live.hub import Hub
from api.routes.auth import needs
from api.routes.corners_app import add_corners
from api.seats.permissions import Right
from calibration.arrays import Image
from models.camera import CameraPose
from models.errors import SourceLost
from vision.capture.image_decoding import decode_image

PATIENCE_S = 15.0  # a busy machine measures a whole table meanwhile
CUT_MM = 0.5  # how well a mat's sides are cut, where nobody says
KEPT = "the table's pose"


def add_live_corners(app: FastAPI, hub: Hub, job: Job) -> None:
    """Serve the page at `/corners`; who minds the table may tap there."""
    add_corners(app, live_corners(hub, job), needing=[needs(Right.MIND)])
    add_page(app, "/corners", "corners.html")


def live_corners(hub: Hub, job: Job) -> CornerService:
    """Where the corners of this table are tapped; what is kept is the camera's place from the next picture on."""

    def keep_pose(pose: CameraPose) -> str:
        hub.camera.set_camera_pose(pose)
        return KEPT

    return CornerService(
        partial(_request_image, hub), camera=job.camera, layout=job.layout, table_mm=None, cut_mm=CUT_MM, keep=keep_pose
    )


def _request_image(hub: Hub, with_room: bool) -> tuple[Image, bool]:
    """The next picture as the camera takes it. Raises: NoCamera, SourceLost, RoomShown."""
    hub.camera.request_image(with_room=with_room)
    try:
        looked = _await_image(hub, with_room, until_s=time.monotonic() + PATIENCE_S)
    except Empty:
        raise SourceLost("The camera has sent no picture.", field="source", value=hub.title) from None
    if looked.jpeg is None:
        raise RoomShown(
            "Nobody has known yet where the table ends, so the picture would show the room: a judge may look.",
            right=Right.RULE.value,
        )
    return decode_image(looked.jpeg, field="picture", name="the camera's picture"), looked.is_edged


def _await_image(hub: Hub, with_room: bool, *, until_s: float) -> ImageReport:
    """The picture that was asked for. One with the room may still come for a judge who waits no more: it is dropped.

    Raises: queue.Empty.
    """
    while True:
        looked = hub.camera.images.get(timeout=max(0.0, until_s - time.monotonic()))
        if with_room or looked.jpeg is None or looked.is_edged:
            return looked
