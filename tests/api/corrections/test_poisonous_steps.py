"""No step kills a table: what cannot be applied or drawn is refused before it is written, or set aside at the start."""

import json
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from api.corrections.schemas import CORRECTION
from api.errors import BadCorrection, NothingToUndo
from api.journal.file_journal import NAME, FileJournal
from api.live.hub import Hub
from api.rulings.bench import JudgesBench
from api.server.journal_entries import ENTRY_CLASSES
from models.parsing import parse_queries
from models.state import TableState
from referee import ask
from tests.api.worlds import drop_miniatures, frame_report, skirmish, state_line

HILL = {"kind": "hill", "polygon_mm": [[300, 300], [450, 300], [450, 412], [300, 412]]}
FAR_HILL = {"id": "far", "kind": "hill", "centre_mm": [1e15, 1e15], "diameter_mm": 5e14}
AURA = {"kind": "cloud", "radius_in": 3}
EDITIONS = ("warmachine-prime", "hordes-mk2", "warmachine-mk1")


def lay(**things: Any) -> dict[str, Any]:
    return {"do": "lay"} | things


def aura(id_: str, on: str | None) -> dict[str, Any]:
    return AURA | {"id": id_} | ({} if on is None else {"on": on})


POISON = {
    "a hill at 1e15 mm": lay(terrain=[FAR_HILL]),
    "an effect on nobody": lay(effects=[aura("e", None)]),
    "an effect on somebody unknown": lay(effects=[aura("e", "nobody")]),
    "an effect on itself": lay(effects=[aura("e", "e")]),
    "two effects on each other": lay(effects=[aura("e", "f"), aura("f", "e")]),
    "an effect on a unit of nobody": lay(units=[{"id": "u"}], effects=[aura("e", "u")]),
    "an objective that is no terrain": lay(objectives=[{"id": "o", "kind": "flag", "terrain": "nothing"}]),
    "a base as wide as the world": {"do": "miniature", "ids": ["m3"], "base": {"shape": "round", "diameter_mm": 1e14}},
    "a card of 101 weapons": {"do": "miniature", "ids": ["m3"], "profile": {"melee": [{"name": "Blade"}] * 101}},
    "101 states of one base": {"do": "miniature", "ids": ["m3"], "status": ["knocked-down"] * 101},
}


def tell(hub: Hub, correction: dict[str, Any]) -> None:
    """As the route does."""
    hub.undo_log.correct(hub.measured, CORRECTION.validate_python(correction), by="player-a")


def seen_table() -> Hub:
    hub = Hub(title="test table")
    hub.handle_report(frame_report(state_line(skirmish())))
    return hub


def ask_for_sight(state: TableState) -> None:
    """A question of sight, in every edition of the family."""
    ids = [m.id for m in state.miniatures]
    (query,), _ = parse_queries(json.dumps({"kind": "los", "viewer": ids[0], "target": ids[-1]}).encode())
    for edition in EDITIONS:
        ask(state.in_edition(edition), query)  # type: ignore[arg-type]


@pytest.mark.parametrize("poison", POISON.values(), ids=POISON.keys())
def test_a_poisonous_step_is_refused_by_field_and_leaves_nothing_in_the_journal(poison: dict[str, Any]) -> None:
    hub = seen_table()
    before = [line.n for line in hub.journal.lines()]

    with pytest.raises((BadCorrection, ValidationError)) as refused:
        tell(hub, poison)

    assert isinstance(refused.value, ValidationError) or refused.value.field
    assert [line.n for line in hub.journal.lines()] == before
    assert hub.state is not None
    ask_for_sight(hub.state)


def test_an_effect_goes_with_who_carried_it_and_comes_back_with_him() -> None:
    hub = seen_table()
    tell(hub, lay(effects=[aura("e", "m3"), AURA | {"id": "f", "centre_mm": [100, 100], "diameter_mm": 50}]))
    hub.handle_report(frame_report(state_line(drop_miniatures(skirmish(), "m3"))))

    assert hub.state is not None
    assert [effect.id for effect in hub.state.effects] == ["f"]
    ask_for_sight(hub.state)

    hub.handle_report(frame_report(state_line(skirmish())))

    assert {effect.id for effect in hub.state.effects} == {"e", "f"}


def test_an_objective_whose_terrain_is_taken_away_goes_or_stays_where_it_lies() -> None:
    hub = seen_table()
    flags = [{"id": "o", "kind": "flag", "terrain": "h"}, {"id": "p", "kind": "flag", "terrain": "h", "at_mm": [9, 9]}]
    tell(hub, lay(terrain=[HILL | {"id": "h"}], objectives=flags))
    tell(hub, {"do": "take-away", "ids": ["h"]})

    assert hub.state is not None
    assert [(one.id, one.terrain) for one in hub.state.objectives if one.id in "op"] == [("p", None)]


def test_a_step_that_cannot_be_drawn_any_more_is_set_aside_by_name_and_the_judge_is_told(tmp_path: Path) -> None:
    with closing(FileJournal(tmp_path, ENTRY_CLASSES)) as journal:
        hub = Hub(title="test table", journal=journal)
        hub.handle_report(frame_report(state_line(skirmish())))
        tell(hub, {"do": "miniature", "ids": ["m3"], "name": "Ironclad"})
    wide = json.dumps(POISON["a base as wide as the world"] | {"name": "Worldeater", "seen_mm": {}})
    with (tmp_path / NAME).open("a") as file:
        file.write(f'{{"n":3,"at_s":1.0,"entry":{{"type":"corrected","by":"player-b","correction":{wide}}}}}\n')

    with closing(FileJournal(tmp_path, ENTRY_CLASSES)) as journal:
        hub = Hub(title="test table", journal=journal)
        (alarm,) = JudgesBench(hub).bench().alarms
        assert hub.state is not None
        assert hub.state.by_id["m3"].name == "Ironclad"  # type: ignore[union-attr]
        assert alarm.code == "step-3"
        assert "m3: Worldeater" in alarm.says
        assert hub.snapshot().alarms == (alarm,)


