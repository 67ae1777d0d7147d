"""Tracker snapshot: what the camera's process knew, kept beside the journal, so that a new server knows who is who.

A file has a line that says what it is about, and then what the process pickled. It is taken up again only for the same
source, camera, layout and edition, and not after `EXPIRES_S`; and only our own kinds of values and numpy's are read
from it. Values are pickled by the names of their classes, so a file's own name says which version and format wrote it:
one of another version is told of, and neither read nor written over.
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

from api.camera.protocol import Job, SnapshotReport
from api.storage.files import write_whole
from models.errors import BadFile

log = logging.getLogger(__name__)
EXPIRES_S = 12 * 3600.0
FORMAT = 5  # to be raised when a class of the tracker's state is moved, renamed or changed
_STEM = "who-is-who"
_ROOTS = frozenset({"models", "vision", "numpy", "collections", "pathlib"})
_PLAIN = frozenset({"set", "frozenset", "complex", "slice"})
_MAKERS = frozenset({"_reconstruct", "_frombuffer", "scalar"})  # of numpy's arrays and numbers
Clock = Callable[[], float]


class TrackerSnapshot:
    """File with the tracker's state of one table. Without a folder nothing is kept."""

    def __init__(
        self, folder: Path | None, job: Job, *, clock: Clock = time.monotonic, calendar: Clock = time.time
    ) -> None:
        self._path = None if folder is None else folder / f"{_STEM}-{version('tableside')}-{FORMAT}"
        self._about, self._clock, self._calendar = _about(job), clock, calendar

    def keep(self, kept: SnapshotReport) -> None:
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

    def last(self) -> SnapshotReport | None:
        """What was kept last, if it is about this job and of today."""
        if self._path is None:
            return None
        if not self._path.exists():
            _warn_of_other_versions(self._path)
            return None
        try:
            line, _, memory = self._path.read_bytes().partition(b"\n")
            head = json.loads(line)
            ago_s = self._calendar() - float(head["at_s"])
            if head["about"] != self._about or not 0 <= ago_s <= EXPIRES_S:
                return None
            unpickle_memory(memory)
            return SnapshotReport(int(head["frame"]), float(head["t_s"]), self._clock() - ago_s, memory)
        except Exception as wrong:  # cut short, or by somebody else: the table is looked at as for the first time
            log.warning("who is who cannot be read path=%s why=%s", self._path, wrong)
            return None


def unpickle_memory(memory: bytes) -> Any:
    """What a process pickled. Raises: pickle.UnpicklingError for values of other kinds than ours and numpy's."""
    return _Reader(io.BytesIO(memory)).load()


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        root = module.split(".")[0]
        if root in _ROOTS or (module == "builtins" and name in _PLAIN):
            cls = super().find_class(module, name)
            if isinstance(cls, type) or (root == "numpy" and name in _MAKERS):
                return cls
        raise pickle.UnpicklingError(f"a value of {module}.{name} is none of ours")


def _about(job: Job) -> str:
    parts = (job.source, job.edition, repr(job.camera), repr(job.layout), *map(repr, filter(None, [job.book])))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _warn_of_other_versions(path: Path) -> None:
    others = sorted(path.parent.glob(f"{_STEM}*"))
    if others:
        log.warning(
            "who is who was kept by another version of the program and cannot be read by this one: the file stays as "
            "it is, and the table is looked at as for the first time path=%s",
            others[-1],
        )
