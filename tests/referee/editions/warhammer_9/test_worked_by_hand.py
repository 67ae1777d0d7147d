"""Warhammer worked by hand: small tables from the chapters, with the answer the book gives."""

from typing import Any

import pytest

from models.parsing import parse_query
from models.state import TableState
from models.unit import expand_blocks
from models.verdict import Verdict
from referee import ask
from tests.referee.ability_scenes import BOW, INCH, WARHAMMER, Words, block, box, lone
from tests.referee.editions.warhammer_9 import tables as ranked

MACHINE = {"type": "war-machine", "size": (50, 50), "card": {"bs": 3, "wounds": 3} | {"ranged": BOW["ranged"]}}
MONSTER = {"type": "monster", "size": (50, 50), "card": {"wounds": 4}}


def asked(
    things: list[dict[str, Any]], kind: str, *, terrain: Any = (), scenario: str | None = None, **fields: Any
) -> Verdict:
    size = {"width_mm": 1828.8, "depth_mm": 1219.2}
    state: dict[str, Any] = {"version": 1, "edition": WARHAMMER, "table": size, "terrain": [*terrain],
                             "turn": {"round": 2, "active": "red"}, "scenario": {"name": scenario}}  # fmt: skip
    state |= {"miniatures": [t for t in things if "base" in t], "units": [t for t in things if "base" not in t]}
    return ask(TableState.model_validate(expand_blocks(state)), parse_query({"kind": kind, **fields}))


def members_struck(verdict: Verdict) -> list[str]:
    return [member.id for member in verdict.members if member.answer == "yes"]


def test_a_machine_that_would_flee_is_destroyed_and_its_crew_hide_from_panic() -> None:
    """War Machines, p. 86; War Machines and Panic, p. 87."""
    things = [lone("A", 600, 275, **MACHINE), block("E", 600)]

    assert asked(things, "flee", mover="A", cause="break", threats=["E"]).value["result"] == "removed"
    assert asked(things, "flee", mover="A", cause="panic", threats=["E"]).value["result"] == "cowers"
    assert asked(things, "flee", mover="A", cause="charge", threats=["E"]).value["may_flee"] is False


def test_who_fights_the_terrible_tests_on_two_less_even_steadfast() -> None:
    """Terror, p. 67; Fear, p. 59: ten at Leadership 8 are steadfast against one monster of strength 4."""
    things = [block("A", 300, card={"ld": 8}), lone("E", 600, 325, **MONSTER)]

    assert asked(things, "morale-check", cause="break", unit="A", lost_by=3).value["ld"] == 6


def test_who_causes_fear_takes_terror_for_fear() -> None:
    """Terror, p. 67: monstrous infantry lose one, and nothing to their like."""
    ogres: dict[str, Any] = {"type": "monstrous-infantry", "files": 3, "count": 6,
                             "base": {"shape": "rect", "width_mm": 40, "depth_mm": 40}}  # fmt: skip
    own = block("A", 300, **ogres)
    by_terror = asked([own, lone("E", 600, 325, **MONSTER)], "morale-check", cause="break", unit="A", lost_by=0)
    by_fear = asked([own, block("E", 300, **ogres)], "morale-check", cause="break", unit="A", lost_by=0)

    assert (by_terror.value["ld"], by_fear.value["ld"]) == (6, 7)


def test_a_lone_monster_tests_for_panic_like_a_unit() -> None:
    """Panic, p. 54; Forming Units, p. 11: a single model is a unit, and terror makes immune to fear and terror only."""
    things = [lone("A", 600, 275, **MONSTER), block("B", 300, x=700), block("E", 900)]

    assert members_struck(asked(things, "morale-check", cause="broken", source="B", unit="A")) == ["A"]


def test_a_character_joins_a_lone_character() -> None:
    """What Unit Can I Join?, p. 81."""
    things = [lone(id_, x, 290, role=["character"]) for id_, x in (("c", 540), ("d", 560))]

    assert asked([*things, block("E", 900)], "join-unit", who="c", unit="d").answer == "yes"


def test_skirmishers_that_closed_up_have_no_ranks_and_disrupt_nobody() -> None:
    """Light Troops, p. 65: ten of them in the flank of twenty."""
    flank = {"front_mm": [650, 520], "facing_deg": 180}
    own = block("A", 300, ("skirmishers",))
    own["block"] |= flank
    verdict = asked([own, block("E", 500, count=20)], "combat-bonuses", a=["A"], b=["E"])

    assert verdict.value["disrupted_by"] == []
    assert verdict.value["ranks"] == {"A": 0, "E": 3}


