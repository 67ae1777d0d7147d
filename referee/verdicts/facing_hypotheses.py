"""Facing hypotheses: a facing may be one of several, and what each of them is answered is combined.

A camera often sees along which line a miniature looks and not which way. Then a question is asked once for each facing
it may have; what all are answered alike holds, and otherwise each is told with its probability.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from models.queries import BaseQuery
from models.unit_conversion import radians
from models.verdict import CAPPED_MM, Answer, Member, Reason, Verdict
from models.vocabulary import Point
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import name_of
from referee.rules.rule_result import FacingUnknown
from referee.uncertainty.probability import answer_between
from referee.uncertainty.stratified_share import YES_FROM

MOST_OPEN = 3  # facings of which each of several ways is tried; with more, they are asked for
_ALIKE_RAD = math.radians(10.0)  # within which two of a block look the same way
_WHOLE = 0.005  # by which probabilities that were rounded may miss one


@dataclass(frozen=True)
class FacingHypothesis:
    """One way that a miniature may look."""

    id: str
    facing_rad: float
    probability: float


@dataclass(frozen=True)
class HypothesisVerdict:
    """What was answered for one way."""

    hypothesis: FacingHypothesis
    verdict: Verdict


def facing_hypotheses(table: ExactTable, id_: str) -> tuple[FacingHypothesis, ...]:
    """The ways that a miniature may look, the likeliest first.

    Their probabilities add up to one, or to less where no facing is told and it may look any other way too.
    """
    miniature = table.miniature(id_)
    total = sum(alternative.probability for alternative in miniature.facing_alternatives)
    scale = 1 / total if total > 1 or (miniature.facing_rad is None and total > 1 - _WHOLE) else 1.0
    ways = [
        FacingHypothesis(id_, radians(alternative.facing_deg), alternative.probability * scale)
        for alternative in miniature.facing_alternatives
    ]
    if miniature.facing_rad is not None and total < 1:
        ways.append(FacingHypothesis(id_, miniature.facing_rad, 1 - total))
    return tuple(
        sorted(ways, key=lambda hypothesis: (-hypothesis.probability, math.remainder(hypothesis.facing_rad, math.tau)))
    )


def with_hypothesis(table: ExactTable, hypothesis: FacingHypothesis) -> ExactTable:
    """The table on which it looks that way, and with it those of its block that may look the same way."""
    turned = table.with_facing(hypothesis.id, hypothesis.facing_rad)
    for mate in _block_mates(table, hypothesis.id) if table.edition.plays_units else ():
        for other in facing_hypotheses(table, mate):
            if abs(math.remainder(other.facing_rad - hypothesis.facing_rad, math.tau)) < _ALIKE_RAD:
                turned = turned.with_facing(mate, other.facing_rad)
    return turned


def ambiguous_facing(table: ExactTable, ids: Sequence[str]) -> str | None:
    """The first of these that is told to look one way and may look another."""
    for id_ in ids:
        miniature = table.miniatures.get(id_)
        if miniature is not None and miniature.facing_alternatives and id_ not in table.facings_rad:
            return id_
    return None


def count_hypotheses(table: ExactTable) -> int:
    """Of how many facings one way is tried: a block's count once."""
    blocks = table.edition.plays_units
    return len({(blocks and table.miniature(id_).unit) or id_ for id_ in table.facings_rad})


def _block_mates(table: ExactTable, id_: str) -> Iterator[str]:
    unit = table.miniature(id_).unit
    for miniature in table.state.miniatures:
        if unit is not None and miniature.unit == unit and miniature.id != id_ and miniature.facing_deg is None:
            yield miniature.id


def combine_over_facings(table: ExactTable, outcomes: Sequence[HypothesisVerdict]) -> Verdict:
    """What is answered where the miniature looks one of these ways, the likeliest first.

    One answer to all of them is given, with their doubt together. Where they differ and none is sure enough, it is too
    close to call, and each is named with its probability.
    """
    if any(outcome.verdict.status != "decided" for outcome in outcomes):
        return _combine_findings(table, outcomes)
    low, high = probability_bounds(
        [(outcome.hypothesis.probability, outcome.verdict.probability) for outcome in outcomes]
    )
    answer = answer_between(low, high)
    weighty = [outcomes[k] for k in likely_indices([outcome.hypothesis for outcome in outcomes])]
    alike = [outcome for outcome in weighty if outcome.verdict.answer is answer]
    if answer is Answer.TOO_CLOSE and len(alike) < len(weighty):
        return _judge_too_close(table, outcomes, low, high)
    nearest = min(alike or weighty, key=_nearness).verdict
    return _replace_fields(
        nearest,
        answer=answer,
        probability=_midpoint_probability(low, high),
        estimate=None,
        members=_members(outcomes) or nearest.members,
    )


