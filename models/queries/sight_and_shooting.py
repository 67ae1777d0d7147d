"""Line of sight and shooting: who sees, reaches and may shoot whom."""

from typing import Literal

from pydantic import Field, model_validator

from models.queries.base import (
    EVERY,
    OPEN,
    ORIGIN,
    PHM,
    Attack,
    BaseQuery,
    M,
    MiniatureId,
    MiniatureIds,
    Name,
    Place,
    RangeIn,
    ThingId,
    at_most_one,
)  # fmt: skip
from models.vocabulary import MOST_IN_QUESTION, PositiveIn


class Los(BaseQuery):
    """Can A see B?

    Yes: one clear line. Margin: how far all blockers may grow (must shrink); exactly zero is blocked (`los-touch`).
    Gives `ignored`, `decided_by`, `posts` (where to hold a post of each height), and `forest_mm`, `wall_mm` where they
    arise.
    """

    EDITIONS = EVERY | OPEN
    RULES = {
        "warmachine-prime": "los los-terrain-volume los-forest los-cloud los-elevation los-trench los-huge-target "
        "reference-object-check",
        "hordes-mk2": "los los-elevation los-forest los-cloud los-wall",
        "warhammer-9": "los-model los-unit los-forest los-hill los-towering los-swarm los-obstacle-lean "
        "los-building los-ethereal",
        "warmachine-mk1": "los los-3d elevation-los",
    }
    PLACES = ("viewer", "target", "ignoring")
    APART = (("viewer", "target"),)
    kind: Literal["los"] = "los"
    viewer: MiniatureId
    target: MiniatureId
    ignoring: tuple[ThingId, ...] = Field(
        (), max_length=MOST_IN_QUESTION, description="ids that are not in the way for this question"
    )
    purpose: Literal["shot", "charge", "melee"] | None = Field(None, description="what the line is wanted for")


class Intervening(BaseQuery):
    """Is X in the way?

    Yes: its base meets the corridor between the two, and it can close the line. Margin: how deep. Gives `depth_mm`,
    `counts`, whether it can close the line, and `why` not.
    """

    EDITIONS = PHM
    RULES = {
        "warmachine-prime": "intervening-model",
        "hordes-mk2": "intervening screen-counts",
        "warmachine-mk1": "intervening",
    }
    PLACES = ("viewer", "target", "blocker")
    APART = (("viewer", "target"), ("viewer", "blocker"), ("target", "blocker"))
    kind: Literal["intervening"] = "intervening"
    viewer: MiniatureId
    target: MiniatureId
    blocker: MiniatureId


class Screening(BaseQuery):
    """Am I screened?

    Yes: at least one model screens the target. Margin: the least of the sight, 1 in - gap, and the intrusion. Gives
    members, `sight` and `bonus`.
    """

    EDITIONS = M
    RULES = {"warmachine-mk1": "screening"}
    PLACES = ("attacker", "target")
    APART = (("attacker", "target"),)
    kind: Literal["screening"] = "screening"
    attacker: MiniatureId
    target: MiniatureId


class TargetLegal(BaseQuery):
    """May I attack that?

    Yes: all `clauses` hold. Margin: the least of them.
    """

    EDITIONS = PHM
    RULES = {
        "warmachine-prime": "target-legal mount-attack",
        "hordes-mk2": "target-legal",
        "warmachine-mk1": "melee-attack-reach",
    }
    PLACES = ("attacker", "target", "origin")
    kind: Literal["target-legal"] = "target-legal"
    attacker: MiniatureId
    target: ThingId
    attack: Attack
    weapon: Name | None = Field(None, description="name of the weapon; the one that reaches farthest when left out")
    origin: Place | None = ORIGIN


class SpellTarget(BaseQuery):
    """May I cast this at that, is it in range?

    Yes: all `clauses` hold, range among them. Margin: the least of them. Gives `in_range`.
    """

    RULES = {
        "warmachine-prime": "spell-range",
        "hordes-mk2": "spell-target",
        "warhammer-9": "spell-target",
        "warmachine-mk1": "spell-target-los",
    }
    PLACES = ("caster", "target", "origin")
    kind: Literal["spell-target"] = "spell-target"
    caster: MiniatureId
    target: ThingId
    spell: Name | None = Field(None, description="name of one of the caster's spells")
    range_in: RangeIn | None = None
    offensive: bool | None = Field(None, description="whether it is an attack; the spell's own word when left out")
    origin: Place | None = ORIGIN

    @model_validator(mode="after")
    def _one_length(self) -> "SpellTarget":
        return at_most_one(self, "spell", "range_in")