def test_a_charge_from_a_hill_keeps_its_high_ground() -> None:
    """High Ground, p. 47; Hills and Close Combat, p. 92: most of the unit began the turn uphill."""
    began = {"moved": ["charge"], "charged": "E", "start": {"front_mm": [600, 400], "facing_deg": 90}}
    hill = box("h", "hill", 500, 300, 700, 420, height_mm=40)
    things = [block("A", 500, this_turn=began), block("E", 500)]
    verdict = asked(things, "combat-bonuses", a=["A"], b=["E"], terrain=[hill])

    assert "high-ground" in {bonus["name"] for bonus in verdict.value["bonuses"]}  # type: ignore[union-attr, index, call-overload]
    assert asked(things, "elevation-bonus", attacker="A", target="E", terrain=[hill]).value["bonus"] == 1


def test_flyers_test_where_a_flight_ends_in_a_forest_not_where_it_leads_over_one() -> None:
    """Forests and Movement, p. 92."""
    flyer = lone("A", 600, 300, ("fly",), type="monstrous-beast", size=(40, 40))
    flight = {"mover": "A", "manner": "fly", "steps": [{"do": "forward", "by_in": 10}]}
    tests = [
        asked([flyer], "hazard", terrain=[box("f", "forest", 500, y, 700, y + 80)], **flight).value["tests"]
        for y in (540, 400)
    ]

    assert tests == [1, 0]


def test_of_a_wheel_only_those_roll_whose_own_way_leads_through() -> None:
    """Dangerous Terrain, p. 91: a marsh at 95 mm from the pivot lies in the ring of the outermost alone."""
    marsh = box("m", "marsh", 640, 330, 660, 345)
    wheel = {"mover": "A", "manner": "march", "steps": [{"do": "wheel-left", "by_deg": 60}]}

    assert asked([block("A", 300, count=5)], "hazard", terrain=[marsh], **wheel).value["tests"] == 1


def test_a_stupid_wizard_casts_nothing() -> None:
    """Stupidity, p. 66."""
    hex_ = {"spells": [{"name": "h", "rng_in": 24, "offensive": True, "type": "hex"}]}
    answers = [
        asked([lone("c", 600, 300, role=["wizard"], card=hex_, status=status), block("E", 600)], "spell-target",
              caster="c", target="E", spell="h").answer
        for status in ([], ["stupid"])
    ]  # fmt: skip

    assert answers == ["yes", "no"]


def test_shooters_tell_what_a_single_shot_needs() -> None:
    """Multiple Shots, p. 63: ten at skill 3, several shots at 5 and more, or one each at 4 and more."""
    bow = {"bs": 3, "ranged": [{"name": "bow", "rng_in": 24, "rules": ["multiple-shots"]}]}
    verdict = asked([block("A", 300, card=bow), block("E", 300 + 10 * INCH)], "shooters", attacker="A", target="E")

    assert verdict.value["needs"] == 5
    assert verdict.value["single_shot"] == {"needs": 4, "expected_hits": 5.0}


LAKE = box("o", "deep-water", 300, 350, 900, 400)
ROCK = box("o", "impassable", 300, 350, 900, 400, height_mm=1, blocks_sight="none")


def test_the_aquatic_charge_through_deep_water_and_the_ethereal_through_rock() -> None:
    """Aquatic, p. 57; Ethereal, p. 58: open ground to them, also for a charge, a pursuit and a flight."""
    answers = [
        asked([block("A", 300, words), block("E", 450)], "charge", attacker="A", target="E", terrain=[ground]).answer
        for words, ground in (((), LAKE), (("aquatic",), LAKE), ((), ROCK), (("ethereal",), ROCK))
    ]

    assert answers == ["no", "yes", "no", "yes"]


