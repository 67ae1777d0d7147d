"""Heights in inches of ground: who stands higher, who is looked past from above, and how high a base stands."""

from pydantic import JsonValue

from models.queries import Elevation, ElevationBonus
from models.verdict import CAPPED_MM, Witness
from referee.areas import depth_of_base, reach_into
from referee.editions.hordes_mk2.parameters import HEIGHT_MM, LEVEL_REACH_MM, NEAR_TARGET_MM, because
from referee.editions.warmachine_prime.ground import elevates, elevation_mm, level, size_mm, surface_mm, under_centre_mm
from referee.editions.warmachine_prime.melee import between_volumes_mm
from referee.gaps import area_gap
from referee.ruling import Ruling
from referee.situation import Situation
from referee.telling import applied, length, name_of

_BONUS = because(
    "Elevated Target", "A target on ground at least 1 in higher gains 2 DEF against ranged and magic attacks."
)
_MELEE = because("Elevated Target", "It counts against ranged and magic attacks only.")
_HILL = because("Hills", "A hill gives height and nothing else; a base stands as high as the ground under it.")
_DUST_MM = 1e-6


def is_higher(table: Situation, upper_mm: float, lower_mm: float) -> bool:
    """Whether one height counts as above another. Source: How Elevation Affects LOS; Elevated Target."""
    by, how = upper_mm - lower_mm, table.reading("elevation-threshold")
    if how in ("any", "levels"):
        return by > _DUST_MM
    return by > HEIGHT_MM + _DUST_MM if how == "over-one-inch" else by >= HEIGHT_MM - _DUST_MM


def ground_mm(table: Situation, id_: str) -> float:
    """The height of the ground under a base that straddles, as the players read it. Source: Hills."""
    how = table.reading("straddler-height")
    if how == "centre":
        return under_centre_mm(table, id_)
    under = [surface_mm(t) for t in table.state.terrain if reach_into(table.base(id_), table.area(t.id)) >= 0]
    wholly = any(_holds(table, id_, t.id) for t in table.state.terrain)
    return max(under, default=0.0) if how == "highest" else min(under, default=0.0) if wholly else 0.0


def _holds(table: Situation, id_: str, place: str) -> bool:
    return depth_of_base(table.base(id_), (table.area(place),)) >= -_DUST_MM


def is_looked_past(table: Situation, viewer: str, target: str, blocker: str) -> bool:
    """Whether height lets a line pass over this base: from above but for large screens beside the target, and upward.

    Source: How Elevation Affects LOS.
    """
    if _is_flat(table):
        return False
    mine, theirs, its = (elevation_mm(table, id_) for id_ in (viewer, target, blocker))
    if is_higher(table, theirs, mine) and is_higher(table, theirs, its):
        return True
    if not is_higher(table, mine, its) or not _suffices(table, mine, theirs):
        return False
    near = area_gap(table.area(blocker), table.area(target)).mm <= NEAR_TARGET_MM + 1e-9
    return not near or size_mm(table.miniature(blocker)) <= size_mm(table.miniature(viewer))


def _suffices(table: Situation, mine_mm: float, theirs_mm: float) -> bool:
    """Whether it is enough that the screen is lower, the target standing where it does."""
    return table.reading("looking-down-needs") == "screen" or is_higher(table, mine_mm, theirs_mm)


def _is_flat(table: Situation) -> bool:
    return not table.state.terrain and all(m.elevation_mm is None for m in table.state.miniatures)


def level_doubts(table: Situation, viewer: str, target: str, blocker: str) -> set[str]:
    """The house rules under which height might treat this base otherwise. Source: How Elevation Affects LOS."""
    if _is_flat(table):
        return set()
    mine, theirs, its = (elevation_mm(table, id_) for id_ in (viewer, target, blocker))
    if max(mine, theirs) <= its:
        return straddlers(table, viewer, target, blocker)
    return {"elevation-threshold", "looking-down-needs"} | straddlers(table, viewer, target, blocker)


def straddlers(table: Situation, *ids: str) -> set[str]:
    """The house rule on bases that stand on two heights, where one of these does. Source: Hills."""
    raised = [t.id for t in table.state.terrain if surface_mm(t) > 0]
    split = (0 < reach_into(table.base(i), table.area(t)) < 2 * table.base(i).reach_mm for i in ids for t in raised)
    return {"straddler-height"} if any(split) else set()


