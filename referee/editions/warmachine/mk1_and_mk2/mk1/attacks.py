"""Attacks: legal targets, combined shots, sprays and aiming, as the first edition has them."""

from dataclasses import replace

from models.queries import Aim, CombinedRanged, Cover, Los, SprayHits, TargetLegal
from models.verdict import CAPPED_MM
from referee.editions.warmachine.mk1_and_mk2 import attacks
from referee.editions.warmachine.mk1_and_mk2.mk1.citations import because
from referee.rules.candidates import is_met, traced
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import Candidate, RuleResult, Value

_SHARED = because("Combined Ranged Attacks, Prime p. 49", "Cover from any of those who shoot counts against all.")
_SPRAY = because("Spray Attacks, Prime p. 48", "Only terrain keeps one under the template from being hit.")
_FIXED = because("Movement, Prime p. 34", "Who cannot move gives nothing up by standing still, and does not aim.")


def target_legal(table: ExactTable, query: TargetLegal) -> RuleResult:
    """Legal target: whether that may be attacked; of a blow also how wide its line is.

    Source: Q/A: attack another model in melee; Prime p. 46.
    """
    result = attacks.target_legal(table, query)
    clauses = result.value.get("clauses")
    if query.attack != "melee" or table.margins_only or not isinstance(clauses, list):
        return result
    lines = (c["margin_mm"] for c in clauses if isinstance(c, dict) and c["clause"] == "free-line")
    width = next((mm for mm in lines if isinstance(mm, float)), None)
    return replace(result, value=result.value | {"free_mm": None if width is None else max(0.0, 2 * width)})


def combined_ranged(table: ExactTable, query: CombinedRanged) -> RuleResult:
    """Combined ranged attack: who counts in a combined shot; any shooter's cover counts.

    Source: Combined Ranged Attacks, Prime p. 49.
    """
    result = attacks.combined_ranged(table, query)
    others = {id_ for id_ in query.participants if not _has_same_charge(table, query.primary, id_)}
    if others:
        query = query.model_copy(update={"participants": tuple(p for p in query.participants if p not in others)})
        result = _leave_out(attacks.combined_ranged(table, query), others)
    by_id = result.value.get("by_id")
    if not isinstance(by_id, dict) or table.reading("cover-by-helper") != "counts":
        return result
    parts = {"adds", "spent"}
    joined = [id_ for id_, entry in by_id.items() if isinstance(entry, dict) and entry.get("part") in parts]
    covered = [
        id_
        for id_ in joined
        if is_met(table.evaluate_query(Cover(attacker=id_, target=query.target)), "has cover from")
    ]
    return replace(result, value=result.value | {"cover_from": [*covered]}, because=(*result.because, _SHARED))


def _has_same_charge(table: ExactTable, primary: str, id_: str) -> bool:
    """Whether both charged the same model, or neither charged. Source: Q/A on combined shots in an assault."""
    mine, theirs = (table.miniature(i).this_turn.charged for i in (primary, id_))
    return mine == theirs


def _leave_out(result: RuleResult, others: set[str]) -> RuleResult:
    """The same shot, with those who take no part in it. Source: Q/A on combined shots in an assault."""
    by_id = result.value.get("by_id")
    excluded: Value = {id_: {"part": "may-not", "why": "charged-another"} for id_ in sorted(others)}
    members = tuple(exclude_candidate(Candidate(id_, None, lambda _: result)) for id_ in sorted(others))
    value = result.value | {"by_id": (by_id if isinstance(by_id, dict) else {}) | excluded}
    return replace(result, value=value, members=(*result.members, *members))


def spray_hits(table: ExactTable, query: SprayHits) -> RuleResult:
    """Spray: whom a spray hits: not those whom terrain hides. Source: Spray Attacks, Prime p. 48."""
    result = attacks.spray_hits(table, query)
    others = tuple(table.miniatures)
    members = tuple(_unless_hidden(table, query.attacker, candidate, others) for candidate in result.members)
    return replace(result, members=members, because=(*result.because[:3], _SPRAY))


def _unless_hidden(table: ExactTable, attacker: str, candidate: Candidate, others: tuple[str, ...]) -> Candidate:
    """The same one, whom nothing hits where terrain hides it."""

    @traced
    def rule(asked: ExactTable) -> RuleResult:
        sight = asked.evaluate_query(Los(viewer=attacker, target=candidate.id, ignoring=others))
        if is_met(sight, "is not hidden by terrain from"):
            return candidate.rule(asked)
        return RuleResult(margin_mm=-CAPPED_MM, depends_on_place=(candidate.id,))

    sight = table.evaluate_query(Los(viewer=attacker, target=candidate.id, ignoring=others))
    hidden = not is_met(sight, "is not hidden by terrain from")
    return Candidate(
        candidate.id, rule(table) if hidden or candidate.result is not None else None, rule, candidate.needs
    )


def exclude_candidate(candidate: Candidate) -> Candidate:
    def rule(_: ExactTable) -> RuleResult:
        return RuleResult(margin_mm=-CAPPED_MM, depends_on_place=(candidate.id,))

    return Candidate(candidate.id, RuleResult(margin_mm=-CAPPED_MM, depends_on_place=(candidate.id,)), rule)


def aim(table: ExactTable, query: Aim) -> RuleResult:
    """Aim: whether it aims: it could move, and changed neither place nor facing. Source: Aiming, Remix p. 45."""
    me, result = table.miniature(query.who), attacks.aim(table, query)
    fixed = "movement-barred" in me.status or (me.lock is not None and me.lock.partner in table.miniatures)
    if not fixed or result.status != "decided":
        return result
    return replace(
        result, margin_mm=-CAPPED_MM, slack_mm=None, conditions=(), value=result.value | {"bonus": 0}, because=(_FIXED,)
    )
