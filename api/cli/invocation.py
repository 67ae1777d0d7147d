"""Invocation: what every command takes beside its own options, `--json` and `--settings`, and the words that went."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from api.cli.renamed_words import refuse_renamed

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
