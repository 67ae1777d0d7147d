"""War machines: where they may aim, and what they hit."""

from typing import Literal

from pydantic import Field, model_validator

from models.dice import Dice
from models.queries.base import BaseQuery, DiameterIn, MiniatureId, MiniatureIds, Place, W, at_most_one
from models.vocabulary import AngleDeg, LengthIn, PositiveIn


class StoneThrower(BaseQuery):
    """May I aim there, what does it hit?

    Yes: the aim is legal. Margin: the least of range and clearance. Gives members, `by_id` (`hit`: hole or touched),
    `point_mm` and, without dice, `expected` hits.
    """

    EDITIONS = W
    RULES = {"warhammer-9": "stone-thrower"}
    PLACES = ("attacker", "at")
    kind: Literal["stone-thrower"] = "stone-thrower"
    attacker: MiniatureId
    at: Place
    indirect: bool = Field(False, description="shot without seeing the target")
    dice: Dice = Dice()


class Cannon(BaseQuery):
    """May I aim there, what does the ball hit?

    Yes: the aim is legal. Margin: clearance of friends from line and bounce. Gives members in order, `line_mm` and
    `at_risk`, friends whom some scatter could reach.
    """

    EDITIONS = W
    RULES = {"warhammer-9": "cannon-line cannon-aim-legal"}
    PLACES = ("attacker", "at")
    kind: Literal["cannon"] = "cannon"
    attacker: MiniatureId
    at: Place
    dice: Dice = Dice()


class BoltThrower(BaseQuery):
    """How many ranks does the bolt pierce?

    Gives `side`, members in order and `by_id` (`strength`).
    """

    EDITIONS = W
    RULES = {"warhammer-9": "bolt-thrower"}
    PLACES = ("attacker", "target")
    kind: Literal["bolt-thrower"] = "bolt-thrower"
    attacker: MiniatureId
    target: MiniatureId


class WarMachinePivot(BaseQuery):
    """May it still fire after that turn?

    Yes: turned at most 45 degrees. Margin in degrees: 45 - turn. Gives `turn_deg`.
    """

    EDITIONS = W
    RULES = {"warhammer-9": "war-machine-pivot"}
    PLACES = ("who", "target")
    kind: Literal["war-machine-pivot"] = "war-machine-pivot"
    who: MiniatureId
    heading_deg: AngleDeg | None = Field(None, description="where it looks then, in the table frame")
    target: MiniatureId | None = Field(None, description="or whom it turns to")

    @model_validator(mode="after")
    def _check_one_way(self) -> "WarMachinePivot":
        return at_most_one(self, "heading_deg", "target")


class WarMachineCombat(BaseQuery):
    """How many may fight the machine?

    Gives `places` (six), members and `count` (how many of each unit).
    """

    EDITIONS = W
    RULES = {"warhammer-9": "war-machine-combat"}
    PLACES = ("attackers", "target")
    kind: Literal["war-machine-combat"] = "war-machine-combat"
    attackers: MiniatureIds = Field(min_length=1)
    target: MiniatureId


class LineHits(BaseQuery):
    """Whom does the line strike?

    Gives members in order: the first of each rank, of each file where it comes from the side.
    """

    EDITIONS = W
    RULES = {"warhammer-9": "line-spell"}
    PLACES = ("attacker",)
    kind: Literal["line-hits"] = "line-hits"
    attacker: MiniatureId
    heading_deg: AngleDeg
    length_in: PositiveIn


class Vortex(BaseQuery):
    """Where may the vortex lie and go?

    Yes: the placement is legal. Margin: the tightest clearance. Gives members crossed and `poses`.
    """

    EDITIONS = W
    RULES = {"warhammer-9": "vortex-placement"}
    PLACES = ("caster", "to")
    kind: Literal["vortex"] = "vortex"
    caster: MiniatureId
    diameter_in: DiameterIn
    to: Place | None = Field(None, description="where its centre is laid; else it has lain and moves")
    heading_deg: AngleDeg | None = None
    distance_in: LengthIn | None = None
