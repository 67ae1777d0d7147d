"""Promotion: who stands near enough to take the place of a standard bearer or gunner."""

from models.queries import Promotion
from referee.editions.warmachine.hordes_mk2.parameters import PROMOTION_MM, because
from referee.geometry.distance import gap
from referee.margins.distance_margin import limit_form
from referee.rules.candidates import evaluate_each
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_TAKES = because("Standard Bearer", "A Grunt within 1 in of it may take its place when it leaves play.")
_CREW = because("Weapon Crews", "A Grunt within 1 in of the gun's Leader takes its place when it leaves play.")
_NOT_ONE = because("Standard Bearer", "Only the standard bearer, and the Leader of a weapon crew, are followed so.")


def promotion(table: ExactTable, query: Promotion) -> RuleResult:
    """Promotion: who of the unit stands near enough to take its place; an inch is.

    Source: Standard Bearer; Weapon Crews.
    """
    me = table.miniature(query.who)
    crew = "gunner" in me.role or (me.base.counts_as_mm is not None and me not in table.sized_by_book)
    if me.unit is None:
        return RuleResult(status="unknown", needs=(f"unit of {query.who}",), because=(_TAKES,))
    if not (crew or "standard" in me.role or me.has("standard-bearer")):
        return RuleResult(status="refused", because=(_NOT_ONE,), advice=f"{query.who} is neither of them.")
    barred = {"commander", "officer", "standard"}
    mates = tuple(
        m.id
        for m in table.state.miniatures
        if m.unit == me.unit and m.id != me.id and "removed" not in m.status and barred.isdisjoint(m.role)
    )

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        apart = max(0.0, gap(perturbed.base(query.who), perturbed.base(id_)).mm)
        form = limit_form(perturbed, query.who, id_, PROMOTION_MM)
        return RuleResult(margin_mm=PROMOTION_MM - apart, depends_on_place=(query.who, id_), form=form)

    return RuleResult(
        status="measured",
        value={"by_id": {id_: {"distance_mm": gap(table.base(me.id), table.base(id_)).mm} for id_ in mates}},
        because=(_CREW if crew else _TAKES,),
        depends_on_place=(query.who,),
        members=evaluate_each(table, mates, about),
    )
