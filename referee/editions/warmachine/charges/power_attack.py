"""Power attack: how the conditions of one and its reach join into an answer."""

from dataclasses import replace

from models.queries import PowerAttack
from models.verdict import Reason
from referee.editions.warmachine.miniatures.base_state import size_mm
from referee.rules.candidates import is_zero_or_more
from referee.rules.conditions import Clauses, all_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult


def join_power_attack(
    table: ExactTable, query: PowerAttack, clauses: Clauses, reach: RuleResult, larger_base: Reason
) -> RuleResult:
    """The margin is that of the reach where all else holds; a slam at a larger base suffers 2 on its roll."""
    result = all_of((*clauses, ("reach", reach)))
    failed = [r for _, r in clauses if r.status != "decided" or not is_zero_or_more(r)]
    mine, theirs = (size_mm(table.miniature(id_)) for id_ in (query.attacker, query.target))
    larger = query.attack == "slam" and theirs > mine
    return replace(
        result,
        margin_mm=result.margin_mm if failed or reach.status != "decided" else reach.decisive_mm,
        value={**result.value, "bonus": -2 if larger else 0, "bonus_to": "attack"},
        witness=reach.witness,
        because=(*result.because, *((larger_base,) if larger else ())),
    )
