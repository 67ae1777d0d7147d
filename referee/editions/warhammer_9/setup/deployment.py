"""Deployment: the zones of each scenario, whether units stand in theirs, and how far scouts keep from the enemy."""

import math
from collections.abc import Callable
from dataclasses import replace

from pydantic import JsonValue

from models.queries import Deployment
from models.unit_conversion import inches
from models.verdict import CAPPED_MM
from models.vocabulary import Point
from referee.editions.warhammer_9.cards import lacks_rule
from referee.editions.warhammer_9.movement import path_legs
from referee.editions.warhammer_9.movement.spacing import ids_near, nearest_where_placed, scenario_name
from referee.editions.warhammer_9.parameters import SPACING_MM, because
from referee.editions.warhammer_9.units.distances import closest_bases
from referee.editions.warhammer_9.units.regiment import all_regiments, are_friends, leading_miniature, regiment, side_of
from referee.geometry.distance import gap, inside_mm
from referee.geometry.shapes import RoundedShape
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.rule_result import Candidate, RuleResult
from referee.rules.switches import EXACT_MM, is_margin_met

_ZONE = because("Deployment", 14, "All of a unit stands inside its own zone, farther from the line than told.")
_SCOUTS = because("Scouts", 64, "Anywhere that is more than 12 in from every enemy.")
_APART = because("Deployment", 14, "Units are set up at least an inch apart, and not in impassable terrain.")
_SCOUT_MM = inches(12)
Outline = tuple[Point, ...]
Zone = tuple[str, Outline]
"""A zone: its name and its outline."""
ZoneFinder = Callable[[float, float, str | None], Outline | None]


def deployment(table: ExactTable, query: Deployment) -> RuleResult:
    """Deployment: whether a unit may start there.

    Source: Deployment, p. 14; Scouts, p. 64; the scenarios, p. 109-111.
    """
    table = table if query.to is None else path_legs.place_unit(table, query.who, query.to)
    own = regiment(table, query.who)
    side = side_of(table, query.who)
    zones = _zones_of(table, side)
    if query.manner == "scout":
        return _scout_deployment(table, query, zones)
    if not zones:
        key = "missing-text"  # the maps of the scenarios, and the table of one, are not in the book as we have it
        needs = (f"zones of {side}",)
        return RuleResult(status="unknown", needs=needs, because=(_ZONE,), readings=(key,), deciding_house_rules=(key,))
    margin = max(_depth_mm(table, own.members, zone) for zone in zones)
    worst = min(own.members, key=lambda m: max(_depth_mm(table, (m,), zone) for zone in zones))
    where = "inside" if is_margin_met(margin, zero_is_met=False) else "outside"
    return _set_apart(
        table,
        query.who,
        RuleResult(
            margin_mm=margin,
            zero_is_met=False,
            value={"zone": zones[0][0], "clauses": [_clause_value("zone", margin)]},
            members=() if table.margins_only else tuple(_zone_candidate(table, m, side) for m in own.members),
            because=(with_effect(table, _ZONE, f"Its last corner is {format_length(abs(margin))} {where}."),),
            depends_on_place=(worst,),
            depends_on_facing=(worst,),
        ),
    )


def _set_apart(table: ExactTable, id_: str, placed: RuleResult) -> RuleResult:
    """The same with the inch to other units and impassable ground. Source: Deployment, p. 14; Impassible, p. 91."""
    near, legal = nearest_where_placed(table, id_), table.reading("one-inch-exact") == "legal"
    if near is None:
        return placed
    spare, clauses = near.mm - SPACING_MM, placed.value["clauses"]
    because = with_effect(table, _APART, f"{name_of(table, near.thing)}: {format_length(near.mm)}.")
    assert isinstance(clauses, list)
    assert placed.margin_mm is not None
    is_tightest = spare < placed.margin_mm
    return replace(
        placed,
        margin_mm=min(placed.margin_mm, spare),
        zero_is_met=legal if is_tightest else placed.zero_is_met,
        value=placed.value | {"clauses": [*clauses, _clause_value("one-inch", spare, zero_is_met=legal)]},
        because=(*placed.because, because),
        readings=(*placed.readings, "one-inch-exact"),
        doubtful=(*placed.doubtful, *["one-inch-exact"] * (abs(spare) < EXACT_MM)),
        depends_on_place=tuple(dict.fromkeys((*placed.depends_on_place, *ids_near(table, near.thing, near.part)))),
    )


def _zones_of(table: ExactTable, side: str | None) -> list[Zone]:
    """The deployment zones of a side: as they are drawn, else that of the scenario."""
    drawn = [z.id for z in table.state.zones if z.kind == "deployment" and z.side == side]
    if drawn:
        areas = ((id_, table.area(id_)) for id_ in drawn)
        return [(id_, area.outline or tuple(p for part in area.parts for p in part.points)) for id_, area in areas]
    outline = scenario_zone(table, side)
    return [] if outline is None else [outline]


def _depth_mm(table: ExactTable, ids: tuple[str, ...], zone: Zone) -> float:
    """How deep all of these bases lie in a zone; the table's own edges do not count."""
    (_, outline), size = zone, table.state.table
    return min(_border_distance_mm(p, outline, size.width_mm, size.depth_mm) for m in ids for p in table.base(m).points)


def _border_distance_mm(
    p: tuple[float, float], outline: tuple[tuple[float, float], ...], width: float, depth: float
) -> float:
    """How deep a point lies inside the borders of a zone that are not table edges; negative outside."""
    if inside_mm(p, outline) < -EXACT_MM:  # flush with the edge of the table is inside
        return inside_mm(p, outline)
    inner = [
        gap(RoundedShape((p,)), RoundedShape((a, b))).mm
        for a, b in zip(outline, (*outline[1:], outline[0]), strict=True)
        if not _is_table_edge(a, b, width, depth)
    ]
    return min(inner, default=CAPPED_MM)


