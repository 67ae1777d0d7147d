"""Journal entries of the camera: tables at rest, and the events between them."""

from typing import ClassVar, Literal

from api.journal.entry import Entry
from models.state import TableState
from models.timeline import EventLine
from models.vocabulary import NotNegative


class TableSettled(Entry):
    """The table as it was measured when it came to rest, without anybody's corrections."""

    MUST_LAST: ClassVar[bool] = False

    type: Literal["settled"] = "settled"
    t_s: NotNegative | None = None
    state: TableState


class EventObserved(Entry):
    """An event on the table."""

    MUST_LAST: ClassVar[bool] = False

    type: Literal["happened"] = "happened"
    event: EventLine
