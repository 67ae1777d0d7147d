"""Placed bases: what the camera missed or mistook, laid by hand, until it is measured there."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from api.camera.protocol import CameraCommands
from api.corrections.placed_bases import MOST_PLACED
from api.corrections.schemas import CORRECTION
from api.corrections.undo_log import UndoLog
from api.errors import BadCorrection, CorrectionConflict
from api.journal.file_journal import FileJournal
from api.journal.interface import Journal, MemoryJournal
from api.live.hub import Hub
from api.server.app import create_app
from api.server.journal_entries import ENTRY_CLASSES
from models.base import OvalBase, RoundBase
from models.hint import ConfirmedBase
from models.miniature import Miniature
from models.state import CommonMode, Contact, TableSize, TableState
from models.timeline import EventLine
from tests.api.fakes import ask
from tests.api.worlds import frame_report, state_line
from tests.referee.tables import mini, table

ROUND_40 = RoundBase(diameter_mm=40)
TWO = (mini("m1", 700, 700), mini("m2", 400, 300))
MEASURED = table(*TWO)


def base(id_: str = "lost", at_mm: tuple[float, float] = (100, 200), mm: float = 40, **more: Any) -> Any:
    fields = {"do": "base", "id": id_, "at_mm": at_mm, "base": {"shape": "round", "diameter_mm": mm}}
    return CORRECTION.validate_python(fields | more)


def hub_of(state: TableState = MEASURED, journal: Journal | None = None) -> Hub:
    hub = Hub(title="test table", journal=journal)
    hub.handle_report(frame_report(state_line(state)))
    return hub


def see(hub: Hub, *miniatures: dict[str, Any]) -> None:
    hub.handle_report(frame_report(state_line(table(*miniatures))))


def miniature(hub: Hub, id_: str) -> Miniature:
    assert hub.state is not None
    thing = hub.state.by_id[id_]
    assert isinstance(thing, Miniature)
    return thing


def ids(hub: Hub) -> list[str]:
    assert hub.state is not None
    return [m.id for m in hub.state.miniatures]


def test_a_missed_base_stands_where_it_was_pointed_at_with_the_doubt_of_the_hand() -> None:
    hub = hub_of()
    step = hub.undo_log.correct(hub.measured, base(sigma_mm=1.5), by="player-a")
    placed = miniature(hub, "lost")

    assert step.says == "lost: a 40 mm base, placed by hand"
    assert (placed.base, placed.at_mm, placed.placement) == (ROUND_40, (100, 200), "by-hand")
    assert placed.covariance() == ((1.5**2, 0), (0, 1.5**2))


def test_a_measured_one_of_the_wrong_size_and_place_is_replaced_by_its_id() -> None:
    near = Contact(a="m1", b="m2", probability=0.5)
    mode = CommonMode(name="pose", shift_mm={"m1": (0.1, 0.0), "m2": (0.1, 0.2)}, turn_deg={"m1": 0.1})
    hub = hub_of(table(*TWO, contacts=[near], common_mm=[mode]))
    hub.undo_log.correct(hub.measured, base("m1", (704, 700), mm=50), by="player-a")
    placed = miniature(hub, "m1")

    assert hub.state is not None
    assert (placed.base.model_dump()["diameter_mm"], placed.at_mm, placed.placement) == (50, (704, 700), "by-hand")
    assert hub.state.contacts == ()
    assert hub.state.common_mm == (CommonMode(name="pose", shift_mm={"m2": (0.1, 0.2)}),)


@given(
    st.lists(
        st.tuples(st.sampled_from(["m1", "m2", "lost"]), st.integers(0, 900), st.sampled_from([30, 40, 120])),
        min_size=1, max_size=4,
    )
)  # fmt: skip
def test_what_was_placed_and_taken_back_in_any_number_leaves_the_table_as_it_was(steps: list[Any]) -> None:
    log, shown = UndoLog(MemoryJournal()), [MEASURED]
    for id_, x, mm in steps:
        try:
            log.correct(MEASURED, base(id_, (x, 500), mm=mm), by="player-a")
        except BadCorrection:  # upon another one
            continue
        placed = log.lay_over(MEASURED).state.by_id[id_]
        assert isinstance(placed, Miniature)
        assert (placed.at_mm, placed.base) == ((x, 500), RoundBase(diameter_mm=mm))
        shown.append(log.lay_over(MEASURED).state)
    while len(shown) > 1:
        assert log.lay_over(MEASURED).state == shown.pop()
        log.undo(by="player-b")

    assert log.lay_over(MEASURED).state == MEASURED


def test_a_later_place_holds_without_the_earlier() -> None:
    hub = hub_of()
    first = hub.undo_log.correct(hub.measured, base("m1", (720, 700)), by="player-a")
    hub.undo_log.correct(hub.measured, base("m1", (690, 700)), by="player-a")
    hub.undo_log.undo(first.n, by="player-a")

    assert miniature(hub, "m1").at_mm == (690, 700)


def test_it_outlasts_what_happens_elsewhere_and_a_restart(tmp_path: Path) -> None:
    with closing(FileJournal(tmp_path / "journal", ENTRY_CLASSES)) as journal:
        hub = hub_of(journal=journal)
        hub.undo_log.correct(hub.measured, base(), by="player-a")
        see(hub, mini("m1", 500, 700), mini("m3", 800, 100))
        before = hub.state
    with closing(FileJournal(tmp_path / "journal", ENTRY_CLASSES)) as journal:
        again = Hub(title="test table", journal=journal)

        assert ids(again) == ["m1", "m3", "lost"]
        assert again.state == before


def test_on_another_table_it_is_set_aside_and_said_and_holds_again_on_its_own(tmp_path: Path) -> None:
    size = TableSize(width_mm=600, depth_mm=400)
    small = TableState(**{**dict(table(mini("m1", 100, 100))), "table": size})
    with closing(FileJournal(tmp_path / "journal", ENTRY_CLASSES)) as journal:
        step = hub_of(journal=journal).undo_log.correct(MEASURED, base(at_mm=(900, 200)), by="player-a")
    with closing(FileJournal(tmp_path / "journal", ENTRY_CLASSES)) as journal:
        hub = hub_of(small, journal)
        (alarm,) = hub.alarms.all()
        there, hints = ids(hub), hub.hints()
        hub.handle_report(frame_report(state_line(MEASURED)))

    assert there == ["m1"]
    assert hints == ()
    assert alarm.says.startswith(f"Step {step.n} was set aside")
    assert alarm.says.endswith("at_mm: 900, 200 mm lies off the table of 600 x 400 mm")
    assert hub.alarms.all() == ()
    assert "lost" in ids(hub)


def test_it_keeps_its_id_and_size_once_the_camera_measures_it_and_goes_with_it(tmp_path: Path) -> None:
    with closing(FileJournal(tmp_path / "journal", ENTRY_CLASSES)) as journal:
        hub = hub_of(journal=journal)
        hub.undo_log.correct(hub.measured, base(), by="player-a")
        see(hub, mini("m1", 700, 700), mini("m3", 103, 201, mm=40))
        measured = miniature(hub, "lost")
        see(hub, mini("m1", 700, 700), mini("m3", 333, 444, mm=40))
    with closing(FileJournal(tmp_path / "journal", ENTRY_CLASSES)) as journal:
        again = Hub(title="test table", journal=journal)
        moved = again.state
        see(again, mini("m1", 700, 700))

        assert (measured.at_mm, measured.placement) == ((103, 201), None)
        assert moved is not None
        assert [(m.id, m.at_mm) for m in moved.miniatures][1:] == [("lost", (333, 444))]
        assert ids(again) == ["m1"]


def test_contacts_and_common_errors_follow_the_name() -> None:
    hub = hub_of()
    hub.undo_log.correct(hub.measured, base(), by="player-a")
    ties = {
        "contacts": [{"a": "m3", "b": "m1", "probability": 0.5}],
        "common_mm": [{"name": "pose", "shift_mm": {"m3": (1, 2)}}],
    }
    now = table(mini("m1", 700, 700), mini("m3", 103, 201, mm=40), **ties)
    hub.handle_report(frame_report(state_line(now)))

    assert hub.state is not None
    assert hub.state.contacts == (Contact(a="lost", b="m1", probability=0.5),)
    assert hub.state.common_mm == (CommonMode(name="pose", shift_mm={"lost": (1, 2)}),)


def test_what_the_camera_takes_for_another_size_there_is_not_shown_beside_it() -> None:
    hub = hub_of()
    hub.undo_log.correct(hub.measured, base(), by="player-a")
    see(hub, mini("m1", 700, 700), mini("m3", 103, 201, mm=25))

    assert ids(hub) == ["m1", "lost"]
    assert miniature(hub, "lost").base == ROUND_40


def test_a_known_miniature_that_is_moved_there_keeps_its_own_name() -> None:
    hub = hub_of()
    hub.undo_log.correct(hub.measured, base(), by="player-a")
    see(hub, mini("m1", 700, 700), mini("m2", 101, 200, mm=40))

    assert ids(hub) == ["m1", "m2"]


def test_a_place_ends_when_the_miniature_moves_and_its_size_goes_with_it() -> None:
    hub = hub_of()
    hub.undo_log.correct(hub.measured, base("m1", (710, 700), mm=50), by="player-a")
    see(hub, mini("m1", 300, 600))
    moved = miniature(hub, "m1")

    assert (moved.at_mm, moved.placement, moved.base) == ((300, 600), None, RoundBase(diameter_mm=50))


def test_a_place_ends_when_the_camera_measures_the_given_size_there() -> None:
    hub = hub_of()
    hub.undo_log.correct(hub.measured, base("m1", (701, 700), mm=50), by="player-a")
    see(hub, mini("m1", 700.5, 700, mm=50))

    assert (miniature(hub, "m1").at_mm, miniature(hub, "m1").placement) == ((700.5, 700), None)


def test_an_oval_lies_either_way_until_its_facing_was_measured() -> None:
    oval = {"shape": "oval", "width_mm": 90, "depth_mm": 52}
    hub = hub_of(table(mini("m1", 700, 700, facing_deg=200)))
    hub.undo_log.correct(hub.measured, base(base=oval, turn_deg=30), by="player-a")
    hub.undo_log.correct(hub.measured, base("m1", (700, 700), base=oval, turn_deg=30), by="player-a")
    added, known = miniature(hub, "lost"), miniature(hub, "m1")

    assert added.base == OvalBase(width_mm=90, depth_mm=52)
    assert (added.facing_deg, [a.facing_deg for a in added.facing_alternatives]) == (30, [210])
    assert (known.facing_deg, known.facing_alternatives) == (210, ())


@pytest.mark.parametrize(
    ("correction", "field", "says"),
    [
        (base(at_mm=(5000, 20)), "at_mm", "5000, 20 mm lies off the table of"),
        (base(at_mm=(705, 700)), "at_mm", "'m1' stands at 705, 700 mm; give its id"),
        (base("m9"), "id", "there is no 'm9' on the table"),
        (base(mm=2000), "base", "no base is larger than 1000 mm"),
    ],
)
def test_what_cannot_stand_there_is_refused_by_field_and_value(correction: Any, field: str, says: str) -> None:
    with pytest.raises(BadCorrection, match=says) as refused:
        UndoLog(MemoryJournal()).correct(MEASURED, correction, by="player-a")

    assert refused.value.field == field
    assert refused.value.value is not None


def test_a_base_upon_a_placed_one_is_refused_by_that_name() -> None:
    hub = hub_of()
    hub.undo_log.correct(hub.measured, base(), by="player-a")
    with TestClient(create_app(hub, ask=ask), raise_server_exceptions=False) as phone:
        group = {"do": "several", "corrections": [base("other", (105, 205)).model_dump(mode="json")]}
        problem = phone.post("/api/v1/corrections", json=group).json()
        thousand = {"do": "several", "corrections": [base(f"b{k}").model_dump(mode="json") for k in range(1000)]}
        refused = phone.post("/api/v1/corrections", json=thousand)

    assert problem["field"] == "corrections.0.at_mm"
    assert problem["value"] == [105, 205]
    assert "'lost' stands at 105, 205 mm" in problem["detail"]
    assert refused.status_code == 422
    assert ids(hub) == ["m1", "m2", "lost"]


def test_more_by_hand_than_any_table_holds_are_refused() -> None:
    crowd = [mini(f"b{k}", 5 + k * 4, 900) | {"placement": "by-hand"} for k in range(MOST_PLACED)]

    with pytest.raises(BadCorrection, match=f"more than {MOST_PLACED} bases would stand by hand"):
        UndoLog(MemoryJournal()).correct(table(*crowd), base(), by="player-a")


def test_a_round_base_has_no_turn() -> None:
    with pytest.raises(ValueError, match="a round base has no turn"):
        base(turn_deg=20)


def test_who_placed_it_meanwhile_is_not_overruled_unseen() -> None:
    hub = hub_of()
    hub.undo_log.correct(hub.measured, base(), by="player-a", seen=0)

    with pytest.raises(CorrectionConflict, match="lost: a 40 mm base"):
        hub.undo_log.correct(hub.measured, base(at_mm=(130, 200)), by="player-b", seen=0)


def test_the_next_photograph_is_searched_where_one_was_placed_until_it_is_measured() -> None:
    hub = hub_of()
    hub.undo_log.correct(hub.measured, base(), by="judge")
    assert [(hint.at_mm, hint.base) for hint in hub.hints()] == [((100, 200), ROUND_40)]
    see(hub, *TWO, mini("m3", 101, 199, mm=40))

    assert hub.hints() == ()


def _confirmed(hub: Hub) -> list[ConfirmedBase]:
    """What the camera's process was told last."""
    told: tuple[ConfirmedBase, ...] = ()
    while not hub.camera._commands.confirmed.empty():  # type: ignore[union-attr]
        told = hub.camera._commands.confirmed.get()  # type: ignore[union-attr]
    return list(told)


