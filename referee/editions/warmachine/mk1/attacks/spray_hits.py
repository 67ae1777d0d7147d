"""Spray: only terrain keeps one under the template from being hit."""

from dataclasses import replace

from models.queries import Los, SprayHits
from models.verdict import CAPPED_MM
from referee.editions.warmachine.mk1.parameters import because
from referee.editions.warmachine.mk1_and_mk2.attacks import spray_hits as shared
from referee.rules.candidates import is_met
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import Candidate, RuleResult
from referee.rules.rule_trace import traced

_SPRAY = because("Spray Attacks, Prime p. 48", "Only terrain keeps one under the template from being hit.")


def spray_hits(table: ExactTable, query: SprayHits) -> RuleResult:
    """Spray: whom a spray hits: not those whom terrain hides. Source: Spray Attacks, Prime p. 48."""
    result = shared.spray_hits(table, query)
    others = tuple(table.miniatures)
    members = tuple(_unless_hidden(table, query.attacker, one, others) for one in result.members)
    return replace(result, members=members, because=(*result.because[:3], _SPRAY))


def _unless_hidden(table: ExactTable, attacker: str, one: Candidate, others: tuple[str, ...]) -> Candidate:
    """The same one, whom nothing hits where terrain hides it."""

    @traced
    def rule(asked: ExactTable) -> RuleResult:
        sight = asked.evaluate_query(Los(viewer=attacker, target=one.id, ignoring=others))
        if is_met(sight, "is not hidden by terrain from"):
            return one.rule(asked)
        return RuleResult(margin_mm=-CAPPED_MM, depends_on_place=(one.id,))

    sight = table.evaluate_query(Los(viewer=attacker, target=one.id, ignoring=others))
    hidden = not is_met(sight, "is not hidden by terrain from")
    return Candidate(one.id, rule(table) if hidden or one.result is not None else None, rule, one.needs)


def exclude_candidate(one: Candidate) -> Candidate:
    def rule(_: ExactTable) -> RuleResult:
        return RuleResult(margin_mm=-CAPPED_MM, depends_on_place=(one.id,))

    return Candidate(one.id, RuleResult(margin_mm=-CAPPED_MM, depends_on_place=(one.id,)), rule)
