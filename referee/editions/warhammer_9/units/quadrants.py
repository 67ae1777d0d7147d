"""Quadrants: front, flanks and rear of a unit, parted by lines at 45 degrees, and what lies in each."""

import math
from collections.abc import Iterable

from models.miniature import Miniature
from models.queries import Arc, InFrontArc
from models.unit import Unit
from models.verdict import CAPPED_MM, Witness
from models.vocabulary import Point
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.distances import measured_parts
from referee.editions.warhammer_9.units.regiment import Regiment, garrisoned_building, regiment
from referee.geometry.distance import gap
from referee.geometry.outlines import area_mm2, clip_half_plane, outline_points
from referee.geometry.shapes import RoundedShape, convex_hull, disc
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import EXACT_MM, choose_least, is_at_least, is_more_than, is_out_of_reach, record_switches

FACING = because("Unit Facing", 11, "Lines at 45 degrees from the corners part front, flanks and rear.")
_ROOT = math.sqrt(0.5)
_SURE_MM = 60.0  # what is so far behind the front comes to lie before it by no error
_FAR_MM = 5000.0  # farther than any table is wide


def depth_ahead_mm(own: Regiment, part: RoundedShape) -> float:
    """Depth of a part in the front quadrant: negative by how far it stays outside."""
    return -gap(part, front_quadrant(own)).mm


def reaches_front(own: Regiment, part: RoundedShape, of: tuple[str, ...] = ()) -> bool:
    """Whether some part is in the front quadrant; what lies on its edge is. `of` is what moves the part."""
    half, reach = own.width_mm / 2, part.radius_mm
    local = [own.to_local(p, own.front) for p in part.points]
    depth = max(min(x, _ROOT * (half + x - abs(y))) for x, y in local)
    if depth < 0:
        beyond = max(min(-x for x, _ in local), *(min(_ROOT * (k * y - half - x) for x, y in local) for k in (1, -1)))
        if is_out_of_reach(beyond - reach, _SURE_MM):
            return False
        depth = depth_ahead_mm(own, part)
    return _is_ahead(own, depth, of, math.dist(part.centre, own.centre))


def _is_ahead(own: Regiment, depth_mm: float, of: tuple[str, ...], lever_mm: float) -> bool:
    on = (*of, *own.outermost[0], *own.outermost[1], *own.outermost[3])
    return is_at_least(depth_mm, 0.0, "lies in front of", on, turning=(own.id,), lever_mm=lever_mm)


def front_quadrant(own: Regiment) -> RoundedShape:
    """The front quadrant: ahead of the front edge, and of the lines that run out at 45 degrees from its ends."""
    half = own.width_mm / 2
    outline = ((0.0, half), (0.0, -half), (_FAR_MM, -half - _FAR_MM), (_FAR_MM, half + _FAR_MM))
    return RoundedShape(tuple(own.to_table(x, y, own.front) for x, y in outline))


def part_in_front(own: Regiment, part: RoundedShape) -> RoundedShape | None:
    """The part of a convex outline in the front quadrant; None when nothing is. A disc is taken as a polygon."""
    points = outline_points(part)
    for (px, py), (qx, qy) in front_quadrant(own).edges():
        points = clip_half_plane(points, (px, py), (py - qy, qx - px))
    return RoundedShape(convex_hull(list(points))) if len(points) > 2 else None


def quadrant_of(table: ExactTable, own: Regiment, p: Point, of: tuple[str, ...] = ()) -> tuple[str, float]:
    """The quadrant of a point and how far it is from the nearest border, by the corners the table has agreed on.

    The quadrants of the whole rectangle; or those of the member nearest to the point; or with the rear from the
    corners of a short last rank. `of` is what moves the point. Source: Unit Facing, p. 11.
    """
    match table.reading("arc-corners"):
        case "miniature":
            gaps = [(gap(table.base(m), disc(p, 0.0)).mm, m) for m in own.members]
            nearest = choose_least(gaps, "is the nearest, nearer than", lambda a, b: (a, b, *of))
            return quadrant(regiment(table, nearest), p, of)
        case "last-rank":
            return quadrant(own, p, of, rear_mm=own.rank_sizes[-1] * own.width_mm / own.files)
        case _:
            return quadrant(own, p, of)


def quadrant(own: Regiment, p: Point, of: tuple[str, ...], *, rear_mm: float | None = None) -> tuple[str, float]:
    """Front, left, right or rear, and how far the point is from the nearest line between two of them.

    A point on a line belongs to neither: border. `rear_mm` is the width from whose ends the lines of the rear run.
    `of` is what moves the point, first the one of whom it is asked. Source: Unit Facing, p. 11.
    """
    (x, y), along = own.to_local(p, own.centre), _along_mm(own, p, rear_mm)
    front, left, rear, right = own.outermost
    on = tuple(dict.fromkeys((*of, *(front if x > 0 else rear), *(left if y > 0 else right))))
    turning, lever = (own.id,), math.dist(p, own.centre)
    ahead = is_more_than(along, 0.0, "stands ahead or behind and not beside", on, turning=turning, lever_mm=lever)
    if not ahead and along >= -EXACT_MM:
        return "border", 0.0
    if ahead:
        first = is_more_than(x, 0.0, "stands ahead and not behind", on, turning=turning, lever_mm=lever)
        return ("front" if first else "rear"), abs(along)
    first = is_more_than(y, 0.0, "stands to the left and not to the right of", on, turning=turning, lever_mm=lever)
    return ("left" if first else "right"), abs(along)


