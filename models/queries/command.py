"""Command: who stands in formation, who hears whom, and through whom a spell goes."""

from typing import Literal

from pydantic import Field, model_validator

from models.queries.base import HMW, OPEN, PHM, BaseQuery, H, MiniatureId, Name, Place, ThingId, UnitId, at_most_one
from models.vocabulary import LengthIn


class Formation(BaseQuery):
    """Who is in formation?

    Yes (`who` given): that one is. Margin: command range - gap. Gives members, `commander`, `command_mm` and `barred`
    (what those out of formation may not do).
    """

    EDITIONS = PHM | OPEN
    RULES = {
        "warmachine-prime": "formation out-of-formation-effects",
        "hordes-mk2": "formation",
        "warmachine-mk1": "formation",
    }
    PLACES = ("unit", "who")
    kind: Literal["formation"] = "formation"
    unit: UnitId
    who: MiniatureId | None = None


class CommandRange(BaseQuery):
    """Is it within the commander's reach?

    Yes: near enough. Margin: range - gap. Gives `stat`, `range_mm`, `distance_mm` and `whole_unit`.
    """

    RULES = {
        "warmachine-prime": "command-range",
        "hordes-mk2": "command-range",
        "warhammer-9": "leadership-radius battle-standard-radius",
        "warmachine-mk1": "command-range",
    }
    PLACES = ("commander", "who")
    kind: Literal["command-range"] = "command-range"
    commander: MiniatureId
    who: MiniatureId
    purpose: Literal["order", "rally", "test", "marshal", "leadership", "battle-standard"] | None = Field(
        None, description="what the command range is wanted for"
    )


class ControlArea(BaseQuery):
    """Is it in the control area, may I use it?

    Yes: inside, and nothing else that the purpose needs is missing. Margin: twice the stat - gap. Gives `radius_mm`,
    `distance_mm`, `completely` and `clauses`. Without a target all miniatures are asked about, as members.
    """

    EDITIONS = PHM
    RULES = {
        "warmachine-prime": "control-range pack-order",
        "hordes-mk2": "control-area force-legal leach transfer",
        "warmachine-mk1": "control-area",
    }
    PLACES = ("caster", "target")
    kind: Literal["control-area"] = "control-area"
    caster: MiniatureId
    target: Place | None = None
    purpose: Literal["allocate", "power-up", "force", "leach", "reave", "transfer", "marshal", "pack-order"] | None = (
        Field(None, description="what the target is wanted for")
    )


class Channel(BaseQuery):
    """May I channel through it at that?

    Yes: everything holds that channelling needs; without a target, that the channeler may be used at all. Margin: the
    least of them. Gives `clauses`: caster, arc-node, battlegroup, control, state, engaged; for a target sight, range.
    """

    EDITIONS = PHM
    RULES = {"warmachine-prime": "channel", "hordes-mk2": "channel", "warmachine-mk1": "channel"}
    PLACES = ("caster", "channeler", "target")
    kind: Literal["channel"] = "channel"
    caster: MiniatureId
    channeler: MiniatureId
    target: ThingId | None = None
    spell: Name | None = Field(None, description="name of one of the caster's spells")
    range_in: LengthIn | None = Field(None, description="or the range in inches, as printed")

    @model_validator(mode="after")
    def _one_length(self) -> "Channel":
        return at_most_one(self, "spell", "range_in")


class TakeControl(BaseQuery):
    """May I take it over?

    Yes: base to base, and nothing forbids it. Margin: contact tolerance - gap. Gives `clauses`.
    """

    EDITIONS = PHM
    RULES = {"warmachine-prime": "contact-to-control", "hordes-mk2": "take-control"}
    PLACES = ("caster", "target")
    kind: Literal["take-control"] = "take-control"
    caster: MiniatureId
    target: MiniatureId


class Promotion(BaseQuery):
    """Who may take up the standard or the gun?

    Gives members. A member's margin: 1 in - gap to the one that has left play.
    """

    EDITIONS = H
    RULES = {"hordes-mk2": "promotion-range"}
    PLACES = ("who",)
    kind: Literal["promotion"] = "promotion"
    who: MiniatureId


class MoraleCheck(BaseQuery):
    """Who must test their nerve?

    Gives members (margin: limit - gap), `when`, `units` and, for losses, `threshold` (models lost that call for it); of
    a `break` test after a lost combat `chances`, `ld`, `steadfast`, and the `general` and `battle_standard` that help.
    """

    EDITIONS = HMW
    RULES = {
        "hordes-mk2": "terror-range",
        "warhammer-9": "panic-within panic-casualties panic-chance",
        "warmachine-mk1": "terror-range",
    }
    PLACES = ("source", "unit")
    kind: Literal["morale-check"] = "morale-check"
    cause: Literal["terror", "abomination", "casualties", "destroyed", "broken", "fled-through", "break"]
    source: MiniatureId | None = None
    unit: UnitId | None = None
    lost_by: int | None = Field(None, ge=0, le=1000, description="of a break test: by how much the combat was lost")
