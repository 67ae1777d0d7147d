"""From a margin and its doubt to an answer."""

from models.verdict import CAPPED_MM, Answer
from referee.doubt import YES_FROM, Doubt
from referee.ruling import Ruling


def probability_of(ruling: Ruling, doubt: Doubt | None) -> float:
    if ruling.contact is not None:
        return ruling.contact
    if doubt is not None:
        return doubt.probability
    margin = ruling.decisive_mm
    return float(margin > 0 or (margin == 0 and ruling.zero_is_met))


def answer_of(probability: float) -> Answer:
    return answer_between(probability, probability)


def answer_between(low: float, high: float) -> Answer:
    """The answer where the probability is no less than the one and no more than the other."""
    if low >= YES_FROM:
        return Answer.YES
    return Answer.NO if high <= 1 - YES_FROM else Answer.TOO_CLOSE


def within_cap(margin: float) -> float:
    return max(-CAPPED_MM, min(CAPPED_MM, margin))


def rounded(value: float | None) -> float | None:
    """To a millionth of a micrometre: the same bytes from the same table on every machine."""
    return None if value is None else round(value, 9) + 0.0
