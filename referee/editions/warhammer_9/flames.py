"""Flames: where the teardrop may lie, and whom it burns."""

import math

from models.queries import SprayHits
from models.units import inches
from models.verdict import CAPPED_MM, Witness
from models.words import Point
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.arcs import front_of
from referee.editions.warhammer_9.engaged import engaged_with
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.regiments import (
    Regiment,
    are_friends,
    kind_of,
    leading,
    members_of,
    regiment,
    regiment_of,
)
from referee.editions.warhammer_9.templates import along, around, covered, grazing_doubts, hit_by, point_of
from referee.gaps import area_gap
from referee.ruling import Ruling
from referee.shapes import Area, Rounded, disc, hull, polygon_area
from referee.situation import Situation
from referee.telling import applied, length, name_of

_FLAME = because("Breath Weapons", 57, "Wholly inside its front, touching neither friends nor enemies who fight.")
_UNDER = because("Templates", 10, "Every base that lies even partly under the template is hit.")
_TIP_MM, _WIDE_MM = inches(0.25), inches(1.25)
_SIDES = 128
_NEAR_MM = 150.0  # who is farther from a template than this limits no aim
Clause = tuple[str, float, tuple[str, ...]]


def flame(tip: Point, heading_deg: float, length_mm: float, outline: str = "teardrop") -> Area:
    """The flame template: round at both ends, or with straight ones, the wide end farthest. Source: Templates, p. 10.

    The book gives its length only: AMB-22 of the digest tells the rest.
    """
    scale = length_mm / parameters.FLAME_MM
    small, large = _TIP_MM * scale, _WIDE_MM * scale
    if outline == "trapezoid":
        ends = [along(tip, heading_deg, 0.0), along(tip, heading_deg, length_mm)]
        rim = [
            along(end, heading_deg + turn, r) for end, r in zip(ends, (small, large), strict=True) for turn in (90, -90)
        ]
    else:
        round_ends = ((along(tip, heading_deg, small), small), (along(tip, heading_deg, length_mm - large), large))
        turns = [math.tau * k / _SIDES for k in range(_SIDES)]
        rim = [(x + r * math.cos(t), y + r * math.sin(t)) for (x, y), r in round_ends for t in turns]
    shape = hull(rim)
    return Area((Rounded(shape),) if outline == "trapezoid" else _teardrop(*round_ends), shape)


def _teardrop(tip: tuple[Point, float], end: tuple[Point, float]) -> tuple[Rounded, ...]:
    """Two discs and what lies between the lines that touch both."""
    (at, small), (to, large) = tip, end
    ahead = math.atan2(to[1] - at[1], to[0] - at[0])
    aside = math.acos((small - large) / math.dist(at, to))
    ways = [(math.cos(ahead + turn), math.sin(ahead + turn)) for turn in (aside, -aside)]
    touched = [(x + r * c, y + r * s) for (x, y), r in (tip, end) for c, s in ways]
    return (disc(at, small), disc(to, large), Rounded(hull(touched)))


def spray_hits(table: Situation, query: SprayHits) -> Ruling:
    """Whom a flame hits, and whether it may lie there. Source: Breath Weapons, p. 57; Fire Throwers, p. 90."""
    own, how = regiment(table, query.attacker), table.reading("template-outline")
    if how == "calibrated" and not query.outline_mm:
        return Ruling(status="unknown", needs=("outline_mm",), because=(_FLAME,), mattering=("template-outline",))
    tip = own.front if query.origin is None else point_of(table, query.origin)
    heading = _heading(table, query, tip)
    slides = kind_of(leading(table, query.attacker)) == "war-machine"
    long_mm = inches(query.length_in) if query.length_in is not None else parameters.FLAME_MM
    aimed = polygon_area(query.outline_mm) if query.outline_mm else flame(tip, heading, long_mm, how)
    rolled, landed = query.dice.artillery, aimed
    if slides and isinstance(rolled, int) and not query.outline_mm:
        landed = flame(along(tip, heading, inches(rolled)), heading, long_mm, how)
    clauses = list(_clauses(table, query, aimed, heading, slides=slides))
    members = () if rolled == "misfire" else covered(table, landed, but=members_of(table, query.attacker))
    nearest = min(clauses, key=lambda one: one[1])
    return Ruling(
        margin_mm=nearest[1],
        value={
            "by_id": {id_: {"why": "under the template"} for id_ in hit_by(members)},
            "outline_mm": [[x, y] for x, y in landed.outline],
            "clauses": [{"clause": n, "answer": "yes" if mm >= 0 else "no", "margin_mm": mm} for n, mm, _ in clauses],
            "misfire": rolled == "misfire",
        },
        members=members,
        witness=(Witness(type="polygon", role="limit", points_mm=landed.outline),),
        because=(applied(table, _FLAME, _laid(table, nearest)), _UNDER),
        readings=("template-outline", "area-touch"),
        retold=(*(() if query.outline_mm else ("template-outline",)), *grazing_doubts(members)),
        touches=tuple(dict.fromkeys((*members_of(table, query.attacker)[:1], *nearest[2]))),
        faces=members_of(table, query.attacker)[:1],
    )


