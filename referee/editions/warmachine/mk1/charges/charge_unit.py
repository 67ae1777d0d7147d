"""Charge of a unit: whether all of it end in formation."""

from models.queries import ChargeUnit, Formation
from models.unit import Unit
from models.verdict import CAPPED_MM
from referee.editions.warmachine.mk1.parameters import because
from referee.editions.warmachine.movement.path import path_of
from referee.rules.conditions import all_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, with_effect
from referee.rules.rule_result import Candidate, RuleResult

_CHARGE = because("Charging, Prime p. 35", "Each trooper runs or charges, and ends in formation.")


def charge_unit(table: ExactTable, query: ChargeUnit) -> RuleResult:
    """Charge of a unit: whether all of a unit that was ordered to charge end in formation.

    Source: Charging, Prime p. 35.
    """
    unit = table.state.by_id[query.unit]
    assert isinstance(unit, Unit)
    for move in query.moves or ():
        table = table.with_end(move.mover, (path_of(table, move.mover, move.path_mm) or move.path_mm)[-1])
    formed = table.evaluate_query(Formation(unit=query.unit))
    if formed.status != "measured":
        return formed
    members = tuple(one if query.moves else _candidate_of(table, one) for one in formed.members)
    margins = {one.id: one.result.margin_mm for one in members if one.result is not None}
    worst = min(margins, key=lambda id_: margins[id_] or 0.0, default=None)
    each = tuple((one.id, one.result) for one in members if one.result is not None)
    joined = all_of(each) if each else RuleResult()
    return RuleResult(
        margin_mm=CAPPED_MM if worst is None else margins[worst],
        value={"by_id": {id_: {"moved": _movement_word(table, id_)} for id_ in margins}},
        members=members,
        because=(with_effect(table, _CHARGE, _describe_worst(worst, margins)),),
        readings=("charge-order", "unit-spacing"),
        depends_on_place=tuple(dict.fromkeys((*(() if worst is None else (worst,)), *joined.depends_on_place))),
        conditions=joined.conditions,
    )


def _describe_worst(worst: str | None, margins: dict[str, float | None]) -> str:
    """Who comes nearest to ending out of formation."""
    if worst is None:
        return "Nobody is there."
    margin = margins[worst] or 0.0
    return (
        f"{worst} ends in formation by {format_length(margin)}."
        if margin >= 0
        else f"{worst} lacks {format_length(-margin)}."
    )


def _candidate_of(table: ExactTable, one: Candidate) -> Candidate:
    """In formation at the end, and having run or charged."""
    if one.result is None or _movement_word(table, one.id) != "neither":
        return one
    missed = RuleResult(margin_mm=-CAPPED_MM, depends_on_place=(one.id,))
    return Candidate(one.id, missed, lambda _: missed)


def _movement_word(table: ExactTable, id_: str) -> str:
    moved = table.miniature(id_).this_turn.moved
    return "charge" if "charge" in moved else "run" if "run" in moved else "neither" if moved else "not-yet"
