import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from starlette.testclient import TestClient

from api.camera.protocol import ChangedPart
from api.evaluation.hypothetical_table import TOLD_FACING_SIGMA_DEG
from api.http.refusals import MOST_BYTES
from api.live.hub import Hub
from api.routes.questions import MOST_QUESTIONS
from api.server.app import create_app
from models.miniature import Miniature
from models.queries import QUERIES, BaseQuery
from models.state import TableState
from models.verdict import Verdict
from tests.api.fakes import ask
from tests.api.worlds import drop_miniatures, frame_report, open_socket, skirmish, state_line

LOS = {"kind": "los", "viewer": "m7", "target": "m10"}


@pytest.fixture
def hub() -> Hub:
    hub = Hub(title="test table")
    hub.handle_report(frame_report(state_line(skirmish())))
    return hub


@pytest.fixture
def phone(hub: Hub) -> Iterator[TestClient]:
    with TestClient(create_app(hub, ask=ask), raise_server_exceptions=False) as client:
        yield client


def problem_of(answer: Any, status: int) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    return dict(answer.json())


def test_the_state_is_the_one_that_ask_reads(phone: TestClient) -> None:
    assert phone.get("/api/v1/state").json()["miniatures"][3]["name"] == "Lancer"


def test_one_question_gets_one_verdict(phone: TestClient) -> None:
    answer = phone.post("/api/v1/ask", json=LOS)

    assert answer.json()["kind"] == "los"
    assert answer.json()["state_id"] == skirmish().state_id


def test_a_list_of_questions_gets_verdicts_in_its_order(phone: TestClient) -> None:
    distance = {"kind": "distance", "a": "m0", "b": "m1"}

    answer = phone.post("/api/v1/ask", json=[distance, LOS])

    assert [verdict["kind"] for verdict in answer.json()] == ["distance", "los"]


def test_a_pair_is_answered_most_argued_about_first(phone: TestClient) -> None:
    sheet = phone.post("/api/v1/ask-pair", json={"a": "m7", "b": "m10"}).json()

    kinds = [line["verdict"]["kind"] for line in sheet["lines"]]
    assert kinds[:3] == ["los", "distance", "range"]
    assert set(kinds) >= {
        "los", "distance", "range", "in-front-arc", "engaged", "melee-range", "b2b", "in-back-arc", "within",
        "completely-within",
    }  # fmt: skip


def test_front_arcs_are_asked_both_ways(phone: TestClient) -> None:
    sheet = phone.post("/api/v1/ask-pair", json={"a": "m7", "b": "m10"}).json()

    asked = [line["verdict"]["query"] for line in sheet["lines"] if line["verdict"]["kind"] == "in-front-arc"]
    assert [(query["viewer"], query["target"]) for query in asked] == [("m7", "m10"), ("m10", "m7")]


def test_a_told_facing_is_supposed_with_a_players_doubt(hub: Hub) -> None:
    asked: list[TableState] = []

    def listen_first(state: TableState, query: BaseQuery) -> Verdict:
        asked.append(state)
        return ask(state, query)

    with TestClient(create_app(hub, ask=listen_first)) as phone:
        phone.post("/api/v1/ask-pair", json={"a": "m16", "b": "m10", "facings_deg": {"m16": 123.0}})

    told = asked[0].by_id["m16"]
    assert isinstance(told, Miniature)
    assert (told.facing_deg, told.sigma.facing_deg, told.sigma.at_mm) == (123.0, TOLD_FACING_SIGMA_DEG, 0.23)
    assert hub.state == skirmish()


def test_an_edition_is_not_asked_what_it_does_not_know(hub: Hub, phone: TestClient) -> None:
    hub.handle_report(frame_report(state_line(skirmish().in_edition("warhammer-9"))))

    sheet = phone.post("/api/v1/ask-pair", json={"a": "m7", "b": "m10"}).json()

    asked = {line["verdict"]["kind"] for line in sheet["lines"]}
    assert asked >= {"los", "distance", "arc", "charge", "within"}
    assert all("warhammer-9" in QUERIES[kind].EDITIONS for kind in asked)


def test_a_pair_is_answered_about_the_newest_table(hub: Hub, phone: TestClient) -> None:
    before = phone.post("/api/v1/ask-pair", json={"a": "m7", "b": "m10"}).json()
    hub.handle_report(frame_report(state_line(drop_miniatures(skirmish(), "m3"))))

    after = phone.post("/api/v1/ask-pair", json={"a": "m7", "b": "m10"}).json()

    assert after["state_id"] != before["state_id"]


def test_a_sheet_may_come_in_parts_with_what_is_quick_first(phone: TestClient) -> None:
    pair = {"a": "m7", "b": "m10"}

    answer = phone.post("/api/v1/ask-pair", json=pair, headers={"Accept": "application/x-ndjson"})

    first, *_, last = [json.loads(line) for line in answer.text.splitlines()]
    assert [line["slot"] for line in first["lines"] if line["verdict"] is None] == [
        "sight", "engaged", "charge", "engaged-ba", "charge-ba", "sight-ba",
    ]  # fmt: skip
    assert last == phone.post("/api/v1/ask-pair", json=pair).json()


