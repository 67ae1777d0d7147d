"""How the book reads a card: words it has no rules for are left out; the knocked down look all round."""

from typing import get_args

from models.miniature import Miniature
from models.words import Ability, Status

# Source: the entries that name them; the rest of the words belong to other books.
_ABILITIES = frozenset(
    {"stealth", "incorporeal", "arc-node", "commander", "jack-marshal", "assault", "combined-melee-attack",
     "combined-ranged-attack", "cavalry", "ride-by", "terror", "abomination", "fearless"}
)  # fmt: skip
_STATUSES = frozenset(
    {"knocked-down", "stationary", "inert", "fleeing", "cowering", "shield-wall", "out-of-formation", "cannot-attack",
     "disabled", "movement-barred", "removed"}
)  # fmt: skip
_UNKNOWN = frozenset({*get_args(Ability), *get_args(Status)}) - _ABILITIES - _STATUSES


def read_card(miniature: Miniature) -> Miniature:
    """The miniature as this book knows it: the knocked down look all round. Source: Knockdown, Prime p. 49."""
    known = miniature.without(_UNKNOWN)
    return known.model_copy(update={"front_arc_deg": 360}) if "knocked-down" in known.status else known


def eye_mm(miniature: Miniature) -> float | None:
    """The height of its head, where that is told. Source: Line of Sight, Prime p. 33: from over the base centre."""
    return miniature.head_mm
