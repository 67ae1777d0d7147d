"""Miniature sheet: how far everybody is from one miniature, whom it threatens, who threatens it."""

import math
from collections.abc import Collection, Iterator

from pydantic import Field

from api.answers.answer_line import Line
from api.answers.range_rings import Ring, range_rings
from api.answers.threats import threats_between, unit_threats
from api.answers.unconfirmed_bases import careful_referee
from api.answers.unit_questions import UnitPairView
from api.corrections.told_facts import ToldFact
from api.evaluation.cache import Ask
from api.evaluation.hypothetical_table import Hypothesis, RingInches, apply_hypothesis, without_reach, without_speed
from api.live.entities import all_entities, leader_of, members_of, plays_units
from models.frozen import Frozen
from models.miniature import Miniature
from models.queries import QUERY
from models.state import TableState
from models.verdict import Verdict
from models.vocabulary import Id
from referee.rules.sides import are_enemies


class MiniatureQuestion(Hypothesis):
    """One miniature, and what a camera cannot know."""

    who: Id
    ring_in: RingInches | None = Field(None, description="one more ring to draw, this far from the base")
    sees: bool = Field(False, description="whether to tell whom it sees as well")


class OtherMiniature(Frozen):
    """Another miniature as seen from this one: how far off, and the threats that hold."""

    id: Id
    is_enemy: bool
    distance_mm: float | None = Field(description="null: may not be measured now")
    sigma_mm: float | None
    lines: tuple[Line, ...] = ()
    sight: Verdict | None = Field(None, description="whether it is seen; null: nobody asked, or not worked out yet")


class MiniatureSheet(Frozen):
    """What is around one miniature; the others are ordered by distance."""

    state_id: str
    who: Id
    is_whole: bool = Field(description="whether every threat is answered and none will follow")
    reach_in: float
    speed_in: float
    cards_missing: int = Field(description="enemies of whom no card tells how far they go or strike: that is supposed")
    refused: str | None = Field(description="why distances may not be measured now, and what would allow it")
    front: Verdict | None = Field(description="its front arc, asked about the nearest other; null: nobody to ask about")
    rings: tuple[Ring, ...]
    others: tuple[OtherMiniature, ...]
    told: tuple[ToldFact, ...] = Field((), description="what holds on the table by one player's word alone")


def miniature_sheets(state: TableState, asked: MiniatureQuestion, *, ask: Ask) -> Iterator[MiniatureSheet]:
    """Sheets that grow: first what is quickly told, then each threat more; the last is whole.

    Raises: UnknownThing when somebody is not on the table.
    """
    supposed, card = apply_hypothesis(state, asked), leader_of(state, asked.who, field="who").profile
    me = leader_of(supposed, asked.who, field="who")
    ask = careful_referee(ask, ghosts=asked.ghosts)
    rings = tuple(range_rings(supposed, me, card=card, ring_in=asked.ring_in, ask=ask))
    apart = _ask_distances(supposed, asked.who, ask)
    others = {id_: _describe_other(supposed, me, id_, verdict) for id_, verdict in apart.items()}
    front = _ask_front_arc(supposed, me, asked.who, others, ask)
    enemies = {id_ for id_, other in others.items() if other.is_enemy}
    cards_missing = len({m.unit if m.unit in enemies else m.id for m in _without_card(state, enemies)})
    refused = next((_refusal_reason(verdict) for verdict in apart.values() if verdict.status == "refused"), None)

    def make_sheet(*, is_whole: bool) -> MiniatureSheet:
        return MiniatureSheet(
            state_id=state.state_id,
            who=asked.who,
            is_whole=is_whole,
            reach_in=asked.supposed_reach_in,
            speed_in=asked.supposed_speed_in,
            cards_missing=cards_missing,
            refused=refused,
            front=front,
            rings=rings,
            others=tuple(sorted(others.values(), key=_distance_key)),
        )

    yield make_sheet(is_whole=False)
    for id_, other in list(others.items()):
        if lines := tuple(_ask_threats(supposed, asked.who, other, ask)):
            others[id_] = OtherMiniature.model_validate(other.model_dump() | {"lines": lines})
            yield make_sheet(is_whole=False)
    for id_, other in list(others.items()) if asked.sees else ():
        others[id_] = _with_sight(supposed, asked.who, other, ask)
        yield make_sheet(is_whole=False)
    yield make_sheet(is_whole=True)


def _without_card(state: TableState, ids: Collection[Id]) -> Iterator[Miniature]:
    """Those of them, or in a unit of them, whose card says no speed or no reach."""
    silent = without_reach(state) | without_speed(state) if not plays_units(state) else without_speed(state)
    return (m for id_ in ids for m in members_of(state, id_) if m.id in silent)


def _ask_distances(state: TableState, me_id: Id, ask: Ask) -> dict[Id, Verdict]:
    """How far everybody else is."""
    others = (id_ for id_ in all_entities(state) if id_ != me_id)
    return {id_: ask(state, QUERY.validate_python({"kind": "distance", "a": me_id, "b": id_})) for id_ in others}


def _describe_other(state: TableState, me: Miniature, id_: Id, verdict: Verdict) -> OtherMiniature:
    gap = verdict.measured[0] if verdict.measured else None
    return OtherMiniature(
        id=id_,
        is_enemy=are_enemies(state, me, leader_of(state, id_, field="who")),
        distance_mm=None if gap is None else gap.value_mm,
        sigma_mm=None if gap is None else gap.sigma_mm,
    )


def _distance_key(other: OtherMiniature) -> float:
    return math.inf if other.distance_mm is None else other.distance_mm


def _refusal_reason(verdict: Verdict) -> str:
    return verdict.advice or verdict.unlock or "This may not be measured now."


def _with_sight(state: TableState, me_id: Id, other: OtherMiniature, ask: Ask) -> OtherMiniature:
    """The other with the answer whether it is seen."""
    seen = ask(state, QUERY.validate_python({"kind": "los", "viewer": me_id, "target": other.id}))
    return OtherMiniature.model_validate(other.model_dump() | {"sight": seen})


def _ask_threats(state: TableState, me_id: Id, other: OtherMiniature, ask: Ask) -> Iterator[Line]:
    if not other.is_enemy or other.distance_mm is None:
        return
    doubt = {"apart_mm": other.distance_mm, "sigma_mm": other.sigma_mm or 0.0}
    if plays_units(state):
        yield from unit_threats(UnitPairView(state, me_id, other.id), **doubt, ask=ask)
    else:
        me, foe = (leader_of(state, id_, field="who") for id_ in (me_id, other.id))
        yield from threats_between(state, me, foe, **doubt, ask=ask)


def _ask_front_arc(
    state: TableState, me: Miniature, me_id: Id, others: dict[Id, OtherMiniature], ask: Ask
) -> Verdict | None:
    """The verdict on the nearest other, whose witness holds the lines that its front arc or its zones end at."""
    if not others or me.facing_deg is None:
        return None
    nearest, kind = min(others.values(), key=_distance_key), "arc" if plays_units(state) else "in-front-arc"
    return ask(state, QUERY.validate_python({"kind": kind, "viewer": me_id, "target": nearest.id}))
