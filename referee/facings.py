"""Facings that may be one of several: what each of them is answered, and what that says together.

A camera often sees along which line a miniature looks and not which way. Then a question is asked once for each facing
it may have; what all are answered alike holds, and otherwise each is told with its probability.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from models.units import radians
from models.verdict import CAPPED_MM, Answer, Member, Reason, Verdict
from referee.answering import answer_between
from referee.doubt import YES_FROM
from referee.situation import Situation
from referee.telling import name_of

MOST_OPEN = 3  # facings of which each of several ways is tried; with more, they are asked for
_ALIKE_RAD = math.radians(10.0)  # within which two of a block look the same way
_WHOLE = 0.005  # by which probabilities that were rounded may miss one


@dataclass(frozen=True)
class Way:
    """One way that a miniature may look."""

    id: str
    facing_rad: float
    probability: float


@dataclass(frozen=True)
class Looked:
    """What was answered for one way."""

    way: Way
    verdict: Verdict


def ways_of(situation: Situation, id_: str) -> tuple[Way, ...]:
    """The ways that a miniature may look, the likeliest first.

    Their probabilities add up to one, or to less where no facing is told and it may look any other way too.
    """
    miniature = situation.miniature(id_)
    total = sum(one.probability for one in miniature.facing_alternatives)
    scale = 1 / total if total > 1 or (miniature.facing_rad is None and total > 1 - _WHOLE) else 1.0
    ways = [Way(id_, radians(one.facing_deg), one.probability * scale) for one in miniature.facing_alternatives]
    if miniature.facing_rad is not None and total < 1:
        ways.append(Way(id_, miniature.facing_rad, 1 - total))
    return tuple(sorted(ways, key=lambda way: (-way.probability, math.remainder(way.facing_rad, math.tau))))


def looking(situation: Situation, way: Way) -> Situation:
    """The table on which it looks that way, and with it those of its block that may look the same way."""
    turned = situation.facing(way.id, way.facing_rad)
    for mate in _mates(situation, way.id) if situation.book.plays_units else ():
        for other in ways_of(situation, mate):
            if abs(math.remainder(other.facing_rad - way.facing_rad, math.tau)) < _ALIKE_RAD:
                turned = turned.facing(mate, other.facing_rad)
    return turned


def open_facing(situation: Situation, ids: Sequence[str]) -> str | None:
    """The first of these that is told to look one way and may look another."""
    for id_ in ids:
        one = situation.miniatures.get(id_)
        if one is not None and one.facing_alternatives and id_ not in situation.facings_rad:
            return id_
    return None


def tried(situation: Situation) -> int:
    """Of how many facings one way is tried: a block's count once."""
    blocks = situation.book.plays_units
    return len({(blocks and situation.miniature(id_).unit) or id_ for id_ in situation.facings_rad})


def _mates(situation: Situation, id_: str) -> Iterator[str]:
    unit = situation.miniature(id_).unit
    for one in situation.state.miniatures:
        if unit is not None and one.unit == unit and one.id != id_ and one.facing_deg is None:
            yield one.id


def answered_together(situation: Situation, found: Sequence[Looked]) -> Verdict:
    """What is answered where the miniature looks one of these ways, the likeliest first.

    One answer to all of them is given, with their doubt together. Where they differ and none is sure enough, it is too
    close to call, and each is named with its probability.
    """
    if any(one.verdict.status != "decided" for one in found):
        return _told_together(situation, found)
    low, high = probability_between([(one.way.probability, one.verdict.probability) for one in found])
    answer = answer_between(low, high)
    weighty = [found[k] for k in likely([one.way for one in found])]
    alike = [one for one in weighty if one.verdict.answer is answer]
    if answer is Answer.TOO_CLOSE and len(alike) < len(weighty):
        return _depending(situation, found, low, high)
    nearest = min(alike or weighty, key=_nearness).verdict
    return _changed(nearest, answer=answer, probability=_between(low, high), members=_members(found) or nearest.members)


def likely(ways: Sequence[Way]) -> Sequence[int]:
    """The places of those of which one may stand for all: none that is most unlikely, if another is not."""
    return [k for k, way in enumerate(ways) if way.probability > 1 - YES_FROM] or range(len(ways))


def held_together(nearest: Verdict, parts: Sequence[tuple[float, float | None]]) -> Verdict | None:
    """The answer to all ways, that are answered alike; None where they leave too much room for others.

    `parts` are the probability of each way, and what its answer has; the verdict is that of the nearest to turning.
    """
    low, high = probability_between(parts)
    answer = answer_between(low, high)
    return None if answer is not nearest.answer else _changed(nearest, answer=answer, probability=_between(low, high))


def probability_between(parts: Sequence[tuple[float, float | None]]) -> tuple[float, float]:
    """The least and the greatest probability, of those of parts and their weights; what is in no part may be all."""
    low = sum(weight * (0.0 if p is None else p) for weight, p in parts)
    high = low + sum(weight for weight, p in parts if p is None) + max(0.0, 1.0 - sum(weight for weight, _ in parts))
    return min(low, 1.0), min(high, 1.0)


