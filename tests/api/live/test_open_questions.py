"""Questions about who is who, asked and answered over HTTP."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from api.camera.protocol import PlaybackRestart
from api.live.hub import Hub
from api.server.app import create_app
from models.timeline import EventLine
from tests.api.worlds import camera_commands, frame_report

ASKED: dict[str, Any] = {
    "type": "unsure",
    "t_s": 4.0,
    "frame": 40,
    "ids": ("m1", "m2"),
    "question": "q1",
    "since_s": 4.0,
    "places_mm": ((100.0, 200.0), (300.0, 200.0)),
    "namings": ({"ids": ("m1", "m2"), "probability": 0.6}, {"ids": ("m2", "m1"), "probability": 0.4}),
}
RIGHT = {"ids": ["m2", "m1"]}


class Table:
    """A hub that was asked one question, what its camera's process is told, and a phone."""

    def __init__(self) -> None:
        self.commands = camera_commands()
        self.hub = Hub(title="A table", commands=self.commands)
        self.tell(**ASKED)
        self.phone = TestClient(create_app(self.hub))

    def tell(self, **facts: Any) -> None:
        self.hub.handle_report(frame_report(EventLine.model_validate(facts)))

    def asked(self) -> list[str]:
        return [one["question"] for one in self.phone.get("/api/v1/unsure").json()]


@pytest.fixture
def table() -> Table:
    return Table()


def test_an_open_question_is_told_with_its_places_and_namings(table: Table) -> None:
    (one,) = table.phone.get("/api/v1/unsure").json()

    assert one["places_mm"] == [[100.0, 200.0], [300.0, 200.0]]
    assert [naming["ids"] for naming in one["namings"]] == [["m1", "m2"], ["m2", "m1"]]


def test_an_answer_goes_to_the_cameras_process(table: Table) -> None:
    answer = table.phone.post("/api/v1/unsure/q1", json=RIGHT)

    assert answer.status_code == 202
    assert table.commands.answers.get() == ("q1", ("m2", "m1"))


def test_a_question_is_open_until_the_timeline_settles_it(table: Table) -> None:
    table.phone.post("/api/v1/unsure/q1", json=RIGHT)
    before = table.asked()
    table.tell(type="swapped", t_s=5.0, frame=50, question="q1", since_s=4.0, renamed={"m1": "m2", "m2": "m1"})

    assert before == ["q1"]
    assert table.asked() == []


def test_a_question_that_was_settled_as_told_is_closed(table: Table) -> None:
    sure = ({"ids": ("m1", "m2"), "probability": 1.0},)
    table.tell(type="unsure", t_s=5.0, frame=50, question="q1", since_s=4.0, namings=sure)

    assert table.asked() == []


def test_other_questions_learn_what_an_answer_says(table: Table) -> None:
    table.tell(**ASKED | {"question": "q2"})
    table.tell(type="swapped", t_s=5.0, frame=50, question="q1", since_s=4.0, renamed={"m2": "m7", "m7": "m2"})
    (one,) = table.phone.get("/api/v1/unsure").json()

    assert [naming["ids"] for naming in one["namings"]] == [["m1", "m7"], ["m7", "m1"]]


def test_what_is_not_asked_cannot_be_answered(table: Table) -> None:
    refused = table.phone.post("/api/v1/unsure/q9", json=RIGHT)

    assert (refused.status_code, refused.json()["type"]) == (404, "unsure/no_such_question")


def test_an_answer_that_was_not_offered_is_refused_by_name(table: Table) -> None:
    refused = table.phone.post("/api/v1/unsure/q1", json={"ids": ["m1", "m3"]})

    assert refused.status_code == 422
    assert "m1, m2; m2, m1" in refused.json()["detail"]
    assert table.commands.answers.empty()


def test_a_recording_that_begins_anew_asks_nothing_of_its_last_round(table: Table) -> None:
    assert table.asked() == ["q1"]

    table.hub.handle_report(PlaybackRestart())

    assert table.asked() == []
