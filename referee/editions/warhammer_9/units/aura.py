"""Aura: which units are within a radius."""

from pydantic import JsonValue

from models.queries import Aura
from models.terrain import Terrain
from models.unit_conversion import inches
from models.vocabulary import Point
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.distances import (
    MEASURED_BY,
    distance_as_agreed,
    is_unit_or_miniature,
    measured_parts,
    radius_doubts,
)
from referee.editions.warhammer_9.units.regiment import all_regiments, are_friends
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import Candidate, RuleResult
from referee.rules.switches import is_margin_met

_RADIUS = because("Measuring Distances", 9, "A unit is within a distance when any of its bases is.")


def aura(table: ExactTable, query: Aura) -> RuleResult:
    """Aura: which units are within the radius.

    Source: Measuring Distances, p. 9; p. 96-101 for terrain with a radius.
    """
    limit = _radius_mm(table, query)
    if limit is None:
        return RuleResult(status="unknown", needs=("range_in",), because=(_RADIUS,))
    around = _units_asked_about(table, query)
    candidates = [_aura_candidate(table, query.source, id_, limit) for id_ in around]
    candidates.sort(key=lambda member: -(0.0 if member.result is None else member.result.margin_mm or 0.0))
    by_id: dict[str, JsonValue] = {m.id: _member_value(table, query.source, m, limit) for m in candidates}
    return RuleResult(
        status="measured",
        value={"by_id": by_id, "limit_mm": limit, "source_counts": is_unit_or_miniature(table, query.source)},
        members=tuple(candidates),
        because=(_RADIUS,),
        readings=("unit-in-range", "garrison-edge"),
        doubtful=tuple(radius_doubts(table, query.source, *around)),
    )


def _member_value(table: ExactTable, source: str | Point, member: Candidate, limit_mm: float) -> JsonValue:
    """How far away a unit is, and whether all of it is within the radius."""
    result = member.result
    if result is None:
        return {}
    inside = is_margin_met(result.margin_mm or 0.0) and _is_completely_within(table, source, member.id, limit_mm)
    return {"distance_mm": result.lengths_mm["distance"], "completely": inside}


def _is_completely_within(table: ExactTable, source: str | Point, id_: str, limit_mm: float) -> bool:
    resting = table.without_readings(frozenset(table.readings) - MEASURED_BY)
    key = ("wholly within", source, id_, limit_mm)
    return resting.memoize_unperturbed(key, lambda still: _find_completely_within(still, source, id_, limit_mm))


def _find_completely_within(table: ExactTable, source: str | Point, id_: str, limit_mm: float) -> bool:
    """Whether every corner of every base is; a round base counts by its far rim."""
    start = [part for _, area in measured_parts(table, source) for part in area.parts]
    parts = [part for _, area in measured_parts(table, id_) for part in area.parts]
    far = ((RoundedShape((p,)), limit_mm - part.radius_mm) for part in parts for p in part.points)
    return all(any(is_margin_met(most - gap(id_, corner).mm) for id_ in start) for corner, most in far)


def _radius_mm(table: ExactTable, query: Aura) -> float | None:
    if query.range_in is not None:
        return inches(query.range_in)
    thing = table.state.by_id.get(query.source) if isinstance(query.source, str) else None
    if isinstance(thing, Terrain) and thing.radius_in is not None:
        return inches(thing.radius_in)
    radius_in = getattr(thing, "radius_in", None)
    return None if radius_in is None else inches(radius_in)


def _units_asked_about(table: ExactTable, query: Aura) -> list[str]:
    """The regiments asked about; the source itself always counts as within its own radius."""
    every = all_regiments(table)
    if query.only is None or not isinstance(query.source, str) or not is_unit_or_miniature(table, query.source):
        return list(every)
    return [id_ for id_ in every if are_friends(table, query.source, id_) == (query.only == "friends")]


def _aura_candidate(table: ExactTable, source: str | Point, id_: str, limit_mm: float) -> Candidate:
    def rule(asked: ExactTable) -> RuleResult:
        between = distance_as_agreed(asked, source, id_)
        mm = max(0.0, between.mm)
        return RuleResult(margin_mm=limit_mm - mm, lengths_mm={"distance": mm}, depends_on_place=between.depends_on)

    return Candidate(id_, rule(table), rule)
