"""Within an area: any part of the base is enough; completely within takes all of it."""

from models.queries import InArea
from models.verdict import Witness
from referee.editions.warmachine.miniatures.distances import hinges
from referee.editions.warmachine.parameters import because
from referee.geometry.containment import depth_of_base, reach_into
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least

_WITHIN = because("Measuring Distances", 12, "A model is within an area when any part of its base is; touching counts.")
_WHOLLY = because("Within Vs. Completely Within", 12, "Completely within takes every part of the base.")


def in_area(table: ExactTable, query: InArea) -> RuleResult:
    """Within an area: whether some part of the base is in the area; just touching it is met.

    Source: Measuring Distances, p. 12.
    """
    base, area = table.base(query.who), table.area(query.area)
    depth, whole = reach_into(base, area), depth_of_base(base, (area,))
    completely = is_at_least(whole, 0.0, "is completely within", hinges(table, query.who, query.area))
    covered = table.reading("area-touch") == "covered"
    return RuleResult(
        margin_mm=depth,
        zero_is_met=covered,
        value={"completely": {"answer": "yes" if completely else "no", "margin_mm": whole}},
        lengths_mm={"completely": whole},
        witness=(Witness(type="circle", role="hit", centre_mm=base.centre, radius_mm=base.reach_mm, of=(query.who,)),),
        because=(with_effect(table, _WITHIN, _describe_depth(table, query, depth, whole)), _WHOLLY),
        readings=("area-touch",),
        doubtful=("area-touch",) if abs(depth) < 1e-6 else (),
        depends_on_place=hinges(table, query.who, query.area),
    )


def _describe_depth(table: ExactTable, query: InArea, depth_mm: float, whole_mm: float) -> str:
    who = name_of(table, query.who)
    if depth_mm < 0:
        return f"{who} stays {format_length(-depth_mm)} outside {query.area}."
    rest = (
        f"{format_length(-whole_mm)} of it are outside"
        if whole_mm < 0
        else f"all of it is inside, by {format_length(whole_mm)}"
    )
    return f"{who} reaches {format_length(depth_mm)} into {query.area}, and {rest}."
