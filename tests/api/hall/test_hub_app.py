"""The hub over HTTP: each table by its own key, judges by their codes."""

import asyncio
import json
import signal
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from api.hall.envelope import BATCH
from api.hall.errors import HubAway, HubRefused
from api.hall.hub_app import create_hub_app
from api.hall.keys import EventKeys, TableKey, make_keys, write_keys
from api.hall.store import HallStore
from api.hall.table_link import HttpTransport
from api.journal.file_journal import NAME
from tests.api.hall.test_hall import envelope
from tests.api.serving import call_api, find_free_port, read_addresses, serve_app, start_program
from tests.house.test_wheel import STATE

PATIENCE_S = 120
Made = tuple[EventKeys, tuple[TableKey, ...]]


@pytest.fixture(scope="module")
def made() -> Made:
    return make_keys("spring", tables=12, judges=("Anna", "Ben"), call_stops_clock=True)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[HallStore]:
    opened = HallStore(f"sqlite:///{tmp_path / 'hall.sqlite'}", "spring", tables=range(1, 13))
    yield opened
    opened.close()


@pytest.fixture
def client(store: HallStore, made: Made) -> Iterator[TestClient]:
    with TestClient(create_hub_app(store, made[0])) as client:
        yield client


def as_table(made: Made, number: int) -> dict[str, str]:
    return {"Authorization": f"Bearer {made[1][number - 1].token}"}


