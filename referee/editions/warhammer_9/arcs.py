"""Quadrants: what lies in front of a unit, on its flanks and in its rear, by lines at 45 degrees from its corners."""

import math

from models.miniature import Miniature
from models.queries import Arc, InFrontArc
from models.unit import Unit
from models.verdict import CAPPED_MM, Witness
from models.words import Point
from referee.editions.warhammer_9.measuring import body
from referee.editions.warhammer_9.outlines import area_mm2, cut, rim
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.regiments import Regiment, garrisoned, regiment
from referee.gaps import gap
from referee.ruling import Ruling
from referee.shapes import Rounded, disc, hull
from referee.situation import Situation
from referee.telling import applied, length, name_of

FACING = because("Unit Facing", 11, "Lines at 45 degrees from the corners part front, flanks and rear.")
_ROOT = math.sqrt(0.5)
_BORDER_MM = 1e-6
_FAR_MM = 5000.0  # farther than any table is wide


def in_front_arc(table: Situation, query: InFrontArc) -> Ruling:
    """Whether some part of the target is in the front quadrant. Source: Unit Facing, p. 11; Declare Charge, p. 17."""
    if garrisoned(table, query.viewer) is not None:
        return _all_round(table, query)
    own = regiment(table, query.viewer)
    parts = [(id_, part) for id_, area in body(table, query.target) for part in area.parts]
    depths = [(depth_ahead_mm(own, part), id_, part) for id_, part in parts]
    depth, deepest, _ = max(depths, key=lambda found: found[0])
    where = "in" if depth >= 0 else "outside"
    who, whose = name_of(table, query.target), name_of(table, query.viewer)
    return Ruling(
        margin_mm=depth,
        value={} if table.lean else {"share": _share(own, [part for _, part in parts])},
        lengths_mm={"depth": depth},
        witness=() if table.lean else arc_lines(own),
        because=(applied(table, FACING, f"{who} lies {length(abs(depth))} {where} the front of {whose}."),),
        touches=_touches(own, [deepest] if isinstance(deepest, str) else []),
        faces=front_rank(own),
    )


def _all_round(table: Situation, query: InFrontArc) -> Ruling:
    """Source: Buildings, p. 99: who holds one looks all round."""
    whose = name_of(table, query.viewer)
    return Ruling(
        margin_mm=CAPPED_MM, value={"share": 1.0}, because=(applied(table, FACING, f"{whose} looks all round."),)
    )


def depth_ahead_mm(own: Regiment, part: Rounded) -> float:
    """How deep a part reaches into the front quadrant: negative by how far it stays outside."""
    return -gap(part, front_of(own)).mm


def reaches_front(own: Regiment, part: Rounded) -> bool:
    """Whether some part is in the front quadrant; what lies on its edge is."""
    half = own.width_mm / 2
    local = [own.seen_from(p, own.front) for p in part.points]
    reach = part.radius_mm
    if any(x >= 0 and abs(y) - half <= x for x, y in local):
        return True
    if all(x < -reach for x, _ in local) or all(y - half - x > 2 * reach for x, y in local):
        return False
    return not all(-y - half - x > 2 * reach for x, y in local) and depth_ahead_mm(own, part) >= 0


def front_of(own: Regiment) -> Rounded:
    """The front quadrant: ahead of the front edge, and of the lines that run out at 45 degrees from its ends."""
    half = own.width_mm / 2
    outline = ((0.0, half), (0.0, -half), (_FAR_MM, -half - _FAR_MM), (_FAR_MM, half + _FAR_MM))
    return Rounded(tuple(own.at(x, y, own.front) for x, y in outline))


def ahead_of(own: Regiment, part: Rounded) -> Rounded | None:
    """What of a convex part lies in the front quadrant; None when nothing does. A disc is taken as a polygon."""
    points = rim(part)
    for (px, py), (qx, qy) in front_of(own).edges():
        points = cut(points, (px, py), (py - qy, qx - px))
    return Rounded(hull(list(points))) if len(points) > 2 else None


