from typing import Any

import pytest

from models.verdict import Verdict
from tests.referee.tables import asked, box, mini, table

INCH = 25.4
SPD = {"profile": {"spd_in": 6}}


def walk(*others: dict[str, Any], me: Any = None, state: Any = None, **fields: Any) -> Verdict:
    mover = mini("m", 300, 600, 0, side="red", **(SPD | (me or {})))
    return asked(table(mover, *others, **(state or {})), "move", mover="m", **fields)


def clauses(verdict: Verdict) -> dict[str, str | None]:
    told: Any = verdict.value["clauses"]
    return {one["clause"]: one["answer"] for one in told}


def test_a_full_advance_goes_up_to_the_speed_and_its_limit_is_legal() -> None:
    verdict = walk(heading_deg=0, distance_in=6)

    assert (verdict.answer, verdict.margin_mm, verdict.value["travelled_mm"]) == ("yes", 0, 6 * INCH)
    assert walk(heading_deg=0, distance_in=6.1).answer == "no"
    assert walk(heading_deg=0, distance_in=12, manner="run").margin_mm == 0


def test_a_path_costs_the_sum_of_its_legs() -> None:
    verdict = walk(path_mm=[(300, 600), (400, 600), (400, 640)])

    assert verdict.value["travelled_mm"] == 140
    assert verdict.margin_mm == pytest.approx(6 * INCH - 140)
    assert verdict.value["poses"] == {"m": {"at_mm": [400, 640], "facing_deg": 90}}


def test_bonus_penalty_and_allowance_change_how_far() -> None:
    fast = {"profile": {"spd_in": 6, "spd_bonus_in": 2}}

    assert walk(me=fast, heading_deg=0, distance_in=8).margin_mm == 0
    assert walk(me={"profile": {"spd_in": 6, "spd_penalty_in": 1}}, heading_deg=0, distance_in=6).answer == "no"
    assert walk(heading_deg=0, distance_in=3, manner="end-of-activation", allowance_in=3).margin_mm == 0


def test_no_base_passes_over_another_and_brushing_by_is_legal() -> None:
    past = walk(mini("b", 350, 630), heading_deg=0, distance_in=4)
    through = walk(mini("b", 350, 629), heading_deg=0, distance_in=4)

    assert (past.answer, past.margin_mm) == ("yes", 0)
    assert (through.answer, through.margin_mm, through.value["stopped_by"]) == ("no", -1, "b")
    assert through.value["violation"]["what"] == "free"  # type: ignore[index,call-overload]


def test_a_base_it_touches_at_the_start_does_not_hold_it() -> None:
    assert walk(mini("b", 270, 600), heading_deg=0, distance_in=4).answer == "yes"


def test_it_may_end_in_contact() -> None:
    verdict = walk(mini("b", 430, 600), heading_deg=0, distance_in=100 / INCH)

    assert verdict.answer == "yes"
    assert verdict.value["contacts"] == [{"id": "b", "after_mm": 100}]


def test_flight_goes_over_bases_when_it_ends_past_them() -> None:
    flies = {"profile": {"spd_in": 6, "abilities": ["flight"]}}

    assert walk(mini("b", 360, 600), me=flies, heading_deg=0, distance_in=6).answer == "yes"
    on = walk(mini("b", 360, 600), me=flies, heading_deg=0, distance_in=2)
    assert (on.answer, clauses(on)["crossed"], on.value["stopped_by"]) == ("no", "no", "b")


def test_incorporeal_ones_are_moved_through() -> None:
    ghost = mini("b", 360, 600, abilities=["incorporeal"])

    assert walk(ghost, heading_deg=0, distance_in=6).answer == "yes"
    assert walk(ghost, heading_deg=0, distance_in=2).answer == "no"


WALL = box("w", "wall", 350, 500, 360, 700, height_mm=20)
BLOCK = box("w", "wall", 350, 500, 360, 700, height_mm=50)


def test_half_over_an_obstacle_and_back_is_no_crossing() -> None:
    verdict = walk(state={"terrain": [WALL]}, path_mm=[(300, 600), (345, 600), (300, 620)])

    assert (verdict.answer, verdict.margin_mm, clauses(verdict)["crossed"]) == ("no", -10, "no")
    assert verdict.value["violation"]["thing"] == "w"  # type: ignore[index,call-overload]


