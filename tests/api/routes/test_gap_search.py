"""A word about some bases teaches what else stands in the picture: the likely are confirmed together in one step."""

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from starlette.testclient import TestClient

from api.live.hub import Hub
from api.server.app import create_app
from api.tap_measurement.service import TapMeasurementService
from models.state import TableState
from tests.api.worlds import frame_report, state_line
from tests.vision import rendered
from tests.vision.test_hint_prior import ARMY, IMAGE, OPEN, STRANGER, VIEW

DOUBTED = (*ARMY[1:], OPEN, STRANGER)
STATE = TableState.model_validate(
    {
        "edition": "warmachine-prime",
        "table": {"width_mm": VIEW.table_mm[0], "depth_mm": VIEW.table_mm[1]},
        "unconfirmed": [
            {
                "base": {"shape": "round", "diameter_mm": 32.0},
                "at_mm": (base.at_mm[0] + 1.5, base.at_mm[1] - 1.0),
                "sigma_mm": 1.5,
                "probability": 0.2,
            }
            for base in DOUBTED
        ],
    }
)


@pytest.fixture
def hub() -> Hub:
    hub = Hub(title="gaps")
    hub.handle_report(frame_report(state_line(STATE)))
    return hub


@pytest.fixture
def phone(hub: Hub) -> Iterator[TestClient]:
    taps = TapMeasurementService(hub, open_pool=lambda: ThreadPoolExecutor(1))
    with TestClient(create_app(hub, taps=taps), raise_server_exceptions=False) as client:
        client.headers["x-picture"] = taps.add_picture(IMAGE, VIEW)
        yield client


def _confirm(phone: TestClient, base: rendered.Base) -> int:
    size = {"shape": "round", "diameter_mm": base.diameter_mm}
    correction = {"do": "base", "id": f"b{base.seed}", "at_mm": base.at_mm, "base": size, "sigma_mm": 0.3}
    step: dict[str, int] = phone.post("/api/v1/corrections", json=correction).json()
    return step["n"]


def _gaps(phone: TestClient) -> Any:
    return phone.post("/api/v1/measure/gaps", params={"picture": phone.headers["x-picture"]}).json()


def test_each_word_makes_more_of_its_likes_likely_and_no_stranger(phone: TestClient, hub: Hub) -> None:
    assert (_gaps(phone)["likely"], _gaps(phone)["correction"]) == ([], None)
    steps, likely = [_confirm(phone, ARMY[0])], list[dict[str, Any]]()
    while (sheet := _gaps(phone))["correction"] is not None:
        placed = phone.post("/api/v1/corrections", json=sheet["correction"])
        assert placed.status_code == 201
        steps.append(placed.json()["n"])
        likely += sheet["likely"]
    assert hub.state is not None
    standing = hub.state.miniatures
    for n in steps:
        phone.post("/api/v1/corrections/undo", json={"n": n})

    for base in DOUBTED[:-1]:
        assert min(math.dist(each["at_mm"], base.at_mm) for each in likely) < 0.5
    assert {each["base"]["diameter_mm"] for each in likely} == {40.0}
    assert len(likely) == len(DOUBTED) - 1
    assert len(standing) == len(DOUBTED)
    assert _gaps(phone)["likely"] == []
    assert hub.state.unconfirmed == STATE.unconfirmed


def test_what_is_denied_is_not_likely(phone: TestClient) -> None:
    _confirm(phone, ARMY[0])
    (denied,) = (u for u in STATE.unconfirmed if math.dist(u.at_mm, OPEN.at_mm) < 5.0)
    phone.post("/api/v1/corrections", json={"do": "candidate", "at_mm": denied.at_mm, "is_base": False, "id": None})
    places = [each["at_mm"] for each in _gaps(phone)["likely"]]

    assert all(math.dist(at_mm, OPEN.at_mm) > 20.0 for at_mm in places)


def test_a_picture_that_nobody_holds_is_named(phone: TestClient) -> None:
    reply = phone.post("/api/v1/measure/gaps", params={"picture": "gone-1"})

    assert (reply.status_code, reply.json()["type"]) == (404, "world/no_picture")
