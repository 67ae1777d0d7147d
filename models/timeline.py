"""A recording, line by line: what could be known when."""

from typing import Annotated, Literal

from pydantic import Field

from models.frozen import Frozen
from models.state import TableState
from models.words import Id, NotNegative, Point

EventType = Literal[
    "moved", "turned", "removed", "appeared", "in-hand", "swapped", "camera-moved", "obstructed", "lost-source", "back",
    "unsure",
]  # fmt: skip


class StateLine(Frozen):
    """The table has settled; `t_s` and `frame` are those of the newest frame used."""

    type: Literal["state"] = "state"
    t_s: NotNegative
    frame: int = Field(ge=0)
    settled_at_s: NotNegative
    state: TableState


class EventLine(Frozen):
    """Something happened to these miniatures, or to the camera."""

    type: EventType
    t_s: NotNegative
    frame: int = Field(ge=0)
    ids: tuple[Id, ...] = ()
    from_mm: Point | None = None
    to_mm: Point | None = None
    from_deg: float | None = None
    to_deg: float | None = None
    detail: str | None = None


TimelineLine = Annotated[StateLine | EventLine, Field(discriminator="type")]
