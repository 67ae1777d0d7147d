"""Moments: which earlier ones a table has, and the table as it was known then.

A moment is the number of a line of the journal. The table then is the newest that had settled, with the corrections
that held; what was told later changes nothing of it, so a ruling can be looked at again as it was given.
"""

from collections import OrderedDict
from collections.abc import Iterator
from threading import Lock

from pydantic import Field

from api.corrections.disputes import DisputeOpened
from api.corrections.entries import BaseMeasured, CorrectionMade
from api.corrections.schemas import describe_correction
from api.errors import NoSuchMoment
from api.evaluation.measuring_policy import free_measuring
from api.journal.entry import Entry, EventObserved, Line, TableSettled
from api.live.hub import Hub, table_of
from api.live.rest_moments import measured_table
from api.live.table_schemas import Rest
from api.seats.entries import CodesMade, DeviceJoined
from models.frozen import Frozen
from models.state import TableState
from models.vocabulary import Id

MOST_KEPT = 16
MOST_AT_ONCE = 1000


class Moment(Frozen):
    """A line of the journal in a few words."""

    n: int
    at_s: float = Field(description="seconds since 1970")
    type: str
    by: str | None = Field(
        None,
        description="the seat whose deed it was, or who had placed the base that is measured; null: the camera saw it",
    )
    t_s: float | None = Field(None, description="seconds into the recording")
    event: str | None = None
    ids: tuple[Id, ...] = ()
    distance_mm: float | None = Field(None, description="of a move: how far, straight")
    travelled_mm: float | None = Field(None, description="of a move: at least so far along its path")
    says: str | None = Field(
        None,
        description="of a correction: what it told; of a dispute: the question, A and B being `ids`; "
        "of what was asked: its topic",
    )


class Moments:
    """The hub's table at earlier moments; what is past does not change, so the newest asked for are kept."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._kept: OrderedDict[int, TableState] = OrderedDict()
        self._lock = Lock()

    def table(self, at: int | None = None) -> TableState:
        """The table now, or as it was known at that moment. Raises: NoTableYet, NoSuchMoment."""
        if at is None:
            return table_of(self._hub)
        with self._lock:
            if at not in self._kept:
                self._kept[at] = self._table_at(at)
            self._kept.move_to_end(at)
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
            return self._kept[at]

    def rest(self, at: int | None = None) -> Rest | None:
        """When the table of that moment, or of now, came to rest."""
        return self._hub.rests.now() if at is None else self._hub.rests.at(at)

    def asked_table(self, at: int | None = None) -> TableState:
        """The table that somebody asks about: of an earlier moment everything may be measured once that is open.

        Raises: NoTableYet, NoSuchMoment.
        """
        state = self.table(at)
        return state if at is None or not self._hub.is_past_open else free_measuring(state)

    def all(self, *, after: int = 0, most: int = MOST_AT_ONCE) -> Iterator[Moment]:
        for line in self._hub.journal.lines(after=after):
            if not isinstance(line.entry, CodesMade | DeviceJoined):
                yield moment_of(line)
                most -= 1
            if most <= 0:
                return

    def _table_at(self, at: int) -> TableState:
        newest = self._hub.journal.newest(Entry)
        measured = measured_table(self._hub.journal, until=at)
        if newest is None or at > newest.n or measured is None:
            raise NoSuchMoment(f"The journal holds no table of moment {at}.", field="at", value=at)
        return self._hub.undo_log.lay_over_at(measured, at)


def moment_of(line: Line) -> Moment:
    entry, fields = line.entry, {"n": line.n, "at_s": line.at_s, "type": line.entry.type}
    match entry:
        case TableSettled(t_s=t_s):
            return Moment(**fields, t_s=t_s)
        case EventObserved(event=event):
            kept = {name: getattr(event, name) for name in ("t_s", "ids", "distance_mm", "travelled_mm")}
            return Moment(**fields, event=event.type, **kept)
        case CorrectionMade(by=by, correction=correction):
            return Moment(**fields, by=by, says=describe_correction(correction))
        case BaseMeasured(by=by, id=id_):
            return Moment(**fields, by=by, ids=(id_,))
        case DisputeOpened(by=by, asked=asked):
            return Moment(**fields, by=by, ids=(asked.a, asked.b), says=asked.title)
        case _:
            return Moment(**fields, by=getattr(entry, "by", None))
