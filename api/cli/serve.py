"""`tableside serve`: a live table, a recording, or a state written by hand, for the phones in the room."""

from pathlib import Path
from typing import Annotated

import typer

from api.camera.protocol import Job
from api.cli.edition_option import HELP, read_served_edition
from api.cli.hosting_options import (
    AsJson,
    Cards,
    Data,
    Host,
    Https,
    HubUrl,
    KeepPictures,
    KeyFile,
    Names,
    NoQr,
    ObsPassword,
    ObsScene,
    ObsUrl,
    Port,
    Proxies,
    Rosters,
    StateFile,
    TableNumber,
    WebhookSecret,
    WebhookUrl,
    open_table,
    read_cues,
    read_hall,
)
from api.cli.locate import DEFAULT_EDITION, PoseFile
from api.cli.profiles import Folder
from api.cli.table_files import read_table_files
from api.server.bind import ListenOptions
from api.storage.camera_profiles import authority_folder, device_of, profiles_in
from api.storage.files import load
from models.camera import Camera
from models.errors import BadCamera, BadInput


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("serve")(serve_table)


def serve_table(
    source: Annotated[
        str | None, typer.Option(help="Device number, file, folder, URL of a stream, `phone`, or `photographs`.")
    ] = None,
    camera: Annotated[
        Path | None,
        typer.Option(help="CAM.json from `tableside calibrate camera`; the source's saved profile when left out."),
    ] = None,
    layout: Annotated[Path | None, typer.Option(help="LAYOUT.json: table size, fiducials, terrain.")] = None,
    pose: PoseFile = None,
    edition: Annotated[str, typer.Option(help=HELP)] = DEFAULT_EDITION,
    state: StateFile = None,
    profiles: Folder = None,
    data: Data = None,
    keep_pictures: KeepPictures = "2GB",
    roster: Rosters = None,
    cards: Cards = None,
    hub: HubUrl = None,
    table: TableNumber = None,
    key: KeyFile = None,
    light: Annotated[
        bool,
        typer.Option("--light", help="For a slow machine: fewer pictures, two looks a second at rest."),
    ] = False,
    webhook: WebhookUrl = None,
    webhook_secret: WebhookSecret = None,
    obs: ObsUrl = None,
    obs_password: ObsPassword = None,
    obs_scene: ObsScene = None,
    is_open: Annotated[bool, typer.Option("--open", help="Who has no code plays all the same.")] = False,
    host: Host = "0.0.0.0",
    name: Names = None,
    proxy: Proxies = None,
    port: Port = 8017,
    https: Https = False,
    no_qr: NoQr = False,
    as_json: AsJson = False,
) -> None:
    """Serve the phone page for a source, or for a state written by hand."""
    choice = read_served_edition(edition, data)

    def find_job() -> Job:
        named = _require(source, "source")
        lens = load(Camera, camera, error=BadCamera) if camera else _saved_camera(named, profiles)
        place = read_table_files(layout, pose)
        return Job(
            source=named, camera=lens, layout=place.layout, edition=choice.id, pose=place.pose, book=choice.book,
            is_light=light,
        )  # fmt: skip

    listen = ListenOptions(
        host=host,
        port=port,
        qr=not no_qr,
        as_json=as_json,
        names=tuple(name or ()),
        proxies=tuple(proxy or ()),
        authority=authority_folder() if https else None,
    )
    hall = read_hall(hub, table, key, data)
    open_table(
        state,
        find_job,
        listen=listen,
        data=data,
        is_open=is_open,
        rosters=roster or (),
        cards=cards,
        hall=hall,
        keep_pictures=keep_pictures,
        book=choice.read,
        cues=read_cues(webhook, webhook_secret, obs, obs_password, obs_scene),
    )


def _saved_camera(source: str, folder: Path | None) -> Camera:
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


def _require(value: str | None, name: str) -> str:
    if value is None:
        raise BadInput(f"--{name} is missing: give --source, --camera and --layout, or --state", field=name, value=None)
    return value
