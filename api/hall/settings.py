"""Hall settings: what the organiser sets for the whole event."""

from typing import Annotated

from pydantic import Field

from models.frozen import Frozen

PenaltyName = Annotated[str, Field(min_length=1, max_length=60)]


class HallSettings(Frozen):
    """What holds for the event until the organiser changes it."""

    round_minutes: float = Field(150, gt=0, le=24 * 60)
    clock_minutes: float = Field(60, ge=0, le=24 * 60, description="each player's clock; 0: tables are played without")
    penalties: tuple[PenaltyName, ...] = Field(("Warning", "Game loss", "Disqualification"), max_length=40)
    delay_s: float = Field(60, ge=0, le=3600, description="how late spectators see a table")
    featured: int | None = Field(None, description="the table that the stream's overlay follows")
    columns: dict[str, str] = Field({}, max_length=60, description="column of a pairing file -> what it is")
