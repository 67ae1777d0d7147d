"""Journal entries of tables: the list of those a judge looks after."""

from typing import Literal

from api.journal.entry import Entry
from api.seats.permissions import Seat
from api.tables.schemas import OtherTable


class TablesListed(Entry):
    """The list from now on."""

    type: Literal["tables-listed"] = "tables-listed"
    by: Seat
    tables: tuple[OtherTable, ...]
