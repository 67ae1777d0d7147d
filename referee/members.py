"""The members of a list: what is found of each, and what would have to be told of them."""

from dataclasses import replace

from models.verdict import Answer, Member
from referee.answering import answer_of, probability_of, rounded, within_cap
from referee.doubt import Doubt, doubt_of
from referee.facings import MOST_OPEN, looking, member_of, tried, ways_of
from referee.mattering import snapped
from referee.ruling import Candidate, FacingOpen, FacingUntold, Ruling
from referee.situation import Situation


def member_found(situation: Situation, candidate: Candidate) -> Member:
    """What is found of one candidate, with its own doubt."""
    if candidate.ruling is None:
        return _member_untold(situation, candidate)
    return _member_ruled(situation, candidate, candidate.ruling)


def _member_untold(situation: Situation, candidate: Candidate) -> Member:
    """What is found of one for all the ways that somebody may look, where that is what was not known."""
    try:
        ruling = candidate.rule(situation)
        if ruling.status != "unknown":
            return _member_ruled(situation, candidate, ruling)
    except FacingOpen as untold:
        if tried(situation) < MOST_OPEN:
            ways = ways_of(situation, untold.id)
            return member_of([(w.probability, _member_untold(looking(situation, w), candidate)) for w in ways])
    except FacingUntold:
        pass
    return Member(id=candidate.id, answer=Answer.TOO_CLOSE)


def _member_ruled(situation: Situation, candidate: Candidate, ruling: Ruling) -> Member:
    ruling = snapped(ruling)
    doubt = doubt_of(candidate.rule, situation, ruling)
    probability = probability_of(ruling, doubt)
    margin = None if ruling.margin_mm is None else within_cap(ruling.margin_mm)
    return Member(
        id=candidate.id,
        answer=answer_of(probability),
        probability=rounded(probability),
        margin_mm=rounded(margin),
        sigma_mm=None if margin is None else rounded(0.0 if doubt is None else doubt.sigma_mm),
    )


def needed(ruling: Ruling, members: tuple[Member, ...]) -> tuple[str, ...]:
    """What would have to be told, for a list also about those that nothing can be said of."""
    open_ = [c for c, m in zip(ruling.members, members, strict=True) if c.ruling or m.answer is Answer.TOO_CLOSE]
    of_members = (need for c in open_ for need in c.needs if ruling.status == "measured")
    return tuple(dict.fromkeys((*ruling.needs, *of_members)))


def nearest_to_zero(ruling: Ruling, doubt: Doubt | None, members: tuple[Member, ...]) -> tuple[Ruling, Doubt | None]:
    """A list has the margin of the member that is nearest to changing sides."""
    told = [m for m in members if m.margin_mm is not None]
    if not told:
        return ruling, doubt
    nearest = min(told, key=lambda m: abs(m.margin_mm or 0.0))
    lengths = {} if doubt is None else doubt.lengths_mm
    return replace(ruling, margin_mm=nearest.margin_mm), Doubt(
        0.0, nearest.sigma_mm or 0.0, lengths, nearest.sigma_mm or 0.0
    )
