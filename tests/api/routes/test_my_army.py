"""My army over HTTP: losses, states and points of a list's units, each a step that is taken back and kept."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from api.corrections.told_facts import is_open_step
from api.journal.file_journal import FileJournal
from api.live.hub import Hub
from api.live.roll_call import call_roll
from api.server.journal_entries import ENTRY_CLASSES
from tests.api.lists.tables import TYPED_RED, deployed
from tests.api.routes.test_lists import entries, lay, name_as_proposed, opened
from tests.api.worlds import frame_report, state_line

POINTS = b"""Muster (200 points)

CHARACTERS

Bellwether (40 points)

INFANTRY

6 Reeve (90 points)

8 Slinger (70 points)
"""


@pytest.fixture
def hub() -> Hub:
    hub = Hub(title="test table")
    hub.handle_report(frame_report(state_line(deployed())))
    return hub


@pytest.fixture
def phone(hub: Hub, tmp_path: Path) -> Iterator[TestClient]:
    with opened(hub, tmp_path) as client:
        lay(client, TYPED_RED, "red")
        yield client


def units(phone: TestClient) -> dict[str, Any]:
    return {one["name"]: one for one in phone.get("/api/v1/lists").json()["units"]}


def entry_of(phone: TestClient, name: str) -> str:
    return str(entries(phone)[name]["expected"]["entry"])


def tell(phone: TestClient, name: str, **state: Any) -> Any:
    return phone.post("/api/v1/corrections", json={"do": "army", "unit": units(phone)[name]["unit"], **state})


def test_a_casualty_without_a_name_is_counted_and_taken_back(phone: TestClient) -> None:
    for _ in range(2):
        phone.post("/api/v1/lists/casualty", json={"entry": entry_of(phone, "Reeve")})
    lost = entries(phone)["Reeve"]
    phone.post("/api/v1/corrections/undo", json={"n": lost["casualty_step"]})

    assert (lost["casualties"], len(lost["proposed"])) == (2, 4)
    assert entries(phone)["Reeve"]["casualties"] == 1


def test_a_named_base_that_fell_stands_in_no_answer_and_waits_for_the_other_player(hub: Hub, phone: TestClient) -> None:
    name_as_proposed(phone, "Reeve")
    fallen = entries(phone)["Reeve"]["named"][0]
    unclear = phone.post("/api/v1/lists/casualty", json={"entry": entry_of(phone, "Reeve")})
    phone.post("/api/v1/lists/casualty", json={"entry": entry_of(phone, "Reeve"), "id": fallen})

    assert (unclear.status_code, unclear.json()["detail"]) == (422, "Say which of its bases fell.")
    assert hub.state is not None
    assert [m.id for m in hub.state.miniatures if "removed" in m.status] == [fallen]
    assert entries(phone)["Reeve"]["casualties"] == 1
    newest = hub.undo_log.all()[-1]
    assert is_open_step(type(newest)(**{**dict(newest), "by": "player-a"}))


def test_nobody_falls_who_is_not_there(phone: TestClient) -> None:
    entry = entry_of(phone, "Bellwether")
    phone.post("/api/v1/lists/casualty", json={"entry": entry})

    again = phone.post("/api/v1/lists/casualty", json={"entry": entry})
    stranger = phone.post("/api/v1/lists/casualty", json={"entry": entry, "id": "m3"})

    assert again.json()["detail"] == "Nobody is left of Bellwether."
    assert (stranger.status_code, stranger.json()["value"]) == (422, "m3")
    assert units(phone)["Bellwether"]["is_destroyed"]


def test_each_word_of_a_unit_stays_until_another_of_its_kind(phone: TestClient) -> None:
    tell(phone, "Reeve", inside=units(phone)["Bellwether"]["unit"], damage="3 of 8", note="has the banner")
    tell(phone, "Reeve", is_activated=True)
    tell(phone, "Reeve", damage="4 of 8")

    assert units(phone)["Reeve"]["state"] == {
        "is_in_reserve": False, "inside": units(phone)["Bellwether"]["unit"], "damage": "4 of 8", "is_activated": True,
        "note": "has the banner",
    }  # fmt: skip


def test_a_new_turn_rests_all_units_of_a_side_in_one_step(hub: Hub, phone: TestClient) -> None:
    for name in ("Reeve", "Slinger"):
        tell(phone, name, is_activated=True)
    steps = len(hub.undo_log.all())
    phone.post("/api/v1/lists/new-turn", json={"side": "red"})
    again = phone.post("/api/v1/lists/new-turn", json={"side": "red"})

    assert not any(unit["state"]["is_activated"] for unit in units(phone).values())
    assert len(hub.undo_log.all()) == steps + 1
    assert again.status_code == 422


def test_a_unit_in_reserve_is_neither_lost_nor_missing(hub: Hub, phone: TestClient) -> None:
    name_as_proposed(phone, "Reeve")
    standing = [m for m in deployed().miniatures if m.id in {f"m{n}" for n in range(6, 15)}]
    hub.handle_report(frame_report(state_line(deployed().with_miniatures(tuple(standing)))))
    tell(phone, "Reeve", is_in_reserve=True)
    reserve = units(phone)["Reeve"]
    assert hub.state is not None
    sheet = call_roll(hub.state, hub.expected.roster().expected, hub.undo_log.all())
    tell(phone, "Reeve", is_in_reserve=False)

    assert (reserve["casualties"], units(phone)["Reeve"]["casualties"]) == (0, 6)
    assert next(side.away for side in sheet.sides if side.side == "red") == 6


def test_points_are_destroyed_with_the_last_of_a_unit(phone: TestClient) -> None:
    lay(phone, POINTS, "red")
    for _ in range(5):
        phone.post("/api/v1/lists/casualty", json={"entry": entry_of(phone, "Reeve")})
    before = phone.get("/api/v1/lists").json()["points"]
    phone.post("/api/v1/lists/casualty", json={"entry": entry_of(phone, "Reeve")})

    assert before == [{"side": "red", "total": 200, "destroyed": 0}]
    assert phone.get("/api/v1/lists").json()["points"] == [{"side": "red", "total": 200, "destroyed": 90}]


def test_losses_and_states_are_there_after_a_restart(tmp_path: Path) -> None:
    for is_first in (True, False):
        journal = FileJournal(tmp_path / "data", ENTRY_CLASSES)
        hub = Hub(title="kept", journal=journal)
        if is_first:
            hub.handle_report(frame_report(state_line(deployed())))
        with opened(hub, tmp_path) as phone:
            if is_first:
                lay(phone, TYPED_RED, "red")
                tell(phone, "Reeve", damage="2 boxes")
                phone.post("/api/v1/lists/casualty", json={"entry": entry_of(phone, "Slinger")})
            kept = units(phone)
        journal.close()

    assert (kept["Reeve"]["state"]["damage"], kept["Slinger"]["casualties"]) == ("2 boxes", 1)


@pytest.mark.parametrize(
    "body", [{"unit": "red-reeve-0"}, {"unit": "x", "inside": "x"}, {"unit": "x", "note": "n" * 401}]
)
def test_a_word_that_says_nothing_or_too_much_is_refused(phone: TestClient, body: dict[str, str]) -> None:
    assert phone.post("/api/v1/corrections", json={"do": "army", **body}).status_code == 422
