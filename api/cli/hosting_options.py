"""Hosting options: where the server of a table listens, what it keeps, and how the table is opened."""

import importlib.util
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.camera.protocol import Job
from api.server.bind import ListenOptions
from models.errors import BadInput
from vision.capture.source_name import public_name

if TYPE_CHECKING:
    from api.books.book_file import ReadBook
    from api.server.hosting import CueChoice, HallChoice, NamedList

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?B)?", re.IGNORECASE)
_UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}

Host = Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 lets phones in.")]
Port = Annotated[int, typer.Option(help="Port to listen on; 0 picks a free one.", min=0, max=65535)]
NoQr = Annotated[bool, typer.Option("--no-qr", help="Print the address only.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the addresses as JSON.")]
Data = Annotated[
    Path | None, typer.Option(help="Folder that keeps table, corrections, seats and rulings; forgotten when left out.")
]
Rosters = Annotated[list[str] | None, typer.Option("--roster", help="An army list, as SIDE=FILE; once for each side.")]
HubUrl = Annotated[
    str | None,
    typer.Option("--hub", help="The hall's hub, http://..., or its broker, nats://...; with --data and --key."),
]
TableNumber = Annotated[int | None, typer.Option("--table", help="This table's number in the hall.", min=1)]
KeyFile = Annotated[Path | None, typer.Option("--key", help="This table's key, from `tableside hub keys`.")]
Cards = Annotated[
    Path | None,
    typer.Option("--cards", help="Folder of your cards; the user's own when left out.", envvar="TABLESIDE_CARDS"),
]
Names = Annotated[
    list[str] | None, typer.Option("--name", help="A name by which phones call this machine, besides its addresses.")
]
Https = Annotated[
    bool, typer.Option("--https", help="Serve over HTTPS too, at the next port: for a phone that is the camera.")
]
Proxies = Annotated[list[str] | None, typer.Option("--proxy", help="Address of a proxy that may say for whom it asks.")]
KeepPictures = Annotated[
    str, typer.Option("--keep-pictures", help="Room for pictures of the table at rest under --data, as 500MB; 0: none.")
]
WebhookUrl = Annotated[str | None, typer.Option("--webhook", help="Address that is sent what goes on air, as JSON.")]
WebhookSecret = Annotated[
    str | None,
    typer.Option("--webhook-secret", help="Signs what is sent; better told by the variable.",
                 envvar="TABLESIDE_WEBHOOK_SECRET", show_envvar=True),
]  # fmt: skip
ObsUrl = Annotated[
    str | None, typer.Option("--obs", help="obs-websocket that hears what goes on air, as ws://...:4455.")
]
ObsPassword = Annotated[
    str | None,
    typer.Option("--obs-password", help="Its password; better told by the variable.",
                 envvar="TABLESIDE_OBS_PASSWORD", show_envvar=True),
]  # fmt: skip
ObsScene = Annotated[str | None, typer.Option("--obs-scene", help="Scene that OBS turns to with what goes on air.")]
StateFile = Annotated[Path | None, typer.Option(help="Serve this hand-written state, without a camera.")]


def open_table(
    state: Path | None,
    find_job: Callable[[], Job],
    *,
    listen: ListenOptions,
    data: Path | None,
    is_open: bool,
    title: str | None = None,
    rosters: Sequence[str] = (),
    cards: Path | None = None,
    hall: "HallChoice | None" = None,
    places: Path | None = None,
    keep_pictures: str = "2GB",
    book: "ReadBook | None" = None,
    cues: "CueChoice | None" = None,
    setups: Path | None = None,
) -> None:
    """Serve the state where one is named, else what the job's camera sees; `title` is the source's name when left out.

    Raises: BadInput, BadFile.
    """
    # here, so that no other command waits for the web server to be imported
    from api.lists.placed_names import Places
    from api.server import wiring
    from api.server.hosting import CueChoice, Hosting
    from api.storage.files import load

    hosting = Hosting(
        data=data,
        is_open=is_open,
        lists=tuple(map(_read_list, rosters)),
        cards=cards,
        hall=hall,
        places=None if places is None else load(Places, places, error=BadInput),
        keep_bytes=parse_size(keep_pictures),
        book=book,
        cues=cues or CueChoice(),
        setups=setups,
    )
    if state is not None:
        wiring.serve_state(state, listen, hosting)
        return
    job = find_job()
    wiring.serve_job(job, listen, hosting, title=title or public_name(job.source))


def parse_size(told: str) -> int:
    """Bytes of `2GB`, `500 MB` or `0`. Raises: BadInput."""
    found = _SIZE.fullmatch(told.strip())
    if found is None:
        says = f"--keep-pictures {told!r} is no size, as 2GB or 500MB"
        raise BadInput(says, field="keep_pictures", value=told)
    return int(float(found[1]) * _UNITS[(found[2] or "").upper()])


def read_hall(hub: str | None, table: int | None, key: Path | None, data: Path | None) -> "HallChoice | None":
    """The hall that these options name; None without `--hub`. Raises: BadInput, BadFile, BadKey."""
    from api.hall.keys import read_table_key
    from api.server.hosting import HallChoice

    if hub is None:
        return None
    if not hub.startswith(("http://", "https://", "nats://", "tls://")):
        raise BadInput(f"--hub {hub!r} begins with none of http, https, nats, tls", field="hub", value=hub)
    for name, value in (("key", key), ("data", data)):
        if value is None:
            raise BadInput(f"--hub needs --{name}", field=name, value=None)
    assert key is not None
    return HallChoice(hub, read_table_key(key, table=table))


def read_cues(
    webhook: str | None, secret: str | None, obs: str | None, password: str | None, scene: str | None
) -> "CueChoice":
    """The programs of a studio that these options name. Raises: BadInput."""
    from api.server.hosting import CueChoice

    for field, value, schemes in (("webhook", webhook, ("http://", "https://")), ("obs", obs, ("ws://", "wss://"))):
        if value is not None and not value.startswith(schemes):
            raise BadInput(f"--{field} {value!r} begins with none of {', '.join(schemes)}", field=field, value=value)
    if obs is not None and importlib.util.find_spec("simpleobsws") is None:
        raise BadInput("--obs needs the extra: pip install 'tableside[streams]'", field="obs", value=obs)
    return CueChoice(webhook=webhook, secret=secret, obs=obs, obs_password=password or "", obs_scene=scene)


def _read_list(told: str) -> "NamedList":
    """The list that `SIDE=FILE` names. Raises: BadInput, BadFile, BadRoster."""
    from api.rosters.read import read_roster
    from api.server.hosting import NamedList
    from api.storage.files import read_bytes

    side, _, file = told.partition("=")
    if not side.strip() or not file:
        raise BadInput(f"{told!r} is no SIDE=FILE, as red=army.rosz", field="roster", value=told)
    path = Path(file)
    return NamedList(side=side.strip(), file=path.name, roster=read_roster(read_bytes(path), name=path.name))
