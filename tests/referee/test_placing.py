from typing import Any

from models.verdict import Verdict
from tests.referee.tables import asked, box, mini, table

INCH = 25.4


def put(*others: dict[str, Any], at: Any = (600, 600), me: Any = None, state: Any = None, **fields: Any) -> Verdict:
    mover = mini("m", 200, 200, side="red", **(me or {}))
    return asked(table(mover, *others, **(state or {})), "placement", mover="m", to={"at_mm": at}, **fields)


def clauses(verdict: Verdict) -> dict[str, str | None]:
    told: Any = verdict.value["clauses"]
    return {one["clause"]: one["answer"] for one in told}


def test_there_has_to_be_room_and_touching_is_allowed() -> None:
    assert put(mini("b", 630, 600)).margin_mm == 0
    assert put(mini("b", 630, 600)).answer == "yes"
    assert put(mini("b", 629, 600)).margin_mm == -1


def test_nothing_is_placed_on_solid_terrain_but_rough_ground_will_do() -> None:
    wall = {"terrain": [box("w", "wall", 610, 500, 620, 700, height_mm=20)]}
    bog = {"terrain": [box("b", "rough", 500, 500, 700, 700)]}

    assert put(state=wall).margin_mm == -5
    assert put(state=bog).answer == "yes"


def test_it_stays_on_the_table() -> None:
    assert put(at=(10, 600)).margin_mm == -5


def test_a_colossal_is_never_placed_though_it_may_move_there() -> None:
    huge = {"mm": 120, "type": "warjack"}

    assert clauses(put(me=huge))["kind"] == "no"
    assert put(me=huge, manner="moved").answer == "yes"


def test_a_range_is_kept() -> None:
    assert put(mini("b", 600, 600 + 30 + 3 * INCH), range_in=3, of="b").answer == "yes"
    assert put(mini("b", 600, 600 + 31 + 3 * INCH), range_in=3, of="b").answer == "no"


def test_a_trooper_in_formation_stays_in_it() -> None:
    lead = mini("lead", 200, 250, side="red", unit="u")
    units = {"units": [{"id": "u", "commander": "lead", "command_in": 5}]}

    assert clauses(put(lead, me={"unit": "u"}, state=units))["formation"] == "no"
    assert put(lead, me={"unit": "u"}, at=(300, 250), state=units).answer == "yes"


def swap(diameter: float, at: Any) -> Verdict:
    state = table(mini("m", 600, 600, mm=30))
    base = {"shape": "round", "diameter_mm": diameter}
    return asked(state, "replacement", mover="m", base=base, to={"at_mm": at})


def test_the_smaller_base_lies_within_the_larger() -> None:
    assert (swap(50, (610, 600)).answer, swap(50, (610, 600)).margin_mm) == ("yes", 0)
    assert swap(50, (611, 600)).answer == "no"
    assert swap(30, (600, 600)).answer == "yes"
    assert swap(30, (601, 600)).margin_mm == -0.5


def test_a_replacement_needs_room() -> None:
    state = table(mini("m", 600, 600, mm=30), mini("b", 632, 600))
    base = {"shape": "round", "diameter_mm": 50}

    assert asked(state, "replacement", mover="m", base=base, to={"at_mm": (600, 600)}).answer == "no"


def drop(**fields: Any) -> Verdict:
    platform = box("p", "platform", 500, 500, 700, 700, height_mm=60)
    state = table(mini("m", 600, 600, elevation_mm=60), mini("u", 760, 600), terrain=[platform])
    return asked(state, "fall", mover="m", **fields)


def test_a_drop_of_an_inch_is_a_fall() -> None:
    assert (drop(drop_in=1).answer, drop(drop_in=1).at_edge) == ("yes", True)
    assert drop(drop_in=0.99).answer == "no"
    assert drop(drop_in=4).value["dice"] == {"count": 3, "plus": 12}
    assert drop(drop_in=4.1).value["dice"] == {"count": 4, "plus": 12}


def test_whoever_is_moved_off_a_platform_falls_on_whom_it_meets() -> None:
    verdict = drop(path_mm=[(600, 600), (740, 600)])

    assert (verdict.answer, verdict.value["drop_mm"]) == ("yes", 60)
    assert [m.id for m in verdict.members] == ["u"]


def test_it_falls_when_its_middle_is_off_unless_the_table_says_otherwise() -> None:
    assert drop(path_mm=[(600, 600), (701, 600)]).answer == "yes"
    assert drop(path_mm=[(600, 600), (699, 600)]).answer == "no"
