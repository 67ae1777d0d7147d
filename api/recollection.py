"""What the camera's process knew, kept beside the journal, so that a server that was killed still knows who is who.

A file has a line that says what it is about, and then what the process pickled. It is taken up again only by the same
program for the same source, camera, layout and edition, and not after `FADES_S`; and only our own kinds of values and
numpy's are read from it.
"""

import hashlib
import io
import json
import logging
import pickle
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from api.files import write_whole
from api.job import Job
from api.sighting import Kept
from models.errors import BadFile

log = logging.getLogger(__name__)
FADES_S = 12 * 3600.0
_NAME = "who-is-who"
_ROOTS = frozenset({"models", "vision", "numpy", "collections", "pathlib"})
_PLAIN = frozenset({"set", "frozenset", "complex", "slice"})
_MAKERS = frozenset({"_reconstruct", "_frombuffer", "scalar"})  # of numpy's arrays and numbers
Clock = Callable[[], float]


class Recollection:
    """The memory of one table's camera. Without a folder nothing is kept."""

    def __init__(
        self, folder: Path | None, job: Job, *, clock: Clock = time.monotonic, calendar: Clock = time.time
    ) -> None:
        self._path = None if folder is None else folder / _NAME
        self._about, self._clock, self._calendar = _about(job), clock, calendar

    def keep(self, kept: Kept) -> None:
        """The file holds this from now on; what cannot be written is told once in the log, and the game goes on."""
        if self._path is None:
            return
        ago_s = max(0.0, self._clock() - kept.at_s)
        head = {"about": self._about, "frame": kept.frame, "t_s": kept.t_s, "at_s": self._calendar() - ago_s}
        try:
            write_whole(self._path, json.dumps(head).encode() + b"\n" + kept.memory)
        except BadFile as wrong:
            log.error("who is who is not kept why=%s", wrong.detail)
            self._path = None

    def last(self) -> Kept | None:
        """What was kept last, if it is about this job and of today."""
        if self._path is None or not self._path.exists():
            return None
        try:
            line, _, memory = self._path.read_bytes().partition(b"\n")
            head = json.loads(line)
            ago_s = self._calendar() - float(head["at_s"])
            if head["about"] != self._about or not 0 <= ago_s <= FADES_S:
                return None
            recalled(memory)
            return Kept(int(head["frame"]), float(head["t_s"]), self._clock() - ago_s, memory)
        except Exception as wrong:  # cut short, or by somebody else: the table is looked at as for the first time
            log.warning("who is who cannot be read path=%s why=%s", self._path, wrong)
            return None


def recalled(memory: bytes) -> Any:
    """What a process pickled. Raises: pickle.UnpicklingError for values of other kinds than ours and numpy's."""
    return _Reader(io.BytesIO(memory)).load()


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        root = module.split(".")[0]
        if root in _ROOTS or (module == "builtins" and name in _PLAIN):
            found = super().find_class(module, name)
            if isinstance(found, type) or (root == "numpy" and name in _MAKERS):
                return found
        raise pickle.UnpicklingError(f"a value of {module}.{name} is none of ours")


def _about(job: Job) -> str:
    told = (version("tableside"), job.source, job.edition, repr(job.camera), repr(job.layout))
    return hashlib.sha256("\n".join(told).encode()).hexdigest()
