"""`tableside demo`: a recorded game as if it were live, on the phone."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from api.camera.protocol import Job
from api.cli.hosting_options import Data, Host, Port, listen_on, open_table
from api.cli.invocation import settings_of
from api.cli.table_options import DEFAULT_EDITION, EditionChoice, ServedEdition, read_served_edition
from api.storage.files import load
from models.board import BoardFile
from models.camera import Camera
from models.errors import BadBoard, BadLayout
from models.layout import Layout

SHIPPED = Path(__file__).parent.parent / "demo"
LISTS = (("red", "weir-host.txt"), ("blue", "tallow-company.txt"))


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
