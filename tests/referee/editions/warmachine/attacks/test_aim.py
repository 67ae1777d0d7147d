from typing import Any

import pytest

from models.verdict import Verdict
from tests.referee.tables import asked, mini, table


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
