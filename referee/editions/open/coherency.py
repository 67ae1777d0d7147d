"""Coherency of the open edition: whether the members of a unit keep as near each other as the table wants."""

from collections.abc import Sequence

from models.queries import Formation
from models.verdict import CAPPED_MM
from referee.editions.open.measuring import measure
from referee.editions.open.settings import explain_setting, is_limit_met, length_mm, with_hair_mm
from referee.editions.warmachine.miniatures.distances import hinges
from referee.rules.candidates import evaluate_each, in_play, is_zero_or_more
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_names, with_effect
from referee.rules.rule_result import NobodyLeft, RuleResult

_READINGS = ("open-coherency", "open-coherency-in", "open-measure", "open-limit", "open-hair-mm", "open-vertical")
_RIVAL_MM = 10.0


def coherency(table: ExactTable, query: Formation) -> RuleResult:
    """Coherency: who of a unit is near enough to the others; one alone always is.

    Raises: NobodyLeft when nobody of the unit is on the table.
    """
    ids = tuple(id_ for id_ in in_play(table) if table.miniature(id_).unit == query.unit)
    if not ids:
        raise NobodyLeft(query.unit)
    if query.who is not None:
        return _check_near(table, query.who, ids)

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        return _check_near(perturbed, id_, ids)

    out = [id_ for id_ in ids if not is_zero_or_more(about(table, id_))]
    said = f"Too far from the others: {format_names(table, out)}."
    return RuleResult(
        status="measured",
        value={"out": list(out), "limit_mm": length_mm(table, "open-coherency-in")},
        because=(with_effect(table, explain_setting(table, "open-coherency"), said),),
        readings=_READINGS,
        members=evaluate_each(table, ids, about),
    )


def _check_near(table: ExactTable, id_: str, unit: Sequence[str]) -> RuleResult:
    """By how much the member whose distance decides is nearer than the limit."""
    others = [other for other in unit if other != id_]
    rule = explain_setting(table, "open-coherency")
    if not others:
        return RuleResult(margin_mm=CAPPED_MM, because=(rule,), readings=_READINGS, depends_on_place=(id_,))
    order = sorted((measure(table, id_, other).mm, other) for other in others)
    wanted = {"one": 1, "two": 2, "all": len(order)}[table.reading("open-coherency")]
    deciding = order[min(wanted, len(order)) - 1][0]
    rivals = (other for mm, other in order if abs(mm - deciding) <= _RIVAL_MM)
    return RuleResult(
        margin_mm=with_hair_mm(table, length_mm(table, "open-coherency-in")) - deciding,
        zero_is_met=is_limit_met(table),
        value={"distance_mm": deciding},
        lengths_mm={"distance": deciding},
        because=(rule,),
        readings=_READINGS,
        depends_on_place=hinges(table, id_, *rivals),
    )
