"""Tiles in memory, of a user's own tables, mixed with drawn ones so that the network does not forget."""

from pathlib import Path
from typing import Protocol

from calibration.arrays import Floats32, Image
from models.errors import BadFile
from vision.training.annotated_tables import tables_in, tiles_of


class Tiles(Protocol):
    """Pictures with labels, by number."""

    def __len__(self) -> int: ...
    def __getitem__(self, number: int) -> tuple[Image, Floats32]: ...


class Mixed:
    """The drawn tiles and the user's, those repeated until both are as many. Raises: BadFile when there are none."""

    def __init__(self, drawn: Tiles, folder: Path) -> None:
        self._drawn = drawn
        self._own = [tile for table in tables_in(folder) for tile in tiles_of(table)]
        if not self._own:
            raise BadFile(f"{folder}: no NAME.state.json with its picture", field="tables", value=str(folder))

    def __len__(self) -> int:
        return 2 * len(self._drawn)

    def __getitem__(self, number: int) -> tuple[Image, Floats32]:
        if number < len(self._drawn):
            return self._drawn[number]
        return self._own[(number - len(self._drawn)) % len(self._own)]
