"""Attack rolls: what modifies them, and who adds to one combined blow or shot."""

from typing import Any

from models.verdict import Verdict
from tests.referee.tables import answers, asked, box, mini, table

WALL = box("w", "wall", 380, 200, 384, 400, height_mm=30)
UNIT = [{"id": "u", "side": "red", "commander": "a", "command_in": 8}]


def changes(verdict: Verdict) -> dict[str, int]:
    listed: Any = verdict.value["modifiers"]
    return {one["name"]: one["bonus"] for one in listed}


def shot(*more: dict[str, Any], facing: float | None = 180, attack: str = "ranged", **fields: Any) -> Verdict:
    target = mini("t", 400, 300, facing, side="blue", **fields.pop("target", {}))
    turn = {"this_turn": {"start": {"at_mm": [100, 300], "facing_deg": 0}}}
    state = table(
        mini("a", 100, 300, side="red", gun=12, reach=0.5, **turn), target, *more, terrain=fields.pop("terrain", [])
    )
    return asked(state, "attack-modifiers", attacker="a", target="t", attack=attack, **fields)


def test_attack_bonuses_count_for_and_defence_bonuses_against() -> None:
    foe = mini("f", 435, 300, 180, side="red", reach=0.5)
    verdict = shot(foe, facing=0, terrain=[WALL])

    assert changes(verdict) == {"back-strike": 2, "aim": 2, "cover": 4, "target-in-melee": 4}
    assert verdict.value["total"] == -4


def test_a_spray_takes_no_notice_of_cover_and_melee() -> None:
    foe = mini("f", 435, 300, 180, side="red", reach=0.5)

    assert changes(shot(foe, terrain=[WALL], shape="spray")) == {"aim": 2}


def test_a_spell_is_not_aimed() -> None:
    assert changes(shot(attack="magic")) == {}


def test_in_melee_the_wall_counts_two() -> None:
    assert changes(shot(attack="melee", terrain=[WALL])) == {"intervening-terrain": 2}


def test_a_free_strike_gains_two_and_no_back_strike() -> None:
    assert changes(shot(attack="melee", facing=0, reaction="free-strike")) == {"free-strike": 2}


def test_the_helpless_have_five_and_are_hit_in_melee() -> None:
    down = {"status": ["knocked-down"], "profile": {"defence": 14}}
    verdict = shot(attack="melee", target=down)

    assert (verdict.value["base_defence"], verdict.value["hits_automatically"]) == (5.0, True)


def test_stealth_from_afar_misses() -> None:
    assert shot(target={"abilities": ["stealth"]}).value["misses_automatically"] is True


def test_what_is_not_known_is_named() -> None:
    assert shot(facing=None).needs == ("facing_deg of t",)


def parts(verdict: Verdict) -> dict[str, Any]:
    by_id: Any = verdict.value["by_id"]
    return {id_: (told["part"], told["why"]) for id_, told in by_id.items()}


def blow(*more: dict[str, Any], **both: Any) -> Verdict:
    def fighter(id_: str, y: float) -> dict[str, Any]:
        return mini(id_, 300, y, 0, side="red", unit="u", reach=1, abilities=["combined-melee-attack"], **both)

    ids = ["a", "b", *(m["id"] for m in more)]
    state = table(
        fighter("a", 300), fighter("b", 335), *more, mini("t", 345, 317, 180, side="blue", reach=0.5), units=UNIT
    )
    return asked(state, "combined-melee", participants=ids, primary="a", target="t")


def test_everybody_in_reach_adds_one_to_the_blow() -> None:
    behind = mini("c", 250, 317, 0, side="red", unit="u", reach=1, abilities=["combined-melee-attack"])
    verdict = blow(behind)

    assert (answers(verdict), verdict.value["bonus"]) == ({"a": "yes", "b": "yes", "c": "no"}, 2)
    assert parts(verdict)["c"] == ("may-not", "reach")


def test_it_is_a_charge_attack_when_all_charged_far_enough() -> None:
    def charged(inches: float) -> dict[str, Any]:
        return {"moved": ["charge"], "charged": "t", "path_mm": [[0, 0], [25.4 * inches, 0]]}

    assert blow().value["charge_attack"] is False
    assert blow(this_turn=charged(3)).value["charge_attack"] is True
    assert blow(this_turn=charged(2.9)).value["charge_attack"] is False


def archer(id_: str, x: float, y: float, **more: Any) -> dict[str, Any]:
    return mini(
        id_, x, y, 0, **({"side": "red", "unit": "u", "gun": 10, "abilities": ["combined-ranged-attack"]} | more)
    )


def volley(*more: dict[str, Any], target: dict[str, Any] | None = None, primary: str = "a") -> Verdict:
    shooters = [archer("a", 300, 300), archer("b", 300, 340), *more]
    state = table(*shooters, target or mini("t", 550, 300, 180, side="blue", reach=0.5), units=UNIT)
    ids = [shooter["id"] for shooter in shooters]
    return asked(state, "combined-ranged", participants=ids, primary=primary, target="t", weapon="Gun")


def test_everybody_who_could_shoot_adds_one() -> None:
    verdict = volley(archer("c", 300, 380))

    assert (answers(verdict), verdict.value["bonus"]) == ({"a": "yes", "b": "yes", "c": "yes"}, 3)


def test_who_is_out_of_range_or_formation_or_in_melee_may_not() -> None:
    verdict = volley(
        archer("far", 100, 300),
        archer("lost", 300, 540),
        archer("held", 300, 400),
        mini("f", 335, 400, 180, side="blue", reach=1),
    )

    assert parts(verdict)["far"] == ("may-not", "range")
    assert parts(verdict)["lost"] == ("may-not", "formation")
    assert parts(verdict)["held"] == ("may-not", "may-shoot")


def test_one_who_lacks_the_advantage_or_the_unit_may_not() -> None:
    verdict = volley(archer("plain", 300, 380, abilities=[]), archer("other", 300, 420, unit=None))

    assert (parts(verdict)["plain"], parts(verdict)["other"]) == (("may-not", "advantage"), ("may-not", "unit"))


def test_stealth_leaves_out_who_would_miss() -> None:
    hidden = mini("t", 440, 300, 180, side="blue", reach=0.5, abilities=["stealth"])
    verdict = volley(archer("c", 270, 300), target=hidden)

    assert (parts(verdict)["a"][0], parts(verdict)["c"]) == ("adds", ("may-not", "stealth"))


def test_one_alone_combines_nothing() -> None:
    state = table(archer("a", 300, 300), mini("t", 550, 300, side="blue", reach=0.5), units=UNIT)

    assert asked(state, "combined-ranged", participants=["a"], primary="a", target="t").value["bonus"] == 0


def test_a_target_in_melee_is_none_unless_it_is_huge() -> None:
    friend = mini("f", 550, 335, 270, side="red", reach=0.5)

    assert volley(friend).value["bonus"] == 0
    assert (
        volley(
            mini("f", 600, 380, 270, side="red", reach=0.5),
            target=mini("t", 600, 300, 180, mm=120, side="blue", reach=0.5),
        ).value["bonus"]
        == 2
    )
