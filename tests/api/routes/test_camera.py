"""What stops rulings, what lets them go on, and what the one who minds the table may ask of the camera."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from api.camera.protocol import CameraCommands, SelfCheckReport
from api.live.hub import Hub
from api.server.app import create_app
from models.halt import Halt
from models.self_check import SelfCheck
from tests.api.fakes import ask
from tests.api.worlds import camera_commands, frame_report, open_socket, skirmish, state_line

LOS = {"kind": "los", "viewer": "m7", "target": "m10"}
MOVED = Halt(why="camera-moved", says="The camera was moved by 28 mm.", unlock="Register the table again.")
FIT = SelfCheck(is_fit=True, says="fit to judge", table_sigma_mm=0.13)


@pytest.fixture
def flags() -> CameraCommands:
    return camera_commands()


@pytest.fixture
def hub(flags: CameraCommands) -> Hub:
    hub = Hub(title="test table", commands=flags)
    hub.handle_report(frame_report(state_line(skirmish())))
    return hub


@pytest.fixture
def phone(hub: Hub) -> Iterator[TestClient]:
    with TestClient(create_app(hub, ask=ask), raise_server_exceptions=False) as client:
        yield client


def test_no_ruling_is_given_while_the_camera_is_lost(hub: Hub, phone: TestClient) -> None:
    hub.handle_report(frame_report(halt=MOVED))
    verdict = phone.post("/api/v1/ask", json=LOS).json()

    assert (verdict["status"], verdict["answer"], verdict["margin_mm"]) == ("refused", None, None)
    assert verdict["unlock"] == "Register the table again."


def test_every_line_about_a_pair_is_refused_too(hub: Hub, phone: TestClient) -> None:
    hub.handle_report(frame_report(halt=MOVED))
    sheet = phone.post("/api/v1/ask-pair", json={"a": "m7", "b": "m10"}).json()

    assert {line["verdict"]["status"] for line in sheet["lines"]} == {"refused"}


def test_a_refusal_is_not_remembered(hub: Hub, phone: TestClient) -> None:
    hub.handle_report(frame_report(halt=MOVED))
    phone.post("/api/v1/ask", json=LOS)
    hub.handle_report(frame_report())

    assert phone.post("/api/v1/ask", json=LOS).json()["status"] == "decided"


def test_the_halt_is_a_problem_that_says_what_ends_it(hub: Hub, phone: TestClient) -> None:
    hub.handle_report(frame_report(halt=MOVED))
    problem = phone.get("/api/v1/health").json()["problem"]

    assert problem["type"] == "world/camera_moved"
    assert problem["detail"] == "The camera was moved by 28 mm. Register the table again."


def test_a_halt_that_ends_is_told_once(hub: Hub, phone: TestClient) -> None:
    hub.handle_report(frame_report(halt=MOVED))
    with open_socket(phone) as socket:
        first = socket.receive_json()
        hub.handle_report(frame_report())
        told = [socket.receive_json() for _ in range(2)]

    assert first["problem"]["type"] == "world/camera_moved"
    assert [(one["type"], one.get("problem"), one.get("text")) for one in told] == [
        ("trouble", None, None),
        ("notice", None, "The camera's place is known again."),
    ]


def test_registering_again_is_handed_to_the_camera(phone: TestClient, flags: CameraCommands) -> None:
    answer = phone.post("/api/v1/register")

    assert answer.status_code == 202
    assert flags.take_flag(flags.register)
    assert not flags.take_flag(flags.register)


def test_a_check_is_handed_to_the_camera_and_its_result_can_be_fetched(
    hub: Hub, phone: TestClient, flags: CameraCommands
) -> None:
    phone.post("/api/v1/check")
    before = phone.get("/api/v1/check").json()
    hub.handle_report(SelfCheckReport(FIT))

    assert flags.take_flag(flags.check)
    assert before is None
    assert phone.get("/api/v1/check").json()["says"] == "fit to judge"


def test_a_table_written_by_hand_has_no_camera_to_register() -> None:
    hub = Hub(title="by hand")
    hub.show(skirmish())
    with TestClient(create_app(hub, ask=ask), raise_server_exceptions=False) as phone:
        answer = phone.post("/api/v1/register")

    assert (answer.status_code, answer.json()["type"]) == (409, "world/no_camera")
