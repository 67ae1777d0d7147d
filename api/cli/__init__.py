"""The command line: `tableside`. One module a command; errors leave as one problem object on stderr."""

import os
import sys
from importlib.metadata import version
from typing import Annotated

import typer

from api.cli import (
    annotate,
    ask,
    calibrate,
    calibrate_layout,
    cards,
    check,
    demo,
    doctor,
    edition,
    export,
    history,
    hub,
    locate,
    merge,
    pair,
    profiles,
    replay,
    roster,
    schemas,
    serve,
    setup,
    terrain_heights,
    verify,
    watch,
)
from api.cli import print as printing
from api.cli.problems import exit_code, print_problem
from models.errors import BadInput, TablesideError

app = typer.Typer(
    name="tableside",
    help="A referee that sits beside a real miniatures table.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for module in (
    demo,
    serve,
    setup,
    calibrate,
    printing,
    check,
    profiles,
    calibrate_layout,
    terrain_heights,
    locate,
    merge,
    watch,
    history,
    hub,
    ask,
    pair,
    roster,
    cards,
    edition,
    schemas,
    verify,
    replay,
    export,
    annotate,
    doctor,
):
    module.register(app)


def _say_where_training_went(context: typer.Context) -> None:
    name = context.info_name
    raise BadInput(
        f"`tableside {name}` is `python -m vision.training {name}` now, in a clone", field="command", value=name
    )


for moved in ("train", "evaluate"):  # commands until 1.0
    context = {"ignore_unknown_options": True, "allow_extra_args": True}
    app.command(moved, hidden=True, context_settings=context)(_say_where_training_went)


def _say_version(told: bool) -> None:
    if told:
        typer.echo(f"tableside {version('tableside')}")
        raise typer.Exit


@app.callback()
def _all_commands(
    _version: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Say which version this is.")
    ] = False,
) -> None:
    """A referee that sits beside a real miniatures table."""


def main() -> None:
    """Run a command. Exit 0 = done, 2 = bad input, 3 = the world would not cooperate, 1 = our own fault."""
    # FFmpeg grumbles on stderr about a broken video, where one problem object is promised; -8: nothing
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    try:
        app(standalone_mode=False)
    except typer.TyperException as wrong:
        print_problem(BadInput(_message(wrong), field=_parameter(wrong)))
        sys.exit(2)
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(130)
    except TablesideError as wrong:
        print_problem(wrong)
        sys.exit(exit_code(wrong))


def _message(wrong: typer.TyperException) -> str:
    return str(wrong.format_message()) if hasattr(wrong, "format_message") else str(wrong)


def _parameter(wrong: typer.TyperException) -> str | None:
    param = getattr(wrong, "param", None)
    return param.name if param is not None else None
