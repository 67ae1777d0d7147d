"""An example package: each function is what one entry point of pyproject.toml names."""

from typing import Any

from api.books.examples import EXAMPLES
from vision.detection.circle_finder import CircleFinder

BOOK = EXAMPLES["lantern-street"]
"""A package of your own has its file beside it: `Path(__file__).with_name("my_book.toml")`."""


def read_pipes(raw: bytes, name: str) -> dict[str, Any] | None:
    """A list such as `|Warden|50|`, a model a line; None: this is no such list."""
    lines = [line.strip() for line in raw.decode("utf-8", "replace").splitlines() if line.strip()]
    if not lines or not all(line.startswith("|") and line.endswith("|") for line in lines):
        return None
    rows = [line.strip("|").split("|") for line in lines]
    return {"name": name, "units": [{"name": unit, "models": [{"name": unit}]} for unit, *_ in rows]}


def make_finder(catalogue: Any, layout: Any) -> CircleFinder:
    """Rings alone, without the networks; a detector of your own has the same `find`."""
    return CircleFinder(catalogue, layout)
