"""Charges and power attacks: who gets where, and where it sends the others."""

from typing import Literal

from pydantic import Field, model_validator

from models.dice import Dice
from models.queries.base import (
    EVERY,
    OPEN,
    PHM,
    PM,
    BaseQuery,
    MiniatureId,
    MiniatureIds,
    Name,
    PathPoints,
    QueryPart,
    Steps,
    UnitId,
    at_most_one,
)
from models.queries.movement import HeadingDeg
from models.vocabulary import MOST_IN_QUESTION, LengthIn, Point

DICE = Field(Dice(), description="what was rolled; without it an answer says what it can")
SPEED_IN = Field(None, description="speed in inches, in place of the card's")


class Charge(BaseQuery):
    """Can I charge it, does it get there?

    `step` says what is asked: may it be declared (margin: the least clause), is the direction legal (reach along that
    line), does it get there (movement left when in reach), is the first blow a charge attack (travel - 3 in). Gives
    `declare`, `heading` (`fan_deg`), `stop_mm` (first in reach, last legal stop), `travelled_mm`, `stopped_by`,
    `poses`, `attack`. Without a heading the best one is looked for, and `open_deg` tells all that lead there. Of ranked
    units `distance_mm`, and `clear_line_mm` where something crosses the shortest line.
    """

    EDITIONS = EVERY
    RULES = {
        "warmachine-prime": "charge-declare charge-direction charge-legal charge-attack-3in charge-end-facing",
        "hordes-mk2": "charge-legal charge-direction-legal charge-outcome",
        "warhammer-9": "charge-declarable charge-distance charge-path charge-side charge-align who-aligns "
        "max-models-in-contact charge-defended-obstacle charge-failed-move charge-fleeing flyer-charge",
        "warmachine-mk1": "charge-legal/declare charge-legal/heading charge-legal/path charge-attack",
    }
    PLACES = ("attacker", "target")
    APART = (("attacker", "target"),)
    kind: Literal["charge"] = "charge"
    attacker: MiniatureId
    target: MiniatureId
    heading_deg: HeadingDeg | None = None
    steps: Steps | None = None
    stop_after_in: LengthIn | None = Field(None, description="where it stops of its own will")
    speed_in: LengthIn | None = SPEED_IN
    reach_in: LengthIn | None = Field(None, description="reach in inches, in place of the longest weapon's")
    dice: Dice = DICE
    manner: Literal["charge", "fly"] = "charge"
    step: Literal["declare", "heading", "outcome", "attack"] = "outcome"

    @model_validator(mode="after")
    def _check_one_way(self) -> "Charge":
        return at_most_one(self, "heading_deg", "steps")


class Assault(BaseQuery):
    """Do I get my assault shot?

    Yes: the shot is made. Margin: range. Gives `clauses`.
    """

    EDITIONS = PM
    RULES = {"warmachine-prime": "assault", "warmachine-mk1": "assault-sequence"}
    PLACES = ("attacker", "target")
    APART = (("attacker", "target"),)
    kind: Literal["assault"] = "assault"
    attacker: MiniatureId
    target: MiniatureId
    weapon: Name | None = None


class ImpactAttacks(BaseQuery):
    """Whom do the impact hits strike?

    Gives `contact_mm` (3 in earn them), members, `resumes` and `poses`; of ranked units `hits` on each unit in contact.
    """

    EDITIONS = EVERY
    RULES = {
        "warmachine-prime": "impact-attack",
        "hordes-mk2": "impact-attacks",
        "warhammer-9": "impact-and-stomp",
        "warmachine-mk1": "cavalry-charge-path",
    }
    PLACES = ("attacker", "target")
    kind: Literal["impact-attacks"] = "impact-attacks"
    attacker: MiniatureId
    target: MiniatureId | None = None
    heading_deg: HeadingDeg | None = None
    attack: Literal["impact", "stomp"] = "impact"


