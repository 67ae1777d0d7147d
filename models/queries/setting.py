"""Terrain and set-up: what a piece counts as, what stands on it, and who may start where."""

from typing import Literal

from pydantic import Field

from models.pose import Pose
from models.queries.asked import HM, PH, PHM, PHW, PW, Asked, Attack, H, MiniatureId, P, ThingId
from models.words import Point


class TerrainClass(Asked):
    """What does this piece count as?

    Gives `counts_as` (kind word), `ground`, `grants` and `limits_mm` (how far its height lies from what matters).
    """

    EDITIONS = PHM
    RULES = {
        "hordes-mk2": "obstacle-kind",
        "warmachine-mk1": "terrain-class",
    }
    PLACES = ("feature",)
    kind: Literal["terrain-class"] = "terrain-class"
    feature: ThingId


class Elevation(Asked):
    """How high does it stand, is it elevated?

    Yes: it counts as elevated. Margin: depth inside the feature. Gives `height_mm`, `level` and `on`.
    """

    EDITIONS = PH
    RULES = {
        "warmachine-prime": "elevated",
        "hordes-mk2": "hill",
    }
    PLACES = ("who",)
    kind: Literal["elevation"] = "elevation"
    who: MiniatureId


class Water(Asked):
    """Is it in the water, and what follows?

    Yes: it is, and wholly where the book asks for that. Margin: depth. Gives `kind`, `barred`, `def_base`, `concealed`.
    """

    EDITIONS = PH
    RULES = {
        "warmachine-prime": "amphibious-water",
        "hordes-mk2": "deep-water",
    }
    PLACES = ("who", "feature")
    kind: Literal["water"] = "water"
    who: MiniatureId
    feature: ThingId | None = None


class TerrainPlacement(Asked):
    """May this piece stand there in this scenario?

    Yes: clear of zones and flags. Margin: nearest limit; touching a limit is no. Gives `clauses`.
    """

    EDITIONS = P
    RULES = {"warmachine-prime": "terrain-placement-legal"}
    PLACES = ("feature",)
    kind: Literal["terrain-placement"] = "terrain-placement"
    feature: ThingId


class Deployment(Asked):
    """May I deploy there?

    Yes: wholly in the zone, and all clauses hold. Margin: the tightest of them. Gives `zone` and `clauses`.
    """

    EDITIONS = PHW
    RULES = {
        "warmachine-prime": "deployment-legal advance-deployment-legal corner-deployment-legal outflank-legal",
        "hordes-mk2": "deployment",
        "warhammer-9": "deployment-legal scout-placement",
    }
    PLACES = ("who",)
    kind: Literal["deployment"] = "deployment"
    who: MiniatureId
    to: Pose | None = None
    manner: Literal["normal", "advance", "corner", "outflank", "scout"] | None = None


class Reinforcements(Asked):
    """May it come on here?

    Yes: wholly in the strip, and all clauses hold. Margin: depth limit - farthest point, or a tighter clause. Gives
    `depth_mm`, `clauses` and, of ranked units, `left_mm`: how far it may go on from there.
    """

    EDITIONS = PW
    RULES = {
        "warmachine-prime": "ambush-legal reinforcement-legal",
        "warhammer-9": "reinforcement-placement ambush-entry",
    }
    PLACES = ("who", "edge")
    kind: Literal["reinforcements"] = "reinforcements"
    who: MiniatureId
    edge: ThingId
    to: Pose | None = None
    manner: Literal["ambush", "reserve", "pursuit"] | None = None


class ZoneSeparation(Asked):
    """Are the zones far enough apart?

    Yes: at least 28 in. Margin: gap - 28 in.
    """

    EDITIONS = PH
    RULES = {
        "warmachine-prime": "zone-separation",
        "hordes-mk2": "line-up",
    }
    PLACES = ("a", "b")
    kind: Literal["zone-separation"] = "zone-separation"
    a: ThingId
    b: ThingId


class Entryway(Asked):
    """May it go in through that door?

    Yes: an opening agreed on for its base, and wide enough. Margin: opening - base. Gives `clauses`.
    """

    EDITIONS = H
    RULES = {"hordes-mk2": "entryway"}
    PLACES = ("mover", "feature")
    kind: Literal["entryway"] = "entryway"
    mover: MiniatureId
    feature: ThingId
    opening: int | None = Field(None, ge=0, description="which of the openings, counted from 0; the widest else")


class StructureTarget(Asked):
    """May I attack that part of the building?

    Yes: legal and in range. Margin: range - gap to the section. Gives `auto_hit`, `damaging` and `clauses`.
    """

    EDITIONS = HM
    RULES = {
        "hordes-mk2": "structure-target",
        "warmachine-mk1": "structure-target",
    }
    PLACES = ("attacker", "target")
    kind: Literal["structure-target"] = "structure-target"
    attacker: MiniatureId
    target: ThingId
    section: int | Point | None = Field(None, description="which section, counted from 0, or a point of it")
    attack: Attack
    weapon: str | None = Field(None, description="name of the weapon")


class StructureCapacity(Asked):
    """How much damage does it take?

    Gives `points`, `length_mm` and `per_inch`.
    """

    EDITIONS = H
    RULES = {"hordes-mk2": "structure-capacity"}
    PLACES = ("feature",)
    kind: Literal["structure-capacity"] = "structure-capacity"
    feature: ThingId


class StructureCollapse(Asked):
    """Whom does the collapse bury?

    Gives members, `power` (multiples of their ARM) and `ruin` (the terrain that is left).
    """

    EDITIONS = H
    RULES = {"hordes-mk2": "structure-collapse"}
    PLACES = ("feature",)
    kind: Literal["structure-collapse"] = "structure-collapse"
    feature: ThingId
