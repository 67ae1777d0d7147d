"""`tableside serve`: a live table, a recording, or a state written by hand, for the phones in the room."""

from pathlib import Path
from typing import Annotated

import typer

from api.cli.locate import PoseFile
from api.cli.profiles import Folder
from api.door import Door
from api.files import load
from api.job import Job
from api.profiles import device_of, profiles_in
from api.whereabouts import whereabouts
from models.camera import Camera
from models.errors import BadCamera, BadInput
from models.words import EditionId

Host = Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 lets phones in.")]
Port = Annotated[int, typer.Option(help="Port to listen on; 0 picks a free one.", min=0, max=65535)]
NoQr = Annotated[bool, typer.Option("--no-qr", help="Print the address only.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the addresses as JSON.")]
Data = Annotated[
    Path | None, typer.Option(help="Folder that keeps table, corrections, seats and rulings; forgotten when left out.")
]
StateFile = Annotated[Path | None, typer.Option(help="Serve this hand-written state, without a camera.")]


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("serve")(serve_table)


def serve_table(
    source: Annotated[
        str | None, typer.Option(help="Device number, file, folder, URL of a stream, or `photographs`.")
    ] = None,
    camera: Annotated[
        Path | None,
        typer.Option(help="CAM.json from `tableside calibrate camera`; the source's saved profile when left out."),
    ] = None,
    layout: Annotated[Path | None, typer.Option(help="LAYOUT.json: table size, fiducials, terrain.")] = None,
    pose: PoseFile = None,
    edition: Annotated[EditionId, typer.Option(help="Whose rules to answer by.")] = "warmachine-prime",
    state: StateFile = None,
    profiles: Folder = None,
    data: Data = None,
    is_open: Annotated[bool, typer.Option("--open", help="Who has no code plays all the same.")] = False,
    host: Host = "0.0.0.0",
    port: Port = 8017,
    no_qr: NoQr = False,
    as_json: AsJson = False,
) -> None:
    """Serve the phone page for a source, or for a state written by hand."""
    # here, so that no other command waits for the web server to be imported
    from api import serving
    from api.hosting import Hosting

    door = Door(host=host, port=port, qr=not no_qr, as_json=as_json)
    hosting = Hosting(data=data, is_open=is_open)
    if state is not None:
        serving.serve_state(state, door, hosting)
        return
    source = _given(source, "source")
    lens = load(Camera, camera, error=BadCamera) if camera else _saved(source, profiles)
    place = whereabouts(layout, pose)
    job = Job(source=source, camera=lens, layout=place.layout, edition=edition, pose=place.pose)
    serving.serve_job(job, door, hosting, title=Path(job.source).name)


def _saved(source: str, folder: Path | None) -> Camera:
    """The camera that was saved for this source. Raises: BadInput when there is none."""
    device = device_of(source)
    profile = profiles_in(folder).of_device(device)
    if profile is None:
        raise BadInput(
            f"--camera is missing, and no profile is saved for {device!r}: calibrate it with --save, or name a file",
            field="camera",
            value=None,
            device=device,
        )
    return profile.camera


def _given(value: str | None, name: str) -> str:
    if value is None:
        raise BadInput(f"--{name} is missing: give --source, --camera and --layout, or --state", field=name, value=None)
    return value
