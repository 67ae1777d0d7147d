"""Rule trace: a rule whose results bear the switches that they hang on."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult
from referee.rules.switches import Switch, record_switches, replay

Ask = Callable[[ExactTable], RuleResult]


def traced(rule: Ask) -> Ask:
    """The same rule, whose results bear the switches they hang on."""

    def ask(table: ExactTable) -> RuleResult:
        with record_switches() as trace:
            result = rule(table)
        replay(trace)
        return replace(result, switches=nearest_of_each(trace))

    return ask


def nearest_of_each(trace: Sequence[Switch]) -> tuple[Switch, ...]:
    """Of each switch the time it came nearest to its threshold."""
    found: dict[object, Switch] = {}
    for one in trace:
        known = found.get(one.key)
        if known is None or abs(one.margin) < abs(known.margin):
            found[one.key] = one
    return tuple(found.values())
