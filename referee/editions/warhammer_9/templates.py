"""Templates and scatter: whose base lies even partly under them. Just touching the rim is a miss."""

import math
from collections import Counter
from functools import partial

from pydantic import JsonValue

from models.dice import Dice
from models.queries import Deviation, SprayHits, TemplateHits
from models.units import inches, radians
from models.verdict import CAPPED_MM, Witness
from models.words import Point
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.arcs import front_of
from referee.editions.warhammer_9.engaged import engaged_with
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.regiments import are_friends, kind_of, leading, members_of, regiment, regiment_of
from referee.gaps import area_gap, gap
from referee.motion import hull
from referee.ruling import Candidate, Ruling
from referee.shapes import Area, Rounded, disc, polygon_area
from referee.situation import Situation
from referee.telling import applied, length, name_of

_UNDER = because("Templates", 10, "Every base that lies even partly under the template is hit.")
_SCATTER = because("Scatter", 10, "It moves along the arrow by the distance rolled; on a hit it stays.")
_FLAME = because("Breath Weapons", 57, "Wholly inside its front, touching neither friends nor enemies who fight.")
_TIP_MM, _WIDE_MM = inches(0.25), inches(1.25)
_SIDES = 128
_HIT_FACES = 2  # of the six of a usual scatter die; the book does not count them


def template_hits(table: Situation, query: TemplateHits) -> Ruling:
    """Who lies under a round template. Source: Templates, p. 10; Buildings, p. 99."""
    at = point_of(table, query.at)
    template = Area((disc(at, inches(query.diameter_in) / 2),))
    members = covered(table, template)
    hit = [one for one in members if one.ruling is not None and (one.ruling.margin_mm or 0.0) > 0]
    under = _under_hole(table, at, [one.id for one in hit])
    by_id: dict[str, JsonValue] = {
        one.id: {"hit": "direct" if one.id == query.direct else "hole" if one.id in under else "blast"} for one in hit
    }
    value: dict[str, JsonValue] = {
        "by_id": by_id,
        "units": dict[str, JsonValue](Counter(regiment_of(table, one.id) for one in hit)),
        "point_mm": [*at],
        "garrisons": [*_garrisons(table, template)],
    }
    return Ruling(
        status="measured",
        value=value | ({"ties": [*under]} if query.hole else {}),
        members=members,
        witness=(Witness(type="circle", role="limit", centre_mm=at, radius_mm=inches(query.diameter_in) / 2),),
        because=(applied(table, _UNDER, f"{len(hit)} lie under it."),),
    )


def covered(table: Situation, template: Area, *, but: tuple[str, ...] = ()) -> tuple[Candidate, ...]:
    """Every base near a template: margin: how deep the template lies over it; exactly touching is a miss."""
    found = []
    for one in table.state.miniatures:
        if one.id in but or one.inside is not None or "removed" in one.status:
            continue
        ruling = _under(table, template, one.id)
        if ruling.margin_mm is not None and ruling.margin_mm > -_NEAR_MM:
            found.append(Candidate(one.id, ruling, partial(_under, template=template, id_=one.id)))
    return tuple(found)


_NEAR_MM = 50.0


def _under(table: Situation, template: Area, id_: str) -> Ruling:
    mm = -area_gap(template, Area((table.base(id_),))).mm
    return Ruling(margin_mm=mm, zero_is_met=False, touches=(id_,))


def _under_hole(table: Situation, at: Point, ids: list[str]) -> list[str]:
    """Who lies under the hole in the middle: of several one is drawn. Source: Stone Throwers, p. 89."""
    return [id_ for id_ in ids if gap(disc(at, 0.0), table.base(id_)).mm <= 0]


def _garrisons(table: Situation, template: Area) -> list[str]:
    """Buildings with somebody inside that the template touches: D6 hits on those. Source: Buildings, p. 99."""
    held = dict.fromkeys(m.inside for m in table.state.miniatures if m.inside is not None)
    return [building for building in held if area_gap(template, table.area(building)).mm < 0]


def point_of(table: Situation, place: str | Point) -> Point:
    """The point meant: itself, or the middle of a thing."""
    if not isinstance(place, str):
        return place
    parts = table.area(place).parts
    return (sum(p.centre[0] for p in parts) / len(parts), sum(p.centre[1] for p in parts) / len(parts))


def along(at: Point, heading_deg: float, mm: float) -> Point:
    turn = radians(heading_deg)
    return (at[0] + mm * math.cos(turn), at[1] + mm * math.sin(turn))


def scattered(at: Point, dice: Dice, *, share: float = 1.0, less_in: float = 0.0, drifts: bool = False) -> Point | None:
    """Where a marker lands; None without the dice it takes, or on a misfire. Source: Scatter, p. 10.

    `share` of the artillery die counts, `less_in` of it is taken off; on a hit it moves only where it `drifts`.
    """
    if dice.scatter is None:
        return None
    if dice.scatter == "hit" and not drifts:
        return at
    rolled = dice.artillery if dice.artillery is not None else dice.distance
    if rolled is None or rolled == "misfire" or dice.heading_deg is None:
        return None
    return along(at, dice.heading_deg, inches(max(0.0, rolled * share - less_in)))