def _share(own: Regiment, parts: list[Rounded]) -> float:
    """How much of the target lies in the front quadrant, by area."""
    whole = sum(area_mm2(rim(part)) for part in parts)
    inside = sum(area_mm2(found.points) for part in parts if (found := ahead_of(own, part)) is not None)
    return round(inside / whole, 6) if whole > 0 else 0.0


def arc(table: Situation, query: Arc) -> Ruling:
    """Which quadrant the target's centre lies in. Source: Unit Facing, p. 11; sides by majority, p. 20."""
    own = regiment(table, query.viewer)
    at = _middle(table, query.target)
    side, border = zone(table, own, at)
    return Ruling(
        status="measured",
        value={"arc": side, "border_mm": border},
        lengths_mm={"border": border},
        witness=() if table.lean else (*zone_lines(own), Witness(type="point", role="limit", points_mm=(at,))),
        because=(applied(table, FACING, f"The middle of {name_of(table, query.target)} lies in its {side}."),),
        readings=("arc-corners",),
        doubtful=("arc-corners",) if len(own.members) > 1 else (),
        touches=_touches(own, [query.target] if isinstance(query.target, str) else []),
        faces=front_rank(own),
    )


def zone(table: Situation, own: Regiment, p: Point) -> tuple[str, float]:
    """The quadrant of a point and how far it is from the nearest border, by the corners the table has agreed on.

    The quadrants of the whole rectangle; or those of the member nearest to the point; or with the rear from the
    corners of a short last rank. Source: Unit Facing, p. 11.
    """
    match table.reading("arc-corners"):
        case "miniature":
            nearest = min(own.members, key=lambda m: gap(table.base(m), disc(p, 0.0)).mm)
            return quadrant(regiment(table, nearest), p)
        case "last-rank":
            return quadrant(own, p, rear_mm=own.rank_sizes[-1] * own.width_mm / own.files)
        case _:
            return quadrant(own, p)


def quadrant(own: Regiment, p: Point, *, rear_mm: float | None = None) -> tuple[str, float]:
    """Front, left, right or rear, and how far the point is from the nearest line between two of them.

    A point on a line belongs to neither: border. `rear_mm` is the width from whose ends the lines of the rear run.
    Source: Unit Facing, p. 11.
    """
    x, y = own.seen_from(p, own.centre)
    wide = own.width_mm if x > 0 or rear_mm is None else rear_mm
    dx, dy = abs(x) - own.depth_mm / 2, abs(y) - wide / 2
    border = abs(dx - dy) * _ROOT
    if border <= _BORDER_MM:
        return "border", 0.0
    if dx > dy:
        return ("front" if x > 0 else "rear"), border
    return ("left" if y > 0 else "right"), border


def _middle(table: Situation, place: str | Point) -> Point:
    if isinstance(place, str) and isinstance(table.state.by_id.get(place), Miniature | Unit):
        return regiment(table, place).centre
    parts = table.area(place).parts
    n = len(parts)
    return (sum(p.centre[0] for p in parts) / n, sum(p.centre[1] for p in parts) / n)


def front_rank(own: Regiment) -> tuple[str, ...]:
    """Those whose facing the front hangs on."""
    return own.rank(0)


def _touches(own: Regiment, others: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*own.rank(0), *others)))


def arc_lines(own: Regiment) -> tuple[Witness, ...]:
    """The two lines that bound the front."""
    ahead_left, _, _, ahead_right = zone_lines(own)
    return (ahead_left, ahead_right)


def zone_lines(own: Regiment, reach_mm: float = 300.0) -> tuple[Witness, Witness, Witness, Witness]:
    """The lines that part front, flanks and rear: from front left, rear left, rear right and front right."""
    ways = ((1, 1), (-1, 1), (-1, -1), (1, -1))
    ends = (own.at(x * reach_mm, y * reach_mm, corner) for corner, (x, y) in zip(own.corners, ways, strict=True))
    return tuple(  # type: ignore[return-value]
        Witness(type="segment", role="arc", points_mm=(corner, end), of=(own.id,))
        for corner, end in zip(own.corners, ends, strict=True)
    )
