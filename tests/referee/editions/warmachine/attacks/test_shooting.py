"""Shooting: who may make ranged attacks at all, and who aims."""

from typing import Any

import pytest

from models.verdict import Verdict
from tests.referee.tables import asked, mini, table


def shoot(apart: float = 5, *, target: str | None = None, weapon: str | None = None, **me: Any) -> Verdict:
    """One who shoots, an enemy this far ahead of him who engages him, and another far away."""
    shooter = mini("a", 300, 300, side="red", **({"gun": 10} | me))
    foe = mini("b", 300 + 15 + me.get("mm", 30) / 2 + apart, 300, 180, side="blue", reach=0.5)
    state = table(shooter, foe, mini("far", 800, 300, 180, side="blue", reach=0.5))
    return asked(state, "may-shoot", attacker="a", target=target, weapon=weapon)


def test_in_melee_nobody_shoots() -> None:
    verdict = shoot(5)

    assert (verdict.answer, verdict.value["reasons"], verdict.margin_mm) == ("no", ["in-melee"], pytest.approx(-7.7))


def test_out_of_reach_he_may() -> None:
    verdict = shoot(13.7)

    assert (verdict.answer, verdict.value["reasons"], verdict.margin_mm) == ("yes", [], pytest.approx(1.0))


def test_at_the_limit_of_the_reach_he_is_in_melee() -> None:
    assert shoot(12.7).answer == "no"


def test_a_colossal_shoots_in_melee_and_a_battle_engine_does_not() -> None:
    assert shoot(5, mm=120, type="warjack").answer == "yes"
    assert shoot(5, mm=120, type="battle-engine").answer == "no"


def test_a_gunfighter_shoots_at_those_he_fights_only() -> None:
    me: dict[str, Any] = {"abilities": ["gunfighter"]}

    assert shoot(5, **me).value["only_at"] == ["b"]
    assert (shoot(5, target="b", **me).answer, shoot(5, target="far", **me).answer) == ("yes", "no")
    assert shoot(50, target="far", **me).answer == "yes"


def test_assault_allows_a_shot_at_the_charged_even_in_melee() -> None:
    me: dict[str, Any] = {"abilities": ["assault"], "this_turn": {"moved": ["charge"], "charged": "b"}}

    assert (shoot(5, **me).answer, shoot(5, **me).value["after_charge"]) == ("yes", "assault")
    assert shoot(5, target="far", **me).answer == "no"


def test_no_assault_for_who_began_the_charge_in_melee() -> None:
    turn = {"moved": ["charge"], "charged": "b", "engaged_before": ["far"]}

    assert "charged" in str(shoot(50, abilities=["assault"], this_turn=turn).value["reasons"])


@pytest.mark.parametrize(
    ("me", "reason"),
    [
        ({"this_turn": {"moved": ["run"]}}, "ran"),
        ({"this_turn": {"moved": ["charge"]}}, "charged"),
        ({"this_turn": {"forfeited": ["action"]}}, "forfeited-action"),
        ({"status": ["stationary"]}, "stationary"),
        ({"status": ["out-of-formation"]}, "out-of-formation"),
    ],
)
def test_what_takes_the_shot_away_is_named(me: dict[str, Any], reason: str) -> None:
    verdict = shoot(50, **me)

    assert (verdict.answer, verdict.value["reasons"]) == ("no", [reason])


def test_without_a_ranged_weapon_the_card_is_asked_for() -> None:
    assert asked(table(mini("a", 300, 300)), "may-shoot", attacker="a").needs == ("profile.ranged of a",)


def aim(x: float = 300, facing: float = 0, *, foe: float = 500, **turn: Any) -> Verdict:
    start = {"at_mm": [300, 300], "facing_deg": 0}
    me = mini("a", x, 300, facing, side="red", this_turn={"start": start, **turn})
    return asked(table(me, mini("b", foe, 300, 180, side="blue", reach=0.5)), "aim", who="a")


def test_standing_still_is_aiming() -> None:
    verdict = aim()

    assert (verdict.answer, verdict.margin_mm, verdict.value["shift_mm"]) == ("yes", pytest.approx(0.5), 0.0)


def test_a_step_or_a_turn_is_not() -> None:
    assert (aim(303).answer, aim(303).margin_mm) == ("no", pytest.approx(-2.5))
    assert (aim(facing=10).answer, aim(facing=10).value["turn_deg"]) == ("no", pytest.approx(10.0))


def test_the_tolerance_itself_is_still() -> None:
    assert aim(300.5).answer == "yes"


def test_a_step_out_and_back_is_a_move() -> None:
    assert aim(path_mm=[[300, 300], [340, 300], [300, 300]]).answer == "no"


def test_who_is_in_melee_does_not_aim() -> None:
    assert aim(foe=335).answer == "no"


def test_who_gave_up_his_movement_does_not_aim() -> None:
    assert aim(forfeited=["movement"]).answer == "no"


def test_without_a_start_nobody_can_tell() -> None:
    assert asked(table(mini("a", 300, 300)), "aim", who="a").needs == ("this_turn.start of a",)


def test_in_melee_nobody_aims_though_no_start_is_told() -> None:
    pair = mini("a", 300, 300, side="red", reach=0.5), mini("f", 335, 300, 180, side="blue", reach=0.5)

    assert asked(table(*pair), "aim", who="a").answer == "no"
