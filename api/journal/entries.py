"""Every type of entry there is, and how a line of a file becomes one again.

A new type of entry is a class beside its noun, and its name here.
"""

from typing import Annotated, Union

from pydantic import Field, TypeAdapter

from api.clocks.clocks import DEEDS
from api.corrections.entries import Corrected, Redone, Undone
from api.journal.entry import Entry, Line
from api.journal.seen import Happened, Settled
from api.overlay.words import Produced
from api.rulings.entries import Ruled, RulingWithdrawn
from api.seats.entries import CodesMade, Joined
from api.setups.words import RosterPutDown
from api.tables.words import TablesListed
from models.frozen import Frozen

ENTRY_CLASSES: tuple[type[Entry], ...] = (
    Settled,
    Happened,
    CodesMade,
    Joined,
    Corrected,
    Undone,
    Redone,
    TablesListed,
    RosterPutDown,
    Produced,
    *DEEDS,
    Ruled,
    RulingWithdrawn,
)

TYPES: dict[str, type[Entry]] = {cls.model_fields["type"].default: cls for cls in ENTRY_CLASSES}

AnyEntry = Annotated[Union[ENTRY_CLASSES], Field(discriminator="type")]  # type: ignore[valid-type]  # noqa: UP007 - built from the one list


class _Written(Frozen):
    """A line as it stands in a file."""

    n: int = Field(ge=1)
    at_s: float
    entry: AnyEntry


_WRITTEN: TypeAdapter[_Written] = TypeAdapter(_Written)


def line_of(text: bytes) -> Line:
    """The line written here. Raises: pydantic.ValidationError (a ValueError) when it is none, or of an unknown type."""
    written = _WRITTEN.validate_json(text)
    return Line(n=written.n, at_s=written.at_s, entry=written.entry)