class Frenzy(BaseQuery):
    """Whom does the frenzied one go for?

    Gives `target`, `mode` (attack, advance, charge, none), members in order and `ties`.
    """

    EDITIONS = EVERY - {"warmachine-mk1"}
    RULES = {"warmachine-prime": "frenzy-target", "hordes-mk2": "frenzy-target", "warhammer-9": "frenzy-must-charge"}
    PLACES = ("who",)
    kind: Literal["frenzy"] = "frenzy"
    who: MiniatureId
    may_charge: bool = True


class UnitMove(QueryPart):
    """What one trooper of a unit means to do."""

    PLACES = ("mover", "target")
    mover: MiniatureId
    target: MiniatureId | None = None
    path_mm: PathPoints = Field(min_length=1)


class ChargeUnit(BaseQuery):
    """Is the whole unit's charge order obeyed?

    Yes: each that had the order runs or charges; in the first edition each ends in formation. Margin: the least slack,
    of their ways where those are told, in the first edition of the formation. Gives members and `by_id` (`moved`).
    """

    EDITIONS = PHM
    RULES = {"warmachine-prime": "charge-unit", "hordes-mk2": "charge-unit", "warmachine-mk1": "charge-unit"}
    PLACES = ("unit",)
    PARTS = {"moves": UnitMove}
    kind: Literal["charge-unit"] = "charge-unit"
    unit: UnitId
    moves: tuple[UnitMove, ...] | None = Field(
        None, max_length=MOST_IN_QUESTION, description="what each means to do; what they did when left out"
    )


class ThreatRange(BaseQuery):
    """How far does it threaten, and does it threaten that?

    By charge, by a full advance and a blow, by a full advance and a shot: straight on over open ground, as the card has
    it. Yes (`target` given): the target is within the longest. Margin: that length - gap. Gives `threat_mm`, `by` and
    `ways`.
    """

    EDITIONS = PHM
    RULES = {"warmachine-prime": "threat-range", "hordes-mk2": "threat-range", "warmachine-mk1": "threat-range"}
    PLACES = ("attacker", "target")
    APART = (("attacker", "target"),)
    kind: Literal["threat-range"] = "threat-range"
    attacker: MiniatureId
    target: MiniatureId | None = None
    weapon: Name | None = Field(None, description="only with this weapon")
    speed_in: LengthIn | None = SPEED_IN


class PowerAttack(BaseQuery):
    """May I make that power attack?

    Yes: all clauses. Margin: reach - gap. Gives `clauses` and `bonus`.
    """

    EDITIONS = PHM
    RULES = {
        "warmachine-prime": "head-butt power-strike",
        "hordes-mk2": "power-attack-legal",
        "warmachine-mk1": "power-attack-reach",
    }
    PLACES = ("attacker", "target")
    APART = (("attacker", "target"),)
    kind: Literal["power-attack"] = "power-attack"
    attacker: MiniatureId
    target: MiniatureId
    attack: Literal[
        "head-butt", "headlock", "weapon-lock", "push", "slam", "throw", "double-hand-throw", "trample", "power-strike"
    ]


class Slam(BaseQuery):
    """Does my slam get there, where does it send him?

    Yes: the approach ends in reach. Margin: movement left then. Gives `travelled_mm`, `full` (3 in), `bonus`,
    `stopped_by`, and `slammed` (`travelled_mm`, `poses`, `stopped_by`, `knocked_down`, `collateral`, `extra_die`,
    `fall`).
    """

    EDITIONS = PHM
    RULES = {
        "warmachine-prime": "slam-power-attack slam-path",
        "hordes-mk2": "slam-path",
        "warmachine-mk1": "slam-path slammed-path",
    }
    PLACES = ("attacker", "target")
    APART = (("attacker", "target"),)
    kind: Literal["slam"] = "slam"
    attacker: MiniatureId
    target: MiniatureId
    stop_after_in: LengthIn | None = None
    speed_in: LengthIn | None = SPEED_IN
    here: bool = Field(False, description="no approach: it stands where it strikes")
    by: Literal["slam", "power-strike"] = "slam"
    hit: bool | None = None
    dice: Dice = DICE
    distance_in: LengthIn | None = Field(None, description="how far it is slammed, as it stands after all changes")