def test_the_camera_is_told_which_bases_keep_their_names() -> None:
    hub = Hub(title="test table", commands=CameraCommands(Event(), Event(), Event()))
    hub.handle_report(frame_report(state_line(MEASURED)))
    step = hub.undo_log.correct(hub.measured, base(sigma_mm=1.5), by="player-a")
    (told,) = _confirmed(hub)

    assert (told.step, told.id, told.at_mm, told.base, told.sigma_mm) == (step.n, "lost", (100, 200), ROUND_40, 1.5)
    hub.undo_log.undo(by="player-a")
    assert _confirmed(hub) == []


def test_a_process_that_starts_again_is_told_where_it_was_measured_since() -> None:
    hub = Hub(title="test table", commands=CameraCommands(Event(), Event(), Event()))
    hub.handle_report(frame_report(state_line(MEASURED)))
    hub.undo_log.correct(hub.measured, base(), by="player-a")
    see(hub, *TWO, mini("lost", 103, 201, mm=40))
    see(hub, *TWO, mini("lost", 333, 444, mm=40))
    hub.attach_camera(CameraCommands(Event(), Event(), Event()))
    (told,) = _confirmed(hub)

    assert (told.id, told.at_mm) == ("lost", (333, 444))
    assert miniature(hub, "lost").at_mm == (333, 444)


def test_one_that_the_camera_follows_by_hand_stays_a_players_word() -> None:
    hub = hub_of()
    hub.undo_log.correct(hub.measured, base(), by="player-a", has_opponent=True)
    see(hub, *TWO, mini("lost", 100.5, 200, mm=40) | {"placement": "by-hand"})

    assert [fact.kind for fact in hub.undo_log.open_facts(hub.state)] == ["base"]  # type: ignore[arg-type]
    assert miniature(hub, "lost").at_mm == (100, 200)
    see(hub, *TWO, mini("lost", 333, 444, mm=40) | {"placement": "measured"})
    assert hub.undo_log.open_facts(hub.state) == ()  # type: ignore[arg-type]


def test_one_that_was_seen_to_leave_the_table_stands_by_hand_no_more() -> None:
    hub = hub_of()
    hub.undo_log.correct(hub.measured, base(), by="player-a")
    gone = EventLine(type="removed", t_s=1.0, frame=9, ids=("lost",))
    hub.handle_report(replace(frame_report(state_line(MEASURED)), lines=(gone, state_line(table(*TWO[:1])))))

    assert ids(hub) == ["m1"]
