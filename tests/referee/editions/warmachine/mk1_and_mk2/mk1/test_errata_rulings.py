"""Every ruling of the first edition's Errata & FAQ is held by something, or says why no table could decide it."""

import json
from pathlib import Path
from typing import Any

import pytest

from models.state import TableState
from models.verdict import Verdict
from tests.referee.editions.warmachine.mk1_and_mk2.mk1.errata_rulings import LAST, RULINGS
from tests.referee.scenarios.first import book
from tests.referee.scenarios.first.field import field
from tests.referee.tables import answers, asked, box, mini, table
from tests.rows import every_row

_CASES = Path(__file__).parents[4] / "cases" / "warmachine-mk1.jsonl"
_HOLDERS = {
    "rule": {scenario.rule for scenario in book.SCENARIOS},
    "case": {json.loads(line)["id"] for line in _CASES.read_text().splitlines()},
}


def test_every_ruling_is_held_by_something() -> None:
    assert set(RULINGS) == set(range(1, LAST + 1))


@every_row("number", RULINGS)
def test_what_holds_a_ruling_is_there_or_says_why_nothing_does(number: int) -> None:
    what, _, name = RULINGS[number].partition(" ")

    if what == "test":
        assert callable(globals().get(f"test_{name}"))
    else:
        assert name in _HOLDERS.get(what, ()) or (what not in _HOLDERS and RULINGS[number].endswith("."))


def seen(*others: dict[str, Any], mm: float = 30, **more: Any) -> TableState:
    """Red a of 30 at 100 looks along +x at blue t at 400."""
    return field(mini("a", 100, 300, side="red"), mini("t", 400, 300, 180, mm=mm, side="blue"), *others, **more)


def entered(cause: str, *, before: float = 300, now: float = 600) -> Verdict:
    """m stood and stands at these; the cloud of 76.2 lies about 600."""
    cloud = {"id": "c", "kind": "cloud", "centre_mm": [600, 300], "diameter_mm": 76.2}
    m = mini("m", now, 300, before={"at_mm": [before, 300]})
    return asked(field(m, effects=[cloud]), "enters-area", mover="m", area="c", cause=cause)


def test_an_area_that_moves_over_a_model_is_not_entered() -> None:
    assert entered("area-moved").answer == "no"


def test_one_that_replaces_another_from_outside_enters() -> None:
    assert entered("replaced").answer == "yes"


def test_who_is_placed_within_an_area_where_it_stood_does_not_enter() -> None:
    assert entered("placed").answer == "yes"
    assert entered("placed", before=590, now=600).answer == "no"


def test_a_close_call_is_settled_by_looking_along_the_line() -> None:
    close = seen(mini("b", 250, 307.51, side="blue", sigma=1.0))
    verdict = asked(close, "los", viewer="a", target="t")

    assert verdict.answer == "too-close"
    assert "laser" in str(verdict.advice)


def test_nobody_hides_a_larger_base() -> None:
    verdict = asked(seen(mini("b", 250, 300, side="blue"), mm=40), "los", viewer="a", target="t")

    assert verdict.answer == "yes"
    assert verdict.value["ignored"] == [{"id": "b", "why": "smaller"}]


def screened(*, mm: float = 30, **more: Any) -> Verdict:
    """One stands 25 aside and 45 before t, where on a base of 30 it screens."""
    return asked(seen(mini("x", 355, 325, mm=mm, side="blue"), **more), "screening", attacker="a", target="t")


def test_what_terrain_hides_screens_nobody() -> None:
    block = box("w", "obstruction", 320, 306, 330, 420, height_mm=80)

    assert screened().answer == "yes"
    assert screened(terrain=[block]).answer == "no"


def chain(*places: float, leader: str = "a0", **unit: Any) -> dict[str, str]:
    """Who of a unit in a row at these places, 76.2 apart at most, is in formation."""
    minis = [mini(f"a{k}", x, 300, 90, unit="u", side="red") for k, x in enumerate(places)]
    state = field(*minis, units=[{"id": "u", "commander": leader, "spacing_in": 3} | unit])
    return answers(asked(state, "formation", unit="u"))


