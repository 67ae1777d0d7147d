"""Terrain: what a piece counts as by its size, structures, deep water, and how high a base stands."""

import math

from models.queries import Elevation, ElevationBonus, TerrainClass, Water
from models.terrain import Terrain
from models.verdict import CAPPED_MM, Reason, Witness
from referee.editions.warmachine.melee.melee_range import between_volumes_mm
from referee.editions.warmachine.miniatures.base_state import (
    elevates,
    elevation_mm,
    is_wholly_in,
    level,
    surface_mm,
    under_centre_mm,
)
from referee.editions.warmachine.mk1_and_mk2.parameters import (
    HEIGHT_MM,
    LEVEL_REACH_MM,
    THIN_MM,
    WATER_DEFENCE,
    because,
)
from referee.editions.warmachine.terrain.features import (
    OBSTACLES,
    OBSTRUCTIONS,
    dry_value,
    find_feature,
    granted_behind,
    granted_inside,
    ground_of,
)
from referee.editions.warmachine.terrain.features import counts_as as what_it_counts_as
from referee.geometry.containment import reach_into
from referee.geometry.outlines import outline_of
from referee.rules.candidates import is_met
from referee.rules.conditions import RIVAL_MM
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.rule_result import RuleResult, Value, ask_for
from referee.rules.switches import EXACT_MM, is_at_least, is_more_than

_TALL = because("Obstacles", "An inch tall or more it is an obstruction; lower, an obstacle.")
_THICK = because("Linear Obstacles", "An obstacle less than an inch thick is crossed whole; a thicker one is climbed.")
_KIND = because("Terrain", "Each kind of feature says how it is crossed and what it grants.")
_SIZED = OBSTACLES | {"obstruction"}
_ROUNDING_MM = 1e-9
SECTION = "Damaging and Destroying Structures"
ONLY_STRUCTURES = because(SECTION, "Only structures can be attacked.")
KINDS = frozenset({"structure", "building"})  # Source: Structures
_FIGHTS_NOBODY = because("Deep Water", "In deep water nobody attacks, engages, casts, or takes an action.")
_SHALLOW_KINDS = frozenset({"shallow-water", "water"})
_DEEP = because("Deep Water", "With any part of its base in deep water it moves at half rate and fights nobody.")
_SHALLOW = because("Shallow Water", "Shallow water is rough terrain and keeps nobody from anything.")
_BARRED = ("run", "charge", "actions", "attacks", "engaging", "spells", "feats", "orders")  # Source: Deep Water
_HILL = because("Hills", "A hill gives height and nothing else; a base stands as high as the ground under it.")
_BONUS = because(
    "Elevated Target", "A target on ground at least 1 in higher gains 2 DEF against ranged and magic attacks."
)
_MELEE = because("Elevated Target", "It counts against ranged and magic attacks only.")


def counts_as(table: ExactTable, feature: Terrain) -> str | None:
    """Obstruction, obstacle or linear obstacle by its size, else its own kind; None when that is not told.

    Source: Obstacles; Linear Obstacles; Obstructions; Variably Sized Terrain Features.
    """
    if feature.kind not in _SIZED:
        return feature.kind
    if feature.height_mm is None:
        return feature.kind if feature.kind in ("obstacle", "linear-obstacle", "obstruction") else None
    over = feature.height_mm - HEIGHT_MM
    if over > _ROUNDING_MM or (abs(over) <= _ROUNDING_MM and table.reading("one-inch-tall") == "obstruction"):
        return "obstruction"
    return "linear-obstacle" if _is_thin(table, feature) else "obstacle"


def _is_thin(table: ExactTable, feature: Terrain) -> bool:
    """Source: Linear Obstacles."""
    over = thickness_mm(feature) - THIN_MM
    exactly = abs(over) <= 1e-6 and table.reading("one-inch-thick") == "linear"
    return feature.kind == "linear-obstacle" or over < -1e-6 or exactly


def thickness_mm(feature: Terrain) -> float:
    """How thick a piece is: as told of a wall along a line, else the lesser side of the box about it."""
    if feature.thickness_mm is not None:
        return feature.thickness_mm
    if feature.diameter_mm is not None:
        return feature.diameter_mm
    corners = outline_of(feature).outline or tuple(p for part in outline_of(feature).parts for p in part.points)
    return min(_widths_of(corners), default=0.0)


