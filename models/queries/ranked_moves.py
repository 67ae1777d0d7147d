"""Moves of ranked units: reforms, charges by dice, flight and pursuit."""

from typing import Literal

from pydantic import Field, model_validator

from models.dice import Dice
from models.pose import Pose
from models.queries.base import HMW, BaseQuery, MiniatureId, MiniatureIds, Name, Steps, ThingId, W, at_most_one
from models.turn import UnitPose
from models.vocabulary import AngleDeg


class OneInchRule(BaseQuery):
    """Do I come too close?

    Yes: an inch everywhere it is owed. Margin: least gap - 1 in. Gives `at` (the pose where it is least), `thing` and
    `shift_mm`, how far it would have to step back. Of the whole table it lists every unit, and gives `pairs`: all that
    stand closer, each with its `margin_mm` and where the gap lies (`at`), and `exempt` where they may.
    """

    EDITIONS = W
    RULES = {"warhammer-9": "one-inch-rule"}
    PLACES = ("mover",)
    kind: Literal["one-inch-rule"] = "one-inch-rule"
    mover: MiniatureId | None = Field(None, description="who moves; the whole table as it stands when left out")
    steps: Steps | None = None
    to: Pose | UnitPose | None = Field(None, description="or where it ends; only the end is looked at then")
    manner: Literal["move", "charge", "flee"] = "move"


class Reform(BaseQuery):
    """May it reform like that?

    Yes: all `clauses` hold. Margin: twice the move - longest move of a miniature. Gives `longest_mm`, `furthest` (who),
    `poses`, `chance` of the test where one is needed, and `grids` (files and ranks). In a fight (`combat`) whoever
    touches an enemy still does; `to` says where the front is to stand, else it stays about its centre, or closes up.
    """

    EDITIONS = W
    RULES = {"warhammer-9": "reform-legal swift-reform free-reform restrain-reform combat-reform"}
    PLACES = ("unit",)
    kind: Literal["reform"] = "reform"
    unit: MiniatureId
    files: int | None = Field(None, ge=1, le=100)
    facing_deg: AngleDeg | None = None
    manner: Literal["reform", "swift", "free", "restrain", "combat"] = "reform"
    to: UnitPose | None = Field(None, description="or where it stands then: the middle of its front, facing and files")

    @model_validator(mode="after")
    def _says_it_once(self) -> "Reform":
        at_most_one(self, "to", "files")
        return at_most_one(self, "to", "facing_deg")


class ChargeChance(BaseQuery):
    """What are my odds?

    Gives `distance_mm`, `longest_mm`, `chance` and, where the target flees, `by_flee` (flee, p); `chance` is then over
    all of these.
    """

    EDITIONS = W
    RULES = {"warhammer-9": "charge-success-probability charge-after-flight"}
    PLACES = ("attacker", "target")
    kind: Literal["charge-chance"] = "charge-chance"
    attacker: MiniatureId
    target: ThingId
    flees: bool = False
    dice: Dice = Dice()


class StandAndShoot(BaseQuery):
    """May they stand and shoot?

    Yes: allowed. Margin: gap - the charger's move (exactly that is too near). Gives `clauses`, `count`, `modifiers`,
    `needs`, `expected_hits` and `panic_at`.
    """

    EDITIONS = W
    RULES = {"warhammer-9": "stand-and-shoot"}
    PLACES = ("attacker", "target")
    APART = (("attacker", "target"),)
    kind: Literal["stand-and-shoot"] = "stand-and-shoot"
    attacker: MiniatureId = Field(description="id of the charger: a miniature, or a unit where the edition plays units")
    target: MiniatureId
    weapon: Name | None = Field(None, description="name of the missile weapon")
    manner: Literal["charge", "fly"] = Field("charge", description="whether the charger comes flying")


class Pursuit(BaseQuery):
    """Are they caught, where do both end?

    Yes (dice given): caught. Gives `chance`, `poses`, `stopped_by`, `contact` and `result` (`returns`: it runs off the
    table), or `may_pursue` false. Without a loser it is an overrun.
    """

    EDITIONS = W
    RULES = {"warhammer-9": "pursuit-probability pursuit-move overrun-move"}
    PLACES = ("winner", "loser")
    kind: Literal["pursuit"] = "pursuit"
    winner: MiniatureId
    loser: MiniatureId | None = None
    dice: Dice = Dice()


class BuildingAssault(BaseQuery):
    """How do I assault that building?

    Yes: it may be declared. Margin: longest charge - distance. Gives `chance`, `party` (miniatures of each unit that
    fight) and `distance_mm`.
    """

    EDITIONS = W
    RULES = {"warhammer-9": "building-assault"}
    PLACES = ("attacker", "target")
    kind: Literal["building-assault"] = "building-assault"
    attacker: MiniatureId
    target: ThingId


class MultiCharge(BaseQuery):
    """Can we charge just those, who fits?

    Yes: as declared. Margin: frontage to spare. Gives `must_also` (whom every way touches too), `places` of each
    charger, `fail` (who finds no room), `chances`; `order` in which they move, `poses`, `paths` and `in_contact`.
    """

    EDITIONS = W
    RULES = {"warhammer-9": "multi-charge multi-chargers-one-target"}
    PLACES = ("attackers", "targets")
    kind: Literal["multi-charge"] = "multi-charge"
    attackers: MiniatureIds = Field(min_length=1)
    targets: MiniatureIds = Field(min_length=1)


class RandomMove(BaseQuery):
    """Where does it lurch to?

    Gives `poses`, `stopped_by`, `contact` (an enemy it runs into) and `chance` of reaching one.
    """

    EDITIONS = W
    RULES = {"warhammer-9": "random-movement compulsory-stupidity"}
    PLACES = ("mover",)
    kind: Literal["random-move"] = "random-move"
    mover: MiniatureId
    heading_deg: AngleDeg | None = Field(None, description="where it turns before the dice; straight on when left out")
    dice: Dice = Dice()


class ChargeRedirect(BaseQuery):
    """Whom may it charge instead?

    Gives members (margin: the least clause of charging each), `by_id` (`chance`) and `chance` of the test.
    """

    EDITIONS = W
    RULES = {"warhammer-9": "charge-redirect"}
    PLACES = ("attacker",)
    kind: Literal["charge-redirect"] = "charge-redirect"
    attacker: MiniatureId


class Rally(BaseQuery):
    """May it rally, and which way does it turn?

    Yes: somebody lets it. Margin: how far the reform stays within its limit. Gives `facing_deg`, `chance`, `needs` and
    `grids` (files and ranks).
    """

    EDITIONS = HMW
    RULES = {"warhammer-9": "rally-reform", "warmachine-mk1": "rally-facing"}
    PLACES = ("who",)
    kind: Literal["rally"] = "rally"
    who: MiniatureId
    files: int | None = Field(None, ge=1, le=100)
    facing_deg: AngleDeg | None = None
