"""Settings of a table: `tableside.toml` holds what is set once; environment and options come before it."""

import json
import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, get_args

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, SettingsError

from api.books.line_numbers import line_of
from api.cli.invocation import ENV_PREFIX, FILE_NAME
from api.overlay.cues import Topic
from api.printing.paper import PaperName
from api.storage.files import read_bytes, write_whole
from models.errors import BadInput
from models.frozen import Frozen
from models.vocabulary import Positive

Port = Annotated[int, Field(ge=0, le=65535)]


class HallSettings(Frozen):
    """What the machine of a hall's hub sets once."""

    keys: Path | None = Field(None, description="Folder that `tableside hub keys` wrote.")
    data: Path | None = Field(None, description="Folder of the hub's SQLite database.")
    database: str | None = Field(None, description="Another database, such as postgresql+psycopg://...")
    nats: str | None = Field(None, description="Broker that tables send to, nats://HOST:PORT.")
    replicas: int = Field(1, ge=1, le=5, description="Servers of a NATS cluster that keep each line.")
    lists: Path | None = Field(None, description="Folder of the army lists that pairings name.")
    games: Path | None = Field(None, description="Folder of the games that the organiser hands in, for all to see.")


class Settings(BaseSettings):
    """What a table sets once. Names of files are relative to the settings file."""

    model_config = SettingsConfigDict(env_prefix=ENV_PREFIX, env_ignore_empty=True, extra="forbid", frozen=True)

    source: str | None = Field(None, description="What looks at the table, as `serve --source` takes it.")
    camera: Path | None = Field(None, description="Camera file.")
    layout: Path | None = Field(None, description="Layout file: table size, fiducials, terrain.")
    pose: Path | None = Field(None, description="Pose file, where the table has no fiducials.")
    edition: str | None = Field(None, description="Rulebook: an id, or a FILE.toml.")
    catalogue: Path | None = Field(None, description="The only base sizes to look for.")
    table_mm: tuple[Positive, Positive] | None = Field(None, description="Width and depth of the table.")
    detector: str | None = Field(None, description="Detector of a plug-in, by its name, in place of the built-in one.")
    light: bool = Field(False, description="For a slow machine: fewer pictures, two looks a second at rest.")

    data: Path | None = Field(None, description="Folder that keeps table, corrections, seats and rulings.")
    keep_pictures: str = Field("2GB", description="Room for pictures of the table at rest under data; 0: none.")
    cards: Path | None = Field(None, description="Folder of your cards; else the user's own.")
    profiles: Path | None = Field(None, description="Folder of calibrated cameras; else the user's own.")
    tables: Path | None = Field(None, description="Folder in which `setup` keeps tables; else the user's own.")

    host: str | None = Field(None, description="Address to listen on; 0.0.0.0 lets phones in.")
    port: Port | None = Field(None, description="Port to listen on; 0 picks a free one.")
    names: tuple[str, ...] = Field((), description="Names by which phones call this machine, besides its addresses.")
    proxies: tuple[str, ...] = Field((), description="Addresses of proxies that may say for whom they ask.")
    announce: bool = Field(False, description="Tell the network by DNS-SD where this table or hub is.")
    https: bool = Field(False, description="Serve over HTTPS too, at the next port: for a phone that is the camera.")
    timestamp: str | None = Field(None, description="RFC 3161 authority that stamps the log each hour, http://...")
    qr: bool = Field(True, description="Print the address as a code to scan, on a terminal.")

    call_stops_clock: bool = Field(False, description="Calling a judge stops the clocks, until he starts them.")

    hub: str | None = Field(None, description="The hall's hub, http://..., or its broker, nats://...")
    table: int | None = Field(None, ge=1, description="This table's number in the hall.")
    key: Path | None = Field(None, description="This table's key, from `tableside hub keys`.")
    hall: HallSettings = Field(HallSettings(), description="Of the hub's machine: the keys below, under `[hall]`.")

    webhook: str | None = Field(None, description="Address that is sent what goes on air, or more, as JSON.")
    webhook_topics: tuple[Topic, ...] = Field(("air",), description="Of air, move, ruling, call, alarm, score.")
    webhook_secret: str | None = Field(None, description="Signs what is sent; better in the environment.")
    obs: str | None = Field(None, description="obs-websocket that hears what goes on air, as ws://...:4455.")
    obs_password: str | None = Field(None, description="Its password; better in the environment.")
    obs_scene: str | None = Field(None, description="Scene that OBS turns to with what goes on air.")
    mqtt: str | None = Field(None, description="Broker that hears of the table, mqtt://USER@HOST, or mqtts.")
    mqtt_password: str | None = Field(None, description="Its password; better in the environment.")
    mqtt_topic: str | None = Field(
        None, pattern=r"^[^+#\s]+$", description="Topic of this table; else tableside/ and its title."
    )

    paper: PaperName | None = Field(None, description="Paper in the printer.")
    dictionary: str = Field("APRILTAG_36h11", description="Kind of the table's own markers: this, or one of ArUco.")
    tag_sigma_mm: Positive = Field(0.1, description="How surely the side of the printed tags is known.")
    tag_z_mm: float = Field(0.0, description="How high above the table the prints of the tags lie.")
    distance_sigma_mm: Positive = Field(0.5, description="How surely a distance between two tags was measured.")
    mat_sigma_mm: float = Field(0.5, ge=0, le=20, description="How surely the sides of the mat are known.")

    @classmethod
    def settings_customise_sources(
        cls, settings_cls: type[BaseSettings], init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource, dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:  # fmt: skip
        """The environment comes before the file, whose values are handed in."""
        return env_settings, init_settings


def command_defaults(settings: Settings) -> dict[str, Any]:
    """What the settings say in place of a command's options, by the names of commands and their parameters."""
    served, hall = ("host", "port"), settings.hall
    seen = ("camera", "layout", "pose", "edition", "catalogue")
    survey = {"camera": None if settings.camera is None else (settings.camera,), "table": settings.table_mm}
    hub = {"keys": hall.keys, "data": hall.data, "database": hall.database, "nats": hall.nats}
    named = {
        "serve": ("source", *seen[:-1], "data", "hub", "table", "key", *served),
        "demo": served, "replay": served, "setup": (*served, "paper"), "print": ("paper", "table_mm"),
        "locate": seen, "watch": seen, "annotate": seen,
        "doctor": ("camera", "layout", "edition", "data", *served),
    }  # fmt: skip
    return {command: _given(settings, keys) for command, keys in named.items()} | {
        "calibrate": {"table": _given(settings, seen[:2]), "layout": _without_none(survey)},
        "hub": {"run": _without_none(hub) | _given(settings, served)},
    }


def _given(settings: Settings, keys: Iterable[str]) -> dict[str, Any]:
    return _without_none({key: getattr(settings, key) for key in keys})


def _without_none(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}


def variable_of(key: str) -> str:
    return ENV_PREFIX + key.upper()


def read_settings(file: Path | None = None) -> Settings:
    """The settings in this file or folder, else in the folder one is in; without any, those of the environment.

    Raises: BadFile; BadInput naming file, key and value.
    """
    path = file or Path(FILE_NAME)
    path = path / FILE_NAME if path.is_dir() else path
    if file is None and not path.is_file():
        return _validate({}, path, "")
    text = read_bytes(path).decode("utf-8", "replace")
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise BadInput(f"{path}: not TOML: {wrong}", field="settings", value=str(path)) from wrong
    for key in values.keys() - Settings.model_fields.keys():
        raise _unknown_key(path, text, key, values[key])
    return _validate(_resolve_paths(values, path.parent), path, text)


def _validate(values: Mapping[str, Any], path: Path, text: str) -> Settings:
    try:
        return Settings(**values)
    except SettingsError as wrong:  # a variable that holds a list is written as JSON
        raise BadInput(f"{wrong}: write a list as JSON", field="settings", value=None) from wrong
    except ValidationError as wrong:
        first = wrong.errors(include_url=False)[0]
        key, value = ".".join(map(str, first["loc"])), first["input"]
        name = str(first["loc"][0])
        if first["type"] == "extra_forbidden":
            raise _unknown_key(path, text, key, value) from wrong
        place = variable_of(name) if variable_of(name) in os.environ else f"{path}: line {line_of(text, [name])}: {key}"
        says = f"{place} = {value!r}: {first['msg']}"
        raise BadInput(says, field=key, value=value, file=str(path)) from wrong


def _unknown_key(path: Path, text: str, key: str, value: object) -> BadInput:
    near = get_close_matches(key, _KEYS, n=1)
    says = f"{path}: line {line_of(text, key.split('.'))}: unknown key {key} = {value!r}"
    hint = f"; did you mean {near[0]}?" if near else ""
    return BadInput(says + hint, field=key, value=value, file=str(path))


def _resolve_paths(values: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The same with files named from where the command runs, not from where the settings lie."""
    resolved = dict(values)
    for key, value in values.items():
        if not isinstance(value, str):
            continue
        is_file = Path in get_args(Settings.model_fields[key].annotation)
        if is_file or (key == "edition" and value.endswith(".toml")) or (key == "source" and _is_file(folder, value)):
            resolved[key] = str(folder / value)
    if isinstance(hall := values.get("hall"), dict):
        files = {"keys", "data", "lists", "games"}
        resolved["hall"] = {
            key: str(folder / value) if key in files and isinstance(value, str) else value
            for key, value in hall.items()
        }
    return resolved


def _is_file(folder: Path, source: str) -> bool:
    return "://" not in source and not source.isdecimal() and (folder / source).exists()


def write_settings(folder: Path, values: Mapping[str, object]) -> Path:
    """Set these keys in the folder's settings file, None takes one out; the other lines stay as they are written.

    Raises: BadFile.
    """
    path = folder / FILE_NAME
    text = read_bytes(path).decode("utf-8", "replace") if path.is_file() else "# What this table sets once.\n"
    section = re.search(r"^\[", text, re.MULTILINE)  # keys of the table itself stand before the first one
    head, tail = (text, "") if section is None else (text[: section.start()], text[section.start() :])
    lines = [line for line in head.rstrip().splitlines() if re.split(r"\s*=", line, maxsplit=1)[0] not in values]
    lines += [f"{key} = {write_value(value)}" for key, value in values.items() if value is not None]
    write_whole(path, "\n".join(lines) + "\n" + (f"\n{tail}" if tail else ""))
    return path


def write_value(value: object) -> str:
    """As TOML: its strings, numbers, booleans and lists of them are JSON's."""
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(write_value, value))}]"
    return json.dumps(str(value) if isinstance(value, Path) else value, ensure_ascii=False)


_KEYS = tuple(Settings.model_fields)
