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
    cards,
    demo,
    doctor,
    edition,
    game,
    history,
    hub,
    locate,
    merge,
    profiles,
    roster,
    schemas,
    serve,
    setup,
    watch,
)
from api.cli import print as printing
from api.cli.invocation import AsJson, CommandLine, Invocation, SettingsFile
from api.cli.problems import exit_code, print_problem
from api.cli.renamed_words import advise_option
from models.errors import BadInput, TablesideError

_EPILOG = "Every command also takes --json and --settings FILE."

app = typer.Typer(
    name="tableside",
    cls=CommandLine,
    help="A referee that sits beside a real miniatures table.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for module in (
    demo,
    setup,
    serve,
    doctor,
    printing,
    calibrate,
    profiles,
    locate,
    watch,
    history,
    merge,
    ask,
    schemas,
    roster,
    cards,
    edition,
    game,
    annotate,
    hub,
):
    module.register(app)
for _command in app.registered_commands:
    _command.epilog = _EPILOG


def _print_version(is_asked: bool) -> None:
    if is_asked:
        typer.echo(f"tableside {version('tableside')}")
        raise typer.Exit


@app.callback()
def _all_commands(
    context: typer.Context,
    as_json: AsJson = False,
    settings: SettingsFile = None,
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Say which version this is.")
    ] = False,
) -> None:
    """A referee that sits beside a real miniatures table."""
    context.obj = invocation = Invocation(as_json=as_json, file=settings)
    if invocation.has_settings:
        from api.cli.settings import command_defaults

        context.default_map = command_defaults(invocation.settings)


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
    return advise_option(getattr(wrong, "option_name", "")) or wrong.format_message()


def _parameter(wrong: typer.TyperException) -> str | None:
    param = getattr(wrong, "param", None)
    return param.name if param is not None else None
