"""What a judge sees of several tables."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from api.corrections.disputes import DisputeDeed, NewDispute
from api.live.hub import Hub, table_of
from api.seats.schemas import NewPlayer
from api.seats.sessions import SeatSessions
from api.server.app import create_app
from tests.api.fakes import ask
from tests.api.worlds import frame_report, skirmish, state_line

FOUR = {"name": "Table 4", "url": "http://192.168.1.24:8017"}


@pytest.fixture
def hub() -> Hub:
    hub = Hub(title="Table 3")
    hub.handle_report(frame_report(state_line(skirmish())))
    return hub


@pytest.fixture
def page(hub: Hub) -> Iterator[TestClient]:
    with TestClient(create_app(hub, ask=ask, seats=SeatSessions(hub.journal))) as client:
        yield client


def test_a_table_is_told_from_afar(page: TestClient) -> None:
    answer = page.get("/api/v1/glance")
    glance = answer.json()

    assert (glance["title"], glance["edition"], glance["miniatures"]) == ("Table 3", "warmachine-prime", 17)
    assert (glance["problem"], glance["devices"]) == (None, {})
    assert answer.headers["access-control-allow-origin"] == "*"


def test_what_its_players_dispute_is_told_from_afar_in_words_with_names(hub: Hub, page: TestClient) -> None:
    asked = NewDispute(
        query={"kind": "los", "viewer": "m7", "target": "m10"},
        a="m7",
        b="m10",
        title="A sees B",
        yes="Clear",
        no="Blocked",
    )
    hub.score.name_player("player-b", NewPlayer(name="Jonas"), by="player-b")
    before = page.get("/api/v1/glance").json()
    dispute = hub.disputes.open(asked, table_of(hub), by="player-a")
    hub.disputes.answer(DisputeDeed(how="judge"), table_of(hub), by="player-a", is_alone=False)

    glance = page.get("/api/v1/glance").json()

    assert (before["question"], glance["players"]) == (None, {"player-b": "Jonas"})
    assert glance["question"] == {"asked": "Trencher sees Sergeant", "at_s": dispute.at_s, "is_judge_called": True}


def test_nothing_else_is_told_to_pages_of_other_tables(page: TestClient) -> None:
    assert "access-control-allow-origin" not in page.get("/api/v1/state").headers


def test_a_table_nobody_has_seen_yet_can_be_glanced_at() -> None:
    with TestClient(create_app(Hub(title="dark"), ask=ask)) as page:
        glance = page.get("/api/v1/glance").json()

    assert (glance["edition"], glance["miniatures"]) == (None, 0)


def test_the_judge_puts_down_the_tables_and_nobody_else(hub: Hub, page: TestClient) -> None:
    refused = page.put("/api/v1/tables", json={"tables": [FOUR]})
    seats = SeatSessions(hub.journal)
    page.get(f"/j/{seats.codes['judge']}")
    page.put("/api/v1/tables", json={"tables": [FOUR | {"url": FOUR["url"] + "/j/ABCDEF"}]})

    assert refused.status_code == 403
    assert page.get("/api/v1/tables").json() == {"tables": [FOUR]}


@pytest.mark.parametrize("url", ["javascript:alert(1)", "http://", "", "192.168.1.24", "http:///"])
def test_what_is_no_address_is_refused(hub: Hub, url: str) -> None:
    with TestClient(create_app(hub, ask=ask)) as page:
        refused = page.put("/api/v1/tables", json={"tables": [FOUR | {"url": url}]})

    assert (refused.status_code, refused.json()["field"]) == (422, "tables.0.url")
