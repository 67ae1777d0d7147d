"""House-rule flips: the house rules under whose other readings something else would have been found."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import replace

from pydantic import JsonValue

from models.house_rules import HOUSE_RULES
from models.verdict import Reason
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import FacingUnknown, RuleResult
from referee.rules.size_classes import HOUSE_RULE as SIZE_HOUSE_RULE

EDGE_MM = 1e-6  # a margin smaller than this is exactly zero: what is left is rounding
Others = tuple[
    tuple[str, str, ExactTable, RuleResult], ...
]  # house rule, other reading, the table under it, its result


def evaluate_readings(
    rule: Callable[[ExactTable], RuleResult], table: ExactTable, keys: Iterable[str], *, in_full: Container[str] = ()
) -> Iterator[tuple[str, str, ExactTable, RuleResult]]:
    """What would be ruled under the other readings of these house rules; more than margins of those `in_full`."""
    for key in keys:
        if key in table.edition.settled_readings:
            continue
        for reading in HOUSE_RULES[key].readings:
            if reading != table.reading(key):
                other = table.with_reading(key, reading, margins_only=key not in in_full)
                yield key, reading, other, snap_to_threshold(rule(other))


def evaluate_unnamed(
    rule: Callable[[ExactTable], RuleResult], table: ExactTable, result: RuleResult, consulted: Iterable[str],
    others: Others,
) -> Others:  # fmt: skip
    """What else would be ruled under readings that the rule consulted and did not name as in doubt."""

    def ask(other: ExactTable) -> RuleResult:
        try:
            return rule(other)
        except FacingUnknown:  # of somebody on whom the reading in force does not hang
            return RuleResult(status="unknown")

    named = {key for key, *_ in others}
    unnamed = evaluate_readings(ask, table, (key for key in consulted if key not in named))
    return tuple(other for other in unnamed if not is_decided_alike(other[3], result))


def deciding_house_rules(table: ExactTable, result: RuleResult, others: Others) -> dict[str, str]:
    """The house rules in force under whose other readings something else would have been found."""
    mine = snap_to_threshold(result)
    keys = [key for key, _, _, other in others if _is_different(mine, other, in_full=key in result.outcome_house_rules)]
    return {key: table.reading(key) for key in dict.fromkeys((*keys, *result.deciding_house_rules))}


def explain_odd_sizes(table: ExactTable, result: RuleResult, house_rules: Mapping[str, str]) -> tuple[Reason, ...]:
    """Which size each base of no size of the book counts as, where another would change what is found."""
    classes = table.edition.size_classes
    if classes is None or SIZE_HOUSE_RULE not in house_rules:
        return ()
    touched = {*result.depends_on_place, *result.blockers}
    odd = [m for m in table.odd_sizes if m.id in touched] or table.odd_sizes
    return tuple(classes.explain(m, house_rules[SIZE_HOUSE_RULE]) for m in odd)


def _is_different(result: RuleResult, other: RuleResult, *, in_full: bool) -> bool:
    """Whether something else was found; in full, also where only what is told besides the margin is another."""
    if _finding(result) != _finding(other):
        return True
    return in_full and (_drop_clause_margins(result.value), _member_ids(result)) != (
        _drop_clause_margins(other.value),
        _member_ids(other),
    )


def _drop_clause_margins(value: JsonValue | dict[str, JsonValue]) -> JsonValue:
    """What is told, but for the margins of clauses: by how much one holds that decides nothing is no finding."""
    if isinstance(value, dict):
        return {k: _drop_clause_margins(v) for k, v in value.items() if k != "margin_mm" or "clause" not in value}
    return [_drop_clause_margins(v) for v in value] if isinstance(value, list) else value


def _member_ids(result: RuleResult) -> list[str]:
    return sorted(c.id for c in result.members)


def uncertain_house_rules(result: RuleResult) -> tuple[str, ...]:
    """The house rules that might change what is found of it, or of a member of a list."""
    of_members = (c.result.doubtful for c in result.members if c.result is not None)
    more = () if result.status == "decided" else (key for keys in of_members for key in keys)
    return tuple(dict.fromkeys((*result.doubtful, *result.outcome_house_rules, *more)))


def _finding(result: RuleResult) -> tuple[object, ...]:
    """What tells one result from another: the margin where one decides and what goes with it, else all that is told."""
    if result.status == "decided":
        met = result.zero_is_met or result.decisive_mm != 0
        return result.status, round(result.decisive_mm, 6), met, result.outcomes
    members = [(c.id, None if c.result is None else _finding(c.result)) for c in result.members]
    return result.status, result.value, members


def snap_to_threshold(result: RuleResult) -> RuleResult:
    """The same result, rounding dust at the threshold swept to exactly zero."""
    margin = result.margin_mm
    slack = result.slack_mm
    if margin is not None and abs(margin) < EDGE_MM:
        result = replace(result, margin_mm=0.0)
    return replace(result, slack_mm=0.0) if slack is not None and abs(slack) < EDGE_MM else result


def is_decided_alike(result: RuleResult, other: RuleResult) -> bool:
    """Whether two results are decided by the same, as far off."""
    return all(
        getattr(result, what) == getattr(other, what)
        for what in ("status", "decisive_mm", "margin_mm", "zero_is_met", "depends_on_place", "depends_on_facing")
    )
