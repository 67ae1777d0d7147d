"""Fall: off what, how far, and how many dice; and where the table's edge stops a move."""

from typing import Any

from models.verdict import Verdict
from tests.referee.tables import asked, box, mini, table


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


def edge(cause: str, **house: str) -> Verdict:
    state = table(mini("m", 100, 600), house_rules=house)
    return asked(state, "table-edge", mover="m", heading_deg=180, distance_in=5, cause=cause)


def test_a_shove_stops_at_the_tables_edge() -> None:
    verdict = edge("involuntary")

    assert (verdict.value["result"], verdict.value["to_edge_mm"]) == ("stops", 85)
    assert verdict.value["poses"] == {"m": {"at_mm": [15, 600]}}
    assert edge("involuntary", **{"edge-stop": "centre"}).value["to_edge_mm"] == 100


def test_an_advance_does_not_leave_the_table() -> None:
    assert edge("move").value["result"] == "not-allowed"
    state = table(mini("m", 600, 600))
    stays = asked(state, "table-edge", mover="m", heading_deg=180, distance_in=5)
    assert stays.value["result"] == "stays"