def test_a_larger_splinter_without_its_leader_is_out() -> None:
    assert chain(300, 600, 640, 680) == {"a0": "yes", "a1": "no", "a2": "no", "a3": "no"}


def test_without_a_leader_the_largest_group_is_in() -> None:
    assert chain(300, 600, 640, 680, leader="gone") == {"a0": "no", "a1": "yes", "a2": "yes", "a3": "yes"}


def test_the_last_of_a_unit_is_in_formation() -> None:
    assert chain(300, leader="gone") == {"a0": "yes"}


def test_who_stands_in_ranks_is_in_formation_too() -> None:
    assert chain(300, 330, formation="tight") == {"a0": "yes", "a1": "yes"}


def wall(**hit: Any) -> Verdict:
    """Two of a shield wall look along +y; a stands before them."""
    two: dict[str, Any] = {"unit": "u", "side": "blue", "status": ["shield-wall"]}
    state = field(mini("t", 300, 300, 90, **two), mini("n", 330, 300, 90, **two), mini("a", 300, 500, side="red"),
                  units=[{"id": "u", "commander": "t", "spacing_in": 3}])  # fmt: skip
    return asked(state, "shield-wall", target="t", attacker="a", **hit)


def test_a_blast_comes_from_its_point_of_impact() -> None:
    state = seen()
    direct = asked(state, "damage-arc", target="t", attacker="a", cause="direct-hit")
    blast = asked(state, "damage-arc", target="t", attacker="a", cause="blast", origin=(450, 300))

    assert (direct.answer, blast.answer) == ("yes", "no")


def test_a_blast_behind_a_shield_wall_goes_round_it() -> None:
    assert (wall().answer, wall(origin=(300, 250)).answer) == ("yes", "no")


def test_without_a_melee_weapon_there_is_no_melee_range() -> None:
    state = field(mini("a", 300, 300, side="red", gun=8), mini("t", 335, 300, 180, side="blue", reach=0.5))

    assert asked(state, "engaged", attacker="a", target="t").answer != "yes"
    assert asked(state, "engaged", attacker="t", target="a").answer == "yes"


def jacks(
    x: float = 500, *others: dict[str, Any], them: float = 40, side: str = "blue", mm: float = 40, **more: Any
) -> Any:
    """A warjack of 40 and speed 5 at 300, and a target at x; others and more of the state."""
    card = {"spd_in": 5, "strength": 10, "melee": [{"name": "Fist", "reach_in": 0.5, "rules": ["open-fist"]}]}
    me = {"profile": card | more.pop("card", {}), **more.pop("me", {})}
    it = {"side": side, "type": "warjack", **more.pop("it", {})}
    a = mini("a", 300, 300, mm=mm, side="red", type="warjack", **me)
    return field(a, mini("t", x, 300, 180, mm=them, **it), *others, **more)


def test_a_penalty_forbids_slams_and_tramples_and_no_charge() -> None:
    slow = jacks(card={"spd_penalty_in": 1, "spd_bonus_in": 1}, mm=50)

    assert asked(slow, "slam", attacker="a", target="t").answer == "no"
    assert asked(slow, "trample", attacker="a", heading_deg=90).answer == "no"
    assert asked(slow, "charge", attacker="a", target="t", step="declare").answer == "yes"


def test_friends_may_be_slammed() -> None:
    assert asked(jacks(side="red"), "slam", attacker="a", target="t").answer == "yes"


def test_a_slammer_that_touches_a_wall_ends_its_activation() -> None:
    """It is within half an inch after 147.3, and touches the wall after 155."""
    low = jacks(terrain=[box("w", "wall", 475, 200, 478, 400, height_mm=20)])
    far, short = (asked(low, "slam", attacker="a", target="t", **stop) for stop in ({}, {"stop_after_in": 150 / 25.4}))

    assert (far.answer, far.value["stopped_by"]) == ("no", "w")
    assert short.answer == "yes"


