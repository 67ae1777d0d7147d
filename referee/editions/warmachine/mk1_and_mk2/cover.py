"""Cover and concealment: near a feature that obscures base or volume, or by any part of the base inside one."""

import math

from models.terrain import Effect, Terrain
from models.verdict import CAPPED_MM, Reason
from models.vocabulary import Point
from referee.editions.warmachine.miniatures.base_state import elevation_mm, volume_mm
from referee.editions.warmachine.miniatures.distances import ids_that_matter
from referee.editions.warmachine.mk1_and_mk2.parameters import COVER_MM, because
from referee.editions.warmachine.terms import Crossing, Grant, Place, Shelter
from referee.editions.warmachine.terrain.features import granted_behind, granted_inside
from referee.geometry.area_crossing import Run, least_run
from referee.geometry.containment import reach_into
from referee.geometry.corridor import depth_in_corridor
from referee.geometry.distance import area_gap, contains_point
from referee.geometry.shapes import Area, RoundedShape
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.explanations import format_margin as told_margin
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least

_NEAR = because(
    "Concealment and Cover", "A feature within 1 in of the base that obscures some of the target shelters it."
)
_INSIDE = because("Forests", "Concealment in a forest takes any part of the base inside.")
_RUIN = because("Damaging and Destroying Structures", "Cover in a ruin takes any part of the base inside.")
_CLOUD = because("Cloud Effects", "Concealment in a cloud takes any part of the base inside.")
_EFFECT = because("Concealment and Cover", "An effect grants it to those within.")
_STEEP = frozenset({"hill", "platform", "terraced-obstruction"})  # Source: Hills: they give height and nothing else


def terrain_shelter(table: ExactTable, source: Place, target: str, terrain: Terrain) -> list[Shelter]:
    """What a piece of terrain may grant. Source: Concealment and Cover; Forests; Damaging and Destroying Structures."""
    behind, inside = granted_behind(terrain), granted_inside(terrain)
    if behind != "none" and (terrain.kind not in _STEEP or terrain.grants is not None):
        return [_shelter_behind(table, source, target, terrain, behind)]
    if inside == "none" or terrain.kind == "trench":
        return []
    return [
        Shelter(terrain.id, inside, _check_inside(table, target, terrain.id, _RUIN if inside == "cover" else _INSIDE))
    ]


def effect_shelter(table: ExactTable, target: str, effect: Effect) -> list[Shelter]:
    """What an effect may grant. Source: Cloud Effects; Concealment and Cover."""
    grant = granted_inside(effect)
    if grant == "none":
        return []
    why = _CLOUD if effect.kind in ("cloud", "fog", "burning") else _EFFECT
    return [Shelter(effect.id, grant, _check_inside(table, target, effect.id, why))]


def _check_inside(table: ExactTable, target: str, feature: str, why: Reason) -> RuleResult:
    depth = reach_into(table.base(target), table.area(feature))
    how = f"reaches {format_length(depth)} into" if depth >= 0 else f"stays {format_length(-depth)} out of"
    reason = with_effect(table, why, f"{name_of(table, target)} {how} {feature}.")
    return RuleResult(margin_mm=depth, because=(reason,), depends_on_place=(target, feature))


def _shelter_behind(table: ExactTable, source: Place, target: str, terrain: Terrain, grant: Grant) -> Shelter:
    """Within an inch of the base at its nearest, and obscuring some of base or volume; exactly an inch counts."""
    touches = ids_that_matter(source, target, terrain.id)
    nearest = max(0.0, area_gap(table.area(target), table.area(terrain.id)).mm)
    depth, run = _obscured_depth(table, source, target, terrain, grant)
    along = table.reading("cover-distance") == "along-line" and run is not None
    apart = run.mm if along and run is not None else nearest
    margin = COVER_MM - apart
    effect = f"{terrain.id} is {format_length(apart)} from the base, {told_margin(margin)}"
    obscures = is_at_least(depth, 0.0, "obscures some of", ids_that_matter(terrain.id, target, source))
    how = "obscures some of it" if obscures else "obscures nothing of it"
    differs = run is not None and (run.mm <= COVER_MM) != (nearest <= COVER_MM)
    result = RuleResult(
        margin_mm=margin if obscures else max(-CAPPED_MM, min(depth, margin)),
        slack_mm=max(-CAPPED_MM, min(margin, depth)),
        because=(with_effect(table, _NEAR, f"{effect}, and {how}."),),
        readings=("cover-distance", "obscured-part"),
        doubtful=(*(("cover-distance",) if differs else ()), *(("obscured-part",) if (terrain.bottom_mm > 0) else ())),
        depends_on_place=touches,
    )
    near = Run(nearest, *_nearest_points(table, target, terrain))
    return Shelter(terrain.id, grant, result, Crossing(depth, near), obscures=obscures)


def _nearest_points(table: ExactTable, target: str, terrain: Terrain) -> tuple[Point, Point]:
    between = area_gap(table.area(terrain.id), table.area(target))
    return between.at_a, between.at_b


def _obscured_depth(
    table: ExactTable, source: Place, target: str, terrain: Terrain, grant: Grant
) -> tuple[float, Run | None]:
    """How deep the feature reaches among the lines that count, and the shortest run; far outside when all pass it by.

    Source: Concealment and Cover: of the target's volume for concealment, of its base for cover.
    """
    ends, area = (table.area(source).parts[0], table.base(target)), table.area(terrain.id)
    depth = depth_in_corridor(*ends, area)
    run = least_run(*ends, area) if depth >= 0 else None
    if run is None:
        return (depth if depth < 0 else -CAPPED_MM), None
    low, high = _height_range(table, source, target, grant, _shares_of_line(ends, area, run))
    on = ids_that_matter(terrain.id, target, source)
    met = terrain.height_mm is None or is_at_least(terrain.height_mm, low, "reaches up to the lines to", on)
    met = is_at_least(high, terrain.bottom_mm, "reaches down to the lines to", on) and met
    return (depth, run) if met else (-CAPPED_MM, run)


def _shares_of_line(ends: tuple[RoundedShape, RoundedShape], area: Area, run: Run) -> tuple[float, float]:
    """The least and the greatest share of a line that lies between the target's base and the feature."""
    source, target = ends
    whole = math.dist(source.centre, target.centre) - source.reach_mm - target.reach_mm
    far = max((math.dist(p, target.centre) + q.radius_mm for q in area.parts for p in q.points), default=0.0)
    if whole <= 0 or any(contains_point(part, target.centre) for part in area.parts):
        return 0.0, 1.0
    return min(1.0, run.mm / whole), min(1.0, (far - target.reach_mm) / whole)


def _height_range(
    table: ExactTable, source: Place, target: str, grant: Grant, shares: tuple[float, float]
) -> tuple[float, float]:
    """Between which heights the lines that count run where the feature is."""
    mini = isinstance(source, str) and source in table.miniatures
    here = elevation_mm(table, source) if mini and isinstance(source, str) else 0.0
    tall = volume_mm(table.miniature(source)) if mini and isinstance(source, str) else 0.0
    foot = elevation_mm(table, target)
    part = table.reading("obscured-part")
    whole = part == "volume" or (part == "base-and-volume" and grant == "concealment")
    body = volume_mm(table.miniature(target)) if whole else 0.0
    ways = [(here, foot), (here + tall, foot + body)]
    low = min(end + (start - end) * share for share in shares for start, end in ways[:1])
    high = max(end + (start - end) * share for share in shares for start, end in ways[1:])
    return low, high