def test_pursuers_stop_an_inch_before_rock_unless_they_are_ethereal() -> None:
    """Pursuit into an Obstruction, p. 51: rock from 600; nine inches are 228.6."""
    rock = ROCK | {"polygon_mm": [[300, 600], [900, 600], [900, 640], [300, 640]]}
    fronts = [
        asked([block("A", 500, words), block("E", 500)], "pursuit", winner="A", loser="E", terrain=[rock],
              dice={"flee": 4, "pursue": 9}).value["poses"]["A"]["front_mm"][1]  # type: ignore[index, call-overload]
        for words in ((), ("ethereal",))
    ]  # fmt: skip

    assert fronts == [600 - INCH, 500 + 9 * INCH]


def test_the_ethereal_reform_beside_rock_and_not_into_it() -> None:
    """Ethereal, p. 58: ten files reach from 500 to 700."""
    answers = [
        asked([block("A", 300, ("ethereal",))], "reform", unit="A", files=10,
              terrain=[box("o", "impassable", x, 200, x + 40, 400)]).answer
        for x in (660, 701)
    ]  # fmt: skip

    assert answers == ["no", "yes"]


def test_a_charge_is_possible_past_a_friend_who_may_yet_charge_himself() -> None:
    """Can I Charge?, p. 17: five friends across the way, seen past on the left; once they have moved they stay."""
    friends = [block("B", 400, x=620, count=5, this_turn={"moved": moved}) for moved in ([], ["march"])]
    answers = [
        asked([block("A", 300), block("E", 500), friend], "charge", attacker="A", target="E").answer
        for friend in friends
    ]

    assert answers == ["yes", "no"]


def test_what_binds_one_of_a_unit_binds_all() -> None:
    """Movement of combined units, p. 82: one that moves at random keeps the others from charging."""
    own = [lone(f"m{k}", 560 + 20 * k, 290, ("random-movement",) * (k == 2), unit="A", rank=0, file=k)
           for k in range(5)]  # fmt: skip
    unit = {"id": "A", "side": "red", "formation": "ranked"}

    assert asked([unit, *own, block("E", 500)], "charge", attacker="A", target="E").answer == "no"


def test_of_a_mixed_unit_only_the_mounted_roll_for_a_forest() -> None:
    """Dangerous Terrain, p. 91: a rider who joined five on foot, marching."""
    rider = lone("c", 537.5, 275, type="cavalry", size=(25, 50), role=["character"], unit="A", rank=0, file=0)
    foot = [lone(f"m{k}", 560 + 20 * k, 290, unit="A", rank=0, file=k + 1) for k in range(5)]
    march = {"mover": "A", "manner": "march", "steps": [{"do": "forward", "by_in": 6}]}
    unit = {"id": "A", "side": "red", "formation": "ranked"}
    verdict = asked([unit, rider, *foot], "hazard", terrain=[box("f", "forest", 300, 330, 900, 360)], **march)

    assert members_struck(verdict) == []
    assert verdict.value["by_id"] == {"c": {"entry_mm": None}}


RANK = {"id": "A", "side": "red", "formation": "ranked"}
HERO = {"role": ["character"], "unit": "A", "rank": 0, "file": 0}


def test_who_carries_no_bow_does_not_shoot_with_the_unit() -> None:
    """Nominate Unit to Shoot, p. 34: four archers and a hero without a bow, also standing and shooting."""
    foot = [lone(f"m{k}", 560 + 20 * k, 290, card=BOW, unit="A", rank=0, file=k) for k in range(1, 5)]
    things = [RANK, lone("c", 560, 290, **HERO), *foot, block("E", 600)]

    assert asked(things, "shooters", attacker="A", target="E").value["count"] == 4
    assert asked(things, "stand-and-shoot", attacker="E", target="A").value["count"] == 4


def test_only_the_mounted_of_a_mixed_unit_make_impact_hits() -> None:
    """Impact Hits, p. 61; Cavalry, p. 70: a rider beside five on foot touches the corner of one enemy."""
    came = {"moved": ["charge"], "charged": "E"}
    rider = lone("c", 537.5, 475, type="cavalry", size=(25, 50), this_turn=came, **HERO)
    foot = [lone(f"m{k}", 560 + 20 * k, 490, unit="A", rank=0, file=k + 1, this_turn=came) for k in range(5)]
    things = [RANK | {"this_turn": came}, rider, *foot, block("E", 500)]
    verdict = asked(things, "impact-attacks", attacker="A")

    assert verdict.value["hits"] == {"E": {"by": 1, "each": "1"}}
    assert members_struck(verdict) == ["E/0-4"]


HOUSE = box("h", "building", 500, 480, 700, 620, height_mm=80)
INDOORS = {"inside": "h"}


