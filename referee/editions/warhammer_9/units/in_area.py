"""In area: whether a miniature or most of a unit stands in terrain, a zone or an effect."""

import math
from collections.abc import Collection

from pydantic import JsonValue

from models.queries import InArea
from models.verdict import CAPPED_MM
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.regiment import members_of, regiment
from referee.geometry.containment import depth_of_base, polygon_of, reach_into
from referee.geometry.distance import gap
from referee.geometry.shapes import Area, RoundedShape
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_more_than

_AREA = because("Measuring Distances", 9, "In it is whoever has part of its base in it; a unit mostly, by over half.")


def in_area(table: ExactTable, query: InArea) -> RuleResult:
    """In area: whether any base is inside.

    Source: Measuring Distances, p. 9; Forests, p. 92, for most of a unit.
    """
    area = table.area(query.area)
    ids = members_of(table, query.who)
    depths = {m: reach_into(table.base(m), area) for m in ids}
    deepest = max(depths, key=lambda m: depths[m])
    whole = min(depth_of_base(table.base(m), (area,)) for m in ids)
    inside = sum(is_mostly_inside(table, m, query.area) for m in ids)
    value: dict[str, JsonValue] = {
        "completely": {"answer": "yes" if whole >= -1e-9 else "no", "margin_mm": whole},
        "majority": inside > len(ids) / 2,
        "inside": inside,
    }
    return RuleResult(
        margin_mm=depths[deepest],
        value=value,
        lengths_mm={"completely": whole},
        because=(with_effect(table, _AREA, f"{inside} of {len(ids)} are mostly inside."),),
        readings=("majority-inside",),
        outcome_house_rules=("majority-inside",) if any(mm > 0 for mm in depths.values()) else (),
        depends_on_place=(deepest, query.area),
    )


def overlaps(table: ExactTable, id_: str, place: str) -> bool:
    """Whether any of a base lies inside a piece of terrain."""
    base = table.base(id_)
    near = (
        part for part in table.area(place).parts if math.dist(base.centre, part.centre) < base.reach_mm + part.reach_mm
    )
    deepest = max((-gap(base, part).mm for part in near), default=-CAPPED_MM)
    return is_more_than(deepest, 0.0, "stands in part in", (id_, *table.movers_of(place)))


def inside_excess_mm(table: ExactTable, id_: str, place: str) -> float:
    """By how much of its width more of a base lies inside than the table's reading asks for. Source: p. 92."""
    base, width = table.base(id_), regiment(table, id_).base_mm[0]
    whole = polygon_of(Area((base,)))
    share = polygon_of(table.area(place)).intersection(whole).area / whole.area
    needed = {"more-than-half": 0.5, "any-part": 0.0, "wholly": 1.0 - 1e-6}
    how = table.reading("majority-inside")
    if how == "centre":
        return max(-gap(RoundedShape((base.centre,)), part).mm for part in table.area(place).parts)
    return float((share - needed[how]) * width)


def is_mostly_inside(table: ExactTable, id_: str, place: str) -> bool:
    """Whether as much of a base lies inside as the table's reading asks for. Source: p. 92."""
    if not overlaps(table, id_, place):
        return False
    return is_more_than(inside_excess_mm(table, id_, place), 0.0, "lies mostly in", (id_, *table.movers_of(place)))


def inside_doubts(table: ExactTable, unit: str, kinds: Collection[str]) -> tuple[str, ...]:
    """House rules of majorities, where somebody of the unit stands in terrain of these kinds."""
    places = [t.id for t in table.state.terrain if t.kind in kinds]
    is_inside = any(overlaps(table, m, place) for place in places for m in members_of(table, unit))
    return ("majority-inside",) if is_inside else ()
