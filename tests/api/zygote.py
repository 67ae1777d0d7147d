"""Zygote: a process that imports the program once and forks a copy of itself for each start of it.

To start Python and import all that a server needs takes 2.5 s of processor time; a fork takes none of it. Each request
on the control socket is a JSON object with arguments, folder and environment, and carries two descriptors: where the
program prints, and where its process id and, in the end, its exit code are written.
"""

import gc
import importlib
import json
import os
import pkgutil
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

_MOST_BYTES = 1 << 20


def main() -> None:
    control = socket.socket(fileno=int(sys.argv[1]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the tests are stopped, and end what they started
    _import_everything()
    gc.freeze()
    while True:
        request, descriptors, _, _ = socket.recv_fds(control, _MOST_BYTES, 2)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                pass
        if not request:
            return
        _fork(partial(_keep, json.loads(request), *descriptors))
        for descriptor in descriptors:
            os.close(descriptor)


def _import_everything() -> None:
    import api
    from referee import EDITIONS

    assert EDITIONS
    for module in pkgutil.walk_packages(api.__path__, "api."):
        if "migrations" not in module.name and not module.name.endswith("__main__"):
            importlib.import_module(module.name)


def _fork(run: Callable[[], int | None]) -> int:
    """The process id of a child that runs this and ends."""
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        code = run() or 0
    finally:
        os._exit(code)


def _keep(told: dict[str, Any], prints: int, status: int) -> None:
    """Start the program, and write its process id and its exit code."""
    pid = os.fork()
    if not pid:
        os.close(status)
        _run(told, prints)
    os.close(prints)
    os.write(status, f"{pid}\n".encode())
    _, ended = os.waitpid(pid, 0)
    os.write(status, f"{os.waitstatus_to_exitcode(ended)}\n".encode())


def _run(told: dict[str, Any], prints: int) -> None:
    """The program itself, which ends as if it had been started alone."""
    code = 0
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.dup2(prints, 1)
        os.close(prints)
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        os.chdir(told["folder"])
        os.environ.clear()
        os.environ.update(told["environment"])
        sys.argv = ["tableside", *told["arguments"]]
        from api.cli import main as run_command

        run_command()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 1
    except BaseException:
        sys.excepthook(*sys.exc_info())
        code = 1
    finally:
        _end(code)


def _end(code: int) -> None:
    """What an interpreter does when it ends, of which a fork of one in a loop would skip the half."""
    import atexit
    import threading

    threading._shutdown()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
