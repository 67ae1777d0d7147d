"""`tableside serve` and `demo`: a live table, a recording, or a state written by hand, for the phones in the room."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from api.camera.protocol import Job
from api.cli.hosting_options import (
    Data,
    Host,
    HubUrl,
    KeyFile,
    Port,
    Rosters,
    StateFile,
    TableNumber,
    listen_on,
    open_table,
    read_cues,
    read_hall,
)
from api.cli.invocation import settings_of
from api.cli.table_options import (
    DEFAULT_EDITION,
    EditionChoice,
    LayoutFile,
    PoseFile,
    ServedEdition,
    pose_in_use,
    read_served_edition,
    read_table_files,
)
from api.storage.camera_profiles import device_of, profiles_in
from api.storage.files import load
from models.board import BoardFile
from models.camera import Camera
from models.errors import BadBoard, BadCamera, BadInput, BadLayout
from models.layout import Layout

Source = Annotated[
    str | None, typer.Option(help="Device number, file, folder, URL of a stream, `phone`, or `photographs`.")
]
SavedOrCamera = Annotated[
    Path | None, typer.Option("--camera", help="CAM.json; the source's saved profile when left out.")
]
SHIPPED = Path(__file__).parent.parent / "demo"
LISTS = (("red", "weir-host.txt"), ("blue", "tallow-company.txt"))


def serve_table(
    context: typer.Context,
    source: Source = None,
    camera: SavedOrCamera = None,
    layout: LayoutFile = None,
    pose: PoseFile = None,
    edition: ServedEdition = DEFAULT_EDITION,
    state: StateFile = None,
    data: Data = None,
    roster: Rosters = None,
    hub: HubUrl = None,
    table: TableNumber = None,
    key: KeyFile = None,
    is_open: Annotated[bool, typer.Option("--open", help="Who has no code plays all the same.")] = False,
    host: Host = "0.0.0.0",
    port: Port = 8017,
) -> None:
    """Serve the phone page for a source, or for a state written by hand."""
    settings, choice = settings_of(context), read_served_edition(edition, data)

    def find_job() -> Job:
        if source is None:
            says = "--source is missing: give --source, --camera and --layout, or --state"
            raise BadInput(says, field="source", value=None)
        lens = load(Camera, camera, error=BadCamera) if camera else _saved_camera(source, settings.profiles)
        place = read_table_files(layout, pose_in_use(context, pose))
        return Job(
            source=source, camera=lens, layout=place.layout, edition=choice.id, pose=place.pose, book=choice.book,
            is_light=settings.light, detector=settings.detector and known_detector(settings.detector),
        )  # fmt: skip

    open_table(
        state,
        find_job,
        listen=listen_on(context, host, port, title="" if table is None else f"Table {table}"),
        data=data,
        is_open=is_open,
        rosters=roster or (),
        settings=settings,
        hall=read_hall(hub, table, key, data),
        book=choice.read,
        cues=read_cues(settings),
    )


def known_detector(name: str) -> str:
    """The name, of which a plug-in brings a detector. Raises: BadInput."""
    from api.camera.plugin_detector import finder_maker  # here, so that no other command waits for OpenCV

    finder_maker(name)
    return name


def _saved_camera(source: str, folder: Path | None) -> Camera:
    """The camera that was saved for this source. Raises: BadInput when none was."""
    device = device_of(source)
    profile = profiles_in(folder).of_device(device)
    if profile is None:
        raise BadInput(
            f"--camera is missing, and no profile is saved for {device!r}: calibrate it with --device, or name a file",
            field="camera",
            value=None,
            device=device,
        )
    return profile.camera


def play_demo(
    context: typer.Context,
    data: Data = None,
    edition: ServedEdition = DEFAULT_EDITION,
    once: Annotated[bool, typer.Option("--once", help="Stop at the recording's end; else it starts again.")] = False,
    host: Host = "0.0.0.0",
    port: Port = 8017,
) -> None:
    """Play the shipped recording through the whole pipeline and serve the phone page."""
    choice = read_served_edition(edition, data)
    open_table(
        None,
        partial(_calibrate_job, choice, is_looping=not once),
        listen=listen_on(context, host, port),
        data=data,
        is_open=True,
        title="Recorded game",
        rosters=[f"{side}={SHIPPED / file}" for side, file in LISTS],
        settings=settings_of(context),
        places=SHIPPED / "names.json",
        book=choice.read,
    )


def _calibrate_job(choice: EditionChoice, *, is_looping: bool) -> Job:
    with Console(stderr=True).status("Calibrating the camera from its pictures of a board ..."):
        return replace(shipped_job(is_looping=is_looping), edition=choice.id, book=choice.book)


def shipped_job(*, is_looping: bool) -> Job:
    """The recording that comes with the project, its camera and its table."""
    return Job(
        source=str(SHIPPED / "game.mp4"),
        camera=shipped_camera(),
        layout=load(Layout, SHIPPED / "layout.json", error=BadLayout),
        edition="warmachine-prime",
        is_looping=is_looping,
    )


def shipped_camera() -> Camera:
    """The recording's camera, calibrated from the pictures of the board that come with it."""
    from api.storage.files import read_picture  # here, so that no other command waits for OpenCV
    from calibration.intrinsics.calibrate_camera import calibrate_camera

    described = load(BoardFile, SHIPPED / "board.json", error=BadBoard)
    views = [(path.name, read_picture(path)) for path in sorted((SHIPPED / "views").glob("*.jpg"))]
    return calibrate_camera(views, described.board, image_size=described.image_size).camera
