"""Targets: what an attack or a spell may be declared at, and stealth."""

from typing import Any

import pytest

from models.state import TableState
from models.verdict import Verdict
from tests.referee.tables import asked, box, mini, table

SPELLS = {"control_stat": 5, "spells": [{"name": "Bolt", "rng_in": 8, "offensive": True}, {"name": "Ward", "rng_in": "self"}, {"name": "Field", "rng_in": "control"}]}  # fmt: skip # noqa: E501


def clauses(verdict: Verdict) -> dict[str, str]:
    listed: Any = verdict.value["clauses"]
    return {clause["clause"]: clause["answer"] for clause in listed}


def pair(apart: float, **more: Any) -> TableState:
    attacker: dict[str, Any] = {"side": "red", "reach": 2, "gun": 10} | more.pop("attacker", {})
    target = mini("t", 330 + apart, 300, 180, side="blue", reach=more.pop("their_reach", 0.5))
    return table(mini("a", 300, 300, **attacker), target, **more)


def legal(state: TableState, attack: str, **more: Any) -> Verdict:
    return asked(state, "target-legal", attacker="a", target="t", attack=attack, **more)


def test_a_melee_attack_takes_reach_and_the_limit_is_enough() -> None:
    assert legal(pair(50.8), "melee").answer == "yes"
    assert (legal(pair(51.8), "melee").answer, legal(pair(51.8), "melee").margin_mm) == ("no", pytest.approx(-1.0))


def test_each_weapon_has_its_own_reach() -> None:
    profile = {"melee": [{"name": "Spear", "reach_in": 2}, {"name": "Shield", "reach_in": 0.5}]}
    state = pair(30, attacker={"profile": profile})

    assert legal(state, "melee", weapon="Spear").answer == "yes"
    assert legal(state, "melee", weapon="Shield").answer == "no"


def test_a_ranged_attack_takes_sight_and_no_range() -> None:
    wall = box("w", "obstruction", 400, 200, 410, 400, height_mm=200)

    assert legal(pair(500), "ranged").answer == "yes"
    assert clauses(legal(pair(500, terrain=[wall]), "ranged"))["sight"] == "no"


def test_who_is_in_melee_may_not_shoot_but_may_strike() -> None:
    assert clauses(legal(pair(5), "ranged"))["may-shoot"] == "no"
    assert legal(pair(5), "melee").answer == "yes"


def test_behind_the_arc_line_there_is_no_target() -> None:
    state = table(mini("a", 300, 300, 180, reach=2), mini("t", 340, 300))

    assert clauses(legal(state, "melee"))["arc"] == "no"


def test_the_knocked_down_attack_nobody() -> None:
    assert clauses(legal(pair(20, attacker={"status": ["knocked-down"]}), "melee"))["able"] == "no"


def test_a_huge_bases_arm_needs_its_own_field() -> None:
    arm = {"melee": [{"name": "Arm", "reach_in": 2, "location": "left"}]}
    state = table(mini("a", 600, 600, 90, mm=120, profile=arm), mini("t", 670, 660))

    assert clauses(legal(state, "melee", weapon="Arm"))["field"] == "no"


def test_after_a_charge_the_mount_makes_no_initial_attack() -> None:
    mount = {"melee": [{"name": "Mount", "reach_in": 0.5, "rules": ["mount"]}]}
    charged = {"profile": mount, "this_turn": {"moved": ["charge"]}}

    assert legal(pair(5, attacker={"profile": mount}), "melee", weapon="Mount").answer == "yes"
    assert clauses(legal(pair(5, attacker=charged), "melee", weapon="Mount"))["mount"] == "no"


def test_terrain_is_no_target_of_an_attack() -> None:
    state = pair(50, terrain=[box("w", "wall", 1, 1, 2, 2)])

    assert asked(state, "target-legal", attacker="a", target="w", attack="melee").status == "refused"


def cast(apart: float, spell: str, target: str = "t") -> Verdict:
    state = pair(apart, attacker={"profile": SPELLS})
    return asked(state, "spell-target", caster="a", target=target, spell=spell)


def test_a_spell_reaches_its_range_and_not_farther() -> None:
    assert (cast(203.2, "Bolt").answer, cast(203.2, "Bolt").value["in_range"]) == ("yes", "yes")
    assert (cast(204.2, "Bolt").answer, cast(204.2, "Bolt").margin_mm) == ("no", pytest.approx(-1.0))


def test_the_control_range_is_twice_the_stat() -> None:
    assert cast(254, "Field").answer == "yes"
    assert cast(255, "Field").answer == "no"


def test_a_spell_for_oneself_is_for_nobody_else() -> None:
    assert cast(10, "Ward").answer == "no"
    assert cast(10, "Ward", target="a").answer == "yes"


def test_a_channelled_spell_is_measured_and_seen_from_the_channeler() -> None:
    state = table(mini("a", 300, 300, 180, profile=SPELLS), mini("node", 600, 300), mini("t", 800, 300))

    assert asked(state, "spell-target", caster="a", target="t", spell="Bolt").answer == "no"
    assert asked(state, "spell-target", caster="a", target="t", spell="Bolt", origin="node").answer == "yes"


def test_a_friend_out_of_formation_is_no_target() -> None:
    stray = mini("t", 400, 300, side="red", status=["out-of-formation"])
    state = table(mini("a", 300, 300, side="red", profile=SPELLS), stray)

    assert clauses(asked(state, "spell-target", caster="a", target="t", spell="Bolt"))["formation"] == "no"


def test_an_unknown_spell_is_asked_for() -> None:
    assert cast(10, "Doom").needs == ("rng_in of spell Doom of a",)


def shot(apart: float, *, shooter: list[str] | None = None, **more: Any) -> object:
    target = mini("t", 100 + 30 + apart, 300, abilities=more.pop("abilities", ["stealth"]))
    state = table(mini("a", 100, 300, abilities=shooter or []), target, mini("node", 200, 300))
    verdict = asked(state, "stealth", attacker="a", target="t", **more)
    return verdict.answer, verdict.margin_mm


def test_a_shot_from_beyond_five_inches_misses() -> None:
    assert shot(137.0) == ("yes", pytest.approx(10.0))


def test_exactly_five_inches_is_near() -> None:
    assert shot(127.0) == ("no", pytest.approx(0.0))


def test_a_spell_is_measured_from_the_channeler() -> None:
    assert shot(137.0, origin="node") == ("no", pytest.approx(-90.0))


def test_without_stealth_distance_makes_no_miss() -> None:
    assert shot(300.0, abilities=[]) == ("no", -1000.0)


def test_eyeless_sight_takes_no_notice() -> None:
    assert shot(300.0, shooter=["eyeless-sight"]) == ("no", -1000.0)
