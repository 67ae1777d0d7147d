"""Conditions: several that must all hold, or of which one is enough."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from pydantic import JsonValue

from models.verdict import CAPPED_MM
from referee.rules.candidates import answer_word, is_zero_or_more
from referee.rules.exact_table import ExactTable
from referee.rules.margin_form import negate_provider
from referee.rules.rule_result import RuleResult
from referee.rules.switches import EXACT_MM, is_margin_met

Item = TypeVar("Item")
RIVAL_MM = 10.0  # what is this far from the one that decides cannot take its place by a measuring error
Clauses = tuple[tuple[str, RuleResult], ...]
Conditions = tuple[tuple[str, Callable[[ExactTable], RuleResult]], ...]


def all_of(clauses: Clauses) -> RuleResult:
    """All of them hold: the least decides. One that surely fails outweighs one that cannot be told."""
    failed = [r for _, r in clauses if r.status == "decided" and not is_zero_or_more(r)]
    unknown = [r for _, r in clauses if r.status == "unknown"]
    if unknown and not failed:
        return _join_clauses(replace(unknown[0], needs=_merge_unique(r.needs for r in unknown)), clauses)
    decided = [r for _, r in clauses if r.status == "decided"]
    least = min(r.decisive_mm for r in decided)
    alike = (
        r for r in decided if r.decisive_mm <= least + EXACT_MM
    )  # what rounding parts is one limit: the strict holds
    return _join_clauses(_use_decisive_margin(min(alike, key=lambda r: (r.zero_is_met, r.decisive_mm))), clauses)


def all_of_as_told(clauses: Clauses) -> RuleResult:
    """`all_of` them, with the least margin that is told, where some are met already a tolerance before it is zero."""
    joined = all_of(clauses)
    margins = [r.margin_mm for _, r in clauses if r.status == "decided" and r.margin_mm is not None]
    if joined.status != "decided" or not margins:
        return joined
    return replace(joined, margin_mm=min(margins), slack_mm=joined.decisive_mm)


def all_of_memoized(table: ExactTable, what: Hashable, conditions: Conditions) -> RuleResult:
    """`all_of` them; a perturbed table is asked only about those that may decide.

    `what` names the question, so that what was found at rest is remembered.
    """

    def find(still: ExactTable) -> Clauses:
        return tuple((name, still.evaluate_memoized((what, name), rule)) for name, rule in conditions)

    results = find(table.unperturbed) if table.places_mm else table.memoize_unperturbed((what, "conditions"), find)
    if not table.perturbations:
        return all_of(results)
    rules = dict(conditions)
    if table.is_sample:  # anything may have leapt
        return all_of(tuple((name, rule(table)) for name, rule in conditions))
    least = min((r.decisive_mm for _, r in results if r.status == "decided"), default=0.0)
    far = least + 3 * RIVAL_MM
    return all_of(
        tuple((n, r if r.status == "decided" and r.decisive_mm > far else rules[n](table)) for n, r in results)
    )


def any_of(results: tuple[RuleResult, ...]) -> RuleResult:
    """One is enough: the largest decides. One that surely holds outweighs one that cannot be told."""
    decided = [r for r in results if r.status == "decided"]
    most = max((r.decisive_mm for r in decided), default=0.0)
    alike = (r for r in decided if r.decisive_mm >= most - EXACT_MM)
    best = max(alike, key=lambda r: (r.zero_is_met, r.decisive_mm), default=None)
    unknown = [r for r in results if r.status == "unknown"]
    if best is None or (unknown and not is_zero_or_more(best)):
        return replace(unknown[0], needs=_merge_unique(r.needs for r in unknown))
    rivals = [r for r in decided if r.decisive_mm > best.decisive_mm - RIVAL_MM]
    return replace(
        best,
        depends_on_place=_merge_unique(r.depends_on_place for r in rivals),
        depends_on_facing=_merge_unique(r.depends_on_facing for r in rivals),
        readings=_merge_unique(r.readings for r in rivals),
        doubtful=_merge_unique(r.doubtful for r in rivals),
        conditions=tuple(decided),
        joined_by="greatest",
        form=None,
        necessary=None,
    )


def negate(result: RuleResult) -> RuleResult:
    """The opposite condition; one that cannot be told stays so."""
    if result.status != "decided":
        return result
    return replace(
        result,
        margin_mm=-result.decisive_mm,
        slack_mm=None,
        zero_is_met=not result.zero_is_met,
        conditions=tuple(negate(condition) for condition in result.conditions),
        joined_by="greatest" if result.joined_by == "least" else "least",
        form=None if result.form is None else negate_provider(result.form),
        necessary=None,
    )


def list_clauses(clauses: Clauses) -> list[JsonValue]:
    """Every condition with its answer and margin, as a verdict's `clauses`."""
    return [{"clause": name, "answer": answer_word(r), "margin_mm": _cap_margin(r.margin_mm)} for name, r in clauses]


def _cap_margin(margin: float | None) -> float | None:
    return None if margin is None else max(-1000.0, min(1000.0, margin))


def _use_decisive_margin(result: RuleResult) -> RuleResult:
    """The same result with the margin that probability is taken of."""
    return replace(result, margin_mm=result.decisive_mm, slack_mm=None)


def _join_clauses(least: RuleResult, clauses: Clauses) -> RuleResult:
    results = [r for _, r in clauses]
    rivals = [r for r in results if r is least or r.decisive_mm < least.decisive_mm + RIVAL_MM]
    return replace(
        least,
        value={"clauses": list_clauses(clauses)},
        lengths_mm={},
        because=least.because,
        readings=_merge_unique(r.readings for r in results),
        doubtful=_merge_unique(r.doubtful for r in results),
        depends_on_place=_merge_unique((least.depends_on_place, *(r.depends_on_place for r in rivals))),
        depends_on_facing=_merge_unique((least.depends_on_facing, *(r.depends_on_facing for r in rivals))),
        conditions=tuple(r for r in results if r.status == "decided"),
        joined_by="least",
        form=None,
    )


def _merge_unique(lists: Iterable[tuple[Item, ...]]) -> tuple[Item, ...]:
    return tuple(dict.fromkeys(item for some in lists for item in some))


def certain_mm(holds: bool) -> float:
    """The margin of a condition that no measuring changes."""
    return CAPPED_MM if holds else -CAPPED_MM


def list_margins(clauses: Mapping[str, float], *, zero_is_met: bool = True) -> list[JsonValue]:
    """The conditions of a "may I", each with its own answer and margin, as a verdict lists them."""
    return [
        {"clause": name, "answer": "yes" if is_margin_met(mm, zero_is_met=zero_is_met) else "no", "margin_mm": mm}
        for name, mm in clauses.items()
    ]
