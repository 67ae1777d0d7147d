"""Hosting options: where the server of a table listens, what it keeps, and how the table is opened."""

import importlib.util
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from api.camera.protocol import Job
from api.cli.find import require_zeroconf
from api.cli.invocation import settings_of, wants_json
from api.server.bind import ListenOptions
from api.storage.camera_profiles import authority_folder
from models.errors import BadInput
from vision.capture.source_name import public_name

if TYPE_CHECKING:
    from api.books.book_file import ReadBook
    from api.cli.settings import Settings
    from api.server.hosting import CueChoice, HallChoice, NamedList

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?B)?", re.IGNORECASE)
_UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}

Host = Annotated[str, typer.Option("--host", help="Address to listen on; 0.0.0.0 lets phones in.")]
Port = Annotated[int, typer.Option("--port", help="Port to listen on; 0 picks a free one.", min=0, max=65535)]
Data = Annotated[
    Path | None,
    typer.Option("--data", help="Folder that keeps table, corrections, seats and rulings; forgotten when left out."),
]
Rosters = Annotated[list[str] | None, typer.Option("--roster", help="An army list, as SIDE=FILE; once for each side.")]
HubUrl = Annotated[
    str | None,
    typer.Option("--hub", help="The hall's hub, http://..., or its broker, nats://...; with --data and --key."),
]
TableNumber = Annotated[int | None, typer.Option("--table", help="This table's number in the hall.", min=1)]
KeyFile = Annotated[Path | None, typer.Option("--key", help="This table's key, from `tableside hub keys`.")]
StateFile = Annotated[Path | None, typer.Option("--state", help="Serve this hand-written state, without a camera.")]


def listen_on(
    context: typer.Context, host: str, port: int, *, kind: Literal["table", "hub"] = "table", title: str = ""
) -> ListenOptions:
    """Where a server listens, and under which names, as the settings say. Raises: BadInput."""
    settings = settings_of(context)
    if settings.announce:
        require_zeroconf("announce")
    return ListenOptions(
        host=host,
        port=port,
        qr=settings.qr,
        as_json=wants_json(context),
        names=settings.names,
        proxies=settings.proxies,
        authority=authority_folder() if settings.https else None,
        announce_as=(kind, title or f"Tableside {kind}") if settings.announce else None,
    )


def open_table(
    state: Path | None,
    find_job: Callable[[], Job],
    *,
    listen: ListenOptions,
    data: Path | None,
    is_open: bool,
    title: str | None = None,
    rosters: Sequence[str] = (),
    settings: "Settings | None" = None,
    hall: "HallChoice | None" = None,
    places: Path | None = None,
    book: "ReadBook | None" = None,
    cues: "CueChoice | None" = None,
    setups: Path | None = None,
) -> None:
    """Serve the state where one is named, else what the job's camera sees; `title` is the source's name when left out.

    Of the settings: the cards, and the room for pictures of the table at rest.
    Raises: BadInput, BadFile.
    """
    # here, so that no other command waits for the web server to be imported
    from api.lists.naming import Places
    from api.server.hosting import KEEP_BYTES, CueChoice, Hosting, serve_job, serve_state
    from api.storage.files import load

    hosting = Hosting(
        data=data,
        is_open=is_open,
        lists=tuple(map(_read_list, rosters)),
        cards=None if settings is None else settings.cards,
        hall=hall,
        places=None if places is None else load(Places, places, error=BadInput),
        keep_bytes=KEEP_BYTES if settings is None else parse_size(settings.keep_pictures),
        book=book,
        cues=cues or CueChoice(),
        setups=setups,
        call_stops_clock=settings is not None and settings.call_stops_clock,
        timestamp=None if settings is None else _read_authority(settings),
    )
    if state is not None:
        serve_state(state, listen, hosting)
        return
    job = find_job()
    serve_job(job, listen, hosting, title=title or public_name(job.source))


def _read_authority(settings: "Settings") -> str | None:
    """The authority that stamps the log. Raises: BadInput."""
    from api.journal.timestamp import EXTRA, can_stamp

    if settings.timestamp is not None and not can_stamp():
        raise BadInput(EXTRA, field="timestamp", value=settings.timestamp)
    return settings.timestamp


def parse_size(text: str) -> int:
    """Bytes of `2GB`, `500 MB` or `0`. Raises: BadInput."""
    size = _SIZE.fullmatch(text.strip())
    if size is None:
        says = f"Invalid size {text!r} of keep_pictures: expected 2GB or 500MB"
        raise BadInput(says, field="keep_pictures", value=text)
    return int(float(size[1]) * _UNITS[(size[2] or "").upper()])


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


def read_cues(settings: "Settings") -> "CueChoice":
    """The programs of a studio that the settings name. Raises: BadInput."""
    from api.overlay.mqtt import parse_broker
    from api.server.hosting import CueChoice

    for field, value, schemes in (
        ("webhook", settings.webhook, ("http://", "https://")),
        ("obs", settings.obs, ("ws://", "wss://")),
    ):
        if value is not None and not value.startswith(schemes):
            raise BadInput(f"{field} {value!r} begins with none of {', '.join(schemes)}", field=field, value=value)
    if settings.obs is not None and importlib.util.find_spec("simpleobsws") is None:
        raise BadInput("obs needs the extra: pip install 'tableside[streams]'", field="obs", value=settings.obs)
    if settings.mqtt is not None and importlib.util.find_spec("aiomqtt") is None:
        raise BadInput("mqtt needs the extra: pip install 'tableside[mqtt]'", field="mqtt", value=settings.mqtt)
    return CueChoice(
        mqtt=None if settings.mqtt is None else parse_broker(settings.mqtt, settings.mqtt_password),
        mqtt_topic=settings.mqtt_topic,
        webhook=settings.webhook,
        webhook_topics=settings.webhook_topics,
        secret=settings.webhook_secret,
        obs=settings.obs,
        obs_password=settings.obs_password or "",
        obs_scene=settings.obs_scene,
    )


def _read_list(argument: str) -> "NamedList":
    """The list that `SIDE=FILE` names. Raises: BadInput, BadFile, BadRoster."""
    from api.rosters.read import read_roster
    from api.server.hosting import NamedList
    from api.storage.files import read_bytes

    side, _, file = argument.partition("=")
    if not side.strip() or not file:
        raise BadInput(
            f"Invalid list {argument!r}: expected SIDE=FILE, as red=army.rosz", field="roster", value=argument
        )
    path = Path(file)
    return NamedList(side=side.strip(), file=path.name, roster=read_roster(read_bytes(path), name=path.name))
