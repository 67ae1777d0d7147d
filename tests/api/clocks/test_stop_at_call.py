"""Calling the judge in a dispute stops clocks that run, where the table is so set."""

import pytest
from starlette.testclient import TestClient

from api.clocks.entries import ClockPassed, ClocksSet
from api.live.hub import Hub
from api.server.app import create_app
from tests.api.corrections.test_disputes import ASKED
from tests.api.fakes import ask
from tests.api.worlds import skirmish


@pytest.mark.parametrize("is_set", [True, False])
def test_a_call_stops_the_clock_where_it_is_so_set(is_set: bool) -> None:
    hub = Hub(title="test table")
    hub.show(skirmish())
    hub.clocks.stops_at_call = is_set
    hub.clocks.record(ClocksSet(by="player-a", total_s=3600))
    hub.clocks.record(ClockPassed(by="player-a", to="player-b"))
    with TestClient(create_app(hub, ask=ask)) as table:
        table.post("/api/v1/dispute", json=ASKED.model_dump(mode="json")).raise_for_status()
        table.put("/api/v1/dispute", json={"how": "judge"}).raise_for_status()
        stopped = hub.clocks.clocks

        assert stopped is not None
        assert (stopped.stop is not None) is is_set
        if stopped.stop is not None:
            assert stopped.stop.why == "ruling"


def test_a_call_starts_no_clock_and_stops_none_twice() -> None:
    hub = Hub(title="test table")
    hub.clocks.stops_at_call = True
    hub.clocks.stop_for_call(by="player-a")
    assert hub.clocks.clocks is None

    hub.clocks.record(ClocksSet(by="player-a", total_s=3600))
    before = hub.clocks.clocks
    hub.clocks.stop_for_call(by="player-a")

    assert hub.clocks.clocks == before