def test_the_slammed_pass_over_smaller_bases() -> None:
    """4 in are 101.6, from 500; one of 30 stands in the way at 560, and one of 40 would stop it at 540."""
    over, stopped = (
        asked(jacks(500, mini("b", 580, 300, mm=mm, side="blue")), "slam", attacker="a", target="t", dice={"slam": 4})
        for mm in (30, 40)
    )

    slammed: Any = over.value["slammed"]
    halted: Any = stopped.value["slammed"]
    assert (slammed["travelled_mm"], slammed["stopped_by"]) == (pytest.approx(101.6), None)
    assert (halted["travelled_mm"], halted["stopped_by"]) == (pytest.approx(40.0), "b")


@pytest.mark.parametrize(
    ("it", "answer"),
    [({}, "yes"), ({"type": "warbeast"}, "yes"), ({"type": "solo"}, "no"), ({"status": ["knocked-down"]}, "no")],
)
def test_locks_take_a_fist_and_a_warjack_or_warbeast_that_stands(it: dict[str, Any], answer: str) -> None:
    assert asked(jacks(345, it=it), "power-attack", attacker="a", target="t", attack="headlock").answer == answer


def test_a_locked_weapon_reaches_nobody() -> None:
    arms = [{"name": "Spear", "reach_in": 2, "rules": ["locked"]}, {"name": "Fist", "reach_in": 0.5}]
    state = jacks(370, card={"melee": arms})

    assert asked(state, "melee-range", attacker="a", target="t").answer == "no"


def archers(**primary: Any) -> TableState:
    """Two with bows of 10 in shoot together at t at 400; b is 40 aside."""
    bow: dict[str, Any] = {"gun": 10, "unit": "u", "side": "red", "abilities": ["combined-ranged-attack", "assault"]}
    one = bow | primary.pop("first", {})
    other = bow | primary.pop("second", {})
    target = mini("t", 400, 300, 0, side="blue", reach=0.5)
    return field(mini("a", 200, 300, **one), mini("b", 200, 340, **other), target, *primary.pop("others", ()),
                 units=[{"id": "u", "commander": "a", "spacing_in": 6}])  # fmt: skip


def together(state: TableState) -> dict[str, Any]:
    verdict = asked(state, "combined-ranged", participants=["a", "b"], primary="a", target="t")
    told: Any = verdict.value["by_id"]
    return {id_: one["part"] for id_, one in told.items()}


def test_nobody_shoots_together_at_a_target_in_melee() -> None:
    friend = mini("f", 440, 300, 180, side="red", reach=0.5)

    assert together(archers()) == {"a": "adds", "b": "adds"}
    assert together(archers(others=[friend])) == {"a": "may-not", "b": "may-not"}


def test_in_an_assault_only_those_shoot_together_who_charged_the_same() -> None:
    first, second = ({"this_turn": {"moved": ["charge"], "charged": whom}} for whom in ("t", "z"))

    assert together(archers(first=first, second=second)) == {"a": "adds", "b": "may-not"}
    assert together(archers(first=first, second=first)) == {"a": "adds", "b": "adds"}


def test_a_helper_that_moved_does_not_keep_the_first_from_aiming() -> None:
    still = {"this_turn": {"start": {"at_mm": [200, 300], "facing_deg": 0}}}
    gone = {"this_turn": {"start": {"at_mm": [150, 340], "facing_deg": 0}, "moved": ["advance"]}}
    state = archers(first=still, second=gone)

    assert together(state) == {"a": "adds", "b": "adds"}
    assert asked(state, "aim", who="a").answer == "yes"


def fight(*others: dict[str, Any], terrain: Any = ()) -> TableState:
    """a shoots at t at 400, who fights f at 440; all reach 12.7."""
    t = mini("t", 400, 300, 0, side="blue", reach=0.5)
    f = mini("f", 440, 300, 180, side="red", reach=0.5)
    return field(mini("a", 100, 300, side="red"), t, f, *others, terrain=list(terrain))


