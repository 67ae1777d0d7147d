"""What stops rulings, what lets them go on, and what the one who minds the table may ask of the camera."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from api.app import create_app
from api.hub import Hub
from api.sighting import Checked
from api.wishes import Wishes
from models.check import SelfCheck
from models.halt import Halt
from tests.api.fakes import ask
from tests.api.worlds import flags_of_a_camera, listening, settled, sighting, skirmish

LOS = {"kind": "los", "viewer": "m7", "target": "m10"}
MOVED = Halt(why="camera-moved", says="The camera was moved by 28 mm.", unlock="Register the table again.")
FIT = SelfCheck(is_fit=True, says="fit to judge", table_sigma_mm=0.13)


@pytest.fixture
def flags() -> Wishes:
    return flags_of_a_camera()


@pytest.fixture
def hub(flags: Wishes) -> Hub:
    hub = Hub(title="test table", wishes=flags)
    hub.take(sighting(settled(skirmish())))
    return hub


@pytest.fixture
def phone(hub: Hub) -> Iterator[TestClient]:
    with TestClient(create_app(hub, ask=ask), raise_server_exceptions=False) as client:
        yield client


def test_no_ruling_is_given_while_the_camera_is_lost(hub: Hub, phone: TestClient) -> None:
    hub.take(sighting(halt=MOVED))
    verdict = phone.post("/api/v1/ask", json=LOS).json()

    assert (verdict["status"], verdict["answer"], verdict["margin_mm"]) == ("refused", None, None)
    assert verdict["unlock"] == "Register the table again."


def test_every_line_about_a_pair_is_refused_too(hub: Hub, phone: TestClient) -> None:
    hub.take(sighting(halt=MOVED))
    sheet = phone.post("/api/v1/ask-pair", json={"a": "m7", "b": "m10"}).json()

    assert {line["verdict"]["status"] for line in sheet["lines"]} == {"refused"}


def test_a_refusal_is_not_remembered(hub: Hub, phone: TestClient) -> None:
    hub.take(sighting(halt=MOVED))
    phone.post("/api/v1/ask", json=LOS)
    hub.take(sighting())

    assert phone.post("/api/v1/ask", json=LOS).json()["status"] == "decided"


def test_the_halt_is_a_problem_that_says_what_ends_it(hub: Hub, phone: TestClient) -> None:
    hub.take(sighting(halt=MOVED))
    problem = phone.get("/api/v1/health").json()["problem"]

    assert problem["type"] == "world/camera_moved"
    assert problem["detail"] == "The camera was moved by 28 mm. Register the table again."


def test_a_halt_that_ends_is_told_once(hub: Hub, phone: TestClient) -> None:
    hub.take(sighting(halt=MOVED))
    with listening(phone) as socket:
        first = socket.receive_json()
        hub.take(sighting())
        told = [socket.receive_json() for _ in range(2)]

    assert first["problem"]["type"] == "world/camera_moved"
    assert [(one["type"], one.get("problem"), one.get("text")) for one in told] == [
        ("trouble", None, None),
        ("notice", None, "The camera's place is known again."),
    ]


def test_registering_again_is_handed_to_the_camera(phone: TestClient, flags: Wishes) -> None:
    answer = phone.post("/api/v1/register")

    assert answer.status_code == 202
    assert flags.takes(flags.register)
    assert not flags.takes(flags.register)


def test_a_check_is_handed_to_the_camera_and_its_result_can_be_fetched(
    hub: Hub, phone: TestClient, flags: Wishes
) -> None:
    phone.post("/api/v1/check")
    before = phone.get("/api/v1/check").json()
    hub.take(Checked(FIT))

    assert flags.takes(flags.check)
    assert before is None
    assert phone.get("/api/v1/check").json()["says"] == "fit to judge"


def test_a_table_written_by_hand_has_no_camera_to_register() -> None:
    hub = Hub(title="by hand")
    hub.show(skirmish())
    with TestClient(create_app(hub, ask=ask), raise_server_exceptions=False) as phone:
        answer = phone.post("/api/v1/register")

    assert (answer.status_code, answer.json()["type"]) == (409, "world/no_camera")
