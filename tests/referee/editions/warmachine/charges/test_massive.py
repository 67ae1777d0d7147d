"""What is massive: nothing pushes, slams or throws it, knocks it down or makes it move over."""

from typing import Any

import pytest

from tests.referee.tables import asked, mini, table

MASSIVE: list[dict[str, Any]] = [
    {"type": "battle-engine"},
    {"type": "warjack"},
    {"type": "warbeast"},
    {"type": "solo", "abilities": ["massive"]},
]
STRONG = {"strength": 20, "spd_in": 6, "melee": [{"name": "Fist", "reach_in": 2, "rules": ["open-fist"]}]}


def shove(kind: str, them: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """What comes of a shove of a huge base by another one beside it."""
    state = table(
        mini("a", 300, 600, mm=120, side="red", type="warjack", profile=STRONG),
        mini("t", 430, 600, 180, mm=120, side="blue", **them),
    )
    value: dict[str, Any] = dict(asked(state, kind, attacker="a", target="t", **fields).value)
    return value.get("slammed", value)


@pytest.mark.parametrize("them", MASSIVE)
def test_no_power_attack_moves_the_massive(them: dict[str, Any]) -> None:
    slammed = shove("slam", them, here=True, hit=True, dice={"slam": 6})
    thrown = shove("throw", them, heading_deg=0, hit=True)

    assert shove("push", them, distance_in=2)["travelled_mm"] == 0
    assert (slammed["travelled_mm"], slammed["knocked_down"]) == (0, [])
    assert (thrown["travelled_mm"], thrown["knocked_down"]) == (0, [])


def test_a_huge_base_that_is_not_massive_is_moved() -> None:
    assert shove("push", {"type": "solo"}, distance_in=2)["travelled_mm"] == pytest.approx(50.8)


def test_the_massive_suffer_collateral_damage_and_stay_on_their_feet() -> None:
    flier = mini("t", 430, 600, 180, mm=120, side="blue", type="solo")
    engine = mini("e", 600, 600, 180, mm=120, side="blue", type="battle-engine")
    state = table(mini("a", 300, 600, mm=120, side="red", type="warjack", profile=STRONG), flier, engine)

    slammed: Any = asked(state, "slam", attacker="a", target="t", here=True, hit=True, dice={"slam": 6}).value[
        "slammed"
    ]

    assert (slammed["knocked_down"], slammed["collateral"]) == (["t"], ["e"])


def test_a_battle_engine_does_not_make_room() -> None:
    state = table(mini("a", 450, 600, mm=50), mini("e", 430, 600, mm=120, type="battle-engine"))

    poses: Any = asked(state, "least-disturbance", mover="a").value["poses"]

    assert list(poses) == ["a"]
