"""The clocks of a table as they stand, kept in its journal."""

from collections.abc import Callable

from api.clocks.clocks import DEEDS, Clocks, after, clocks_of
from api.clocks.entries import ClocksPutAway, ClocksSet
from api.clocks.told import ClocksTold, told
from api.errors import NoClocks
from api.journal.entry import Entry
from api.journal.journal import Journal


class ClockDesk:
    """Writes what is done to the clocks; `changed` is called after each deed."""

    def __init__(self, journal: Journal, *, changed: Callable[[], None]) -> None:
        self.clocks: Clocks | None = clocks_of(journal.lines(*DEEDS))
        self._journal = journal
        self._changed = changed

    def told(self, now_s: float) -> ClocksTold | None:
        """What the clocks show; None while there are none."""
        return None if self.clocks is None else told(self.clocks, now_s)

    def do(self, deed: Entry) -> Clocks | None:
        """The clocks after this deed. Raises: NoClocks when none are set, JournalFailed."""
        if self.clocks is None and not isinstance(deed, ClocksSet | ClocksPutAway):
            raise NoClocks("Set the clocks first.", field="clocks", value=None)
        self.clocks = after(self.clocks, self._journal.write(deed))
        self._changed()
        return self.clocks
