from typing import Any

import pytest

from tests.referee.tables import asked, box, mini, table

HILL = box("h", "hill", 350, 200, 450, 400, height_mm=50.8)


def bonus(x: float, *, mm: float = 30, attack: str = "ranged", shooter: float = 100) -> Any:
    state = table(mini("a", shooter, 300), mini("t", x, 300, mm=mm), terrain=[HILL])
    return asked(state, "elevation-bonus", attacker="a", target="t", attack=attack)


def test_a_target_wholly_on_a_hill_earns_two_against_shots_from_below() -> None:
    verdict = bonus(400)

    assert (verdict.answer, verdict.margin_mm, verdict.value["bonus"]) == ("yes", pytest.approx(50.8), 2)


def test_completely_within_takes_the_rim_too() -> None:
    assert bonus(365).answer == "yes"
    assert (bonus(363).answer, bonus(363).margin_mm) == ("no", pytest.approx(-2.0))


def test_equal_levels_earn_nothing() -> None:
    assert bonus(430, shooter=380).answer == "no"


def test_looking_up_earns_the_attacker_nothing() -> None:
    state = table(mini("a", 400, 300), mini("t", 100, 300), terrain=[HILL])
    verdict = asked(state, "elevation-bonus", attacker="a", target="t")

    assert (verdict.answer, verdict.margin_mm) == ("no", pytest.approx(-50.8))


def test_neither_huge_bases_nor_melee_know_it() -> None:
    state = table(mini("a", 100, 300), mini("t", 400, 300, mm=120), terrain=[box("h", "hill", 300, 200, 500, 400)])

    assert asked(state, "elevation-bonus", attacker="a", target="t").answer == "no"
    assert bonus(400, attack="melee").answer == "no"


def test_a_target_measured_near_the_foot_of_the_hill_is_too_close() -> None:
    state = table(mini("a", 100, 300), mini("t", 365.1, 300, sigma=0.3), terrain=[HILL])

    assert asked(state, "elevation-bonus", attacker="a", target="t").answer == "too-close"
