"""Unit threats: who may shoot at whom and charge whom, and what stands in between."""

from collections.abc import Iterator
from dataclasses import replace

from api.answers.answer_line import Line, query_of, render_line
from api.answers.pair_questions import QuestionLine, is_met_or_open
from api.answers.unit_questions import UnitPairView, charge_line, range_mm, shooting_line, sight_line
from api.evaluation.cache import Ask
from api.live.entities import leader_of
from models.unit_conversion import inches

_SIGMAS = 3.0  # beyond a limit by so much doubt nothing is worth asking
_BEST_ROLL_IN = 12.0  # two dice; whoever runs faster rolls no more with them


def unit_threats(two: UnitPairView, *, apart_mm: float, sigma_mm: float, ask: Ask) -> Iterator[Line]:
    """What the enemy (B) may do to me (A), then what I may do to it; or what is in the way of a shot."""
    near_mm = apart_mm - _SIGMAS * sigma_mm
    for one in (two.swap_sides(), two):
        if _may_reach(one, near_mm):
            yield from _ask_line(one, charge_line(one), ask)
        gun = one.gun()
        if gun is not None and near_mm <= range_mm(gun):
            yield from _ask_shooting(one, ask)


def _ask_shooting(one: UnitPairView, ask: Ask) -> Iterator[Line]:
    """How many may shoot; where nobody sees it, what is in the way."""
    seen = sight_line(one)
    verdict = ask(one.state, query_of(seen))
    if is_met_or_open(verdict):
        yield render_line(seen, verdict)
        yield from _ask_line(one, shooting_line(one), ask)
    elif verdict.blockers:
        yield render_line(replace(seen, title=shooting_line(one).title), verdict)


def _ask_line(one: UnitPairView, wanted: QuestionLine, ask: Ask) -> Iterator[Line]:
    verdict = ask(one.state, query_of(wanted))
    if is_met_or_open(verdict):
        yield render_line(wanted, verdict)


def _may_reach(one: UnitPairView, near_mm: float) -> bool:
    speed_in = leader_of(one.state, one.me, field="").profile.spd_in
    return speed_in is not None and near_mm <= inches(speed_in + _BEST_ROLL_IN)
