"""Expected bases: who is expected to stand on the table, and whether as many of each size are measured."""

from collections import Counter
from collections.abc import Iterable

from api.journal.entry import EventObserved, TableSettled
from api.journal.interface import Journal
from api.setups.schemas import CountMismatch, ExpectedMiniature, Roster, RosterSet
from models.base import Base
from models.miniature import Miniature
from models.state import TableState
from models.timeline import EventLine


class ExpectedBases:
    """The roster of one table, kept in its journal, and the bases that were seen to leave the table."""

    def __init__(self, journal: Journal) -> None:
        """Who left is known again from the journal."""
        self._journal = journal
        self._departed: dict[str, Base] = {}
        for line in journal.lines(EventObserved):
            event = line.entry.event if isinstance(line.entry, EventObserved) else None
            if event is not None and event.type in ("removed", "appeared"):
                before = journal.newest(TableSettled, until=line.n)
                settled = before.entry if before is not None else None
                self.note_event(event, settled.state if isinstance(settled, TableSettled) else None)

    def roster(self) -> Roster:
        return roster_of(self._journal)

    def counted(self) -> tuple[ExpectedMiniature, ...]:
        roster = self.roster()
        return () if len(roster.lists) == 1 else roster.expected

    def note_event(self, event: EventLine, measured: TableState | None) -> None:
        """A miniature that left the table is not missed; `measured` is the table before."""
        for id_ in event.ids:
            thing = measured.by_id.get(id_) if measured is not None else None
            if event.type == "removed" and isinstance(thing, Miniature):
                self._departed[id_] = thing.base
            elif event.type == "appeared":
                self._departed.pop(id_, None)

    def departed(self) -> tuple[Base, ...]:
        """The bases that were seen to leave the table."""
        return tuple(self._departed.values())

    def mismatches(self, measured: TableState | None, *, away: Iterable[Base]) -> tuple[CountMismatch, ...]:
        """The sizes of which other numbers are measured than are expected; `away`: who stands nowhere for a reason."""
        return () if measured is None else compare_counts(self.counted(), measured, away)


def roster_of(journal: Journal) -> Roster:
    """Who is expected to stand on the table, and the lists that say so."""
    line = journal.newest(RosterSet)
    if line is None or not isinstance(line.entry, RosterSet):
        return Roster(expected=())
    return Roster(expected=line.entry.expected, lists=line.entry.lists)


def compare_counts(
    expected: Iterable[ExpectedMiniature], state: TableState, departed: Iterable[Base] = ()
) -> tuple[CountMismatch, ...]:
    """The sizes whose numbers do not agree, those that nobody expects last; none when nobody is expected."""
    wanted = count_expected(expected)
    seen = Counter(m.base for m in state.miniatures if "removed" not in m.status)
    gone = Counter(departed)
    if not wanted:
        return ()
    counted = (
        CountMismatch(base=base, expected=wanted[base], seen=seen[base], left=gone[base]) for base in {**wanted, **seen}
    )
    return tuple(size for size in counted if size.expected != size.seen + size.left)


def count_expected(expected: Iterable[ExpectedMiniature]) -> Counter[Base]:
    """How many of each size are expected; none where a size is not known: it may be any."""
    wanted: Counter[Base] = Counter()
    for miniature in expected:
        if miniature.base is None:
            return Counter()
        wanted[miniature.base] += miniature.count
    return wanted
