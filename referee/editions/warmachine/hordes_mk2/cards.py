"""Card reading: words the book has no rules for are left out, and every warbeast has a reach."""

from typing import get_args

from models.miniature import Miniature
from models.profile import MeleeWeapon
from models.vocabulary import Ability, Status
from referee.editions.warmachine.hordes_mk2.parameters import BARE_REACH_IN

_ABILITIES = frozenset(
    {"stealth", "eyeless-sight", "incorporeal", "pathfinder", "arc-node", "commander", "officer", "jack-marshal",
     "battlegroup-commander", "standard-bearer", "gunfighter", "combined-melee-attack", "combined-ranged-attack",
     "cavalry", "light-cavalry", "ride-by", "advance-deployment", "terror", "abomination", "fearless", "construct"}
)  # fmt: skip # Source: Advantages; Cavalry; Warbeasts
_STATUSES = frozenset(
    {"knocked-down", "stationary", "wild", "frenzied", "fleeing", "solid", "shield-wall", "out-of-formation",
     "cannot-attack", "disabled", "movement-barred", "removed"}
)  # fmt: skip # Source: Knockdown; Stationary Models; Fleeing; Wild Warbeasts; Frenzy; Out of Formation; Issuing Orders
_UNKNOWN = frozenset({*get_args(Ability), *get_args(Status)}) - _ABILITIES - _STATUSES
_BARE = MeleeWeapon(name="bare", reach_in=BARE_REACH_IN)  # Source: Warbeast Melee Range


def read_card(miniature: Miniature) -> Miniature:
    """The miniature as this book knows it. Source: Advantages; Warbeast Melee Range."""
    known = miniature.without(_UNKNOWN)
    if known.type != "warbeast" or known.profile.melee:
        return known
    armed = known.profile.model_dump() | {"melee": [_BARE]}
    return type(known).model_validate(known.model_dump() | {"profile": armed})
