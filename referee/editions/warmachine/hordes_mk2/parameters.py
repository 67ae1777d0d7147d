"""Numbers of HORDES Mk II alone, each with the section it stands in. The field test prints no page numbers to cite."""

from models.unit_conversion import inches
from referee.editions.warmachine.citations import HORDES_MK2
from referee.rules.citation import cite_by_section

BOOK = HORDES_MK2

NEAR_TARGET_MM = inches(1)  # Source: How Elevation Affects LOS: screens so near the target still count from above
BARE_REACH_IN = 0.5  # Source: Melee Range and Engaging: the least melee range of any warbeast
PROMOTION_MM = inches(1)  # Source: Standard Bearer; Weapon Crew

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

because = cite_by_section(BOOK)
