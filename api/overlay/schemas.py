"""Overlay schemas: what is on air, and what may be said to change that."""

from typing import Literal

from pydantic import Field, JsonValue

from api.answers.answer_line import Line
from api.answers.pair_sheet import Pair
from api.clocks.schemas import ClocksView
from api.journal.entry import Entry
from api.live.table_schemas import DrawnTable
from api.seats.schemas import Scoreboard
from models.frozen import Frozen
from models.vocabulary import Id, Positive

Seconds = float
"""Seconds since 1970 by the server's clock: a page that comes later must know how long a verdict has been on air."""


class Production(Frozen, json_schema_extra={"examples": [{"feed": "pushed", "stays_s": 12}]}):
    """How the stream is fed, until somebody says otherwise."""

    feed: Literal["asked", "pushed"] = Field(
        "asked", description="asked: whatever players ask goes on air; pushed: only what judge or producer puts there"
    )
    hide_until_resolved: bool = Field(False, description="no verdict is shown before it is called resolved")
    stays_s: Positive = Field(8.0, le=120, description="how long a verdict stays on air")


class OnAirItem(Frozen):
    """Verdicts that were put on air together, with the table they were about."""

    id: int
    at_s: Seconds = Field(description="when it was put on air")
    resolved_at_s: Seconds | None = Field(None, description="when the players had settled it, or the judge had ruled")
    off_at_s: Seconds | None = Field(None, description="when it was taken off air before its time")
    stays: bool = Field(False, description="stays until it is taken off")
    a: Id | None
    b: Id | None
    lines: tuple[Line, ...]
    table: DrawnTable
    picture: bool = Field(description="whether what the camera saw when it was put on air can be fetched")
    ruling: str | None = Field(None, description="what the judge ruled, in a few words")


class OnAirPreview(Frozen):
    """What is on air, or would be, in words: who produces sees it before viewers do."""

    id: int
    at_s: Seconds = Field(description="when it was asked or put on air")
    who: tuple[str, ...]
    lines: tuple[str, ...]
    waits: bool = Field(description="it is held back until it is resolved")


class Board(Frozen):
    """All that an overlay shows; it comes whole each time something changes, so that nothing can be missed."""

    now_s: Seconds
    title: str
    production: Production
    items: tuple[OnAirItem, ...] = Field(description="what was put on air lately, the oldest first")
    clocks: ClocksView | None
    scoreboard: Scoreboard = Scoreboard()
    forged: str | None = Field(None, description="why this game is not what the table wrote")


class PutOnAir(Frozen, json_schema_extra={"examples": [{"pair": {"a": "m3", "b": "m7"}, "slots": ["sight"]}]}):
    """What to put on air: lines about a pair, or the answer to any one question."""

    pair: Pair | None = None
    slots: tuple[str, ...] = Field((), max_length=3, description="lines of the pair's sheet; the first two when empty")
    query: dict[str, JsonValue] | None = None
    threat_of: Id | None = Field(
        None, description="the ring of all that this one threatens by its longest charge or walk"
    )
    at: int | None = Field(None, ge=1, description="the moment of the table it is about; null: now")
    stays: bool = Field(False, description="leave it on air until it is taken off")


class Resolution(Frozen, json_schema_extra={"examples": [{"ruling": "In range"}]}):
    """How it ended; shown with the verdict."""

    ruling: str | None = Field(None, max_length=80)


class ProductionSet(Entry):
    """The stream is fed like this from now on."""

    type: Literal["produced"] = "produced"
    production: Production
