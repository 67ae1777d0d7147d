"""`tableside demo`: a recorded game as if it were live, on the phone."""

from pathlib import Path

import typer
from rich.console import Console

from api.cli.serve import AsJson, Data, Host, NoQr, Port, StateFile
from api.door import Door
from api.files import load
from api.job import Job
from models.board import BoardFile
from models.camera import Camera
from models.errors import BadBoard, BadLayout
from models.layout import Layout

SHIPPED = Path(__file__).parent.parent / "demo"


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""

    @app.command("demo")
    def demo(
        state: StateFile = None,
        data: Data = None,
        once: bool = typer.Option(False, "--once", help="Stop at the end of the recording instead of starting again."),
        host: Host = "0.0.0.0",
        port: Port = 8017,
        no_qr: NoQr = False,
        as_json: AsJson = False,
    ) -> None:
        """Play the shipped recording through the whole pipeline and serve the phone page."""
        # here, so that no other command waits for the web server to be imported
        from api import serving
        from api.hosting import Hosting

        door = Door(host=host, port=port, qr=not no_qr, as_json=as_json)
        hosting = Hosting(data=data, is_open=True)
        if state is not None:
            serving.serve_state(state, door, hosting)
        else:
            with Console(stderr=True).status("Calibrating the camera from its pictures of a board ..."):
                job = shipped_job(is_looping=not once)
            serving.serve_job(job, door, hosting, title="Recorded game")


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
    from api.pictures import read_picture  # here, so that no other command waits for OpenCV
    from calibration.camera import calibrate_camera

    described = load(BoardFile, SHIPPED / "board.json", error=BadBoard)
    views = [(path.name, read_picture(path)) for path in sorted((SHIPPED / "views").glob("*.jpg"))]
    return calibrate_camera(views, described.board, image_size=described.image_size).camera
