"""Numbers of WARMACHINE: Prime alone, each with the place it stands."""

from models.unit_conversion import inches
from referee.editions.warmachine.citations import PRIME
from referee.rules.citation import cite_by_page

BOOK = PRIME

FALL_PLUS, FALL_FREE_MM, FALL_STEP_MM = 12, inches(2), inches(2)  # Source: Falling, p. 35

# Source: Standard Terrain Features, p. 78-81, which have none of these.
UNKNOWN_TERRAIN = frozenset({"deep-water", "river", "marsh", "scree", "monument"})

# Source: Resolving Rules Issues, p. 12.
TOO_CLOSE = (
    "Agree on it together. If you cannot, look the rule up; if that does not settle it, each player rolls a d6 and "
    "the higher roll decides. Keep the ruling for the rest of the game (Resolving Rules Issues, p. 12)."
)

because = cite_by_page(BOOK)
