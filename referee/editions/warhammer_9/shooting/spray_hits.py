"""Flame template: where the teardrop may lie, whom it burns, and along which heading it hits the most enemies."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from pydantic import JsonValue

from models.queries import SprayHits
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Witness
from models.vocabulary import Point
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.shooting.templates import (
    bases_near_template,
    bases_under_template,
    grazing_doubts,
    ids_hit,
    point_along,
    point_of,
)
from referee.editions.warhammer_9.units.engagement import engaged_with
from referee.editions.warhammer_9.units.quadrants import front_quadrant
from referee.editions.warhammer_9.units.regiment import (
    Regiment,
    are_friends,
    kind_of,
    leading_miniature,
    members_of,
    regiment,
    regiment_of,
)
from referee.geometry.distance import area_gap
from referee.geometry.shapes import Area, RoundedShape, convex_hull, disc, polygon_area
from referee.rules.conditions import list_margins
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_margin_met

_FLAME = because("Breath Weapons", 57, "Wholly inside its front, touching neither friends nor enemies who fight.")
_UNDER = because("Templates", 10, "Every base that lies even partly under the template is hit.")
_TIP_MM, _WIDE_MM = inches(0.25), inches(1.25)
_SIDES = 128
_NEAR_MM = 150.0  # who is farther from a template than this limits no aim
Clause = tuple[str, float, tuple[str, ...]]
_STEP_DEG = 1.0
Laid = Callable[[ExactTable, float], tuple[Area, float]]
"""Where the template lies along a heading, and the least margin of what it has to keep to."""


def flame_area(tip: Point, heading_deg: float, length_mm: float, outline: str = "teardrop") -> Area:
    """The flame template: round at both ends, or with straight ones, the wide end farthest. Source: Templates, p. 10.

    The book gives its length only: AMB-22 of the digest tells the rest.
    """
    scale = length_mm / parameters.FLAME_MM
    small, large = _TIP_MM * scale, _WIDE_MM * scale
    if outline == "trapezoid":
        ends = [point_along(tip, heading_deg, 0.0), point_along(tip, heading_deg, length_mm)]
        rim = [
            point_along(end, heading_deg + turn, r)
            for end, r in zip(ends, (small, large), strict=True)
            for turn in (90, -90)
        ]
    else:
        round_ends = (
            (point_along(tip, heading_deg, small), small),
            (point_along(tip, heading_deg, length_mm - large), large),
        )
        turns = [math.tau * k / _SIDES for k in range(_SIDES)]
        rim = [(x + r * math.cos(t), y + r * math.sin(t)) for (x, y), r in round_ends for t in turns]
    shape = convex_hull(rim)
    return Area((RoundedShape(shape),) if outline == "trapezoid" else _teardrop(*round_ends), shape)


def _teardrop(tip: tuple[Point, float], end: tuple[Point, float]) -> tuple[RoundedShape, ...]:
    """Two discs and what lies between the lines that touch both."""
    (at, small), (to, large) = tip, end
    ahead = math.atan2(to[1] - at[1], to[0] - at[0])
    aside = math.acos((small - large) / math.dist(at, to))
    ways = [(math.cos(ahead + turn), math.sin(ahead + turn)) for turn in (aside, -aside)]
    touched = [(x + r * c, y + r * s) for (x, y), r in (tip, end) for c, s in ways]
    return (disc(at, small), disc(to, large), RoundedShape(convex_hull(touched)))


def spray_hits(table: ExactTable, query: SprayHits) -> RuleResult:
    """Flame template: whom it hits, and whether it may lie there.

    Source: Breath Weapons, p. 57; Fire Throwers, p. 91.
    """
    own, how = regiment(table, query.attacker), table.reading("template-outline")
    if how == "calibrated" and not query.outline_mm:
        return RuleResult(
            status="unknown", needs=("outline_mm",), because=(_FLAME,), deciding_house_rules=("template-outline",)
        )
    tip = own.front if query.origin is None else point_of(table, query.origin)
    heading = _flame_heading_deg(table, query, tip)
    slides = kind_of(leading_miniature(table, query.attacker)) == "war-machine"
    long_mm = inches(query.length_in) if query.length_in is not None else parameters.FLAME_MM
    aimed = polygon_area(query.outline_mm) if query.outline_mm else flame_area(tip, heading, long_mm, how)
    rolled, landed = query.dice.artillery, aimed
    if slides and isinstance(rolled, int) and not query.outline_mm:
        landed = flame_area(point_along(tip, heading, inches(rolled)), heading, long_mm, how)
    clauses = list(_placement_clauses(table, query, aimed, heading, slides=slides))
    members = () if rolled == "misfire" else bases_under_template(table, landed, but=members_of(table, query.attacker))
    nearest = min(clauses, key=lambda clause: clause[1])
    return RuleResult(
        margin_mm=nearest[1],
        value={
            "by_id": {id_: {"why": "under the template"} for id_ in ids_hit(members)},
            "outline_mm": [[x, y] for x, y in landed.outline],
            "clauses": [margin for name, mm, _ in clauses for margin in list_margins({name: mm})],
            "misfire": rolled == "misfire",
            **({"best": _find_best(table, query).value()} if query.best and _is_free(query) else {}),
        },
        members=members,
        witness=(Witness(type="polygon", role="limit", points_mm=landed.outline),),
        because=(with_effect(table, _FLAME, _explain_placement(table, nearest)), _UNDER),
        readings=("template-outline", "area-touch"),
        outcome_house_rules=(*(() if query.outline_mm else ("template-outline",)), *grazing_doubts(members)),
        depends_on_place=tuple(dict.fromkeys((*members_of(table, query.attacker)[:1], *nearest[2]))),
        depends_on_facing=members_of(table, query.attacker)[:1],
    )


def _explain_placement(table: ExactTable, nearest: Clause) -> str:
    name, mm, ids = nearest
    whom = f" ({name_of(table, ids[0])})" if ids else ""
    spare = f"{format_length(abs(mm))} {'to spare' if is_margin_met(mm) else 'too far in'}"
    return f"{name.replace('-', ' ').capitalize()}{whom}: {spare}."


def _flame_heading_deg(table: ExactTable, query: SprayHits, tip: Point) -> float:
    if query.heading_deg is not None:
        return query.heading_deg
    if query.best and _is_free(query):
        return _find_best(table, query).heading_deg
    if query.target is not None:
        to = point_of(table, query.target)
        return math.degrees(math.atan2(to[1] - tip[1], to[0] - tip[0]))
    return math.degrees(regiment(table, query.attacker).facing_rad)


def _is_free(query: SprayHits) -> bool:
    """Whether nobody has told where it lies or points."""
    return query.target is None and query.heading_deg is None and not query.outline_mm


@dataclass(frozen=True)
class FlameAim:
    """One heading, and whom the flame then hits."""

    heading_deg: float
    enemies: tuple[str, ...]
    friends: tuple[str, ...]
    margin_mm: float

    @property
    def worth(self) -> tuple[bool, int, float]:
        return self.margin_mm >= 0, len(self.enemies) - len(self.friends), self.margin_mm

    def value(self) -> dict[str, JsonValue]:
        enemies: list[JsonValue] = [*self.enemies]
        return {"heading_deg": self.heading_deg % 360.0, "enemies": enemies, "friends": [*self.friends]}


def _find_best(table: ExactTable, query: SprayHits) -> FlameAim:
    def lay(still: ExactTable, heading_deg: float) -> tuple[Area, float]:
        tip = regiment(still, query.attacker).front if query.origin is None else point_of(still, query.origin)
        length = inches(query.length_in) if query.length_in is not None else parameters.FLAME_MM
        template = flame_area(tip, heading_deg, length, still.reading("template-outline"))
        slides = kind_of(leading_miniature(still, query.attacker)) == "war-machine"
        clauses = _placement_clauses(still, query, template, heading_deg, slides=slides)
        return template, min(mm for _, mm, _ in clauses)

    facing = math.degrees(regiment(table.unperturbed, query.attacker).facing_rad)
    return find_best_flame(table, query, facing, lay)


def _placement_clauses(
    table: ExactTable, query: SprayHits, template: Area, heading_deg: float, *, slides: bool
) -> list[Clause]:
    """What the template must keep to as it is laid, each with its margin and whom it hangs on.

    A fire thrower lays it at its barrel, ahead of it after a pivot, and then lets it slide. Source: Breath Weapons,
    p. 57; Fire Throwers, p. 91; War Machines, p. 86; Shooting into Combat, p. 35.
    """
    own = regiment(table, query.attacker)
    clauses: list[Clause] = []
    if slides:
        turn = abs(math.degrees(math.remainder(math.radians(heading_deg) - own.facing_rad, math.tau)))
        arm = math.radians(parameters.PIVOT_DEG - turn) * parameters.FLAME_MM
        clauses.append(("ahead", arm, ()))
    else:
        clauses.append(("inside-its-front", min(_inside_mm(own, p) for p in template.outline), ()))
        base = table.base(members_of(table, query.attacker)[0])
        touching = parameters.CONTACT_MM - area_gap(template, Area((base,))).mm
        clauses.append(("at-its-mouth", CAPPED_MM if touching >= 0 else touching, ()))
    return [*clauses, *_clear_of_units(table, query.attacker, own, template)]


def _clear_of_units(table: ExactTable, attacker: str, own: Regiment, template: Area) -> list[Clause]:
    least: dict[str, Clause] = {}
    for id_ in bases_near_template(table, template, but=own.members, mm=_NEAR_MM):
        name = "friends" if are_friends(table, attacker, id_) else "enemies-who-fight"
        if name == "friends" or engaged_with(table, regiment_of(table, id_)):
            clause = (name, area_gap(template, Area((table.base(id_),))).mm, (id_,))
            least[name] = min(least.get(name, clause), clause, key=lambda each: each[1])
    return list(least.values())


def _inside_mm(own: Regiment, p: Point) -> float:
    """How deep a point lies between the lines of the front. The tip touches the base, so the edge itself gives way."""
    (left, _, _, right), front = own.corners, front_quadrant(own)
    sides = [edge for edge in front.edges() if edge[0] in (left, right) and edge[1] not in (left, right)]
    sides += [edge for edge in front.edges() if edge[1] in (left, right) and edge[0] not in (left, right)]
    depths = [_left_of_mm(edge, p) for edge in sides]
    ahead = own.to_local(p, own.front)[0] + parameters.CONTACT_MM
    return min(*depths, CAPPED_MM if is_margin_met(ahead) else ahead)


def _left_of_mm(edge: tuple[Point, Point], p: Point) -> float:
    (ax, ay), (bx, by) = edge
    return ((bx - ax) * (p[1] - ay) - (by - ay) * (p[0] - ax)) / math.hypot(bx - ax, by - ay)


def find_best_flame(table: ExactTable, query: SprayHits, facing_deg: float, lay: Laid) -> FlameAim:
    """The best of the headings in its front, degree by degree, on the table at rest.

    Source: Breath Weapons, p. 57; Fire Throwers, p. 91.
    """

    def find(still: ExactTable) -> FlameAim:
        most = int(parameters.PIVOT_DEG / _STEP_DEG)
        headings = (facing_deg + k * _STEP_DEG for k in range(-most, most + 1))
        return max((_aim_along(still, query, heading, lay) for heading in headings), key=lambda aim: aim.worth)

    return table.memoize_unperturbed(("best flame", query), find)


def _aim_along(table: ExactTable, query: SprayHits, heading_deg: float, lay: Laid) -> FlameAim:
    template, margin = lay(table, heading_deg)
    near = bases_near_template(table, template, but=members_of(table, query.attacker))
    hit = [id_ for id_ in near if area_gap(template, Area((table.base(id_),))).mm < 0]
    friends = tuple(id_ for id_ in hit if are_friends(table, query.attacker, id_))
    return FlameAim(heading_deg, tuple(id_ for id_ in hit if id_ not in friends), friends, margin)
