"""Calls: a player wants a judge; who takes it, what is ruled, and what the head judge says on appeal."""

from typing import Literal

from pydantic import Field

from models.frozen import Frozen

CallState = Literal["waiting", "taken", "ruled", "appealed", "closed"]


class HallRuling(Frozen):
    """What a judge of the hall decided on a call."""

    by: str
    at_s: float
    said: str
    reason: str


class Call(Frozen):
    """A call with its history. Times by the hub's clock; the wait begins when the hub first heard of it."""

    id: int
    table: int
    line: int
    by: str
    verdict: str | None
    called_s: float
    state: CallState = "waiting"
    judge: str | None = None
    taken_s: float | None = None
    rulings: tuple[HallRuling, ...] = Field((), description="the first, and beside it the head judge's on appeal")
    appeal: str | None = Field(None, description="why it is appealed")
    closed_s: float | None = None
    given_s: float = Field(0, description="the time extension that was given")

    def changed(self, **changes: object) -> "Call":
        """The same call with these changes."""
        return Call.model_validate(self.__dict__ | changes)


class NewHallRuling(Frozen):
    """What the judge says, on the spot or from afar."""

    said: str = Field(min_length=1, max_length=120)
    reason: str = Field("", max_length=400)


class Appeal(Frozen):
    """Why the ruling is appealed."""

    reason: str = Field(min_length=1, max_length=400)


class Closing(Frozen):
    """The time to give the table, when the judge gives it."""

    extension_s: float = Field(0, ge=0, le=3600)