def _laid(table: Situation, nearest: Clause) -> str:
    name, mm, ids = nearest
    whom = f" ({name_of(table, ids[0])})" if ids else ""
    return f"{name.replace('-', ' ').capitalize()}{whom}: {length(abs(mm))} {'to spare' if mm >= 0 else 'too far in'}."


def _heading(table: Situation, query: SprayHits, tip: Point) -> float:
    if query.heading_deg is not None:
        return query.heading_deg
    if query.target is not None:
        to = point_of(table, query.target)
        return math.degrees(math.atan2(to[1] - tip[1], to[0] - tip[0]))
    return math.degrees(regiment(table, query.attacker).facing_rad)


def _clauses(table: Situation, query: SprayHits, template: Area, heading_deg: float, *, slides: bool) -> list[Clause]:
    """What the template must keep to as it is laid, each with its margin and whom it hangs on.

    A fire thrower lays it at its barrel, ahead of it after a pivot, and then lets it slide. Source: Breath Weapons,
    p. 57; Fire Throwers, p. 90; War Machines, p. 86; Shooting into Combat, p. 35.
    """
    own = regiment(table, query.attacker)
    found: list[Clause] = []
    if slides:
        turn = abs(math.degrees(math.remainder(math.radians(heading_deg) - own.facing_rad, math.tau)))
        arm = math.radians(parameters.PIVOT_DEG - turn) * parameters.FLAME_MM
        found.append(("ahead", arm, ()))
    else:
        found.append(("inside-its-front", min(_inside_mm(own, p) for p in template.outline), ()))
        base = table.base(members_of(table, query.attacker)[0])
        touching = parameters.CONTACT_MM - area_gap(template, Area((base,))).mm
        found.append(("at-its-mouth", CAPPED_MM if touching >= 0 else touching, ()))
    return [*found, *_untouched(table, query.attacker, own, template)]


def _untouched(table: Situation, attacker: str, own: Regiment, template: Area) -> list[Clause]:
    least: dict[str, Clause] = {}
    for id_ in around(table, template, but=own.members, mm=_NEAR_MM):
        name = "friends" if are_friends(table, attacker, id_) else "enemies-who-fight"
        if name == "friends" or engaged_with(table, regiment_of(table, id_)):
            clause = (name, area_gap(template, Area((table.base(id_),))).mm, (id_,))
            least[name] = min(least.get(name, clause), clause, key=lambda each: each[1])
    return list(least.values())


def _inside_mm(own: Regiment, p: Point) -> float:
    """How deep a point lies between the lines of the front. The tip touches the base, so the edge itself gives way."""
    (left, _, _, right), front = own.corners, front_of(own)
    sides = [edge for edge in front.edges() if edge[0] in (left, right) and edge[1] not in (left, right)]
    sides += [edge for edge in front.edges() if edge[1] in (left, right) and edge[0] not in (left, right)]
    depths = [_left_of_mm(edge, p) for edge in sides]
    ahead = own.seen_from(p, own.front)[0] + parameters.CONTACT_MM
    return min(*depths, CAPPED_MM if ahead >= 0 else ahead)


def _left_of_mm(edge: tuple[Point, Point], p: Point) -> float:
    (ax, ay), (bx, by) = edge
    return ((bx - ax) * (p[1] - ay) - (by - ay) * (p[0] - ax)) / math.hypot(bx - ax, by - ay)