def test_a_bad_pair_is_a_problem_in_parts_too(phone: TestClient) -> None:
    accept = {"Accept": "application/x-ndjson"}

    problem = problem_of(phone.post("/api/v1/ask-pair", json={"a": "m99", "b": "m10"}, headers=accept), 422)

    assert (problem["field"], problem["value"]) == ("a", "m99")


def test_what_every_question_takes_is_told_as_json_schema(phone: TestClient) -> None:
    los = phone.get("/api/v1/queries").json()["los"]

    assert los["asks"] == "Can A see B?"
    assert "viewer" in los["properties"]


def test_an_unknown_miniature_is_named_with_its_field(phone: TestClient) -> None:
    problem = problem_of(phone.post("/api/v1/ask-pair", json={"a": "m7", "b": "m99"}), 422)

    assert (problem["field"], problem["value"]) == ("b", "m99")


@pytest.mark.parametrize(
    ("body", "field", "value"),
    [
        (b"{not json", "", "{not json"),
        (b'{"kind": "loss", "viewer": "m1"}', "kind", "loss"),
        (b'{"kind": "los", "viewer": "m7"}', "target", None),
        (b'{"kind": "los", "viewer": "m7", "target": "m1", "colour": "red"}', "colour", "red"),
        (b'"los"', "", "los"),
        (b"\xff\xfe", "", "\ufffd\ufffd"),
        (b'{"kind": "within", "a": "m7", "b": "m1", "range_in": 1e308}', "range_in", 1e308),
        (b"[" * 100_000, "", "[" * 60),
    ],
)
def test_a_malformed_question_is_a_problem_with_field_and_value(
    phone: TestClient, body: bytes, field: str, value: str | None
) -> None:
    problem = problem_of(phone.post("/api/v1/ask", content=body), 422)

    assert (problem["field"], problem.get("value")) == (field, value)


def test_a_bad_question_in_a_list_is_named_by_its_index(phone: TestClient) -> None:
    problem = problem_of(phone.post("/api/v1/ask", json=[LOS, {"kind": "los", "viewer": 7, "target": "m1"}]), 422)

    assert (problem["index"], problem["field"], problem["value"]) == (1, "viewer", 7)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"a": "m7"}, "b"),
        ({"a": "m7", "b": "m7"}, "b"),
        ({"a": "m7", "b": "m10", "reach_in": -1}, "reach_in"),
        ({"a": "m7", "b": "m10", "range_in": 0}, "range_in"),
        ({"a": "m7", "b": "m10", "ghosts": {"m7": {"at_mm": [1e200, 0]}}}, "ghosts.m7.at_mm.0"),
        ({"a": "m7", "b": "m10", "weapon": "Rifle"}, "weapon"),
        ({"a": "m7", "b": "m10", "facings_deg": {"m99": 10}}, "facings_deg"),
        ({"a": "m7", "b": "m10", "facings_deg": {"m7": "north"}}, "facings_deg.m7"),
    ],
)
def test_a_malformed_pair_names_the_field(phone: TestClient, body: dict[str, Any], field: str) -> None:
    assert problem_of(phone.post("/api/v1/ask-pair", json=body), 422)["field"] == field


def test_too_many_questions_at_once_are_refused(phone: TestClient) -> None:
    assert problem_of(phone.post("/api/v1/ask", json=[LOS] * (MOST_QUESTIONS + 1)), 413)["value"] == MOST_QUESTIONS + 1


def test_an_endless_body_is_refused(phone: TestClient) -> None:
    assert problem_of(phone.post("/api/v1/ask", content=b" " * (MOST_BYTES + 1)), 413)["status"] == 413


def test_before_anything_was_seen_a_question_says_so() -> None:
    with TestClient(create_app(Hub(title="dark"), ask=ask)) as phone:
        problem = problem_of(phone.post("/api/v1/ask", json=LOS), 503)

    assert problem["type"] == "world/no_table_yet"


def test_our_own_fault_is_a_problem_and_the_server_lives_on(hub: Hub) -> None:
    def broken(*_: object) -> Any:
        raise ZeroDivisionError

    with TestClient(create_app(hub, ask=broken), raise_server_exceptions=False) as phone:
        problem_of(phone.post("/api/v1/ask", json=LOS), 500)
        health = phone.get("/api/v1/health")

    assert health.status_code == 200


def test_an_unknown_address_is_a_problem(phone: TestClient) -> None:
    assert problem_of(phone.get("/api/v1/nothing"), 404)["status"] == 404


def test_there_is_no_picture_before_the_camera_sent_one(phone: TestClient) -> None:
    assert problem_of(phone.get("/api/v1/picture.jpg"), 404)["type"] == "world/no_picture"