def test_a_step_that_fits_no_more_is_not_done_again() -> None:
    hub = seen_table()
    tell(hub, lay(units=[{"id": "wall"}]))
    step = hub.undo_log.undo(by="player-a")
    tell(hub, lay(terrain=[HILL | {"id": "wall"}]))

    with pytest.raises(BadCorrection) as refused:
        hub.undo_log.redo(step.n, by="player-a", measured=hub.measured)

    assert (refused.value.field, refused.value.value) == ("n", step.n)


IDS = st.sampled_from(["m1", "m2", "m3", "m4", "m5", "h", "i", "e", "f", "o", "u", "nobody"])
PLACES = st.sampled_from([0.0, 12.5, 300.0, 1219.0, -1e5, 1e6, 1e15])
POINTS = st.lists(PLACES, min_size=2, max_size=2)
HILLS = st.builds(
    lambda id_, at, size: {"id": id_, "kind": "hill", "centre_mm": at, "diameter_mm": size},
    IDS, POINTS, st.sampled_from([1.0, 90.0, 1e7]),
)  # fmt: skip
AURAS = st.builds(lambda id_, on: aura(id_, on), IDS, st.none() | IDS)
FLAGS = st.builds(
    lambda id_, terrain, at: {"id": id_, "kind": "flag", "terrain": terrain, "at_mm": at}, IDS, IDS, st.none() | POINTS
)
CORRECTIONS = st.recursive(
    st.one_of(
        st.builds(lambda hills: lay(terrain=hills), st.lists(HILLS, min_size=1, max_size=2)),
        st.builds(lambda auras: lay(effects=auras), st.lists(AURAS, min_size=1, max_size=3)),
        st.builds(lambda flag: lay(objectives=[flag]), FLAGS),
        st.builds(lambda id_: lay(units=[{"id": id_}]), IDS),
        st.builds(lambda ids: {"do": "take-away", "ids": ids}, st.lists(IDS, min_size=1, max_size=3)),
        st.builds(lambda id_, unit: {"do": "miniature", "ids": [id_], "unit": unit}, IDS, IDS),
        st.builds(
            lambda id_, mm: {"do": "miniature", "ids": [id_], "base": {"shape": "round", "diameter_mm": mm}},
            IDS, st.sampled_from([30, 120, 1e14]),
        ),
        st.builds(lambda a, b: {"do": "contact", "a": a, "b": b}, IDS, IDS),
        st.builds(lambda edition: {"do": "table", "edition": edition}, st.sampled_from(EDITIONS)),
    ),
    lambda one: st.builds(lambda all_: {"do": "several", "corrections": all_}, st.lists(one, min_size=1, max_size=3)),
    max_leaves=3,
)  # fmt: skip
DEEDS = st.one_of(
    st.tuples(st.just("tell"), CORRECTIONS),
    st.tuples(st.just("tell"), CORRECTIONS),
    st.tuples(st.sampled_from(["undo", "redo"]), st.none() | st.integers(1, 40)),
    st.tuples(st.just("seen"), st.sets(st.sampled_from(["m1", "m2", "m3", "m4", "m5"]))),
    st.tuples(st.just("restart"), st.none()),
)


def do(hub: Hub, deed: str, what: Any) -> None:
    """One deed; a refusal is an answer."""
    if deed == "seen":
        hub.handle_report(frame_report(state_line(drop_miniatures(skirmish(), *what))))
        return
    try:
        if deed == "tell":
            tell(hub, what)
        elif deed == "undo":
            hub.undo_log.undo(what, by="player-b")
        else:
            hub.undo_log.redo(what, by="player-b", measured=hub.measured)
    except (BadCorrection, NothingToUndo, ValidationError):
        return


@settings(max_examples=12)
@given(deeds=st.lists(DEEDS, min_size=50, max_size=50))
def test_fifty_corrections_removals_undos_and_restarts_leave_a_table_that_answers(deeds: list[tuple[str, Any]]) -> None:
    with TemporaryDirectory() as folder:
        journal = FileJournal(Path(folder), ENTRY_CLASSES)
        hub = Hub(title="test table", journal=journal)
        hub.handle_report(frame_report(state_line(skirmish())))
        for deed, what in deeds:
            if deed == "restart":
                journal.close()
                journal = FileJournal(Path(folder), ENTRY_CLASSES)
                shown, hub = hub.state, Hub(title="test table", journal=journal)
                assert hub.state == shown
            else:
                do(hub, deed, what)
            assert hub.snapshot().table is not None
        journal.close()
    assert hub.state is not None
    ask_for_sight(hub.state)


def test_a_step_has_a_sum_whatever_it_is_divided_into() -> None:
    auras = [aura(f"e{n}", "m1") for n in range(200)]
    block = {
        "front_mm": [0, 0],
        "facing_deg": 0,
        "files": 5,
        "count": 500,
        "base": {"shape": "round", "diameter_mm": 30},
    }

    with pytest.raises(ValidationError, match="at most 1000"):
        CORRECTION.validate_python({"do": "several", "corrections": [lay(effects=auras)] * 6})
    with pytest.raises(ValidationError, match="at most 1000"):
        CORRECTION.validate_python(lay(units=[{"id": f"u{n}", "block": block} for n in range(3)]))
