"""What stands in the way of a line here: any terrain, woods but for the eyeless, bases that height does not clear."""

from models.miniature import Miniature
from models.terrain import Terrain
from models.verdict import Reason
from referee.editions.hordes_mk2.heights import is_looked_past
from referee.editions.hordes_mk2.parameters import because
from referee.editions.warmachine_prime.blockers import why_never
from referee.editions.warmachine_prime.ground import size_mm
from referee.editions.warmachine_prime.sight_ground import how_kind_blocks
from referee.editions.warmachine_prime.sight_reasons import LOOKED_PAST
from referee.situation import Situation

_FLAT = frozenset({"forest", "trench", "shallow-water", "water", "deep-water"})  # Source: Forests; Water; Trenches
_LEVEL = because(
    "How Elevation Affects LOS",
    "From ground an inch higher a base is looked past, unless it is a larger one within 1 in of the target.",
)
_CAVALRY = because(
    "Cavalry", "For melee and charges cavalry ignores smaller bases in the way.", "It does not count."
)  # fmt: skip
_EYELESS = because("Advantages", "Eyeless Sight takes no notice of clouds and forests.")
LOOKED_PAST_HERE: dict[str, Reason] = {
    **LOOKED_PAST, "lower": _LEVEL, "cavalry": _CAVALRY, "eyeless-sight": _EYELESS,
}  # fmt: skip


def why_ignored(table: Situation, viewer: str, target: str, blocker: Miniature, purpose: str | None) -> str | None:
    """Why a base does not close the line, or None when it does. Source: Line of Sight; Cavalry."""
    if why := why_never(table, viewer, target, blocker):
        return why
    me = table.miniature(viewer)
    if purpose in ("melee", "charge") and me.has("cavalry") and size_mm(blocker) < size_mm(me):
        return "cavalry"
    return "lower" if is_looked_past(table, viewer, target, blocker.id) else None


def how_blocks(terrain: Terrain) -> str:
    """Any terrain in the way blocks, by its height; woods by their depth. Source: Line of Sight; Forests."""
    how = how_kind_blocks(terrain)
    tall = terrain.kind not in _FLAT and (terrain.height_mm or 0.0) > 0
    return "solid" if how == "none" and tall else how


def sees_through(table: Situation, viewer: str, target: str, what: str) -> str | None:
    """Who sees through woods and clouds alike. Source: Advantages."""
    return "eyeless-sight" if table.miniature(viewer).has("eyeless-sight") else None
