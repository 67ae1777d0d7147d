"""Clocks go by a clock that nobody sets; what ran while the server was away is shown and given back."""

import pytest

from api.clocks.entries import ClockPassed, ClocksSet, ClocksStopped
from api.clocks.service import KEPT_S, ClockService
from api.errors import NoClocks
from api.journal.interface import MemoryJournal

HOUR_S = 3600.0
BEGAN_S = 1.7e9


class Machine:
    """Its wall clock can be set, its monotonic clock cannot."""

    def __init__(self) -> None:
        self.wall_s, self.run_s = BEGAN_S, 50.0
        self.journal = MemoryJournal(clock=lambda: self.wall_s)

    def start_server(self) -> ClockService:
        return ClockService(self.journal, changed=lambda: None, wall=lambda: self.wall_s, monotonic=lambda: self.run_s)

    def wait(self, seconds: float, clocks: ClockService | None = None) -> None:
        """So long, with a server that is there or away."""
        for _ in range(round(seconds)):
            self.wall_s, self.run_s = self.wall_s + 1, self.run_s + 1
            if clocks is not None:
                clocks.keep()


def running(machine: Machine) -> ClockService:
    clocks = machine.start_server()
    clocks.record(ClocksSet(by="judge", total_s=HOUR_S))
    clocks.record(ClockPassed(by="player-b", to="player-a"))
    return clocks


def left_s(clocks: ClockService) -> tuple[float, ...]:
    shown = clocks.shown()
    assert shown is not None
    return tuple(one.left_s for one in shown.players)


@pytest.mark.parametrize("jump_s", [HOUR_S, -HOUR_S, 0.0])
def test_a_wall_clock_that_is_set_costs_and_gives_nobody_anything(jump_s: float) -> None:
    machine = Machine()
    clocks = running(machine)
    machine.wait(100, clocks)
    machine.wall_s += jump_s
    machine.wait(20, clocks)

    assert left_s(clocks) == pytest.approx((HOUR_S - 120, HOUR_S))
    clocks.record(ClocksStopped(by="judge"))
    shown = clocks.shown()
    assert shown is not None
    assert shown.stop is not None
    assert shown.stop.since_s == pytest.approx(machine.wall_s)


@pytest.mark.parametrize("jump_s", [HOUR_S, -HOUR_S, 0.0])
def test_what_ran_while_the_server_was_away_is_shown_and_given_back(jump_s: float) -> None:
    machine = Machine()
    clocks = running(machine)
    machine.wait(100, clocks)
    machine.wall_s += jump_s
    machine.wait(120)
    clocks = machine.start_server()

    assert clocks.outage is not None
    clocks.give_back(by="judge")
    assert clocks.outage is None
    assert left_s(clocks) == pytest.approx((HOUR_S - 100, HOUR_S), abs=KEPT_S)
    with pytest.raises(NoClocks):
        clocks.give_back(by="judge")


def test_clocks_that_stood_lost_nothing() -> None:
    machine = Machine()
    clocks = running(machine)
    clocks.record(ClocksStopped(by="judge"))
    machine.wait(120)

    assert machine.start_server().outage is None


def test_a_restart_after_a_restart_goes_on_from_what_was_known() -> None:
    machine = Machine()
    machine.wait(10, running(machine))
    machine.wait(5, machine.start_server())
    clocks = machine.start_server()

    assert left_s(clocks) == pytest.approx((HOUR_S - 15, HOUR_S))
