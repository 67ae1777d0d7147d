"""Intervening model: whose base meets the lines from the centre of the viewer."""

import math

from models.queries import Intervening
from models.verdict import Witness
from referee.editions.warmachine.line_of_sight.intervening import margins_of
from referee.editions.warmachine.miniatures.front_arc import arc_depth_mm
from referee.editions.warmachine.mk1.line_of_sight.blockers import why_ignored
from referee.editions.warmachine.mk1.parameters import because
from referee.editions.warmachine.terms import terms_of
from referee.geometry.corridor import corridor_hull, depth_in_corridor
from referee.geometry.distance import area_gap
from referee.geometry.shapes import Area, RoundedShape, disc
from referee.margins.front_arc import direction, dot
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, format_names, name_of, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least

_CONE = because("Intervening Models, Prime p. 33", "It intervenes when a line from the base's centre crosses its base.")
_SIZE = because("Intervening Models, Prime p. 33", "Only a base at least as large as the target's closes the line.")


def intervening(table: ExactTable, query: Intervening) -> RuleResult:
    """Intervening model: whether the blocker's base meets the lines from the viewer's centre to the target; grazing
    them does not, and who is looked past is in nobody's way.

    Source: Intervening Models, Prime p. 33.
    """
    depth = _depth_in_cone_mm(table, query)
    why = why_ignored(table, query.viewer, query.target, table.miniature(query.blocker), None)
    counts = why is None
    margin_mm, slack_mm = margins_of(depth, counts=counts)
    middle = table.centre(query.viewer), table.centre(query.target)
    looked_past = _SIZE if why is None or why == "smaller" else terms_of(table).looked_past_reasons[why]
    return RuleResult(
        margin_mm=margin_mm,
        slack_mm=slack_mm,
        zero_is_met=table.reading("los-touch") == "blocked",
        value={"counts": counts, "why": why, "depth_mm": depth},
        lengths_mm={"depth": depth},
        witness=(Witness(type="segment", role="path", points_mm=middle, of=(query.viewer, query.target)),),
        blockers=(query.blocker,) if counts and depth > 0 else (),
        because=(with_effect(table, _CONE, _describe_depth(table, query, depth)), looked_past),
        readings=("los-touch", "sight-cone"),
        doubtful=("los-touch",) if abs(depth) < 1e-6 else (),
        depends_on_place=(query.viewer, query.target, query.blocker),
        depends_on_facing=(query.viewer,),
    )


def _depth_in_cone_mm(table: ExactTable, query: Intervening) -> float:
    """How deep the base reaches among the lines that sight may take: from the centre, through the front arc."""
    eye, target, it = disc(table.centre(query.viewer), 0.0), table.base(query.target), table.area(query.blocker)
    ahead = arc_depth_mm(table, query.viewer, query.target)
    if table.reading("sight-cone") == "whole" or ahead >= 2 * target.reach_mm:
        return depth_in_corridor(eye, target, it)
    on, lever_mm = (query.viewer, query.target), math.dist(eye.centre, target.centre)
    is_ahead = is_at_least(ahead, 0.0, "has ahead of it", on, turning=(query.viewer,), lever_mm=lever_mm)
    cone = _clip_ahead(table, query.viewer, corridor_hull(eye, target))
    if cone is None:
        return -area_gap(it, table.area(query.target)).mm if is_ahead else ahead
    return -area_gap(Area((cone,)), it).mm


def _clip_ahead(table: ExactTable, viewer: str, shape: RoundedShape) -> RoundedShape | None:
    """What of a polygon lies ahead of the arc line."""
    way, centre = direction(table.facing_rad(viewer)), table.centre(viewer)
    line, kept = dot(centre, way), list[tuple[float, float]]()
    points = shape.points
    for before, p in zip((points[-1], *points[:-1]), points, strict=True):
        h0, h1 = dot(before, way) - line, dot(p, way) - line
        if h0 * h1 < 0:
            share = h0 / (h0 - h1)
            kept.append((before[0] + share * (p[0] - before[0]), before[1] + share * (p[1] - before[1])))
        if h1 >= 0:
            kept.append(p)
    distinct = tuple(dict.fromkeys(kept))
    return RoundedShape(distinct) if len(distinct) > 2 else None


def _describe_depth(table: ExactTable, query: Intervening, depth_mm: float) -> str:
    who, ends = name_of(table, query.blocker), format_names(table, [query.viewer, query.target])
    how = f"reaches {format_length(depth_mm)} into" if depth_mm > 0 else f"stays {format_length(-depth_mm)} out of"
    return f"{who} {how} the lines between {ends}."
