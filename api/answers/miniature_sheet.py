"""Miniature sheet: how far everybody is from one miniature, whom it threatens, who threatens it."""

import math
from collections.abc import Collection, Iterator
from dataclasses import replace

from pydantic import Field

from api.answers.answer_line import Line, query_of, render_line
from api.answers.pair_questions import QuestionLine, is_met_or_open
from api.answers.range_rings import Ring, charge_in, longest_reach_in, range_rings
from api.answers.unconfirmed_bases import careful_referee
from api.answers.unit_questions import UnitPairView, charge_line, range_mm, shooting_line, sight_line
from api.corrections.told_facts import ToldFact
from api.evaluation.cache import Ask
from api.evaluation.hypothetical_table import (
    LONGEST_IN,
    Hypothesis,
    RingInches,
    apply_hypothesis,
    without_reach,
    without_speed,
)
from api.live.entities import all_entities, leader_of, members_of, plays_units
from models.frozen import Frozen
from models.miniature import Miniature
from models.profile import RangedWeapon
from models.queries import QUERIES, QUERY
from models.state import TableState
from models.unit_conversion import MM_PER_INCH, inches
from models.verdict import Verdict
from models.vocabulary import Id
from referee import edition_of
from referee.rules.exact_table import ExactTable
from referee.rules.sides import are_enemies

_SIGMAS = 3.0  # beyond a limit by so much doubt nothing is worth asking
_BEST_ROLL_IN = 12.0  # two dice; a faster runner rolls no more with them


class MiniatureQuestion(Hypothesis, json_schema_extra={"examples": [{"who": "m3", "sees": True}]}):
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
    turn: Verdict | None = Field(None, description="what its turn leaves it and what bars the rest; null: no book is")
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
    ledgers = state.edition in QUERIES["may-move"].EDITIONS
    turn = ask(supposed, QUERY.validate_python({"kind": "may-move", "mover": asked.who})) if ledgers else None
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
            turn=turn,
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


def threats_between(
    state: TableState, me: Miniature, foe: Miniature, *, apart_mm: float, sigma_mm: float, ask: Ask
) -> Iterator[Line]:
    """What the enemy may do to me (A), then what I may do to it (B), as far as that holds or is too close to call."""
    for striker, struck, letters in ((foe, me, ("B", "A")), (me, foe, ("A", "B"))):
        for wanted, limit_in in _threat_questions(state, striker, struck, letters):
            if apart_mm > limit_in * MM_PER_INCH + _SIGMAS * sigma_mm:
                continue
            verdict = ask(state, query_of(wanted))
            if is_met_or_open(verdict):
                yield render_line(wanted, verdict)
                break
        yield from _ask_shot(state, striker, struck, letters, near_mm=apart_mm - _SIGMAS * sigma_mm, ask=ask)


def _ask_shot(
    state: TableState, striker: Miniature, struck: Miniature, letters: tuple[str, str], *, near_mm: float, ask: Ask
) -> Iterator[Line]:
    """Its longest gun, where that is in range and may see."""
    gun = max(striker.profile.ranged, key=_range_in, default=None)
    if gun is None or near_mm > _range_in(gun) * MM_PER_INCH or state.edition not in QUERIES["range"].EDITIONS:
        return
    (shooter, shot_at), mark = letters, "" if letters[0] == "A" else "-ba"
    pair = {"attacker": striker.id, "target": struck.id, "weapon": gun.name}
    shot = QuestionLine(f"gun{mark}", f"{shooter} shoots {shot_at}: {gun.name}", "range", pair, yes="In range")
    verdict = ask(state, query_of(shot))
    if not is_met_or_open(verdict):
        return
    sight = QuestionLine(f"sight{mark}", "", "los", {"viewer": striker.id, "target": struck.id})
    if is_met_or_open(ask(state, query_of(sight))):
        yield render_line(shot, verdict)


def _range_in(gun: RangedWeapon) -> float:
    """How far it shoots at most; nothing is told of one whose card is silent."""
    longest = gun.rng_in[1] if isinstance(gun.rng_in, tuple) else gun.rng_in
    return longest or 0.0


def _threat_questions(
    state: TableState, striker: Miniature, struck: Miniature, letters: tuple[str, str]
) -> Iterator[tuple[QuestionLine, float]]:
    """The surest threat first, each with the distance beyond which it is not worth asking."""
    actor, other = letters
    mark, pair = "" if actor == "A" else "-ba", {"attacker": striker.id, "target": struck.id}
    charge = charge_in(state, striker)
    if state.edition in QUERIES["engaged"].EDITIONS:
        engaged = QuestionLine(
            f"engaged{mark}", f"{actor} engages {other}", "engaged", pair, yes="Engaged", no="Not engaged"
        )
        yield engaged, _engage_in(state, striker)
    if charge is not None:
        yield QuestionLine(f"charge{mark}", f"{actor} charges {other}", "charge", pair, yes="Gets there"), charge
    speed_in = striker.profile.spd_in
    if speed_in is not None and state.edition in QUERIES["within"].EDITIONS:
        walk_in = min(speed_in + longest_reach_in(striker), LONGEST_IN)
        near = {"a": striker.id, "b": struck.id, "range_in": walk_in}
        yield QuestionLine(f"walk{mark}", f"{actor} walks up to {other}", "within", near, yes="Gets there"), walk_in


def _engage_in(state: TableState, striker: Miniature) -> float:
    """How near it engages: as the rulebook's own setting says, else as far as its longest weapon reaches."""
    edition = edition_of(state)
    if edition.engage_in is None:
        return longest_reach_in(striker)
    return edition.engage_in(ExactTable(state, edition))


def unit_threats(two: UnitPairView, *, apart_mm: float, sigma_mm: float, ask: Ask) -> Iterator[Line]:
    """What the enemy (B) may do to me (A), then what I may do to it; or what is in the way of a shot."""
    near_mm = apart_mm - _SIGMAS * sigma_mm
    for pair in (two.swap_sides(), two):
        if _may_reach(pair, near_mm):
            yield from _ask_line(pair, charge_line(pair), ask)
        gun = pair.gun()
        if gun is not None and near_mm <= range_mm(gun):
            yield from _ask_shooting(pair, ask)


def _ask_shooting(pair: UnitPairView, ask: Ask) -> Iterator[Line]:
    """How many may shoot; where nobody sees it, what is in the way."""
    seen = sight_line(pair)
    verdict = ask(pair.state, query_of(seen))
    if is_met_or_open(verdict):
        yield render_line(seen, verdict)
        yield from _ask_line(pair, shooting_line(pair), ask)
    elif verdict.blockers:
        yield render_line(replace(seen, title=shooting_line(pair).title), verdict)


def _ask_line(pair: UnitPairView, wanted: QuestionLine, ask: Ask) -> Iterator[Line]:
    verdict = ask(pair.state, query_of(wanted))
    if is_met_or_open(verdict):
        yield render_line(wanted, verdict)


def _may_reach(pair: UnitPairView, near_mm: float) -> bool:
    speed_in = leader_of(pair.state, pair.me, field="").profile.spd_in
    return speed_in is not None and near_mm <= inches(speed_in + _BEST_ROLL_IN)