def _along_mm(own: Regiment, p: Point, rear_mm: float | None = None) -> float:
    """How far a point lies on the side of front and rear of the nearest line that parts them from the flanks."""
    x, y = own.to_local(p, own.centre)
    wide = own.width_mm if x > 0 or rear_mm is None else rear_mm
    return _ROOT * (abs(x) - own.depth_mm / 2 - abs(y) + wide / 2)


def quadrants_of_points(own: Regiment, points: Iterable[Point]) -> list[str]:
    """The quadrant of each of several points, where none of them alone decides anything."""
    with record_switches():
        return [quadrant(own, p, ())[0] for p in points]


def front_rank(own: Regiment) -> tuple[str, ...]:
    """The miniatures on whose facing the front depends."""
    return own.rank(0)


def arc_dependencies(own: Regiment, others: list[str]) -> tuple[str, ...]:
    """The miniatures on whose places an arc depends."""
    return tuple(dict.fromkeys((*others, *own.outline_ids, own.id)))


def arc_lines(own: Regiment) -> tuple[Witness, ...]:
    """The two lines that bound the front."""
    ahead_left, _, _, ahead_right = zone_lines(own)
    return (ahead_left, ahead_right)


def zone_lines(own: Regiment, reach_mm: float = 300.0) -> tuple[Witness, Witness, Witness, Witness]:
    """The lines that part front, flanks and rear: from front left, rear left, rear right and front right."""
    ways = ((1, 1), (-1, 1), (-1, -1), (1, -1))
    ends = (own.to_table(x * reach_mm, y * reach_mm, corner) for corner, (x, y) in zip(own.corners, ways, strict=True))
    return tuple(  # type: ignore[return-value]
        Witness(type="segment", role="arc", points_mm=(corner, end), of=(own.id,))
        for corner, end in zip(own.corners, ends, strict=True)
    )


def arc(table: ExactTable, query: Arc) -> RuleResult:
    """Arc: the quadrant in which the target's centre lies. Source: Unit Facing, p. 11; sides by majority, p. 20."""
    own = regiment(table, query.viewer)
    at = _centre_of(table, query.target)
    of = _movers(table, query.target)
    side, border = quadrant_of(table, own, at, of)
    return RuleResult(
        status="measured",
        value={"arc": side, "border_mm": border},
        lengths_mm={"border": border},
        witness=() if table.margins_only else (*zone_lines(own), Witness(type="point", role="limit", points_mm=(at,))),
        because=(with_effect(table, FACING, f"The middle of {name_of(table, query.target)} lies in its {side}."),),
        readings=("arc-corners",),
        doubtful=("arc-corners",) if len(own.members) > 1 else (),
        depends_on_place=arc_dependencies(own, [*of]),
        depends_on_facing=front_rank(own),
    )


def _movers(table: ExactTable, place: str | Point) -> tuple[str, ...]:
    """What moves the middle of a place."""
    if not isinstance(place, str) or place not in table.state.by_id:
        return ()
    if isinstance(table.state.by_id[place], Miniature | Unit):
        return regiment(table, place).outline_ids
    return table.movers_of(place)


def _centre_of(table: ExactTable, place: str | Point) -> Point:
    if isinstance(place, str) and isinstance(table.state.by_id.get(place), Miniature | Unit):
        return regiment(table, place).centre
    parts = table.area(place).parts
    n = len(parts)
    return (sum(p.centre[0] for p in parts) / n, sum(p.centre[1] for p in parts) / n)


def in_front_arc(table: ExactTable, query: InFrontArc) -> RuleResult:
    """Front arc: whether some part of the target is in the front quadrant.

    Source: Unit Facing, p. 11; Declare Charge, p. 17.
    """
    if garrisoned_building(table, query.viewer) is not None:
        return _garrison_result(table, query)
    own = regiment(table, query.viewer)
    parts = [(id_, part) for id_, area in measured_parts(table, query.target) for part in area.parts]
    depths = [(depth_ahead_mm(own, part), id_, part) for id_, part in parts]
    depth, deepest, _ = max(depths, key=lambda depth: depth[0])
    where = "in" if depth >= 0 else "outside"
    target_name, whose = name_of(table, query.target), name_of(table, query.viewer)
    return RuleResult(
        margin_mm=depth,
        value={} if table.margins_only else {"share": _share_in_front(own, [part for _, part in parts])},
        lengths_mm={"depth": depth},
        witness=() if table.margins_only else arc_lines(own),
        because=(
            with_effect(table, FACING, f"{target_name} lies {format_length(abs(depth))} {where} the front of {whose}."),
        ),
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
    inside = sum(area_mm2(visible.points) for part in parts if (visible := part_in_front(own, part)) is not None)
    return round(inside / whole, 6) if whole > 0 else 0.0
