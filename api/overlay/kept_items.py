"""Kept items: what is on air, in a file beside the journal, so that a restart takes nothing off."""

import contextlib
import logging
import os
from pathlib import Path

from pydantic import TypeAdapter

from api.live.rest_moments import RestMoments
from api.overlay.schemas import OnAirItem

log = logging.getLogger(__name__)

FILE = "on-air.json"
_ITEMS: TypeAdapter[tuple[OnAirItem, ...]] = TypeAdapter(tuple[OnAirItem, ...])


class KeptItems:
    """The newest items; where they cannot be written or read the stream goes on without."""

    def __init__(self, folder: Path | None) -> None:
        """`folder` None: nothing is kept."""
        self._path = None if folder is None else folder / FILE

    def load(self, rests: RestMoments) -> tuple[OnAirItem, ...]:
        """What was on air at this game; an item of another game in the same folder is left out."""
        if self._path is None:
            return ()
        try:
            items = _ITEMS.validate_json(self._path.read_bytes())
        except FileNotFoundError:
            return ()
        except (OSError, ValueError) as wrong:
            log.warning("on air before is not known any more why=%s", wrong)
            return ()
        return tuple(_without_picture(item) for item in items if _is_of_this_game(item, rests))

    def save(self, items: tuple[OnAirItem, ...]) -> None:
        """Keep these instead."""
        if self._path is None:
            return
        part = self._path.with_suffix(".part")
        try:
            part.write_bytes(_ITEMS.dump_json(items))
            os.replace(part, self._path)
        except OSError as wrong:
            log.warning("what is on air is not kept why=%s", wrong)
            with contextlib.suppress(OSError):
                part.unlink()


def _is_of_this_game(item: OnAirItem, rests: RestMoments) -> bool:
    rest = item.table.rest
    now = None if rest is None else rests.at(rest.n)
    return rest is not None and now is not None and (now.n, now.at_s) == (rest.n, rest.at_s)


def _without_picture(item: OnAirItem) -> OnAirItem:
    """What the camera showed when it was put on air is gone; the picture of the table at rest is kept elsewhere."""
    return OnAirItem(**{name: getattr(item, name) for name in OnAirItem.model_fields} | {"picture": False})
