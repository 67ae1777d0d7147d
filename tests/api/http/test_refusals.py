"""A body that is too long is refused at the door, whatever it says of itself, and the right is looked at first."""

import asyncio
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from api.http.refusals import MOST_BYTES, MOST_REFUSALS, PacedRefusals
from api.live.hub import Hub
from api.seats.sessions import SeatSessions
from api.server.app import create_app
from tests.api import fakes
from tests.api.worlds import frame_report, skirmish, state_line

OPEN = ["/api/v1/ask", "/api/v1/ask-pair", "/api/v1/join"]
GUARDED = ["/api/v1/corrections", "/api/v1/setups", "/api/v1/rulings", "/api/v1/overlay/air"]
JSON = {"content-type": "application/json"}


@pytest.fixture
def phone() -> Iterator[TestClient]:
    """The phone of somebody without a seat."""
    hub = Hub(title="test table")
    hub.handle_report(frame_report(state_line(skirmish())))
    with TestClient(create_app(hub, ask=fakes.ask, seats=SeatSessions(hub.journal))) as client:
        yield client


def in_parts(size: int) -> Iterator[bytes]:
    """A body that does not say how long it is."""
    for _ in range(size // 1000):
        yield b" " * 1000


@pytest.mark.parametrize("path", OPEN)
def test_a_body_that_says_it_is_too_long_is_not_read(phone: TestClient, path: str) -> None:
    answer = phone.post(path, content=b"{}", headers=JSON | {"content-length": "200000000"})

    assert (answer.status_code, answer.json()["type"]) == (413, "input/too_much")
    assert (answer.json()["field"], answer.json()["value"]) == ("content-length", 200_000_000)
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("path", OPEN)
def test_a_body_that_does_not_say_how_long_it_is_is_counted(phone: TestClient, path: str) -> None:
    answer = phone.post(path, content=in_parts(MOST_BYTES + 1000), headers=JSON)

    assert (answer.status_code, answer.json()["type"]) == (413, "input/too_much")


@pytest.mark.parametrize("path", GUARDED)
def test_the_right_is_looked_at_before_the_body(phone: TestClient, path: str) -> None:
    taken = []

    def body() -> Iterator[bytes]:
        taken.append(1)
        yield b"[" * MOST_BYTES

    answer = phone.post(path, content=body(), headers=JSON)

    assert (answer.status_code, answer.json()["type"]) == (403, "seat/not_allowed")


def test_who_plays_may_send_a_long_setup_and_not_everything() -> None:
    hub = Hub(title="test table")
    seats = SeatSessions(hub.journal)
    told = JSON | {"Authorization": f"Bearer {seats.take_seat('player-a')}"}
    with TestClient(create_app(hub, ask=fakes.ask, seats=seats)) as phone:
        long = b" " * (MOST_BYTES - 2) + b"{}"
        assert phone.post("/api/v1/corrections", content=long, headers=told).status_code == 422
        assert phone.post("/api/v1/corrections", content=long + b" ", headers=told).status_code == 413


def test_who_is_refused_again_and_again_is_answered_later_and_who_has_a_seat_is_not() -> None:
    waits: list[float] = []

    async def refuse(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 403, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def wait(seconds: float) -> None:
        waits.append(seconds)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("api.http.refusals.asyncio", SimpleNamespace(sleep=wait))  # tasks of other servers sleep on
        for is_seated in (True, False):
            phone = TestClient(PacedRefusals(refuse, is_seated=lambda _, seated=is_seated: seated, clock=lambda: 0.0))
            for _ in range(MOST_REFUSALS + 2):
                phone.post("/")

    assert waits == [1.0, 1.0]


def test_what_is_a_little_too_long_is_let_run_by_before_the_refusal() -> None:
    """Else the line closes while somebody still sends, and is reset: nobody reads why."""
    coming, said = [b"x" * 1000] * 5, list[str]()

    async def too_long(scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse("too long", status_code=413)(scope, receive, send)

    async def receive() -> Message:
        said.append("read")
        coming.pop()
        return {"type": "http.request", "body": b"x" * 1000, "more_body": bool(coming)}

    async def send(message: Message) -> None:
        said.append(message["type"])

    headers = [(b"content-length", b"5000")]
    scope = {"type": "http", "method": "PUT", "path": "/", "headers": headers, "client": ("10.0.0.7", 5)}
    asyncio.run(PacedRefusals(too_long, is_seated=bool)(scope, receive, send))

    assert said == [*["read"] * 5, "http.response.start", "http.response.body"]
