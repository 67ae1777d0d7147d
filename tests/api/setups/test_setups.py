"""What a table is played with, kept from game to game, and who is expected to stand on it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from api.live.hub import Hub
from api.seats.sessions import SeatSessions
from api.server.app import create_app
from api.setups.store import SetupStore
from models.state import TableState
from tests.api.fakes import ask
from tests.api.worlds import frame_report, skirmish, state_line

WOOD = {"id": "wood", "kind": "forest", "centre_mm": [600, 600], "diameter_mm": 150}
SMALL = {"shape": "round", "diameter_mm": 30}
LATE = [{"name": "late", "base": SMALL}]


def opened(hub: Hub, folder: Path) -> TestClient:
    return TestClient(create_app(hub, ask=ask, shelf=SetupStore(folder)), raise_server_exceptions=False)


@pytest.fixture
def hub() -> Hub:
    hub = Hub(title="test table")
    hub.handle_report(frame_report(state_line(skirmish())))
    return hub


@pytest.fixture
def phone(hub: Hub, tmp_path: Path) -> Iterator[TestClient]:
    with opened(hub, tmp_path) as client:
        yield client


def empty() -> TableState:
    """The same table, nothing on it, under another book."""
    return TableState(edition="hordes-mk2", table=skirmish().table)


def test_a_kept_table_is_laid_out_in_another_game_in_one_step(hub: Hub, phone: TestClient, tmp_path: Path) -> None:
    kept = phone.put("/api/v1/setups/Old Town").json()
    other = Hub(title="next game")
    other.handle_report(frame_report(state_line(empty())))
    with opened(other, tmp_path) as later:
        later.post("/api/v1/setups/old town/lay")
        laid = other.state
        later.post("/api/v1/corrections/undo")

    assert kept["parts"] == ["terrain", "rules", "expected"]
    assert laid is not None
    assert (laid.edition, laid.terrain) == (skirmish().edition, skirmish().terrain)
    assert other.state == empty()


def test_laid_terrain_takes_the_place_of_what_lies_there(hub: Hub, phone: TestClient) -> None:
    phone.post("/api/v1/setups", json={"name": "Wood", "terrain": [WOOD]})
    phone.post("/api/v1/setups/Wood/lay")

    assert hub.state is not None
    assert [piece.id for piece in hub.state.terrain] == ["wood"]
    assert hub.state.edition == skirmish().edition


def test_a_terrain_set_keeps_no_rules(phone: TestClient) -> None:
    phone.put("/api/v1/setups/Set", json={"parts": ["terrain"]})
    whole = phone.get("/api/v1/setups/Set").json()

    assert (whole["rules"], whole["expected"]) == (None, None)
    assert len(whole["terrain"]) == len(skirmish().terrain)


def test_setups_survive_the_server(phone: TestClient, hub: Hub, tmp_path: Path) -> None:
    phone.post("/api/v1/setups", json={"name": "Wood", "terrain": [WOOD]})
    with opened(hub, tmp_path) as later:
        names = [one["name"] for one in later.get("/api/v1/setups").json()]
        later.delete("/api/v1/setups/wood")

    assert names == ["Wood"]
    assert SetupStore(tmp_path).all() == ()


def test_a_spoilt_file_on_the_shelf_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("{")

    assert SetupStore(tmp_path).all() == ()


@pytest.mark.parametrize("size", [{"width_mm": 2400, "depth_mm": 1200}, {"width_mm": 2400}, {"depth_mm": 2400}])
def test_a_setup_of_a_larger_table_is_refused(hub: Hub, phone: TestClient, size: dict[str, float]) -> None:
    phone.post("/api/v1/setups", json={"name": "Huge", "terrain": [WOOD], **size})
    refused = phone.post("/api/v1/setups/Huge/lay")

    assert (refused.status_code, refused.json()["type"]) == (422, "correction/invalid")
    assert "2400 mm" in refused.json()["detail"]
    assert hub.state == skirmish()


@pytest.mark.parametrize("name", ["../../etc/passwd", "..%2Fsecret", "%00", ".hidden", "a" * 61])
def test_a_name_that_is_no_name_writes_nothing(phone: TestClient, tmp_path: Path, name: str) -> None:
    refused = phone.put(f"/api/v1/setups/{name}")

    assert refused.status_code in (404, 405, 422)
    assert list(tmp_path.rglob("*")) == []


def test_a_setup_nobody_kept_is_a_problem(phone: TestClient) -> None:
    assert phone.get("/api/v1/setups/none").json()["type"] == "setup/unknown"
    assert phone.post("/api/v1/setups/none/lay").status_code == 404


def test_expected_bases_are_told_with_those_that_may_be_them(phone: TestClient) -> None:
    roster = {"expected": [{"name": "Lancer", "base": SMALL}, {"name": "Ghost", "side": "red", "base": SMALL}]}
    lancer, ghost = phone.put("/api/v1/expected", json=roster).json()
    standing = skirmish().miniatures

    assert lancer["named"] == [m.id for m in standing if m.name == "Lancer"]
    assert ghost["named"] == []
    assert set(ghost["may_be"]) == {
        m.id for m in standing if m.base.model_dump()["shape"] == "round" and m.base.radius_mm == 15  # type: ignore[union-attr]
        and m.side in (None, "red") and m.name != "Lancer"
    }  # fmt: skip


def test_who_is_expected_is_kept_with_the_setup(phone: TestClient) -> None:
    roster: dict[str, Any] = {"expected": [{"name": "Lancer", "base": SMALL, "count": 3}]}
    phone.put("/api/v1/expected", json=roster)
    phone.put("/api/v1/setups/Army", json={"parts": ["expected"]})
    phone.put("/api/v1/expected", json={"expected": []})
    laid = phone.post("/api/v1/setups/Army/lay")

    assert laid.json() is None
    assert [one["expected"]["count"] for one in phone.get("/api/v1/expected").json()] == [3]


def test_spectators_keep_and_lay_out_nothing(hub: Hub) -> None:
    with TestClient(create_app(hub, ask=ask, seats=SeatSessions(hub.journal))) as phone:
        refused = [
            phone.put("/api/v1/setups/x"),
            phone.post("/api/v1/setups", json={"name": "x"}),
            phone.post("/api/v1/setups/x/lay"),
            phone.delete("/api/v1/setups/x"),
            phone.put("/api/v1/expected", json={"expected": []}),
        ]

    assert [answer.status_code for answer in refused] == [403] * 5


def test_a_setup_laid_over_what_was_told_meanwhile_is_refused(hub: Hub, phone: TestClient) -> None:
    phone.post(
        "/api/v1/setups", json={"name": "Wood", "terrain": [WOOD], "expected": [{"name": "late", "base": SMALL}]}
    )
    told = phone.post("/api/v1/corrections", json={"do": "lay", "terrain": [WOOD | {"kind": "hill"}]}).json()
    stale = phone.post("/api/v1/setups/Wood/lay?seen=0")
    looked = phone.post(f"/api/v1/setups/Wood/lay?seen={told['changed_n']}")

    assert (stale.status_code, stale.json()["type"]) == (409, "correction/told_meanwhile")
    assert looked.status_code == 200
    assert len(hub.undo_log.all()) == 2


def test_a_refused_setup_leaves_who_is_expected_as_it_was(hub: Hub, phone: TestClient) -> None:
    phone.post(
        "/api/v1/setups", json={"name": "Wood", "terrain": [WOOD], "expected": [{"name": "late", "base": SMALL}]}
    )
    phone.post("/api/v1/corrections", json={"do": "lay", "terrain": [WOOD | {"kind": "hill"}]})
    phone.post("/api/v1/setups/Wood/lay?seen=0")

    assert hub.expected.roster().expected == ()