def deviation(table: Situation, query: Deviation) -> Ruling:
    """Where it lands. Source: Scatter, p. 10; Choosing a Random Direction, p. 10."""
    start = point_of(table, query.target)
    end = start if query.hit else scattered(start, query.dice)
    if end is None:
        needs = tuple(f"dice.{one}" for one in ("scatter", "artillery", "heading_deg"))
        return Ruling(status="unknown", needs=needs, value={"start_mm": [*start]}, because=(_SCATTER,))
    value: dict[str, JsonValue] = {"start_mm": [*start], "point_mm": [*end], "cap_mm": None, "clipped": False}
    members = tuple[Candidate, ...]()
    if query.diameter_in is not None:
        members = covered(table, Area((disc(end, inches(query.diameter_in) / 2),)))
    return Ruling(
        status="measured",
        value=value,
        members=members,
        witness=(Witness(type="segment", role="path", points_mm=(start, end)),),
        because=(applied(table, _SCATTER, f"It lands {length(math.dist(start, end))} away."),),
    )


def flame(tip: Point, heading_deg: float, length_mm: float) -> Area:
    """The teardrop: a small disc at its tip, a larger one at its end, and all between. Source: Templates, p. 10."""
    scale = length_mm / parameters.FLAME_MM
    small, large = _TIP_MM * scale, _WIDE_MM * scale
    ends = ((along(tip, heading_deg, small), small), (along(tip, heading_deg, length_mm - large), large))
    turns = [math.tau * k / _SIDES for k in range(_SIDES)]
    rim = [(x + r * math.cos(t), y + r * math.sin(t)) for (x, y), r in ends for t in turns]
    outline = hull(rim)
    return Area((Rounded(outline),), outline)


def spray_hits(table: Situation, query: SprayHits) -> Ruling:
    """Whom a flame hits, and whether it may lie there. Source: Breath Weapons, p. 57; Fire Throwers, p. 90."""
    own = regiment(table, query.attacker)
    tip = own.front if query.origin is None else point_of(table, query.origin)
    heading = _heading(table, query, tip)
    slides = kind_of(leading(table, query.attacker)) == "war-machine"
    rolled = query.dice.artillery
    if slides and rolled not in (None, "misfire"):
        tip = along(tip, heading, inches(float(rolled or 0)))
    long_mm = inches(query.length_in) if query.length_in is not None else parameters.FLAME_MM
    template = polygon_area(query.outline_mm) if query.outline_mm else flame(tip, heading, long_mm)
    clauses = [] if slides else _clauses(table, query.attacker, template)
    members = covered(table, template, but=members_of(table, query.attacker))
    margin = min((mm for _, mm, _ in clauses), default=CAPPED_MM)
    nearest = min(clauses, key=lambda one: one[1], default=("", CAPPED_MM, ()))
    struck = [one.id for one in members if one.ruling is not None and (one.ruling.margin_mm or 0.0) > 0]
    return Ruling(
        margin_mm=margin,
        value={
            "by_id": {id_: {"why": "under the template"} for id_ in struck},
            "outline_mm": [[x, y] for x, y in (template.outline or ())],
            "clauses": [{"clause": n, "answer": "yes" if mm >= 0 else "no", "margin_mm": mm} for n, mm, _ in clauses],
        },
        members=members,
        witness=(Witness(type="polygon", role="limit", points_mm=template.outline),),
        because=(applied(table, _FLAME, _laid(table, nearest)), _UNDER),
        readings=("template-outline",),
        touches=tuple(dict.fromkeys((*members_of(table, query.attacker)[:1], *nearest[2]))),
        faces=members_of(table, query.attacker)[:1],
    )


def _laid(table: Situation, nearest: tuple[str, float, tuple[str, ...]]) -> str:
    name, mm, ids = nearest
    if not name:
        return "It slides on from the barrel."
    whom = f" ({name_of(table, ids[0])})" if ids else ""
    return f"{name.capitalize()}{whom}: {length(abs(mm))} {'clear' if mm >= 0 else 'too far in'}."


def _heading(table: Situation, query: SprayHits, tip: Point) -> float:
    if query.heading_deg is not None:
        return query.heading_deg
    if query.target is not None:
        to = point_of(table, query.target)
        return math.degrees(math.atan2(to[1] - tip[1], to[0] - tip[0]))
    return math.degrees(regiment(table, query.attacker).facing_rad)


def _clauses(table: Situation, attacker: str, template: Area) -> list[tuple[str, float, tuple[str, ...]]]:
    """What a breath must keep to, each with its margin and whom it hangs on."""
    own = regiment(table, attacker)
    front = front_of(own)
    inside = min(_inside_mm(front, p) for p in (template.outline or template.parts[0].points))
    found: list[tuple[str, float, tuple[str, ...]]] = [("inside its front", inside, ())]
    for one in table.state.miniatures:
        if one.id in own.members or one.inside is not None or "removed" in one.status:
            continue
        if are_friends(table, attacker, one.id):
            found.append(("friends", area_gap(template, Area((table.base(one.id),))).mm, (one.id,)))
        elif engaged_with(table, regiment_of(table, one.id)):
            found.append(("enemies who fight", area_gap(template, Area((table.base(one.id),))).mm, (one.id,)))
    least: dict[str, tuple[str, float, tuple[str, ...]]] = {}
    for clause in found:
        least[clause[0]] = min(least.get(clause[0], clause), clause, key=lambda one: one[1])
    return list(least.values())


def _inside_mm(outline: Rounded, p: Point) -> float:
    """How deep a point lies in a convex outline; negative outside."""
    depths = []
    for (ax, ay), (bx, by) in outline.edges():
        long = math.hypot(bx - ax, by - ay)
        depths.append(((bx - ax) * (p[1] - ay) - (by - ay) * (p[0] - ax)) / long)
    return min(depths)


def expected_share() -> float:
    """The chance that a scatter die shows a hit."""
    return _HIT_FACES / 6