def test_whom_terrain_hides_is_not_drawn() -> None:
    block = box("w", "obstruction", 416, 200, 420, 400, height_mm=200)
    drawn, hidden = (
        asked(state, "in-melee-group", attacker="a", target="t") for state in (fight(), fight(terrain=[block]))
    )

    assert (answers(drawn)["f"], answers(hidden)["f"]) == ("yes", "no")


def test_a_spell_from_a_melee_does_not_come_back_on_its_origin() -> None:
    state = fight(mini("g", 400, 340, 270, side="red", reach=0.5))
    verdict = asked(state, "in-melee-group", attacker="a", target="t", attack="magic", origin="f")

    assert "f" not in answers(verdict)
    assert answers(verdict)["g"] == "yes"


def test_who_is_not_active_makes_no_back_strike() -> None:
    path = {"this_turn": {"path_mm": [[500, 640], [560, 640]]}}
    minis = mini("t", 600, 600, 0, mm=40, side="blue"), mini("a", 560, 640, side="red", **path)
    mine, theirs = (
        asked(field(*minis, turn={"active": side, "activating": who}), "back-strike", attacker="a", target="t")
        for side, who in (("red", "a"), ("blue", "t"))
    )

    assert (mine.answer, theirs.answer) == ("yes", "no")


@pytest.mark.parametrize("status", ["stationary", "knocked-down", "inert"])
def test_the_stationary_are_in_no_melee(status: str) -> None:
    state = field(
        mini("a", 300, 300, side="red", reach=0.5), mini("t", 335, 300, 180, side="blue", reach=0.5, status=[status])
    )

    assert asked(state, "engaged", attacker="a", target="t").answer == "no"
    assert asked(state, "in-melee", who="a").answer == "no"


def test_the_stationary_attack_nobody() -> None:
    state = field(
        mini("a", 300, 300, side="red", reach=0.5, status=["stationary"]), mini("t", 335, 300, 180, side="blue")
    )

    assert asked(state, "target-legal", attacker="a", target="t", attack="melee").answer == "no"


def test_nobody_aims_an_offensive_spell_at_himself() -> None:
    state = field(mini("a", 300, 300, side="red", type="warcaster"))
    harm, help_ = (
        asked(state, "spell-target", caster="a", target="a", range_in=8, offensive=offensive)
        for offensive in (True, False)
    )

    assert (harm.answer, help_.answer) == ("no", "yes")


def test_a_spell_is_aimed_at_models_only() -> None:
    state = seen(terrain=[box("w", "wall", 200, 250, 210, 350, height_mm=20)])

    assert asked(state, "spell-target", caster="a", target="w", range_in=8).status == "refused"


def test_rough_ground_is_neither_obstacle_nor_obstruction() -> None:
    state = field(terrain=[box("w", "rough", 300, 200, 400, 400)])

    assert asked(state, "terrain-class", feature="w").value["counts_as"] == "rough"


def test_who_stands_in_ranks_may_charge() -> None:
    minis = [mini(f"a{k}", 300, 300 + 30 * k, 0, unit="u", side="red", reach=0.5) for k in range(2)]
    units = [{"id": "u", "commander": "a0", "spacing_in": 3, "formation": "tight"}]
    state = field(*minis, mini("t", 500, 300, 180, side="blue"), units=units)

    assert asked(state, "charge", attacker="a0", target="t", step="declare").answer == "yes"


def run_over(state: TableState, **hits: Any) -> Verdict:
    return asked(state, "trample", attacker="a", heading_deg=0, distance_in=6, **hits)


def test_only_heavy_ones_trample() -> None:
    ridden: Any = {"them": 30, "it": {"type": "trooper"}}
    small, large = (
        asked(jacks(345, mm=mm, **ridden), "power-attack", attacker="a", target="t", attack="trample")
        for mm in (40, 50)
    )

    assert (small.answer, large.answer) == ("no", "yes")


def test_a_trample_ends_at_rough_ground() -> None:
    """Of a base of 50 the rim is at 325: the bog at 400 is touched after 75."""
    verdict = run_over(jacks(900, mm=50, terrain=[box("w", "rough", 400, 200, 600, 400)]))

    assert (verdict.value["travelled_mm"], verdict.value["stopped_by"]) == (75.0, "w")