class Range(BaseQuery):
    """Is it in range?

    Yes: gap at most the range. Margin: range - gap.
    """

    EDITIONS = EVERY | OPEN
    RULES = {"warmachine-prime": "range special-rule-range", "hordes-mk2": "range"}
    PLACES = ("attacker", "target", "origin")
    kind: Literal["range"] = "range"
    attacker: MiniatureId
    target: ThingId
    weapon: Name | None = Field(None, description="name of one of the attacker's ranged weapons")
    range_in: PositiveIn | None = Field(None, description="or the range in inches, as printed")
    stat: Literal["command", "control", "self"] | None = Field(
        None, description="or a range the attacker's profile gives"
    )
    origin: Place | None = Field(None, description="where it is measured from, when not the attacker")

    @model_validator(mode="after")
    def _one_length(self) -> "Range":
        return at_most_one(self, "weapon", "range_in", "stat")


class Stealth(BaseQuery):
    """Does Stealth make the shot miss?

    Yes: the shot comes from farther than 5 in. Margin: gap - 5 in; exactly 5 in is near.
    """

    EDITIONS = PHM
    RULES = {"warmachine-prime": "stealth-miss", "hordes-mk2": "stealth", "warmachine-mk1": "stealth-range"}
    PLACES = ("attacker", "target", "origin")
    APART = (("attacker", "target"),)
    kind: Literal["stealth"] = "stealth"
    attacker: MiniatureId
    target: MiniatureId
    origin: Place | None = ORIGIN


class MayShoot(BaseQuery):
    """May I shoot at all?

    Yes: nothing forbids it. Margin: how far the nearest link of a melee is from holding. Gives `reasons`, `only_at` and
    `after_charge`.
    """

    RULES = {
        "warmachine-prime": "may-shoot gunfighter",
        "hordes-mk2": "gunfighter",
        "warhammer-9": "shooting-forbidden",
        "warmachine-mk1": "strafe",
    }
    PLACES = ("attacker", "target")
    kind: Literal["may-shoot"] = "may-shoot"
    attacker: MiniatureId
    target: MiniatureId | None = None
    weapon: Name | None = Field(None, description="name of one of the attacker's ranged weapons")
    allotted: bool = Field(False, description="whether the shot was paid for, where that is needed")


class Aim(BaseQuery):
    """Did it stand still, so does it aim?

    Yes: neither moved nor turned, and allowed to aim. Margin: tolerance - shift. Gives `shift_mm`, `turn_deg`.
    """

    EDITIONS = PHM
    RULES = {"warmachine-prime": "aim-legal", "warmachine-mk1": "aim-legal"}
    PLACES = ("who",)
    kind: Literal["aim"] = "aim"
    who: MiniatureId
    weapon: Name | None = Field(None, description="name of one of its ranged weapons")


class CombinedRanged(BaseQuery):
    """Who counts in our combined shot?

    Gives members, `by_id` (`part`: adds, spent or may-not, and `why`), `bonus`, `auto_miss` and `cover_from`.
    """

    EDITIONS = PHM
    RULES = {
        "warmachine-prime": "combined-ranged-participants",
        "hordes-mk2": "combined-ranged-attack",
        "warmachine-mk1": "combined-ranged-participants",
    }
    PLACES = ("participants", "primary", "target")
    kind: Literal["combined-ranged"] = "combined-ranged"
    participants: MiniatureIds = Field(min_length=1, description="who shoots together")
    primary: MiniatureId
    target: MiniatureId
    weapon: Name | None = Field(None, description="name of the ranged weapon they use")
    range_in: PositiveIn | None = Field(None, description="or the range in inches, as printed")

    @model_validator(mode="after")
    def _one_length(self) -> "CombinedRanged":
        return at_most_one(self, "weapon", "range_in")
