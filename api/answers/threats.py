"""Threats: the surest way in which each enemy may reach a miniature or a unit, and it each enemy."""

from collections.abc import Iterator
from dataclasses import replace

from api.answers.answer_line import Line, query_of, render_line
from api.answers.pair_questions import QuestionLine, is_met_or_open
from api.answers.range_rings import charge_in, longest_reach_in
from api.answers.unit_questions import UnitPairView, charge_line, range_mm, shooting_line, sight_line
from api.evaluation.cache import Ask
from api.live.entities import leader_of
from models.miniature import Miniature
from models.profile import RangedWeapon
from models.queries import QUERIES
from models.state import TableState
from models.unit_conversion import MM_PER_INCH, inches
from referee import edition_of
from referee.rules.exact_table import ExactTable

_SIGMAS = 3.0  # beyond a limit by so much doubt nothing is worth asking
_BEST_ROLL_IN = 12.0  # two dice; a faster runner rolls no more with them


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
