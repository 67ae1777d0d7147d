"""Restricted moves: toward something, away from it, back to a leader."""

from typing import Literal

from pydantic import Field, model_validator

from models.queries.base import PHM, BaseQuery, MiniatureId, Place, QueryPart, at_most_one
from models.queries.movement import DistanceIn, PathMm
from models.vocabulary import MOST_POINTS


class Restriction(QueryPart):
    """One rule a move is under."""

    PLACES = ("of",)
    way: Literal["toward", "away", "directly-toward", "directly-away"]
    of: Place


class TowardAway(BaseQuery):
    """Was that toward, away, directly?

    Yes: all hold at every moment. Margin: least slack: how much farther it could go on, or how straight it kept. Gives
    `clauses`, `first_break_mm` and `poses` (where a direct move of that length ends).
    """

    EDITIONS = PHM
    RULES = {"warmachine-prime": "toward-away directly-toward-away multi-restriction", "hordes-mk2": "restricted-move"}
    PLACES = ("mover",)
    PARTS = {"restrictions": Restriction}
    kind: Literal["toward-away"] = "toward-away"
    mover: MiniatureId
    path_mm: PathMm | None = None
    distance_in: DistanceIn | None = None
    restrictions: tuple[Restriction, ...] = Field(min_length=1, max_length=MOST_POINTS)

    @model_validator(mode="after")
    def _check_one_way(self) -> "TowardAway":
        return at_most_one(self, "path_mm", "distance_in")


class RegroupMove(BaseQuery):
    """Is this a legal move back to its leader?

    Yes: a step nearer its commander, or a run straight at him. Margin: least slack. Gives `forfeits`.
    """

    EDITIONS = PHM
    RULES = {"warmachine-prime": "formation-move", "hordes-mk2": "out-of-formation-move"}
    PLACES = ("mover",)
    kind: Literal["regroup-move"] = "regroup-move"
    mover: MiniatureId
    path_mm: PathMm | None = None
