"""Strokes: the lines and outlines that a picture of ranked units is made of."""

import math
from collections.abc import Iterable, Iterator

from models.verdict import Witness, WitnessRole
from models.words import Point
from referee.editions.warhammer_9.engaged import contact_mm, engaged_with
from referee.editions.warhammer_9.measuring import apart, body
from referee.editions.warhammer_9.regiments import Regiment, left_of, regiment
from referee.gaps import gap
from referee.ruling import Ruling
from referee.shapes import Rounded, hull
from referee.situation import Situation

_ARC_DEG = 6.0
Strokes = Iterator[Witness]


def met(ruling: Ruling) -> WitnessRole:
    """How the line that decides is drawn: clear or blocked where something is decided, else as a limit."""
    if ruling.status != "decided" or ruling.margin_mm is None:
        return "limit"
    return held(ruling.margin_mm, zero_is_met=ruling.zero_is_met)


def held(margin_mm: float, *, zero_is_met: bool = True) -> WitnessRole:
    return "clear" if margin_mm > 0 or (margin_mm == 0 and zero_is_met) else "blocked"


def line(a: Point, b: Point, role: WitnessRole, *of: str) -> Witness:
    return Witness(type="segment", role=role, points_mm=(a, b), of=of)


def outline(points: Iterable[Point], role: WitnessRole, *of: str) -> Witness:
    return Witness(type="polygon", role=role, points_mm=tuple(points), of=of)


def between(table: Situation, a: str | Point, b: str | Point, role: WitnessRole) -> Witness:
    """The line between the closest points of two things."""
    found = apart(table, a, b)
    return line(found.gap.at_a, found.gap.at_b, role, *(one for one in (found.a, found.b) if isinstance(one, str)))


def bodies_of(table: Situation, ids: Iterable[str], role: WitnessRole) -> Strokes:
    """The outline of each regiment."""
    yield from (outline(regiment(table, one).corners, role, one) for one in ids if left_of(table, one))


def bases_of(table: Situation, ids: Iterable[str], role: WitnessRole) -> Strokes:
    """The outline of each miniature's base."""
    for id_ in ids:
        base = table.base(id_)
        if len(base.points) > 2:
            yield outline(base.points, role, id_)
        else:
            yield Witness(type="circle", role=role, centre_mm=base.centre, radius_mm=base.reach_mm, of=(id_,))


def area_of(table: Situation, id_: str, role: WitnessRole) -> Strokes:
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


def contacts(table: Situation, ids: Iterable[str]) -> Strokes:
    """Along which stretch each pair of these and their enemies touch."""
    done = set[frozenset[str]]()
    for one in ids:
        for foe in engaged_with(table, one):
            if frozenset((one, foe)) not in done:
                done.add(frozenset((one, foe)))
                yield touching(table, regiment(table, one), regiment(table, foe))


def touching(table: Situation, one: Regiment, foe: Regiment) -> Witness:
    """The stretch along which two regiments touch, or the line between their closest points."""
    best = _stretch(Rounded(one.corners), (Rounded(foe.corners),), contact_mm(table))
    if best is None:
        return between(table, one.id, foe.id, "touching")
    return line(*best, "touching", one.id, foe.id)


def reaching(table: Situation, who: str, place: str, role: WitnessRole) -> Strokes:
    """The stretch along which a unit touches another or a piece of terrain, else the line between; both outlined."""
    parts = tuple(part for _, area in body(table, place) for part in area.parts)
    best = _stretch(Rounded(regiment(table, who).corners), parts, contact_mm(table))
    yield between(table, who, place, role) if best is None else line(*best, role, who, place)
    yield from bodies_of(table, (who,), "limit")
    if table.state.by_id[place] in table.state.terrain:
        yield from area_of(table, place, "limit")
    else:
        yield from bodies_of(table, (place,), "limit")


def _stretch(one: Rounded, others: tuple[Rounded, ...], within_mm: float) -> tuple[Point, Point] | None:
    """The longest stretch along which an outline touches one of these; None where it is shorter than a millimetre."""
    pairs = [(edge, b) for other in others for a, b in ((one, other), (other, one)) for edge in a.edges()]
    shared = [span for edge, other in pairs if (span := _shared(edge, other, within_mm)) is not None]
    best = max(shared, default=None, key=lambda span: math.dist(*span))
    return None if best is None or math.dist(*best) < 1.0 else best


def _shared(edge: tuple[Point, Point], other: Rounded, within_mm: float) -> tuple[Point, Point] | None:
    """The stretch of an edge that lies along something."""
    (ax, ay), (bx, by) = edge
    long = math.dist(*edge)
    if gap(Rounded(edge), other).mm > within_mm or not long:
        return None
    ux, uy = (bx - ax) / long, (by - ay) / long
    near = [p for p in other.points if abs((p[0] - ax) * uy - (p[1] - ay) * ux) <= within_mm + 1.0]
    along = [min(long, max(0.0, (x - ax) * ux + (y - ay) * uy)) for x, y in near]
    if len(along) < 2:
        return None
    return (ax + min(along) * ux, ay + min(along) * uy), (ax + max(along) * ux, ay + max(along) * uy)


def ray(origin: Point, facing_rad: float, long_mm: float, role: WitnessRole, *of: str) -> Witness:
    end = (origin[0] + long_mm * math.cos(facing_rad), origin[1] + long_mm * math.sin(facing_rad))
    return line(origin, end, role, *of)


def band(shapes: Iterable[Rounded], by_mm: float, role: WitnessRole, *of: str) -> Witness:
    """The line that runs so far round some shapes together, drawn round their hull."""
    steps = round(360 / _ARC_DEG)
    ways = [(math.cos(math.tau * k / steps), math.sin(math.tau * k / steps)) for k in range(steps)]
    points = [
        (x + (by_mm + shape.radius_mm) * c, y + (by_mm + shape.radius_mm) * s)
        for shape in shapes
        for x, y in shape.points
        for c, s in ways
    ]
    return outline(hull(points), role, *of)
