"""Measuring at earlier moments: as the rulebook says, until the judge opens it; never now."""

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from api.journal.interface import MemoryJournal
from api.live.hub import Hub
from api.seats.sessions import SeatSessions
from api.server.app import create_app
from referee import ask
from tests.api.evaluation.test_measuring_policy import two

PAIR = {"a": "a", "b": "b"}


@pytest.fixture
def journal() -> MemoryJournal:
    return MemoryJournal()


@pytest.fixture
def client(journal: MemoryJournal) -> Iterator[TestClient]:
    """A table of a book that restricts measuring; line 2 of its journal is its state."""
    seats = SeatSessions(journal)
    hub = Hub(title="Table 4", journal=journal)
    hub.show(two("hordes-mk2"))
    with TestClient(create_app(hub, seats=seats, ask=ask)) as client:
        yield client


def join(client: TestClient, door: str) -> dict[str, str]:
    code = client.app.state.seats.codes[door]  # type: ignore[attr-defined]
    return {"Authorization": f"Bearer {client.post('/api/v1/join', json={'code': code}).json()['token']}"}


def distance_at(client: TestClient, at: int | None, headers: dict[str, str]) -> dict[str, Any]:
    client.cookies.clear()
    where = "" if at is None else f"?at={at}"
    sheet = client.post(f"/api/v1/ask-pair{where}", json=PAIR, headers=headers).json()
    return dict(next(line["verdict"] for line in sheet["lines"] if line["slot"] == "distance"))


def open_past(client: TestClient, headers: dict[str, str], *, is_open: bool = True) -> Any:
    client.cookies.clear()
    return client.put("/api/v1/bench/past", json={"is_open": is_open}, headers=headers)


def test_what_may_not_be_measured_now_may_not_be_measured_then(client: TestClient) -> None:
    player = join(client, "players")

    assert distance_at(client, None, player)["status"] == "refused"
    assert distance_at(client, 2, player)["status"] == "refused"


def test_the_judge_opens_the_past_and_nothing_of_now(client: TestClient) -> None:
    player, judge = join(client, "players"), join(client, "judge")
    opened = open_past(client, judge)
    then = distance_at(client, 2, player)

    assert opened.json()["is_past_open"] is True
    assert then["status"] == "measured"
    assert then["measured"]
    assert distance_at(client, None, player)["status"] == "refused"


def test_what_was_opened_is_shut_again(client: TestClient) -> None:
    player, judge = join(client, "players"), join(client, "judge")
    open_past(client, judge)
    open_past(client, judge, is_open=False)

    assert distance_at(client, 2, player)["status"] == "refused"


def test_only_the_judge_opens_the_past(client: TestClient) -> None:
    assert open_past(client, join(client, "players")).status_code == 403


def test_it_stays_open_after_a_restart(client: TestClient, journal: MemoryJournal) -> None:
    open_past(client, join(client, "judge"))

    assert Hub(title="Table 4", journal=journal).is_past_open


def test_in_a_game_that_is_over_everything_may_be_measured(client: TestClient, journal: MemoryJournal) -> None:
    hub = Hub(title="again", journal=journal)
    hub.is_replay = True

    assert hub.is_past_open
