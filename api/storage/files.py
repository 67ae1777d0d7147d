"""Files: reading and writing at the edge, with clear errors in and nothing half-written out."""

import errno
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from calibration.arrays import Image
from models.errors import BadFile, BadInput
from models.parsing import parse

_DEVICES = {"CON", "PRN", "AUX", "NUL", *(f"{port}{k}" for port in ("COM", "LPT") for k in range(1, 10))}

_ANOTHER = "choose another folder with --data"
_FAULTS = {
    errno.EACCES: f"this user may not write there; {_ANOTHER}, or change its owner",
    errno.EPERM: f"this user may not write there; {_ANOTHER}, or change its owner",
    errno.EROFS: f"that disk is read-only; {_ANOTHER}",
    errno.EEXIST: f"that is a file, not a folder; {_ANOTHER}",
    errno.ENOTDIR: f"a part of it is a file, not a folder; {_ANOTHER}",
    errno.ENOENT: f"no folder can be made there; {_ANOTHER}",
    errno.ENOSPC: f"the disk is full; make room, or {_ANOTHER}",
}

Value = TypeVar("Value", bound=BaseModel)


def read_bytes(path: Path) -> bytes:
    """The file's bytes. Raises: BadFile when it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as wrong:
        raise BadFile(f"{path}: {wrong.strerror}", field="file", value=str(path)) from wrong


def load(cls: type[Value], path: Path, *, error: type[BadInput]) -> Value:
    """The value in a JSON file. Raises: BadFile, or `error` naming field and value."""
    return parse(cls, read_bytes(path), error=error)


def write_whole(path: Path, what: str | bytes, *, is_private: bool = False) -> None:
    """Write all of it or nothing: a reader never sees half a file; a private one is for its owner alone.

    Raises: BadFile.
    """
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "wb") as out:
            out.write(what if isinstance(what, bytes) else what.encode())
        if not is_private:
            os.chmod(name, 0o644)  # a temporary file is private
        os.replace(name, path)
    except OSError as wrong:
        raise BadFile(f"{path}: {wrong.strerror}", field="output", value=str(path)) from wrong


def make_folder(path: Path, *, field: str) -> None:
    """Make the folder and those above it, where they do not exist. Raises: BadFile."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        raise BadFile(f"{path}: {wrong.strerror}", field=field, value=str(path)) from wrong


def folder_fault(folder: Path, wrong: OSError) -> BadFile:
    """The error that says why this folder cannot keep a table, and what to do."""
    advice = _FAULTS.get(wrong.errno or 0, f"{wrong.strerror}; {_ANOTHER}")
    return BadFile(f"{folder}: {advice}", field="data", value=str(folder))


def save(value: BaseModel, path: Path, *, is_private: bool = False) -> None:
    """Write a value as JSON, whole or not at all; fields that are not given stay away."""
    write_whole(path, value.model_dump_json(indent=1, exclude_none=True) + "\n", is_private=is_private)


def portable_name(stem: str) -> str:
    """The stem of a file's name, changed where Windows keeps it for a device or would drop its end."""
    kept = stem.rstrip(". ") or "_"
    return f"{kept}_" if kept.split(".")[0].upper() in _DEVICES else kept


def read_picture(path: Path) -> Image:
    """The picture in BGR, upright as its camera meant it. Raises: BadFile when it is unreadable, none, or cut off."""
    from vision.capture.image_decoding import decode_image  # here, so that `ask` does not wait for OpenCV

    return decode_image(read_bytes(path), field="file", name=str(path))


def read_picture_for(path: Path, image_size: tuple[int, int]) -> Image:
    """The picture as a camera of pictures of this size took it, however it was held. Raises: BadFile."""
    from vision.capture.image_decoding import decode_for_size

    return decode_for_size(read_bytes(path), image_size, field="file", name=str(path))


def read_named_pictures(paths: Sequence[Path]) -> Iterator[tuple[str, Image]]:
    """Each picture under its file's name, in full when two files share one. Raises: BadFile for a file given twice."""
    if len({path.resolve() for path in paths}) < len(paths):
        repeated = next(path for i, path in enumerate(paths) if path.resolve() in {p.resolve() for p in paths[:i]})
        raise BadFile(f"{repeated} is given twice", field="images", value=str(repeated))
    names = [path.name for path in paths]
    for path in paths:
        yield path.name if names.count(path.name) == 1 else str(path), read_picture(path)