def garrison(id_: str, **more: Any) -> list[dict[str, Any]]:
    """Ten in the house."""
    inside = [lone(f"{id_}{k}", 600, 550, unit=id_, rank=0, file=k, **INDOORS, **more) for k in range(10)]
    side = "blue" if id_ == "E" else "red"
    return [{"id": id_, "side": side, "formation": "garrison"}, *(one | {"side": side} for one in inside)]


@pytest.mark.parametrize(
    ("words", "cause", "may"),
    [
        ((), "charge", True),
        (("immunity-psychology",), "break", True),
        (("immunity-psychology",), "panic", False),
        (("immunity-psychology",), "terror", False),
        (("unbreakable",), "break", False),
        (("terror",), "terror", False),
        (("terror",), "panic", True),
    ],
)
def test_who_is_immune_to_a_cause_does_not_flee_from_it(words: Words, cause: str, may: bool) -> None:
    """Immunity, p. 61; Terror, Unbreakable, p. 67."""
    things = [block("A", 300, words), block("E", 500)]
    verdict = asked(things, "flee", mover="A", cause=cause, threats=["E"], dice={"flee": 4})

    assert (verdict.value["may_flee"], verdict.value["result"]) == ((True, "flees") if may else (False, "holds"))


def test_who_fights_already_or_holds_a_building_cannot_flee_from_a_charge() -> None:
    """Hold, p. 17; Charge Reactions, p. 99."""
    fighting = [block("A", 500), block("E", 500), lone("B", 800, 510)]

    for things, pieces in ((fighting, ()), ([*garrison("E"), block("A", 300)], (HOUSE,))):
        verdict = asked(things, "flee", mover="E", cause="charge", threats=["A"], terrain=pieces)
        assert verdict.value["may_flee"] is False


@pytest.mark.parametrize("kind", ["infantry", "cavalry", "chariot", "swarm"])
@pytest.mark.parametrize("ground", ["marsh", "forest", "river", "hill", "wall", "scree"])
def test_a_flight_tests_for_the_ground_as_any_rush_over_it_does(kind: str, ground: str) -> None:
    """Dangerous Terrain, p. 91; Marshland, p. 94: it faces away already, so that the ways are one."""
    own = block("A", 300, type=kind, count=5, card={"spd_in": 8})
    piece = box("t", ground, 560, 330, 900, 360)
    fled = asked(
        [own, block("E", 100)], "flee", mover="A", cause="panic", threats=["E"], dice={"flee": 8}, terrain=[piece]
    )
    rushed = asked([own], "hazard", mover="A", manner="flee", steps=[{"do": "forward", "by_in": 8}], terrain=[piece])

    if fled.value["result"] == "flees":
        assert fled.value["tests"] == rushed.value["tests"]
        assert fled.value["expected"] == pytest.approx(rushed.value["expected"])


@pytest.mark.parametrize("words", [(), ("fly",), ("ethereal",)])
def test_all_that_moves_stops_an_inch_before_the_cliffs_of_a_pass(words: Words) -> None:
    """Battle for the Pass, p. 109: flyers and the ethereal go over, and who flees gets through."""
    things, narrow = [block("A", 1150, (*words, "random-movement"))], {"scenario": "battle-for-the-pass"}
    edge = {"mover": "A", "distance_in": 6, **narrow}
    ends = [
        asked(things, "table-edge", **edge, cause="pursuit"),
        asked(things, "pursuit", winner="A", dice={"pursue": 6}, **narrow),
        asked(things, "random-move", mover="A", dice={"move": 6}, **narrow),
    ]
    fronts = [end.value["poses"]["A"]["front_mm"][1] for end in ends]  # type: ignore[index, call-overload]
    before = 1219.2 - INCH

    assert [front <= before + 1e-6 for front in fronts] == [not words] * 3
    assert asked(things, "table-edge", **edge, cause="flee").value["result"] == "removed"


def test_a_character_walks_up_to_the_unit_that_he_joins_and_not_just_near_it() -> None:
    """Joining a Unit, p. 81; 1" Apart, p. 15: the rear of the unit is at 380."""
    things = [lone("c", 600, 290, role=["character"]), block("A", 420)]
    answers = [
        asked(things, "move", mover="c", steps=[{"do": "forward", "by_in": inches}]).answer
        for inches in (80 / INCH, 70 / INCH, 90 / INCH)
    ]

    assert answers == ["yes", "no", "no"]


