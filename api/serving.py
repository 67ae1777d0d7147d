"""The wiring: a hub, what feeds it, the server in front of it."""

from pathlib import Path

from api.app import create_app
from api.camera_feed import CameraFeed, wishes
from api.camera_process import run
from api.crew import Crew
from api.door import Door
from api.files import load
from api.hosting import Hosting
from api.hub import Hub
from api.job import Job
from api.live_corners import add_live_corners
from api.live_source import is_live
from api.photographs import SOURCE, Photographs, photographing
from api.recollection import Recollection
from api.server import serve
from models.errors import BadState
from models.state import TableState


def serve_state(path: Path, door: Door, hosting: Hosting) -> None:
    """Answer about this state, written by hand. Raises: BadFile, BadState."""
    state = load(TableState, path, error=BadState)
    with hosting.journal() as journal:
        hub = Hub(title=path.name, journal=journal)
        hub.show(state)
        seats = hosting.seats(journal)
        serve(create_app(hub, seats=seats, shelf=hosting.shelf(), crew=Crew()), door, codes=seats.codes)


def serve_job(job: Job, door: Door, hosting: Hosting, *, title: str) -> None:
    """Answer about what a camera process sees, or the photographs show that somebody sends."""
    photographs = Photographs(job) if job.source == SOURCE else None
    wanted = None if photographs else wishes()
    with hosting.journal() as journal:
        seats = hosting.seats(journal)
        hub = Hub(title=title, wishes=wanted, journal=journal)
        live = is_live(job.source)
        known = Recollection(hosting.data, job) if live else None
        camera = photographs or CameraFeed(run, job, wanted or wishes(), is_live=live, recollection=known)
        app = create_app(hub, camera=camera, seats=seats, shelf=hosting.shelf(), crew=Crew())
        if photographs:
            app.include_router(photographing(photographs))
        else:
            add_live_corners(app, hub, job)
        serve(app, door, codes=seats.codes)
