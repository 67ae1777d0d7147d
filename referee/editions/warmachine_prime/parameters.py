"""The numbers of the book, each with the place it stands."""

from models.units import inches
from models.verdict import Reason, Source

BOOK = "WARMACHINE: Prime Rules Digest (2016)"

# Source: Determining Model Volume, p. 37. Base diameter to height of the volume above the bottom of the base.
VOLUME_MM = {30.0: inches(1.75), 40.0: inches(2.25), 50.0: inches(2.75), 120.0: inches(5)}
MEDIUM_MM = 40.0  # Source: Base Size, p. 21
HUGE_MM = 120.0  # Source: Base Size, p. 21

STEALTH_MM = inches(5)  # Source: Advantages, p. 17
FOREST_DEPTH_MM = inches(3)  # Source: Forests, p. 79
NEAR_TARGET_MM = inches(1)  # Source: Elevation & Line of Sight, p. 78
DEFAULT_REACH_MM = inches(0.5)  # Source: Melee Range, p. 43; Mount Attacks, p. 75
FOCUS_INDUCTION_MM = inches(6)  # Source: Focus Induction, p. 95
COVER_MM = inches(1)  # Source: Concealment & Cover, p. 50
CHARGE_ATTACK_MM = inches(3)  # Source: Charge, p. 31
FALL_PLUS, FALL_FREE_MM, FALL_STEP_MM = 12, inches(2), inches(2)  # Source: Falling, p. 35
FAR_MM = 1000.0  # a margin that nothing on the table can flip
SPILL_REACH_MM = inches(2)  # the longest reach usual on a card: beyond it an untold profile does not matter

# Source: Standard Terrain Features, p. 78-81, and Cloud Effects, p. 60. What closes sight, and how.
SOLID_KINDS = frozenset(
    {"obstacle", "linear-obstacle", "wall", "fence", "hedge", "obstruction", "terraced-obstruction", "building",
     "structure", "hill", "platform", "impassable"}
)  # fmt: skip
ELEVATING_KINDS = frozenset({"hill", "terraced-obstruction", "platform"})
CLOUD_EFFECTS = frozenset({"cloud", "fog", "burning"})
CLOUD_TERRAIN = frozenset({"burning-earth"})
SHALLOW_WATER = frozenset({"shallow-water", "water", "acid-bath"})  # Source: Shallow Water, p. 79; Acid Bath, p. 81

# Source: Standard Terrain Features, p. 78-81, which have none of these.
UNKNOWN_TERRAIN = frozenset({"deep-water", "river", "marsh", "scree", "monument"})

# Source: Resolving Rules Issues, p. 12.
TOO_CLOSE = (
    "Agree on it together. If you cannot, look the rule up; if that does not settle it, each player rolls a d6 and "
    "the higher roll decides. Keep the ruling for the rest of the game (Resolving Rules Issues, p. 12)."
)


def because(section: str, page: int, says: str, effect: str | None = None) -> Reason:
    """A reason that cites this book."""
    return Reason(source=Source(book=BOOK, section=section, page=page), says=says, effect=effect)
