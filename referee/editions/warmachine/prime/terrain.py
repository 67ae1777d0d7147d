"""Terrain: climbing, elevation and its bonus, and water."""

import math

from pydantic import JsonValue

from models.queries import Climb, Elevation, ElevationBonus, Water
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Reason, Witness
from models.vocabulary import Point
from referee.editions.warmachine.miniatures.base_state import depth_in, elevates, elevation_mm, is_huge, level
from referee.editions.warmachine.movement.cross_obstacle import crossing_span
from referee.editions.warmachine.movement.fall import far_side_mm
from referee.editions.warmachine.movement.least_disturbance import check_end
from referee.editions.warmachine.movement.path import passability_of_advance, speed_mm
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.terrain.features import WATERS, dry_value, find_feature
from referee.geometry.containment import depth_of_base
from referee.geometry.distance import area_gap
from referee.geometry.shapes import Area, RoundedShape
from referee.motion.travel_budget import cost_mm, length_mm, place_after, place_shape, slow_stretches, straight_path
from referee.rules.candidates import is_zero_or_more
from referee.rules.conditions import all_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.rule_result import RuleResult, Value
from referee.rules.switches import EXACT_MM, is_at_least

OVERHANG_MM = inches(1)  # Source: Terraced Obstructions, p. 81
_CLIMB = because("Terraced Obstructions", 81, "It may be climbed if the base overhangs it by no more than 1 in.")
_SPEED = because("Full Advance", 30, "A full advance goes up to the current speed.")
_ELEVATED = because("Does the Terrain Grant Elevation?", 78, "Who is completely inside the perimeter is elevated.")
_BONUS = because("Elevation Bonus", 78, "An elevated target gains 2 DEF against ranged and magic attacks from below.")
_HUGE = because("Elevation Bonus", 78, "Huge bases never gain it.")
_MELEE = because("Elevation Bonus", 78, "It counts against ranged and magic attacks only.")
_WHOLLY = because("Does the Terrain Grant Elevation?", 78, "Elevated is who stands completely within the feature.")
_WATER = because("Advantages", 17, "Completely in shallow water an Amphibious model has concealment and hides nobody.")
_ROUGH = because("Shallow Water", 79, "Shallow water is rough terrain.")


def climb(table: ExactTable, query: Climb) -> RuleResult:
    """Climb: whether it may get up on a terraced obstruction and stand there. Source: Terraced Obstructions, p. 81."""
    feature = find_feature(table, query.feature)
    if feature is None or not (feature.kind in ("terraced-obstruction", "platform", "hill") or feature.stand_on):
        return RuleResult(status="refused", because=(_CLIMB,), advice=f"{query.feature} is nothing one can climb.")
    spot = _find_spot(table, query)
    base, area = table.base(query.mover), table.area(query.feature)
    overhang = max(0.0, -depth_of_base(place_shape(base, spot), (area,)))
    room = RuleResult(
        margin_mm=OVERHANG_MM - overhang, because=(_CLIMB,), depends_on_place=(query.mover, query.feature)
    )
    near = area_gap(Area((base,)), area)
    free = check_end(table.with_end(query.mover, spot), query.mover)
    result = all_of((("room", room), ("travel", _check_travel(table, query, spot)), ("free", free)))
    end = spot if is_zero_or_more(result) else base.centre  # who does not get up stays
    return RuleResult(
        status=result.status,
        needs=result.needs,
        margin_mm=result.margin_mm,
        value={
            **result.value,
            "poses": {query.mover: {"at_mm": list(end)}},
            "contact_mm": max(0.0, near.mm),
            "overhang_mm": overhang,
        },
        lengths_mm={"overhang": overhang},
        witness=(Witness(type="circle", role="hit", centre_mm=spot, radius_mm=base.reach_mm, of=(query.mover,)),),
        because=result.because,
        depends_on_place=result.depends_on_place,
    )


