"""Templates and scatter: whose base lies even partly under them. Just touching the rim is a miss."""

import math
from collections import Counter
from collections.abc import Iterable
from functools import partial

from pydantic import JsonValue

from models.dice import Dice
from models.queries import Deviation, TemplateHits
from models.units import inches, radians
from models.verdict import Witness
from models.words import Point
from referee.candidates import is_met
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.regiments import (
    all_regiments,
    garrisoned,
    regiment_of,
)
from referee.gaps import area_gap, gap
from referee.ruling import Candidate, Ruling
from referee.shapes import Area, disc
from referee.situation import Situation
from referee.telling import applied, length

_UNDER = because("Templates", 10, "Every base that lies even partly under the template is hit.")
_SCATTER = because("Scatter", 10, "It moves along the arrow by the distance rolled; on a hit it stays.")
_INSIDE = because("Buildings", 99, "Who holds a building that is touched takes D6 hits.")
_HIT_FACES = 2  # of the six of a usual scatter die; the book does not count them


def template_hits(table: Situation, query: TemplateHits) -> Ruling:
    """Who lies under a round template. Source: Templates, p. 10; Buildings, p. 99."""
    at = point_of(table, query.at)
    template = Area((disc(at, inches(query.diameter_in) / 2),))
    members = covered(table, template)
    hit = hit_by(members)
    under = _under_hole(table, at, hit)
    by_id: dict[str, JsonValue] = {
        id_: {"hit": "direct" if id_ == query.direct else "hole" if id_ in under else "blast"} for id_ in hit
    }
    inside = garrisons_hit(table, template, at)
    value: dict[str, JsonValue] = {
        "by_id": by_id | {one.id: told for one, told in inside if one.id in hit_by([one])},
        "units": dict[str, JsonValue](Counter(regiment_of(table, id_) for id_ in hit)),
        "point_mm": [*at],
    }
    return Ruling(
        status="measured",
        value=value | ({"ties": [*under]} if query.hole else {}),
        members=(*members, *(one for one, _ in inside)),
        witness=(Witness(type="circle", role="limit", centre_mm=at, radius_mm=inches(query.diameter_in) / 2),),
        because=(applied(table, _UNDER, f"{len(hit)} lie under it."), *([_INSIDE] if inside else [])),
        readings=("area-touch",),
    )


def hit_by(members: Iterable[Candidate]) -> list[str]:
    """Those of the candidates who are hit."""
    return [one.id for one in members if one.ruling is not None and is_met(one.ruling)]


def garrisons_hit(table: Situation, template: Area, at: Point | None) -> list[tuple[Candidate, dict[str, JsonValue]]]:
    """Every garrison near a template, with what hits it: D6, the harder ones where the hole is over the building.

    Source: Buildings, p. 99.
    """
    found: list[tuple[Candidate, dict[str, JsonValue]]] = []
    for unit in all_regiments(table):
        building = garrisoned(table, unit)
        if building is None:
            continue
        rule = partial(_touched, template=template, building=building)
        over = at is not None and area_gap(table.area(building), Area((disc(at, 0.0),))).mm <= 0
        if (rule(table).margin_mm or 0.0) > -_NEAR_MM:
            found.append((Candidate(unit, rule(table), rule), {"hit": "garrison", "hits": "d6", "hole": over}))
    return found


def _touched(table: Situation, template: Area, building: str) -> Ruling:
    return _covering(table, -area_gap(template, table.area(building)).mm, building)


def _covering(table: Situation, mm: float, id_: str) -> Ruling:
    """How deep a template lies over something; what exactly touching is, the table's reading tells."""
    grazes = abs(mm) < 1e-6
    met = table.reading("area-touch") == "covered"
    return Ruling(margin_mm=mm, zero_is_met=met, doubtful=("area-touch",) if grazes else (), touches=(id_,))


def grazing_doubts(members: tuple[Candidate, ...]) -> tuple[str, ...]:
    """The house rules on which it hangs whom a template hits."""
    return tuple(dict.fromkeys(key for one in members if one.ruling is not None for key in one.ruling.doubtful))


def covered(table: Situation, template: Area, *, but: tuple[str, ...] = ()) -> tuple[Candidate, ...]:
    """Every base near a template: margin: how deep the template lies over it; exactly touching is a miss."""
    found = []
    for id_ in around(table, template, but=but):
        ruling = _under(table, template, id_)
        if ruling.margin_mm is not None and ruling.margin_mm > -_NEAR_MM:
            found.append(Candidate(id_, ruling, partial(_under, template=template, id_=id_)))
    return tuple(found)


