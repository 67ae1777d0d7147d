"""What players tell of the table, over the measured one, and taken back again."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from api.corrections.apply import apply_correction
from api.corrections.placed_bases import MOVED_MM
from api.corrections.schemas import CORRECTION
from api.corrections.undo_log import UndoLog
from api.evaluation.hypothetical_table import TOLD_FACING_SIGMA_DEG
from api.journal.file_journal import FileJournal
from api.journal.interface import MemoryJournal
from api.live.hub import Hub
from api.seats.sessions import SeatSessions
from api.server.app import create_app
from api.server.journal_entries import ENTRY_CLASSES
from models.miniature import Miniature
from models.state import TableState
from models.timeline import EventLine, Naming
from tests.api.fakes import ask
from tests.api.worlds import frame_report, move_miniature, open_socket, skirmish, state_line

NAME = {"do": "miniature", "ids": ["m3"], "name": "Ironclad", "side": "blue"}
WALL = {
    "id": "new-wall", "kind": "wall", "height_mm": 25.0, "polygon_mm": [[300, 300], [450, 300], [450, 312], [300, 312]],
}  # fmt: skip
CROSSED = [[0, 0], [9, 9], [9, 0], [0, 9]]


@pytest.fixture
def hub() -> Hub:
    hub = Hub(title="test table")
    hub.handle_report(frame_report(state_line(skirmish())))
    return hub


@pytest.fixture
def phone(hub: Hub) -> Iterator[TestClient]:
    with TestClient(create_app(hub, ask=ask), raise_server_exceptions=False) as client:
        yield client


def tell(phone: TestClient, correction: dict[str, Any]) -> Any:
    return phone.post("/api/v1/corrections", json=correction)


def miniature(hub: Hub, id_: str) -> Miniature:
    assert hub.state is not None
    found = hub.state.by_id[id_]
    assert isinstance(found, Miniature)
    return found


def table_after(correction: dict[str, Any], state: TableState | None = None) -> TableState:
    return apply_correction(state or skirmish(), CORRECTION.validate_python(correction))


ASKED = EventLine(
    type="unsure", t_s=4, frame=40, ids=("m3", "m4"), question="q1", since_s=4, places_mm=((1, 1), (2, 2)),
    namings=(Naming(ids=("m3", "m4"), probability=0.5), Naming(ids=("m4", "m3"), probability=0.5)),
)  # fmt: skip
ANSWERED = EventLine(
    type="swapped", t_s=9, frame=90, ids=("m3", "m4"), question="q1", since_s=4, renamed={"m3": "m4", "m4": "m3"}
)


def test_who_was_named_while_it_was_unsure_who_is_who_keeps_the_name_under_the_right_id(
    hub: Hub, phone: TestClient
) -> None:
    hub.handle_report(frame_report(ASKED))
    tell(phone, NAME)
    hub.handle_report(frame_report(ANSWERED, state_line(skirmish(), t_s=9)))

    assert (miniature(hub, "m4").name, miniature(hub, "m4").side) == ("Ironclad", "blue")
    assert miniature(hub, "m3").name != "Ironclad"
    assert hub.undo_log.all()[-1].says == "m4: Ironclad"


def test_who_was_named_before_anybody_was_unsure_is_who_bears_the_id_in_the_end(hub: Hub, phone: TestClient) -> None:
    tell(phone, NAME)
    hub.handle_report(frame_report(ASKED))
    hub.handle_report(frame_report(ANSWERED, state_line(skirmish(), t_s=9)))

    assert miniature(hub, "m3").name == "Ironclad"


def test_an_answer_is_known_again_when_the_journal_is_read(hub: Hub, phone: TestClient) -> None:
    hub.handle_report(frame_report(ASKED))
    tell(phone, NAME)
    hub.handle_report(frame_report(ANSWERED, state_line(skirmish(), t_s=9)))

    assert UndoLog(hub.journal).all() == hub.undo_log.all()


def test_a_unit_keeps_its_members_when_it_is_moved_and_when_two_of_it_turn_out_to_be_each_other(
    hub: Hub, phone: TestClient
) -> None:
    tell(phone, {"do": "miniature", "ids": ["m3", "m4", "m5"], "unit": "Trenchers"})
    hub.handle_report(
        frame_report(
            ASKED,
            state_line(move_miniature(move_miniature(skirmish(), "m3", (200.0, 300.0)), "m4", (240.0, 300.0)), t_s=5),
        )
    )
    hub.handle_report(frame_report(ANSWERED, state_line(skirmish(), t_s=9)))
    assert hub.state is not None

    assert {one.id for one in hub.state.miniatures if one.unit == "Trenchers"} == {"m3", "m4", "m5"}


def test_a_told_name_and_side_hold_for_this_table_and_the_next(hub: Hub, phone: TestClient) -> None:
    told = tell(phone, NAME)
    hub.handle_report(frame_report(state_line(move_miniature(skirmish(), "m3", (55.5, 700.25)))))

    found = miniature(hub, "m3")
    assert told.status_code == 201
    assert (found.name, found.side, found.at_mm) == ("Ironclad", "blue", (55.5, 700.25))


def test_one_step_may_tell_of_many(hub: Hub, phone: TestClient) -> None:
    tell(
        phone,
        {"do": "miniature", "ids": ["m1", "m2"], "unit": "lancers", "base": {"shape": "round", "diameter_mm": 40}},
    )

    assert [miniature(hub, id_).unit for id_ in ("m1", "m2")] == ["lancers", "lancers"]
    assert hub.state is not None
    assert "lancers" in {unit.id for unit in hub.state.units}


def test_a_told_card_is_asked_about(hub: Hub, phone: TestClient) -> None:
    tell(phone, {"do": "miniature", "ids": ["m3"], "profile": {"spd_in": 7, "abilities": ["stealth"]}})

    assert (miniature(hub, "m3").profile.spd_in, miniature(hub, "m3").has("stealth")) == (7, True)


def test_undo_takes_back_the_newest_step_and_redo_lets_it_hold_again(hub: Hub, phone: TestClient) -> None:
    tell(phone, NAME)
    tell(phone, NAME | {"name": "Juggernaut"})
    names = []
    for deed in ("undo", "undo", "redo", "redo"):
        phone.post(f"/api/v1/corrections/{deed}")
        names.append(miniature(hub, "m3").name)

    assert names == ["Ironclad", "Lancer", "Ironclad", "Juggernaut"]
    assert hub.measured == skirmish()


def test_a_certain_step_may_be_taken_back_alone(hub: Hub, phone: TestClient) -> None:
    first = tell(phone, NAME).json()["n"]
    tell(phone, {"do": "lay", "terrain": [WALL]})
    phone.post("/api/v1/corrections/undo", json={"n": first})

    assert hub.state is not None
    assert miniature(hub, "m3").name == "Lancer"
    assert "new-wall" in hub.state.by_id


def test_after_a_new_step_there_is_nothing_to_do_again(phone: TestClient) -> None:
    tell(phone, NAME)
    phone.post("/api/v1/corrections/undo")
    tell(phone, {"do": "lay", "terrain": [WALL]})

    refused = phone.post("/api/v1/corrections/redo")
    assert (refused.status_code, refused.json()["type"]) == (409, "correction/nothing_to_undo")


def test_there_is_nothing_to_undo_at_the_start(phone: TestClient) -> None:
    assert phone.post("/api/v1/corrections/undo", json={}).status_code == 409
    assert phone.post("/api/v1/corrections/undo", json={"n": 7}).json()["value"] == 7


def test_every_listener_hears_of_a_step_and_of_the_table(phone: TestClient) -> None:
    with open_socket(phone) as socket:
        socket.receive_json()
        tell(phone, NAME)
        heard = {}
        while "change" not in heard:
            heard |= {(message := socket.receive_json())["type"]: message}

    (step,) = heard["steps"]["steps"]
    assert (step["by"], step["says"], step["is_undone"]) == ("judge", "m3: Ironclad", False)
    assert [m["name"] for m in heard["change"]["changed"]] == ["Ironclad"]


def test_who_comes_later_sees_the_steps_in_the_snapshot(phone: TestClient) -> None:
    tell(phone, NAME)
    with open_socket(phone) as socket:
        snapshot = socket.receive_json()

    assert [step["says"] for step in snapshot["steps"]] == ["m3: Ironclad"]


def test_laid_terrain_replaces_that_of_the_same_id_and_can_be_taken_away() -> None:
    laid = table_after({"do": "lay", "terrain": [WALL]})
    higher = table_after({"do": "lay", "terrain": [WALL | {"height_mm": 50.0}]}, laid)
    gone = table_after({"do": "take-away", "ids": ["new-wall", "m5"]}, higher)

    assert [t.height_mm for t in higher.terrain if t.id == "new-wall"] == [50.0]
    assert {"new-wall", "m5"} & gone.by_id.keys() == set()


def test_the_table_may_be_told_its_edition_and_scenario() -> None:
    table = table_after({"do": "table", "edition": "hordes-mk2", "scenario": {"name": "Killing Field"}})

    assert (table.edition, table.scenario and table.scenario.name) == ("hordes-mk2", "Killing Field")


def test_a_told_contact_ends_when_one_of_the_two_moves(hub: Hub, phone: TestClient) -> None:
    def contacts() -> set[tuple[str, str, float]]:
        assert hub.state is not None
        return {(c.a, c.b, c.probability) for c in hub.state.contacts}

    before = contacts()
    tell(phone, {"do": "contact", "a": "m3", "b": "m7"})
    told = contacts() - before
    hub.handle_report(frame_report(state_line(move_miniature(skirmish(), "m7", (71.5, 82.25)))))

    assert told == {("m3", "m7", 1.0)}
    assert contacts() == before


def test_a_told_facing_ends_when_the_miniature_moves(hub: Hub, phone: TestClient) -> None:
    tell(phone, {"do": "miniature", "ids": ["m16"], "facing_deg": 123.0})
    told = miniature(hub, "m16")
    x, y = told.at_mm
    hub.handle_report(frame_report(state_line(move_miniature(skirmish(), "m16", (x + MOVED_MM + 5, y)))))

    assert (told.facing_deg, told.sigma.facing_deg) == (123.0, TOLD_FACING_SIGMA_DEG)
    assert miniature(hub, "m16").facing_deg == skirmish().by_id["m16"].facing_deg  # type: ignore[union-attr]


def test_a_thumb_chooses_among_the_facings_that_were_measured() -> None:
    both = {"facing_deg": 100.0, "facing_alternatives": [{"facing_deg": 280.0, "probability": 0.4}]}
    doubtful = skirmish().model_dump(mode="json")
    doubtful["miniatures"][3] |= both
    state = TableState.model_validate(doubtful)
    mini = state.miniatures[3]

    told = {"do": "miniature", "ids": [mini.id], "facing_deg": 262.0, "seen_mm": {mini.id: mini.at_mm}}
    found = table_after(told, state).miniatures[3]

    assert (found.facing_deg, found.facing_alternatives) == (280.0, ())
    assert found.sigma == mini.sigma


@pytest.mark.parametrize(
    ("correction", "field"),
    [
        ({"do": "miniature", "ids": ["m3", "m99"], "name": "Ironclad"}, "ids.1"),
        ({"do": "miniature", "ids": ["m3"]}, "miniature"),
        ({"do": "miniature", "ids": [], "name": "Ironclad"}, "miniature.ids"),
        ({"do": "miniature", "ids": ["m3"], "profile": {"spd_in": -1}}, "miniature.profile.spd_in"),
        ({"do": "contact", "a": "m3", "b": "m99"}, "b"),
        ({"do": "lay"}, "lay"),
        ({"do": "lay", "terrain": [WALL | {"id": "m3"}]}, ""),
        ({"do": "lay", "terrain": [WALL | {"polygon_mm": CROSSED}]}, "lay.terrain.0.polygon_mm"),
        ({"do": "take-away", "ids": ["nothing"]}, "ids.0"),
        ({"do": "table"}, "table"),
        ({"do": "table", "house_rules": {"no-such-rule": "x"}}, ""),
        ({"do": "dance"}, ""),
    ],
)  # fmt: skip
def test_a_correction_that_makes_no_sense_changes_nothing(
    hub: Hub, phone: TestClient, correction: dict[str, Any], field: str
) -> None:
    refused = tell(phone, correction)

    assert (refused.status_code, refused.json()["field"]) == (422, field)
    assert hub.state == skirmish()
    assert phone.get("/api/v1/corrections").json() == []


def test_a_step_that_fits_a_later_table_no_more_is_passed_over(hub: Hub, phone: TestClient) -> None:
    tell(phone, {"do": "lay", "terrain": [WALL]})
    tell(phone, NAME)
    taken = skirmish().model_dump(mode="json")
    taken["miniatures"][5]["id"] = "new-wall"
    hub.handle_report(frame_report(state_line(TableState.model_validate(taken))))

    assert miniature(hub, "m3").name == "Ironclad"
    assert isinstance(miniature(hub, "new-wall"), Miniature)


def test_spectators_correct_nothing(hub: Hub) -> None:
    seats = SeatSessions(MemoryJournal())
    with TestClient(create_app(hub, ask=ask, seats=seats)) as phone:
        refused = [tell(phone, NAME)] + [phone.post(f"/api/v1/corrections/{deed}") for deed in ("undo", "redo")]
        refused += [phone.post(f"/api/v1/{deed}") for deed in ("register", "check")]

    assert [answer.status_code for answer in refused] == [403] * 5
    assert hub.state == skirmish()


def test_table_and_steps_survive_a_restart(tmp_path: Path) -> None:
    with closing(FileJournal(tmp_path, ENTRY_CLASSES)) as journal:
        before = Hub(title="test table", journal=journal)
        before.handle_report(frame_report(state_line(skirmish())))
        with TestClient(create_app(before, ask=ask)) as phone:
            tell(phone, NAME)
            tell(phone, {"do": "lay", "terrain": [WALL]})
            tell(phone, {"do": "table", "scenario": {"name": "Killing Field"}})
            phone.post("/api/v1/corrections/undo")
    with closing(FileJournal(tmp_path, ENTRY_CLASSES)) as journal:
        after = Hub(title="test table", journal=journal)

    assert after.state == before.state
    assert after.undo_log.all() == before.undo_log.all()
    assert after.snapshot().table == before.snapshot().table


def test_the_table_as_it_was_corrected_then_can_be_had_again(hub: Hub, phone: TestClient) -> None:
    then = tell(phone, NAME).json()["n"]
    tell(phone, NAME | {"name": "Juggernaut"})
    phone.post("/api/v1/corrections/undo", json={"n": then})

    assert hub.undo_log.lay_over_at(skirmish(), then).by_id["m3"].name == "Ironclad"  # type: ignore[union-attr]
