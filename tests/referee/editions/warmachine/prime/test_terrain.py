"""Terrain: climbing, elevation and its bonus, and water."""

from typing import Any

import pytest

from models.verdict import Verdict
from tests.referee.tables import asked, box, mini, table

INCH = 25.4
WALL = box("w", "wall", 350, 500, 360, 700, height_mm=20)
HILL = box("h", "hill", 100, 100, 300, 300, height_mm=40, level=1)
RISE = box("h", "hill", 350, 200, 450, 400, height_mm=50.8)


def stand(width: float, **fields: Any) -> Verdict:
    ledge = box("l", "terraced-obstruction", 600, 300, 600 + width, 900, height_mm=40)
    state = table(mini("m", 560, 600, mm=50, profile={"spd_in": 6}), terrain=[ledge])
    return asked(state, "climb", mover="m", feature="l", **fields)


def test_a_base_overhangs_a_terrace_by_an_inch_at_most() -> None:
    spot = {"to": {"at_mm": [620, 600]}}

    assert stand(40, **spot).value["overhang_mm"] == 5
    assert stand(40, **spot).margin_mm == INCH - 5
    assert asked_overhang(INCH).at_edge
    assert asked_overhang(INCH).answer == "yes"
    assert asked_overhang(INCH + 0.1).answer == "no"


def asked_overhang(overhang: float) -> Verdict:
    """A base that hangs so far over the right side of a wide terrace."""
    return stand(200, to={"at_mm": [800 - 25 + overhang, 600]}, distance_in=20)


def test_where_it_may_stand_is_found_when_nobody_says() -> None:
    verdict = stand(40)

    assert verdict.answer == "yes"
    assert verdict.value["overhang_mm"] == pytest.approx(5, abs=0.01)


def test_it_has_to_get_there() -> None:
    assert stand(200, to={"at_mm": [750, 600]}).answer == "no"


def test_what_nobody_climbs_is_refused() -> None:
    state = table(mini("m", 300, 600), terrain=[WALL])

    assert asked(state, "climb", mover="m", feature="w").status == "refused"


def test_who_is_completely_inside_a_hill_is_elevated_and_its_rim_will_do() -> None:
    inside = asked(table(mini("a", 200, 115), terrain=[HILL]), "elevation", who="a")

    assert (inside.answer, inside.margin_mm, inside.value["level"], inside.value["on"]) == ("yes", 0, 1, ["h"])
    assert inside.value["height_mm"] == 40
    half = asked(table(mini("a", 200, 110), terrain=[HILL]), "elevation", who="a")
    assert (half.answer, half.margin_mm) == ("no", -5)


def test_on_flat_ground_nobody_is_elevated() -> None:
    assert asked(table(mini("a", 200, 200)), "elevation", who="a").answer == "no"


def bonus(x: float, *, mm: float = 30, attack: str = "ranged", shooter: float = 100) -> Any:
    state = table(mini("a", shooter, 300), mini("t", x, 300, mm=mm), terrain=[RISE])
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
    state = table(mini("a", 400, 300), mini("t", 100, 300), terrain=[RISE])
    verdict = asked(state, "elevation-bonus", attacker="a", target="t")

    assert (verdict.answer, verdict.margin_mm) == ("no", pytest.approx(-50.8))


def test_neither_huge_bases_nor_melee_know_it() -> None:
    state = table(mini("a", 100, 300), mini("t", 400, 300, mm=120), terrain=[box("h", "hill", 300, 200, 500, 400)])

    assert asked(state, "elevation-bonus", attacker="a", target="t").answer == "no"
    assert bonus(400, attack="melee").answer == "no"


def test_a_target_measured_near_the_foot_of_the_hill_is_too_close() -> None:
    state = table(mini("a", 100, 300), mini("t", 365.1, 300, sigma=0.3), terrain=[RISE])

    assert asked(state, "elevation-bonus", attacker="a", target="t").answer == "too-close"


def test_an_amphibious_model_wholly_in_shallow_water_is_concealed() -> None:
    pool = box("p", "shallow-water", 100, 100, 300, 300)

    def wade(y: float, *abilities: str) -> Verdict:
        return asked(table(mini("a", 200, y, abilities=list(abilities)), terrain=[pool]), "water", who="a")

    assert (wade(115, "amphibious").answer, wade(115, "amphibious").value["concealed"]) == ("yes", True)
    assert wade(115).value["concealed"] is False
    assert (wade(110, "amphibious").answer, wade(110, "amphibious").value["concealed"]) == ("no", False)
