"""Round templates: who is under them."""

import math
from collections.abc import Callable

from pydantic import JsonValue

from models.queries import TemplateHits, Trench
from models.units import inches
from models.verdict import Witness
from models.words import Point
from referee.candidates import considered, in_play, is_met
from referee.coverage import covered_mm
from referee.editions.warmachine_prime.distances import touched
from referee.editions.warmachine_prime.parameters import because
from referee.editions.warmachine_prime.trenches import trench
from referee.ruling import Candidate, Ruling
from referee.shapes import Area, disc
from referee.situation import Situation

_UNDER = because("Area-of-Effect (AOE) Attacks", 52, "Every base that is partly under the template is hit.")
DIRECT = because("Area-of-Effect (AOE) Attacks", 52, "A direct hit centers it on the base; all others take the blast.")
Lands = Callable[[Situation], Point]


def template_hits(table: Situation, query: TemplateHits) -> Ruling:
    """Whom a round template covers; just touching a base counts. Source: Area-of-Effect (AOE) Attacks, p. 52."""

    def lands(nudged: Situation) -> Point:
        return middle(nudged, query.at)

    at = lands(table)
    by_id: dict[str, JsonValue] = {
        id_: how_hit(table, id_, query.direct, at) for id_ in under(table, at, query.diameter_in)
    }
    return Ruling(
        status="measured",
        value={"point_mm": list(at), "by_id": by_id, "units": _units(table, by_id)},
        witness=(ring(at, query.diameter_in),),
        because=(_UNDER,) if query.direct is None else (_UNDER, DIRECT),
        readings=("area-touch",),
        members=members_under(table, lands, query.diameter_in, touched(query.at)),
    )


def middle(table: Situation, place: str | Point) -> Point:
    """The middle of a thing, or the point itself."""
    if isinstance(place, str) and place in table.miniatures:
        return table.centre(place)
    return table.area(place).parts[0].centre


def members_under(table: Situation, lands: Lands, diameter_in: float, by: tuple[str, ...]) -> tuple[Candidate, ...]:
    """Everybody in play, each with how deep the template lies over its base."""

    def about(nudged: Situation, id_: str) -> Ruling:
        return _covered(nudged, lands(nudged), diameter_in, id_, by)

    at = lands(table)
    ids = sorted(in_play(table), key=lambda id_: math.dist(at, table.centre(id_)))
    return considered(table, ids, about)


def _covered(table: Situation, at: Point, diameter_in: float, id_: str, by: tuple[str, ...]) -> Ruling:
    """Source: Area-of-Effect (AOE) Attacks, p. 52: any part of the base."""
    depth = covered_mm(Area((disc(at, inches(diameter_in) / 2),)), table.base(id_))
    return Ruling(
        margin_mm=depth,
        zero_is_met=table.reading("area-touch") == "covered",
        because=(_UNDER,),
        touches=tuple(dict.fromkeys((*by, id_))),
    )


def under(table: Situation, at: Point, diameter_in: float) -> tuple[str, ...]:
    """Everybody that is partly under it. Source: Area-of-Effect (AOE) Attacks, p. 52."""
    return tuple(id_ for id_ in in_play(table) if is_met(_covered(table, at, diameter_in, id_, ())))


def how_hit(table: Situation, id_: str, direct: str | None, at: Point) -> dict[str, JsonValue]:
    """How it is hit. Source: Area-of-Effect (AOE) Attacks, p. 52; Trenches, p. 80."""
    if id_ == direct:
        return {"hit": "direct"}
    trenches = any(terrain.kind == "trench" for terrain in table.state.terrain)
    immune = trenches and is_met(trench(table, Trench(target=id_, origin=at)))
    return {"hit": "blast", **({"blast_immune": True} if immune else {})}


def _units(table: Situation, ids: dict[str, JsonValue]) -> dict[str, JsonValue]:
    counts: dict[str, JsonValue] = {}
    for unit in filter(None, (table.miniature(id_).unit for id_ in ids)):
        counts[unit] = int(str(counts.get(unit, 0))) + 1
    return counts


def ring(at: Point, diameter_in: float) -> Witness:
    """The template's rim."""
    return Witness(type="circle", role="limit", centre_mm=at, radius_mm=inches(diameter_in) / 2)
