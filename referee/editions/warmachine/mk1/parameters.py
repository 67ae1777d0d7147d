"""Numbers of the first edition alone, each with the entry it stands in.

The book amends others that are not at hand: what it leaves open is taken over from the next edition of HORDES, and said
so by the house rule `missing-text`.
"""

from models.unit_conversion import inches
from referee.rules.citation import cite_by_section

BOOK = "WARMACHINE Errata & FAQ"

SCREEN_MM = inches(1)  # Source: Screening, Prime p. 33
SCREEN_BONUS = 2  # Source: Screening, Prime p. 33

# Source: Resolving Rules Issues, taken over: the book says nothing of its own.
TOO_CLOSE = (
    "Look along the line together, or use a laser (Line of Sight, Prime p. 33). If you still differ, roll a d6 each."
)

# What the book has no rules for.
UNKNOWN_TERRAIN = frozenset({"river", "marsh", "scree", "monument", "acid-bath", "burning-earth"})

because = cite_by_section(BOOK)
