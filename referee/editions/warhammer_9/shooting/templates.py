"""Templates: whose base lies even partly under one. Just touching the rim is a miss."""

import math
from collections import Counter
from collections.abc import Iterable
from functools import partial

from pydantic import JsonValue

from models.queries import TemplateHits
from models.unit_conversion import inches, radians
from models.verdict import Witness
from models.vocabulary import Point
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.regiment import all_regiments, garrisoned_building, regiment_of
from referee.geometry.distance import area_gap, gap
from referee.geometry.shapes import Area, disc
from referee.rules.candidates import is_met
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import with_effect
from referee.rules.rule_result import Candidate, RuleResult
from referee.rules.switches import is_at_least

_NEAR_MM = 50.0
_UNDER = because("Templates", 10, "Every base that lies even partly under the template is hit.")
_INSIDE = because("Template Weapons", 99, "Who holds a building that is touched takes D6 hits.")


def ids_hit(members: Iterable[Candidate]) -> list[str]:
    """The ids of the candidates that are hit."""
    return [member.id for member in members if member.result is not None and is_met(member.result)]


def ids_under_hole(table: ExactTable, at: Point, ids: Iterable[str]) -> list[str]:
    """Who lies under the hole in the middle: of several one is drawn. Source: Stone Throwers, p. 89."""
    distances = ((id_, gap(disc(at, 0.0), table.base(id_)).mm) for id_ in ids)
    return [id_ for id_, mm in distances if is_at_least(0.0, mm, "the hole lies over", (id_,))]


def garrisons_hit(table: ExactTable, template: Area, at: Point | None) -> list[tuple[Candidate, dict[str, JsonValue]]]:
    """Every garrison near a template, with what hits it: D6, the harder ones where the hole is over the building.

    Source: Buildings, p. 99.
    """
    hits: list[tuple[Candidate, dict[str, JsonValue]]] = []
    for unit in all_regiments(table):
        building = garrisoned_building(table, unit)
        if building is None:
            continue
        rule = partial(_building_depth, template=template, building=building)
        over = at is not None and area_gap(table.area(building), Area((disc(at, 0.0),))).mm <= 0
        if (rule(table).margin_mm or 0.0) > -_NEAR_MM:
            hits.append((Candidate(unit, rule(table), rule), {"hit": "garrison", "hits": "d6", "hole": over}))
    return hits


def _building_depth(table: ExactTable, template: Area, building: str) -> RuleResult:
    return _depth_result(table, -area_gap(template, table.area(building)).mm, building)


def _depth_result(table: ExactTable, mm: float, id_: str) -> RuleResult:
    """How deep a template lies over something; what exactly touching is, the table's reading tells."""
    grazes = abs(mm) < 1e-6
    met = table.reading("area-touch") == "covered"
    return RuleResult(
        margin_mm=mm, zero_is_met=met, doubtful=("area-touch",) if grazes else (), depends_on_place=(id_,)
    )


def grazing_doubts(members: tuple[Candidate, ...]) -> tuple[str, ...]:
    """House rules on which it depends whom a template hits."""
    return tuple(
        dict.fromkeys(key for member in members if member.result is not None for key in member.result.doubtful)
    )


def bases_under_template(table: ExactTable, template: Area, *, but: tuple[str, ...] = ()) -> tuple[Candidate, ...]:
    """Bases near a template, each with how deep it lies under it; exactly touching is a miss."""
    bases = []
    for id_ in bases_near_template(table, template, but=but):
        result = _base_depth(table, template, id_)
        if result.margin_mm is not None and result.margin_mm > -_NEAR_MM:
            bases.append(Candidate(id_, result, partial(_base_depth, template=template, id_=id_)))
    return tuple(bases)


def bases_near_template(table: ExactTable, template: Area, *, but: tuple[str, ...] = (), mm: float = 50.0) -> list[str]:
    """Ids in play whose base may lie within so much of a template."""
    out = [m.id for m in table.state.miniatures if m.inside is None and "removed" not in m.status and m.id not in but]
    discs = [(part.centre, part.reach_mm) for part in template.parts]
    bases = ((id_, table.base(id_)) for id_ in out)
    return [
        id_
        for id_, base in bases
        if any(math.dist(base.centre, at) - base.reach_mm - reach <= mm for at, reach in discs)
    ]


def _base_depth(table: ExactTable, template: Area, id_: str) -> RuleResult:
    return _depth_result(table, -area_gap(template, Area((table.base(id_),))).mm, id_)


def point_of(table: ExactTable, place: str | Point) -> Point:
    """The point meant: itself, or the middle of a thing."""
    if not isinstance(place, str):
        return place
    parts = table.area(place).parts
    return (sum(p.centre[0] for p in parts) / len(parts), sum(p.centre[1] for p in parts) / len(parts))


def point_along(at: Point, heading_deg: float, mm: float) -> Point:
    """The point so far from another along a heading."""
    turn = radians(heading_deg)
    return (at[0] + mm * math.cos(turn), at[1] + mm * math.sin(turn))


def template_hits(table: ExactTable, query: TemplateHits) -> RuleResult:
    """Template hits: who lies under a round template. Source: Templates, p. 10; Buildings, p. 99."""
    at = point_of(table, query.at)
    template = Area((disc(at, inches(query.diameter_in) / 2),))
    members = bases_under_template(table, template)
    hit = ids_hit(members)
    under = ids_under_hole(table, at, hit)
    by_id: dict[str, JsonValue] = {
        id_: {"hit": "direct" if id_ == query.direct else "hole" if id_ in under else "blast"} for id_ in hit
    }
    inside = garrisons_hit(table, template, at)
    value: dict[str, JsonValue] = {
        "by_id": by_id | {member.id: details for member, details in inside if member.id in ids_hit([member])},
        "units": dict[str, JsonValue](Counter(regiment_of(table, id_) for id_ in hit)),
        "point_mm": [*at],
    }
    return RuleResult(
        status="measured",
        value=value | ({"ties": [*under]} if query.hole else {}),
        members=(*members, *(member for member, _ in inside)),
        witness=(Witness(type="circle", role="limit", centre_mm=at, radius_mm=inches(query.diameter_in) / 2),),
        because=(with_effect(table, _UNDER, f"{len(hit)} lie under it."), *([_INSIDE] if inside else [])),
        readings=("area-touch",),
    )
