"""Guided set-up: a page on the phone leads from four printed pages to a table that is played."""

import re
import socket
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from api.camera.protocol import Job
from api.cli.hosting_options import open_table
from api.server.bind import ListenOptions
from api.storage.camera_profiles import profiles_in
from api.storage.files import portable_name, save
from models.errors import BadInput
from models.layout import Layout, LayoutTerrain, NoFiducials

if TYPE_CHECKING:
    from api.cli.settings import Settings
    from api.setup_pictures.draft import DraftFolder
    from api.setup_pictures.setup_guide import SetupGuide


def guide_setup(settings: "Settings", table_name: str, source: str | None, listen: ListenOptions) -> None:
    """Serve the page; once somebody begins, the table in its place. Raises: BadInput, BadFile."""
    from api.setup_pictures.draft import DraftFolder, tables_folder

    folder = DraftFolder((settings.tables or tables_folder()) / portable_name(_checked(table_name)))
    listen = _with_port(listen)
    game = folder.path / "games" / date.today().isoformat()
    job = _guide(folder, table_name, source, settings.profiles, game, listen)
    if job is not None:
        keep_job(job, folder.path)
        open_table(
            None, lambda: job, listen=listen, data=game, is_open=False, settings=settings, setups=folder.setups()
        )


def keep_job(job: Job, folder: Path) -> Path:
    """The settings by which `tableside serve` plays at this table again. Raises: BadFile."""
    from api.cli.settings import write_settings

    layout = "layout.json" if job.pose is None else None
    if layout is not None and job.layout.terrain:
        layout = "table.json"  # the layout as it was solved, with the terrain that lies on it
        save(job.layout, folder / layout)
    source = job.source
    path = Path(source)
    values = {
        "source": str(path.resolve()) if path.exists() else source,
        "camera": "camera.json",
        "layout": layout,
        "pose": None if job.pose is None else "pose.json",
        "edition": job.edition,
    }
    return write_settings(folder, values)


def _guide(
    folder: "DraftFolder", table_name: str, source: str | None, profiles: Path | None, game: Path, listen: ListenOptions
) -> Job | None:
    """The job of the table once somebody begins; None when the server was stopped before."""
    from api.camera.device_list import list_devices
    from api.journal.file_journal import FileJournal
    from api.routes.guided_setup import create_setup_app
    from api.seats.sessions import SeatSessions
    from api.server.journal_entries import ENTRY_CLASSES
    from api.server.serve import serve, stop
    from api.setup_pictures.preview import encode_preview, grab_allowed
    from api.setup_pictures.schemas import CameraChoice
    from api.setup_pictures.setup_guide import SetupGuide

    grab = grab_allowed(source)
    setup = SetupGuide(table_name, folder, grab, profiles_in(profiles))
    begun = False

    def begin() -> None:
        nonlocal begun
        begun = True
        stop(app)

    def cameras() -> tuple[CameraChoice, ...]:
        given = () if source is None else (CameraChoice(source=source, name=Path(source).name),)
        return (*given, *(CameraChoice(source=place, name=name) for place, name in list_devices()))

    with closing(FileJournal(game, ENTRY_CLASSES)) as journal:
        seats = SeatSessions(journal)
        app = create_setup_app(
            setup,
            seats=seats,
            cameras=cameras,
            preview=lambda chosen: encode_preview(grab(chosen)),
            begin=begin,
            names=listen.names,
        )
        serve(app, listen, codes={"players": seats.codes["players"]})
    return job_of(setup, folder) if begun else None


def job_of(setup: "SetupGuide", folder: "DraftFolder") -> Job:
    """The table that was begun, with the terrain that lies on it."""
    draft = setup.draft
    source = "photographs" if draft.eye == "phone" else draft.source
    assert source is not None
    terrain = tuple(LayoutTerrain(**piece.model_dump()) for piece in setup.laid_terrain)
    if draft.result is not None and draft.result.by == "sheets":
        layout = Layout(table_mm=draft.result.table_mm, fiducials=NoFiducials(), terrain=terrain)
        return Job(source=source, camera=folder.camera(), layout=layout, edition=draft.edition, pose=folder.pose())
    solved = folder.layout()
    layout = Layout(table_mm=solved.table_mm, fiducials=solved.fiducials, terrain=terrain)
    return Job(source=source, camera=folder.camera(), layout=layout, edition=draft.edition)


def _with_port(listen: ListenOptions) -> ListenOptions:
    """The same with a free port where any would do: the table's server answers where the set-up's did."""
    if listen.port:
        return listen
    with socket.create_server((listen.host, 0)) as probe:
        return replace(listen, port=probe.getsockname()[1])


def _checked(table_name: str) -> str:
    if not re.fullmatch(r"[\w][\w .-]{0,60}", table_name):
        raise BadInput(
            f"{table_name!r} cannot name a folder: use letters, digits, blanks and dashes",
            field="table_name",
            value=table_name,
        )
    return table_name
