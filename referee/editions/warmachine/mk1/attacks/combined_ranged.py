"""Combined ranged attack: cover from any of those who shoot counts against all."""

from dataclasses import replace

from pydantic import JsonValue

from models.queries import CombinedRanged, Cover
from referee.editions.warmachine.mk1.attacks.spray_hits import exclude_candidate
from referee.editions.warmachine.mk1.parameters import because
from referee.editions.warmachine.mk1_and_mk2.attacks import combined_ranged as shared
from referee.rules.candidates import is_met
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import Candidate, RuleResult

_SHARED = because("Combined Ranged Attacks, Prime p. 49", "Cover from any of those who shoot counts against all.")


def combined_ranged(table: ExactTable, query: CombinedRanged) -> RuleResult:
    """Combined ranged attack: who counts in a combined shot; any shooter's cover counts.

    Source: Combined Ranged Attacks, Prime p. 49.
    """
    result = shared.combined_ranged(table, query)
    others = {id_ for id_ in query.participants if not _has_same_charge(table, query.primary, id_)}
    if others:
        query = query.model_copy(update={"participants": tuple(p for p in query.participants if p not in others)})
        result = _leave_out(shared.combined_ranged(table, query), others)
    by_id = result.value.get("by_id")
    if not isinstance(by_id, dict) or table.reading("cover-by-helper") != "counts":
        return result
    parts = {"adds", "spent"}
    joined = [id_ for id_, told in by_id.items() if isinstance(told, dict) and told.get("part") in parts]
    covered = [
        id_
        for id_ in joined
        if is_met(table.evaluate_query(Cover(attacker=id_, target=query.target)), "has cover from")
    ]
    return replace(result, value=result.value | {"cover_from": [*covered]}, because=(*result.because, _SHARED))


def _has_same_charge(table: ExactTable, primary: str, id_: str) -> bool:
    """Whether both charged the same model, or neither charged. Source: Q/A on combined shots in an assault."""
    one, other = (table.miniature(i).this_turn.charged for i in (primary, id_))
    return one == other


def _leave_out(result: RuleResult, others: set[str]) -> RuleResult:
    """The same shot, with those who take no part in it. Source: Q/A on combined shots in an assault."""
    by_id = result.value.get("by_id")
    told: dict[str, JsonValue] = {id_: {"part": "may-not", "why": "charged-another"} for id_ in sorted(others)}
    members = tuple(exclude_candidate(Candidate(id_, None, lambda _: result)) for id_ in sorted(others))
    value = result.value | {"by_id": (by_id if isinstance(by_id, dict) else {}) | told}
    return replace(result, value=value, members=(*result.members, *members))
