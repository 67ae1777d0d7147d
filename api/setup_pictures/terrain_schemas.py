"""Schemas of the set-up's terrain: what is proposed, what is chosen of it, and what is kept under a name."""

from typing import Annotated

from pydantic import Field

from api.setups.schemas import SetupName
from models.frozen import Frozen
from models.terrain_proposal import ProposedTerrain
from models.vocabulary import Id, TerrainKind

Height = Annotated[float, Field(ge=0, le=500)]


class PieceChoice(Frozen):
    """What a person makes of a proposed piece; without a kind it is left out."""

    kind: TerrainKind | None = None
    height_mm: Height | None = Field(None, description="top above the table; null: unknown")


class TerrainPiece(Frozen):
    """A proposed piece, and what was made of it so far."""

    proposed: ProposedTerrain
    choice: PieceChoice | None = Field(None, description="null: nobody has tapped yet")

    @property
    def id(self) -> Id:
        return self.proposed.id


class TerrainName(Frozen):
    """Under which name the table's terrain is kept."""

    name: SetupName


class KeptTerrain(Frozen):
    """Terrain of another day, or of this."""

    name: SetupName
    pieces: int


class TerrainStatus(Frozen):
    """The terrain of the table that is being set up."""

    pieces: tuple[TerrainPiece, ...] | None = Field(None, description="null: none was proposed yet")
    kinds: tuple[TerrainKind, ...] = Field(description="that the chosen edition knows")
    views: int = Field(description="pictures by which terrain can be proposed")
    look: int | None = Field(None, description="version of the picture of the table from above")
    laid: SetupName | None = Field(None, description="the terrain that the game begins with")
    shelf: tuple[KeptTerrain, ...]
    table_mm: tuple[float, float] | None
