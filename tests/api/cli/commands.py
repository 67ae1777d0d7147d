"""The command line called as a user calls it, within this process: its exit code and both its streams."""

import contextlib
import io
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from typer.main import get_command

from api.cli import app, main


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def problem(self) -> dict[str, Any]:
        """The one problem object on stderr; anything beside it is no JSON and fails here."""
        found = json.loads(self.err)
        assert isinstance(found, dict)
        return found


def run(*words: object) -> Ended:
    out, err = io.StringIO(), io.StringIO()
    argv = ["tableside", *map(str, words)]
    with mock.patch.object(sys, "argv", argv), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
        except SystemExit as ended:
            return Ended(int(ended.code or 0), out.getvalue(), err.getvalue())
    return Ended(0, out.getvalue(), err.getvalue())


def files_in(folder: Path) -> set[str]:
    """Names of everything there, half-written files too."""
    return {path.name for path in folder.iterdir()}


def count_commands_and_options() -> tuple[int, int]:
    """Commands that `--help` shows, a word of a group each, and all their options; those of the root count once."""
    root: Any = get_command(app)
    shown = list(_commands_in(root))
    return len(shown), sum(map(_count_options, [root, *shown]))


def _commands_in(group: Any) -> Iterator[Any]:
    for command in group.commands.values():
        if hasattr(command, "commands"):
            yield from _commands_in(command)
        elif not command.hidden:
            yield command


def _count_options(command: Any) -> int:
    return sum(p.param_type_name == "option" and p.name != "help" and not p.hidden for p in command.params)
