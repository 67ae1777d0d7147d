from typing import Any

import pytest

from models.verdict import Verdict
from tests.referee.tables import asked, box, mini, table

INCH = 25.4
BUDGET = 9 * INCH  # speed 6 and 3


def charge(*others: dict[str, Any], gap_in: float = 5, me: Any = None, state: Any = None, **fields: Any) -> Verdict:
    """A charge along +x at a target whose edge is so far away; reach 1 in."""
    attacker = mini("a", 300, 600, 0, **({"side": "red", "reach": 1, "profile": {"spd_in": 6}} | (me or {})))
    x = 300 + 30 + gap_in * INCH
    target = mini("t", x, fields.pop("y", 600), 180, **({"side": "blue"} | fields.pop("them", {})))
    return asked(table(attacker, target, *others, **(state or {})), "charge", attacker="a", target="t", **fields)


def test_it_gets_there_with_the_movement_left_when_the_target_comes_into_reach() -> None:
    verdict = charge(gap_in=5, heading_deg=0)

    assert verdict.answer == "yes"
    assert verdict.margin_mm == pytest.approx(5 * INCH)
    stop: Any = verdict.value["stop_mm"]
    assert stop == pytest.approx([4 * INCH, 5 * INCH])
    assert verdict.value["travelled_mm"] == pytest.approx(5 * INCH)
    assert verdict.value["stopped_by"] == "t"


def test_exactly_in_reach_at_the_end_is_there() -> None:
    assert charge(gap_in=10, heading_deg=0).answer == "yes"
    assert charge(gap_in=10, heading_deg=0).at_edge
    assert charge(gap_in=10.1, heading_deg=0).answer == "no"


def test_it_ends_facing_its_target() -> None:
    poses: Any = charge(gap_in=3, y=620, heading_deg=0).value["poses"]

    assert poses["a"]["facing_deg"] > 0


def test_it_may_stop_of_its_own_will_only_with_the_target_in_reach() -> None:
    assert charge(gap_in=5, heading_deg=0, stop_after_in=4.5).value["travelled_mm"] == pytest.approx(4.5 * INCH)
    assert charge(gap_in=5, heading_deg=0, stop_after_in=2).value["travelled_mm"] == pytest.approx(4 * INCH)


def test_it_keeps_the_target_in_reach_once_it_has_it() -> None:
    verdict = charge(gap_in=4, y=650, heading_deg=0)
    stop: Any = verdict.value["stop_mm"]

    assert stop[1] < BUDGET
    assert verdict.value["travelled_mm"] == stop[1]


def test_what_stands_in_the_way_stops_it() -> None:
    blocked = charge(mini("b", 380, 610, side="blue"), heading_deg=0)

    assert (blocked.answer, blocked.value["stopped_by"]) == ("no", "b")
    assert charge(mini("b", 380, 635, side="blue"), heading_deg=0).answer == "yes"


def test_brushing_past_a_base_is_contact_unless_the_table_says_otherwise() -> None:
    beside = mini("b", 380, 630, side="blue")

    assert (charge(beside, heading_deg=0).answer, charge(beside, heading_deg=0).value["stopped_by"]) == ("no", "b")
    assert charge(beside, heading_deg=0, state={"house_rules": {"graze": "passes"}}).answer == "yes"


def test_it_stays_on_the_table() -> None:
    verdict = charge(gap_in=5, y=660, heading_deg=0, state={"table": {"width_mm": 470, "depth_mm": 1219.2}})

    assert verdict.value["stopped_by"] == "edge:right"
    assert verdict.value["travelled_mm"] == pytest.approx(155)


def test_its_probability_is_that_of_some_way_through_not_of_one_heading() -> None:
    """Which way a gap lies is unsure by more than how wide it is: one turns a little more or less to go through."""
    common = [{"name": "camera", "shift_mm": {"b": [0.0, 0.4], "c": [0.0, 0.4]}}]
    posts = [mini(id_, 380, 600 + dy, side="blue", sigma=0.405) for id_, dy in (("b", 30.4), ("c", -30.4))]
    verdict = charge(*posts, state={"common_mm": common})

    assert (verdict.answer, verdict.value["stopped_by"]) == ("yes", "t")


WALL = box("w", "wall", 360, 500, 370, 700, height_mm=20)


def test_an_obstacle_stops_it_but_not_with_pathfinder() -> None:
    assert charge(state={"terrain": [WALL]}, heading_deg=0).value["stopped_by"] == "w"
    finder = {"profile": {"spd_in": 6, "abilities": ["pathfinder"]}}
    assert charge(me=finder, state={"terrain": [WALL]}, heading_deg=0).answer == "yes"


def test_flight_passes_models_and_looks_past_them() -> None:
    flies = {"profile": {"spd_in": 6, "abilities": ["flight"]}}
    screen = mini("b", 370, 600, side="blue", mm=40)

    assert charge(screen, heading_deg=0).answer == "no"
    assert charge(screen, me=flies, heading_deg=0).answer == "yes"