def as_seat(made: Made, name: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {next(one.token for one in made[0].seats if one.name == name)}"}


def wait_until(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < until, "it did not come to hold"
        time.sleep(0.02)


def test_a_table_writes_under_its_own_number_only(client: TestClient, made: Made) -> None:
    body = f"[{envelope(1).model_dump_json()}]"
    own = client.post("/api/v1/hall/tables/12/journal", content=body, headers=as_table(made, 12))
    other = client.post("/api/v1/hall/tables/12/journal", content=body, headers=as_table(made, 11))
    nobody = client.post("/api/v1/hall/tables/12/journal", content=body)

    assert (own.status_code, other.status_code, nobody.status_code) == (204, 403, 403)
    assert other.json()["type"] == "hall/wrong_key"


@pytest.mark.parametrize("body", [b"", b"{}", b"[5]", b"\xff", b'[{"lineversion": 9}]'])
def test_what_is_no_batch_is_refused_and_nothing_of_it_kept(client: TestClient, made: Made, body: bytes) -> None:
    refused = client.post("/api/v1/hall/tables/12/journal", content=body, headers=as_table(made, 12))

    assert (refused.status_code, refused.json()["type"]) == (422, "hall/bad_message")
    assert client.get("/api/v1/hall/tables/12/journal", headers=as_table(made, 12)).json() is None


def test_the_hub_tells_its_newest_line(client: TestClient, made: Made) -> None:
    headers = as_table(made, 12) | {"Content-Type": BATCH}
    one = envelope(1)
    client.post("/api/v1/hall/tables/12/journal", content=f"[{one.model_dump_json()}]", headers=headers)
    tail = client.get("/api/v1/hall/tables/12/journal", headers=headers).json()

    assert tail == {"journal": one.journal, "line": 1, "sha256": one.sha256}


@pytest.mark.parametrize("code", ["ÄÖÜ234", "不戦勝不戦勝", "２３４５６７"])
def test_a_code_of_letters_that_no_code_has_is_wrong(client: TestClient, code: str) -> None:
    assert client.post("/api/v1/join", json={"code": code}).status_code == 403
    assert client.get("/t/12", params={"key": code}).status_code == 403


def test_the_hall_is_for_its_officials(client: TestClient, made: Made) -> None:
    statuses = [client.get("/api/v1/hall", headers=h).status_code for h in ({}, as_seat(made, "Stream"))]
    seen = client.get("/api/v1/hall", headers=as_seat(made, "Anna"))

    assert statuses == [403, 403]
    assert [one["number"] for one in seen.json()["tables"]] == list(range(1, 13))
    assert "judge_code" not in seen.text


def test_only_the_organiser_lets_another_journal_in(client: TestClient, made: Made) -> None:
    path = "/api/v1/hall/tables/12/release"

    assert client.post(path, headers=as_seat(made, "Anna")).status_code == 403
    assert client.post(path, headers=as_seat(made, "Organiser")).status_code == 204


def test_a_wrong_code_opens_nothing(client: TestClient, made: Made) -> None:
    answers = [client.post("/api/v1/join", json={"code": "ZZZZZZ"}).status_code for _ in range(11)]

    assert answers == [403] * 10 + [429]


def test_a_code_opens_its_seat(client: TestClient, made: Made) -> None:
    (anna,) = (one for one in made[0].seats if one.name == "Anna")
    joined = client.post("/api/v1/join", json={"code": anna.code.lower()}).json()

    assert (joined["seat"], joined["name"], joined["token"]) == ("judge", "Anna", anna.token)


def test_a_transport_says_why_the_hub_takes_nothing(store: HallStore, made: Made) -> None:
    stranger = TableKey(event="spring", table=3, token="x" * 24)
    with serve_app(create_hub_app(store, made[0])) as url, pytest.raises(HubRefused, match="not the key of table 3"):
        asyncio.run(HttpTransport(url, stranger).read_tail())
    with pytest.raises(HubAway):
        asyncio.run(HttpTransport(url, stranger).read_tail())


class Hall:
    """A hub and a table as an organiser starts them, each in its process and its folder."""

    def __init__(self, folder: Path, made: Made) -> None:
        self.folder, self.made, self.port = folder, made, find_free_port()
        write_keys(folder / "keys", *made)
        (folder / "state.json").write_text(json.dumps(STATE))
        self.url = f"http://127.0.0.1:{self.port}/"

    def hub(self, **environment: str) -> Any:
        folders = ("--keys", str(self.folder / "keys"), "--data", str(self.folder / "hub"))
        return start_program("hub", "run", *folders, port=self.port, environment=environment)

    def send(self, path: str, data: bytes, token: str) -> None:
        headers = {"Authorization": f"Bearer {token}"}
        urllib.request.urlopen(urllib.request.Request(f"{self.url}api/v1/{path}", data, headers), timeout=120).close()

    def table(self) -> Any:
        files = ("--state", str(self.folder / "state.json"), "--data", str(self.folder / "table"))
        hall = ("--hub", self.url, "--table", "3", "--key", str(self.folder / "keys" / "table-3.json"))
        return start_program("serve", *files, *hall)

    def ask_judge(self, path: str, **rest: Any) -> Any:
        return call_api(self.url, path, token=as_seat(self.made, "Anna")["Authorization"][7:], **rest)

    def written(self) -> list[str]:
        return (self.folder / "table" / NAME).read_text("utf-8").splitlines()

    def held(self) -> list[str]:
        store = HallStore(f"sqlite:///{self.folder / 'hub' / 'hall.sqlite'}", "spring", tables=[])
        try:
            return store.texts_of(3)
        finally:
            store.close()


@pytest.fixture
def hall(tmp_path: Path, made: Made) -> Hall:
    return Hall(tmp_path, made)


def test_a_hub_killed_in_the_middle_has_every_line_once_when_it_is_back(hall: Hall) -> None:
    with hall.table() as table:
        told = read_addresses(table)
        token = call_api(told["urls"][0], "join", body={"code": told["join"]["judge"][-6:]}, method="POST")["token"]

        def set_clocks(minutes: int) -> None:
            call_api(told["urls"][0], "clocks", token=token, body={"minutes": minutes}, method="PUT")

        set_clocks(10)  # before any hub is there
        with hall.hub() as hub:
            read_addresses(hub)
            wait_until(lambda: hall.held() == hall.written())
            for n in range(20):
                set_clocks(20 + n)
            hub.send_signal(signal.SIGKILL)
            hub.wait(120)
        set_clocks(50)  # the table plays on
        with hall.hub() as hub:
            read_addresses(hub)
            wait_until(lambda: hall.held() == hall.written())

    assert len(hall.held()) >= 23


def test_a_call_is_taken_ruled_and_closed_and_the_table_goes_on(hall: Hall) -> None:
    with hall.hub() as hub, hall.table() as table:
        read_addresses(hub)
        told = read_addresses(table)
        url = told["urls"][0]
        judge = call_api(url, "join", body={"code": told["join"]["judge"][-6:]}, method="POST")["token"]
        player = call_api(url, "join", body={"code": told["join"]["players"][-6:]}, method="POST")["token"]
        call_api(url, "clocks", token=judge, body={"minutes": 60}, method="PUT")
        call_api(url, "clocks/pass", token=player, body={"to": "player-a"}, method="POST")
        call_api(url, "call", token=player, body={"verdict": "Charge: yes, by 1.2 mm"}, method="POST")
        stopped = call_api(url, "clocks")
        wait_until(lambda: bool(hall.ask_judge("hall")["calls"]))
        (call,) = hall.ask_judge("hall")["calls"]
        hall.ask_judge(f"hall/calls/{call['id']}/take", method="POST")
        hall.ask_judge(f"hall/calls/{call['id']}/rule", body={"said": "The charge stands"}, method="POST")
        wait_until(lambda: call_api(url, "call")["says"] == "Anna rules: The charge stands")
        hall.ask_judge(f"hall/calls/{call['id']}/close", body={"extension_s": 120}, method="POST")
        wait_until(lambda: not call_api(url, "call")["is_open"])
        clocks = call_api(url, "clocks")

    assert (call["table"], call["verdict"], call["state"]) == (3, "Charge: yes, by 1.2 mm", "waiting")
    assert stopped["stop"]["why"] == "ruling"
    assert clocks["stop"] is None
    assert [one["by_s"] for one in clocks["extensions"]] == [120]


def test_a_table_without_a_hall_says_so() -> None:
    from api.live.hub import Hub
    from api.server.app import create_app
    from tests.api.fakes import ask

    with TestClient(create_app(Hub(title="alone"), ask=ask)) as page:
        refused = page.post("/api/v1/call", json={})

    assert (refused.status_code, refused.json()["type"]) == (409, "hall/none")


def test_a_hub_asked_by_another_sites_name_answers_nothing(client: TestClient, made: Made) -> None:
    refused = client.get("/api/v1/hall", headers=as_seat(made, "Anna") | {"Host": "evil.example"})

    assert (refused.status_code, refused.json()["type"]) == (421, "seat/unknown_host")


def test_a_hub_answers_to_the_name_it_was_started_with(store: HallStore, made: Made) -> None:
    with TestClient(create_hub_app(store, made[0], names=("hall.example",))) as client:
        answer = client.get("/api/v1/hall", headers=as_seat(made, "Anna") | {"Host": "hall.example:8020"})

    assert answer.status_code == 200


def test_answers_of_the_hub_carry_the_headers_of_a_tables(client: TestClient) -> None:
    headers = client.get("/api/v1/seat").headers

    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-store"


def test_the_hub_reads_no_body_that_is_longer_than_needed(client: TestClient, made: Made) -> None:
    long = b'{"said": "' + b"x" * 1_100_000 + b'"}'
    judge = client.post("/api/v1/hall/calls/1/rule", content=long, headers=as_seat(made, "Anna"))
    nobody = client.post("/api/v1/hall/calls/1/rule", content=b"no JSON")

    assert (judge.status_code, judge.json()["type"]) == (413, "input/too_much")
    assert nobody.status_code == 403


def test_a_batch_of_lines_may_be_as_long_as_pictures_make_it(client: TestClient, made: Made) -> None:
    body = f"[{envelope(1, 'x' * 2_000_000).model_dump_json()}]"

    assert client.post("/api/v1/hall/tables/12/journal", content=body, headers=as_table(made, 12)).status_code == 204
