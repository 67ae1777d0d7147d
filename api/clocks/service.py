"""Clock service: the clocks of a table as they stand, kept in its journal.

Within a run of the server they go by a clock that nobody sets: a machine whose time is put right costs no player
anything. Across a restart there is the machine's clock alone; what ran meanwhile is shown, and given back with a tap.
"""

import time
from collections.abc import Callable

from api.clocks.entries import (
    CLOCK_ENTRIES,
    MOST_GIVEN_S,
    ClockDeed,
    ClockRunOut,
    Clocks,
    ClocksExtended,
    ClocksKept,
    ClocksPutAway,
    ClocksSet,
    ClocksStopped,
    Outage,
    Player,
    apply_line,
    deed_s,
    replay_clocks,
)
from api.clocks.schemas import ClocksView, show_clocks
from api.errors import JournalFailed, NoClocks
from api.journal.interface import Journal
from api.seats.permissions import Seat

KEPT_S = 10.0  # how often it is written that a clock runs: an outage is known as well as that
GIVEN_BACK = "the server was away"


class ClockService:
    """Writes to the journal what is done to the clocks; `changed` is called after each deed."""

    def __init__(
        self,
        journal: Journal,
        *,
        changed: Callable[[], None],
        wall: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.clocks: Clocks | None = replay_clocks(journal.lines(*CLOCK_ENTRIES))
        self.stops_at_call = False
        self._journal = journal
        self._changed = changed
        self._wall, self._monotonic = wall, monotonic
        last = journal.newest(*CLOCK_ENTRIES)
        last_s = wall() if last is None else deed_s(last)
        self._ahead_s = max(wall(), last_s) - monotonic()  # a machine whose clock was put back gives nobody time
        self._kept_s = self.now_s()
        self.outage = self._find_outage(last_s)

    def now_s(self) -> float:
        """Seconds since 1970 when the server started, and as many more as have passed since."""
        return self._monotonic() + self._ahead_s

    def shown(self) -> ClocksView | None:
        if self.clocks is None:
            return None
        return show_clocks(self.clocks, self.now_s(), wall_s=self._wall(), outage=self.outage)

    def record(self, deed: ClockDeed) -> Clocks | None:
        """The clocks after this deed. Raises: NoClocks when none are set, JournalFailed."""
        if self.clocks is None and not isinstance(deed, ClocksSet | ClocksPutAway):
            raise NoClocks("Set the clocks first.", field="clocks", value=None)
        self._write(deed)
        if isinstance(deed, ClocksSet | ClocksPutAway):
            self.outage = None
        self._changed()
        return self.clocks

    def stop_for_call(self, *, by: Seat) -> None:
        """Stop clocks that run, as a judge was called, where that is so set. Raises: JournalFailed."""
        if self.stops_at_call and self.clocks is not None and self.clocks.stop is None:
            self.record(ClocksStopped(by=by))

    def give_back(self, *, by: Seat) -> Clocks | None:
        """Give back what ran while the server was away. Raises: NoClocks when nothing did, JournalFailed."""
        if self.outage is None:
            raise NoClocks("No clock ran while the server was away.", field="outage", value=None)
        lost = self.outage
        self.outage = None
        try:
            return self.record(
                ClocksExtended(by=by, player=lost.player, by_s=min(lost.by_s, MOST_GIVEN_S), note=GIVEN_BACK)
            )
        except JournalFailed:
            self.outage = lost
            raise

    def note_run_out(self) -> Player | None:
        """Whose time has just run out, once; a journal that cannot be written is told of elsewhere."""
        player = None if self.clocks is None else self.clocks.newly_run_out(self.now_s())
        if player is None:
            return None
        try:
            self.record(ClockRunOut(player=player))
        except JournalFailed:
            return None
        return player

    def keep(self) -> None:
        """Write every few seconds that a clock runs; a journal that cannot be written is told of elsewhere."""
        clocks = self.clocks
        if clocks is None or clocks.turn is None or clocks.stop is not None or self.now_s() - self._kept_s < KEPT_S:
            return
        try:
            self._write(ClocksKept())
        except JournalFailed:
            self._kept_s = self.now_s()

    def _write(self, deed: ClockDeed) -> None:
        now_s = self.now_s()
        line = self._journal.write(type(deed)(**{**dict(deed), "clock_s": now_s}))
        self.clocks, self._kept_s = apply_line(self.clocks, line), now_s

    def _find_outage(self, last_s: float) -> Outage | None:
        clocks = self.clocks
        if clocks is None or clocks.turn is None or clocks.stop is not None:
            return None
        return Outage(player=clocks.turn, by_s=max(0.0, self.now_s() - last_s))