def test_rough_ground_halves_its_rate() -> None:
    bog = box("bog", "rough", 320, 500, 480, 700)

    assert charge(gap_in=8, heading_deg=0).answer == "yes"
    assert charge(gap_in=8, state={"terrain": [bog]}, heading_deg=0).answer == "no"


def test_less_than_three_inches_is_no_charge_attack() -> None:
    assert charge(gap_in=3, heading_deg=0, step="attack").margin_mm == pytest.approx(0)
    assert charge(gap_in=3, heading_deg=0, step="attack").answer == "yes"
    assert charge(gap_in=2.9, heading_deg=0, step="attack").answer == "no"


def test_a_failed_charge_makes_no_charge_attack() -> None:
    assert charge(gap_in=11, heading_deg=0, step="attack").answer == "no"


def test_directions_are_legal_that_ever_bring_the_target_into_reach() -> None:
    fan: Any = charge(gap_in=12, step="heading", heading_deg=0).value["heading"]

    assert fan["legal"] == "yes"
    assert fan["fan_deg"] == pytest.approx([-9.53, 9.53], abs=0.01)  # asin((30 + 25.4) / (30 + 12 in))
    assert charge(gap_in=12, step="heading", heading_deg=9.5).answer == "yes"
    assert charge(gap_in=12, step="heading", heading_deg=9.6).answer == "no"


def test_a_charge_is_declared_at_an_enemy_in_sight() -> None:
    assert charge(step="declare").answer == "yes"
    assert charge(step="declare", them={"side": "red"}).answer == "no"
    assert charge(step="declare", me={"facing_deg": 180}).answer == "no"


def test_who_cannot_attack_or_gave_up_its_action_declares_none() -> None:
    for me in (
        {"status": ["knocked-down"]},
        {"status": ["crippled-movement"]},
        {"this_turn": {"forfeited": ["action"]}},
    ):
        assert charge(step="declare", me=me).answer == "no"


def test_what_is_missing_for_a_charge_is_named() -> None:
    assert charge(me={"profile": {}}).needs == ("profile.spd_in of a",)
    bare = table(mini("a", 300, 600, side="red"), mini("t", 400, 600, side="blue"))
    assert asked(bare, "charge", attacker="a", target="t", step="declare").needs == ("profile.melee of a",)


def test_without_a_heading_the_best_way_round_is_found() -> None:
    blocker = mini("b", 390, 612, side="blue")
    verdict = charge(blocker, gap_in=6, heading_deg=None, me={"reach": 2, "profile": {"spd_in": 6}})
    heading: Any = verdict.value["heading"]

    assert (
        charge(blocker, gap_in=6, heading_deg=0, me={"reach": 2, "profile": {"spd_in": 6}}).value["stopped_by"] == "b"
    )
    assert verdict.answer == "yes"
    assert abs(heading["heading_deg"]) > 5
    assert verdict.value["open_deg"]


def test_the_open_directions_all_get_there_and_those_between_do_not() -> None:
    blocker = mini("b", 390, 612, side="blue")
    me = {"reach": 2, "profile": {"spd_in": 6}}
    fans: Any = charge(blocker, gap_in=6, me=me).value["open_deg"]

    for first, last in fans:
        for heading in (first + 0.01, (first + last) / 2, last - 0.01):
            assert charge(blocker, gap_in=6, me=me, heading_deg=heading).answer == "yes"
        for heading in (first - 0.01, last + 0.01):
            assert charge(blocker, gap_in=6, me=me, heading_deg=heading).answer == "no"


def assault(**me: Any) -> Verdict:
    shooter: dict[str, Any] = {
        "side": "red",
        "reach": 1,
        "gun": 8,
        "abilities": ["assault"],
        "this_turn": {"charged": "t"},
    } | me
    state = table(mini("a", 300, 600, 0, **shooter), mini("t", 300 + 30 + 5 * INCH, 600, 180, side="blue"))
    return asked(state, "assault", attacker="a", target="t")


def test_the_assault_shot_goes_at_the_model_charged() -> None:
    assert assault().answer == "yes"
    assert assault().margin_mm == pytest.approx(3 * INCH)
    assert assault(this_turn={"charged": "other"}).answer == "no"
    assert assault(abilities=[]).answer == "no"
    assert assault(this_turn={"charged": "t", "engaged_before": ["x"]}).answer == "no"
    assert assault(this_turn={}).needs == ("this_turn.charged of a",)


BESIDE = {"reach": 0.5, "side": "blue"}
STOOD = {"start": {"at_mm": [300, 600], "facing_deg": 0}, "moved": ["charge"], "charged": "t"}


@pytest.mark.parametrize("edition", ["warmachine-prime", "warmachine-mk1"])
@pytest.mark.parametrize(("turn", "now"), [(STOOD, 300), (STOOD, 250), ({}, 300)])
def test_the_state_shows_that_a_charge_began_in_melee(edition: str, turn: Any, now: float) -> None:
    shooter = mini("a", now, 600, 0, side="red", reach=0.5, gun=8, abilities=["assault"], this_turn=turn)
    allowed = {} if edition == "warmachine-prime" else {"measure-policy": "allow"}
    state = table(shooter, mini("t", 340, 600, 180, **BESIDE), edition=edition, house_rules=allowed)

    assert asked(state, "assault", attacker="a", target="t").answer == "no"