def _find_spot(table: ExactTable, query: Climb) -> Point:
    """Where it would stand: told, straight on, else where it overhangs least."""
    if query.to is not None:
        return query.to.at_mm
    if query.heading_deg is not None:
        goal = straight_path(
            table.centre(query.mover), math.radians(query.heading_deg), far_side_mm(table, query.distance_in)
        )
        span = crossing_span(table, query.mover, goal, query.feature)
        if query.distance_in is None and span is not None:
            return place_after(goal, (span[0] + span[1]) / 2)
        return goal[1]
    return _find_roomiest(table.area(query.feature), table.base(query.mover))


def _find_roomiest(area: Area, base: RoundedShape) -> Point:
    """Of the places where the base overhangs least, the one nearest to where it stands."""
    import shapely
    import shapely.ops

    if not area.outline:
        return area.parts[0].centre
    ground = shapely.Polygon(area.outline)
    widest = shapely.maximum_inscribed_circle(ground, tolerance=0.001).length
    best = ground.buffer(-min(base.reach_mm, widest - 0.002), join_style="mitre")
    here = shapely.Point(base.centre)
    spot = here if best.is_empty else shapely.ops.nearest_points(best, here)[0]
    return (float(spot.x), float(spot.y))


def _check_travel(table: ExactTable, query: Climb, spot: Point) -> RuleResult:
    """Whether its movement takes it there; nothing said of its speed leaves that open. Source: Full Advance, p. 30."""
    allowance = speed_mm(table, query.mover) if query.distance_in is None else inches(query.distance_in)
    if allowance is None:
        return RuleResult(margin_mm=CAPPED_MM, depends_on_place=(query.mover,))
    path = (table.centre(query.mover), spot)
    slow = slow_stretches(table.base(query.mover), path, passability_of_advance(table, query.mover).slow)
    margin = allowance - cost_mm(length_mm(path), slow)
    return RuleResult(margin_mm=margin if margin < 0 else CAPPED_MM, because=(_SPEED,), depends_on_place=(query.mover,))


def elevation(table: ExactTable, query: Elevation) -> RuleResult:
    """Elevation: whether it counts as elevated, and how high it stands.

    Source: Does the Terrain Grant Elevation?, p. 78.
    """
    raising = [t for t in table.state.terrain if elevates(t)]
    depths = {t.id: depth_in(table, query.who, (t.id,)) for t in raising}
    best = max(depths, key=lambda id_: depths[id_], default=None)
    margin = CAPPED_MM if level(table, query.who) > 0 else -CAPPED_MM
    if best is not None:
        margin = depths[best]
    on = [id_ for id_, depth in depths.items() if _is_elevated_by(depth, (query.who, id_), is_best=id_ == best)]
    return RuleResult(
        margin_mm=max(-CAPPED_MM, min(CAPPED_MM, margin)),
        value={
            "height_mm": elevation_mm(table, query.who),
            "level": level(table, query.who),
            "on": list[JsonValue](on),
        },
        lengths_mm={"inside": margin} if best is not None else {},
        witness=() if best is None else draw_perimeter(table, best),
        because=(_ELEVATED,),
        depends_on_place=(query.who,) if best is None else (query.who, best),
    )


def _is_elevated_by(depth_mm: float, on: tuple[str, str], *, is_best: bool) -> bool:
    """Whether so deep is completely within; of the deepest the margin itself tells."""
    return depth_mm >= -EXACT_MM if is_best else is_at_least(depth_mm, 0.0, "is completely within", on)


def draw_perimeter(table: ExactTable, id_: str) -> tuple[Witness, ...]:
    area = table.area(id_)
    if area.outline:
        return (Witness(type="polygon", role="limit", points_mm=area.outline, of=(id_,)),)
    part = area.parts[0]
    return (Witness(type="circle", role="limit", centre_mm=part.centre, radius_mm=part.reach_mm, of=(id_,)),)


