"""Journal entry: what is written, the line it stands on, and how a written line becomes one again."""

import json
from functools import cache
from typing import Any, ClassVar, Literal

from pydantic import Field, SerializeAsAny, create_model

from models.frozen import Frozen
from models.state import TableState
from models.timeline import EventLine
from models.vocabulary import NotNegative


class Entry(Frozen):
    """Something that happened. A class of its own declares `type: Literal["..."] = "..."`."""

    MUST_LAST: ClassVar[bool] = True
    """Whether it is on the disk before `write` returns; what is seen anew all the time need not be."""
    IS_PROOF: ClassVar[bool] = False
    """Whether it only proves what stands before it, so that it is nothing new to sign."""

    type: str


class Line(Frozen):
    """An entry with its number, counted from 1 without a gap, and when it was written."""

    n: int = Field(ge=1)
    at_s: float = Field(description="seconds since 1970, by the clock of the machine at the table")
    entry: SerializeAsAny[Entry]


def parse_line(text: bytes, cls: type[Entry]) -> Line:
    """The line of an entry of this class. Raises: pydantic.ValidationError (a ValueError) when it is none."""
    line = _line_class(cls).model_validate_json(text)
    return Line(n=line.n, at_s=line.at_s, entry=line.entry)


def read_raw_line(text: bytes) -> dict[str, Any] | None:
    """The members of a line whose entry is of any class, also of none that is known; None when it is no line."""
    try:
        line = json.loads(text)
    except (ValueError, RecursionError):
        return None
    match line:
        case {"n": int(), "at_s": int() | float(), "entry": {"type": str()}}:
            return dict(line)
    return None


@cache
def _line_class(cls: type[Entry]) -> type[Line]:
    chained: dict[str, Any] = dict.fromkeys(("before", "hash", "type"), (str | None, None))
    return create_model(f"{cls.__name__}Line", __base__=Line, entry=(cls, ...), form=(int, 1), **chained)


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