@pytest.mark.parametrize(("edition", "answer"), [("warmachine-prime", "no"), ("warmachine-mk1", "yes")])
def test_melee_with_another_forbids_the_shot_in_one_book_alone(edition: str, answer: str) -> None:
    shooter = mini("a", 500, 600, 0, side="red", reach=0.5, gun=8, abilities=["assault"], this_turn=STOOD)
    allowed = {} if edition == "warmachine-prime" else {"measure-policy": "allow"}
    foes = mini("x", 260, 600, 0, **BESIDE), mini("t", 560, 600, 180, **BESIDE)
    state = table(shooter, *foes, edition=edition, house_rules=allowed)

    assert asked(state, "assault", attacker="a", target="t").answer == answer


def ride(*others: dict[str, Any], **fields: Any) -> Verdict:
    lance = [{"name": "Lance", "reach_in": 2}, {"name": "Mount", "reach_in": 0.5, "rules": ["mount"]}]
    rider = mini("r", 200, 600, 0, mm=50, side="red", profile={"spd_in": 8, "melee": lance, "abilities": ["cavalry"]})
    state = table(rider, mini("t", 500, 600, 180, side="blue"), *others)
    return asked(state, "impact-attacks", attacker="r", **({"target": "t"} | fields))


def test_contact_after_three_inches_earns_impact_attacks_on_all_in_the_mounts_reach() -> None:
    verdict = ride(mini("b", 360, 620, side="blue"), mini("c", 340, 555, side="blue"))

    assert verdict.value["resumes"] is True
    assert {m.id for m in verdict.members if m.answer == "yes"} == {"b", "c"}


def test_contact_before_three_inches_ends_the_movement() -> None:
    verdict = ride(mini("b", 300, 600, side="blue"))

    assert (verdict.value["contact_mm"], verdict.value["resumes"], verdict.members) == (60, False, ())


def test_exactly_three_inches_earn_them() -> None:
    assert ride(mini("b", 200 + 40 + 3 * INCH, 600, side="blue")).value["resumes"] is True


def test_only_cavalry_makes_impact_attacks() -> None:
    state = table(mini("a", 200, 600, 0, reach=1, profile={"spd_in": 6}), mini("t", 400, 600))

    assert asked(state, "impact-attacks", attacker="a", target="t").status == "refused"


def beast(*others: dict[str, Any], **me: Any) -> Verdict:
    who = {"side": "red", "type": "warbeast", "reach": 0.5, "profile": {"spd_in": 5}} | me
    return asked(table(mini("w", 400, 400, 0, mm=50, **who), *others), "frenzy", who="w")


def test_a_frenzied_beast_goes_for_the_nearest_in_sight_friend_or_foe() -> None:
    verdict = beast(mini("friend", 500, 400, side="red"), mini("foe", 560, 420, side="blue"), mini("behind", 350, 400))

    assert (verdict.value["target"], verdict.value["mode"]) == ("friend", "charge")


def test_two_just_as_near_are_drawn_among() -> None:
    verdict = beast(mini("x", 500, 430, side="blue"), mini("y", 500, 370, side="blue"))

    assert set(verdict.value["ties"]) == {"x", "y"}  # type: ignore[arg-type]


def test_pack_mates_are_left_out_and_without_a_target_nothing_happens() -> None:
    mate = mini("mate", 480, 400, side="red", unit="p")
    state = table(mini("w", 400, 400, 0, mm=50, side="red", unit="p"), mate, units=[{"id": "p"}])
    verdict = asked(state, "frenzy", who="w")

    assert (verdict.value["target"], verdict.value["mode"]) == (None, "none")


@pytest.mark.parametrize("gap_in", [3, 7, 10.5])
def test_what_is_left_of_a_straight_charge_is_as_doubtful_as_the_gap(gap_in: float) -> None:
    verdict = charge(gap_in=gap_in, me={"sigma": 0.6}, them={"sigma": 0.8})

    assert verdict.sigma_mm == pytest.approx(1.0, rel=0.05)


@pytest.mark.parametrize("behind_mm", [5.0, 60.0])
def test_what_lies_behind_the_arc_is_as_doubtful_as_the_way_to_the_arc(behind_mm: float) -> None:
    """A charge that may not even be declared tells by how much, and how surely, whatever else it lacks."""
    attacker = mini("a", 300, 600, 0, side="red", reach=1, profile={"spd_in": 6}, sigma=0.6)
    target = mini("t", 300 - 15 - behind_mm, 100, 180, side="blue", sigma=0.8)
    verdict = asked(table(attacker, target), "charge", attacker="a", target="t")

    assert verdict.margin_mm == pytest.approx(-behind_mm)
    assert verdict.sigma_mm == pytest.approx(1.0, rel=0.01)
