"""Resume: from the journal to what was known of a table, when a server starts and at an earlier moment."""

from api.journal.camera_entries import TableSettled
from api.journal.interface import Journal
from api.setups.entries import RosterSet
from api.setups.schemas import Roster
from models.state import TableState


def measured_table(journal: Journal, *, until: int | None = None) -> TableState | None:
    """The table as it was measured last, without anybody's corrections; `until`: on a line of at most this number."""
    line = journal.newest(TableSettled, until=until)
    return line.entry.state if line is not None and isinstance(line.entry, TableSettled) else None


def roster_of(journal: Journal) -> Roster:
    """Who is expected to stand on the table, and the lists that told so."""
    line = journal.newest(RosterSet)
    if line is None or not isinstance(line.entry, RosterSet):
        return Roster(expected=())
    return Roster(expected=line.entry.expected, lists=line.entry.lists)