def test_a_trample_does_not_fail() -> None:
    """It ends where it has room, whether it ran anybody over or not, and does not turn."""
    verdict = run_over(jacks(900, mm=50))
    poses: Any = verdict.value["poses"]

    assert (verdict.answer, poses["a"]["facing_deg"]) == ("yes", 0.0)


def test_of_the_trampled_the_missed_may_strike() -> None:
    """s of 30 stands in the way at 360 and reaches 12.7; the trampler of 50 ends at 452.4, beyond its reach."""
    state = jacks(900, mini("s", 360, 300, 180, side="blue", reach=0.5), mm=50)
    missed, hit = (run_over(state, hits=hits).value["free_strikes"] for hits in ([], ["s"]))

    assert (missed, hit) == (["s"], [])


def test_the_pusher_may_follow_as_far_as_the_push_went() -> None:
    """An inch at half rate in the bog that begins at its rim leads 12.7 far."""
    plain = asked(jacks(340), "push", attacker="a", target="t")
    bog = asked(jacks(340, terrain=[box("w", "rough", 330, 200, 500, 400)]), "push", attacker="a", target="t")

    assert (plain.value["travelled_mm"], plain.value["follow_mm"]) == (pytest.approx(25.4), pytest.approx(25.4))
    assert (bog.value["travelled_mm"], bog.value["follow_mm"]) == (pytest.approx(12.7), pytest.approx(12.7))


def test_cavalry_is_stopped_by_rough_ground() -> None:
    """Its rim of 50 is at 325: the bog from 420 is touched after 95, before anybody is."""
    rider = mini("a", 300, 300, mm=50, side="red", abilities=["cavalry"], profile={"spd_in": 8}, reach=2)
    target = mini("t", 520, 300, 180, side="blue")
    free, mired = (
        asked(field(rider, target, terrain=ground), "impact-attacks", attacker="a", target="t").value["contact_mm"]
        for ground in ([], [box("w", "rough", 420, 200, 480, 400)])
    )

    assert (free, mired) == (pytest.approx(180.0), None)


def test_who_charged_makes_no_power_attack() -> None:
    ran = {"this_turn": {"moved": ["charge"]}}

    assert asked(jacks(345, me=ran), "power-attack", attacker="a", target="t", attack="head-butt").answer == "no"


def test_who_is_held_in_a_lock_makes_no_power_attack() -> None:
    held = {"lock": {"kind": "weapon-lock", "partner": "t", "holder": False}}
    free, locked = (
        asked(jacks(345, me=me), "power-attack", attacker="a", target="t", attack="push") for me in ({}, held)
    )

    assert (free.answer, locked.answer) == ("yes", "no")


def test_nobody_throws_a_larger_base() -> None:
    equal, larger = (
        asked(jacks(300 + 20 + mm / 2, them=mm), "power-attack", attacker="a", target="t", attack="throw")
        for mm in (40, 50)
    )

    assert (equal.answer, equal.value["bonus"]) == ("yes", -2)
    assert larger.answer == "no"


def thrown(mm: float, point: float) -> Any:
    """t of 40 at 340 is thrown along +x to this point; another of this size stands at 480."""
    state = jacks(340, mini("b", 480, 300, mm=mm, side="blue"))
    return asked(state, "throw", attacker="a", target="t", heading_deg=0, point_mm=(point, 300)).value


def test_the_thrown_push_smaller_ones_aside() -> None:
    value = thrown(30, 480)

    assert (value["travelled_mm"], value["stopped_by"]) == (pytest.approx(140.0), None)
    assert value["collateral"] == ["b"]


def test_a_thrown_base_that_hits_an_equal_one() -> None:
    """Stopped at 440, 100 on: one more die, and the one it hit goes down with it."""
    value = thrown(40, 500)

    assert (value["travelled_mm"], value["stopped_by"], value["extra_die"]) == (pytest.approx(100.0), "b", True)
    assert value["collateral"] == ["b"]


