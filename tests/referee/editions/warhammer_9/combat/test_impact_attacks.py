"""Impact hits: made in the turn of a charge, by what the ledger of the turn holds."""

from typing import Any

import pytest

from models.state import TableState
from tests.referee.editions.warhammer_9.tables import block, table
from tests.referee.tables import asked


def faced(card: dict[str, Any], kind: str = "infantry", **more: Any) -> TableState:
    """Ten of a kind with that card, and ten enemies who touch them."""
    ours, theirs = block("A", "red", (600, 300), 90, 5, 10), block("E", "blue", (600, 300), 270, 5, 10)
    ours["block"] |= {"profile": ours["block"].get("profile", {}) | card, "type": kind}
    return table([ours | more, theirs])


@pytest.mark.parametrize("attack", ["impact", "stomp"])
@pytest.mark.parametrize(
    ("kind", "card", "able"),
    [("infantry", {"spd_in": 4}, ()), ("cavalry", {"spd_in": 4}, ("impact",)), ("monster", {"spd_in": 4}, ("stomp",)),
     ("infantry", {"spd_in": 4, "abilities": ["stomp"]}, ("stomp",))],
)  # fmt: skip
def test_only_a_card_or_a_kind_that_has_them_makes_impact_hits_and_stomps(
    attack: str, kind: str, card: dict[str, Any], able: tuple[str, ...]
) -> None:
    verdict = asked(faced(card, kind, this_turn={"charged": "E"}), "impact-attacks", attacker="A", attack=attack)

    assert bool(verdict.value["hits"]) == bool(verdict.members) == (attack in able)


@pytest.mark.parametrize(
    ("turn", "strikes"),
    [({}, False), ({"moved": ["charge"]}, True), ({"charged": "E"}, True),
     ({"moved": ["random"]}, True), ({"moved": ["advance"]}, False),
     ({"moved": ["charge"], "charge_failed": True}, False)],
)  # fmt: skip
def test_who_moved_without_a_charge_makes_no_impact_hits(turn: dict[str, Any], strikes: bool) -> None:
    state = faced({"abilities": ["impact-hits", "stomp"]}, this_turn=turn)

    assert bool(asked(state, "impact-attacks", attacker="A", attack="impact").members) == strikes
    assert asked(state, "impact-attacks", attacker="A", attack="stomp").members