def _depending(situation: Situation, found: Sequence[Looked], low: float, high: float) -> Verdict:
    """Too close to call, each way named with its probability and what it is answered; the margin is that of a facing
    that is told, and there is none where no facing is."""
    id_ = found[0].way.id
    told_rad = situation.miniature(id_).facing_rad
    margins = next((_margins(one.verdict) for one in found if one.way.facing_rad == told_rad), {})
    told = [f"to {_degrees(one.way)} ({_percent(one.way)}: {_word(one.verdict)})" for one in found]
    return undecidable(
        found[0].verdict,
        probability=_between(low, high),
        because=tuple(reason for one in found for reason in _reasons(situation, one)),
        members=_members(found) or found[0].verdict.members,
        needs=(f"facing_deg of {id_}",),
        advice=f"{_may_look(situation, found, told)}, and the answer depends on it: set its facing.",
        **margins,
    )


def _margins(verdict: Verdict) -> dict[str, object]:
    return verdict.model_dump(include={"margin_mm", "margin_deg", "sigma_mm", "sigma_deg", "capped", "at_edge"})


def undecidable(verdict: Verdict, **told: object) -> Verdict:
    """The same question, too close to call: with no margin, for it would be that of one facing alone."""
    blank = dict.fromkeys(("probability", "margin_mm", "margin_deg", "sigma_mm", "sigma_deg"))
    unsure = {"answer": Answer.TOO_CLOSE, "capped": False, "at_edge": False, "flips_under": ()}
    return _changed(verdict, **(blank | unsure | told))


def _told_together(situation: Situation, found: Sequence[Looked]) -> Verdict:
    """What is found whichever way it looks, or when it looks the likeliest way and that is sure; else what it needs."""
    first = found[0]
    if first.way.probability >= YES_FROM or all(_findings(one.verdict) == _findings(first.verdict) for one in found):
        return first.verdict
    id_, edition = first.way.id, first.verdict.edition
    told = [f"to {_degrees(one.way)} ({_percent(one.way)})" for one in found]
    return Verdict(
        kind=first.verdict.kind,
        edition=edition,
        status="unknown",
        because=tuple(reason for one in found for reason in _reasons(situation, one)),
        members=_members(found),
        needs=tuple(dict.fromkeys((f"facing_deg of {id_}", *(need for one in found for need in one.verdict.needs)))),
        advice=f"{_may_look(situation, found, told)}, and it matters here: set its facing.",
        state_id=first.verdict.state_id,
        query=first.verdict.query,
    )


def _findings(verdict: Verdict) -> tuple[object, ...]:
    return verdict.status, verdict.answer, verdict.value, verdict.members


def _reasons(situation: Situation, one: Looked) -> Iterator[Reason]:
    """Why it would be answered so, said of this way."""
    who = f"If {name_of(situation, one.way.id)} looks to {_degrees(one.way)} ({_percent(one.way)}):"
    for reason in one.verdict.because[:1]:
        effect = f"{who} {_word(one.verdict)}. {reason.effect or ''}".rstrip()
        yield Reason(source=reason.source, says=reason.says, effect=effect)
    yield from one.verdict.because[1:]


def _members(found: Sequence[Looked]) -> tuple[Member, ...]:
    """Each member with its probability over all ways; nothing where not the same ones are considered."""
    if len({tuple(m.id for m in one.verdict.members) for one in found}) > 1:
        return ()
    weights = [one.way.probability for one in found]
    return tuple(
        member_of(list(zip(weights, each, strict=True)))
        for each in zip(*(one.verdict.members for one in found), strict=True)
    )


def member_of(parts: Sequence[tuple[float, Member]]) -> Member:
    """One member from what it is found to be in each case, and the probability of that case."""
    low, high = probability_between([(weight, one.probability) for weight, one in parts])
    answer = answer_between(low, high)
    alike = all(one.answer is answer for _, one in parts)
    nearest = min((one for _, one in parts), key=lambda one: abs(one.margin_mm or 0.0))
    told = {"margin_mm": nearest.margin_mm, "sigma_mm": nearest.sigma_mm} if alike else {}
    return Member.model_validate({"id": nearest.id, "answer": answer, "probability": _between(low, high), **told})


def _nearness(one: Looked) -> float:
    """How near to turning its margin is."""
    margins = (one.verdict.margin_mm, one.verdict.margin_deg)
    return min((abs(margin) for margin in margins if margin is not None), default=CAPPED_MM)


def _between(low: float, high: float) -> float | None:
    """The probability, where it is known to a few hundredths."""
    return round((low + high) / 2, 9) if high - low <= 2 * (1 - YES_FROM) else None


def _changed(verdict: Verdict, **told: object) -> Verdict:
    return Verdict.model_validate({**verdict.model_dump(), **told})


def _word(verdict: Verdict) -> str:
    if verdict.answer is not None:
        return verdict.answer.value.replace("-", " ")
    return "found otherwise" if verdict.status == "measured" else "not known"


def _degrees(way: Way) -> str:
    return f"{math.degrees(way.facing_rad) % 360:.0f}°"


def _percent(way: Way) -> str:
    return f"{100 * way.probability:.0f} %"


def _may_look(situation: Situation, found: Sequence[Looked], told: Sequence[str]) -> str:
    """Who may look where, each way in the words that were told of it."""
    rest = 1 - sum(one.way.probability for one in found)
    words = [*told, f"any other way ({100 * rest:.0f} %)"] if rest > _WHOLE else told
    return f"{name_of(situation, found[0].way.id)} may look {_listed(words)}"


def _listed(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else words[0]
