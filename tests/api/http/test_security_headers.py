"""What every answer tells a browser not to do."""

import re

import pytest
from starlette.testclient import TestClient

from api.http.security_headers import content_policy
from api.live.hub import Hub
from api.seats.sessions import SeatSessions
from api.server.app import create_app
from tests.api import fakes

PAGES = ["/", "/judge", "/unsure", "/join", "/overlay", "/docs"]


@pytest.fixture
def phone() -> TestClient:
    hub = Hub(title="test table")
    return TestClient(create_app(hub, ask=fakes.ask, seats=SeatSessions(hub.journal)))


@pytest.mark.parametrize("path", PAGES)
def test_no_page_runs_what_is_not_the_tables_own(phone: TestClient, path: str) -> None:
    headers = phone.get(path).headers
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))

    assert "unsafe" not in policy["script-src"]
    assert "unsafe" not in policy["style-src"]
    assert policy.get("frame-ancestors") == (None if path == "/overlay" else "'none'")  # a file holds the overlay
    assert (headers["x-content-type-options"], headers["referrer-policy"]) == ("nosniff", "no-referrer")


@pytest.mark.parametrize("path", ["/join", "/j/K7M2QX", "/api/v1/seat", "/api/v1/seats", "/judge"])
def test_where_a_code_stands_nothing_is_kept(phone: TestClient, path: str) -> None:
    assert phone.get(path, follow_redirects=False).headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ["/api/v1/state", "/nowhere", "/api/v1/health"])
def test_refusals_and_data_have_them_too(phone: TestClient, path: str) -> None:
    assert phone.get(path).headers["x-content-type-options"] == "nosniff"


def test_what_stands_in_a_page_is_named_by_its_hash() -> None:
    policy = content_policy("<style>p {}</style><script>run()</script>")

    assert len(re.findall(r"'sha256-[A-Za-z0-9+/=]{44}'", policy)) == 2
