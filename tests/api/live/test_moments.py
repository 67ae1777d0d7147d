"""Earlier moments asked about again, and what is merely supposed."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from api.journal.file_journal import FileJournal
from api.live.hub import Hub
from api.live.moments import MOST_KEPT
from api.seats.sessions import SeatSessions
from api.server.app import create_app
from api.server.journal_entries import ENTRY_CLASSES
from models.timeline import EventLine
from tests.api.fakes import ask
from tests.api.worlds import frame_report, move_miniature, skirmish, state_line

DISTANCE = {"kind": "distance", "a": "m7", "b": "m10"}
NAME = {"do": "miniature", "ids": ["m3"], "name": "Ironclad"}


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    with closing(FileJournal(tmp_path, ENTRY_CLASSES)) as journal:
        yield Hub(title="test table", journal=journal)


@pytest.fixture
def phone(hub: Hub) -> Iterator[TestClient]:
    with TestClient(create_app(hub, ask=ask), raise_server_exceptions=False) as client:
        yield client


def gap_mm(answer: Any) -> float:
    return float(answer.json()["measured"][0]["value_mm"])


def test_every_moment_is_listed_and_can_be_asked_about_again(hub: Hub, phone: TestClient) -> None:
    hub.handle_report(frame_report(state_line(skirmish())))
    before = phone.post("/api/v1/ask", json=DISTANCE)
    hub.handle_report(frame_report(EventLine(type="moved", t_s=2, frame=20, ids=("m7",))))
    hub.handle_report(frame_report(state_line(move_miniature(skirmish(), "m7", (71.5, 82.25)))))

    first, event, second = phone.get("/api/v1/moments").json()
    assert (first["type"], event["event"], event["ids"]) == ("settled", "moved", ["m7"])
    for n in (first["n"], event["n"]):
        assert gap_mm(phone.post(f"/api/v1/ask?at={n}", json=DISTANCE)) == gap_mm(before)
    now = gap_mm(phone.post("/api/v1/ask", json=DISTANCE))
    assert gap_mm(phone.post(f"/api/v1/ask?at={second['n']}", json=DISTANCE)) == now != gap_mm(before)


def test_a_moment_says_what_was_corrected_and_how_far_somebody_moved(hub: Hub, phone: TestClient) -> None:
    hub.handle_report(frame_report(state_line(skirmish())))
    moved = {"type": "moved", "t_s": 2, "frame": 20, "ids": ("m7",), "distance_mm": 100.0, "travelled_mm": 120.0}
    hub.handle_report(frame_report(EventLine.model_validate(moved)))
    phone.post("/api/v1/corrections", json=NAME)

    _, event, correction = phone.get("/api/v1/moments").json()
    assert (event["distance_mm"], event["travelled_mm"], event["says"]) == (100.0, 120.0, None)
    assert (correction["says"], correction["distance_mm"]) == (f"{NAME['ids'][0]}: Ironclad", None)


def test_a_moment_has_the_corrections_of_its_time(hub: Hub, phone: TestClient) -> None:
    hub.handle_report(frame_report(state_line(skirmish())))
    plain = phone.get("/api/v1/moments").json()[0]["n"]
    named = phone.post("/api/v1/corrections", json=NAME).json()["n"]
    phone.post("/api/v1/corrections/undo")

    names = [phone.get(f"/api/v1/state?at={n}").json()["miniatures"][3]["name"] for n in (plain, named, named + 1)]
    assert names == ["Lancer", "Ironclad", "Lancer"]


@pytest.mark.parametrize("route", ["ask-pair", "ask-one", "ask-move"])
def test_whatever_can_be_asked_can_be_asked_of_an_earlier_moment(hub: Hub, route: str) -> None:
    hub.handle_report(frame_report(state_line(skirmish())))
    hub.handle_report(frame_report(state_line(move_miniature(skirmish(), "m7", (71.5, 82.25)))))
    asked = {
        "ask-pair": {"a": "m7", "b": "m10"},
        "ask-one": {"who": "m7"},
        "ask-move": {"who": "m7", "path_mm": [[500, 500]]},
    }[route]

    with TestClient(create_app(hub)) as phone:
        told = phone.post(f"/api/v1/{route}?at=1", json=asked).json()

    assert told["state_id"] == skirmish().state_id


@pytest.mark.parametrize(("at", "status"), [(1, 404), (99, 404), (0, 422), ("now", 422)])
def test_a_moment_that_is_not_there_is_a_problem(phone: TestClient, at: Any, status: int) -> None:
    refused = phone.get(f"/api/v1/state?at={at}")

    assert (refused.status_code, refused.json()["field"]) == (status, "at")


def test_moments_come_in_pieces(hub: Hub, phone: TestClient) -> None:
    for x_mm in range(5):
        hub.handle_report(frame_report(state_line(move_miniature(skirmish(), "m7", (100.5 + x_mm, 82.25)))))

    assert [one["n"] for one in phone.get("/api/v1/moments?after=2&most=2").json()] == [3, 4]


def test_many_moments_can_be_looked_at_one_after_the_other(hub: Hub, phone: TestClient) -> None:
    for x_mm in range(MOST_KEPT + 3):
        hub.handle_report(frame_report(state_line(move_miniature(skirmish(), "m7", (100.5 + x_mm, 82.25)))))

    places = [phone.get(f"/api/v1/state?at={n}").json()["miniatures"][7]["at_mm"][0] for n in range(1, MOST_KEPT + 4)]
    assert places == [100.5 + x_mm for x_mm in range(MOST_KEPT + 3)]


def test_no_moment_tells_who_holds_which_code(hub: Hub) -> None:
    hub.handle_report(frame_report(state_line(skirmish())))
    seats = SeatSessions(hub.journal)
    with TestClient(create_app(hub, ask=ask, seats=seats)) as phone:
        phone.post("/api/v1/join", json={"code": seats.codes["judge"]})
        told = phone.get("/api/v1/moments").json()

    assert [one["type"] for one in told] == ["settled"]


def test_questions_may_suppose_that_somebody_stands_elsewhere(hub: Hub, phone: TestClient) -> None:
    hub.handle_report(frame_report(state_line(skirmish())))
    ghost = {"m7": {"at_mm": [71.5, 82.25], "facing_deg": 15.0}}
    (supposed,) = phone.post("/api/v1/ask", json={"questions": [DISTANCE], "ghosts": ghost}).json()
    hub.handle_report(frame_report(state_line(move_miniature(skirmish(), "m7", (71.5, 82.25)))))

    assert supposed["measured"][0]["value_mm"] == gap_mm(phone.post("/api/v1/ask", json=DISTANCE))


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"questions": []}, "questions"),
        ({"questions": [DISTANCE], "ghosts": {"m99": {"at_mm": [1, 2]}}}, "ghosts"),
        ({"questions": [DISTANCE], "ghosts": {"m7": {"at_mm": [1]}}}, "ghosts.m7.at_mm.1"),
        ({"questions": [{"kind": "loss"}]}, "questions.0"),
        ({"questions": [DISTANCE], "moved": {}}, "moved"),
    ],
)
def test_what_cannot_be_supposed_is_named(hub: Hub, phone: TestClient, body: dict[str, Any], field: str) -> None:
    hub.handle_report(frame_report(state_line(skirmish())))
    refused = phone.post("/api/v1/ask", json=body)

    assert (refused.status_code, refused.json()["field"]) == (422, field)
