"""Answered table: hardly off the measured one, and such that the rule finds there what is answered.

A line that just touches a base is closed, and open however little anything stands elsewhere. What is surely answered is
then shown as it is there: the drawing says what the words say.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from models.verdict import Answer
from referee.rules.candidates import is_zero_or_more
from referee.rules.exact_table import ExactTable
from referee.rules.margin_form import Mode
from referee.rules.rule_result import FacingUnknown, RuleResult
from referee.uncertainty.error_modes import modes_of, perturb_along_modes

Ask = Callable[[ExactTable], RuleResult]
_STEPS = (0.5, 1.0)  # sigmas by which one error is tried


def show_as_answered(rule: Ask, table: ExactTable, result: RuleResult, answer: Answer) -> RuleResult:
    """The same result, drawn and explained as on a table hardly off it where the rule finds this answer, if need be."""
    is_met = answer is Answer.YES
    if answer is Answer.TOO_CLOSE or result.contact_probability is not None or is_zero_or_more(result) == is_met:
        return result
    seen = next((nearby for nearby in _results_nearby(rule, table, result) if is_zero_or_more(nearby) == is_met), None)
    if seen is None:
        return result
    return replace(result, witness=seen.witness, blockers=seen.blockers, value=seen.value, because=seen.because)


def _results_nearby(rule: Ask, table: ExactTable, result: RuleResult) -> Iterator[RuleResult]:
    """What is decided with one error moved either way."""
    modes = tuple(modes_of(table.state, tuple(dict.fromkeys((*result.depends_on_place, *result.depends_on_facing)))))
    for steps in _STEPS:
        for j in range(len(modes)):
            for step in (steps, -steps):
                seen = _ask_or_none(rule, table, modes, j, step)
                if seen is not None and seen.status == "decided":
                    yield seen


def _ask_or_none(rule: Ask, table: ExactTable, modes: Sequence[Mode], j: int, step: float) -> RuleResult | None:
    try:
        nearby = perturb_along_modes(table, modes, {j: step}, is_sample=True)
        return rule(replace(nearby, margins_only=table.margins_only))
    except FacingUnknown:
        return None
