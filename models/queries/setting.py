"""Terrain and set-up: what a piece counts as, what stands on it, and who may start where."""

from typing import Literal

from models.pose import Pose
from models.queries.asked import PH, PHM, PHW, PW, Asked, MiniatureId, P, ThingId


class TerrainClass(Asked):
    """What does this piece count as?

    Gives `counts_as` (kind word), `ground`, `grants` and `limits_mm` (how far its height lies from what matters).
    """

    EDITIONS = PHM
    PLACES = ("feature",)
    kind: Literal["terrain-class"] = "terrain-class"
    feature: ThingId


class Elevation(Asked):
    """How high does it stand, is it elevated?

    Yes: it counts as elevated. Margin: depth inside the feature. Gives `height_mm`, `level` and `on`.
    """

    EDITIONS = PH
    RULES = {"warmachine-prime": "elevated"}
    PLACES = ("who",)
    kind: Literal["elevation"] = "elevation"
    who: MiniatureId


class Water(Asked):
    """Is it in the water, and what follows?

    Yes: it is, and wholly where the book asks for that. Margin: depth. Gives `kind`, `barred`, `def_base`, `concealed`.
    """

    EDITIONS = PH
    RULES = {"warmachine-prime": "amphibious-water"}
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
    RULES = {"warmachine-prime": "deployment-legal advance-deployment-legal corner-deployment-legal outflank-legal"}
    PLACES = ("who",)
    kind: Literal["deployment"] = "deployment"
    who: MiniatureId
    to: Pose | None = None
    manner: Literal["normal", "advance", "corner", "outflank", "scout"] | None = None


class Reinforcements(Asked):
    """May it come on here?

    Yes: wholly in the strip, and all clauses hold. Margin: depth limit - farthest point, or a tighter clause. Gives
    `depth_mm` and `clauses`.
    """

    EDITIONS = PW
    RULES = {"warmachine-prime": "ambush-legal reinforcement-legal"}
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
    RULES = {"warmachine-prime": "zone-separation"}
    PLACES = ("a", "b")
    kind: Literal["zone-separation"] = "zone-separation"
    a: ThingId
    b: ThingId
