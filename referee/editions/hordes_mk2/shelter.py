"""Cover and concealment here: near a feature that obscures base or volume, or by any part of the base inside one."""

import math

from models.terrain import Effect, Terrain
from models.verdict import CAPPED_MM, Reason
from models.words import Point
from referee.areas import reach_into
from referee.corridor import depth_in_corridor
from referee.crossing import Run, least_run
from referee.editions.hordes_mk2.parameters import COVER_MM, because
from referee.editions.warmachine_prime.cover import Shelter
from referee.editions.warmachine_prime.distances import touched
from referee.editions.warmachine_prime.features import Crossing, Grant, granted_behind, granted_inside
from referee.editions.warmachine_prime.ground import elevation_mm, volume_mm
from referee.gaps import area_gap, holds
from referee.ruling import Ruling
from referee.shapes import Area, Rounded
from referee.situation import Situation
from referee.telling import applied, length, name_of
from referee.telling import margin as told_margin

_NEAR = because(
    "Concealment and Cover",
    "A feature within 1 in of the base that obscures some of the target shelters it.",
)
_INSIDE = because("Forests", "Concealment in a forest takes any part of the base inside.")
_RUIN = because("Damaging and Destroying Structures", "Cover in a ruin takes any part of the base inside.")
_CLOUD = because("Cloud Effects", "Concealment in a cloud takes any part of the base inside.")
_EFFECT = because("Concealment and Cover", "An effect grants it to those within.")
_STEEP = frozenset({"hill", "platform", "terraced-obstruction"})  # Source: Hills: they give height and nothing else
Place = str | Point


def of_terrain(table: Situation, source: Place, target: str, terrain: Terrain) -> list[Shelter]:
    """What a piece of terrain may grant. Source: Concealment and Cover; Forests; Damaging and Destroying Structures."""
    behind, inside = granted_behind(terrain), granted_inside(terrain)
    if behind != "none" and (terrain.kind not in _STEEP or terrain.grants is not None):
        return [_behind(table, source, target, terrain, behind)]
    if inside == "none" or terrain.kind == "trench":
        return []
    return [Shelter(terrain.id, inside, _within(table, target, terrain.id, _RUIN if inside == "cover" else _INSIDE))]


def of_effect(table: Situation, target: str, effect: Effect) -> list[Shelter]:
    """What an effect may grant. Source: Cloud Effects; Concealment and Cover."""
    grant = granted_inside(effect)
    if grant == "none":
        return []
    why = _CLOUD if effect.kind in ("cloud", "fog", "burning") else _EFFECT
    return [Shelter(effect.id, grant, _within(table, target, effect.id, why))]


def _within(table: Situation, target: str, feature: str, why: Reason) -> Ruling:
    depth = reach_into(table.base(target), table.area(feature))
    how = f"reaches {length(depth)} into" if depth >= 0 else f"stays {length(-depth)} out of"
    told = applied(table, why, f"{name_of(table, target)} {how} {feature}.")
    return Ruling(margin_mm=depth, because=(told,), touches=(target, feature))


def _behind(table: Situation, source: Place, target: str, terrain: Terrain, grant: Grant) -> Shelter:
    """Within an inch of the base at its nearest, and obscuring some of base or volume; exactly an inch counts."""
    touches = touched(source, target, terrain.id)
    nearest = max(0.0, area_gap(table.area(target), table.area(terrain.id)).mm)
    depth, run = _obscures(table, source, target, terrain, grant)
    along = table.reading("cover-distance") == "along-line" and run is not None
    apart = run.mm if along and run is not None else nearest
    margin = COVER_MM - apart
    told = f"{terrain.id} is {length(apart)} from the base, {told_margin(margin)}"
    how = "obscures some of it" if depth >= 0 else "obscures nothing of it"
    differs = run is not None and (run.mm <= COVER_MM) != (nearest <= COVER_MM)
    ruling = Ruling(
        margin_mm=margin if depth >= 0 else max(-CAPPED_MM, min(depth, margin)),
        slack_mm=max(-CAPPED_MM, min(margin, depth)),
        because=(applied(table, _NEAR, f"{told}, and {how}."),),
        readings=("cover-distance", "obscured-part"),
        doubtful=(*(("cover-distance",) if differs else ()), *(("obscured-part",) if _is_raised(terrain) else ())),
        touches=touches,
    )
    near = Run(nearest, *_nearest(table, target, terrain))
    return Shelter(terrain.id, grant, ruling, Crossing(depth, near), obscures=depth >= 0)


def _nearest(table: Situation, target: str, terrain: Terrain) -> tuple[Point, Point]:
    between = area_gap(table.area(terrain.id), table.area(target))
    return between.at_a, between.at_b


def _is_raised(terrain: Terrain) -> bool:
    return terrain.bottom_mm > 0


def _obscures(table: Situation, source: Place, target: str, terrain: Terrain, grant: Grant) -> tuple[float, Run | None]:
    """How deep the feature reaches among the lines that count, and the shortest run; far outside when all pass it by.

    Source: Concealment and Cover: of the target's volume for concealment, of its base for cover.
    """
    ends, area = (table.area(source).parts[0], table.base(target)), table.area(terrain.id)
    depth = depth_in_corridor(*ends, area)
    run = least_run(*ends, area) if depth >= 0 else None
    if run is None:
        return (depth if depth < 0 else -CAPPED_MM), None
    low, high = _heights(table, source, target, terrain, grant, _shares(ends, area, run))
    top = math.inf if terrain.height_mm is None else terrain.height_mm
    met = low <= top + 1e-9 and high >= terrain.bottom_mm - 1e-9
    return (depth, run) if met else (-CAPPED_MM, run)


def _shares(ends: tuple[Rounded, Rounded], area: Area, run: Run) -> tuple[float, float]:
    """The least and the greatest share of a line that lies between the target's base and the feature."""
    source, target = ends
    whole = math.dist(source.centre, target.centre) - source.reach_mm - target.reach_mm
    far = max((math.dist(p, target.centre) + q.radius_mm for q in area.parts for p in q.points), default=0.0)
    if whole <= 0 or any(holds(part, target.centre) for part in area.parts):
        return 0.0, 1.0
    return min(1.0, run.mm / whole), min(1.0, (far - target.reach_mm) / whole)


def _heights(
    table: Situation, source: Place, target: str, terrain: Terrain, grant: Grant, shares: tuple[float, float]
) -> tuple[float, float]:
    """Between which heights the lines that count run where the feature is."""
    mini = isinstance(source, str) and source in table.miniatures
    here = elevation_mm(table, source) if mini and isinstance(source, str) else 0.0
    tall = volume_mm(table.miniature(source)) if mini and isinstance(source, str) else 0.0
    there = elevation_mm(table, target)
    part = table.reading("obscured-part")
    whole = part == "volume" or (part == "base-and-volume" and grant == "concealment")
    body = volume_mm(table.miniature(target)) if whole else 0.0
    ways = [(here, there), (here + tall, there + body)]
    low = min(end + (start - end) * share for share in shares for start, end in ways[:1])
    high = max(end + (start - end) * share for share in shares for start, end in ways[1:])
    return low, high
