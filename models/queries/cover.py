"""Cover and attack modifiers: what hides a target, and whatever else changes an attack."""

from typing import Literal

from pydantic import Field

from models.queries.base import (
    EVERY,
    OPEN,
    ORIGIN,
    PHM,
    Attack,
    BaseQuery,
    MiniatureId,
    Name,
    PathPoints,
    Place,
    Shot,
)
from models.vocabulary import Word


class Cover(BaseQuery):
    """Do I have cover or concealment?

    Yes: either. Margin: that of the deciding test (1 in - the run along the line, or the depth inside). Gives `kind`,
    `bonus`, `features`.
    """

    EDITIONS = EVERY | OPEN
    RULES = {
        "warmachine-prime": "cover concealment intervening-terrain cloud-concealment forest-concealment rubble-cover",
        "hordes-mk2": "cover concealment cover-or-concealment",
        "warhammer-9": "cover-unit cover-obstacle",
    }
    PLACES = ("attacker", "target", "origin")
    kind: Literal["cover"] = "cover"
    attacker: MiniatureId
    target: MiniatureId
    origin: Place | None = ORIGIN
    attack: Shot = "ranged"
    shape: Literal["single", "spray"] = "single"


class Trench(BaseQuery):
    """What does my trench give me?

    Yes: wholly in trenches, and the attacker touches none of them. Margin: the depth inside, or the attacker's gap;
    touching counts (`area-touch`). Gives `cover`, `blast_immune` and `screens`.
    """

    EDITIONS = PHM
    RULES = {"warmachine-prime": "trench-cover blast-in-trench", "hordes-mk2": "trench"}
    PLACES = ("target", "attacker", "origin")
    kind: Literal["trench"] = "trench"
    target: MiniatureId
    attacker: MiniatureId | None = None
    origin: Place | None = Field(None, description="where a blast comes from")


class ElevationBonus(BaseQuery):
    """Does the higher ground help?

    Yes: the bonus is earned. Margin: height difference - threshold. Gives `bonus` and `heights`.
    """

    RULES = {
        "warmachine-prime": "elevation-bonus",
        "hordes-mk2": "elevation-bonus",
        "warhammer-9": "hill-bonus",
        "warmachine-mk1": "elevated-target",
    }
    PLACES = ("attacker", "target")
    APART = (("attacker", "target"),)
    kind: Literal["elevation-bonus"] = "elevation-bonus"
    attacker: MiniatureId
    target: MiniatureId
    attack: Attack = "ranged"


class BackStrike(BaseQuery):
    """Do I get the back strike?

    Yes: behind the arc line when it must be. Margin: the least clearance behind it; touching it is not behind
    (`arc-line-touch`). Gives `first_break_mm` along the path.
    """

    EDITIONS = PHM
    RULES = {"warmachine-prime": "back-strike", "hordes-mk2": "back-strike", "warmachine-mk1": "back-strike"}
    PLACES = ("attacker", "target", "origin")
    APART = (("attacker", "target"),)
    kind: Literal["back-strike"] = "back-strike"
    attacker: MiniatureId
    target: MiniatureId
    origin: Place | None = ORIGIN
    path_mm: PathPoints | None = Field(None, min_length=1, description="the attacker's path; it strikes at the end")


class ShieldWall(BaseQuery):
    """Does shield wall protect me from this?

    Yes: ordered, in rank (in the first edition) or base to base with another that is, hit from the front. Margin: the
    least slack of arc and contact. Gives `neighbours`, `bonus` and `clauses`.
    """

    EDITIONS = PHM
    RULES = {"warmachine-prime": "shield-wall", "hordes-mk2": "shield-wall", "warmachine-mk1": "shield-wall-neighbours"}
    PLACES = ("target", "attacker", "origin")
    kind: Literal["shield-wall"] = "shield-wall"
    target: MiniatureId
    attacker: MiniatureId | None = None
    origin: Place | None = ORIGIN


class MeleeTerrainBonus(BaseQuery):
    """Does the wall between us help in melee?

    Yes: an obstacle or obstruction obscures part of the target. Margin: how deep the lines cross it. Gives `bonus`,
    `feature`.
    """

    EDITIONS = PHM
    RULES = {"warmachine-prime": "melee-obstruction-bonus", "hordes-mk2": "melee-obstruction-bonus"}
    PLACES = ("attacker", "target")
    APART = (("attacker", "target"),)
    kind: Literal["melee-terrain-bonus"] = "melee-terrain-bonus"
    attacker: MiniatureId
    target: MiniatureId


class InMeleePenalty(BaseQuery):
    """Is it harder because the target is in melee?

    Yes: the penalty applies. Margin: that of the deciding reach. Gives `bonus` and `waived_by`.
    """

    EDITIONS = PHM
    RULES = {"warmachine-prime": "target-in-melee-bonus", "warmachine-mk1": "in-melee-penalty"}
    PLACES = ("attacker", "target", "origin")
    APART = (("attacker", "target"),)
    kind: Literal["in-melee-penalty"] = "in-melee-penalty"
    attacker: MiniatureId
    target: MiniatureId
    attack: Shot = "ranged"
    shape: Literal["single", "spray", "aoe"] = "single"
    origin: Place | None = ORIGIN


class InMeleeGroup(BaseQuery):
    """If I miss, whom may I hit instead?

    Gives members (who may be drawn), `by_id` (`why`), `links` and `bands` (die faces of each).
    """

    EDITIONS = PHM
    RULES = {"warmachine-prime": "in-melee-group", "hordes-mk2": "in-melee-group", "warmachine-mk1": "in-melee-group"}
    PLACES = ("attacker", "target", "origin")
    APART = (("attacker", "target"),)
    kind: Literal["in-melee-group"] = "in-melee-group"
    attacker: MiniatureId
    target: MiniatureId
    attack: Shot = "ranged"
    origin: Place | None = ORIGIN


class AttackModifiers(BaseQuery):
    """What adds up for this attack?

    Gives `modifiers` and their `total`, attack less defence. Margin: that of the test nearest to its threshold.
    """

    RULES = {
        "warmachine-prime": "defence-summary",
        "hordes-mk2": "attack-modifiers",
        "warhammer-9": "shooting-modifiers",
    }
    PLACES = ("attacker", "target", "origin")
    kind: Literal["attack-modifiers"] = "attack-modifiers"
    attacker: MiniatureId
    target: MiniatureId
    attack: Attack
    shape: Literal["single", "spray", "aoe"] = "single"
    weapon: Name | None = Field(None, description="name of the weapon")
    origin: Place | None = ORIGIN
    reaction: Word | None = Field(None, description="what the attack answers, such as free-strike")
