"""The numbers of the book, each with the section it stands in. The field test prints no page numbers to cite."""

from models.units import inches
from models.verdict import Reason, Source

BOOK = "HORDES Mk II field test"

HEIGHT_MM = inches(1)  # Source: How Elevation Affects LOS; Elevated Target: ground so much higher counts
NEAR_TARGET_MM = inches(1)  # Source: How Elevation Affects LOS: screens so near the target still count from above
COVER_MM = inches(1)  # Source: Concealment and Cover
LEVEL_REACH_MM = inches(1)  # Source: Melee Range and Elevation: a height that melee range forgets
POWER_REACH_MM = inches(0.5)  # Source: Power Attacks
BARE_REACH_IN = 0.5  # Source: Melee Range and Engaging: the least melee range of any warbeast
LARGE_MM, MEDIUM_MM, SMALL_MM = 50.0, 40.0, 30.0  # Source: Base Size
FALL_PLUS, FALL_FREE_MM, FALL_STEP_MM = 10, inches(3), inches(3)  # Source: Falling
GROUND_MM = inches(1)  # Source: Being Pushed; Being Slammed; Being Thrown: ground a base needs under it
PUSH_MM = inches(1)  # Source: Push
THROW_MORE_MM = inches(1)  # Source: Being Thrown: a large base throwing a small one
CLIMB_MM, CLIMBED_MM = inches(2), inches(1)  # Source: Moving over Obstacles: what it costs, and how far on it leads
THIN_MM = inches(1)  # Source: Linear Obstacles: thinner than this
DEPLOY_MM = inches(10)  # Source: Deploying Forces; the same for every player
LIGHT_CAVALRY_MM = inches(5)  # Source: Light Cavalry
TERROR_MM = inches(3)  # Source: Terrifying Entity: Abomination
PROMOTION_MM = inches(1)  # Source: Standard Bearer; Weapon Crew
WATER_DEFENCE = 7.0  # Source: Deep Water
LEAST_POWER = 14  # Source: Damaging and Destroying Structures: what a plain shot needs

# Source: Damaging and Destroying Structures. Points of damage for each inch, and ARM.
POINTS_PER_INCH = {"wood": 5, "brick": 10, "stone": 10, "iron": 20, "steel": 20}
ARMOUR = {"wood": 12, "brick": 16, "stone": 18, "iron": 20, "steel": 22}

# Source: Terrain; Water; Structures, which have none of these.
UNKNOWN_TERRAIN = frozenset({"river", "marsh", "scree", "monument", "acid-bath", "burning-earth"})

# Source: Resolving Rules Issues.
TOO_CLOSE = (
    "Agree on it together. If you cannot, look the rule up; if that does not settle it, each player rolls a d6 and "
    "the higher roll decides. Keep the ruling for the rest of the game (Resolving Rules Issues)."
)


def because(section: str, says: str, effect: str | None = None) -> Reason:
    """A reason that cites this book."""
    return Reason(source=Source(book=BOOK, section=section), says=says, effect=effect)
