"""An example package: each function is what one entry point of pyproject.toml names."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from api.books.examples import EXAMPLES
from calibration.arrays import Image
from vision.capture.sources import read_frames
from vision.detection.network.finder import NetworkFinder
from vision.detection.network.inference import shipped_network

BOOK = EXAMPLES["lantern-street"]
"""A package of your own has its file beside it, as the widget's is."""
WIDGET = Path(__file__).with_name("on_air_count.js")


def read_pipes(raw: bytes, name: str) -> dict[str, Any] | None:
    """A list such as `|Warden|50|`, a model a line; None: this is no such list."""
    lines = [line.strip() for line in raw.decode("utf-8", "replace").splitlines() if line.strip()]
    if not lines or not all(line.startswith("|") and line.endswith("|") for line in lines):
        return None
    rows = [line.strip("|").split("|") for line in lines]
    return {"name": name, "units": [{"name": unit, "models": [{"name": unit}]} for unit, *_ in rows]}


def open_pictures(address: str) -> Iterator[Image]:
    """`example://FILE`: the pictures of a recording at its pace; a camera of your own asks its maker's library here."""
    begin_s = time.monotonic()
    for frame in read_frames(Path(address.partition("://")[2])):
        time.sleep(max(begin_s + frame.t_s - time.monotonic(), 0.0))
        yield frame.image


def make_finder(catalogue: Any, layout: Any) -> NetworkFinder:
    """The network of boxes alone; a detector of your own has the same `find`."""
    return NetworkFinder(catalogue, layout, shipped_network())
