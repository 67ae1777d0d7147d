"""Rounds over HTTP: who may, what a real table does when a round begins, and what players enter there."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from api.hall.hall_records import HallRecords
from api.hall.hub_app import create_hub_app
from api.hall.store import HallStore
from tests.api.hall.test_hub_app import Hall, Made, as_seat, wait_until
from tests.api.hall.test_hub_app import made as made  # the fixture
from tests.api.serving import call_api, read_addresses

PAIRINGS = b"Table,Player 1,Player 2,Army 1\n3,Ada,Ben,Cygnar\n4,Cem,Dot,Khador\n"


@pytest.fixture
def client(tmp_path: Path, made: Made) -> Iterator[TestClient]:
    store = HallStore(f"sqlite:///{tmp_path / 'hall.sqlite'}", "spring", tables=range(1, 13))
    with TestClient(create_hub_app(store, made[0])) as client:
        yield client
    store.close()


def test_the_organiser_imports_and_a_judge_does_not(client: TestClient, made: Made) -> None:
    judge = client.post("/api/v1/hall/rounds?round=1", content=PAIRINGS, headers=as_seat(made, "Anna"))
    organiser = client.post("/api/v1/hall/rounds?round=1", content=PAIRINGS, headers=as_seat(made, "Organiser"))

    assert judge.status_code == 403
    assert organiser.json() == {"rounds": [1], "round": 1, "pairings": 2, "ignored": []}


def test_columns_that_were_mapped_once_are_remembered(client: TestClient, made: Made) -> None:
    headers, data = as_seat(made, "Organiser"), b"Tisch,Heim,Gast\n3,Ada,Ben\n"
    unknown = client.post("/api/v1/hall/rounds?round=1", content=data, headers=headers).json()
    settings = client.get("/api/v1/hall", headers=headers).json()["settings"]
    mapped = settings | {"columns": {"Heim": "player_a", "Gast": "player_b"}}
    client.put("/api/v1/hall/settings", json=mapped, headers=headers)

    assert (unknown["type"], unknown["columns"]) == ("hall/bad_pairings", ["Tisch", "Heim", "Gast"])
    assert client.post("/api/v1/hall/rounds?round=1", content=data, headers=headers).status_code == 201
    assert client.post("/api/v1/hall/rounds?round=2", content=data, headers=headers).status_code == 201


@pytest.mark.parametrize(
    ("changes", "type_"),
    [({"columns": {"Heim": "player_x"}}, "hall/bad_pairings"), ({"featured": 13}, "hall/unknown_table")],
)
def test_settings_that_mean_nothing_are_refused(
    client: TestClient, made: Made, changes: dict[str, object], type_: str
) -> None:
    headers = as_seat(made, "Organiser")
    settings = client.get("/api/v1/hall", headers=headers).json()["settings"]
    refused = client.put("/api/v1/hall/settings", json=settings | changes, headers=headers)

    assert refused.json()["type"] == type_


def test_results_go_out_as_csv_and_json(client: TestClient, made: Made) -> None:
    headers = as_seat(made, "Organiser")
    client.post("/api/v1/hall/rounds?round=1", content=PAIRINGS, headers=headers)
    client.post("/api/v1/hall/rounds/1/start", json={}, headers=headers)
    won = {"winner": "player-b", "points_a": 2, "points_b": 5}
    client.put("/api/v1/hall/rounds/1/tables/4/result", json=won, headers=as_seat(made, "Anna"))
    penalty = {"player": "Dot", "table": 4, "penalty": "Warning"}
    client.post("/api/v1/hall/penalties", json=penalty, headers=as_seat(made, "Anna"))
    rows = client.get("/api/v1/hall/export.csv", headers=headers).text.splitlines()
    told = client.get("/api/v1/hall/export.json", headers=headers).json()

    assert rows[1:] == ["1,3,Ada,Ben,Cygnar,,,,,,,", "1,4,Cem,Dot,Khador,,,,Dot,2,5,Anna"]
    assert told["rounds"][0]["pairings"][1]["result"] == won
    assert [(one["player"], one["round"], one["by"]) for one in told["penalties"]] == [("Dot", 1, "Anna")]


def test_an_event_is_paired_without_another_program(client: TestClient, made: Made) -> None:
    headers, judge = as_seat(made, "Organiser"), as_seat(made, "Anna")

    def post(path: str, body: object = None) -> Any:
        return client.post(f"/api/v1/hall/{path}", json=body, headers=headers)

    def seated(view: dict[str, Any]) -> list[str]:
        pairs_ = [(pairing["a"], pairing["b"]) for pairing in view["pairings"]]
        return sorted(player["name"] for pair in pairs_ for player in pair if player)

    entered = post("players", {"players": [{"name": name} for name in ("Ada", "Ben", "Cem")]})
    twice = post("players", {"players": [{"name": "Dot"}, {"name": "ada"}]})
    first = post("rounds/1/pair").json()
    post("rounds/1/start", {})
    early = post("rounds/2/pair")
    late = post("players", {"players": [{"name": "Dot", "team": "Reds"}]}).json()
    (game,) = (pairing for pairing in first["pairings"] if pairing["b"])
    result = {"winner": "player-a", "points_a": 5}
    client.put(f"/api/v1/hall/rounds/1/tables/{game['table']}/result", json=result, headers=judge)
    second = post("rounds/2/pair").json()
    dropped = post("players/drop", {"name": "BEN"}).json()
    third = post("rounds/2/pair").json()
    standings = client.get("/api/v1/hall/standings").json()

    assert (entered.status_code, twice.status_code, twice.json()["type"]) == (201, 422, "hall/bad_pairings")
    assert (early.status_code, "has no result yet" in early.json()["detail"]) == (409, True)
    assert {player["name"]: player["joined"] for player in late}["Dot"] == 2
    assert [seated(view) for view in (first, second, third)] == [
        ["Ada", "Ben", "Cem"], ["Ada", "Ben", "Cem", "Dot"], ["Ada", "Cem", "Dot"],
    ]  # fmt: skip
    assert dropped["dropped"] == 1
    assert standings["tie_breaks"] == ["points", "strength of schedule", "head to head", "game points"]
    assert sorted(one["points"] for one in standings["standings"]) == [0.0, 0.0, 1.0, 1.0]
    assert client.post("/api/v1/hall/rounds/1/pair", headers=judge).status_code == 403


@pytest.mark.parametrize("path", ["rounds/{}/end", "calls/{}/take", "penalties/{}/withdraw", "tables/{}/release"])
def test_a_number_beyond_what_the_database_counts_to_is_refused(client: TestClient, made: Made, path: str) -> None:
    answer = client.post(
        f"/api/v1/hall/{path.format(10**30)}", json={"reason": "x"}, headers=as_seat(made, "Organiser")
    )

    assert answer.status_code == 422


def test_a_round_sets_names_sides_lists_and_clocks_on_a_real_table(tmp_path: Path, made: Made) -> None:
    hall = Hall(tmp_path, made)
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists" / "ada.txt").write_text("3 Trencher, Ada, 30\n")
    organiser = as_seat(made, "Organiser")["Authorization"][7:]
    with hall.hub(TABLESIDE_HALL=json.dumps({"lists": str(tmp_path / "lists")})) as hub, hall.table() as table:
        read_addresses(hub)
        told = read_addresses(table)
        url, code = told["urls"][0], told["join"]["players"][-6:]
        players = [call_api(url, "join", body={"code": code}, method="POST")["token"] for _ in range(2)]
        data = b"Table,Player 1,Player 2,List 1\n3,Ada,Ben,ada.txt\n"
        hall.send("hall/rounds?round=1", data, organiser)
        call_api(hall.url, "hall/rounds/1/start", token=organiser, body={"clock_minutes": 50}, method="POST")
        wait_until(lambda: call_api(url, "clocks") is not None)
        wait_until(lambda: bool(call_api(url, "lists")["lists"]))
        match, clocks = call_api(url, "match"), call_api(url, "clocks")
        sides = call_api(url, "state")["sides"]
        for player in players:
            call_api(url, "match/result", token=player, body={"winner": "player-a", "points_a": 5}, method="PUT")
        wait_until(lambda: hall.ask_judge("hall")["rounds"][0]["pairings"][0]["confirmed_by"] == "both players")
        agreed = call_api(url, "match")["agreed"]

    assert (match["round"], match["players"]) == (1, {"player-a": "Ada", "player-b": "Ben"})
    assert 0 < match["left_s"] <= 150 * 60
    assert clocks["total_s"] == 3000
    assert [side["id"] for side in sides] == ["Ada", "Ben"]
    assert agreed == {"winner": "player-a", "points_a": 5, "points_b": 0}


def enter(client: TestClient, made: Made, *names: str) -> dict[str, str]:
    headers = as_seat(made, "Organiser")
    client.post("/api/v1/hall/players", json={"players": [{"name": name} for name in names]}, headers=headers)
    return headers


def test_once_anybody_is_checked_in_only_those_who_are_here_are_paired(client: TestClient, made: Made) -> None:
    headers = enter(client, made, "Ada", "Ben", "Cem")
    for name in ("ada", "Cem"):
        client.post("/api/v1/hall/players/check-in", json={"name": name}, headers=as_seat(made, "Anna"))
    (game,) = client.post("/api/v1/hall/rounds/1/pair", headers=headers).json()["pairings"]
    client.post("/api/v1/hall/players/check-in", json={"name": "Cem", "is_here": False}, headers=headers)
    alone = client.post("/api/v1/hall/rounds/1/pair", headers=headers)

    assert {game["a"]["name"], game["b"]["name"]} == {"Ada", "Cem"}
    assert (alone.status_code, alone.json()["detail"]) == (422, "1 players are there for round 1")


def test_a_player_checks_in_by_the_code_at_the_desk_while_it_is_open(client: TestClient, made: Made) -> None:
    headers = enter(client, made, "Ada", "Ben")
    closed = client.post("/api/v1/hall/check-in", json={"name": "Ada", "code": "K7Q2MD"})
    settings = client.get("/api/v1/hall", headers=headers).json()["settings"]
    client.put("/api/v1/hall/settings", json=settings | {"check_in": "K7Q2MD"}, headers=headers)
    wrong = client.post("/api/v1/hall/check-in", json={"name": "Ada", "code": "K7Q2ME"})
    here = client.post("/api/v1/hall/check-in", json={"name": "ada", "code": "k7q2md"})
    nobody = client.post("/api/v1/hall/check-in", json={"name": "Eve", "code": "K7Q2MD"})

    assert [one.json()["type"] for one in (closed, wrong)] == ["seat/wrong_code", "seat/wrong_code"]
    assert (here.status_code, here.json()["is_here"]) == (200, True)
    assert nobody.json()["detail"] == "'Eve' does not play in this event"


def test_the_whole_event_is_read_again_with_its_players_and_standings(
    client: TestClient, made: Made, tmp_path: Path
) -> None:
    headers = enter(client, made, "Ada", "Ben", "Cem", "Dot", "Eve")
    for number in (1, 2):
        view = client.post(f"/api/v1/hall/rounds/{number}/pair", headers=headers).json()
        client.post(f"/api/v1/hall/rounds/{number}/start", json={}, headers=headers)
        for game in (pairing for pairing in view["pairings"] if pairing["b"]):
            path = f"/api/v1/hall/rounds/{number}/tables/{game['table']}/result"
            client.put(path, json={"winner": "player-a", "points_a": 5}, headers=headers)
        client.post(f"/api/v1/hall/rounds/{number}/end", headers=headers)
    client.post("/api/v1/hall/players/drop", json={"name": "Eve"}, headers=headers)
    whole = client.get("/api/v1/hall/export.json", headers=headers).content
    store = HallStore(f"sqlite:///{tmp_path / 'again.sqlite'}", "spring", tables=range(1, 13))
    with TestClient(create_hub_app(store, made[0])) as again:
        again.post("/api/v1/hall/rounds", content=whole, headers=headers)
        players = again.get("/api/v1/hall/players", headers=headers).json()
        standings = again.get("/api/v1/hall/standings").json()
    store.close()

    assert players == client.get("/api/v1/hall/players", headers=headers).json()
    assert standings == client.get("/api/v1/hall/standings").json()
    assert standings["rounds"] == 2


def test_pages_of_officials_and_of_anybody_show_the_standings(client: TestClient, made: Made) -> None:
    headers = enter(client, made, "Ada", "Ben")
    wait_until(lambda: len(client.get("/api/v1/hall/public").json()["standings"]) == 2)
    view = client.get("/api/v1/hall", headers=headers).json()

    assert [one["name"] for one in view["players"]] == ["Ada", "Ben"]
    assert [one["place"] for one in view["standings"]] == [1, 1]
    assert "players" not in client.get("/api/v1/hall/public").json()


def test_a_pairing_that_is_changed_late_tells_the_table_what_is_left_of_the_round(made: Made, tmp_path: Path) -> None:
    now_s = [1000.0]
    store = HallStore(f"sqlite:///{tmp_path / 'late.sqlite'}", "spring", tables=range(1, 13), clock=lambda: now_s[0])
    with TestClient(create_hub_app(store, made[0])) as client:
        headers = as_seat(made, "Organiser")
        client.post("/api/v1/hall/rounds?round=1", content=PAIRINGS, headers=headers)
        client.post("/api/v1/hall/rounds/1/start", json={"minutes": 60}, headers=headers)
        now_s[0] += 1200
        swapped = [
            {"table": 3, "a": {"name": "Ada"}, "b": {"name": "Cem"}},
            {"table": 4, "a": {"name": "Ben"}, "b": {"name": "Dot"}},
        ]
        client.put("/api/v1/hall/rounds/1/pairings", json={"pairings": swapped}, headers=headers)
        orders = [order for table in (3, 4) for order in HallRecords(store).calls.orders_of(table, after=0)]
    store.close()

    assert [order.facts["left_s"] for order in orders] == [3600, 2400, 3600, 2400]
