"""Arcs of the open edition: front and back of any width, from the middle of a base or from its corners."""

import math
from dataclasses import replace

from models.base import RoundBase
from models.queries import Arc, InBackArc, InFrontArc
from models.unit_conversion import radians
from models.verdict import CAPPED_MM, Witness
from models.vocabulary import Point
from referee.editions.open.measuring import Place
from referee.editions.open.settings import explain_setting, is_limit_met, number_of
from referee.editions.warmachine.miniatures.arcs import arc_form
from referee.editions.warmachine.miniatures.distances import hinges
from referee.geometry.containment import depth_of_base
from referee.geometry.distance import gap
from referee.geometry.shapes import Area, RoundedShape, convex_hull, disc
from referee.margins.front_arc import direction
from referee.rules.conditions import negate
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.margin_form import FormProvider
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least, is_more_than

_FAR_MM = 1e5  # beyond every table
_READINGS = ("open-arc-deg", "open-arc-from", "open-arc-counts", "open-limit")


def in_front_arc(table: ExactTable, query: InFrontArc) -> RuleResult:
    """Front arc: whether so much of the target as counts lies in the arc ahead of the viewer."""
    return check_front(table, query.viewer, query.target)


def in_back_arc(table: ExactTable, query: InBackArc) -> RuleResult:
    """Back arc: whether the target is not in the front arc."""
    front = check_front(table, query.viewer, query.target)
    return replace(negate(front), because=front.because)


def arc(table: ExactTable, query: Arc) -> RuleResult:
    """Arc: front or back, by whether the target counts as in front."""
    front = check_front(table, query.viewer, query.target)
    depth = front.margin_mm or 0.0
    compare = is_at_least if front.zero_is_met else is_more_than
    lever = math.dist(table.centre(query.viewer), _centre_of(table, query.target))
    on, turning = hinges(table, query.target, query.viewer), (query.viewer,)
    is_front = compare(depth, 0.0, "lies in the front arc of", on, turning=turning, lever_mm=lever)
    return replace(front, status="measured", value={"arc": "front" if is_front else "back", "border_mm": depth})


def check_front(table: ExactTable, viewer: str, target: Place) -> RuleResult:
    """Whether the target counts as in front; the margin is how deep it reaches into the arc, or stays out of it."""
    width_deg = 360.0 if table.miniature(viewer).front_arc_deg == 360 else number_of(table, "open-arc-deg")
    return check_arc(table, viewer, target, width_deg)


def check_arc(table: ExactTable, viewer: str, target: Place, width_deg: float, turned_deg: float = 0.0) -> RuleResult:
    """Whether the target counts as in an arc so wide, turned so far from the facing."""
    rule = explain_setting(table, "open-arc-deg")
    if width_deg >= 360.0:
        return RuleResult(margin_mm=CAPPED_MM, because=(rule,), readings=_READINGS, depends_on_place=(viewer,))
    depth = max(-CAPPED_MM, min(CAPPED_MM, _depth_mm(table, viewer, target, width_deg, turned_deg)))
    where = f"by {format_length(abs(depth))} {'inside' if depth >= 0 else 'outside'} the front arc"
    return RuleResult(
        margin_mm=depth,
        zero_is_met=is_limit_met(table),
        value={"depth_mm": depth},
        lengths_mm={"depth": depth},
        witness=_draw_edges(table, viewer, width_deg, target, turned_deg),
        because=(with_effect(table, rule, f"{name_of(table, target)} lies {where} of {name_of(table, viewer)}."),),
        readings=_READINGS,
        depends_on_place=hinges(table, viewer, target),
        depends_on_facing=(viewer,),
        form=None if turned_deg else _form_of(table, viewer, target, width_deg),
    )


def _form_of(table: ExactTable, viewer: str, target: Place, width_deg: float) -> FormProvider | None:
    """How the depth changes as the two move and turn, where the arc is the half ahead of the middle."""
    return arc_form(table, viewer, target) if is_half_plane(table, viewer, width_deg) else None


