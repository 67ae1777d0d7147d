from typing import Any

import pytest

from models.verdict import Verdict
from tests.referee.tables import answers, asked, box, mini, table


def go(*path: tuple[float, float], striker: dict[str, Any] | None = None, **more: Any) -> Verdict:
    """Red e stands at 300, 300, looks along +x and reaches one inch; blue m goes."""
    fields = {key: more.pop(key) for key in ("cause",) if key in more}
    enemy = mini("e", 300, 300, 0, **({"side": "red", "reach": 1} | (striker or {})))
    mover = mini("m", *path[0], 180, side="blue", abilities=more.pop("abilities", []))
    state = table(enemy, mover, *more.pop("others", []), **more)
    return asked(state, "free-strike", mover="m", path_mm=[list(p) for p in path], **fields)


def test_leaving_the_reach_draws_a_strike_where_the_reach_ends() -> None:
    verdict = go((340, 300), (400, 300))
    by_id: Any = verdict.value["by_id"]

    assert (verdict.answer, answers(verdict), verdict.margin_mm) == ("yes", {"e": "yes"}, pytest.approx(44.6))
    assert by_id["e"] == {
        "at_mm": [pytest.approx(355.4), 300.0],
        "after_mm": pytest.approx(15.4),
        "lost": "reach",
        "times": 1,
    }


def test_moving_about_within_reach_draws_none() -> None:
    verdict = go((340, 300), (350, 310))

    assert (verdict.answer, verdict.margin_mm) == ("no", pytest.approx((50**2 + 10**2) ** 0.5 - 55.4))


def test_stopping_just_at_the_limit_is_no_leaving() -> None:
    assert go((340, 300), (355.4, 300)).answer == "no"


def test_coming_into_reach_and_out_again_draws_one() -> None:
    assert go((400, 300), (345, 300), (400, 300)).answer == "yes"


def test_never_in_reach_draws_none() -> None:
    assert (go((400, 300), (360, 300)).answer, go((400, 300), (360, 300)).margin_mm) == ("no", pytest.approx(-4.6))


def test_going_behind_the_arc_line_leaves_reach() -> None:
    assert go((310, 335), (270, 335)).answer == "yes"


def test_going_behind_a_wall_leaves_sight() -> None:
    wall = box("w", "obstruction", 318, 296, 322, 380, height_mm=300)
    verdict = go((345, 300), (338, 345), terrain=[wall], striker={"reach": 2})
    by_id: Any = verdict.value["by_id"]

    assert (verdict.answer, by_id["e"]["lost"]) == ("yes", "sight")


@pytest.mark.parametrize("cause", ["pushed", "slammed", "thrown", "placed"])
def test_being_moved_draws_none(cause: str) -> None:
    assert go((340, 300), (400, 300), cause=cause).answer == "no"


@pytest.mark.parametrize(
    "striker",
    [
        {"status": ["knocked-down"]}, {"status": ["stationary"]}, {"status": ["wild"]}, {"abilities": ["incorporeal"]},
        {"status": ["out-of-formation"]}, {"side": "blue"},
    ],
)  # fmt: skip
def test_who_cannot_strike_does_not(striker: dict[str, Any]) -> None:
    assert go((340, 300), (400, 300), striker=striker).answer == "no"


def test_nobody_strikes_at_parry() -> None:
    assert go((340, 300), (400, 300), abilities=["parry"]).answer == "no"


def test_a_measured_mover_that_barely_leaves_is_too_close() -> None:
    state = table(mini("e", 300, 300, 0, side="red", reach=1, sigma=0.3), mini("m", 340, 300, side="blue"))

    assert asked(state, "free-strike", mover="m", path_mm=[[340, 300], [355.5, 300]]).answer == "too-close"


def test_without_a_path_it_is_asked_for() -> None:
    state = table(mini("e", 300, 300, 0, side="red", reach=1), mini("m", 340, 300, side="blue"))

    assert asked(state, "free-strike", mover="m").needs == ("path_mm",)


def test_the_nearest_moment_of_leaving_decides_and_not_the_end() -> None:
    """The corner of the way is 50.8 from the striker: a reach 4.7 shorter would end before it."""
    way = [(617.22, 657.86), (640.08, 650.24), (651.51, 629.92)]
    shifted = [(x - 309.6, y - 309.6) for x, y in way]
    striker = {"facing_deg": 90, "reach": 1 - 4.7 / 25.4}

    assert go(*shifted, striker={"facing_deg": 90}).margin_mm == pytest.approx(-4.6)
    assert go(*shifted, striker=striker).answer == "yes"


def test_only_coming_nearer_is_no_leaving() -> None:
    verdict = go((350, 300), (340, 300))

    assert (verdict.answer, verdict.margin_mm) == ("no", pytest.approx(-15.4))


def test_small_bases_that_are_run_over_do_not_strike_at_a_trampler() -> None:
    over, medium = [(250.0, 300.0), (400.0, 300.0)], {"mm": 40}

    assert go(*over).answer == "yes"
    assert go(*over, cause="trample").answer == "no"
    assert go(*over, cause="trample", striker=medium).answer == "yes"
    assert go((340, 300), (340, 400), cause="trample").answer == "yes"
