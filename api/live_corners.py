"""The mat's corners tapped at a table that is being played: the camera's own picture, and a pose handed back to it."""

from functools import partial
from queue import Empty

from fastapi import FastAPI

from api.corner_app import corners
from api.corner_desk import CornerDesk
from api.errors import RoomShown
from api.hub import Hub
from api.job import Job
from api.phone_page import add_page
from api.pictures import Image
from api.seats.asking import needs
from api.seats.seat import Right
from models.camera import CameraPose
from models.errors import SourceLost
from vision.pictures import decoded

PATIENCE_S = 15.0  # a busy machine measures a whole table meanwhile
CUT_MM = 0.5  # how well a mat's sides are cut, where nobody says
KEPT = "the table's pose"


def add_live_corners(app: FastAPI, hub: Hub, job: Job) -> None:
    """Serve the page at `/corners`; who minds the table may tap there."""
    app.include_router(corners(live_corners(hub, job), needing=[needs(Right.MIND)]))
    add_page(app, "/corners", "corners.html")


def live_corners(hub: Hub, job: Job) -> CornerDesk:
    """Where the corners of this table are tapped; what is kept is the camera's place from the next picture on."""

    def hang(pose: CameraPose) -> str:
        hub.hang(pose)
        return KEPT

    return CornerDesk(
        partial(_newest, hub), camera=job.camera, layout=job.layout, table_mm=None, cut_mm=CUT_MM, keep=hang
    )


def _newest(hub: Hub, with_room: bool) -> tuple[Image, bool]:
    """The next picture as the camera takes it. Raises: NoCamera, SourceLost, RoomShown."""
    hub.look(with_room=with_room)
    try:
        looked = hub.looks.get(timeout=PATIENCE_S)
    except Empty:
        raise SourceLost("The camera has sent no picture.", field="source", value=hub.title) from None
    if looked.jpeg is None:
        raise RoomShown(
            "Nobody has known yet where the table ends, so the picture would show the room: a judge may look.",
            right=Right.RULE.value,
        )
    return decoded(looked.jpeg, field="picture", name="the camera's picture"), looked.is_edged
