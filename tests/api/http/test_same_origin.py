"""A site that somebody has open in another tab."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from api.live.hub import Hub
from api.server.app import create_app
from tests.api.worlds import frame_report, skirmish, state_line

NAME = {"do": "miniature", "ids": ["m3"], "name": "Ironclad"}


@pytest.fixture
def phone() -> Iterator[TestClient]:
    hub = Hub(title="test table")
    hub.handle_report(frame_report(state_line(skirmish())))
    with TestClient(create_app(hub), base_url="http://192.168.1.7:8017") as client:
        yield client


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://192.168.1.7:8018", "http://[", "https://192.168.1.7"]
)
def test_another_site_changes_nothing(phone: TestClient, origin: str) -> None:
    refused = phone.post("/api/v1/corrections", json=NAME, headers={"Origin": origin})

    assert (refused.status_code, refused.json()["type"]) == (403, "seat/elsewhere")
    assert phone.get("/api/v1/corrections").json() == []


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-site", "Origin": "http://192.168.1.7:8017"},
        {"Referer": "http://evil.example/page"},
    ],
)
def test_another_site_without_an_origin_changes_nothing_either(phone: TestClient, headers: dict[str, str]) -> None:
    refused = phone.post("/api/v1/corrections", json=NAME, headers=headers)

    assert (refused.status_code, refused.json()["type"]) == (403, "seat/elsewhere")
    assert phone.get("/api/v1/corrections").json() == []


def test_another_site_hears_nothing_live(phone: TestClient) -> None:
    with (
        pytest.raises(WebSocketDisconnect),
        phone.websocket_connect("ws://192.168.1.7:8017/api/v1/live", headers={"Origin": "http://evil.example"}),
    ):
        pass


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://192.168.1.7:8017", "Sec-Fetch-Site": "same-origin"},
        {"Origin": "http://192.168.1.7:8017"},
        {"Referer": "http://192.168.1.7:8017/judge"},
        {"Sec-Fetch-Site": "none"},
        {},
    ],
)
def test_the_tables_own_page_and_programs_may(phone: TestClient, headers: dict[str, str]) -> None:
    assert phone.post("/api/v1/corrections", json=NAME, headers=headers).status_code == 201


def test_reading_is_left_to_the_browsers_own_rule(phone: TestClient) -> None:
    assert phone.get("/api/v1/glance", headers={"Origin": "http://192.168.1.8:8017"}).status_code == 200
