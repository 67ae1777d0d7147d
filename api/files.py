"""Reading and writing files at the edge: clear errors in, nothing half-written out."""

import os
import tempfile
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from models.errors import BadFile, BadInput
from models.reading import read

Value = TypeVar("Value", bound=BaseModel)


def text_of(path: Path) -> bytes:
    """The file's bytes. Raises: BadFile when it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as wrong:
        raise BadFile(f"{path}: {wrong.strerror}", field="file", value=str(path)) from wrong


def load(cls: type[Value], path: Path, *, error: type[BadInput]) -> Value:
    """The value in a JSON file. Raises: BadFile, or `error` naming field and value."""
    return read(cls, text_of(path), error=error)


def write_whole(path: Path, what: str | bytes) -> None:
    """Write all of it or nothing: a reader never sees half a file. Raises: BadFile."""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "wb") as out:
            out.write(what if isinstance(what, bytes) else what.encode())
        os.chmod(name, 0o644)  # a temporary file is private; what it becomes is not
        os.replace(name, path)
    except OSError as wrong:
        raise BadFile(f"{path}: {wrong.strerror}", field="output", value=str(path)) from wrong


def save(value: BaseModel, path: Path) -> None:
    """Write a value as JSON, whole or not at all; fields that are not given stay away."""
    write_whole(path, value.model_dump_json(indent=1, exclude_none=True) + "\n")
