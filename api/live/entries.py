"""Journal entries of the live table: what the judge lets players ask about earlier moments."""

from typing import Literal

from api.journal.entry import Entry
from api.seats.permissions import Seat


class PastOpened(Entry):
    """Whether players may measure at earlier moments what the rulebook does not let them measure now."""

    type: Literal["past-opened"] = "past-opened"
    by: Seat
    is_open: bool