def elevation_bonus(table: ExactTable, query: ElevationBonus) -> RuleResult:
    """Elevation bonus: whether the target stands elevated above the attacker; equal levels earn nothing.

    Source: p. 78.
    """
    if is_huge(table.miniature(query.target)):
        return _refuse_bonus(query.target, _HUGE)
    if query.attack == "melee":
        return _refuse_bonus(query.target, _MELEE)
    heights = {id_: elevation_mm(table, id_) for id_ in (query.attacker, query.target)}
    above = _above_mm(table, query, heights)
    border = _nearest_rim_mm(table, query.target)
    earned = above > 1e-9
    margin = above if above != 0 else min(-abs(border), -1e-3) if border < 0 else -CAPPED_MM
    return RuleResult(
        margin_mm=margin,
        slack_mm=min(margin, border) if earned and border >= 0 else margin,
        zero_is_met=earned,  # then only the feature's rim can be at zero, and the rim is inside
        value={"bonus": 2 if earned else 0, "bonus_to": "defence", "heights": dict(heights)},
        because=(_BONUS, with_effect(table, _WHOLLY, _describe_height(table, query, above, border))),
        depends_on_place=(query.attacker, query.target, *(t.id for t in table.state.terrain if elevates(t))),
    )


def _above_mm(table: ExactTable, query: ElevationBonus, heights: dict[str, float]) -> float:
    """How much higher the target counts as standing: nothing on equal levels, else the height between them."""
    levels = level(table, query.target) - level(table, query.attacker)
    between = heights[query.target] - heights[query.attacker]
    return 0.0 if levels == 0 else between if between * levels > 0 else inches(levels)


def _describe_height(table: ExactTable, query: ElevationBonus, above_mm: float, border_mm: float) -> str:
    name, other = name_of(table, query.target), name_of(table, query.attacker)
    if above_mm > 0:
        return f"{name} stands {format_length(above_mm)} above {other}."
    if above_mm < 0:
        return f"{name} stands {format_length(-above_mm)} below {other}."
    if -CAPPED_MM < border_mm < 0:
        return f"{format_length(-border_mm)} of {name} are outside the feature, so it is not elevated."
    return f"{name} and {other} count as equally high."


def _refuse_bonus(target: str, reason: Reason) -> RuleResult:
    value: Value = {"bonus": 0, "bonus_to": "defence"}
    return RuleResult(margin_mm=-CAPPED_MM, value=value, because=(_BONUS, reason), depends_on_place=(target,))


def _nearest_rim_mm(table: ExactTable, id_: str) -> float:
    """How deep the base lies wholly inside the best feature that elevates; the negative cap without one."""
    base = table.base(id_)
    depths = [depth_of_base(base, (table.area(t.id),)) for t in table.state.terrain if elevates(t)]
    return max(depths, default=CAPPED_MM if table.miniature(id_).elevation_mm else -CAPPED_MM)


def water(table: ExactTable, query: Water) -> RuleResult:
    """Water: whether it stands wholly in shallow water, and what follows.

    Source: Advantages, p. 17; Shallow Water, p. 79.
    """
    pools = [t for t in table.state.terrain if t.kind in WATERS and query.feature in (None, t.id)]
    depths = {pool.id: depth_in(table, query.who, (pool.id,)) for pool in pools}
    best = max(depths, key=lambda id_: depths[id_], default=None)
    if best is None:
        return RuleResult(margin_mm=-CAPPED_MM, value=dry_value(), because=(_WATER,), depends_on_place=(query.who,))
    result = RuleResult(margin_mm=max(-CAPPED_MM, depths[best]), depends_on_place=(query.who, best))
    wet = is_zero_or_more(result)
    concealed = wet and table.miniature(query.who).has("amphibious")
    return RuleResult(
        margin_mm=result.margin_mm,
        value={"kind": "shallow-water" if wet else None, "barred": [], "def_base": None, "concealed": concealed},
        lengths_mm={"inside": depths[best]},
        witness=draw_perimeter(table, best),
        because=(_WATER, _ROUGH),
        depends_on_place=result.depends_on_place,
    )