def likely_indices(ways: Sequence[FacingHypothesis]) -> Sequence[int]:
    """The places of those of which one may stand for all: none that is most unlikely, if another is not."""
    return [k for k, hypothesis in enumerate(ways) if hypothesis.probability > 1 - YES_FROM] or range(len(ways))


def combine_equal_answers(nearest: Verdict, parts: Sequence[tuple[float, float | None]]) -> Verdict | None:
    """The answer to all ways, that are answered alike; None where they leave too much room for others.

    `parts` are the probability of each way, and what its answer has; the verdict is that of the nearest to turning.
    """
    low, high = probability_bounds(parts)
    answer = answer_between(low, high)
    return (
        None
        if answer is not nearest.answer
        else _replace_fields(nearest, answer=answer, probability=_midpoint_probability(low, high), estimate=None)
    )


def probability_bounds(parts: Sequence[tuple[float, float | None]]) -> tuple[float, float]:
    """The least and the greatest probability, of those of parts and their weights; what is in no part may be all."""
    low = sum(weight * (0.0 if p is None else p) for weight, p in parts)
    high = low + sum(weight for weight, p in parts if p is None) + max(0.0, 1.0 - sum(weight for weight, _ in parts))
    return min(low, 1.0), min(high, 1.0)


def _judge_too_close(table: ExactTable, outcomes: Sequence[HypothesisVerdict], low: float, high: float) -> Verdict:
    """Too close to call, each way named with its probability and what it is answered; the margin is that of a facing
    that is told, and there is none where no facing is."""
    id_ = outcomes[0].hypothesis.id
    told_rad = table.miniature(id_).facing_rad
    margins = next((_margins(outcome.verdict) for outcome in outcomes if outcome.hypothesis.facing_rad == told_rad), {})
    texts = [
        f"to {_format_degrees(each.hypothesis)} ({_format_percent(each.hypothesis)}: {_answer_words(each.verdict)})"
        for each in outcomes
    ]
    return too_close_verdict(
        outcomes[0].verdict,
        probability=_midpoint_probability(low, high),
        because=tuple(reason for outcome in outcomes for reason in _reasons(table, outcome)),
        members=_members(outcomes) or outcomes[0].verdict.members,
        needs=(f"facing_deg of {id_}",),
        advice=f"{_describe_hypotheses(table, outcomes, texts)}, and the answer depends on it: set its facing.",
        **margins,
    )


def _margins(verdict: Verdict) -> dict[str, object]:
    return verdict.model_dump(include={"margin_mm", "margin_deg", "sigma_mm", "sigma_deg", "capped", "at_edge"})


def too_close_verdict(verdict: Verdict, **fields: object) -> Verdict:
    """The same question, too close to call: with no margin, for it would be that of one facing alone."""
    blank = dict.fromkeys(("probability", "estimate", "margin_mm", "margin_deg", "sigma_mm", "sigma_deg"))
    unsure = {"answer": Answer.TOO_CLOSE, "capped": False, "at_edge": False, "flips_under": ()}
    return _replace_fields(verdict, **(blank | unsure | fields))


def _combine_findings(table: ExactTable, outcomes: Sequence[HypothesisVerdict]) -> Verdict:
    """What is found whichever way it looks, or when it looks the likeliest way and that is sure; else what it needs."""
    first = outcomes[0]
    if first.hypothesis.probability >= YES_FROM or all(
        _findings(outcome.verdict) == _findings(first.verdict) for outcome in outcomes
    ):
        return first.verdict
    id_, edition = first.hypothesis.id, first.verdict.edition
    texts = [
        f"to {_format_degrees(outcome.hypothesis)} ({_format_percent(outcome.hypothesis)})" for outcome in outcomes
    ]
    return Verdict(
        kind=first.verdict.kind,
        edition=edition,
        book=first.verdict.book,
        status="unknown",
        because=tuple(reason for outcome in outcomes for reason in _reasons(table, outcome)),
        members=_members(outcomes),
        needs=tuple(
            dict.fromkeys((f"facing_deg of {id_}", *(need for outcome in outcomes for need in outcome.verdict.needs)))
        ),
        advice=f"{_describe_hypotheses(table, outcomes, texts)}, and it matters here: set its facing.",
        state_id=first.verdict.state_id,
        query=first.verdict.query,
    )


