"""List members: what is found of each, and what would have to be told of them."""

from dataclasses import replace

from models.verdict import Answer, Member
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import Candidate, FacingAmbiguous, FacingUnknown, RuleResult
from referee.uncertainty.probability import (
    Uncertainty,
    cap_margin,
    decide,
    probability_of,
    round_value,
    uncertainty_of_result,
)
from referee.uncertainty.stratified_share import Share
from referee.verdicts.facing_hypotheses import (
    MOST_OPEN,
    count_hypotheses,
    facing_hypotheses,
    member_of,
    with_hypothesis,
)
from referee.verdicts.house_rule_flips import snap_to_threshold


def evaluate_member(table: ExactTable, candidate: Candidate) -> Member:
    """What is found of one candidate, with its own doubt."""
    if candidate.result is None:
        return _evaluate_unknown(table, candidate)
    return _judge_member(table, candidate, candidate.result)


def _evaluate_unknown(table: ExactTable, candidate: Candidate) -> Member:
    """What is found of one for all the ways that somebody may look, where that is what was not known."""
    try:
        result = candidate.rule(table)
        return Member(id=candidate.id) if result.status == "unknown" else _judge_member(table, candidate, result)
    except FacingAmbiguous as untold:
        if count_hypotheses(table) < MOST_OPEN:
            ways = facing_hypotheses(table, untold.id)
            return member_of([(w.probability, _evaluate_unknown(with_hypothesis(table, w), candidate)) for w in ways])
    except FacingUnknown:
        pass
    return Member(id=candidate.id, answer=Answer.TOO_CLOSE)


def _judge_member(table: ExactTable, candidate: Candidate, result: RuleResult) -> Member:
    result = snap_to_threshold(result)
    uncertainty = uncertainty_of_result(candidate.rule, table, result)
    probability = probability_of(result, uncertainty)
    margin = None if result.margin_mm is None else cap_margin(result.margin_mm)
    return Member(
        id=candidate.id,
        answer=decide(probability, uncertainty, result),
        probability=round_value(probability),
        margin_mm=round_value(margin),
        sigma_mm=None if margin is None else round_value(0.0 if uncertainty is None else uncertainty.sigma_mm),
    )


def required_facts(result: RuleResult, members: tuple[Member, ...]) -> tuple[str, ...]:
    """What would have to be told, for a list also about those that nothing can be said of."""
    unsure = (Answer.TOO_CLOSE, None)
    open_ = [c for c, m in zip(result.members, members, strict=True) if c.result or m.answer in unsure]
    of_members = (need for c in open_ for need in c.needs if result.status == "measured")
    return tuple(dict.fromkeys((*result.needs, *of_members)))


def nearest_to_zero(
    result: RuleResult, uncertainty: Uncertainty | None, members: tuple[Member, ...]
) -> tuple[RuleResult, Uncertainty | None]:
    """A list has the margin of the member that is nearest to changing sides."""
    measured = [m for m in members if m.margin_mm is not None]
    if not measured:
        return result, uncertainty
    nearest = min(measured, key=lambda m: abs(m.margin_mm or 0.0))
    lengths = {} if uncertainty is None else uncertainty.lengths_mm
    return replace(result, margin_mm=nearest.margin_mm), Uncertainty(
        Share.at(0.0), nearest.sigma_mm or 0.0, lengths, nearest.sigma_mm or 0.0
    )
