"""Break tests and whose Leadership counts: the best of the unit, the general near by, and the battle standard."""

from typing import Any

import pytest

from models.state import TableState
from models.verdict import Verdict
from tests.referee.scenarios.warhammer.field import field, lone, unit
from tests.referee.tables import asked

A = unit("A", (600, 300), 90, 5, 10)
FOE = unit("E", (600, 300), 270, 5, 10, "blue")


def leader(x: float, y: float, ld: float = 9, *roles: str, **more: Any) -> dict[str, Any]:
    role = [*roles] or ["character", "general"]
    return lone("G", (x, y), 90, base=(20, 20), kind="infantry", card={"ld": ld}, role=role, **more)


def lost(state: TableState, by: int) -> Verdict:
    return asked(state, "morale-check", cause="break", unit="A", lost_by=by)


def chance(verdict: Verdict) -> Any:
    told: Any = verdict.value["chances"]
    return told["A"]


@pytest.mark.parametrize(("by", "needs", "exact"), [(0, 7, "7/12"), (3, 4, "1/6"), (5, 2, "1/36"), (6, 1, "0")])
def test_a_unit_stands_on_its_leadership_less_what_it_lost_by(by: int, needs: int, exact: str) -> None:
    found = chance(lost(field(A, FOE), by))

    assert (found["needs"], found["exact"]) == (needs, exact)


def test_who_is_steadfast_loses_nothing() -> None:
    verdict = lost(field(unit("A", (600, 300), 90, 5, 20), FOE), 9)

    assert (verdict.value["steadfast"], chance(verdict)["needs"]) == (True, 7)


@pytest.mark.parametrize(("by", "needs", "general"), [(1, 8, "G"), (3, 7, None)])
def test_the_steadfast_take_the_general_s_where_it_is_higher_even_so(by: int, needs: int, general: str | None) -> None:
    """The book's own example: 7 against 9 less the difference."""
    found = lost(field(unit("A", (600, 300), 90, 5, 20), FOE, leader(450, 250)), by)

    assert (found.value["ld"], found.value["general"]) == (needs, general)


def test_a_battle_standard_lets_them_roll_again() -> None:
    near, far = (lost(field(A, FOE, leader(x, 250, 7, "character", "battle-standard")), 2) for x in (450, 50))

    assert (chance(near)["exact"], chance(near)["with_reroll"]) == ("5/18", "155/324")
    assert "with_reroll" not in chance(far)


def test_the_unbreakable_take_no_test() -> None:
    verdict = lost(field(unit("A", (600, 300), 90, 5, 10, card={"abilities": ["unbreakable"]}), FOE), 9)

    assert verdict.value["units"] == []


def test_by_how_much_it_lost_is_asked_for() -> None:
    verdict = asked(field(A, FOE), "morale-check", cause="break", unit="A")

    assert (verdict.status, verdict.needs) == ("unknown", ("lost_by",))


ORDERS: tuple[dict[str, Any], ...] = (
    {"kind": "march", "mover": "A"},
    {"kind": "charge-redirect", "attacker": "A"},
    {"kind": "reform", "unit": "A", "manner": "restrain"},
)
AHEAD = unit("E", (600, 450), 270, 5, 10, "blue")


@pytest.mark.parametrize("order", ORDERS)
def test_a_general_near_by_lends_his_leadership(order: dict[str, Any]) -> None:
    asks = dict(order)
    kind = asks.pop("kind")
    near, far = (asked(field(A, AHEAD, leader(x, 250)), kind, **asks) for x in (450, 50))

    assert (near.value["chance"]["needs"], near.value["chance"]["general"]) == (9, "G")
    assert (far.value["chance"]["needs"], "general" in far.value["chance"]) == (7, False)


def test_a_fleeing_general_lends_nothing() -> None:
    found = asked(field(A, AHEAD, leader(450, 250, status=["fleeing"])), "march", mover="A")

    assert found.value["chance"]["needs"] == 7


def test_who_joined_a_unit_leads_it() -> None:
    hero = leader(610, 270, 8, "character") | {"unit": "A"}
    found = asked(field(A, AHEAD, hero), "march", mover="A")

    assert found.value["chance"]["needs"] == 8


def fought(*wounds: int, **more: Any) -> Verdict:
    """A of five by two, and E, each with the wounds it caused; A has a rank more."""
    state = field(unit("A", (600, 300), 90, 5, 10), unit("E", (600, 300), 270, 5, 5, "blue", **more))
    return asked(state, "combat-bonuses", a=["A"], b=["E"], wounds_a=[wounds[0]], wounds_b=[wounds[1]])


@pytest.mark.parametrize(("wounds", "winner", "by"), [((0, 3), "b", 1), ((0, 0), "a", 2), ((0, 2), None, 0)])
def test_a_combat_is_won_by_wounds_and_bonuses(wounds: tuple[int, int], winner: str | None, by: int) -> None:
    value = fought(*wounds).value

    assert (value["winner"], value["by"]) == (winner, by)


def test_the_losers_test_on_what_they_lost_by() -> None:
    tests: Any = fought(0, 4).value["break_tests"]

    assert tests.keys() == {"A"}
    assert (tests["A"]["lost_by"], tests["A"]["steadfast"], tests["A"]["chance"]["needs"]) == (2, True, 7)


def test_a_musician_wins_what_was_drawn() -> None:
    value = fought(0, 2, musician=True).value

    assert (value["winner"], value["by"], [*value["break_tests"]]) == ("b", 1, ["A"])  # type: ignore[misc]


def test_each_loser_is_compared_with_whom_it_touches() -> None:
    """B, which fights E2 alone and beats it, takes no test although its side has lost."""
    state = field(
        unit("A", (400, 300), 90, 5, 5), unit("B", (700, 300), 90, 5, 5),
        unit("E", (400, 300), 270, 5, 5, "blue"), unit("F", (700, 300), 270, 5, 5, "blue"),
    )  # fmt: skip
    value = asked(state, "combat-bonuses", a=["A", "B"], b=["E", "F"], wounds_a=[0, 2], wounds_b=[5, 0]).value
    tests: Any = value["break_tests"]

    assert (value["winner"], value["by"]) == ("b", 3)
    assert {id_: test["lost_by"] for id_, test in tests.items()} == {"A": 3}


def test_wounds_are_told_of_every_unit() -> None:
    with pytest.raises(ValueError, match="one number for each unit"):
        asked(field(A, FOE), "combat-bonuses", a=["A"], b=["E"], wounds_a=[1])
