"""Set-up: who may start, come on or be placed where."""

from typing import Literal

from pydantic import Field

from models.base import Base
from models.pose import Pose
from models.queries.base import EVERY, PH, PHM, PW, BaseQuery, MiniatureId, P, RangeIn, ThingId
from models.turn import UnitPose


class TerrainPlacement(BaseQuery):
    """May this piece stand there in this scenario?

    Yes: clear of zones and flags. Margin: nearest limit; touching a limit is no. Gives `clauses`.
    """

    EDITIONS = P
    RULES = {"warmachine-prime": "terrain-placement-legal"}
    PLACES = ("feature",)
    kind: Literal["terrain-placement"] = "terrain-placement"
    feature: ThingId


class Deployment(BaseQuery):
    """May I deploy there?

    Yes: wholly in the zone, and all clauses hold. Margin: the tightest of them. Gives `zone` and `clauses`.
    """

    EDITIONS = EVERY
    RULES = {
        "warmachine-prime": "deployment-legal advance-deployment-legal corner-deployment-legal outflank-legal",
        "hordes-mk2": "deployment",
        "warhammer-9": "deployment-legal scout-placement",
    }
    PLACES = ("who",)
    kind: Literal["deployment"] = "deployment"
    who: MiniatureId
    to: Pose | UnitPose | None = None
    manner: Literal["normal", "advance", "corner", "outflank", "scout"] | None = None


class Reinforcements(BaseQuery):
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
    to: Pose | UnitPose | None = None
    manner: Literal["ambush", "reserve", "pursuit"] | None = None


class ZoneSeparation(BaseQuery):
    """Are the zones far enough apart?

    Yes: at least 28 in. Margin: gap - 28 in.
    """

    EDITIONS = PH
    RULES = {"warmachine-prime": "zone-separation", "hordes-mk2": "line-up"}
    PLACES = ("a", "b")
    kind: Literal["zone-separation"] = "zone-separation"
    a: ThingId
    b: ThingId


class Placement(BaseQuery):
    """May it stand or be placed there?

    Yes: it fits and is allowed. Margin: the tightest clearance. Gives `clauses`.
    """

    EDITIONS = PHM
    RULES = {
        "warmachine-prime": "placement-legal base-fits-here",
        "hordes-mk2": "placement-legal",
        "warmachine-mk1": "placement-legal",
    }
    PLACES = ("mover", "of")
    kind: Literal["placement"] = "placement"
    mover: MiniatureId
    to: Pose
    manner: Literal["placed", "moved"] = "placed"
    range_in: RangeIn | None = None
    of: ThingId | None = Field(None, description="what the range is measured from")


class Replacement(BaseQuery):
    """May the new base stand there for the old one?

    Yes: the smaller base lies wholly in the larger. Margin: difference of radii - shift. Gives `clauses`.
    """

    EDITIONS = PHM
    RULES = {
        "warmachine-prime": "replace-legal",
        "hordes-mk2": "replacement-legal",
        "warmachine-mk1": "replacement-legal",
    }
    PLACES = ("mover",)
    kind: Literal["replacement"] = "replacement"
    mover: MiniatureId
    base: Base
    to: Pose
