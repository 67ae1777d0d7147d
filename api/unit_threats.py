"""Who may shoot at whom and charge whom, seen from one unit, with whatever stands in between."""

from collections.abc import Iterator
from dataclasses import replace

from api.fielded import leading
from api.line import Line, query_of, shown_line
from api.memory import Ask
from api.pair_lines import Wanted, tells
from api.unit_lines import Two, charging, range_mm, shooting, sight
from models.units import inches

_SIGMAS = 3.0  # beyond a limit by so much doubt nothing is worth asking
_BEST_ROLL_IN = 12.0  # two dice; whoever runs faster rolls no more with them


def threats_of_units(two: Two, *, apart_mm: float, sigma_mm: float, ask: Ask) -> Iterator[Line]:
    """What the enemy (B) may do to me (A), then what I may do to it; or what is in the way of a shot."""
    near_mm = apart_mm - _SIGMAS * sigma_mm
    for one in (two.swapped(), two):
        if _may_reach(one, near_mm):
            yield from _told(one, charging(one), ask)
        gun = one.gun()
        if gun is not None and near_mm <= range_mm(gun):
            yield from _shot(one, ask)


def _shot(one: Two, ask: Ask) -> Iterator[Line]:
    """How many may shoot; where nobody sees it, what is in the way."""
    seen = sight(one)
    verdict = ask(one.state, query_of(seen))
    if tells(verdict):
        yield shown_line(seen, verdict)
        yield from _told(one, shooting(one), ask)
    elif verdict.blockers:
        yield shown_line(replace(seen, title=shooting(one).title), verdict)


def _told(one: Two, wanted: Wanted, ask: Ask) -> Iterator[Line]:
    verdict = ask(one.state, query_of(wanted))
    if tells(verdict):
        yield shown_line(wanted, verdict)


def _may_reach(one: Two, near_mm: float) -> bool:
    speed_in = leading(one.state, one.me, field="").profile.spd_in
    return speed_in is not None and near_mm <= inches(speed_in + _BEST_ROLL_IN)