def test_terrain_slows_a_vanguard_and_a_rider_without_the_rule_holds_it_back() -> None:
    """Vanguard, p. 67; Forests and Movement, p. 92."""
    forward = {n: {"mover": "A", "manner": "vanguard", "steps": [{"do": "forward", "by_in": n}]} for n in (5, 6)}
    wood = box("f", "forest", 300, 320, 900, 340)
    foot = [lone(f"m{k}", 560 + 20 * k, 290, ("vanguard",), unit="A", rank=0, file=k) for k in range(1, 5)]
    rider, walker = (lone("c", 560, 290, type=kind, **HERO) for kind in ("cavalry", "infantry"))

    assert [asked([block("A", 300, ("vanguard",))], "move", terrain=[wood], **forward[n]).answer for n in (5, 6)] == [
        "yes",
        "no",
    ]
    assert [asked([RANK, one, *foot], "move", **forward[5]).answer for one in (rider, walker)] == ["no", "yes"]


def test_fast_cavalry_that_a_man_on_foot_joined_does_not_reform_freely() -> None:
    """Fast Cavalry: Characters, p. 58."""
    riders = [lone(f"m{k}", 562.5 + 25 * k, 275, ("fast-cavalry",), type="cavalry", size=(25, 50), unit="A", rank=0,
                   file=k) for k in range(1, 5)]  # fmt: skip
    answers = [
        asked([RANK, lone("c", 562.5, 275, type=kind, size=(25, 50), **HERO), *riders], "reform", unit="A",
              manner="free", facing_deg=0).answer
        for kind in ("cavalry", "infantry")
    ]  # fmt: skip

    assert answers == ["yes", "no"]


def test_a_building_is_entered_and_left_once_a_turn_and_never_after_a_reform() -> None:
    """Garrisoning a Building; Abandoning a Building, p. 98; Swift Reform, p. 80: exempt from what it names only."""
    enter = {"unit": "A", "feature": "h", "manner": "enter", "terrain": [HOUSE]}
    for moved, answer in (([], "yes"), (["reform"], "no"), (["swift-reform"], "no"), (["march"], "no")):
        assert asked([block("A", 480, this_turn={"moved": moved})], "garrison", **enter).answer == answer

    out = {"front_mm": [600, 620 + INCH + 20], "facing_deg": 90}
    held, *men = garrison("A")
    for entered, answer in (([], "yes"), (["h"], "no")):
        unit = held | {"this_turn": {"entered": entered}}
        leave = asked([unit, *men], "garrison", unit="A", feature="h", manner="leave", to=out, terrain=[HOUSE])
        assert leave.answer == answer
    deep = {"front_mm": [600, 620 + INCH + 40], "facing_deg": 90, "files": 5}
    for files, answer in (
        (5, "yes"),
        (10, "no"),
    ):  # its rear is an inch off in two ranks of five
        leave = asked([held, *men], "garrison", unit="A", feature="h", manner="leave", to=deep | {"files": files},
                      terrain=[HOUSE])  # fmt: skip
        assert leave.answer == answer
    assert asked([held, *men], "march", mover="A", terrain=[HOUSE]).answer == "no"


def test_a_garrison_stands_and_shoots_as_it_shoots() -> None:
    """Five per Floor, p. 99: five of ten, also at those who storm it."""
    things = [block("A", 300), *garrison("E", card=BOW)]

    assert asked(things, "shooters", attacker="E", target="A", terrain=[HOUSE]).value["count"] == 5
    assert asked(things, "stand-and-shoot", attacker="A", target="E", terrain=[HOUSE]).value["count"] == 5


@pytest.mark.parametrize("facing", [0, 45, 90, 180, 270])
def test_a_building_is_stormed_where_its_garrison_may_be_charged(facing: float) -> None:
    """Assaulting a Building, p. 99."""
    own = block("A", 300)
    own["block"] |= {"facing_deg": facing}
    things = [own, *garrison("E")]
    charge = asked(things, "charge", attacker="A", target="E", step="declare", terrain=[HOUSE])

    assert asked(things, "building-assault", attacker="A", target="h", terrain=[HOUSE]).answer == charge.answer


