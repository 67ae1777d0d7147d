"""Dice that players have rolled: only the faces a question needs are given."""

from typing import Annotated, Literal

from pydantic import Field

from models.frozen import Frozen
from models.vocabulary import AngleDeg

Face = Annotated[int, Field(ge=1, le=6)]
ArtilleryDie = Literal[2, 4, 6, 8, 10] | Literal["misfire"]
"""Two kinds, not one of mixed values: client generators know no other."""


class Dice(Frozen):
    """The faces rolled. Without them an answer holds chances."""

    direction: Face | None = Field(None, description="direction of a deviation: 1 goes on, 4 comes back")
    distance: int | None = Field(None, ge=0, le=36, description="distance of a deviation in inches, as rolled")
    charge: tuple[Face, ...] | None = Field(
        None, min_length=1, max_length=3, description="each die of a charge: as many as the charger rolls"
    )
    flee: int | None = Field(None, ge=2, le=18, description="total of a flight, of the dice that the unit rolls")
    pursue: int | None = Field(None, ge=2, le=18, description="total of a pursuit, of the dice that the unit rolls")
    slam: int | None = Field(None, ge=1, le=6)
    move: int | None = Field(None, ge=0, le=36)
    scatter: Literal["arrow", "hit"] | None = None
    heading_deg: AngleDeg | None = Field(None, description="where a scatter arrow points, in the table frame")
    artillery: ArtilleryDie | None = None
    bounce: ArtilleryDie | None = None
    test: int | None = Field(None, ge=2, le=18)