def rise_mm(table: Situation, attacker: str, target: str) -> float:
    """The height a blow has to bridge: none up to an inch of ground. Source: Melee Range and Elevation."""
    how, apart = table.reading("melee-elevation"), between_mm(table, attacker, target)
    if apart <= LEVEL_REACH_MM + _DUST_MM or how == "plan":
        return 0.0
    return apart if how == "bases-in-space" else between_volumes_mm(table, attacker, target)


def between_mm(table: Situation, a: str, b: str) -> float:
    """The height between the ground under two bases. Source: Melee Range and Elevation."""
    return abs(elevation_mm(table, a) - elevation_mm(table, b))


def elevation_bonus(table: Situation, query: ElevationBonus) -> Ruling:
    """Whether the target stands an inch or more higher; exactly an inch does. Source: Elevated Target."""
    if query.attack == "melee":
        none: dict[str, JsonValue] = {"bonus": 0, "bonus_to": "defence"}
        return Ruling(margin_mm=-CAPPED_MM, value=none, because=(_BONUS, _MELEE), touches=(query.target,))
    heights = {id_: elevation_mm(table, id_) for id_ in (query.attacker, query.target)}
    above = heights[query.target] - heights[query.attacker]
    threshold = HEIGHT_MM if table.reading("elevation-threshold") in ("one-inch", "over-one-inch") else 0.0
    earned = is_higher(table, heights[query.target], heights[query.attacker])
    who, other = name_of(table, query.target), name_of(table, query.attacker)
    how = f"{length(abs(above))} {'above' if above >= 0 else 'below'}"
    return Ruling(
        margin_mm=above - threshold,
        zero_is_met=table.reading("elevation-threshold") == "one-inch",
        value={"bonus": 2 if earned else 0, "bonus_to": "defence", "heights": dict(heights)},
        lengths_mm={"above": above},
        because=(applied(table, _BONUS, f"{who} stands {how} {other}."),),
        readings=("elevation-threshold", "straddler-height"),
        doubtful=("elevation-threshold", *sorted(straddlers(table, query.attacker, query.target))),
        touches=(query.attacker, query.target),
    )


def elevation(table: Situation, query: Elevation) -> Ruling:
    """Whether it stands on raised ground, by the middle of its base. Source: Hills."""
    raised = [t for t in table.state.terrain if elevates(t) or surface_mm(t) > 0]
    base = table.base(query.who)
    depths = {t.id: reach_into(base, table.area(t.id)) - base.reach_mm for t in raised}
    best = max(depths, key=lambda id_: depths[id_], default=None)
    height = elevation_mm(table, query.who)
    under = {t.id: surface_mm(t) for t in raised if reach_into(base, table.area(t.id)) > 0}
    others = {0.0, *under.values()} - {height}
    margin = depths[best] if best is not None else CAPPED_MM if height > 0 else -CAPPED_MM
    return Ruling(
        margin_mm=max(-CAPPED_MM, min(CAPPED_MM, margin)),
        value={
            "height_mm": height,
            "level": level(table, query.who),
            "on": [id_ for id_, depth in depths.items() if depth >= -_DUST_MM],
            "other_level": min(others) if under and straddlers(table, query.who) else None,
        },
        lengths_mm={} if best is None else {"inside": margin},
        witness=() if best is None else _perimeter(table, best),
        because=(_HILL,),
        readings=("straddler-height",),
        doubtful=tuple(sorted(straddlers(table, query.who))),
        touches=(query.who,) if best is None else (query.who, best),
    )


def _perimeter(table: Situation, id_: str) -> tuple[Witness, ...]:
    outline = table.area(id_).outline
    return (Witness(type="polygon", role="limit", points_mm=outline, of=(id_,)),) if outline else ()


def rise_doubts(table: Situation, attacker: str, target: str) -> tuple[str, ...]:
    """The house rules on which the reach across heights hangs. Source: Melee Range and Elevation."""
    return ("melee-elevation",) if between_mm(table, attacker, target) > LEVEL_REACH_MM + _DUST_MM else ()
