"""Secret store: what opens a table, its codes and its signing key, beside the journal and never in it.

A journal is handed on: to the hub of a hall, in GAME.zip, to whoever asks for proof. This file stays where it is.
"""

import json
from pathlib import Path
from typing import Any

from api.storage.files import read_bytes, write_whole
from models.errors import BadFile

NAME = "secrets.json"
_MOST_BYTES = 100_000


class SecretStore:
    """Secrets by name; in `folder` where there is one, for its owner's eyes only, else in memory."""

    def __init__(self, folder: Path | None = None) -> None:
        """Raises: BadFile when the file is no such file."""
        self._path = None if folder is None else folder / NAME
        self._values: dict[str, Any] = {}
        if self._path is not None and self._path.exists():
            self._values = _read_values(self._path)

    def get(self, name: str) -> Any:
        """The secret of that name; None where there is none."""
        return self._values.get(name)

    def put(self, name: str, value: Any) -> None:
        """Keep it. Raises: BadFile."""
        values = self._values | {name: value}
        if self._path is not None:
            write_whole(self._path, json.dumps(values), is_private=True)
        self._values = values


def _read_values(path: Path) -> dict[str, Any]:
    try:
        values = json.loads(read_bytes(path)[:_MOST_BYTES])
    except ValueError as wrong:
        raise BadFile(f"{path} is no file of secrets: {wrong}", field="data", value=str(path)) from wrong
    if not isinstance(values, dict):
        raise BadFile(f"{path} is no file of secrets", field="data", value=str(path))
    return values