def _widths_of(corners: tuple[tuple[float, float], ...]) -> list[float]:
    """How wide an outline is square to each of its sides."""
    widths = []
    for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True):
        length = math.hypot(bx - ax, by - ay)
        if length > 0:
            across = [((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / length for x, y in corners]
            widths.append(max(across) - min(across))
    return widths


def is_climbed(table: ExactTable, feature: Terrain) -> bool:
    """Whether one gets on top of it, at a price. Source: Moving over Obstacles."""
    counts = counts_as(table, feature)
    return counts == "obstacle" or (counts == "platform" and _is_low_platform(feature))


def _is_low_platform(feature: Terrain) -> bool:
    """A raised platform is climbed while it is no taller than an obstacle, and thick enough to stand on."""
    return (
        feature.height_mm is not None
        and feature.height_mm < HEIGHT_MM - _ROUNDING_MM
        and thickness_mm(feature) >= (THIN_MM - 1e-6)
    )


def terrain_class(table: ExactTable, query: TerrainClass) -> RuleResult:
    """Terrain class: what a piece counts as by its kind and size. Source: Obstacles; Linear Obstacles; Obstructions."""
    feature = find_feature(table, query.feature)
    if feature is None:
        return RuleResult(status="refused", because=(_KIND,), advice=f"{query.feature} is no terrain.")
    counts = what_it_counts_as(table, feature)
    if counts is None:
        return ask_for(f"height_mm of {feature.id}", because=(_TALL,))
    sized = feature.kind in _SIZED
    limits: Value = {}
    if feature.height_mm is not None:
        limits["one_inch"] = feature.height_mm - HEIGHT_MM
    if sized:
        limits["thickness"] = thickness_mm(feature) - THIN_MM
    solid = counts in OBSTACLES | OBSTRUCTIONS
    return RuleResult(
        status="measured",
        value={
            "counts_as": counts,
            "ground": ground_of(feature, counts),
            "grants": granted_behind(feature) if solid else granted_inside(feature),
            "stand_on": (solid and (counts == "obstacle" or bool(feature.stand_on))) or surface_mm(feature) > 0,
            "limits_mm": limits,
        },
        because=(_KIND, _TALL, _THICK) if sized else (_KIND,),
        readings=("one-inch-tall", "one-inch-thick") if sized else (),
        doubtful=_doubtful_rules(feature) if sized else (),
    )


def _doubtful_rules(feature: Terrain) -> tuple[str, ...]:
    tall = feature.height_mm is not None and abs(feature.height_mm - HEIGHT_MM) <= _ROUNDING_MM
    thick = abs(thickness_mm(feature) - THIN_MM) <= 1e-6
    return (*(("one-inch-tall",) if tall else ()), *(("one-inch-thick",) if thick else ()))


def is_structure(terrain: Terrain) -> bool:
    """Whether it can be damaged: by its kind, or because its material is told. Source: Structures."""
    return terrain.kind in KINDS or terrain.material is not None


def list_deep_water(table: ExactTable) -> tuple[str, ...]:
    """All deep water on the table. Source: Deep Water."""
    return tuple(t.id for t in table.state.terrain if ground_of(t) == "deep-water")


def is_deep(table: ExactTable, id_: str) -> bool:
    """Whether any part of the base is in deep water; touching it is. Source: Deep Water."""
    return any(_is_in(table, id_, pool) for pool in list_deep_water(table))


def _is_in(table: ExactTable, id_: str, pool: str) -> bool:
    depth_mm = reach_into(table.base(id_), table.area(pool))
    return is_at_least(depth_mm, 0.0, "stands in", (id_, *table.movers_of(pool)))


def attack_bar(table: ExactTable, id_: str) -> tuple[str, Reason] | None:
    """What keeps one from attacking besides what its turn holds. Source: Deep Water."""
    return ("deep-water", _FIGHTS_NOBODY) if is_deep(table, id_) else None


def base_defence(table: ExactTable, id_: str) -> float | None:
    """The base DEF that water leaves; None where it leaves the printed one. Source: Deep Water."""
    return WATER_DEFENCE if is_deep(table, id_) else None


def water(table: ExactTable, query: Water) -> RuleResult:
    """Water: whether any part of the base is in water, and what follows. Source: Deep Water; Shallow Water."""
    pools = [t for t in table.state.terrain if query.feature in (None, t.id)]
    wet = [t for t in pools if ground_of(t) == "deep-water" or t.kind in _SHALLOW_KINDS]
    reach = {t.id: reach_into(table.base(query.who), table.area(t.id)) for t in wet}
    if not reach:
        return RuleResult(margin_mm=-CAPPED_MM, value=dry_value(), because=(_DEEP,), depends_on_place=(query.who,))
    deep = {id_: mm for id_, mm in reach.items() if id_ in list_deep_water(table)}
    reaches_deep = any(is_at_least(mm, 0.0, "stands in", (query.who, id_)) for id_, mm in deep.items())
    best = max(deep if reaches_deep else reach, key=lambda id_: reach[id_])
    rivals = tuple(id_ for id_, mm in reach.items() if id_ == best or mm > reach[best] - RIVAL_MM)
    result = RuleResult(margin_mm=max(-CAPPED_MM, reach[best]), depends_on_place=(query.who, best, *rivals))
    is_in, is_deep_one = is_met(result, "stands in"), best in deep
    effect = f"{name_of(table, query.who)} {'reaches' if is_in else 'stays'} {format_length(abs(reach[best]))} "
    outline = table.area(best).outline
    return RuleResult(
        margin_mm=result.margin_mm,
        value={
            "kind": ("deep-water" if is_deep_one else "shallow-water") if is_in else None,
            "barred": list(_BARRED) if is_in and is_deep_one else [],
            "def_base": WATER_DEFENCE if is_in and is_deep_one else None,
            "concealed": False,
        },
        lengths_mm={"inside": reach[best]},
        witness=(Witness(type="polygon", role="limit", points_mm=outline, of=(best,)),) if outline else (),
        because=(
            with_effect(table, _DEEP if is_deep_one else _SHALLOW, f"{effect}{'into' if is_in else 'out of'} {best}."),
        ),
        depends_on_place=tuple(dict.fromkeys(result.depends_on_place)),
    )


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
        none: Value = {"bonus": 0, "bonus_to": "defence"}
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
    is_apart = is_more_than(
        apart, LEVEL_REACH_MM, "stands more than 1 in above or below", (attacker, target), of_heights=True
    )
    if not is_apart or how == "plan":
        return 0.0
    return apart if how == "bases-in-space" else between_volumes_mm(table, attacker, target)


def height_between_mm(table: ExactTable, a: str, b: str) -> float:
    """The height between the ground under two bases. Source: Melee Range and Elevation."""
    return abs(elevation_mm(table, a) - elevation_mm(table, b))


def rise_doubts(table: ExactTable, attacker: str, target: str) -> tuple[str, ...]:
    """The house rules on which the reach across heights hangs. Source: Melee Range and Elevation."""
    return ("melee-elevation",) if height_between_mm(table, attacker, target) > LEVEL_REACH_MM + EXACT_MM else ()