def test_one_may_turn_upon_an_obstacle_and_go_on_over_it() -> None:
    assert walk(state={"terrain": [WALL]}, path_mm=[(300, 600), (350, 600), (350, 620), (376, 620)]).answer == "yes"


def test_one_may_leave_an_obstacle_past_its_end() -> None:
    assert walk(state={"terrain": [WALL]}, path_mm=[(300, 650), (355, 680), (355, 716)], allowance_in=9).answer == "yes"


@pytest.mark.parametrize("path_mm", [[(300, 600), (335, 600), (300, 620)], [(300, 600), (334, 600), (334, 640)]])
def test_a_way_that_only_touches_an_obstacle_crosses_nothing(path_mm: list[tuple[float, float]]) -> None:
    assert clauses(walk(state={"terrain": [WALL]}, path_mm=path_mm))["crossed"] == "yes"


def test_an_obstacle_is_crossed_whole_or_not_at_all() -> None:
    past = walk(state={"terrain": [WALL]}, heading_deg=0, distance_in=75 / INCH)

    assert past.answer == "yes"
    assert walk(state={"terrain": [WALL]}, heading_deg=0, distance_in=74 / INCH).value["stopped_by"] == "w"


def test_an_obstruction_lets_only_flight_through() -> None:
    assert walk(state={"terrain": [BLOCK]}, heading_deg=0, distance_in=6).answer == "no"
    flies = {"profile": {"spd_in": 6, "abilities": ["flight"]}}
    assert walk(me=flies, state={"terrain": [BLOCK]}, heading_deg=0, distance_in=6).answer == "yes"


def test_nothing_enters_impassable_ground() -> None:
    chasm = box("w", "impassable", 350, 500, 360, 700)
    flies = {"profile": {"spd_in": 6, "abilities": ["flight"]}}

    assert walk(me=flies, state={"terrain": [chasm]}, heading_deg=0, distance_in=6).answer == "no"


def test_rough_ground_is_told_with_its_rate() -> None:
    bog = box("bog", "rough", 350, 500, 370, 700)
    verdict = walk(state={"terrain": [bog]}, heading_deg=0, distance_in=4)

    assert verdict.value["ground"] == [{"id": "bog", "rate": 2, "from_mm": 35, "to_mm": 85}]
    assert verdict.value["spent_mm"] == pytest.approx(4 * INCH + 50)


def test_who_lies_or_stands_helpless_moves_nowhere() -> None:
    for status in ("knocked-down", "stationary", "inert", "movement-barred"):
        assert clauses(walk(me={"status": [status]}, heading_deg=0, distance_in=1))["able"] == "no"
    assert walk(
        me={"status": ["knocked-down"], "this_turn": {"stood_up": True}}, heading_deg=0, distance_in=1
    ).answer == ("yes")


def test_nobody_runs_after_a_spell() -> None:
    assert walk(me={"this_turn": {"cast": True}}, heading_deg=0, distance_in=1, manner="run").answer == "no"


def test_who_strikes_on_the_way_and_whom_it_fights_at_the_end_come_along() -> None:
    held = mini("e", 300, 635, 270, side="blue", reach=0.5)
    there = mini("f", 425, 610, 180, side="blue", reach=0.5)
    verdict = walk(held, there, heading_deg=0, distance_in=3.5)

    assert verdict.value["free_strikes"] == ["e"]
    assert verdict.value["in_melee_with"] == ["f"]


def test_it_stays_on_the_table() -> None:
    verdict = walk(path_mm=[(300, 600), (300, 660)], state={"table": {"width_mm": 1219.2, "depth_mm": 670}})

    assert (verdict.answer, clauses(verdict)["table"], verdict.margin_mm) == ("no", "no", -5)


def test_a_move_without_a_speed_or_a_path_says_what_is_missing() -> None:
    assert walk(me={"profile": {}}, heading_deg=0, distance_in=1).needs == ("profile.spd_in of m",)
    assert walk().needs == ("path_mm",)
    assert walk(manner="end-of-activation", heading_deg=0, distance_in=1).needs == ("allowance_in",)


def test_a_tracked_move_is_asked_about_by_itself() -> None:
    verdict = walk(me={"before": {"at_mm": [200, 600]}})

    assert verdict.value["travelled_mm"] == 100