def _is_table_edge(a: tuple[float, float], b: tuple[float, float], width: float, depth: float) -> bool:
    same = [(a[0], b[0], (0.0, width)), (a[1], b[1], (0.0, depth))]
    return any(abs(p - q) < 1e-6 and any(abs(p - end) < 1e-6 for end in ends) for p, q, ends in same)


def _zone_candidate(table: ExactTable, id_: str, side: str | None) -> Candidate:
    def rule(asked: ExactTable) -> RuleResult:
        mm = max(_depth_mm(asked, (id_,), zone) for zone in _zones_of(asked, side))
        return RuleResult(margin_mm=mm, zero_is_met=False, depends_on_place=(id_,), depends_on_facing=(id_,))

    return Candidate(id_, rule(table), rule)


def _clause_value(name: str, mm: float, *, zero_is_met: bool = False) -> JsonValue:
    return {"clause": name, "answer": "yes" if is_margin_met(mm, zero_is_met=zero_is_met) else "no", "margin_mm": mm}


def _scout_deployment(table: ExactTable, query: Deployment, zones: list[Zone]) -> RuleResult:
    """Source: Scouts, p. 64."""
    foes = [id_ for id_ in all_regiments(table) if not are_friends(table, query.who, id_)]
    between = min((closest_bases(table, query.who, id_) for id_ in foes), key=lambda closest: closest.mm, default=None)
    far = CAPPED_MM if between is None else between.mm - _SCOUT_MM
    own = regiment(table, query.who)
    inside = max((_depth_mm(table, own.members, zone) for zone in zones), default=-CAPPED_MM)
    zero_is_met = table.reading("twelve-inches") == "allowed"
    clauses: list[JsonValue] = [
        _clause_value("twelve-inches", far, zero_is_met=zero_is_met),
        _clause_value("or-own-zone", inside),
    ]
    banned = lacks_rule(leading_miniature(table, query.who), "scouts")
    clauses += [_clause_value("scouts", -CAPPED_MM)] * banned
    scouted = RuleResult(
        margin_mm=-CAPPED_MM if banned else max(far, inside),
        zero_is_met=zero_is_met and far >= inside,
        value={"zone": zones[0][0] if zones else None, "clauses": clauses},
        because=(
            with_effect(table, _SCOUTS, f"The nearest enemy is {format_length(max(0.0, far + _SCOUT_MM))} away."),
        ),
        readings=("twelve-inches",),
        doubtful=("twelve-inches",) if abs(max(far, inside)) < EXACT_MM else (),
        depends_on_place=() if between is None else between.depends_on,
    )
    return _set_apart(table, query.who, scouted)


def scenario_zone(table: ExactTable, side: str | None) -> tuple[str, Outline] | None:
    """The zone of a side, by its name and outline; None where the scenario or the edge does not tell.

    Source: Battleline, Battle for the Pass, p. 109; Blood and Glory, p. 110; Meeting Engagement,
    The Watchtower, p. 111.
    """
    name = scenario_name(table)
    edge = next((owner.edge for owner in table.state.sides if owner.id == side), None)
    outline = _ZONES[name](table.state.table.width_mm, table.state.table.depth_mm, edge) if name in _ZONES else None
    return None if outline is None else (f"{name}:{edge}", outline)


def _half_behind_line(from_line_in: float, from_sides_in: float = 0.0) -> ZoneFinder:
    """The half at a long edge, so far from the centre line and from the narrow edges."""

    def outline(width: float, depth: float, edge: str | None) -> Outline | None:
        if width < depth or edge not in ("near", "far"):
            return None
        left, right = inches(from_sides_in), width - inches(from_sides_in)
        if edge == "near":
            return _rectangle(left, 0.0, right, depth / 2 - inches(from_line_in))
        return _rectangle(left, depth / 2 + inches(from_line_in), right, depth)

    return outline


def _end_behind_line(width: float, depth: float, edge: str | None) -> Outline | None:
    """The half at a narrow edge, more than 12 in from the centre line."""
    if width < depth or edge not in ("left", "right"):
        return None
    if edge == "left":
        return _rectangle(0.0, 0.0, width / 2 - inches(12), depth)
    return _rectangle(width / 2 + inches(12), 0.0, width, depth)


def _corner_behind_diagonal(width: float, depth: float, edge: str | None) -> Outline | None:
    """The half at a corner, more than 6 in from the diagonal."""
    if edge is None or not edge.startswith("corner-"):
        return None
    x, y = (0.0 if "left" in edge else width), (0.0 if "near" in edge else depth)
    share = 1 - inches(6) * math.hypot(width, depth) / (width * depth)
    if share <= 0:
        return None
    along, up = (width * share, depth * share)
    return ((x, y), (along if x == 0 else width - along, y), (x, up if y == 0 else depth - up))


def _rectangle(left: float, near: float, right: float, far: float) -> Outline | None:
    return ((left, near), (right, near), (right, far), (left, far)) if left < right and near < far else None


_ZONES: dict[str, ZoneFinder] = {
    "battleline": _half_behind_line(12),
    "watchtower": _half_behind_line(12),
    "the-watchtower": _half_behind_line(12),
    "battle-for-the-pass": _end_behind_line,
    "blood-and-glory": _half_behind_line(9, 9),
    "meeting-engagement": _corner_behind_diagonal,
}
