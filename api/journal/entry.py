"""What is written into a journal, and the line it stands on."""

from typing import ClassVar

from pydantic import Field, SerializeAsAny

from models.frozen import Frozen


class Entry(Frozen):
    """Something that happened. A class of its own declares `type: Literal["..."] = "..."`."""

    MUST_LAST: ClassVar[bool] = True
    """Whether it is on the disk before `write` returns; what is seen anew all the time need not be."""

    type: str


class Line(Frozen):
    """An entry with its number, counted from 1 without a gap, and when it was written."""

    n: int = Field(ge=1)
    at_s: float = Field(description="seconds since 1970, by the clock of the machine at the table")
    entry: SerializeAsAny[Entry]
