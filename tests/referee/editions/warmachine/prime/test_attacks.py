"""Attacks: power attacks and sweeps."""

from typing import Any

import pytest

from models.verdict import Verdict
from tests.referee.tables import answers, asked, box, mini, table

INCH = 25.4
FIST = {"melee": [{"name": "Fist", "reach_in": 0.5, "rules": ["open-fist"]}]}
HERE = 300 + 45 + 0.2 * INCH
END = 300 + 8 * INCH
ARM = {"melee": [{"name": "Arm", "reach_in": 2, "location": "left"}]}
COLOSSAL = mini("c", 600, 600, 90, mm=120, type="warjack", profile=ARM)


def jack(id_: str = "a", x: float = 300, **more: Any) -> dict[str, Any]:
    words: dict[str, Any] = {
        "mm": 50,
        "side": "red",
        "type": "warjack",
        "profile": {"spd_in": 5, "strength": 10, **FIST},
    }
    return mini(id_, x, 600, 0, **(words | more))


def foe(id_: str = "t", gap_in: float = 4, mm: float = 40, **more: Any) -> dict[str, Any]:
    return mini(id_, 300 + 25 + mm / 2 + gap_in * INCH, 600, 180, mm=mm, **({"side": "blue"} | more))


def slam(*others: dict[str, Any], me: Any = None, them: Any = None, state: Any = None, **fields: Any) -> Verdict:
    minis = (jack(**(me or {})), foe(**(them or {})), *others)
    return asked(table(*minis, **(state or {})), "slam", attacker="a", target="t", **fields)


def test_the_approach_goes_straight_at_the_target_for_speed_and_three() -> None:
    verdict = slam(them={"gap_in": 8})

    assert verdict.answer == "yes"
    assert verdict.value["travelled_mm"] == pytest.approx(8 * INCH)
    assert slam(them={"gap_in": 8.5}).at_edge
    assert slam(them={"gap_in": 8.5}).answer == "yes"
    assert slam(them={"gap_in": 8.6}).answer == "no"


def test_less_than_three_inches_does_not_throw_it_back() -> None:
    assert slam(them={"gap_in": 2}, dice={"slam": 3}).value["full"] is False
    assert "slammed" not in slam(them={"gap_in": 2}, dice={"slam": 3}).value
    assert slam(them={"gap_in": 3}, dice={"slam": 3}).value["full"] is True


def slammed(*others: dict[str, Any], **fields: Any) -> Any:
    return slam(*others, **({"dice": {"slam": 4}} | fields)).value["slammed"]


def test_it_goes_straight_away_by_the_roll() -> None:
    found = slammed()

    assert found["travelled_mm"] == 4 * INCH
    assert found["poses"]["t"]["at_mm"] == pytest.approx([300 + 25 + 20 + 8 * INCH, 600])
    assert found["knocked_down"] == ["t"]


def test_a_smaller_slammer_sends_it_half_as_far_and_attacks_at_a_penalty() -> None:
    big = {"mm": 50, "gap_in": 4}

    assert slammed(me={"mm": 40}, them=big)["travelled_mm"] == 2 * INCH
    assert slam(me={"mm": 40}, them=big).value["bonus"] == -2


def test_a_huge_slammer_sends_smaller_bases_two_inches_farther() -> None:
    assert slammed(me={"mm": 120}, them={"gap_in": 6})["travelled_mm"] == 6 * INCH


def test_a_slam_runs_over_smaller_bases_and_stops_at_equal_ones() -> None:
    small = mini("s", 300 + 45 + 4 * INCH + 60, 600, side="blue")
    equal = mini("e", 300 + 45 + 4 * INCH + 110, 600, mm=40, side="blue")
    found = slammed(small, equal)

    assert (found["stopped_by"], found["travelled_mm"]) == ("e", pytest.approx(70))
    assert set(found["knocked_down"]) == {"t", "s", "e"}
    assert found["extra_die"] is True


def test_a_larger_base_is_unharmed() -> None:
    large = mini("l", 300 + 45 + 4 * INCH + 100, 600, mm=50, side="blue")
    found = slammed(large)

    assert (found["stopped_by"], found["collateral"], found["extra_die"]) == ("l", [], True)


def test_rough_ground_halves_a_slam_and_a_wall_ends_it() -> None:
    start = 300 + 45 + 4 * INCH
    bog = {"terrain": [box("bog", "rough", start - 40, 500, start + 300, 700)]}
    wall = {"terrain": [box("w", "wall", start + 50, 500, start + 60, 700, height_mm=20)]}

    assert slammed(state=bog)["travelled_mm"] == 2 * INCH
    found = slammed(state=wall)
    assert (found["travelled_mm"], found["stopped_by"], found["extra_die"]) == (pytest.approx(30), "w", True)


def test_the_tables_edge_stops_it_without_an_extra_die() -> None:
    state = {"table": {"width_mm": 300 + 45 + 4 * INCH + 50, "depth_mm": 1219.2}}
    found = slammed(state=state)

    assert (found["stopped_by"], found["extra_die"], found["travelled_mm"]) == ("edge:right", False, pytest.approx(30))


