"""The command line called as a user calls it, within this process: its exit code and both its streams."""

import contextlib
import io
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from api.cli import main


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
