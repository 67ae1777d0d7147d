"""Invocation: what every command takes beside its own options, `--json` and `--settings`, and the words that went."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from typer.core import TyperGroup

from models.errors import BadInput

if TYPE_CHECKING:
    from api.cli.settings import Settings

FILE_NAME = "tableside.toml"
ENV_PREFIX = "TABLESIDE_"

AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON; may stand behind any command.")]
SettingsFile = Annotated[
    Path | None,
    typer.Option(
        "--settings", help=f"Settings of the table; {FILE_NAME} of this folder when left out.", metavar="FILE"
    ),
]
_COMMANDS = {
    ("train",): "python -m vision.training train",
    ("evaluate",): "python -m vision.training evaluate",
    ("what-was",): "tableside history",
    ("pair",): "tableside ask STATE A B",
    ("check",): "tableside doctor SOURCE",
    ("calibrate", "corners"): "tableside calibrate table SOURCE --tap",
    ("setup", "solve"): "tableside setup PICTURES... -o FOLDER",
    ("setup", "sheets"): "tableside setup PICTURE --taps ... -o FOLDER",
    ("print", "chessboard"): "tableside print charuco --pattern chessboard",
    ("print", "circles"): "tableside print charuco --pattern circles",
    ("profiles", "list"): "tableside profiles",
    ("profiles", "show"): "tableside profiles NAME",
    ("profiles", "remove"): "tableside profiles NAME --remove",
    ("hub", "cards"): "tableside hub keys --out FOLDER --url URL",
    ("edition", "example"): "tableside edition show NAME --text",
}
_KEYS = {
    "--keep-pictures": "keep_pictures", "--cards": "cards", "--profiles": "profiles", "--light": "light",
    "--webhook": "webhook", "--webhook-secret": "webhook_secret", "--obs": "obs", "--obs-password": "obs_password",
    "--obs-scene": "obs_scene", "--name": "names", "--proxy": "proxies", "--https": "https", "--no-qr": "qr",
    "--tag-sigma-mm": "tag_sigma_mm", "--tag-z-mm": "tag_z_mm", "--distance-sigma-mm": "distance_sigma_mm",
    "--cut-mm": "mat_sigma_mm", "--dictionary": "dictionary", "--replicas": "hall.replicas", "--lists": "hall.lists",
    "--games": "hall.games", "--tables": "tables", "--hub": "hub", "--table": "table_mm", "--host": "host",
    "--port": "port",
}  # fmt: skip
_OPTIONS = {
    "--save": "--device NAME keeps the lens for that device",
    "--squares-x": "--columns", "--squares-y": "--rows", "--circles-x": "--columns", "--circles-y": "--rows",
    "--spacing-mm": "--square-mm", "--bases-mm": "--sizes", "--discs-in": "--sizes", "--table-mm": "--table",
    "--state": "tableside serve --state FILE --open", "--sigmas": "nothing: it is always 4",
    "--out": "-o",
}  # fmt: skip
_TEXT = "{task.description}"


@dataclass
class Invocation:
    """How the command line was called."""

    as_json: bool = False
    file: Path | None = None

    @cached_property
    def settings(self) -> "Settings":
        """Raises: BadFile, BadInput."""
        from api.cli.settings import read_settings  # here, so that no command waits for what it does not read

        return read_settings(self.file)

    @property
    def has_settings(self) -> bool:
        """Whether anything is set: by a file that was named or lies here, or by a variable."""
        return (
            self.file is not None
            or Path(FILE_NAME).is_file()
            or any(name.startswith(ENV_PREFIX) for name in os.environ)
        )


def settings_of(context: typer.Context) -> "Settings":
    """The settings under which a command runs. Raises: BadFile, BadInput."""
    return context.ensure_object(Invocation).settings


def wants_json(context: typer.Context) -> bool:
    return context.ensure_object(Invocation).as_json


def is_from_settings(context: typer.Context, parameter: str) -> bool:
    """Whether a command's option has the value that the settings give it."""
    source = context.get_parameter_source(parameter)
    return source is not None and source.name == "DEFAULT_MAP"


class CommandLine(TyperGroup):
    """The root of all commands; `--json` and `--settings` may stand before a command or behind it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        refuse_renamed(args)
        return super().parse_args(ctx, put_first(args))


def put_first(arguments: Sequence[str]) -> list[str]:
    """The same arguments with those of every command in front, where the root command reads them."""
    first, others = [], []
    left = iter(arguments)
    for argument in left:
        if argument == "--":
            others += [argument, *left]
        elif argument == "--settings":
            first += [argument, *(value for value in [next(left, None)] if value is not None)]
        elif argument == "--json" or argument.startswith("--settings="):
            first.append(argument)
        else:
            others.append(argument)
    return first + others


def refuse_renamed(arguments: Sequence[str]) -> None:
    """Raises: BadInput that says what to say instead of a command that went."""
    commands = [argument for argument in arguments[:4] if not argument.startswith("-")]
    for length in (2, 1):
        instead = _COMMANDS.get(tuple(commands[:length]))
        if instead is not None:
            command = " ".join(commands[:length])
            raise BadInput(f"`tableside {command}` is `{instead}` now", field="command", value=command)


def advise_option(option: str) -> str | None:
    """What stands in place of an option that a command does not know; None where it never existed."""
    if option in _OPTIONS:
        return f"{option} is {_OPTIONS[option]} now"
    key = _KEYS.get(option)
    return None if key is None else f"{option} is set once now: {key} in tableside.toml"


def picture_bar() -> Progress:
    """Counts pictures and steps; says which is looked at."""
    return _bar(BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn(_TEXT))


def film_bar() -> Progress:
    """A recording in percent, with the time that is left."""
    return _bar(TextColumn(_TEXT), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())


def _bar(*columns: ProgressColumn) -> Progress:
    console = Console(stderr=True)
    return Progress(*columns, console=console, disable=not console.is_terminal, transient=True)