def test_a_colossal_and_an_incorporeal_model_are_not_moved() -> None:
    assert slammed(them={"mm": 120, "gap_in": 4, "type": "warjack"})["travelled_mm"] == 0
    assert slammed(them={"abilities": ["incorporeal"], "gap_in": 4})["travelled_mm"] == 0


def test_nobody_slams_a_friend_or_what_it_cannot_see() -> None:
    assert slam(them={"side": "red"}).answer == "no"
    assert slam(me={"facing_deg": 180}).answer == "no"
    assert slam(me={"status": ["crippled-movement"]}).answer == "no"


def test_a_push_leaves_it_where_it_first_touches_something() -> None:
    def push(*others: dict[str, Any], **them: Any) -> Any:
        state = table(jack(), foe(**them), *others)
        return asked(state, "push", attacker="a", target="t", distance_in=3).value

    assert push()["travelled_mm"] == pytest.approx(3 * INCH)
    small = mini("s", 300 + 45 + 4 * INCH + 60, 600)
    assert (push(small)["stopped_by"], push(small)["travelled_mm"]) == ("s", pytest.approx(25))
    assert push(mm=120, type="warjack")["travelled_mm"] == 0


def throw(*others: dict[str, Any], me: Any = None, them: Any = None, state: Any = None, **fields: Any) -> Verdict:
    minis = (jack(**(me or {})), foe(**({"gap_in": 0.2} | (them or {}))), *others)
    return asked(table(*minis, **(state or {})), "throw", attacker="a", target="t", **fields)


def test_a_throw_goes_directly_away_half_the_strength() -> None:
    verdict = throw(heading_deg=0, hit=True)

    assert (verdict.answer, verdict.value["distance_mm"]) == ("yes", 5 * INCH)
    poses: Any = verdict.value["poses"]
    assert poses["t"]["at_mm"] == pytest.approx([HERE + 5 * INCH, 600])
    assert throw(heading_deg=0.5, hit=True).margin_deg == pytest.approx(0.5)
    assert throw(heading_deg=2, hit=True).answer == "no"


@pytest.mark.parametrize("edition", ["warmachine-prime", "warmachine-mk1", "hordes-mk2"])
@pytest.mark.parametrize("off_deg", [0.25, 0.75])
def test_a_throw_may_turn_as_far_clockwise_as_the_other_way(edition: str, off_deg: float) -> None:
    declared = {"what": "throw", "by": "a"}
    state = {"edition": edition, "turn": {"active": "red", "declared": declared}}
    left, right = (throw(heading_deg=deg, state=state).margin_deg for deg in (off_deg, 360 - off_deg))

    assert left is not None
    assert left > 0
    assert right == pytest.approx(left)


def test_at_a_model_within_the_distance_a_hit_ends_in_contact() -> None:
    goal = mini("g", HERE + 120, 600, mm=50, side="blue")
    verdict = throw(goal, at="g", hit=True)

    assert verdict.answer == "yes"
    assert verdict.margin_mm == pytest.approx(5 * INCH - 75)
    assert (verdict.value["stopped_by"], verdict.value["extra_die"]) == ("g", True)
    poses: Any = verdict.value["poses"]
    assert poses["t"]["at_mm"] == pytest.approx([HERE + 75, 600])


def test_beyond_the_distance_it_lands_short_on_the_line() -> None:
    goal = mini("g", HERE + 45 + 6 * INCH, 600, mm=50, side="blue")
    verdict = throw(goal, at="g")

    assert verdict.answer == "no"
    poses: Any = verdict.value["poses"]
    assert poses["t"]["at_mm"] == pytest.approx([HERE + 5 * INCH, 600])


def test_a_missed_throw_strays_from_the_missed_model_half_the_gap_at_most() -> None:
    goal = mini("g", HERE + 45 + 2 * INCH, 600, mm=50, side="blue")
    verdict = throw(goal, at="g", hit=False, dice={"direction": 3, "distance": 3})
    point: Any = verdict.value["point_mm"]

    assert verdict.value["cap_mm"] == pytest.approx(INCH)
    assert point == pytest.approx([HERE + 45 + 2 * INCH - INCH / 2, 600 - INCH * 3**0.5 / 2])


def test_a_thrown_model_flies_over_smaller_bases_and_falls_on_whom_it_ends() -> None:
    under = mini("u", HERE + 5 * INCH + 20, 600, side="blue")
    passed = mini("p", HERE + 60, 600, side="blue")
    verdict = throw(under, passed, heading_deg=0, hit=True)

    assert set(verdict.value["knocked_down"]) == {"t", "u"}  # type: ignore[arg-type]
    assert verdict.value["collateral"] == ["u"]


def test_nobody_throws_a_larger_base() -> None:
    assert throw(me={"mm": 40}, them={"mm": 50}, heading_deg=0).answer == "no"


