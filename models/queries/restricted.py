"""Moves that have to keep to something: toward it, away from it, back to a leader."""

from collections.abc import Iterator
from typing import Literal

from pydantic import Field, model_validator

from models.frozen import Frozen
from models.queries.asked import PH, Asked, MiniatureId, Place, at_most_one
from models.queries.moving import DistanceIn, PathMm


class Restriction(Frozen):
    """One rule a move is under."""

    way: Literal["toward", "away", "directly-toward", "directly-away"]
    of: Place


class TowardAway(Asked):
    """Was that toward, away, directly?

    Yes: all hold at every moment. Margin: least slack: how much farther it could go on, or how straight it kept. Gives
    `clauses`, `first_break_mm` and `poses` (where a direct move of that length ends).
    """

    EDITIONS = PH
    RULES = {
        "warmachine-prime": "toward-away directly-toward-away multi-restriction",
        "hordes-mk2": "restricted-move",
    }
    PLACES = ("mover",)
    kind: Literal["toward-away"] = "toward-away"
    mover: MiniatureId
    path_mm: PathMm | None = None
    distance_in: DistanceIn | None = None
    restrictions: tuple[Restriction, ...] = Field(min_length=1)

    def names(self) -> Iterator[tuple[str, str]]:
        """Every (field, id) this question names, those of its restrictions too."""
        yield from super().names()
        for k, one in enumerate(self.restrictions):
            if isinstance(one.of, str):
                yield f"restrictions.{k}.of", one.of

    @model_validator(mode="after")
    def _one_way(self) -> "TowardAway":
        return at_most_one(self, "path_mm", "distance_in")


class RegroupMove(Asked):
    """Is this a legal move back to its leader?

    Yes: a step nearer its commander, or a run straight at him. Margin: least slack. Gives `forfeits`.
    """

    EDITIONS = PH
    RULES = {
        "warmachine-prime": "formation-move",
        "hordes-mk2": "out-of-formation-move",
    }
    PLACES = ("mover",)
    kind: Literal["regroup-move"] = "regroup-move"
    mover: MiniatureId
    path_mm: PathMm | None = None
