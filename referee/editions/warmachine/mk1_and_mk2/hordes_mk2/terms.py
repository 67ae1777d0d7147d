"""Terms: what HORDES Mk II sets otherwise, how it reads cards, and what it leaves in no doubt."""

from typing import get_args

from models.miniature import Miniature
from models.profile import MeleeWeapon
from models.unit_conversion import inches
from models.vocabulary import Ability, Status
from referee.editions.warmachine.line_of_sight.blockers import why_never
from referee.editions.warmachine.miniatures.base_state import size_mm
from referee.editions.warmachine.mk1_and_mk2 import charges, terms, terrain
from referee.editions.warmachine.mk1_and_mk2.terrain import is_flat, is_higher
from referee.geometry.distance import area_gap
from referee.rules.exact_table import ExactTable
from referee.rules.switches import is_at_least

_NEAR_TARGET_MM = inches(1)  # Source: How Elevation Affects LOS: screens so near the target still count from above
_BARE_REACH_IN = 0.5  # Source: Melee Range and Engaging: the least melee range of any warbeast
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
_BARE = MeleeWeapon(name="bare", reach_in=_BARE_REACH_IN)  # Source: Warbeast Melee Range


def why_ignored(table: ExactTable, viewer: str, target: str, blocker: Miniature, purpose: str | None) -> str | None:
    """Why a base does not close the line, or None when it does. Source: Line of Sight; Cavalry."""
    if why := why_never(table, viewer, target, blocker):
        return why
    me = table.miniature(viewer)
    if purpose in ("melee", "charge") and me.has("cavalry") and size_mm(blocker) < size_mm(me):
        return "cavalry"
    return "lower" if is_looked_past(table, viewer, target, blocker.id) else None


def is_looked_past(table: ExactTable, viewer: str, target: str, blocker: str) -> bool:
    """Whether height lets a line pass over this base: from above but for large screens beside the target, and upward.

    Source: How Elevation Affects LOS.
    """
    if is_flat(table):
        return False
    if is_higher(table, target, viewer) and is_higher(table, target, blocker):
        return True
    if not is_higher(table, viewer, blocker) or not (
        table.reading("looking-down-needs") == "screen" or is_higher(table, viewer, target)
    ):
        return False
    apart_mm = area_gap(table.area(blocker), table.area(target)).mm
    near = is_at_least(_NEAR_TARGET_MM, apart_mm, "stands within 1 in of", (blocker, target))
    return not near or size_mm(table.miniature(blocker)) <= size_mm(table.miniature(viewer))


def read_card(miniature: Miniature) -> Miniature:
    """The miniature as this book knows it. Source: Advantages; Light Cavalry; Warbeast Melee Range."""
    known = miniature.without(_UNKNOWN)
    granted = {"light-cavalry": ("cavalry",), "warlock": ("commander", "fearless")}
    traits = {more for word in (*known.profile.abilities, known.type) for more in granted.get(word or "", ())}
    if not traits <= {*known.profile.abilities}:
        abilities = tuple(sorted(traits | {*known.profile.abilities}))
        known = known.model_copy(update={"profile": known.profile.model_copy(update={"abilities": abilities})})
    if known.type != "warbeast" or known.profile.melee:
        return known
    armed = known.profile.model_dump() | {"melee": [_BARE]}
    return type(known).model_validate(known.model_dump() | {"profile": armed})


TERMS = terms.shared_terms(
    why_ignored=why_ignored,
    looked_past_reasons=terms.LOOKED_PAST,
    counts_as=terrain.counts_as,
    charge_clauses=charges.charge_clauses,
)
SETTLED = {**terms.SETTLED, "trample-touched": "touched"}  # Source: Trample: those that it contacted
