"""Witness primitives: the lines and outlines that a picture of ranked units is made of."""

import math
from collections.abc import Iterable, Iterator

from models.verdict import Witness, WitnessRole
from models.vocabulary import Point
from referee.editions.warhammer_9.units.distances import closest_bases, measured_parts
from referee.editions.warhammer_9.units.engagement import contact_mm, engaged_with
from referee.editions.warhammer_9.units.regiment import Regiment, members_left, regiment
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape, convex_hull
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_ARC_DEG = 6.0
Strokes = Iterator[Witness]


def result_role(result: RuleResult) -> WitnessRole:
    """Role of the line that decides: clear or blocked where something is decided, else a limit."""
    if result.status != "decided" or result.margin_mm is None:
        return "limit"
    return margin_role(result.margin_mm, zero_is_met=result.zero_is_met)


def margin_role(margin_mm: float, *, zero_is_met: bool = True) -> WitnessRole:
    """Role of a line by its margin: clear or blocked."""
    return "clear" if margin_mm > 0 or (margin_mm == 0 and zero_is_met) else "blocked"


def line(a: Point, b: Point, role: WitnessRole, *of: str) -> Witness:
    """A segment."""
    return Witness(type="segment", role=role, points_mm=(a, b), of=of)


def outline(points: Iterable[Point], role: WitnessRole, *of: str) -> Witness:
    """A polygon."""
    return Witness(type="polygon", role=role, points_mm=tuple(points), of=of)


def draw_gap(table: ExactTable, a: str | Point, b: str | Point, role: WitnessRole) -> Witness:
    """The line between the closest points of two things."""
    closest = closest_bases(table, a, b)
    return line(
        closest.gap.at_a, closest.gap.at_b, role, *(id_ for id_ in (closest.a, closest.b) if isinstance(id_, str))
    )


def draw_regiments(table: ExactTable, ids: Iterable[str], role: WitnessRole) -> Strokes:
    """The outline of each regiment."""
    yield from (outline(regiment(table, id_).corners, role, id_) for id_ in ids if members_left(table, id_))


def draw_bases(table: ExactTable, ids: Iterable[str], role: WitnessRole) -> Strokes:
    """The outline of each miniature's base."""
    for id_ in ids:
        base = table.base(id_)
        if len(base.points) > 2:
            yield outline(base.points, role, id_)
        else:
            yield Witness(type="circle", role=role, centre_mm=base.centre, radius_mm=base.reach_mm, of=(id_,))


def draw_area(table: ExactTable, id_: str, role: WitnessRole) -> Strokes:
    """The outline of terrain, of a zone or an effect."""
    area = table.area(id_)
    if area.outline:
        yield outline(area.outline, role, id_)
        return
    for part in area.parts:
        if len(part.points) > 2:
            yield outline(part.points, role, id_)
        else:
            yield Witness(type="circle", role=role, centre_mm=part.centre, radius_mm=part.reach_mm, of=(id_,))


def draw_contacts(table: ExactTable, ids: Iterable[str]) -> Strokes:
    """Stretch along which each pair of these and their enemies touch."""
    done = set[frozenset[str]]()
    for id_ in ids:
        for foe in engaged_with(table, id_):
            if frozenset((id_, foe)) not in done:
                done.add(frozenset((id_, foe)))
                yield draw_contact(table, regiment(table, id_), regiment(table, foe))


def draw_contact(table: ExactTable, unit: Regiment, foe: Regiment) -> Witness:
    """The stretch along which two regiments touch, or the line between their closest points."""
    best = _contact_stretch(RoundedShape(unit.corners), (RoundedShape(foe.corners),), contact_mm(table))
    if best is None:
        return draw_gap(table, unit.id, foe.id, "touching")
    return line(*best, "touching", unit.id, foe.id)


def draw_contact_or_gap(table: ExactTable, unit: str, place: str, role: WitnessRole) -> Strokes:
    """The stretch along which a unit touches another or a piece of terrain, else the line between; both outlined."""
    parts = tuple(part for _, area in measured_parts(table, place) for part in area.parts)
    best = _contact_stretch(RoundedShape(regiment(table, unit).corners), parts, contact_mm(table))
    yield draw_gap(table, unit, place, role) if best is None else line(*best, role, unit, place)
    yield from draw_regiments(table, (unit,), "limit")
    if table.state.by_id[place] in table.state.terrain:
        yield from draw_area(table, place, "limit")
    else:
        yield from draw_regiments(table, (place,), "limit")


def _contact_stretch(
    shape: RoundedShape, others: tuple[RoundedShape, ...], within_mm: float
) -> tuple[Point, Point] | None:
    """The longest stretch along which an outline touches one of these; None where it is shorter than a millimetre."""
    pairs = [(edge, b) for other in others for a, b in ((shape, other), (other, shape)) for edge in a.edges()]
    shared = [span for edge, other in pairs if (span := _shared_edge(edge, other, within_mm)) is not None]
    best = max(shared, default=None, key=lambda span: math.dist(*span))
    return None if best is None or math.dist(*best) < 1.0 else best


def _shared_edge(edge: tuple[Point, Point], other: RoundedShape, within_mm: float) -> tuple[Point, Point] | None:
    """The stretch of an edge that lies along something."""
    (ax, ay), (bx, by) = edge
    long = math.dist(*edge)
    if gap(RoundedShape(edge), other).mm > within_mm or not long:
        return None
    ux, uy = (bx - ax) / long, (by - ay) / long
    near = [p for p in other.points if abs((p[0] - ax) * uy - (p[1] - ay) * ux) <= within_mm + 1.0]
    along = [min(long, max(0.0, (x - ax) * ux + (y - ay) * uy)) for x, y in near]
    if len(along) < 2:
        return None
    return (ax + min(along) * ux, ay + min(along) * uy), (ax + max(along) * ux, ay + max(along) * uy)


def ray(origin: Point, facing_rad: float, long_mm: float, role: WitnessRole, *of: str) -> Witness:
    """A segment from a point along a facing."""
    end = (origin[0] + long_mm * math.cos(facing_rad), origin[1] + long_mm * math.sin(facing_rad))
    return line(origin, end, role, *of)


def band(shapes: Iterable[RoundedShape], by_mm: float, role: WitnessRole, *of: str) -> Witness:
    """The line at that distance round some shapes, drawn round their hull."""
    steps = round(360 / _ARC_DEG)
    ways = [(math.cos(math.tau * k / steps), math.sin(math.tau * k / steps)) for k in range(steps)]
    points = [
        (x + (by_mm + shape.radius_mm) * c, y + (by_mm + shape.radius_mm) * s)
        for shape in shapes
        for x, y in shape.points
        for c, s in ways
    ]
    return outline(convex_hull(points), role, *of)