def test_the_newest_picture_is_sent_and_never_kept(hub: Hub, phone: TestClient) -> None:
    """Versions begin anew with each start of the server."""
    hub.handle_report(frame_report(jpeg=b"one"))
    hub.handle_report(frame_report(jpeg=b"two"))

    answer = phone.get("/api/v1/picture.jpg?v=2")

    assert answer.content == b"two"
    assert answer.headers["cache-control"] == "no-store"


def test_a_page_that_holds_the_newest_picture_is_sent_nothing(hub: Hub, phone: TestClient) -> None:
    hub.handle_report(frame_report(jpeg=b"one"))
    held = phone.get("/api/v1/picture.jpg").headers["picture-version"]
    again = phone.get("/api/v1/picture.jpg", params={"since": held, "v": 2})

    assert (again.status_code, again.content, again.headers["picture-version"]) == (204, b"", held)


def test_a_page_gets_the_part_that_changed_as_webp_and_where_it_belongs(hub: Hub, phone: TestClient) -> None:
    black = bytes(cv2.imencode(".jpg", np.zeros((300, 400, 3), np.uint8))[1].tobytes())
    hub.handle_report(frame_report(jpeg=black))
    held = phone.get("/api/v1/picture.jpg").headers["picture-version"]
    hub.handle_report(replace(frame_report(jpeg=black), changed=ChangedPart(40, 80, 120, 160)))
    answer = phone.get("/api/v1/picture.jpg", params={"since": held, "w": 160}, headers={"Accept": "image/webp"})

    assert answer.headers["content-type"] == "image/webp"
    assert answer.headers["vary"] == "Accept"
    assert answer.headers["picture-place"] == "14 30 160 120"


def test_the_socket_begins_with_a_snapshot_and_goes_on_with_changes(hub: Hub, phone: TestClient) -> None:
    with open_socket(phone) as socket:
        first = socket.receive_json()
        phone.portal.call(hub.handle_report, frame_report(state_line(drop_miniatures(skirmish(), "m5"))))  # type: ignore[union-attr]
        change = next(message for message in _messages(socket) if message["type"] == "change")

    assert first["type"] == "snapshot"
    assert change["gone"] == ["m5"]


def test_a_phone_that_missed_something_may_ask_for_a_snapshot(phone: TestClient) -> None:
    with open_socket(phone) as socket:
        socket.receive_json()
        socket.send_json({"type": "snapshot"})
        again = next(message for message in _messages(socket) if message["type"] == "snapshot")

    assert len(again["table"]["miniatures"]) == 17


@pytest.mark.parametrize(
    "garbage",
    ["", "{", "null", '{"kind": "shout"}', '{"type": "pictures", "wanted": "perhaps"}', "\x00" * 500, "[" * 30_000],
)
def test_garbage_on_the_socket_is_answered_and_the_line_stays(phone: TestClient, garbage: str) -> None:
    with open_socket(phone) as socket:
        socket.receive_json()
        socket.send_text(garbage)
        refused = next(message for message in _messages(socket) if message["type"] == "refused")
        socket.send_json({"type": "snapshot"})
        alive = next(message for message in _messages(socket) if message["type"] == "snapshot")

    assert refused["problem"]["status"] == 422
    assert alive["title"] == "test table"


def test_a_message_of_a_later_version_is_passed_over(phone: TestClient) -> None:
    with open_socket(phone) as socket:
        socket.send_json({"type": "shout", "words": "over here"})
        socket.send_json({"type": "snapshot"})
        heard = [next(_messages(socket)) for _ in range(2)]

    assert [message["type"] for message in heard] == ["snapshot", "snapshot"]


def test_the_first_word_is_hello_with_the_seat_and_its_rights(phone: TestClient) -> None:
    with phone.websocket_connect("/api/v1/live") as socket:
        hello = socket.receive_json()

    assert (hello["type"], hello["title"], hello["seat"]) == ("hello", "test table", "judge")
    assert "rule" in hello["rights"]


def test_bytes_on_the_socket_are_garbage_too(phone: TestClient) -> None:
    with open_socket(phone) as socket:
        socket.receive_json()
        socket.send_bytes(b"\xff\x00\xff")

        assert next(message for message in _messages(socket) if message["type"] == "refused")


def test_the_heart_beats(phone: TestClient) -> None:
    with open_socket(phone) as socket:
        socket.receive_json()

        assert socket.receive_json()["type"] == "fresh"


def _messages(socket: Any) -> Iterator[dict[str, Any]]:
    while True:
        yield json.loads(socket.receive_text())


def test_what_may_be_chosen_is_told_for_every_rulebook(phone: TestClient) -> None:
    books = {book["id"]: book for book in phone.get("/api/v1/choices").json()}

    prime = books["warmachine-prime"]
    assert [base["diameter_mm"] for base in prime["bases"]] == [30, 40, 50, 120]
    assert "mosh-pit" in prime["scenarios"]
    assert "forest" in prime["terrain"]
