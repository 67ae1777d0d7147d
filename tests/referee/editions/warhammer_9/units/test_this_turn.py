"""What a unit did is one fact, in whichever words it is told; who may not act at all needs no card."""

from typing import Any

import pytest

from models.state import TableState
from tests.referee.editions.warhammer_9.tables import CARD, block, lone, table
from tests.referee.tables import asked

CARDLESS = {key: one for key, one in CARD.items() if key != "spd_in"}
WAYS_TO_TELL_A_CHARGE: list[dict[str, Any]] = [{"moved": ["charge"]}, {"charged": "B"}]


def fight(did: dict[str, Any]) -> TableState:
    ours = block("A", "red", (600, 300), 90, 5, 10, this_turn=did)
    return table([ours, block("B", "blue", (600, 300), 270, 5, 10)])


@pytest.mark.parametrize("did", WAYS_TO_TELL_A_CHARGE)
def test_a_charge_told_in_either_way_gives_its_bonus(did: dict[str, Any]) -> None:
    total: Any = asked(fight(did), "combat-bonuses", a=["A"], b=["B"]).value["total"]
    still: Any = asked(fight({}), "combat-bonuses", a=["A"], b=["B"]).value["total"]

    assert total["a"] == still["a"] + 1


@pytest.mark.parametrize("did", WAYS_TO_TELL_A_CHARGE)
def test_a_charge_told_in_either_way_bars_the_door(did: dict[str, Any]) -> None:
    square = [[500, 300], [700, 300], [700, 400], [500, 400]]
    state = table(
        [block("A", "red", (600, 300), 90, 5, 10, this_turn=did)],
        terrain=[{"id": "house", "kind": "building", "polygon_mm": square}],
    )

    assert asked(state, "garrison", unit="A", feature="house", manner="enter").answer == "no"


@pytest.mark.parametrize("did", WAYS_TO_TELL_A_CHARGE)
def test_a_charge_told_in_either_way_is_one_reason_not_to_shoot(did: dict[str, Any]) -> None:
    state = table([block("A", "red", (600, 300), 90, 5, 10, this_turn=did)])

    assert asked(state, "may-shoot", attacker="A").value["reasons"] == ["charged"]


def random_mover(**more: Any) -> TableState:
    card = CARDLESS | {"abilities": ["random-movement"]}
    one = lone("R", "red", (800, 275), 90, type="monster") | {"profile": card} | more
    return table([block("X", "blue", (700, 480), 270, 5, 10)], [one])


def test_a_random_mover_declares_no_charge_whatever_its_card_lacks() -> None:
    assert asked(random_mover(), "charge", attacker="R", target="X", step="declare").answer == "no"
    assert asked(random_mover(), "multi-charge", attackers=["R"], targets=["X"]).answer == "no"


def test_who_could_charge_is_asked_for_its_movement() -> None:
    one = lone("R", "red", (800, 275), 90, type="monster") | {"profile": CARDLESS}
    state = table([block("X", "blue", (700, 480), 270, 5, 10)], [one])

    assert asked(state, "charge", attacker="R", target="X", step="declare").needs == ("profile.spd_in of R",)
    assert asked(state, "multi-charge", attackers=["R"], targets=["X"]).needs == ("profile.spd_in of R",)


def test_a_random_mover_makes_no_move_of_its_own_choice_whatever_its_card_lacks() -> None:
    steps = [{"do": "forward", "by_in": 2}]
    chosen: Any = asked(random_mover(), "move", mover="R", steps=steps)

    assert (chosen.answer, chosen.value["violation"]["what"]) == ("no", "random-movement")
    assert asked(random_mover(status=["fleeing"]), "move", mover="R", steps=steps).answer == "no"
