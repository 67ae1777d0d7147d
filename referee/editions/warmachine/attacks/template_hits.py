"""Round template: who is under it."""

import math
from collections.abc import Callable

from pydantic import JsonValue

from models.queries import TemplateHits, Trench
from models.unit_conversion import inches
from models.verdict import Witness
from models.vocabulary import Point
from referee.editions.warmachine.miniatures.distances import ids_that_matter
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.terrain.trench import trench
from referee.geometry.containment import covered_mm
from referee.geometry.shapes import Area, disc
from referee.rules.candidates import evaluate_each, in_play, is_met
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import Candidate, RuleResult

_UNDER = because("Area-of-Effect (AOE) Attacks", 52, "Every base that is partly under the template is hit.")
DIRECT = because("Area-of-Effect (AOE) Attacks", 52, "A direct hit centers it on the base; all others take the blast.")
Lands = Callable[[ExactTable], Point]


def template_hits(table: ExactTable, query: TemplateHits) -> RuleResult:
    """Round template: whom a round template covers; just touching a base counts.

    Source: Area-of-Effect (AOE) Attacks, p. 52.
    """

    def lands(perturbed: ExactTable) -> Point:
        return middle_of(perturbed, query.at)

    at = lands(table)
    by_id: dict[str, JsonValue] = {
        id_: describe_hit(table, id_, query.direct, at)
        for id_ in list_covered(table, at, query.diameter_in, ids_that_matter(query.at))
    }
    return RuleResult(
        status="measured",
        value={"point_mm": list(at), "by_id": by_id, "units": _units(table, by_id)},
        witness=(draw_rim(at, query.diameter_in),),
        because=(_UNDER,) if query.direct is None else (_UNDER, DIRECT),
        readings=("area-touch",),
        members=members_under(table, lands, query.diameter_in, ids_that_matter(query.at)),
    )


def middle_of(table: ExactTable, place: str | Point) -> Point:
    """The middle of a thing, or the point itself."""
    if isinstance(place, str) and place in table.miniatures:
        return table.centre(place)
    return table.area(place).parts[0].centre


def members_under(table: ExactTable, lands: Lands, diameter_in: float, by: tuple[str, ...]) -> tuple[Candidate, ...]:
    """Everybody in play, each with how deep the template lies over its base."""

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        return _check_coverage(perturbed, lands(perturbed), diameter_in, id_, by)

    at = lands(table)
    ids = sorted(in_play(table), key=lambda id_: math.dist(at, table.centre(id_)))
    return evaluate_each(table, ids, about)


def _check_coverage(table: ExactTable, at: Point, diameter_in: float, id_: str, by: tuple[str, ...]) -> RuleResult:
    """Source: Area-of-Effect (AOE) Attacks, p. 52: any part of the base."""
    depth = covered_mm(Area((disc(at, inches(diameter_in) / 2),)), table.base(id_))
    return RuleResult(
        margin_mm=depth,
        zero_is_met=table.reading("area-touch") == "covered",
        because=(_UNDER,),
        depends_on_place=tuple(dict.fromkeys((id_, *by))),
    )


def list_covered(table: ExactTable, at: Point, diameter_in: float, by: tuple[str, ...]) -> tuple[str, ...]:
    """Everybody that is partly under it. Source: Area-of-Effect (AOE) Attacks, p. 52."""
    return tuple(
        id_
        for id_ in in_play(table)
        if is_met(_check_coverage(table, at, diameter_in, id_, by), "lies under the template of")
    )


def describe_hit(table: ExactTable, id_: str, direct: str | None, at: Point) -> dict[str, JsonValue]:
    """How it is hit. Source: Area-of-Effect (AOE) Attacks, p. 52; Trenches, p. 80."""
    if id_ == direct:
        return {"hit": "direct"}
    trenches = any(terrain.kind == "trench" for terrain in table.state.terrain)
    immune = trenches and is_met(trench(table, Trench(target=id_, origin=at)), "lies in a trench off the blast of")
    return {"hit": "blast", **({"blast_immune": True} if immune else {})}


def _units(table: ExactTable, ids: dict[str, JsonValue]) -> dict[str, JsonValue]:
    counts: dict[str, JsonValue] = {}
    for unit in filter(None, (table.miniature(id_).unit for id_ in ids)):
        counts[unit] = int(str(counts.get(unit, 0))) + 1
    return counts


def draw_rim(at: Point, diameter_in: float) -> Witness:
    """The template's rim."""
    return Witness(type="circle", role="limit", centre_mm=at, radius_mm=inches(diameter_in) / 2)
