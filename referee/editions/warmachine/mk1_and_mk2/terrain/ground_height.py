"""Ground height: who stands higher by an inch, and how high a base stands."""

from referee.editions.warmachine.melee.melee_range import between_volumes_mm
from referee.editions.warmachine.miniatures.base_state import elevation_mm, is_wholly_in, surface_mm, under_centre_mm
from referee.editions.warmachine.mk1_and_mk2.parameters import HEIGHT_MM, LEVEL_REACH_MM
from referee.geometry.containment import reach_into
from referee.rules.exact_table import ExactTable
from referee.rules.switches import is_at_least, is_more_than

DUST_MM = 1e-6


def is_higher(table: ExactTable, upper: str, lower: str) -> bool:
    """Whether the ground of one counts as above another's. Source: How Elevation Affects LOS; Elevated Target."""
    by, how = elevation_mm(table, upper) - elevation_mm(table, lower), table.reading("elevation-threshold")
    on = (upper, lower)
    if how in ("any", "levels"):
        return is_more_than(by, 0.0, "stands higher than", on)
    compare = is_more_than if how == "over-one-inch" else is_at_least
    return compare(by, HEIGHT_MM, "stands 1 in higher than", on)


def ground_mm(table: ExactTable, id_: str) -> float:
    """The height of the ground under a base that straddles, as the players read it. Source: Hills."""
    how = table.reading("straddler-height")
    if how == "centre":
        return under_centre_mm(table, id_)
    under = [surface_mm(t) for t in table.state.terrain if _touches(table, id_, t.id)]
    wholly = any(is_wholly_in(table, id_, (t.id,)) for t in table.state.terrain)
    return max(under, default=0.0) if how == "highest" else min(under, default=0.0) if wholly else 0.0


def _touches(table: ExactTable, id_: str, place: str) -> bool:
    return is_at_least(reach_into(table.base(id_), table.area(place)), 0.0, "touches", (id_, place))


def is_flat(table: ExactTable) -> bool:
    return not table.state.terrain and all(m.elevation_mm is None for m in table.state.miniatures)


def level_doubts(table: ExactTable, viewer: str, target: str, blocker: str) -> set[str]:
    """The house rules under which height might treat this base otherwise. Source: How Elevation Affects LOS."""
    if is_flat(table):
        return set()
    mine, theirs, its = (elevation_mm(table, id_) for id_ in (viewer, target, blocker))
    if max(mine, theirs) <= its:
        return straddler_doubts(table, viewer, target, blocker)
    return {"elevation-threshold", "looking-down-needs"} | straddler_doubts(table, viewer, target, blocker)


def straddler_doubts(table: ExactTable, *ids: str) -> set[str]:
    """The house rule on bases that stand on two heights, where one of these does. Source: Hills."""
    raised = [t.id for t in table.state.terrain if surface_mm(t) > 0]
    split = (0 < reach_into(table.base(i), table.area(t)) < 2 * table.base(i).reach_mm for i in ids for t in raised)
    return {"straddler-height"} if any(split) else set()


def rise_mm(table: ExactTable, attacker: str, target: str) -> float:
    """The height a blow has to bridge: none up to an inch of ground. Source: Melee Range and Elevation."""
    how, apart = table.reading("melee-elevation"), height_between_mm(table, attacker, target)
    is_apart = is_more_than(apart, LEVEL_REACH_MM, "stands more than 1 in above or below", (attacker, target))
    if not is_apart or how == "plan":
        return 0.0
    return apart if how == "bases-in-space" else between_volumes_mm(table, attacker, target)


def height_between_mm(table: ExactTable, a: str, b: str) -> float:
    """The height between the ground under two bases. Source: Melee Range and Elevation."""
    return abs(elevation_mm(table, a) - elevation_mm(table, b))


def rise_doubts(table: ExactTable, attacker: str, target: str) -> tuple[str, ...]:
    """The house rules on which the reach across heights hangs. Source: Melee Range and Elevation."""
    return ("melee-elevation",) if height_between_mm(table, attacker, target) > LEVEL_REACH_MM + DUST_MM else ()
