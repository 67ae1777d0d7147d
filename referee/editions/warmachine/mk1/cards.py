"""Card reading: words the book has no rules for are left out; the knocked down look all round."""

from typing import get_args

from models.miniature import Miniature
from models.vocabulary import Ability, Status

# Source: the entries that name them; the rest of the words belong to other books.
_ABILITIES = frozenset(
    {"stealth", "incorporeal", "arc-node", "commander", "jack-marshal", "assault", "combined-melee-attack",
     "combined-ranged-attack", "cavalry", "ride-by", "terror", "abomination", "fearless"}
)  # fmt: skip
_STATUSES = frozenset(
    {"knocked-down", "stationary", "inert", "fleeing", "cowering", "shield-wall", "out-of-formation", "cannot-attack",
     "disabled", "movement-barred", "removed"}
)  # fmt: skip
_UNUSABLE = frozenset({"locked", "crippled"})  # Source: Melee Range, Prime p. 39; Armlock/Headlock, p. 42
_UNKNOWN = frozenset({*get_args(Ability), *get_args(Status)}) - _ABILITIES - _STATUSES


def read_card(miniature: Miniature) -> Miniature:
    """The miniature as this book knows it: the knocked down look all round, locked weapons strike nobody.

    Source: Knockdown, Prime p. 49; Armlock/Headlock, p. 42.
    """
    known = miniature.without(_UNKNOWN)
    more: dict[str, object] = {"front_arc_deg": 360} if "knocked-down" in known.status else {}
    usable = tuple(w for w in known.profile.melee if not _UNUSABLE.intersection(w.rules))
    if len(usable) < len(known.profile.melee):
        more["profile"] = known.profile.model_copy(update={"melee": usable})
    return known.model_copy(update=more) if more else known


def eye_mm(miniature: Miniature) -> float | None:
    """The height of its head, where that is told. Source: Line of Sight, Prime p. 33: from over the base centre."""
    return miniature.head_mm
