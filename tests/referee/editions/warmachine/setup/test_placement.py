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
