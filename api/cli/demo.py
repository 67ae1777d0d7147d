"""`tableside demo`: a recorded game as if it were live, on the phone."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from api.camera.protocol import Job
from api.cli.edition_option import HELP, EditionChoice, read_served_edition
from api.cli.hosting_options import (
    AsJson,
    Data,
    Host,
    HubUrl,
    KeepPictures,
    KeyFile,
    NoQr,
    Port,
    StateFile,
    TableNumber,
    open_table,
    read_hall,
)
from api.cli.locate import DEFAULT_EDITION
from api.server.bind import ListenOptions
from api.storage.files import load
from models.board import BoardFile
from models.camera import Camera
from models.errors import BadBoard, BadLayout
from models.layout import Layout

SHIPPED = Path(__file__).parent.parent / "demo"
LISTS = (("red", "weir-host.txt"), ("blue", "tallow-company.txt"))


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""

    @app.command("demo")
    def demo(
        state: StateFile = None,
        data: Data = None,
        keep_pictures: KeepPictures = "2GB",
        hub: HubUrl = None,
        table: TableNumber = None,
        key: KeyFile = None,
        edition: Annotated[str, typer.Option(help=HELP)] = DEFAULT_EDITION,
        once: bool = typer.Option(False, "--once", help="Stop at the end of the recording instead of starting again."),
        host: Host = "0.0.0.0",
        port: Port = 8017,
        no_qr: NoQr = False,
        as_json: AsJson = False,
    ) -> None:
        """Play the shipped recording through the whole pipeline and serve the phone page."""
        listen = ListenOptions(host=host, port=port, qr=not no_qr, as_json=as_json)
        choice = read_served_edition(edition, data)
        find_job = partial(_calibrate_job, choice, is_looping=not once)
        hall = read_hall(hub, table, key, data)
        lists = () if state is not None else tuple(f"{side}={SHIPPED / file}" for side, file in LISTS)
        names = None if state is not None else SHIPPED / "names.json"
        open_table(
            state, find_job, listen=listen, data=data, is_open=True, title="Recorded game", rosters=lists, places=names,
            hall=hall, keep_pictures=keep_pictures, book=choice.read,
        )  # fmt: skip


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
    """The recording's camera, calibrated anew from the pictures of the board that came with it."""
    from api.storage.files import read_picture  # here, so that no other command waits for OpenCV
    from calibration.intrinsics.calibrate_camera import calibrate_camera

    described = load(BoardFile, SHIPPED / "board.json", error=BadBoard)
    views = [(path.name, read_picture(path)) for path in sorted((SHIPPED / "views").glob("*.jpg"))]
    return calibrate_camera(views, described.board, image_size=described.image_size).camera
