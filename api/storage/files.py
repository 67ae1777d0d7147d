"""Files: reading and writing at the edge, with clear errors in and nothing half-written out."""

import os
import tempfile
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from calibration.arrays import Image
from models.errors import BadFile, BadInput
from models.parsing import parse

_DEVICES = {"CON", "PRN", "AUX", "NUL", *(f"{port}{k}" for port in ("COM", "LPT") for k in range(1, 10))}

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


def save(value: BaseModel, path: Path, *, is_private: bool = False) -> None:
    """Write a value as JSON, whole or not at all; fields that are not given stay away."""
    write_whole(path, value.model_dump_json(indent=1, exclude_none=True) + "\n", is_private=is_private)


def portable_name(stem: str) -> str:
    """The stem of a file's name, changed where Windows keeps it for a device or would drop its end."""
    held = stem.rstrip(". ") or "_"
    return f"{held}_" if held.split(".")[0].upper() in _DEVICES else held


def read_picture(path: Path) -> Image:
    """The picture in BGR, upright as its camera meant it. Raises: BadFile when it is unreadable, none, or cut off."""
    from vision.capture.image_decoding import decode_image  # here, so that `ask` does not wait for OpenCV

    return decode_image(read_bytes(path), field="file", name=str(path))


def read_picture_for(path: Path, image_size: tuple[int, int]) -> Image:
    """The picture as a camera of pictures of this size took it, however it was held. Raises: BadFile."""
    from vision.capture.image_decoding import decode_for_size

    return decode_for_size(read_bytes(path), image_size, field="file", name=str(path))
