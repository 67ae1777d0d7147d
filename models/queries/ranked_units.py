"""Ranked units: formation, strength, who shoots, who fights, and what protects whom."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from models.pose import Pose
from models.queries.base import (
    EVERY,
    BaseQuery,
    MiniatureId,
    MiniatureIds,
    MoveIn,
    Name,
    ThingId,
    UnitId,
    W,
)
from models.turn import UnitPose
from models.vocabulary import MOST_IN_QUESTION, AngleDeg

Wounds = Annotated[int, Field(ge=0, le=1000)]


class RankedFormation(BaseQuery):
    """Do they stand in proper ranks?

    Yes: all of them. Margin: the worst gap against its limit. Gives members, `defects` (words), `grids` (files and
    ranks that would be legal), `files`, `ranks` and `crooked_deg`.
    """

    EDITIONS = EVERY - {"warmachine-prime", "hordes-mk2"}
    RULES = {"warhammer-9": "unit-legal-formation skirmish-formation", "warmachine-mk1": "tight-formation"}
    PLACES = ("unit",)
    kind: Literal["ranked-formation"] = "ranked-formation"
    unit: UnitId
    manner: Literal["ranked", "tight", "skirmish", "squeezing"] | None = Field(
        None, description="how they are ordered to stand, when the unit does not say"
    )


class UnitStrength(BaseQuery):
    """How strong is the unit?

    Gives `strength`, `passed` (5, 10, 40) and `large_target`.
    """

    EDITIONS = W
    RULES = {"warhammer-9": "unit-strength large-target"}
    PLACES = ("unit",)
    kind: Literal["unit-strength"] = "unit-strength"
    unit: MiniatureId


class Casualties(BaseQuery):
    """Who is taken off, how does it stand then?

    Gives `removed`, `poses` of those that step elsewhere, `files` and `ranks`.
    """

    EDITIONS = W
    RULES = {"warhammer-9": "unit-ranks"}
    PLACES = ("unit",)
    kind: Literal["casualties"] = "casualties"
    unit: UnitId
    lost: int = Field(ge=0, le=1_000, description="how many are taken off")


class March(BaseQuery):
    """May it march without a test?

    Yes: no enemy near. Margin: nearest enemy - 8 in (exactly 8 in is near). Gives `nearest`, `chance` of the test and
    `allowance_mm`; of flyers also `flying_allowance_mm`.
    """

    EDITIONS = W
    RULES = {"warhammer-9": "march"}
    PLACES = ("mover",)
    kind: Literal["march"] = "march"
    mover: MiniatureId


class Shooters(BaseQuery):
    """How many of mine may shoot?

    Yes: at least one. Margin: that of the one that has most to spare. Gives members, `count`, `by_rank`, `needs` and
    `expected_hits`; of multiple shots those of one shot of each, and what a `single_shot` needs instead.
    """

    EDITIONS = W
    RULES = {"warhammer-9": "shooters-eligible fire-two-ranks volley-fire skirmisher-fire building-shooting"}
    PLACES = ("attacker", "target")
    kind: Literal["shooters"] = "shooters"
    attacker: MiniatureId
    target: MiniatureId
    weapon: Name | None = Field(None, description="name of the missile weapon; the first on the card when left out")
    manner: Literal["normal", "volley"] = "normal"


class ShootingIntoCombat(BaseQuery):
    """May we shoot at an engaged enemy?

    Yes: from within 4 in of a free side, and all clauses hold. Margin: 4 in - distance. Gives `side`, `clauses` and
    `ones_hit` (whom a natural 1 hits).
    """

    EDITIONS = W
    RULES = {"warhammer-9": "shooting-into-combat"}
    PLACES = ("attacker", "target")
    kind: Literal["shooting-into-combat"] = "shooting-into-combat"
    attacker: MiniatureId
    target: MiniatureId
    weapon: Name | None = Field(None, description="name of the missile weapon")


class LookOutSir(BaseQuery):
    """Is the character protected?

    Yes: protected. Margin: 3 in - gap of a lone one. Gives `how` (automatic, roll), `by` and `chance`.
    """

    EDITIONS = W
    RULES = {"warhammer-9": "look-out-sir shots-at-character"}
    PLACES = ("who",)
    kind: Literal["look-out-sir"] = "look-out-sir"
    who: MiniatureId
    cause: Literal["template", "shot", "charge", "spell"]


class CombatContacts(BaseQuery):
    """Who fights, who supports?

    Gives `pairs`, `counts` (contact and support of each unit) and members.
    """

    EDITIONS = W
    RULES = {"warhammer-9": "combat-contacts supporting-attacks"}
    PLACES = ("among",)
    kind: Literal["combat-contacts"] = "combat-contacts"
    among: MiniatureIds | None = Field(None, description="which units; all when left out")


class CombatBonuses(BaseQuery):
    """What do we add to the combat result?

    Gives `bonuses` (name, side, bonus), `ranks`, `disrupted_by` and `total` of each side; with the wounds told also the
    `result` of each side, the `winner` with what it won `by`, and `break_tests`, of each unit of the losers what it
    lost by and its chance to stand.
    """

    EDITIONS = W
    RULES = {"warhammer-9": "rank-bonus combat-bonuses disruption"}
    PLACES = ("a", "b")
    kind: Literal["combat-bonuses"] = "combat-bonuses"
    a: MiniatureIds = Field(min_length=1, description="the units of one side of the combat")
    b: MiniatureIds = Field(min_length=1, description="the units of the other")
    wounds_a: tuple[Wounds, ...] = Field(
        (), max_length=MOST_IN_QUESTION, description="unsaved wounds that each unit of a caused, in order"
    )
    wounds_b: tuple[Wounds, ...] = Field((), max_length=MOST_IN_QUESTION, description="those of b")

    @model_validator(mode="after")
    def _one_each(self) -> "CombatBonuses":
        if (self.wounds_a or self.wounds_b) and (len(self.wounds_a), len(self.wounds_b)) != (len(self.a), len(self.b)):
            raise ValueError("wounds_a and wounds_b tell one number for each unit of a and of b")
        return self


class Steadfast(BaseQuery):
    """Are we steadfast?

    Yes: all clauses hold. Gives `clauses` and `strengths`.
    """

    EDITIONS = W
    RULES = {"warhammer-9": "steadfast"}
    PLACES = ("unit",)
    kind: Literal["steadfast"] = "steadfast"
    unit: MiniatureId


class Wheel(BaseQuery):
    """What does that wheel cost?

    Yes: legal as a move of that wheel alone. Margin: the least of allowance - arc of the outer corner, what it leaves
    of twice the Movement, and the clearances. Gives `cost_mm`, `most_deg`, `poses`, `violation` and `rear_mm`, how far
    the outer rear corner goes.
    """

    EDITIONS = W
    RULES = {"warhammer-9": "wheel-distance wheel-double-move"}
    PLACES = ("mover",)
    kind: Literal["wheel"] = "wheel"
    mover: MiniatureId
    way: Literal["left", "right"]
    by_deg: AngleDeg | None = Field(None, ge=0, le=360, description="how far it turns; as far as it may when left out")
    allowance_in: MoveIn | None = Field(None, description="how far it may go, when the card does not say")


class JoinUnit(BaseQuery):
    """May he join or leave, where does he stand?

    Yes: all `clauses` hold. Margin: contact tolerance - gap. Gives `cells` (how many places its base takes), `place`
    (rank and file, or beside) and `clauses`.
    """

    EDITIONS = W
    RULES = {"warhammer-9": "character-join character-leave character-footprint"}
    PLACES = ("who", "unit")
    kind: Literal["join-unit"] = "join-unit"
    who: MiniatureId
    unit: UnitId
    manner: Literal["join", "leave"] = "join"


class Challenge(BaseQuery):
    """Where do the challengers meet?

    Gives `places` (where the challenged one may stand in contact) and `assumed`, when there is none.
    """

    EDITIONS = W
    RULES = {"warhammer-9": "challenge-move"}
    PLACES = ("a", "b")
    kind: Literal["challenge"] = "challenge"
    a: MiniatureId
    b: MiniatureId


class Nudge(BaseQuery):
    """How is contact restored?

    Gives `shift_mm` and `poses`: the smallest shift, without a turn.
    """

    EDITIONS = W
    RULES = {"warhammer-9": "nudge-contact"}
    PLACES = ("mover", "target")
    kind: Literal["nudge"] = "nudge"
    mover: MiniatureId
    target: MiniatureId


class Garrison(BaseQuery):
    """May it enter or leave that building?

    Yes: all `clauses` hold. Margin: contact tolerance - gap, or gap - 1 in. Gives `clauses` and `poses`.
    """

    EDITIONS = W
    RULES = {"warhammer-9": "building-garrison building-exit"}
    PLACES = ("unit", "feature")
    kind: Literal["garrison"] = "garrison"
    unit: MiniatureId
    feature: ThingId
    manner: Literal["enter", "leave"]
    to: Pose | UnitPose | None = None
