"""Melee: reach, who fights whom, and who may strike."""

from typing import Literal

from pydantic import Field, model_validator

from models.queries.base import (
    HM,
    OPEN,
    PHM,
    PM,
    BaseQuery,
    Location,
    MiniatureId,
    MiniatureIds,
    Name,
    PathPoints,
    at_most_one,
)
from models.vocabulary import AngleDeg, LengthIn


class MeleeRange(BaseQuery):
    """Can my weapon reach it?

    Yes: within reach of the part of the target in front. Margin: reach - that gap. Gives `weapons`, `height_mm`.
    """

    EDITIONS = PHM
    RULES = {
        "warmachine-prime": "melee-range melee-range-elevation",
        "hordes-mk2": "melee-range",
        "warmachine-mk1": "melee-range in-melee-range",
    }
    PLACES = ("attacker", "target")
    APART = (("attacker", "target"),)
    kind: Literal["melee-range"] = "melee-range"
    attacker: MiniatureId
    target: MiniatureId
    weapon: Name | None = Field(
        None, description="name of one of the attacker's melee weapons; all of them when left out"
    )
    reach_in: LengthIn | None = Field(None, description="or the reach in inches, as printed")

    @model_validator(mode="after")
    def _one_length(self) -> "MeleeRange":
        return at_most_one(self, "weapon", "reach_in")


class Engaged(BaseQuery):
    """Does A engage B?

    Yes: reach and sight, neither helpless. Margin: the least of them. Gives `back` (does B engage A).
    """

    EDITIONS = PHM | OPEN
    RULES = {"warmachine-prime": "engaging engaged", "hordes-mk2": "engaged", "warmachine-mk1": "engaging engaged"}
    PLACES = ("attacker", "target")
    APART = (("attacker", "target"),)
    kind: Literal["engaged"] = "engaged"
    attacker: MiniatureId
    target: MiniatureId


class InMelee(BaseQuery):
    """Is it in melee, and with whom?

    Yes: it engages or is engaged. Margin: that of the nearest link. Gives members and `by_id` (`engages`, `engaged`).
    """

    EDITIONS = PHM
    RULES = {"warmachine-prime": "in-melee", "hordes-mk2": "in-melee", "warmachine-mk1": "in-melee"}
    PLACES = ("who", "against")
    kind: Literal["in-melee"] = "in-melee"
    who: MiniatureId
    against: MiniatureId | None = None


class FreeStrike(BaseQuery):
    """Who may strike me as I go?

    Yes: at least one may. Margin: how far the closest case passes the limit; just staying within is no. Gives members
    and `by_id` (`at_mm`, `after_mm`, `lost`, `times`; in the first edition `strikes`).
    """

    EDITIONS = PHM
    RULES = {"warmachine-prime": "free-strike", "hordes-mk2": "free-strike", "warmachine-mk1": "free-strike"}
    PLACES = ("mover",)
    kind: Literal["free-strike"] = "free-strike"
    mover: MiniatureId
    path_mm: PathPoints | None = Field(
        None, min_length=1, description="places of the base centre; its tracked move when left out"
    )
    cause: Literal["advance", "pushed", "slammed", "thrown", "placed", "trample"] = "advance"


class Sweep(BaseQuery):
    """Whom does an attack on everybody in reach hit?

    Gives members. A member's margin: the least of reach, field and sight.
    """

    EDITIONS = PM
    RULES = {"warmachine-prime": "sweep-targets", "warmachine-mk1": "melee-set"}
    PLACES = ("attacker",)
    kind: Literal["sweep"] = "sweep"
    attacker: MiniatureId
    weapon: Name | None = Field(None, description="name of one of the attacker's melee weapons")
    reach_in: LengthIn | None = Field(None, description="or the reach in inches, as printed")
    location: Location | None = Field(None, description="the side the weapon is on; its own word when left out")

    @model_validator(mode="after")
    def _one_length(self) -> "Sweep":
        return at_most_one(self, "weapon", "reach_in")


class CombinedMelee(BaseQuery):
    """Who counts in our combined blow?

    Gives members, `by_id` (`why`), `bonus` and `charge_attack`.
    """

    EDITIONS = PHM
    RULES = {
        "warmachine-prime": "combined-melee-participants",
        "hordes-mk2": "combined-melee-attack",
        "warmachine-mk1": "combined-melee-participants",
    }
    PLACES = ("participants", "primary", "target")
    kind: Literal["combined-melee"] = "combined-melee"
    participants: MiniatureIds = Field(min_length=1, description="who strikes together")
    primary: MiniatureId
    target: MiniatureId


class Lock(BaseQuery):
    """Does the lock still hold?

    Yes: neither has moved, and nothing has broken it. Margin: tolerance - shift. Gives `may_move` and `broken_by`.
    """

    EDITIONS = HM
    RULES = {"hordes-mk2": "lock", "warmachine-mk1": "lock-integrity"}
    PLACES = ("attacker", "target")
    APART = (("attacker", "target"),)
    kind: Literal["lock"] = "lock"
    attacker: MiniatureId
    target: MiniatureId


class StandUp(BaseQuery):
    """May it stand up, and which way may it look?

    Yes: it is down and may rise now. Gives `clauses`, `facing_deg` (as it chose; any way is allowed) and `gives_up`.
    """

    EDITIONS = PHM
    RULES = {"warmachine-prime": "stand-up", "warmachine-mk1": "knocked-down-facing"}
    PLACES = ("who",)
    kind: Literal["stand-up"] = "stand-up"
    who: MiniatureId
    facing_deg: AngleDeg | None = None
    gives_up: Literal["movement", "action"] | None = Field(None, description="what it forfeits to rise")
