"""Journal entries of setups: who is expected on the table."""

from typing import Literal

from api.journal.entry import Entry
from api.seats.permissions import Seat
from api.setups.schemas import ArmyList, ExpectedMiniature


class RosterSet(Entry):
    """Who is expected from now on."""

    type: Literal["roster"] = "roster"
    by: Seat
    expected: tuple[ExpectedMiniature, ...]
    lists: tuple[ArmyList, ...] = ()
