"""What happens in a game reaches other programs: each line once, each alarm when it begins and when it is over."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from api.live.hub import Hub
from api.overlay.cues import Cue
from api.server.app import create_app
from api.server.table_events import TableEvents
from models.timeline import EventLine
from tests.api.fakes import ask
from tests.api.worlds import frame_report, skirmish, state_line

PAIR = {"a": "m7", "b": "m10"}


@pytest.fixture
def hub() -> Hub:
    hub = Hub(title="Table 4")
    hub.handle_report(frame_report(state_line(skirmish())))
    return hub


@pytest.fixture
def judge(hub: Hub) -> Iterator[TestClient]:
    with TestClient(create_app(hub, ask=ask)) as client:
        yield client


@pytest.fixture
def sent() -> list[Cue]:
    return []


@pytest.fixture
def events(judge: TestClient, sent: list[Cue]) -> TableEvents:
    return TableEvents(judge.app.state.table.bench, sent.append, clock=lambda: 7.0)  # type: ignore[attr-defined]


def test_a_move_is_told_once_with_who_and_how_far(hub: Hub, events: TableEvents, sent: list[Cue]) -> None:
    moved = EventLine(type="moved", t_s=2, frame=20, ids=("m7",), distance_mm=51.5, travelled_mm=60.25)
    hub.handle_report(frame_report(moved))
    events.beat()
    events.beat()

    (cue,) = sent
    assert (cue.event, cue.topic, cue.table) == ("move", "move", "Table 4")
    assert cue.who == (skirmish().by_id["m7"].name or "m7",)
    assert cue.details["ids"] == ["m7"]
    assert (cue.details["what"], cue.details["distance_mm"], cue.details["travelled_mm"]) == ("moved", 51.5, 60.25)


def test_a_ruling_and_its_withdrawal_are_told_with_its_number(
    judge: TestClient, events: TableEvents, sent: list[Cue]
) -> None:
    about = {"pair": PAIR, "slot": "distance"}
    judge.post("/api/v1/rulings", json={"about": about, "decision": "overruled", "stands": "10 in", "reason": "taped"})
    events.beat()
    judge.post("/api/v1/rulings/1/withdraw", json={"reason": "wrong pair"})
    events.beat()

    made, withdrawn = sent
    assert made.lines[0].endswith("Overruled: 10 in")
    assert (made.details["what"], made.details["number"], made.details["reason"]) == ("ruled", 1, "taped")
    assert (withdrawn.details["what"], withdrawn.details["withdrawn"]) == ("ruling-withdrawn", "wrong pair")


def test_score_and_call_are_told(judge: TestClient, events: TableEvents, sent: list[Cue]) -> None:
    judge.put("/api/v1/scoreboard/score", json={"round": 2, "points": {"player-a": 3, "player-b": 1}})
    events.beat()

    assert [(cue.event, cue.lines) for cue in sent] == [("score", ("3 : 1",))]
    assert sent[0].details["points"] == {"player-a": 3, "player-b": 1}


def test_an_alarm_is_told_when_it_begins_and_when_it_is_over(hub: Hub, events: TableEvents, sent: list[Cue]) -> None:
    hub.alarms.sound("worker", "A worker ended.")
    events.beat()
    events.beat()
    hub.alarms.end("worker")
    events.beat()

    assert [(cue.event, cue.lines, cue.details["is_over"]) for cue in sent] == [
        ("alarm", ("A worker ended.",), False), ("alarm", ("A worker ended.",), True),
    ]  # fmt: skip


def test_what_was_written_before_the_server_started_is_not_told_again(hub: Hub, judge: TestClient) -> None:
    hub.handle_report(frame_report(EventLine(type="moved", t_s=2, frame=20, ids=("m7",))))
    sent: list[Cue] = []
    TableEvents(judge.app.state.table.bench, sent.append, clock=lambda: 7.0).beat()  # type: ignore[attr-defined]

    assert sent == []
