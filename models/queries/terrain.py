"""Terrain: what a piece counts as, what stands on it, and what crosses, enters or falls off it."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from models.pose import Pose
from models.queries.base import HM, PHM, PW, Attack, BaseQuery, H, MiniatureId, Name, Steps, ThingId, at_most_one
from models.queries.movement import DistanceIn, HeadingDeg, PathMm
from models.vocabulary import LengthIn, Point


class TerrainClass(BaseQuery):
    """What does this piece count as?

    Gives `counts_as` (kind word), `ground`, `grants` and `limits_mm` (how far its height lies from what matters).
    """

    EDITIONS = PHM
    RULES = {"hordes-mk2": "obstacle-kind", "warmachine-mk1": "terrain-class"}
    PLACES = ("feature",)
    kind: Literal["terrain-class"] = "terrain-class"
    feature: ThingId


class Elevation(BaseQuery):
    """How high does it stand, is it elevated?

    Yes: it counts as elevated. Margin: depth inside the feature. Gives `height_mm`, `level` and `on`.
    """

    EDITIONS = PHM
    RULES = {"warmachine-prime": "elevated", "hordes-mk2": "hill"}
    PLACES = ("who",)
    kind: Literal["elevation"] = "elevation"
    who: MiniatureId


class Water(BaseQuery):
    """Is it in the water, and what follows?

    Yes: it is, and wholly where the book asks for that. Margin: depth. Gives `kind`, `barred`, `def_base`, `concealed`.
    """

    EDITIONS = PHM
    RULES = {"warmachine-prime": "amphibious-water", "hordes-mk2": "deep-water"}
    PLACES = ("who", "feature")
    kind: Literal["water"] = "water"
    who: MiniatureId
    feature: ThingId | None = None


class CrossObstacle(BaseQuery):
    """Can I get over that wall, flag, block?

    Yes: the base ends wholly past. Margin: travel to spare. Gives `needed_mm`, `poses`, `stop_mm` (how far it gets when
    it stops short: to contact).
    """

    EDITIONS = PHM
    RULES = {
        "warmachine-prime": "obstacle-cross obstruction-pass flag-move",
        "hordes-mk2": "cross-linear-obstacle obstruction",
        "warmachine-mk1": "linear-obstacle-crossing",
    }
    PLACES = ("mover", "feature")
    kind: Literal["cross-obstacle"] = "cross-obstacle"
    mover: MiniatureId
    feature: ThingId
    heading_deg: HeadingDeg | None = None
    path_mm: PathMm | None = None
    distance_in: DistanceIn | None = None
    manner: Literal["advance", "run", "charge", "fly"] | None = None

    @model_validator(mode="after")
    def _check_one_way(self) -> "CrossObstacle":
        return at_most_one(self, "path_mm", "heading_deg")


class Climb(BaseQuery):
    """Can it get up and stand on that?

    Yes: room and movement suffice. Margin: 1 in - overhang (P), movement left after the climb (H). Gives `poses`,
    `contact_mm`, `overhang_mm`.
    """

    EDITIONS = PHM
    RULES = {"warmachine-prime": "climb-terraced", "hordes-mk2": "climb"}
    PLACES = ("mover", "feature")
    kind: Literal["climb"] = "climb"
    mover: MiniatureId
    feature: ThingId
    heading_deg: HeadingDeg | None = None
    distance_in: DistanceIn | None = None
    to: Pose | None = None

    @model_validator(mode="after")
    def _check_one_way(self) -> "Climb":
        return at_most_one(self, "heading_deg", "to")


class EntersArea(BaseQuery):
    """Did it enter that area?

    Yes: outside before, inside after. Margin: the lesser of depth after and distance before. Gives `entries` (at_mm).
    """

    EDITIONS = PHM
    RULES = {"warmachine-prime": "entering", "hordes-mk2": "enters-area", "warmachine-mk1": "entering-area"}
    PLACES = ("mover", "area")
    kind: Literal["enters-area"] = "enters-area"
    mover: MiniatureId
    area: ThingId
    path_mm: PathMm | None = None
    cause: Literal["move", "placed", "replaced", "same-model-replaced", "put-into-play", "area-moved"] = "move"


class Hazard(BaseQuery):
    """Who suffers from this ground?

    Yes: somebody does. Margin: depth of the nearest case. Gives members and `by_id` (`entry_mm`, `area`).
    """

    EDITIONS = PW
    RULES = {"warmachine-prime": "hazard", "warhammer-9": "dangerous-terrain-models"}
    PLACES = ("mover", "area")
    kind: Literal["hazard"] = "hazard"
    mover: MiniatureId
    area: ThingId | None = None
    path_mm: PathMm | None = None
    steps: Steps | None = None
    manner: Literal["advance", "run", "charge", "march", "fly", "flee", "pursuit", "overrun", "involuntary"] | None = (
        None
    )


class Fall(BaseQuery):
    """Does it fall, and how badly?

    Yes: it falls. Margin: drop - 1 in. Gives `drop_mm`, `dice` (count, plus) and members landed on.
    """

    EDITIONS = PHM
    RULES = {"warmachine-prime": "fall", "hordes-mk2": "fall", "warmachine-mk1": "falling"}
    PLACES = ("mover", "feature")
    kind: Literal["fall"] = "fall"
    mover: MiniatureId
    path_mm: PathMm | None = None
    feature: ThingId | None = None
    drop_in: LengthIn | None = None


class Entryway(BaseQuery):
    """May it go in through that door?

    Yes: an opening agreed on for its base, and wide enough. Margin: opening - base. Gives `clauses`.
    """

    EDITIONS = H
    RULES = {"hordes-mk2": "entryway"}
    PLACES = ("mover", "feature")
    kind: Literal["entryway"] = "entryway"
    mover: MiniatureId
    feature: ThingId
    opening: int | None = Field(
        None, ge=0, le=1_000, description="which of the openings, counted from 0; the widest else"
    )


class StructureTarget(BaseQuery):
    """May I attack that part of the building?

    Yes: legal and in range. Margin: range - gap to the section. Gives `auto_hit`, `damaging` and `clauses`.
    """

    EDITIONS = HM
    RULES = {"hordes-mk2": "structure-target", "warmachine-mk1": "structure-target"}
    PLACES = ("attacker", "target")
    kind: Literal["structure-target"] = "structure-target"
    attacker: MiniatureId
    target: ThingId
    section: Annotated[int, Field(ge=0, le=1_000)] | Point | None = Field(
        None, description="which section, counted from 0, or a point of it"
    )
    attack: Attack
    weapon: Name | None = Field(None, description="name of the weapon")


class StructureCapacity(BaseQuery):
    """How much damage does it take?

    Gives `points`, `length_mm` and `per_inch`.
    """

    EDITIONS = H
    RULES = {"hordes-mk2": "structure-capacity"}
    PLACES = ("feature",)
    kind: Literal["structure-capacity"] = "structure-capacity"
    feature: ThingId


class StructureCollapse(BaseQuery):
    """Whom does the collapse bury?

    Gives members, `power` (multiples of their ARM) and `ruin` (the terrain that is left).
    """

    EDITIONS = H
    RULES = {"hordes-mk2": "structure-collapse"}
    PLACES = ("feature",)
    kind: Literal["structure-collapse"] = "structure-collapse"
    feature: ThingId
