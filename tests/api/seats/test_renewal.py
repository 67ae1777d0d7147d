"""Codes are renewed and seats withdrawn by the judge, also after a restart; a judge is asked before leaving."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from api.journal.interface import MemoryJournal
from api.live.hub import Hub
from api.seats.permissions import Door
from api.seats.sessions import SeatSessions
from api.server.app import create_app
from tests.api.fakes import ask


@pytest.fixture
def seats() -> SeatSessions:
    return SeatSessions(MemoryJournal())


@pytest.fixture
def client(seats: SeatSessions) -> Iterator[TestClient]:
    with TestClient(create_app(Hub(title="x"), ask=ask, seats=seats)) as client:
        yield client


def join(client: TestClient, seats: SeatSessions, door: Door) -> dict[str, str]:
    told = client.post("/api/v1/join", json={"code": seats.codes[door]}).json()
    client.cookies.clear()
    return {"Authorization": f"Bearer {told['token']}"}


def seat(client: TestClient, headers: dict[str, str]) -> str:
    return str(client.get("/api/v1/seat", headers=headers).json()["seat"])


def test_the_old_code_opens_nothing_and_who_sits_stays(client: TestClient, seats: SeatSessions) -> None:
    judge, player, old = join(client, seats, "judge"), join(client, seats, "players"), seats.codes["players"]
    told = client.post("/api/v1/seats/renew", json={"door": "players"}, headers=judge).json()

    assert {one["code"] for one in told["invitations"]} == set(seats.codes.values())
    assert client.post("/api/v1/join", json={"code": old}).status_code == 403
    assert seat(client, player) == "player-a"


@pytest.mark.parametrize("door", ["players", "judge"])
def test_withdrawn_seats_are_gone_but_the_askers_also_after_a_restart(
    client: TestClient, seats: SeatSessions, door: Door
) -> None:
    judge, other = join(client, seats, "judge"), join(client, seats, door)
    client.post("/api/v1/seats/renew", json={"door": door, "withdraws": True}, headers=judge)

    assert (seat(client, judge), seat(client, other)) == ("judge", "viewer")
    again = SeatSessions(seats._journal)
    assert again.codes == seats.codes
    assert again.seat_of(other["Authorization"].split()[1]) == "viewer"
    assert again.seat_of(judge["Authorization"].split()[1]) == "judge"


def test_a_player_renews_nothing(client: TestClient, seats: SeatSessions) -> None:
    player, before = join(client, seats, "players"), seats.codes

    assert client.post("/api/v1/seats/renew", json={"door": "players"}, headers=player).status_code == 403
    assert seats.codes == before


def test_a_judge_who_opens_the_players_link_is_asked_and_stays_judge(client: TestClient, seats: SeatSessions) -> None:
    judge = join(client, seats, "judge")
    link = f"/j/{seats.codes['players']}"

    assert "You are the judge" in client.get(link, headers=judge, follow_redirects=False).text
    assert seat(client, judge) == "judge"
    assert client.get(f"{link}?leave=true", headers=judge, follow_redirects=False).status_code == 303
