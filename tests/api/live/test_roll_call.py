"""The roll call: who stands, who is missing, and when both players call the table complete."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from api.answers.unconfirmed_bases import careful_referee
from api.corrections.schemas import CORRECTION, CompletionCorrection, CorrectionGroup
from api.journal.file_journal import FileJournal
from api.journal.interface import Journal
from api.live.hub import Hub
from api.live.roll_call import RollCallSheet, call_roll
from api.server.app import create_app
from api.server.journal_entries import ENTRY_CLASSES
from api.setups.schemas import ExpectedMiniature, RosterSet
from models.base import Base, RoundBase
from models.queries.sight_and_shooting import Los
from models.state import TableState
from models.timeline import EventLine
from models.unconfirmed_base import UnconfirmedBase
from referee import ask
from tests.api.worlds import frame_report, state_line
from tests.referee.tables import mini, table

SMALL, LARGE = RoundBase(diameter_mm=30), RoundBase(diameter_mm=50)
COMPLETE = CORRECTION.validate_python({"do": "complete"})
TWO = (mini("m1", 700, 700, side="Mara"), mini("m2", 400, 300))


def hub_of(*miniatures: dict[str, Any], journal: Journal | None = None) -> Hub:
    hub = Hub(title="test table", journal=journal)
    see(hub, *miniatures)
    return hub


def see(hub: Hub, *miniatures: dict[str, Any]) -> None:
    hub.handle_report(frame_report(state_line(table(*miniatures))))


def state_of(hub: Hub) -> TableState:
    assert hub.state is not None
    return hub.state


def expect(base: Base | None, count: int, side: str | None = None) -> ExpectedMiniature:
    return ExpectedMiniature(name="one", side=side, base=base, count=count)


def roll(hub: Hub, *expected: ExpectedMiniature) -> RollCallSheet:
    return call_roll(state_of(hub), expected, hub.undo_log.all())


def test_a_side_is_missing_what_its_list_names_and_nobody_stands_for() -> None:
    hub = hub_of(*TWO)
    sheet = roll(hub, expect(SMALL, 4, "Mara"), expect(LARGE, 1, "Mara"))

    assert [side.says for side in sheet.sides] == ["Mara 2 of 5: missing two 30 mm, one 50 mm"]
    assert sheet.missing == 3


def test_a_number_without_sizes_is_counted_too() -> None:
    (side,) = roll(hub_of(*TWO), expect(None, 3)).sides

    assert (side.expected, side.standing, side.missing, side.says) == (3, 2, 1, "2 of 3: missing one of any size")


def test_without_a_list_only_who_stands_is_told() -> None:
    says = [side.says for side in roll(hub_of(*TWO)).sides]

    assert says == ["Mara: 1 on the table", "1 on the table"]


def test_who_left_the_table_is_not_missing() -> None:
    hub = hub_of(*TWO)

    assert call_roll(state_of(hub), [expect(SMALL, 3)], (), departed=[SMALL]).missing == 0


def test_a_casualty_that_was_removed_from_play_is_accounted_for() -> None:
    hub = hub_of(*TWO)
    removed = {"do": "miniature", "ids": ["m1"], "side": "Mara", "status": ["removed"]}
    hub.undo_log.correct(hub.measured, CORRECTION.validate_python(removed), by="judge")
    (side,) = roll(hub, expect(SMALL, 2, "Mara")).sides

    assert (side.standing, side.away, side.missing, side.says) == (1, 1, 0, "Mara 1 of 2, one away")


@pytest.mark.parametrize(("why", "says"), [("casualty", "a casualty"), ("in-reserve", "in reserve")])
def test_who_is_said_to_be_away_is_missing_no_more_until_that_is_taken_back(why: str, says: str) -> None:
    hub = hub_of(*TWO)
    expected = (expect(SMALL, 2, "Mara"), expect(LARGE, 1, "Rig"))
    assert roll(hub, *expected).asks == "1 missing: a casualty, in reserve, or unseen?"
    away = {"do": "absent", "why": why, "side": "Rig", "base": LARGE.model_dump()}
    step = hub.undo_log.correct(hub.measured, CORRECTION.validate_python(away), by="player-a")
    sheet = roll(hub, *expected)
    assert (step.says, sheet.missing, sheet.asks) == (f"Rig: 1 50 mm, {says}", 0, None)
    hub.undo_log.undo(by="player-a")

    assert roll(hub, *expected).missing == 1


def test_one_side_s_casualty_is_not_the_other_s() -> None:
    hub = hub_of(*TWO)
    away = {"do": "absent", "why": "casualty", "side": "Mara", "base": LARGE.model_dump()}
    hub.undo_log.correct(hub.measured, CORRECTION.validate_python(away), by="judge")
    rows = roll(hub, expect(LARGE, 1, "Mara"), expect(LARGE, 1, "Rig")).sides

    assert [(row.side, row.missing) for row in rows if row.expected] == [("Mara", 0), ("Rig", 1)]


def test_casualties_of_any_size_are_accounted_for_where_only_numbers_are_known() -> None:
    hub = hub_of(*TWO)
    away = {"do": "absent", "why": "casualty", "count": 2}
    hub.undo_log.correct(hub.measured, CORRECTION.validate_python(away), by="judge")

    assert roll(hub, expect(None, 5)).missing == 1


def test_no_answer_supposes_a_base_that_is_said_to_be_away() -> None:
    hub = hub_of(*TWO)
    hub.expect(RosterSet(expected=(expect(SMALL, 2), expect(LARGE, 1)), by="judge"))
    assert state_of(hub).called.missing == (LARGE,)
    away = {"do": "absent", "why": "in-reserve", "base": LARGE.model_dump()}
    hub.undo_log.correct(hub.measured, CORRECTION.validate_python(away), by="judge")

    assert state_of(hub).called.missing == ()


def test_who_left_before_a_restart_is_not_missing_after_it(tmp_path: Path) -> None:
    left = EventLine(t_s=2.0, frame=2, type="removed", ids=("m2",))
    with closing(FileJournal(tmp_path, ENTRY_CLASSES)) as journal:
        hub = hub_of(*TWO, journal=journal)
        hub.handle_report(frame_report(left))
        see(hub, TWO[0])
    with closing(FileJournal(tmp_path, ENTRY_CLASSES)) as journal:
        assert Hub(title="again", journal=journal).expected.departed() == (SMALL,)


def test_the_doubtful_are_shown_the_most_doubtful_first() -> None:
    seen = UnconfirmedBase(base=LARGE, at_mm=(200, 200), sigma_mm=1.0, probability=0.3)
    alternative = {"base": {"shape": "round", "diameter_mm": 32}, "probability": 0.4}
    hub = hub_of(*TWO, mini("m3", 900, 900) | {"base_alternatives": [alternative]})
    state = state_of(hub).with_sightings(looked_for=(), unconfirmed=(seen,))
    doubtful = call_roll(state, (), ()).doubtful

    assert [(each.doubt, each.id, each.probability) for each in doubtful] == [
        ("unconfirmed", None, 0.3),
        ("size", "m3", pytest.approx(0.6)),
    ]


def test_a_table_is_complete_until_a_base_stands_there_that_was_not_called() -> None:
    hub = hub_of(*TWO)
    hub.undo_log.correct(hub.measured, COMPLETE, by="player-a")
    assert state_of(hub).called.is_complete
    see(hub, TWO[0])
    assert state_of(hub).called.is_complete
    see(hub, *TWO, mini("m3", 900, 900))

    assert not state_of(hub).called.is_complete


def test_a_base_placed_after_the_call_undoes_it_and_taking_it_back_restores_it() -> None:
    hub = hub_of(*TWO)
    hub.undo_log.correct(hub.measured, COMPLETE, by="judge")
    placed = {"do": "base", "id": "lost", "at_mm": (100, 200), "base": {"shape": "round", "diameter_mm": 40}}
    hub.undo_log.correct(hub.measured, CORRECTION.validate_python(placed), by="judge")
    assert not state_of(hub).called.is_complete
    hub.undo_log.undo(by="judge")

    assert state_of(hub).called.is_complete


def test_one_player_alone_calls_no_table_complete() -> None:
    hub = hub_of(*TWO)
    step = hub.undo_log.correct(hub.measured, COMPLETE, by="player-a", has_opponent=True)
    sheet = roll(hub)
    assert (sheet.is_complete, sheet.is_waiting, sheet.by, sheet.step) == (False, True, "player-a", step.n)
    hub.undo_log.agree(step.n, by="player-b")

    assert state_of(hub).called.is_complete
    assert not roll(hub).is_waiting


def test_the_call_outlasts_a_restart(tmp_path: Path) -> None:
    with closing(FileJournal(tmp_path, ENTRY_CLASSES)) as journal:
        hub = hub_of(*TWO, journal=journal)
        hub.undo_log.correct(hub.measured, COMPLETE, by="judge")
    with closing(FileJournal(tmp_path, ENTRY_CLASSES)) as journal:
        assert state_of(Hub(title="again", journal=journal)).called.is_complete


def test_complete_is_no_part_of_what_a_state_is_called_by() -> None:
    hub = hub_of(*TWO)
    before = state_of(hub).state_id
    hub.undo_log.correct(hub.measured, COMPLETE, by="judge")

    assert state_of(hub).state_id == before


def test_complete_is_told_by_itself() -> None:
    with pytest.raises(ValueError, match="by itself"):
        CorrectionGroup(do="several", corrections=(CompletionCorrection(do="complete"),))


def test_an_answer_that_a_missing_base_could_turn_says_so_until_the_table_is_complete() -> None:
    hub = hub_of(mini("a", 300, 300), mini("b", 300, 700))
    hub.expect(RosterSet(expected=(expect(SMALL, 2), expect(RoundBase(diameter_mm=120), 1)), by="judge"))
    sees = careful_referee(ask)
    query = Los(viewer="a", target="b")
    assert "120 mm" in (sees(state_of(hub), query).advice or "")
    hub.undo_log.correct(hub.measured, COMPLETE, by="judge")

    assert "120 mm" not in (sees(state_of(hub), query).advice or "")


def test_phones_read_the_roll_call() -> None:
    hub = hub_of(*TWO)
    with TestClient(create_app(hub)) as phone:
        phone.put("/api/v1/expected", json={"expected": [{"name": "one", "base": SMALL.model_dump(), "count": 3}]})
        sheet = phone.get("/api/v1/roll-call").json()
        assert (sheet["missing"], sheet["is_complete"]) == (1, False)
        phone.post("/api/v1/corrections", json={"do": "complete"})

        assert phone.get("/api/v1/roll-call").json()["is_complete"]
        assert phone.get("/api/v1/state").json()["roll_call"]["is_complete"]


def test_a_base_that_a_player_confirmed_on_its_rim_is_doubtful_no_more() -> None:
    hub = hub_of(*TWO)
    for id_, at_mm, sigma_mm in (("rim", [200, 600], 0.4), ("hand", [500, 600], 4.0)):
        placed = {"do": "base", "id": id_, "at_mm": at_mm, "base": SMALL, "sigma_mm": sigma_mm}
        hub.undo_log.correct(hub.measured, CORRECTION.validate_python(placed), by="player-a")

    assert [doubtful.id for doubtful in roll(hub).doubtful] == ["hand"]
