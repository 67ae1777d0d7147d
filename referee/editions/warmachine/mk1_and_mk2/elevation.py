"""Elevation: how high a base stands, who stands higher by an inch, and the bonus for it."""

from pydantic import JsonValue

from models.queries import Elevation, ElevationBonus
from models.verdict import CAPPED_MM, Witness
from referee.editions.warmachine.melee.melee_range import between_volumes_mm
from referee.editions.warmachine.miniatures.base_state import (
    elevates,
    elevation_mm,
    is_wholly_in,
    level,
    surface_mm,
    under_centre_mm,
)
from referee.editions.warmachine.mk1_and_mk2.parameters import HEIGHT_MM, LEVEL_REACH_MM, because
from referee.geometry.containment import reach_into
from referee.rules.conditions import RIVAL_MM
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least, is_more_than

_HILL = because("Hills", "A hill gives height and nothing else; a base stands as high as the ground under it.")
_BONUS = because(
    "Elevated Target", "A target on ground at least 1 in higher gains 2 DEF against ranged and magic attacks."
)
_MELEE = because("Elevated Target", "It counts against ranged and magic attacks only.")
DUST_MM = 1e-6


def elevation(table: ExactTable, query: Elevation) -> RuleResult:
    """Elevation: whether it stands on raised ground, by the middle of its base. Source: Hills."""
    raised = [t for t in table.state.terrain if elevates(t) or surface_mm(t) > 0]
    base = table.base(query.who)
    depths = {t.id: reach_into(base, table.area(t.id)) - base.reach_mm for t in raised}
    best = max(depths, key=lambda id_: depths[id_], default=None)
    rivals = () if best is None else tuple(id_ for id_, depth in depths.items() if depth > depths[best] - RIVAL_MM)
    on = [id_ for id_, depth in depths.items() if is_at_least(depth, 0.0, "has its middle on", (query.who, id_))]
    height = elevation_mm(table, query.who)
    into = {t.id: reach_into(base, table.area(t.id)) for t in raised}
    partly = [id_ for id_, mm in into.items() if is_more_than(mm, 0.0, "stands in part on", (query.who, id_))]
    under = {t.id: surface_mm(t) for t in raised if t.id in partly}
    others = {0.0, *under.values()} - {height}
    margin = depths[best] if best is not None else CAPPED_MM if height > 0 else -CAPPED_MM
    return RuleResult(
        margin_mm=max(-CAPPED_MM, min(CAPPED_MM, margin)),
        value={
            "height_mm": height,
            "level": level(table, query.who),
            "on": [*on],
            "other_level": min(others) if under and straddler_doubts(table, query.who) else None,
        },
        lengths_mm={} if best is None else {"inside": margin},
        witness=() if best is None else _perimeter(table, best),
        because=(_HILL,),
        readings=("straddler-height",),
        doubtful=tuple(sorted(straddler_doubts(table, query.who))),
        depends_on_place=(query.who, *rivals),
    )


def _perimeter(table: ExactTable, id_: str) -> tuple[Witness, ...]:
    outline = table.area(id_).outline
    return (Witness(type="polygon", role="limit", points_mm=outline, of=(id_,)),) if outline else ()


def elevation_bonus(table: ExactTable, query: ElevationBonus) -> RuleResult:
    """Elevation bonus: whether the target stands an inch or more higher; exactly an inch does.

    Source: Elevated Target.
    """
    if query.attack == "melee":
        none: dict[str, JsonValue] = {"bonus": 0, "bonus_to": "defence"}
        return RuleResult(margin_mm=-CAPPED_MM, value=none, because=(_BONUS, _MELEE), depends_on_place=(query.target,))
    heights = {id_: elevation_mm(table, id_) for id_ in (query.attacker, query.target)}
    above = heights[query.target] - heights[query.attacker]
    threshold = HEIGHT_MM if table.reading("elevation-threshold") in ("one-inch", "over-one-inch") else 0.0
    earned = is_higher(table, query.target, query.attacker)
    name, other = name_of(table, query.target), name_of(table, query.attacker)
    how = f"{format_length(abs(above))} {'above' if above >= 0 else 'below'}"
    return RuleResult(
        margin_mm=above - threshold,
        zero_is_met=table.reading("elevation-threshold") == "one-inch",
        value={"bonus": 2 if earned else 0, "bonus_to": "defence", "heights": dict(heights)},
        lengths_mm={"above": above},
        because=(with_effect(table, _BONUS, f"{name} stands {how} {other}."),),
        readings=("elevation-threshold", "straddler-height"),
        doubtful=("elevation-threshold", *sorted(straddler_doubts(table, query.attacker, query.target))),
        depends_on_place=(query.attacker, query.target),
    )


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
