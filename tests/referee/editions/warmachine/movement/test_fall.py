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
