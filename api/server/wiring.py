"""Wiring: a hub, what feeds it, the server in front of it; a kept game is fed by nothing, and never changed."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

from fastapi import FastAPI

from api.camera.live_source import is_live
from api.camera.phone_camera import SOURCE as PHONE
from api.camera.phone_camera import PhoneCamera
from api.camera.photographs import SOURCE, Photographs
from api.camera.process import run
from api.camera.protocol import Job
from api.camera.tracker_snapshot import TrackerSnapshot
from api.errors import NoTableYet
from api.evaluation.worker_pool import WorkerPool
from api.evidence.service import EvidenceKeeper
from api.games.archive import open_game
from api.journal.file_journal import FileJournal
from api.journal.memory_journal import MemoryJournal
from api.live.camera_supervisor import CameraSupervisor, open_commands
from api.live.hub import Hub
from api.routes.camera import add_photographs
from api.routes.corners import add_live_corners
from api.routes.phone_camera import add_phone_camera
from api.seats.sessions import SeatSessions
from api.server.app import CameraRunner, create_app, no_camera
from api.server.bind import ListenOptions
from api.server.hosting import Hosting
from api.server.journal_entries import ENTRY_CLASSES
from api.server.serve import serve
from api.storage.files import load
from api.tap_measurement.service import TapMeasurementService
from models.errors import BadState
from models.layout import Layout
from models.state import TableState


def serve_state(path: Path, listen: ListenOptions, hosting: Hosting) -> None:
    """Serve a state written by hand. Raises: BadFile, BadState."""
    state = load(TableState, path, error=BadState)
    with hosting.journal() as journal:
        hub = hosting.open_hub(journal, title=path.name)
        hub.show(state)
        hosting.lay_lists(hub)
        seats = hosting.seats(journal)
        app = _create_table_app(hub, hosting, listen, seats)
        serve(app, listen, codes=seats.codes)


def serve_job(job: Job, listen: ListenOptions, hosting: Hosting, *, title: str) -> None:
    """Serve what a camera process sees, or the photographs show that somebody sends."""
    with hosting.with_scratch() as hosting:
        _serve_job(job, listen, hosting, title=title)


def _serve_job(job: Job, listen: ListenOptions, hosting: Hosting, *, title: str) -> None:
    photographs = Photographs(job) if job.source == SOURCE else None
    phone = PhoneCamera() if job.source == PHONE else None
    wanted = None if photographs else open_commands()
    job = replace(job, keeps_pictures=hosting.keeps_pictures())
    with hosting.journal() as journal:
        seats = hosting.seats(journal)
        hub = hosting.open_hub(journal, title=title, commands=wanted, by_photograph=photographs is not None)
        hosting.keep_calibration(job.camera, job.layout)
        hosting.lay_lists(hub)
        hosting.name_places(hub)
        live = phone is not None or is_live(job.source)
        known = TrackerSnapshot(hosting.data, job) if live else None
        seen = job if phone is None else replace(job, source=phone.address)
        camera = photographs or CameraSupervisor(
            run, seen, wanted or open_commands(), is_live=live or job.is_looping, tracker_snapshot=known
        )
        feed = camera if phone is None else phone.feed(camera)
        app = _create_table_app(hub, hosting, listen, seats, camera=feed, layout=job.layout)
        if phone:
            add_phone_camera(app, phone)
        if photographs:
            add_photographs(app, photographs)
        else:
            add_live_corners(app, hub, job)
        serve(app, listen, codes=seats.codes)


def _create_table_app(
    hub: Hub,
    hosting: Hosting,
    listen: ListenOptions,
    seats: SeatSessions,
    *,
    camera: CameraRunner = no_camera,
    layout: Layout | None = None,
) -> FastAPI:
    return create_app(
        hub,
        camera=camera,
        seats=seats,
        shelf=hosting.shelf(),
        cards=hosting.library,
        pool=WorkerPool(),
        names=listen.names,
        hall=hosting.link(listen),
        evidence=hosting.evidence(hub),
        game=hosting.data,
        cues=hosting.cues.open(),
        taps=TapMeasurementService(hub, layout=layout),
    )


def serve_replay(path: Path, listen: ListenOptions) -> None:
    """Serve a kept game until interrupted: everybody may look and ask, nobody change.

    Raises: BadFile, BadGame, BadInput; NoTableYet when the game holds no table.
    """
    with open_game(path) as (ours, pictures), closing(FileJournal(ours, ENTRY_CLASSES)) as journal:
        hub = Hub(title=path.stem, journal=journal)
        hub.is_replay = True
        if hub.state is None:
            raise NoTableYet(f"{path}: no table was seen at rest in this game.")
        hub.source.rest()
        # who had a seat then has none now
        seats = SeatSessions(MemoryJournal(), unjoined="viewer", hastens_viewers=True)
        evidence = EvidenceKeeper(hub, pictures, most_bytes=0, is_read_only=True)
        app = create_app(hub, seats=seats, pool=WorkerPool(), names=listen.names, evidence=evidence)
        serve(app, listen)