def test_a_throw_without_a_strength_asks_for_it() -> None:
    assert throw(me={"profile": FIST}, heading_deg=0).needs == ("profile.strength of a",)


def trample(*others: dict[str, Any], state: Any = None, **fields: Any) -> Verdict:
    return asked(table(jack(), *others, **(state or {})), "trample", attacker="a", **({"heading_deg": 0} | fields))


def test_it_runs_over_small_bases_and_has_to_end_clear_of_them() -> None:
    verdict = trample(mini("s", 380, 610, 180, side="blue"), mini("beside", 380, 660, side="blue"))

    assert (verdict.answer, answers(verdict)) == ("yes", {"s": "yes", "beside": "no"})
    assert trample(mini("s", END + 30, 600, 180, side="blue")).margin_mm == pytest.approx(-10)
    assert trample(mini("s", END + 40, 600, 180, side="blue")).answer == "yes"


def test_a_larger_base_or_a_wall_stops_it() -> None:
    assert trample(mini("m", 400, 600, 180, mm=40, side="blue")).value["stopped_by"] == "m"
    wall = {"terrain": [box("w", "wall", 400, 500, 410, 700, height_mm=20)]}
    assert trample(state=wall).value["stopped_by"] == "w"


def test_back_strikes_go_by_the_first_contact() -> None:
    by_id: Any = trample(mini("s", 380, 600, 0, side="blue"), mini("n", 440, 600, 180, side="blue")).value["by_id"]

    assert (by_id["s"]["back_strike"], by_id["n"]["back_strike"]) == (True, False)
    assert by_id["s"]["at_mm"] == [340, 600]


def power(attack: str, *, me: Any = None, them: Any = None) -> Verdict:
    state = table(jack(**(me or {})), foe(**({"gap_in": 0.3} | (them or {}))))
    return asked(state, "power-attack", attacker="a", target="t", attack=attack)


def test_a_head_butt_takes_half_an_inch_and_a_base_no_larger() -> None:
    assert power("head-butt").answer == "yes"
    assert power("head-butt").margin_mm == pytest.approx(0.2 * INCH)
    assert power("head-butt", them={"gap_in": 0.6}).answer == "no"
    assert power("head-butt", me={"mm": 40}, them={"mm": 50}).answer == "no"
    assert power("head-butt", me={"mm": 120}, them={"gap_in": -1}).answer == "yes"


def test_a_throw_takes_an_open_fist() -> None:
    assert power("throw").answer == "yes"
    axe = {"profile": {"melee": [{"name": "Axe", "reach_in": 2}]}}
    assert power("throw", me=axe).answer == "no"
    crippled = {"profile": {"melee": [{"name": "Fist", "reach_in": 0.5, "rules": ["open-fist", "crippled"]}]}}
    assert power("throw", me=crippled).answer == "no"


def test_only_a_colossal_makes_power_strikes() -> None:
    colossal = {"mm": 120, "profile": {"melee": [{"name": "Fist", "reach_in": 2, "rules": ["open-fist"]}]}}

    assert power("power-strike").answer == "no"
    assert power("power-strike", me=colossal, them={"gap_in": -1}).answer == "yes"


def test_only_heavy_ones_trample() -> None:
    assert power("trample", them={"mm": 30}).answer == "yes"
    assert power("trample", me={"mm": 40}, them={"mm": 30}).answer == "no"
    assert power("trample", them={"mm": 40}).answer == "no"


def test_none_after_a_charge_and_none_at_friends() -> None:
    assert power("head-butt", me={"this_turn": {"moved": ["charge"]}}).answer == "no"
    assert power("head-butt", them={"side": "red"}).answer == "no"


def test_what_another_book_knows_is_refused() -> None:
    assert power("headlock").status == "refused"


def test_a_sweep_hits_friend_and_foe_in_the_arms_field_and_reach() -> None:
    state = table(
        COLOSSAL, mini("near", 530, 640), mini("behind-it", 505, 675), mini("right", 690, 660), mini("far", 420, 760)
    )

    assert answers(asked(state, "sweep", attacker="c", weapon="Arm")) == {
        "near": "yes", "behind-it": "yes", "right": "no", "far": "no",
    }  # fmt: skip


def test_the_limit_of_the_reach_is_hit() -> None:
    state = table(COLOSSAL, mini("at", 595, 600 + 60 + 50.8 + 15), mini("off", 595, 600 + 60 + 50.9 + 15.1))

    assert answers(asked(state, "sweep", attacker="c", weapon="Arm"))["off"] == "no"


def test_only_colossals_sweep() -> None:
    assert asked(table(mini("c", 600, 600, mm=50, reach=2)), "sweep", attacker="c").status == "refused"


def test_an_arm_without_a_side_is_asked_for() -> None:
    state = table(mini("c", 600, 600, mm=120, reach=2))

    assert asked(state, "sweep", attacker="c").needs == ("location of c",)