class Push(BaseQuery):
    """Where does the push leave us?

    Gives `travelled_mm`, `poses`, `stopped_by`, `follow_mm` and `fall`.
    """

    EDITIONS = EVERY
    RULES = {
        "warmachine-prime": "push-path",
        "hordes-mk2": "push-path",
        "warhammer-9": "push-spell",
        "warmachine-mk1": "push-path",
    }
    PLACES = ("attacker", "target")
    APART = (("attacker", "target"),)
    kind: Literal["push"] = "push"
    attacker: MiniatureId
    target: MiniatureId
    distance_in: LengthIn | None = None


class Throw(BaseQuery):
    """May I throw him that way, where does he land?

    Yes: the direction is legal (heading given), or the model aimed at is near enough (at given). Margin: slack of the
    heading in degrees, or throw distance - gap. Gives `distance_mm`, `fan_deg`, `cap_mm`, `point_mm`, `poses`,
    `stopped_by`, `knocked_down`, `collateral`, `extra_die`, `fall`.
    """

    EDITIONS = PHM
    RULES = {
        "warmachine-prime": "throw-path throw-deviation",
        "hordes-mk2": "throw-direction-legal throw-distance throw-deviation throw-path double-hand-throw-path",
        "warmachine-mk1": "throw-path double-hand-throw-path",
    }
    PLACES = ("attacker", "target", "at")
    APART = (("attacker", "target"),)
    kind: Literal["throw"] = "throw"
    attacker: MiniatureId
    target: MiniatureId
    at: MiniatureId | None = Field(None, description="the model it is thrown at")
    heading_deg: HeadingDeg | None = None
    hands: Literal[1, 2] = 1
    hit: bool | None = None
    point_mm: Point | None = Field(None, description="where it is to land, when that is known")
    dice: Dice = DICE
    distance_in: LengthIn | None = Field(None, description="throw distance in inches, in place of half the strength")

    @model_validator(mode="after")
    def _one_aim(self) -> "Throw":
        return at_most_one(self, "at", "heading_deg")


class Trample(BaseQuery):
    """Whom do I trample, may I stop there?

    Yes: the end is legal. Margin: the tightest clearance. Gives members in order, `by_id` (`at_mm`, `back_strike`),
    `poses`, `stopped_by` and `free_strikes`. Without a heading the one that runs over the most enemies is looked for,
    and `best` tells it (`heading_deg`, `fan_deg`, `distance_in`, `enemies`, `friends`).
    """

    EDITIONS = PHM
    RULES = {
        "warmachine-prime": "trample-path trample-back-strike trample-free-strikes",
        "hordes-mk2": "trample-path",
        "warmachine-mk1": "trample-path trample-free-strikes",
    }
    PLACES = ("attacker", "hits")
    kind: Literal["trample"] = "trample"
    attacker: MiniatureId
    heading_deg: HeadingDeg | None = None
    distance_in: LengthIn | None = None
    speed_in: LengthIn | None = SPEED_IN
    hits: MiniatureIds = ()


class Action(BaseQuery):
    """Does it get there?

    Straight at the target by the shortest way. Yes: it is long enough and free. Margin: the least of length - way and
    the other conditions. Gives `clauses`, `way_mm`, `length_mm`.
    """

    EDITIONS = OPEN
    PLACES = ("attacker", "target")
    kind: Literal["action"] = "action"
    attacker: MiniatureId
    target: MiniatureId
    length_in: LengthIn | None = Field(None, description="how far it may go; the speed on its card when left out")