def test_the_same_cover_twice_counts_once() -> None:
    walls = [box(f"w{k}", "wall", 370 + 6 * k, 200, 374 + 6 * k, 400, height_mm=20) for k in range(2)]

    assert asked(seen(terrain=walls), "cover", attacker="a", target="t").value["bonus"] == 4


def test_who_has_left_the_table_is_in_nobodys_way() -> None:
    gone = seen(mini("b", 250, 300, mm=50, side="blue", status=["removed"]))

    assert asked(gone, "los", viewer="a", target="t").answer == "yes"


def test_who_cannot_move_does_not_aim() -> None:
    still: dict[str, Any] = {"this_turn": {"start": {"at_mm": [300, 300], "facing_deg": 0}}, "side": "red", "gun": 8}
    free, fixed = (
        asked(field(mini("a", 300, 300, status=status, **still)), "aim", who="a")
        for status in ([], ["movement-barred"])
    )

    assert (free.answer, fixed.answer) == ("yes", "no")


def test_who_has_no_melee_range_charges_nobody() -> None:
    state = field(mini("a", 300, 300, side="red", gun=8, profile={"spd_in": 6}), mini("t", 500, 300, 180, side="blue"))

    assert asked(state, "charge", attacker="a", target="t", step="declare").answer == "no"


def test_a_forced_charge_needs_somebody_in_sight() -> None:
    away = field(mini("a", 300, 300, 180, side="red", reach=0.5), mini("t", 500, 300, 180, side="blue"))

    assert asked(away, "charge", attacker="a", target="t", step="declare").answer == "no"


def test_between_the_models_of_an_active_unit_all_is_measured() -> None:
    minis = [mini(f"a{k}", 300 + 100 * k, 300, unit="u", side="red") for k in range(2)]
    units = [{"id": "u", "commander": "a0", "spacing_in": 3}]
    mine, theirs = (
        asked(table(*minis, units=units, turn={"active": "red", "activating": who}).in_edition("warmachine-mk1"),
              "formation", unit="u", who="a1", asked_by="red")
        for who in ("u", "v")
    )  # fmt: skip

    assert (mine.status, mine.margin_mm) == ("decided", pytest.approx(6.2))
    assert (theirs.status, theirs.unlock) == ("refused", "own-unit")


def test_who_flees_already_is_not_tested() -> None:
    horror = mini("s", 300, 300, mm=40, side="blue", abilities=["abomination"])
    calm, fled = (
        asked(
            field(horror, mini("t", 360, 300, side="red", status=status)),
            "morale-check",
            cause="abomination",
            source="s",
        )
        for status in ([], ["fleeing"])
    )

    assert calm.value["units"] == ["t"]
    assert fled.value["units"] == []


def fled(*, leader: float, alone: bool = False, **flags: Any) -> Verdict:
    """m flees; its leader stands or flees this far on, beyond the 76.2 of their chain."""
    one: dict[str, Any] = {} if alone else {"unit": "u"}
    m = mini("m", 300, 300, side="red", status=["fleeing"], **one)
    others = [] if alone else [mini("l", leader, 300, side="red", **one, **flags)]
    units = [] if alone else [{"id": "u", "commander": "l", "spacing_in": 3}]
    return asked(field(m, *others, mini("e", 300, 500, side="blue"), units=units), "rally", who="m")


def test_a_unit_that_flees_whole_rallies_by_its_leader() -> None:
    assert fled(leader=500).answer == "no"
    assert fled(leader=500, status=["fleeing"]).answer == "yes"


def test_a_solo_rallies_without_a_commander() -> None:
    assert fled(leader=0, alone=True).answer == "yes"


def test_without_an_edge_of_its_own_it_flees_to_the_nearest() -> None:
    me = mini("m", 300, 500, side="red", profile={"spd_in": 4}, status=["fleeing"])
    fled = asked(field(me, mini("e", 800, 500, side="blue"), sides=[{"id": "red"}, {"id": "blue"}]), "flee", mover="m")

    assert (fled.value["edge"], fled.value["heading_deg"]) == ("left", 180.0)
