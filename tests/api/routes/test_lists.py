"""Army lists over HTTP: laid out, named from, kept, and refused in one clear problem."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from api.cards.card_file import load_library
from api.journal.file_journal import FileJournal
from api.lists import army
from api.live.hub import Hub
from api.server.app import create_app
from api.server.journal_entries import ENTRY_CLASSES
from models.state import TableState
from tests.api.fakes import ask
from tests.api.lists.tables import TYPED_BLUE, TYPED_RED, deployed
from tests.api.worlds import frame_report, regiments, state_line


@pytest.fixture
def hub() -> Hub:
    hub = Hub(title="test table")
    hub.handle_report(frame_report(state_line(deployed())))
    return hub


@pytest.fixture
def phone(hub: Hub, tmp_path: Path) -> Iterator[TestClient]:
    with opened(hub, tmp_path) as client:
        yield client


def opened(hub: Hub, folder: Path) -> TestClient:
    app = create_app(hub, ask=ask, cards=lambda: load_library(folder))
    return TestClient(app, raise_server_exceptions=False)


def lay(phone: TestClient, raw: bytes, side: str) -> Any:
    return phone.post(f"/api/v1/lists?side={side}&name={side}.txt", content=raw)


def entries(phone: TestClient) -> dict[str, Any]:
    return {one["expected"]["name"]: one for one in phone.get("/api/v1/lists").json()["entries"]}


def name_as_proposed(phone: TestClient, *names: str) -> Any:
    found = entries(phone)
    choices = [{"entry": found[name]["expected"]["entry"], "ids": found[name]["proposed"]} for name in names]
    return phone.post("/api/v1/lists/name", json={"choices": choices})


def test_entries_are_named_in_one_step_with_side_unit_and_card(hub: Hub, phone: TestClient) -> None:
    lay(phone, TYPED_RED, "red")
    step = name_as_proposed(phone, "Reeve", "Bellwether")

    assert hub.state is not None
    assert step.status_code == 201
    reeves = [m for m in hub.state.miniatures if m.name == "Reeve"]
    (unit,) = hub.state.units
    assert len(reeves) == 6
    assert {(m.side, m.unit, m.profile.spd_in) for m in reeves} == {("red", unit.id, 6)}
    assert (unit.name, unit.side, unit.command_in) == ("Reeve", "red", 7)
    assert len(hub.undo_log.all()) == 1
    phone.post("/api/v1/corrections/undo")
    assert [m.name for m in hub.state.miniatures if m.name] == []


def test_names_told_over_what_was_told_meanwhile_are_refused(hub: Hub, phone: TestClient) -> None:
    lay(phone, TYPED_RED, "red")
    reeve = entries(phone)["Reeve"]
    choices = {"choices": [{"entry": reeve["expected"]["entry"], "ids": reeve["proposed"]}]}
    phone.post("/api/v1/corrections", json={"do": "miniature", "ids": reeve["proposed"][:1], "name": "Warden"})
    stale = phone.post("/api/v1/lists/name?seen=0", json=choices)
    looked = phone.post(f"/api/v1/lists/name?seen={hub.undo_log.all()[-1].changed_n}", json=choices)

    assert (stale.status_code, stale.json()["type"]) == (409, "correction/told_meanwhile")
    assert looked.status_code == 201


def test_names_stay_when_the_other_list_comes_and_when_it_is_put_away(hub: Hub, phone: TestClient) -> None:
    lay(phone, TYPED_RED, "red")
    name_as_proposed(phone, "Slinger")
    lay(phone, TYPED_BLUE, "blue")
    phone.delete("/api/v1/lists/red")

    assert hub.state is not None
    assert sum(m.name == "Slinger" for m in hub.state.miniatures) == 8
    assert [one.side for one in hub.expected.roster().lists] == ["blue"]


@pytest.mark.parametrize("raw", [b"", b"\x00\x01", b"<roster><forces/></roster>", b"PK\x03\x04broken", b'{"a": 1}'])
def test_a_list_that_cannot_be_read_is_one_problem_and_nothing_is_lost(hub: Hub, phone: TestClient, raw: bytes) -> None:
    lay(phone, TYPED_RED, "red")
    before = hub.expected.roster()
    refused = lay(phone, raw, "red")

    assert (refused.status_code, refused.json()["type"]) == (422, "roster/invalid")
    assert hub.expected.roster() == before


@pytest.mark.parametrize(
    ("raw", "laid", "says"),
    [(TYPED_RED, 8, "9 lists"), (b"200 Reeve, red, 30\n" * 2, 2, "1200 miniatures")],
    ids=["lists", "miniatures"],
)
def test_more_than_a_table_takes_is_a_problem_and_nothing_is_lost(
    hub: Hub, phone: TestClient, raw: bytes, laid: int, says: str
) -> None:
    answers = [lay(phone, raw, f"side {n}") for n in range(laid + 1)]

    assert [one.status_code for one in answers] == [*[200] * laid, 422]
    assert says in answers[-1].json()["detail"]
    assert len(hub.expected.roster().lists) == laid


def test_a_list_that_is_absurdly_large_is_refused(phone: TestClient) -> None:
    assert lay(phone, b"x" * (17 << 20), "red").status_code == 413


def test_a_casualty_keeps_its_name_in_the_list(hub: Hub, phone: TestClient) -> None:
    lay(phone, TYPED_RED, "red")
    name_as_proposed(phone, "Reeve")
    gone = TableState.model_validate(
        deployed().model_dump() | {"miniatures": [m.model_dump() for m in deployed().miniatures if m.id != "m2"]}
    )
    hub.handle_report(frame_report(state_line(gone)))
    reeve = entries(phone)["Reeve"]

    assert (len(reeve["named"]), reeve["fallen"], reeve["proposed"]) == (5, ["m2"], [])


def test_lists_and_names_are_there_after_a_restart(tmp_path: Path) -> None:
    for is_first in (True, False):
        journal = FileJournal(tmp_path / "data", ENTRY_CLASSES)
        hub = Hub(title="kept", journal=journal)
        if is_first:
            hub.handle_report(frame_report(state_line(deployed())))
        with opened(hub, tmp_path) as phone:
            if is_first:
                lay(phone, TYPED_RED, "red")
                name_as_proposed(phone, "Reeve", "Slinger")
            found = entries(phone)
        journal.close()

    assert (len(found["Reeve"]["named"]), len(found["Slinger"]["named"])) == (6, 8)


def test_where_units_are_played_the_measured_unit_is_called_by_its_name(tmp_path: Path) -> None:
    hub = Hub(title="regiments")
    hub.handle_report(frame_report(state_line(regiments())))
    measured = hub.state
    assert measured is not None
    unit = measured.units[0]
    base = next(m.base for m in measured.miniatures if m.unit == unit.id)
    members = sum(m.unit == unit.id for m in measured.miniatures)
    size = "x".join(f"{mm:g}" for mm in base.model_dump(exclude={"shape", "counts_as_mm"}).values())
    with opened(hub, tmp_path) as phone:
        lay(phone, f"{members} Heather Guard, red, {size}".encode(), "red")
        (entry,) = phone.get("/api/v1/lists").json()["entries"]
        choice = {"entry": entry["expected"]["entry"], "ids": [unit.id]}
        phone.post("/api/v1/lists/name", json={"choices": [choice]})
        named = entries(phone)["Heather Guard"]["named"]

    assert hub.state is not None
    assert next(one.name for one in hub.state.units if one.id == unit.id) == "Heather Guard"
    assert len(named) == members
    assert {m.unit for m in hub.state.miniatures if m.name == "Heather Guard"} == {unit.id}


def test_an_entry_or_a_base_that_is_not_there_is_named(phone: TestClient) -> None:
    lay(phone, TYPED_RED, "red")
    unknown = phone.post("/api/v1/lists/name", json={"choices": [{"entry": "nobody", "ids": ["m1"]}]})
    entry = entries(phone)["Reeve"]["expected"]["entry"]
    absent = phone.post("/api/v1/lists/name", json={"choices": [{"entry": entry, "ids": ["m99"]}]})

    assert [one.json()["value"] for one in (unknown, absent)] == ["nobody", "m99"]


def test_bases_are_counted_only_when_both_lists_lie_there(hub: Hub, phone: TestClient) -> None:
    lay(phone, TYPED_RED.replace(b"8 Slinger", b"9 Slinger"), "red")
    alone = hub.source.freshness().amiss
    lay(phone, TYPED_BLUE, "blue")

    assert alone == ()
    assert [(one.expected, one.seen) for one in hub.source.freshness().amiss] == [(25, 24)]


def test_a_list_of_too_many_kinds_is_refused_before_a_card_is_looked_up(
    phone: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up = list[Any]()
    monkeypatch.setattr(army, "match_card", lambda *asked: looked_up.append(asked))

    answer = lay(phone, b"".join(b"Trencher %d\n" % n for n in range(301)), "red")

    assert (answer.status_code, answer.json()["type"]) == (422, "correction/invalid")
    assert "301 kinds of miniatures" in answer.json()["detail"]
    assert not looked_up


UNCLEAR = """Trencher muster
9: Trencher
Long Gunner, 8
Dame Marl
"""


def test_a_list_of_unclear_lines_is_laid_once_a_player_says_what_they_are(hub: Hub, phone: TestClient) -> None:
    refused = lay(phone, UNCLEAR.encode(), "red")
    reading = phone.post("/api/v1/lists/reading", json={"text": UNCLEAR}).json()
    mends = [{"line": 1}, {"line": 2, "name": "Trencher", "count": 9}, {"line": 4, "name": "Dame Marl"}]
    laid = phone.post("/api/v1/lists/confirmed", json={"side": "red", "text": UNCLEAR, "mends": mends})

    assert (refused.status_code, refused.json()["type"]) == (422, "roster/unclear")
    proposed = {one["line"]: (one["is_unit"], one["name"], one["count"]) for one in reading["doubts"]}
    assert proposed[2] == (False, "Trencher", 9)
    assert proposed[4] == (True, "Dame Marl", 1)
    assert laid.status_code == 200
    counts = {name: one["expected"]["count"] for name, one in entries(phone).items()}
    assert counts["Trencher"] == 9
    assert counts["Dame Marl"] == 1
    assert "Trencher muster" not in counts
    assert any("left out by a player" in remark for remark in laid.json()["lists"][0]["remarks"])


def test_a_text_of_which_nothing_is_understood_can_be_mended_too(phone: TestClient) -> None:
    text = "4: Reeve\n6: Slinger\n"
    reading = phone.post("/api/v1/lists/reading", json={"text": text}).json()
    nothing = phone.post("/api/v1/lists/confirmed", json={"side": "red", "text": text})
    mends = [{"line": 1, "name": "Reeve", "count": 4}]
    phone.post("/api/v1/lists/confirmed", json={"side": "red", "text": text, "mends": mends})

    assert (reading["understood"], reading["miniatures"]) == (0, 0)
    assert [one["count"] for one in reading["doubts"]] == [4, 6]
    assert nothing.json()["type"] == "roster/unclear"
    assert {name: one["expected"]["count"] for name, one in entries(phone).items()} == {"Reeve": 4}


def test_a_mend_of_a_line_that_is_not_there_is_refused(phone: TestClient) -> None:
    body = {"side": "red", "text": UNCLEAR, "mends": [{"line": 40, "name": "Trencher"}]}

    answer = phone.post("/api/v1/lists/confirmed", json=body)

    assert (answer.status_code, answer.json()["value"]) == (422, 40)
