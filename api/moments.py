"""Earlier moments of a table: which there are, and the table as it was known then.

A moment is the number of a line of the journal. The table then is the newest that had settled, with the corrections
that held; what was told later changes nothing of it, so a ruling can be looked at again as it was given.
"""

from collections import OrderedDict
from collections.abc import Iterator
from threading import Lock
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from pydantic import Field

from api.errors import NoSuchMoment, NoTableYet
from api.hub import Hub, table_of
from api.journal.entry import Entry, Line
from api.journal.seen import Happened, Settled
from api.openapi import raising
from api.seats.entries import CodesMade, Joined
from models.frozen import Frozen
from models.state import TableState
from models.words import Id

MOST_KEPT = 16
MOST_AT_ONCE = 1000

After = Annotated[int, Query(ge=0, description="only what stands on later lines")]
AtMost = Annotated[int, Query(ge=1, le=MOST_AT_ONCE)]
At = Annotated[int | None, Query(ge=1, description="an earlier moment to ask about: a line of the journal")]


class Moment(Frozen):
    """A line of the journal in a few words."""

    n: int
    at_s: float = Field(description="seconds since 1970")
    type: str
    by: str | None = Field(None, description="the seat whose deed it was; null: the camera saw it")
    t_s: float | None = Field(None, description="seconds into the recording")
    event: str | None = None
    ids: tuple[Id, ...] = ()


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
                self._kept[at] = self._then(at)
            self._kept.move_to_end(at)
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
            return self._kept[at]

    def all(self, *, after: int = 0, most: int = MOST_AT_ONCE) -> Iterator[Moment]:
        """What happened, the oldest first; nothing of who holds which code."""
        for line in self._hub.journal.lines(after=after):
            if not isinstance(line.entry, CodesMade | Joined):
                yield moment_of(line)
                most -= 1
            if most <= 0:
                return

    def _then(self, at: int) -> TableState:
        newest = self._hub.journal.newest(Entry)
        settled = self._hub.journal.newest(Settled, until=at)
        if newest is None or at > newest.n or settled is None or not isinstance(settled.entry, Settled):
            raise NoSuchMoment(f"The journal holds no table of moment {at}.", field="at", value=at)
        return self._hub.steps.over_at(settled.entry.state, at)


def moment_of(line: Line) -> Moment:
    """The line in a few words."""
    entry, told = line.entry, {"n": line.n, "at_s": line.at_s, "type": line.entry.type}
    match entry:
        case Settled(t_s=t_s):
            return Moment(**told, t_s=t_s)
        case Happened(event=event):
            return Moment(**told, t_s=event.t_s, event=event.type, ids=event.ids)
        case _:
            return Moment(**told, by=getattr(entry, "by", None))


def asked_table(moments: Moments) -> Any:
    """What a route takes as `Annotated[TableState, asked_table(...)]`: the table now, or `?at=` an earlier moment."""

    @raising(NoTableYet, NoSuchMoment)
    def table(at: At = None) -> TableState:
        return moments.table(at)

    return Depends(table)


def timeline(moments: Moments) -> APIRouter:
    """The routes about earlier moments."""
    router = APIRouter(prefix="/api/v1", tags=["table"])

    @router.get("/moments")
    def all_moments(after: After = 0, most: AtMost = 200) -> tuple[Moment, ...]:
        """What happened at this table, the oldest first. Each may be asked about: `?at=` its number."""
        return tuple(moments.all(after=after, most=most))

    return router
