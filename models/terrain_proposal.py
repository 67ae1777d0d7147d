"""Terrain proposals: what a picture suggests and nobody has confirmed; no rule reads it."""

from typing import Annotated, Literal

from pydantic import Field

from models.frozen import Frozen
from models.shape import MOST_CORNERS
from models.vocabulary import Id, NotNegative, Point, Positive, Share, TerrainKind


class KindGuess(Frozen):
    """A kind that it may be."""

    kind: TerrainKind
    probability: Share


class ProposedTerrain(Frozen):
    """A piece of terrain may lie there. What is missing of the kinds' probabilities to 1 is that of any other."""

    what: Literal["terrain"] = "terrain"
    id: Id
    polygon_mm: Annotated[tuple[Point, ...], Field(min_length=3, max_length=MOST_CORNERS)]
    sigma_mm: NotNegative = Field(description="of a place on the outline, across it")
    kinds: tuple[KindGuess, ...] = Field((), description="likeliest first; none: nothing tells what it is")
    height_mm: NotNegative | None = Field(
        None, description="top above the table, seen from several sides; null: unknown"
    )
    height_sigma_mm: NotNegative | None = None


class ProposedDisc(Frozen):
    """A flat disc lies there that is no base: a template of a known size, or a token as large as it was measured."""

    what: Literal["template", "token"]
    id: Id
    centre_mm: Point
    diameter_mm: Positive
    sigma_mm: NotNegative = Field(description="of the centre, per axis")
    diameter_sigma_mm: NotNegative = Field(0.0, description="0: one of the sizes there are")


Proposal = Annotated[ProposedTerrain | ProposedDisc, Field(discriminator="what")]