def is_half_plane(table: ExactTable, viewer: str, width_deg: float) -> bool:
    """Whether an arc is the half ahead of the middle, in which any part of a target counts."""
    from_middle = table.reading("open-arc-from") == "centre" or table.base(viewer).is_disc()
    return width_deg == 180.0 and table.reading("open-arc-counts") == "any-part" and from_middle


def _depth_mm(table: ExactTable, viewer: str, target: Place, width_deg: float, turned_deg: float) -> float:
    """How deep what counts of the target lies in the arc; of an arc wider than half, what lies not behind it."""
    counts, area = table.reading("open-arc-counts"), table.area(target)
    parts = (disc(_centre_of(table, target), 0.0),) if counts == "centre" else area.parts
    is_wide = width_deg > 180.0
    heading = table.facing_rad(viewer) + radians(turned_deg) + (math.pi if is_wide else 0.0)
    wedge = _wedge(table, viewer, 360.0 - width_deg if is_wide else width_deg, heading)
    if counts == "all":
        reached = [-gap(part, wedge).mm if is_wide else depth_of_base(part, (_area(wedge),)) for part in parts]
        return min(-mm for mm in reached) if is_wide else min(reached)
    reached = [depth_of_base(part, (_area(wedge),)) if is_wide else -gap(part, wedge).mm for part in parts]
    return max(-mm for mm in reached) if is_wide else max(reached)


def _area(wedge: RoundedShape) -> Area:
    return Area((wedge,), wedge.points)


def _wedge(table: ExactTable, viewer: str, width_deg: float, heading: float) -> RoundedShape:
    """The arc as a convex outline that reaches beyond every table; at most half of the way round."""
    right, left = _starts(table, viewer, heading)
    half = radians(width_deg) / 2
    away = [_push(right, heading - half), _push(left, heading + half)]
    away += [_push(p, heading + half * share) for p, share in ((right, -0.5), (right, 0.0), (left, 0.0), (left, 0.5))]
    return RoundedShape(convex_hull([right, left, *away]))


def _push(start: Point, heading_rad: float) -> Point:
    dx, dy = direction(heading_rad)
    return (start[0] + _FAR_MM * dx, start[1] + _FAR_MM * dy)


def _starts(table: ExactTable, viewer: str, heading_rad: float) -> tuple[Point, Point]:
    """Where the right and the left line of an arc start: in the middle, or at the corners ahead."""
    centre = table.centre(viewer)
    base = table.miniature(viewer).base
    if isinstance(base, RoundBase) or base.shape != "rect" or table.reading("open-arc-from") == "centre":
        return centre, centre
    (ux, uy), (along, across) = direction(heading_rad), direction(heading_rad - table.facing_rad(viewer))
    half_deep = (base.depth_mm * abs(along) + base.width_mm * abs(across)) / 2  # an arc of a flank starts at its side
    half_wide = (base.width_mm * abs(along) + base.depth_mm * abs(across)) / 2
    front = (centre[0] + ux * half_deep, centre[1] + uy * half_deep)
    return (
        (front[0] + uy * half_wide, front[1] - ux * half_wide),
        (front[0] - uy * half_wide, front[1] + ux * half_wide),
    )


def _centre_of(table: ExactTable, place: Place) -> Point:
    if isinstance(place, str) and place in table.miniatures:
        return table.centre(place)
    return table.area(place).parts[0].centre


def _draw_edges(
    table: ExactTable, viewer: str, width_deg: float, target: Place, turned_deg: float
) -> tuple[Witness, ...]:
    """Both lines of the arc, as long as the target is far."""
    heading, half = table.facing_rad(viewer) + radians(turned_deg), radians(width_deg) / 2
    is_wide = width_deg > 180.0
    right, left = _starts(table, viewer, heading + (math.pi if is_wide else 0.0))
    right, left = (left, right) if is_wide else (right, left)
    long_mm = max(60.0, math.dist(table.centre(viewer), _centre_of(table, target)))
    ends = ((right, direction(heading - half)), (left, direction(heading + half)))
    return tuple(
        Witness(type="segment", role="arc", points_mm=(p, (p[0] + long_mm * dx, p[1] + long_mm * dy)), of=(viewer,))
        for p, (dx, dy) in ends
    )
