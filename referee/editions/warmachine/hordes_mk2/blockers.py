"""Blockers of a line of sight: bases, but for those that height, cavalry or their own rules clear."""

from models.miniature import Miniature
from referee.editions.warmachine.hordes_mk2.parameters import NEAR_TARGET_MM
from referee.editions.warmachine.line_of_sight.blockers import why_never
from referee.editions.warmachine.miniatures.base_state import size_mm
from referee.editions.warmachine.mk1_and_mk2.terrain.ground_height import is_flat, is_higher
from referee.geometry.distance import area_gap
from referee.rules.exact_table import ExactTable
from referee.rules.switches import is_at_least


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
    if not is_higher(table, viewer, blocker) or not _is_low_screen_enough(table, viewer, target):
        return False
    apart_mm = area_gap(table.area(blocker), table.area(target)).mm
    near = is_at_least(NEAR_TARGET_MM, apart_mm, "stands within 1 in of", (blocker, target))
    return not near or size_mm(table.miniature(blocker)) <= size_mm(table.miniature(viewer))


def _is_low_screen_enough(table: ExactTable, viewer: str, target: str) -> bool:
    """Whether it is enough that the screen is lower, the target standing where it does."""
    return table.reading("looking-down-needs") == "screen" or is_higher(table, viewer, target)
