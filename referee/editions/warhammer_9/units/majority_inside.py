"""Majority inside: how much of a base lies in a piece of terrain."""

import math
from collections.abc import Collection

from models.verdict import CAPPED_MM
from referee.editions.warhammer_9.units.regiment import members_of, regiment
from referee.geometry.containment import polygon_of
from referee.geometry.distance import gap
from referee.geometry.shapes import Area, RoundedShape
from referee.rules.exact_table import ExactTable
from referee.rules.switches import is_more_than


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
    found = any(overlaps(table, m, place) for place in places for m in members_of(table, unit))
    return ("majority-inside",) if found else ()
