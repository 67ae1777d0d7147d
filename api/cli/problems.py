"""Errors at the edge of the command line: one RFC 9457 problem object, and the exit code that goes with it."""

import json
import sys

from models.errors import BadInput, TablesideError, WorldError


def exit_code(wrong: TablesideError) -> int:
    """2 = the asker can mend it, 3 = the world has to change, 1 = our own fault."""
    if isinstance(wrong, BadInput):
        return 2
    return 3 if isinstance(wrong, WorldError) else 1


def print_problem(wrong: TablesideError) -> None:
    print(json.dumps(wrong.problem(), ensure_ascii=False, default=str), file=sys.stderr)