def around(table: Situation, template: Area, *, but: tuple[str, ...] = (), mm: float = 50.0) -> list[str]:
    """Everybody in play whose base may lie within so much of a template."""
    out = [m.id for m in table.state.miniatures if m.inside is None and "removed" not in m.status and m.id not in but]
    discs = [(part.centre, part.reach_mm) for part in template.parts]
    bases = ((id_, table.base(id_)) for id_ in out)
    return [
        id_
        for id_, base in bases
        if any(math.dist(base.centre, at) - base.reach_mm - reach <= mm for at, reach in discs)
    ]


_NEAR_MM = 50.0


def _under(table: Situation, template: Area, id_: str) -> Ruling:
    return _covering(table, -area_gap(template, Area((table.base(id_),))).mm, id_)


def _under_hole(table: Situation, at: Point, ids: list[str]) -> list[str]:
    """Who lies under the hole in the middle: of several one is drawn. Source: Stone Throwers, p. 89."""
    return [id_ for id_ in ids if gap(disc(at, 0.0), table.base(id_)).mm <= 0]


def point_of(table: Situation, place: str | Point) -> Point:
    """The point meant: itself, or the middle of a thing."""
    if not isinstance(place, str):
        return place
    parts = table.area(place).parts
    return (sum(p.centre[0] for p in parts) / len(parts), sum(p.centre[1] for p in parts) / len(parts))


def along(at: Point, heading_deg: float, mm: float) -> Point:
    turn = radians(heading_deg)
    return (at[0] + mm * math.cos(turn), at[1] + mm * math.sin(turn))


def is_misfire(dice: Dice) -> bool:
    """Whether nothing is shot at all, whatever the scatter die shows. Source: Cannons, p. 88; Stone Throwers, p. 89."""
    return dice.artillery == "misfire"


def lacking(dice: Dice, *, drifts: bool = False) -> tuple[str, ...]:
    """The faces that must be told before it is known where something lands."""
    if dice.scatter == "hit" and not drifts:
        return ()
    rolled = dice.artillery if dice.artillery is not None else dice.distance
    told: dict[str, object] = {"scatter": dice.scatter, "heading_deg": dice.heading_deg, "artillery": rolled}
    return tuple(f"dice.{name}" for name, face in told.items() if face is None)


def scattered(at: Point, dice: Dice, *, share: float = 1.0, less_in: float = 0.0, drifts: bool = False) -> Point:
    """Where a marker lands by the dice; where it was aimed at without those it takes. Source: Scatter, p. 10.

    `share` of the artillery die counts, `less_in` of it is taken off; on a hit it moves only where it `drifts`.
    """
    rolled = dice.artillery if dice.artillery is not None else dice.distance
    if dice.scatter is None or (dice.scatter == "hit" and not drifts):
        return at
    if rolled is None or rolled == "misfire" or dice.heading_deg is None:
        return at
    return along(at, dice.heading_deg, inches(max(0.0, rolled * share - less_in)))


def deviation(table: Situation, query: Deviation) -> Ruling:
    """Where it lands. Source: Scatter, p. 10; Choosing a Random Direction, p. 11."""
    start, dice = point_of(table, query.target), query.dice
    if dice.scatter is None and dice.heading_deg is not None:  # a random direction, not a scatter
        dice = dice.model_copy(update={"scatter": "arrow"})
    needs = () if query.hit or is_misfire(dice) else lacking(dice)
    if needs:
        return Ruling(status="unknown", needs=needs, value={"start_mm": [*start]}, because=(_SCATTER,))
    end = start if query.hit else scattered(start, dice)
    value: dict[str, JsonValue] = {"start_mm": [*start], "point_mm": [*end], "cap_mm": None, "clipped": False}
    members = tuple[Candidate, ...]()
    if query.diameter_in is not None and not is_misfire(dice):
        members = covered(table, Area((disc(end, inches(query.diameter_in) / 2),)))
    return Ruling(
        status="measured",
        value=value | {"misfire": is_misfire(dice)},
        members=members,
        witness=(Witness(type="segment", role="path", points_mm=(start, end)),),
        because=(applied(table, _SCATTER, f"It lands {length(math.dist(start, end))} away."),),
        readings=("area-touch",),
    )


def expected_share() -> float:
    """The chance that a scatter die shows a hit."""
    return _HIT_FACES / 6
