from typing import Any

from models.verdict import Verdict
from tests.referee.tables import asked, box, mini, table

WALL = box("w", "wall", 380, 200, 384, 400, height_mm=30)


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
