"""The command line: `tableside`. One table of all commands; errors leave as one problem object on stderr."""

import json
import os
import sys
from collections.abc import Callable
from importlib.metadata import version
from typing import Annotated

import typer

from api.cli import calibrate, cards, doctor, edition, game, hub, schemas
from api.cli.annotate import annotate_recording
from api.cli.ask import ask_command
from api.cli.calibrate import survey_layout
from api.cli.calibrate_camera import calibrate_lens, import_camera
from api.cli.correct import correct_state
from api.cli.find import find_tables
from api.cli.give import give_picture
from api.cli.history import history_at, merge_states
from api.cli.invocation import AsJson, CommandLine, Invocation, SettingsFile, advise_option
from api.cli.locate import locate_command, watch_command
from api.cli.photo import solve_photographs
from api.cli.print import print_sheet
from api.cli.profiles import show_profiles
from api.cli.serve import play_demo, serve_table
from api.cli.setup import set_up
from api.errors import BrokenJournal
from models.errors import BadInput, TablesideError, WorldError

Command = Callable[..., None]
_EPILOG = "Every command also takes --json and --settings FILE."
_COMMANDS: dict[str, Command] = {
    "demo": play_demo, "setup": set_up, "serve": serve_table, "doctor": doctor.doctor, "selftest": doctor.selftest,
    "photo": solve_photographs, "correct": correct_state,
    "print": print_sheet, "profiles": show_profiles, "locate": locate_command, "watch": watch_command,
    "history": history_at, "merge": merge_states, "ask": ask_command, "queries": schemas.queries_command,
    "schema": schemas.schema_command, "editions": schemas.editions_command, "verify": game.verify_game,
    "replay": game.replay_game, "export": game.export_game, "annotate": annotate_recording,
    "give": give_picture, "find": find_tables, "rotate-key": game.rotate_key,
}  # fmt: skip
_GROUPS: dict[str, tuple[str, dict[str, Command]]] = {
    "calibrate": ("Boards, markers and terrain of your own; `tableside setup` needs none of it.", {
        "camera": calibrate_lens, "table": calibrate.calibrate_pose, "layout": survey_layout,
        "heights": calibrate.measure_heights, "import": import_camera,
    }),
    "roster": ("Army lists of BattleScribe, New Recruit, Old World Builder and others.", {
        "show": cards.show_roster, "learn": cards.learn_layouts,
    }),
    "cards": ("Your cards: names, bases and numbers, one readable file a faction.", {
        "import": cards.import_cards, "check": cards.check_cards, "show": cards.show_cards,
    }),
    "edition": ("A rulebook of your own, written as data: begin it, check it, show it, try it.", {
        "new": edition.begin_book, "check": edition.check_book, "show": edition.show_book, "try": edition.try_book,
    }),
    "hub": ("A hall: many tables, one hub.", {"keys": hub.write_event_keys, "run": hub.run_hub}),
}  # fmt: skip

app = typer.Typer(
    name="tableside",
    cls=CommandLine,
    help="A referee that sits beside a real miniatures table.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for _name, _command in _COMMANDS.items():
    app.command(_name, epilog=_EPILOG)(_command)
for _group, (_help, _commands) in _GROUPS.items():
    _subcommands = typer.Typer(
        help=_help, no_args_is_help=True, callback=lambda: None
    )  # a word alone would lose its own
    app.add_typer(_subcommands, name=_group)
    for _name, _command in _commands.items():
        _subcommands.command(_name, epilog=_EPILOG)(_command)


def _print_version(is_asked: bool) -> None:
    if is_asked:
        typer.echo(f"tableside {version('tableside')}")
        raise typer.Exit


@app.callback()
def _start(
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
        says = advise_option(getattr(wrong, "option_name", "")) or wrong.format_message()
        parameter = getattr(wrong, "param", None)
        _print_problem(BadInput(says, field=None if parameter is None else parameter.name))
        sys.exit(2)
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(130)
    except TablesideError as wrong:
        _print_problem(wrong)
        sys.exit(exit_code(wrong))


def exit_code(wrong: TablesideError) -> int:
    """2 = the asker can mend it, 3 = the world has to change, 1 = our own fault, or a kept game that was changed."""
    if isinstance(wrong, BrokenJournal):
        return 1
    if isinstance(wrong, BadInput):
        return 2
    return 3 if isinstance(wrong, WorldError) else 1


def _print_problem(wrong: TablesideError) -> None:
    typer.echo(json.dumps(wrong.problem(), ensure_ascii=False, default=str), err=True)
