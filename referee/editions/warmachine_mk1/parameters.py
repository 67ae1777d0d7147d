"""The numbers of the book, each with the entry it stands in. It amends books that are not at hand: what it leaves
open is taken over from the next edition of HORDES, and said so by the house rule `missing-text`."""

from models.units import inches
from models.verdict import Reason, Source

BOOK = "WARMACHINE Errata & FAQ"

SCREEN_MM = inches(1)  # Source: Screening, Prime p. 33
SCREEN_BONUS = 2  # Source: Screening, Prime p. 33

# Source: Resolving Rules Issues, taken over: the book says nothing of its own.
TOO_CLOSE = (
    "Look along the line together, or use a laser (Line of Sight, Prime p. 33). If you still differ, roll a d6 each."
)

# What the book has no rules for.
UNKNOWN_TERRAIN = frozenset({"river", "marsh", "scree", "monument", "acid-bath", "burning-earth"})


def because(section: str, says: str, effect: str | None = None) -> Reason:
    """A reason that cites this book."""
    return Reason(source=Source(book=BOOK, section=section), says=says, effect=effect)
