"""Front arc: whether some part of the target lies in a unit's front quadrant."""

from models.queries import InFrontArc
from models.verdict import CAPPED_MM
from referee.editions.warhammer_9.units.distances import measured_parts
from referee.editions.warhammer_9.units.quadrants import (
    FACING,
    arc_dependencies,
    arc_lines,
    depth_ahead_mm,
    front_rank,
    part_in_front,
)
from referee.editions.warhammer_9.units.regiment import Regiment, garrisoned_building, regiment
from referee.geometry.convex_outline import area_mm2, outline_points
from referee.geometry.shapes import RoundedShape
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.rule_result import RuleResult


def in_front_arc(table: ExactTable, query: InFrontArc) -> RuleResult:
    """Front arc: whether some part of the target is in the front quadrant.

    Source: Unit Facing, p. 11; Declare Charge, p. 17.
    """
    if garrisoned_building(table, query.viewer) is not None:
        return _garrison_result(table, query)
    own = regiment(table, query.viewer)
    parts = [(id_, part) for id_, area in measured_parts(table, query.target) for part in area.parts]
    depths = [(depth_ahead_mm(own, part), id_, part) for id_, part in parts]
    depth, deepest, _ = max(depths, key=lambda found: found[0])
    where = "in" if depth >= 0 else "outside"
    who, whose = name_of(table, query.target), name_of(table, query.viewer)
    return RuleResult(
        margin_mm=depth,
        value={} if table.margins_only else {"share": _share_in_front(own, [part for _, part in parts])},
        lengths_mm={"depth": depth},
        witness=() if table.margins_only else arc_lines(own),
        because=(with_effect(table, FACING, f"{who} lies {format_length(abs(depth))} {where} the front of {whose}."),),
        depends_on_place=arc_dependencies(own, [deepest] if isinstance(deepest, str) else []),
        depends_on_facing=front_rank(own),
    )


def _garrison_result(table: ExactTable, query: InFrontArc) -> RuleResult:
    """Source: Buildings, p. 99: who holds one looks all round."""
    whose = name_of(table, query.viewer)
    return RuleResult(
        margin_mm=CAPPED_MM, value={"share": 1.0}, because=(with_effect(table, FACING, f"{whose} looks all round."),)
    )


def _share_in_front(own: Regiment, parts: list[RoundedShape]) -> float:
    """How much of the target lies in the front quadrant, by area."""
    whole = sum(area_mm2(outline_points(part)) for part in parts)
    inside = sum(area_mm2(found.points) for part in parts if (found := part_in_front(own, part)) is not None)
    return round(inside / whole, 6) if whole > 0 else 0.0
