"""Death clocks: what each shows follows from the journal's lines and the time."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from api.clocks.entries import (
    CLOCK_ENTRIES,
    ClockLent,
    ClockPassed,
    ClockRunOut,
    Clocks,
    ClocksExtended,
    ClocksPutAway,
    ClocksSet,
    ClocksStarted,
    ClocksStopped,
    replay_clocks,
)
from api.clocks.service import ClockService
from api.journal.entry import Entry
from api.journal.interface import MemoryJournal
from api.live.broadcast import Subscriber
from api.live.hub import Hub
from api.rulings.bench import JudgesBench
from api.seats.sessions import SeatSessions
from api.server.app import create_app
from tests.api.fakes import ask
from tests.api.worlds import frame_report, skirmish, state_line

HOUR_S = 3600.0
SET = ClocksSet(by="judge", total_s=HOUR_S)
TO_A, TO_B = ClockPassed(by="player-a", to="player-a"), ClockPassed(by="player-a", to="player-b")
STOP, GO = ClocksStopped(by="judge"), ClocksStarted(by="judge")


def clocks(*deeds: tuple[float, Entry]) -> Clocks | None:
    """The clocks after deeds at these instants, as a server finds them that was started later."""
    now = [0.0]
    journal = MemoryJournal(clock=lambda: now[0])
    for at_s, deed in deeds:
        now[0] = at_s
        journal.write(deed)
    return replay_clocks(journal.lines(*CLOCK_ENTRIES))


def left(now_s: float, *deeds: tuple[float, Entry]) -> tuple[float, float]:
    found = clocks(*deeds)
    assert found is not None
    return found.left_s("player-a", now_s), found.left_s("player-b", now_s)


def hear(phone: Subscriber) -> list[dict[str, Any]]:
    """All that this phone was told since."""

    async def drain() -> list[dict[str, Any]]:
        return [json.loads(await phone.next()) async for _ in _while_news(phone)]

    return asyncio.run(drain())


async def _while_news(phone: Subscriber) -> AsyncIterator[None]:
    while phone.has_news:
        yield


def test_clocks_that_are_set_stand_until_one_is_passed() -> None:
    assert left(500, (100, SET)) == (HOUR_S, HOUR_S)


def test_only_the_clock_of_who_is_at_turn_runs() -> None:
    assert left(160, (0, SET), (100, TO_A)) == (HOUR_S - 60, HOUR_S)


def test_passing_stops_one_clock_and_starts_the_other() -> None:
    assert left(200, (0, SET), (100, TO_A), (130, TO_B)) == (HOUR_S - 30, HOUR_S - 70)


def test_no_clock_runs_during_a_ruling() -> None:
    deeds = ((0, SET), (100, TO_A), (110, STOP), (400, GO))

    assert left(300, *deeds[:3]) == (HOUR_S - 10, HOUR_S)
    assert left(405, *deeds) == (HOUR_S - 15, HOUR_S)


def test_passing_during_a_ruling_starts_nothing() -> None:
    assert left(400, (0, SET), (100, TO_A), (110, STOP), (150, TO_B)) == (HOUR_S - 10, HOUR_S)


def test_how_long_rulings_took_is_added_up() -> None:
    found = clocks((0, SET), (100, TO_A), (110, STOP), (130, GO), (200, STOP), (205, GO))

    assert found is not None
    assert found.ruled_s == 25


def test_a_second_stop_does_not_begin_the_ruling_anew() -> None:
    found = clocks((0, SET), (100, TO_A), (110, STOP), (120, STOP), (130, GO))

    assert found is not None
    assert found.ruled_s == 20


def test_time_given_to_a_player_is_on_that_clock_with_its_note() -> None:
    given = ClocksExtended(by="judge", player="player-b", by_s=180, note="rules query")
    found = clocks((0, SET), (50, given))

    assert left(60, (0, SET), (50, given)) == (HOUR_S, HOUR_S + 180)
    assert found is not None
    assert [(one.at_s, one.note) for one in found.extensions] == [(50, "rules query")]


def test_a_longer_round_is_noted_and_changes_no_clock() -> None:
    given = ClocksExtended(by="judge", player=None, by_s=600, note="late start")

    assert left(60, (0, SET), (50, given)) == (HOUR_S, HOUR_S)


def test_clocks_go_below_nothing() -> None:
    assert left(HOUR_S + 70, (0, SET), (10, TO_A))[0] == -60


def test_clocks_that_are_put_away_are_gone() -> None:
    assert clocks((0, SET), (5, ClocksPutAway(by="judge"))) is None


@pytest.fixture
def hub() -> Hub:
    hub = Hub(title="test table")
    hub.handle_report(frame_report(state_line(skirmish())))
    return hub


@pytest.fixture
def judge(hub: Hub) -> Iterator[TestClient]:
    with TestClient(create_app(hub, ask=ask)) as client:
        yield client


def test_the_judge_sets_stops_and_starts_the_clocks(judge: TestClient) -> None:
    judge.put("/api/v1/clocks", json={"minutes": 60})
    judge.post("/api/v1/clocks/pass", json={"to": "player-b"})

    stopped = judge.post("/api/v1/clocks/stop", json={}).json()
    going = judge.post("/api/v1/clocks/start").json()

    assert stopped["stop"]["why"] == "ruling"
    assert [clock["runs"] for clock in stopped["players"]] == [False, False]
    assert [clock["runs"] for clock in going["players"]] == [False, True]


def test_the_clocks_outlive_a_restart(judge: TestClient, hub: Hub) -> None:
    judge.put("/api/v1/clocks", json={"minutes": 45})
    judge.post("/api/v1/clocks/pass", json={"to": "player-a"})

    with TestClient(create_app(Hub(title="again", journal=hub.journal), ask=ask)) as again:
        told = again.get("/api/v1/clocks").json()

    assert told["total_s"] == 45 * 60
    assert [clock["runs"] for clock in told["players"]] == [True, False]


def test_without_clocks_there_is_nothing_to_stop(judge: TestClient) -> None:
    answer = judge.post("/api/v1/clocks/stop", json={})

    assert (answer.status_code, answer.json()["type"]) == (409, "clocks/not_set")


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [("PUT", "", {"minutes": 60}), ("POST", "/stop", {}), ("POST", "/start", None), ("DELETE", "", None)],
)
def test_players_do_not_touch_the_judges_clock(hub: Hub, method: str, path: str, body: dict[str, Any] | None) -> None:
    hub.clocks.record(SET)
    seats = SeatSessions(hub.journal, unjoined="player-a")
    with TestClient(create_app(hub, ask=ask, seats=seats)) as player:
        assert player.request(method, f"/api/v1/clocks{path}", json=body).status_code == 403


def test_players_set_clocks_of_their_own_until_the_game_begins(hub: Hub) -> None:
    seats = SeatSessions(hub.journal, unjoined="player-a")
    with TestClient(create_app(hub, ask=ask, seats=seats)) as player:
        told = [player.put("/api/v1/clocks", json={"minutes": 7.5, "increment_s": 10}).json() for _ in range(2)]
        player.post("/api/v1/clocks/pass", json={"to": "player-a"})
        refused = player.put("/api/v1/clocks", json={"minutes": 90})

    assert [(one["total_s"], one["increment_s"]) for one in told] == [(450, 10), (450, 10)]
    assert refused.status_code == 403


def test_a_turn_that_is_ended_gains_the_increment() -> None:
    with_increment = ClocksSet(by="player-a", total_s=HOUR_S, increment_s=10)

    assert left(200, (0, with_increment), (100, TO_A), (130, TO_B)) == (HOUR_S - 30 + 10, HOUR_S - 70)
    assert left(200, (0, with_increment), (100, TO_A), (130, TO_A)) == (HOUR_S - 100, HOUR_S)


def test_a_clock_that_is_lent_for_a_reaction_pays_no_gain_and_the_turn_that_goes_on_pays_one() -> None:
    with_increment = ClocksSet(by="player-a", total_s=HOUR_S, increment_s=10)
    lent, again = (
        ClockLent(by="player-a", to="player-b"),
        ClockLent(by="player-b", to="player-a"),
    )
    begun = [(0, with_increment), (100, TO_A), (130, lent)]

    assert left(150, *begun) == (HOUR_S - 30, HOUR_S - 20)
    assert left(160, *begun, (150, TO_A)) == (HOUR_S - 40, HOUR_S - 20), "it came back: no turn has ended"
    assert left(160, *begun, (150, again)) == (HOUR_S - 40, HOUR_S - 20)
    assert left(170, *begun, (150, TO_A), (160, TO_B)) == (HOUR_S - 40 + 10, HOUR_S - 30)
    assert left(170, *begun, (150, TO_B)) == (HOUR_S - 30 + 10, HOUR_S - 40), "it stays there: the lender's has"


def test_a_flag_falls_once_and_stands_again_with_time_given() -> None:
    machine = clocks((0, SET), (10, TO_A))
    assert machine is not None
    assert machine.newly_run_out(HOUR_S + 5) is None
    assert machine.newly_run_out(HOUR_S + 10) == "player-a"

    fallen = clocks((0, SET), (10, TO_A), (HOUR_S + 11, ClockRunOut(player="player-a")))
    given = ClocksExtended(by="judge", player="player-a", by_s=60, note="rules query")
    longer = clocks((0, SET), (10, TO_A), (HOUR_S + 11, ClockRunOut(player="player-a")), (HOUR_S + 12, given))
    assert fallen is not None
    assert longer is not None
    assert fallen.newly_run_out(HOUR_S + 20) is None
    assert (fallen.fallen, longer.fallen) == (("player-a",), ())


def test_everybody_hears_when_the_time_has_run_out(hub: Hub) -> None:
    now_s = [1000.0]
    bench = JudgesBench(hub)
    hub.clocks = ClockService(hub.journal, changed=hub.publish_clocks, monotonic=lambda: now_s[0])
    hub.clocks.record(ClocksSet(by="player-a", total_s=60))
    hub.clocks.record(ClockPassed(by="player-a", to="player-b"))
    phone = hub.broadcast.subscribe()
    assert hear(phone)[0]["clocks"]["total_s"] == 60  # the snapshot
    now_s[0] += 61
    bench.keep_clocks()
    bench.keep_clocks()

    told = hear(phone)
    assert [one["text"] for one in told if one["type"] == "notice"] == ["Player B: the time has run out"]
    (shown,) = [one["clocks"] for one in told if one["type"] == "clocks"]
    assert [one["has_run_out"] for one in shown["players"]] == [False, True]
