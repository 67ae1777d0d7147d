"""Flyers: ten inches over everything, twenty on a march, and none for those who only hover or cannot fly."""

from typing import Any

import pytest

from models.state import TableState
from tests.referee.scenarios.warhammer.field import field, lone, unit
from tests.referee.tables import asked

FOE = unit("E", (600, 400), 270, 5, 10, "blue")


def beast(*abilities: str, **more: Any) -> dict[str, Any]:
    return lone("A", (600, 275), 90, card={"abilities": [*abilities]}, **more)


def moved(state: TableState, manner: str, by_in: float) -> Any:
    steps = [{"do": "forward", "by_in": by_in}]
    return asked(state, "move", mover="A", manner=manner, steps=steps)


@pytest.mark.parametrize(
    ("ability", "manner", "by_in", "answer"),
    [
        ("fly", "fly", 10, "yes"),
        ("fly", "fly", 11, "no"),
        ("fly", "fly-march", 20, "yes"),
        ("fly", "fly-march", 20.5, "no"),
        ("hover", "fly", 10, "yes"),
        ("hover", "fly-march", 10, "no"),
        ("terror", "fly", 1, "no"),
    ],
)
def test_flight_is_ten_inches_and_twenty_on_a_march(ability: str, manner: str, by_in: float, answer: str) -> None:
    assert moved(field(beast(ability)), manner, by_in).answer == answer


def test_a_march_says_how_far_a_flyer_marches() -> None:
    flies, hovers = (asked(field(beast(one)), "march", mover="A") for one in ("fly", "hover"))

    assert flies.value["flying_allowance_mm"] == pytest.approx(508)
    assert "flying_allowance_mm" not in hovers.value


def test_twice_the_move_of_a_wheel_in_flight_is_of_ten_inches() -> None:
    """The outer rear corner goes 70.7 * 170 degrees = 209.8: over twice 4 in, and under twice 10."""
    steps = [{"do": "wheel-left", "by_deg": 170}]

    assert asked(field(beast("fly")), "move", mover="A", manner="fly", steps=steps).answer == "yes"
    assert asked(field(beast("fly")), "move", mover="A", steps=steps).answer == "no"


def test_a_unit_of_flyers_flies_straight_over_what_it_would_walk_round() -> None:
    loose = unit("A", (600, 300), 90, 2, 2, base=(50, 50), gap=12.7, card={"abilities": ["fly"], "spd_in": 10})
    wide = unit("E", (600, 400), 270, 30, 30, "blue")
    there = {"mover": "A", "to": {"front_mm": [600, 540], "facing_deg": 90}}

    assert asked(field(loose, wide), "move", manner="fly", **there).answer == "yes"
    assert asked(field(loose, wide), "move", **there).answer == "no"


def test_who_cannot_fly_makes_no_flying_charge() -> None:
    verdict = asked(field(beast(), FOE), "charge", attacker="A", target="E", manner="fly")

    assert verdict.answer == "no"
    assert "cannot-fly" in str(verdict.value)
