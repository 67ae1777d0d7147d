"""Unconfirmed bases: an answer that would be another if something half seen were a base is too close to call.

The referee reads only what is confirmed. Whoever asks hears of the rest by its name on the table.
"""

import math
from collections.abc import Collection, Iterable

from api.corrections.apply import as_miniature, name_candidate
from api.corrections.schemas import describe_base
from api.evaluation.cache import Ask
from api.evaluation.measuring_policy import guard_ghosts
from models.base import Base, RoundBase
from models.queries import BaseQuery
from models.state import TableState
from models.unconfirmed_base import UnconfirmedBase
from models.verdict import Answer, SwitchFlip, Verdict
from models.vocabulary import Id, Point

MOST = 3  # each is asked about by itself, the likeliest first
NEAR_MM = 250.0  # of the straight way between those that the question names
_SHARES = (0.5, 0.35, 0.65)  # of the way between two, where a base is supposed that nobody has seen
_DECIDED = (Answer.YES, Answer.NO)


def careful_referee(ask: Ask, *, ghosts: Collection[Id] = ()) -> Ask:
    """The same referee as everybody hears it: on a sheet, about one question, on air.

    It doubts what is unconfirmed, mentions what is missing, and tells of a table with `ghosts` what may be told.
    """
    return guard_ghosts(mention_missing(doubt_unconfirmed(ask)), ghosts)


def doubt_unconfirmed(ask: Ask) -> Ask:
    """The same referee, whose answer is too close to call where an unconfirmed base would turn it."""

    def asked(state: TableState, query: BaseQuery) -> Verdict:
        verdict = ask(state, query)
        if not state.unconfirmed or verdict.answer not in _DECIDED:
            return verdict
        flips = []
        for index in _candidates(state, query):
            other = ask(with_candidate(state, index), query)
            if other.answer is not None and other.answer is not verdict.answer:
                flips.append(_flip(index, state.unconfirmed[index], other))
        return _too_close(verdict, flips) if flips else verdict

    return asked


def mention_missing(ask: Ask) -> Ask:
    """The same referee, which says where a base that is expected and stands nowhere would turn an answer.

    Until the table is called complete: the largest that is missing is supposed between those that the question names.
    """

    def asked(state: TableState, query: BaseQuery) -> Verdict:
        verdict = ask(state, query)
        called = state.called
        if called.is_complete or not called.missing or verdict.answer not in _DECIDED:
            return verdict
        base = max(called.missing, key=size_of)
        other = _with_unseen(state, query, base)
        if other is None or (turned := ask(other, query).answer) is None or turned is verdict.answer:
            return verdict
        says = (
            f"{len(called.missing)} expected bases stand nowhere on this table yet: a {describe_base(base)} one in "
            "between would turn this answer. Call the roll."
        )
        advice = says if verdict.advice is None else f"{verdict.advice} {says}"
        return Verdict(**{name: getattr(verdict, name) for name in Verdict.model_fields} | {"advice": advice})

    return asked


def _with_unseen(state: TableState, query: BaseQuery, base: Base) -> TableState | None:
    """The table with a base of this size between the two that the question names; None where there is no room."""
    places = [at for _, id_ in query.names() for at in _places(state, id_)]
    if len(places) != 2:
        return None
    (ax, ay), (bx, by) = places
    for share in _SHARES:
        at_mm = (ax + share * (bx - ax), ay + share * (by - ay))
        if all(math.dist(m.at_mm, at_mm) > (size_of(m.base) + size_of(base)) / 2 for m in state.miniatures):
            unseen = UnconfirmedBase(base=base, at_mm=at_mm, sigma_mm=0.0, probability=1.0)
            return state.with_miniatures((*state.miniatures, as_miniature(unseen, _free_id(state, "unseen"))))
    return None


def size_of(base: Base) -> float:
    """Its longest side."""
    return base.diameter_mm if isinstance(base, RoundBase) else max(base.width_mm, base.depth_mm)


def with_candidate(state: TableState, index: int) -> TableState:
    """The table as if this one were a base, of no side and looking nowhere."""
    candidate = state.unconfirmed[index]
    return state.with_miniatures((*state.miniatures, as_miniature(candidate, _free_id(state, name_candidate(index)))))


def _free_id(state: TableState, id_: Id) -> Id:
    while id_ in state.by_id:
        id_ += "?"
    return id_


def _candidates(state: TableState, query: BaseQuery) -> list[int]:
    """Those near what is asked about, the likeliest first."""
    places = [at for _, id_ in query.names() for at in _places(state, id_)]
    places += getattr(query, "path_mm", None) or ()
    near = [
        i
        for i, candidate in enumerate(state.unconfirmed)
        if not places or _offset_mm(candidate.at_mm, places) <= NEAR_MM
    ]
    return sorted(near, key=lambda i: -state.unconfirmed[i].probability)[:MOST]


def _places(state: TableState, id_: Id) -> Iterable[Point]:
    return (m.at_mm for m in state.miniatures if id_ in (m.id, m.unit))


def _offset_mm(at: Point, places: list[Point]) -> float:
    """How far it is from the nearest of the straight ways between any two of these places."""
    return min(from_segment_mm(at, a, b) for a in places for b in places)


def from_segment_mm(at: Point, a: Point, b: Point) -> float:
    """How far a point is from the straight way between two."""
    (ax, ay), (bx, by) = a, b
    length2 = (bx - ax) ** 2 + (by - ay) ** 2
    share = 0.0 if length2 == 0 else ((at[0] - ax) * (bx - ax) + (at[1] - ay) * (by - ay)) / length2
    share = min(1.0, max(0.0, share))
    return math.dist(at, (ax + share * (bx - ax), ay + share * (by - ay)))


def _flip(index: int, candidate: UnconfirmedBase, other: Verdict) -> SwitchFlip:
    return SwitchFlip(
        whether=f"whether {name_candidate(index)} is a base",
        margin_mm=0.0,
        sigma_mm=candidate.sigma_mm,
        probability=candidate.probability,
        answer=other.answer,
        witness=other.witness,
    )


def _too_close(verdict: Verdict, flips: list[SwitchFlip]) -> Verdict:
    """The verdict with nothing decided: its margin is that of a table on which nobody agrees yet."""
    stays = math.prod(1.0 - flip.probability for flip in flips)
    chance = 1.0 if verdict.answer is Answer.YES else 0.0
    before = chance if verdict.probability is None else verdict.probability
    names = ", ".join(flip.whether.removeprefix("whether ").removesuffix(" is a base") for flip in flips)
    fields = {name: getattr(verdict, name) for name in Verdict.model_fields}
    return Verdict(
        **fields
        | {
            "answer": Answer.TOO_CLOSE,
            "probability": round(stays * before + (1.0 - stays) * (1.0 - chance), 4),
            "margin_mm": None,
            "margin_deg": None,
            "sigma_mm": None,
            "sigma_deg": None,
            "capped": False,
            "at_edge": False,
            "flips_if": (*flips, *verdict.flips_if),
            "advice": f"Look at {names} on the table: the camera cannot tell whether a base stands there. "
            "Confirm or dismiss it.",
        }
    )