def _findings(verdict: Verdict) -> tuple[object, ...]:
    return verdict.status, verdict.answer, verdict.value, verdict.members


def _reasons(table: ExactTable, outcome: HypothesisVerdict) -> Iterator[Reason]:
    """Why it would be answered so, said of this way."""
    facing, share = _format_degrees(outcome.hypothesis), _format_percent(outcome.hypothesis)
    condition = f"If {name_of(table, outcome.hypothesis.id)} looks to {facing} ({share}):"
    for reason in outcome.verdict.because[:1]:
        effect = f"{condition} {_answer_words(outcome.verdict)}. {reason.effect or ''}".rstrip()
        yield Reason(source=reason.source, says=reason.says, effect=effect)
    yield from outcome.verdict.because[1:]


def _members(outcomes: Sequence[HypothesisVerdict]) -> tuple[Member, ...]:
    """Each member with its probability over all ways; nothing where not the same ones are considered."""
    if len({tuple(m.id for m in outcome.verdict.members) for outcome in outcomes}) > 1:
        return ()
    weights = [outcome.hypothesis.probability for outcome in outcomes]
    return tuple(
        member_of(list(zip(weights, each, strict=True)))
        for each in zip(*(outcome.verdict.members for outcome in outcomes), strict=True)
    )


def member_of(parts: Sequence[tuple[float, Member]]) -> Member:
    """One member from what it is found to be in each case, and the probability of that case."""
    low, high = probability_bounds([(weight, member.probability) for weight, member in parts])
    answer = answer_between(low, high)
    alike = all(member.answer is answer for _, member in parts)
    nearest = min((member for _, member in parts), key=lambda member: abs(member.margin_mm or 0.0))
    figures = {"margin_mm": nearest.margin_mm, "sigma_mm": nearest.sigma_mm} if alike else {}
    return Member.model_validate(
        {"id": nearest.id, "answer": answer, "probability": _midpoint_probability(low, high), **figures}
    )


def _nearness(outcome: HypothesisVerdict) -> float:
    """How near to turning its margin is."""
    margins = (outcome.verdict.margin_mm, outcome.verdict.margin_deg)
    return min((abs(margin) for margin in margins if margin is not None), default=CAPPED_MM)


def _midpoint_probability(low: float, high: float) -> float | None:
    """The probability, where it is known to a few hundredths."""
    return round((low + high) / 2, 9) if high - low <= 2 * (1 - YES_FROM) else None


def _replace_fields(verdict: Verdict, **fields: object) -> Verdict:
    return Verdict.model_validate({**verdict.model_dump(), **fields})


def _answer_words(verdict: Verdict) -> str:
    if verdict.answer is not None:
        return verdict.answer.value.replace("-", " ")
    return "found otherwise" if verdict.status == "measured" else "not known"


def _format_degrees(hypothesis: FacingHypothesis) -> str:
    return f"{math.degrees(hypothesis.facing_rad) % 360:.0f}°"


def _format_percent(hypothesis: FacingHypothesis) -> str:
    return f"{100 * hypothesis.probability:.0f} %"


def _describe_hypotheses(table: ExactTable, outcomes: Sequence[HypothesisVerdict], texts: Sequence[str]) -> str:
    """Who may look where, each way in the words that were told of it."""
    rest = 1 - sum(outcome.hypothesis.probability for outcome in outcomes)
    listed = [*texts, f"any other way ({100 * rest:.0f} %)"] if rest > _WHOLE else texts
    return f"{name_of(table, outcomes[0].hypothesis.id)} may look {_join_words(listed)}"


def _join_words(texts: Sequence[str]) -> str:
    return f"{', '.join(texts[:-1])} or {texts[-1]}" if len(texts) > 1 else texts[0]


def facings_to_try(table: ExactTable, query: BaseQuery, id_: str) -> list[float]:
    """Facings in radians: toward and away from everything the question names, and all round."""
    x, y = table.centre(id_)
    others = [_centre(table, name) for _, name in query.names() if name != id_]
    toward = [math.atan2(oy - y, ox - x) for ox, oy in others if (ox, oy) != (x, y)]
    return [*toward, *(a + math.pi for a in toward), *(math.tau * k / 8 for k in range(8))]


def _centre(table: ExactTable, name: str) -> Point:
    if name in table.miniatures:
        return table.centre(name)
    try:
        return table.area(name).parts[0].centre
    except FacingUnknown as needed:  # whichever way a base lies, its centre stays where it is
        return _centre(table.with_facing(needed.id, 0.0), name)
