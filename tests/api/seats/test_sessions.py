"""Codes, seats and rights."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from api.errors import TooManyTries, WrongCode
from api.http.problems import add_problem_handlers
from api.journal.file_journal import NAME, FileJournal
from api.journal.interface import MemoryJournal
from api.routes import seats as seat_routes
from api.routes.auth import needs
from api.seats.permissions import Right, Seat
from api.seats.schemas import LETTERS
from api.seats.sessions import MOST_WRONG, MOST_WRONG_OF_ALL, RateLimit, SeatSessions
from api.server.journal_entries import ENTRY_CLASSES


def server(seats: SeatSessions | None) -> FastAPI:
    """A server with one deed for players and one for the judge."""
    app = FastAPI()
    app.state.seats = seats
    app.state.table = SimpleNamespace(hub=SimpleNamespace(journal=MemoryJournal()))
    add_problem_handlers(app)
    app.include_router(seat_routes.router)

    @app.post("/correct")
    def correct(seat: Annotated[Seat, needs(Right.CORRECT)]) -> str:
        return seat

    @app.post("/rule")
    def rule(seat: Annotated[Seat, needs(Right.RULE)]) -> str:
        return seat

    return app


@pytest.fixture
def seats() -> SeatSessions:
    return SeatSessions(MemoryJournal())


@pytest.fixture
def phone(seats: SeatSessions) -> Iterator[TestClient]:
    with TestClient(server(seats), follow_redirects=False) as client:
        yield client


def other(seats: SeatSessions) -> TestClient:
    """A second phone at the same table."""
    return TestClient(server(seats), follow_redirects=False)


def bearer(phone: TestClient, seats: SeatSessions, door: Any) -> dict[str, str]:
    joined = phone.post("/api/v1/join", json={"code": seats.codes[door]}).json()
    phone.cookies.clear()
    return {"Authorization": f"Bearer {joined['token']}"}


def test_a_code_has_six_letters_that_cannot_be_mistaken(seats: SeatSessions) -> None:
    assert all(len(code) == 6 and set(code) <= set(LETTERS) for code in seats.codes.values())
    assert not set("0O1ILU") & set(LETTERS)


def test_the_scanned_code_sits_the_phone_down_and_leads_to_its_page(phone: TestClient, seats: SeatSessions) -> None:
    followed = phone.get(f"/j/{seats.codes['judge']}?table=3")

    assert (followed.status_code, followed.headers["location"]) == (303, "/judge?table=3")
    assert phone.get("/api/v1/seat").json()["seat"] == "judge"


def test_a_typed_code_leads_where_the_scanned_one_does(phone: TestClient, seats: SeatSessions) -> None:
    page = phone.get("/join")
    typed = phone.get("/join", params={"code": seats.codes["judge"].lower()})
    followed = phone.get(typed.headers["location"])

    assert 'name="code"' in page.text
    assert followed.headers["location"] == "/judge"
    assert phone.get("/api/v1/seat").json()["seat"] == "judge"


@pytest.mark.parametrize("code", ["000000", "<script>", "../../x", "?x", "é"])
def test_a_wrong_typed_code_is_asked_for_again(phone: TestClient, code: str) -> None:
    page = phone.get(phone.get("/join", params={"code": code}).headers["location"])

    assert page.status_code == 403
    assert 'role="alert"' in page.text
    assert "<script>" not in page.text


def test_the_cookie_cannot_be_read_by_a_script(phone: TestClient, seats: SeatSessions) -> None:
    told = phone.get(f"/j/{seats.codes['players']}").headers["set-cookie"].lower()

    assert "httponly" in told
    assert "samesite=lax" in told


def test_the_first_two_phones_are_the_two_players(phone: TestClient, seats: SeatSessions) -> None:
    code = {"code": seats.codes["players"]}

    assert phone.post("/api/v1/join", json=code).json()["seat"] == "player-a"
    assert other(seats).post("/api/v1/join", json=code).json()["seat"] == "player-b"


def test_scanning_the_code_again_keeps_the_seat(phone: TestClient, seats: SeatSessions) -> None:
    code = {"code": seats.codes["players"]}
    first = phone.post("/api/v1/join", json=code).json()
    again = phone.post("/api/v1/join", json=code).json()

    assert (again["seat"], again["token"]) == (first["seat"], first["token"])


def test_a_player_may_take_the_other_chair(phone: TestClient, seats: SeatSessions) -> None:
    phone.post("/api/v1/join", json={"code": seats.codes["players"]})
    phone.put("/api/v1/seat", json={"seat": "player-b"})

    assert phone.get("/api/v1/seat").json()["seat"] == "player-b"
    assert seats.count_devices() == {"player-b": 1}


@pytest.mark.parametrize("typed", ["{}", " {} ", "{}\n"])
def test_a_code_is_understood_as_people_type_it(phone: TestClient, seats: SeatSessions, typed: str) -> None:
    code = seats.codes["judge"].lower()

    assert phone.post("/api/v1/join", json={"code": typed.format(f"{code[:3]}-{code[3:]}")}).json()["seat"] == "judge"


def test_a_wrong_code_opens_nothing(phone: TestClient) -> None:
    refused = phone.post("/api/v1/join", json={"code": "000000"})

    assert (refused.status_code, refused.json()["type"]) == (403, "seat/wrong_code")
    assert phone.get("/api/v1/seat").json() == {
        "seat": "viewer", "rights": ["watch", "ask"], "has_joined": False, "token": None, "table_key": None,
    }  # fmt: skip


def test_guessing_ends_after_ten_wrong_codes_and_begins_anew_a_minute_later() -> None:
    now_s = [100.0]
    seats = SeatSessions(MemoryJournal(), tries=RateLimit(clock=lambda: now_s[0]))
    phone = other(seats)
    tried = [phone.post("/api/v1/join", json={"code": "000000"}).status_code for _ in range(MOST_WRONG + 1)]
    right = phone.post("/api/v1/join", json={"code": seats.codes["judge"]}).status_code
    now_s[0] += 61

    assert tried == [403] * MOST_WRONG + [429]
    assert right == 429
    assert phone.post("/api/v1/join", json={"code": seats.codes["judge"]}).status_code == 200


@pytest.mark.parametrize(
    ("door", "may_correct", "may_rule"),
    [("players", 200, 403), ("judge", 200, 200), ("viewer", 403, 403), ("overlay", 403, 403)],
)
def test_each_seat_has_its_rights(
    phone: TestClient, seats: SeatSessions, door: str, may_correct: int, may_rule: int
) -> None:
    holding = bearer(phone, seats, door)

    assert phone.post("/correct", headers=holding).status_code == may_correct
    assert phone.post("/rule", headers=holding).status_code == may_rule


@pytest.mark.parametrize("token", ["", "nonsense", "\x00", "é"])
def test_a_token_that_nobody_knows_holds_no_seat(phone: TestClient, token: str) -> None:
    refused = phone.post("/correct", headers={"Authorization": b"Bearer " + token.encode()})

    assert (refused.status_code, refused.json()["type"]) == (403, "seat/not_allowed")


def test_at_an_open_table_everybody_is_a_player_and_nobody_a_judge() -> None:
    phone = other(SeatSessions(MemoryJournal(), unjoined="player-a"))

    assert phone.post("/correct").json() == "player-a"
    assert phone.post("/rule").status_code == 403


def test_a_server_without_seats_trusts_everybody() -> None:
    phone = TestClient(server(None))

    assert phone.post("/rule").json() == "judge"
    assert phone.post("/api/v1/join", json={"code": "ABCDEF"}).json()["type"] == "seat/none"


def test_codes_are_told_to_those_who_may_hand_them_out(phone: TestClient, seats: SeatSessions) -> None:
    def told(door: str) -> list[str]:
        answer = phone.get("/api/v1/seats", headers=bearer(phone, seats, door)).json()
        return [invitation["opens"] for invitation in answer["invitations"]]

    assert told("judge") == ["players", "judge", "viewer", "overlay"]
    assert told("players") == ["players", "viewer"]
    assert told("viewer") == []


def test_seats_and_codes_survive_a_restart(tmp_path: Path) -> None:
    with closing(FileJournal(tmp_path, ENTRY_CLASSES)) as journal:
        before = SeatSessions(journal)
        seat, token = before.join("judge")
    with closing(FileJournal(tmp_path, ENTRY_CLASSES)) as journal:
        after = SeatSessions(journal)

    assert after.codes == before.codes
    assert after.seat_of(token) == seat == "judge"


def test_no_token_stands_in_the_journal(tmp_path: Path) -> None:
    with closing(FileJournal(tmp_path, ENTRY_CLASSES)) as journal:
        _, token = SeatSessions(journal).join("judge")

    assert token not in (tmp_path / NAME).read_text()


def test_who_guesses_codes_from_many_addresses_is_stopped_and_locks_nobody_out(seats: SeatSessions) -> None:
    judged, addresses = 0, 60
    for address in range(addresses):
        for _ in range(MOST_WRONG):
            try:
                seats.door_of("222222", place=f"10.0.0.{address}")
            except WrongCode:
                judged += 1
            except TooManyTries:
                pass

    assert judged == MOST_WRONG_OF_ALL + addresses - MOST_WRONG_OF_ALL // MOST_WRONG
    assert seats.door_of(seats.codes["judge"], place="10.0.1.1") == "judge"
