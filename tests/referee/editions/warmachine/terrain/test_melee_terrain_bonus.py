from typing import Any

import pytest

from tests.referee.tables import asked, box, mini, table


def fight(*terrain: dict[str, Any], **rules: str) -> Any:
    state = table(mini("a", 300, 300), mini("t", 350, 300, 180), terrain=list(terrain), house_rules=rules)
    return asked(state, "melee-terrain-bonus", attacker="a", target="t")


def test_a_wall_between_them_adds_two() -> None:
    verdict = fight(box("w", "wall", 320, 200, 330, 400, height_mm=20))

    assert (verdict.answer, verdict.value["bonus"], verdict.value["feature"]) == ("yes", 2, "w")


def test_a_corner_in_the_way_is_enough_and_its_depth_is_told() -> None:
    verdict = fight(box("w", "obstruction", 320, 305, 330, 400, height_mm=60))

    assert (verdict.answer, verdict.margin_mm) == ("yes", pytest.approx(10.0))


def test_a_corner_that_hides_nothing_wholly_is_not_enough_under_the_other_reading() -> None:
    verdict = fight(box("w", "obstruction", 320, 312, 330, 400, height_mm=60))

    assert [(flip.house_rule, flip.reading, flip.answer) for flip in verdict.flips_under] == [
        ("obscured", "hidden-part", "no")
    ]


def test_a_line_that_grazes_it_is_enough() -> None:
    verdict = fight(box("w", "wall", 320, 315, 330, 400, height_mm=20))

    assert (verdict.answer, verdict.at_edge) == ("yes", True)


def test_a_wall_beside_or_behind_them_does_nothing() -> None:
    beside = fight(box("w", "wall", 320, 320, 330, 400, height_mm=20))

    assert (beside.answer, beside.margin_mm) == ("no", pytest.approx(-5.0))
    assert fight(box("w", "wall", 365, 200, 370, 400, height_mm=20)).answer == "no"


def test_a_forest_is_neither_obstacle_nor_obstruction() -> None:
    assert fight(box("f", "forest", 320, 200, 330, 400)).answer == "no"
