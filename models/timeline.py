"""Timeline: a recording line by line, with what could be known when."""

from typing import Annotated, Literal

from pydantic import Field

from models.frozen import Frozen
from models.state import TableState
from models.vocabulary import Id, NotNegative, Point, Share

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


class Naming(Frozen):
    """One way to say who stands at the places in question, in their order, and how likely it is.

    null: somebody new, or nobody where a question asks at which of its places one miniature stands.
    """

    ids: tuple[Id | None, ...]
    probability: Share


class Waypoint(Frozen):
    """Where a miniature was seen while it was moved, as if it stood on the table there."""

    t_s: NotNegative
    at_mm: Point
    sigma_mm: NotNegative


class EventLine(Frozen):
    """Something happened to these miniatures, or to the camera.

    An `unsure` line asks a question: which of the `namings` is right for `places_mm`; the first is what the states say
    meanwhile. Where it asks for one miniature alone, that stands at one of the places, or has left the table. A
    `swapped` line corrects: from `since_s` on, who was called by a key of `renamed` is its value, in every line that
    was written before this one. An `in-hand` line says that a place is seen without its miniature while hands are over
    the table; the next state says where it was put down, or that it was taken away.
    """

    type: EventType
    t_s: NotNegative
    frame: int = Field(ge=0)
    ids: tuple[Id, ...] = ()
    from_mm: Point | None = None
    to_mm: Point | None = None
    from_deg: float | None = None
    to_deg: float | None = None
    distance_mm: NotNegative | None = Field(None, description="between the two places, straight")
    sigma_mm: NotNegative | None = Field(None, description="of that distance")
    path: tuple[Waypoint, ...] = Field((), description="where it was seen in between; empty when a hand hid it")
    travelled_mm: NotNegative | None = Field(
        None, description="at least so far along the path, straight where it was not seen"
    )
    lifted_s: NotNegative | None = Field(None, description="when it was seen to be in a hand, if it was, before that")
    confidence: Share | None = Field(None, description="that it is these miniatures to which it happened")
    question: Id | None = Field(None, description="of an unsure line, and of the line that settles it")
    places_mm: tuple[Point, ...] = ()
    namings: tuple[Naming, ...] = ()
    renamed: dict[Id, Id] | None = None
    since_s: NotNegative | None = None
    detail: str | None = None


TimelineLine = Annotated[StateLine | EventLine, Field(discriminator="type")]