@pytest.mark.parametrize("deeds", [{}, {"moved": ["advance"]}, {"moved": ["pivot"]}, {"shot": True}])
def test_a_machine_that_may_not_shoot_is_not_aimed(deeds: dict[str, Any]) -> None:
    """Move or Fire, p. 62; War Machines, p. 86."""
    card = {"bs": 3, "wounds": 3, "ranged": [{"name": "gun", "rng_in": [12, 60]}]}
    things = [lone("A", 600, 75, type="war-machine", size=(50, 50), card=card, this_turn=deeds), block("E", 700)]
    may = asked(things, "may-shoot", attacker="A").answer

    assert {asked(things, kind, attacker="A", at=[600, 710]).answer for kind in ("stone-thrower", "cannon")} == {may}


def test_who_overlaps_the_front_beside_a_friend_still_fights_the_front() -> None:
    """Flank and Rear Charges, p. 20; Extra Ranks, p. 46: of two units at one front the ranks of one count."""
    ranks = {"files": 6, "count": 12}
    things = [block("A", 300, **ranks), block("B", 300, x=720, **ranks), block("E", 300, x=590), block("F", 300, x=700)]
    things[3] |= {"side": "blue"}
    things[3]["block"] |= {"facing_deg": 270}
    verdict = asked(things, "combat-bonuses", a=["A", "B"], b=["E", "F"], wounds_a=[0, 4], wounds_b=[6, 0])

    assert verdict.value["disrupted_by"] == []
    assert verdict.value["result"] == {"a": 5, "b": 7}
    assert {unit: test["lost_by"] for unit, test in verdict.value["break_tests"].items()} == {"A": 2}  # type: ignore[union-attr, index, call-overload]


def test_a_machine_has_no_flank_in_which_it_is_disrupted() -> None:
    """War Machines in Close Combat, p. 87."""
    foe = block("E", 75, x=575, count=20)
    foe["block"] |= {"facing_deg": 0}
    verdict = asked([lone("A", 600, 75, **MACHINE), foe], "combat-bonuses", a=["E"], b=["A"])

    assert verdict.value["disrupted_by"] == []


def test_a_machine_pursues_nobody_and_who_did_not_charge_does_not_overrun() -> None:
    """War Machines in Close Combat, p. 87; Overrun, p. 51."""
    things = [lone("A", 600, 275, **MACHINE), block("E", 300)]
    moved = block("A", 300, this_turn={"moved": ["advance"]})

    assert asked(things, "pursuit", winner="A", loser="E").value == {"may_pursue": False}
    assert asked([moved], "pursuit", winner="A", dice={"pursue": 6}).value == {"may_pursue": False}


def test_impact_hits_of_a_charge_that_nobody_told_say_what_is_missing() -> None:
    """Impact Hits, p. 61; Chariots, p. 72: D6 each."""
    chariot = {"type": "chariot", "size": (50, 100)}
    untold = asked([lone("A", 600, 250, **chariot), block("E", 300)], "impact-attacks", attacker="A")
    came = {"moved": ["charge"], "charged": "E"}
    told = asked([lone("A", 600, 250, this_turn=came, **chariot), block("E", 300)], "impact-attacks", attacker="A")

    assert (untold.status, untold.needs) == ("unknown", ("this_turn.charged of A",))
    assert told.value["hits"] == {"E": {"by": 1, "each": "1d6"}}


@pytest.mark.parametrize("seed", range(20))
def test_a_vortex_comes_to_rest_an_inch_beyond_whatever_it_would_lie_on(seed: int) -> None:
    """Spell Types, p. 29; The Purple Sun, p. 120: three times the die, in any direction."""
    state = ranked.drawn(seed)
    caster = ranked.regiments_of(state)[0]
    heading, far = 36.0 * seed, (6, 12, 18, 24, 30)[seed % 5]
    verdict = ask(state, parse_query({"kind": "vortex", "caster": caster, "diameter_in": 3, "heading_deg": heading,
                                      "distance_in": far}))  # fmt: skip
    x, y = verdict.value["poses"]["vortex"]["at_mm"]  # type: ignore[index, call-overload, misc]
    under = ask(state, parse_query({"kind": "template-hits", "at": [x, y], "diameter_in": 3})) if (
        0 <= x <= 1828.8 and 0 <= y <= 1219.2) else None  # fmt: skip

    assert under is None or members_struck(under) == []
