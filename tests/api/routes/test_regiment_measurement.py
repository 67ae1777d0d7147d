"""A ranked unit in two or four taps over HTTP: measured, then told to the table in one step."""

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from api.live.hub import Hub
from api.server.app import create_app
from api.tap_measurement.service import TapMeasurementService
from models.miniature import Miniature
from models.state import TableState
from tests.api.worlds import frame_report, state_line
from tests.vision import regiments

MIDDLE, FACING_DEG = (250.0, 200.0), 0.0
UNIT = regiments.regiment(MIDDLE, FACING_DEG, ranks=2, files=4)
CORNERS_MM = [[276.0, 251.0], [275.0, 148.5], [224.0, 149.0], [225.0, 250.0]]  # a finger's error off
SQUARE = {"shape": "rect", "width_mm": 25, "depth_mm": 25}
ASKED = {"corners_mm": CORNERS_MM, "base": SQUARE, "count": 8, "unit": "spears"}
EMPTY = TableState.model_validate({"edition": "warhammer-9", "table": {"width_mm": 500, "depth_mm": 400}})
FIRST = {"id": "m1", "base": SQUARE, "at_mm": UNIT[0].at_mm, "facing_deg": 0.0}
ASKEW = {"id": "m2", "base": {"shape": "round", "diameter_mm": 40}, "at_mm": (225.0, 200.0)}  # a shield, taken for one


@pytest.fixture
def hub() -> Hub:
    hub = Hub(title="ranks")
    told = EMPTY.with_miniatures(tuple(Miniature.model_validate(one) for one in (FIRST, ASKEW)))
    hub.handle_report(frame_report(state_line(told)))
    return hub


@pytest.fixture
def phone(hub: Hub) -> Iterator[TestClient]:
    taps = TapMeasurementService(hub, open_pool=lambda: ThreadPoolExecutor(1))
    with TestClient(create_app(hub, taps=taps), raise_server_exceptions=False) as client:
        client.headers["x-picture"] = taps.add_picture(regiments.photograph(UNIT), regiments.view())
        yield client


def _measure(phone: TestClient, **changes: Any) -> Any:
    picture = phone.headers["x-picture"]
    return phone.post("/api/v1/measure/regiment", params={"picture": picture}, json=ASKED | changes)


def test_its_correction_stands_the_whole_unit_on_the_table_in_one_step(phone: TestClient, hub: Hub) -> None:
    sheet = _measure(phone).json()
    step = phone.post("/api/v1/corrections", json=sheet["correction"])
    assert step.status_code == 201
    assert hub.state is not None
    members = [m for m in hub.state.miniatures if m.unit == "spears"]

    assert (sheet["files"], sheet["seen_count"], len(members)) == (4, 8, 8)
    for stood in UNIT:
        assert min(math.dist(m.at_mm, stood.at_mm) for m in members) < 0.8
    assert all(abs(math.remainder((m.facing_deg or 0.0) - FACING_DEG, 360.0)) < 1.0 for m in members)
    assert not any(m.facing_alternatives for m in members)


def test_who_stands_there_keeps_the_name_and_what_lay_across_goes(phone: TestClient, hub: Hub) -> None:
    step = phone.post("/api/v1/corrections", json=_measure(phone).json()["correction"]).json()
    assert hub.state is not None
    ids = {m.id for m in hub.state.miniatures}
    phone.post("/api/v1/corrections/undo", json={"n": step["n"]})

    assert step["says"] == "spears: 8 bases of 25 x 25 mm rectangular, placed by hand"
    assert "m1" in ids
    assert "m2" not in ids
    assert {m.id for m in hub.state.miniatures} == {"m1", "m2"}


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"corners_mm": CORNERS_MM[:3]}, "front edge"),
        ({"corners_mm": CORNERS_MM, "files": 8}, "corners_mm"),
        ({"count": 1000}, "count"),
        ({"corners_mm": [[-30.0, 250.0], *CORNERS_MM[1:]]}, "corners_mm.0"),
    ],
)
def test_corners_of_no_such_unit_are_named(phone: TestClient, changes: dict[str, Any], field: str) -> None:
    reply = _measure(phone, **changes)

    assert reply.status_code == 422
    assert field in reply.json()["detail"] or field in (reply.json().get("field") or "")


def test_the_front_edge_alone_is_enough(phone: TestClient) -> None:
    sheet = _measure(phone, corners_mm=CORNERS_MM[:2], files=4).json()
    places = np.array([member["at_mm"] for member in sheet["members"]])

    assert max(np.hypot(*(places - stood.at_mm).T).min() for stood in UNIT) < 0.8
