"""The wiring: a hub, what feeds it, the server in front of it."""

from pathlib import Path

from api.app import create_app
from api.camera_feed import CameraFeed, wishes
from api.camera_process import run
from api.door import Door
from api.files import load
from api.hub import Hub
from api.job import Job
from api.server import serve
from models.errors import BadState
from models.state import TableState


def serve_state(path: Path, door: Door) -> None:
    """Answer about this state, written by hand. Raises: BadFile, BadState."""
    hub = Hub(title=path.name)
    hub.show(load(TableState, path, error=BadState))
    serve(create_app(hub), door)


def serve_job(job: Job, door: Door, *, title: str) -> None:
    """Answer about what a camera process sees."""
    wanted = wishes()
    serve(create_app(Hub(title=title, wishes=wanted), camera=CameraFeed(run, job, wanted)), door)
