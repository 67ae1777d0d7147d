"""Templates: who is under them, where they land, and how they may be laid."""

from typing import Literal

from pydantic import Field, model_validator

from models.dice import Dice
from models.queries.base import (
    EVERY,
    OPEN,
    ORIGIN,
    BaseQuery,
    DiameterIn,
    MiniatureId,
    PathPoints,
    Place,
    ThingId,
    at_most_one,
)
from models.vocabulary import AngleDeg, LengthIn, PositiveIn


class TemplateHits(BaseQuery):
    """Who is under the template?

    Gives members (margin: how deep the template lies over the base; just touching counts), `by_id` (`hit`:
    direct or blast; `blast_immune`), `units` (how many of each) and `point_mm`.
    """

    EDITIONS = EVERY | OPEN
    RULES = {
        "warmachine-prime": "aoe-hits",
        "hordes-mk2": "aoe-hits",
        "warhammer-9": "template-hits building-template",
        "warmachine-mk1": "aoe-hits",
    }
    PLACES = ("at", "direct")
    kind: Literal["template-hits"] = "template-hits"
    at: Place
    diameter_in: DiameterIn
    direct: MiniatureId | None = Field(None, description="the one that was hit directly")
    hole: bool = Field(False, description="whether the one under the hole in its middle is asked for")


class Deviation(BaseQuery):
    """Where does it land?

    Gives `start_mm`, `cap_mm`, `point_mm` and `clipped`; with a diameter also members and `by_id`. Without dice,
    `points` with the chance of each, and the chance of each member.
    """

    RULES = {
        "warmachine-prime": "aoe-point deviation-point bombardment",
        "hordes-mk2": "deviation-point",
        "warhammer-9": "scatter-point",
        "warmachine-mk1": "deviation-point",
    }
    PLACES = ("origin", "target")
    kind: Literal["deviation"] = "deviation"
    origin: Place
    target: Place
    range_in: LengthIn | None = Field(None, description="range of the attack; in range when left out")
    hit: bool = Field(False, description="a direct hit does not deviate")
    dice: Dice = Dice()
    cap: Literal["half", "none"] = Field("half", description="whether it goes no farther than half the distance")
    axis_deg: AngleDeg | None = Field(None, description="where direction 1 points; from origin to target when left out")
    diameter_in: DiameterIn | None = Field(None, description="diameter in inches, to ask who is under it")


class SprayHits(BaseQuery):
    """Who is under the spray or flame?

    Yes: the template may lie there. Margin: the tightest clearance. Gives members, `by_id` (`why`), `clauses` and
    `outline_mm`. With `best` it is laid where it hits the most enemies, and `best` tells how (`target`, `heading_deg`,
    `enemies`, `friends`).
    """

    RULES = {
        "warmachine-prime": "spray-placement spray-hits",
        "hordes-mk2": "spray-template spray-hits structure-in-spray",
        "warhammer-9": "template-flame",
        "warmachine-mk1": "spray-hits",
    }
    PLACES = ("attacker", "origin", "target")
    kind: Literal["spray-hits"] = "spray-hits"
    attacker: MiniatureId
    origin: Place | None = ORIGIN
    target: ThingId | None = None
    heading_deg: AngleDeg | None = Field(None, description="or where the template points, in the table frame")
    length_in: PositiveIn | None = Field(None, description="length in inches, as printed")
    dice: Dice = Dice()
    outline_mm: PathPoints | None = Field(
        None, min_length=3, description="outline of the template as laid, cut at its length"
    )

    best: bool = Field(False, description="lay it where it hits the most enemies; at the target, where one is named")

    @model_validator(mode="after")
    def _one_aim(self) -> "SprayHits":
        return at_most_one(self, "target", "heading_deg")
