"""The pictures and worked examples of the Prime book that have geometry, laid out on a table under their names."""

from typing import Any

from models.state import TableState
from models.verdict import Verdict
from tests.referee.tables import answers, asked, box, mini, table


def sees(state: TableState, viewer: str, target: str) -> str | None:
    return asked(state, "los", viewer=viewer, target=target).answer


def wall(height_in: float) -> dict[str, Any]:
    return box("wall", "wall", 400, 100, 410, 500, height_mm=height_in * 25.4)


def test_within_and_completely_within() -> None:
    """Page 12: thrall A is outside, B and E are partly inside, C and D wholly."""
    places = {"A": 510, "B": 450, "C": 400, "D": 340, "E": 460}
    thralls = [mini(id_, x, 300 + 40 * k) for k, (id_, x) in enumerate(places.items())]
    area = {"id": "area", "kind": "area", "polygon_mm": [[200, 200], [460, 200], [460, 600], [200, 600]]}
    state = table(*thralls, effects=[area])
    found = {id_: asked(state, "in-area", who=id_, area="area") for id_ in places}

    def wholly(verdict: Verdict) -> Any:
        completely: Any = verdict.value["completely"]
        return completely["answer"]

    assert {id_: (v.answer, wholly(v)) for id_, v in found.items()} == {
        "A": ("no", "no"), "B": ("yes", "no"), "C": ("yes", "yes"), "D": ("yes", "yes"), "E": ("yes", "no"),
    }  # fmt: skip


def test_facing_and_directly_facing() -> None:
    """Page 21: the Crusader faces both, and looks straight at the Defender, who does not look straight back."""
    state = table(
        mini("Crusader", 300, 300, 0, mm=50), mini("Stryker", 400, 380, 200), mini("Defender", 480, 300, 140, mm=50)
    )
    front = {id_: asked(state, "in-front-arc", viewer="Crusader", target=id_).answer for id_ in ("Stryker", "Defender")}

    assert front == {"Stryker": "yes", "Defender": "yes"}
    assert asked(state, "directly-facing", viewer="Crusader", target="Defender").answer == "yes"
    assert asked(state, "directly-facing", viewer="Crusader", target="Stryker").answer == "no"
    assert asked(state, "in-front-arc", viewer="Defender", target="Crusader").answer == "yes"
    assert asked(state, "directly-facing", viewer="Defender", target="Crusader").answer == "no"


def test_model_special_rules_one_is_in_range_of_ones_own() -> None:
    """Page 16: Irusk may be the target of his own Battle Plans, and then he is in range."""
    irusk = mini("Irusk", 300, 300)

    assert asked(table(irusk), "range", attacker="Irusk", target="Irusk", range_in=5).answer == "yes"


def test_los_and_targeting() -> None:
    """Page 37: the Revenger hides Flameguard A and leaves a line to B and to Kreoss; nobody hides the Crusader."""
    state = table(
        mini("Butcher", 300, 300, 0, mm=40),
        mini("Revenger", 420, 300, mm=40),
        mini("FlameguardA", 520, 300),
        mini("FlameguardB", 520, 345),
        mini("Kreoss", 520, 238),
        mini("Crusader", 650, 300, mm=50),
    )

    seen = {id_: sees(state, "Butcher", id_) for id_ in ("FlameguardA", "FlameguardB", "Kreoss", "Crusader")}

    assert seen == {"FlameguardA": "no", "FlameguardB": "yes", "Kreoss": "yes", "Crusader": "yes"}


def test_los_and_terrain_the_vanquisher_and_the_stormblade() -> None:
    """Page 38: from a volume of 2.75 in there is a line over a wall to one of 1.75 in behind it, or there is none."""
    near, far = mini("Stormblade", 520, 300), mini("Stormblade", 435, 300)
    vanquisher = mini("Vanquisher", 200, 300, 0, mm=50)

    assert sees(table(vanquisher, near, terrain=[wall(2)]), "Vanquisher", "Stormblade") == "yes"
    assert sees(table(vanquisher, far, terrain=[wall(2.2)]), "Vanquisher", "Stormblade") == "no"


def test_los_and_terrain_the_four_walls() -> None:
    """Page 38: between equals a wall hides whoever is no taller than it."""
    hidden = {
        height: [mm for mm in (30, 40, 50, 120) if sees(_across(mm, height), "a", "b") == "no"]
        for height in (1.5, 2, 2.5, 3)
    }

    assert hidden == {1.5: [], 2: [30], 2.5: [30, 40], 3: [30, 40, 50]}


def _across(mm: float, height_in: float) -> TableState:
    """Two equal bases on either side of a wall."""
    return table(mini("a", 200, 300, 0, mm=mm), mini("b", 600, 300, 180, mm=mm), terrain=[wall(height_in)])


def test_los_and_terrain_the_sniper_and_the_guardian() -> None:
    """Page 38: a Sniper crouched behind a low wall sees and is seen; a high one hides a Guardian, banners or not."""
    low = table(mini("Sniper", 370, 300, 0), mini("Repenter", 600, 300, 180, mm=40), terrain=[wall(1.5)])
    high = table(mini("Trencher", 200, 300, 0), mini("Guardian", 450, 300, 180, mm=50), terrain=[wall(3)])

    assert (sees(low, "Sniper", "Repenter"), sees(low, "Repenter", "Sniper")) == ("yes", "yes")
    assert sees(high, "Trencher", "Guardian") == "no"


def _stormwall(*others: dict[str, Any]) -> TableState:
    guns = [{"name": f"Chain Cannon {side}", "rng_in": 13, "location": side} for side in ("left", "right")]
    return table(mini("Stormwall", 600, 600, 90, mm=120, type="warjack", side="c", profile={"ranged": guns}), *others)


def test_huge_based_model_fields_of_fire() -> None:
    """Page 39: the left cannon bears on the Flameguard, the right one on the Revenger, both on the Crusader."""
    state = _stormwall(
        mini("Flameguard", 520, 800), mini("Crusader", 610, 850, mm=50), mini("Revenger", 700, 800, mm=40)
    )

    def bears(side: str) -> set[str]:
        legal = {
            id_: asked(
                state, "target-legal", attacker="Stormwall", target=id_, attack="ranged", weapon=f"Chain Cannon {side}"
            )
            for id_ in ("Flameguard", "Crusader", "Revenger")
        }
        return {id_ for id_, verdict in legal.items() if verdict.answer == "yes"}

    assert bears("left") == {"Flameguard", "Crusader"}
    assert bears("right") == {"Revenger", "Crusader"}


def test_location_and_attacking_a_colossal() -> None:
    """Page 58: A to D on the left, the Destroyer on the right, the Butcher dead ahead, E behind."""
    state = _stormwall(
        mini("A", 420, 620), mini("B", 450, 700), mini("C", 500, 760), mini("D", 560, 780),
        mini("Destroyer", 700, 720, mm=50), mini("Butcher", 605, 800, mm=40), mini("E", 640, 480),
    )  # fmt: skip
    grids = {id_: asked(state, "damage-grid", target="Stormwall", origin=id_).value["grid"] for id_ in "ABCDE"}
    others = {id_: asked(state, "damage-grid", target="Stormwall", origin=id_).value["grid"]
              for id_ in ("Destroyer", "Butcher")}  # fmt: skip

    assert grids == {"A": "left", "B": "left", "C": "left", "D": "left", "E": "choose"}
    assert others == {"Destroyer": "right", "Butcher": "choose"}


def test_los_and_elevation() -> None:
    """Page 40: from the hill the Charger sees the Manhunter; the Berserker within an inch of Sorscha hides her."""
    state = table(
        mini("Charger", 200, 300, 0, mm=40),
        mini("Spriggan", 350, 300, mm=50),
        mini("Manhunter", 600, 300),
        mini("Sorscha", 500, 500),
        mini("Berserker", 454.2, 469.5, mm=50),
        terrain=[box("hill", "hill", 150, 250, 250, 350, height_mm=38)],
    )

    assert (sees(state, "Charger", "Manhunter"), sees(state, "Charger", "Sorscha")) == ("yes", "no")
    assert asked(state, "los", viewer="Charger", target="Sorscha").blockers == ("Berserker",)


def test_point_of_impact_example() -> None:
    """Page 53: B is hit directly; from the middle of its base the blast comes from ahead of A and from behind C."""
    pikes = [mini("A", 300, 330, 270), mini("B", 300, 300, 270), mini("C", 300, 270, 270), mini("gun", 300, 50, 90)]
    state = table(*pikes)

    def counts(target: str, **cause: Any) -> str | None:
        return asked(state, "damage-arc", target=target, **cause).answer

    assert counts("A", origin="B", cause="blast") == "yes"
    assert counts("B", attacker="gun") == "yes"
    assert counts("C", origin="B", cause="blast") == "no"


def test_point_of_origin_ashes_to_ashes_and_chain_lightning() -> None:
    """Page 40: who is struck after the target is struck from the target, or from whom the lightning leapt last."""
    state = table(mini("caster", 100, 300), mini("target", 300, 300), mini("third", 400, 300, 180))

    leapt = asked(state, "damage-arc", target="third", attacker="caster", origin="target", cause="chain")

    assert (leapt.answer, leapt.value["origin"]) == ("yes", "target")


def test_corpse_and_soul_tokens() -> None:
    """Page 60: the Wraith is nearer, but at its limit it is not eligible, and the Reclaimer claims the soul."""
    state = table(mini("Zealot", 300, 300), mini("Wraith", 350, 300), mini("Reclaimer", 300, 400, mm=40))

    def claims(**among: Any) -> set[str]:
        return {id_ for id_, word in answers(asked(state, "nearest", a="Zealot", **among)).items() if word == "yes"}

    assert claims() == {"Wraith"}
    assert claims(among=["Reclaimer"]) == {"Reclaimer"}


def test_making_a_back_strike() -> None:
    """Page 42: Mechanithrall A reaches a little into the Charger's front arc, B stands wholly behind."""
    state = table(mini("Charger", 300, 300, 90, mm=40), mini("A", 340, 290), mini("B", 330, 270))
    strikes = {id_: asked(state, "back-strike", attacker=id_, target="Charger").answer for id_ in "AB"}

    assert strikes == {"A": "no", "B": "yes"}


def test_melee_range_the_bokur() -> None:
    """Page 43: the Bokur reaches 2 in with its Polearm, and half an inch with its Shield."""
    arms = {"melee": [{"name": "Polearm", "reach_in": 2}, {"name": "Shield", "reach_in": 0.5}]}
    verdict = asked(
        table(mini("Bokur", 300, 300, profile=arms), mini("b", 360, 300)), "melee-range", attacker="Bokur", target="b"
    )
    weapons: Any = verdict.value["weapons"]

    assert verdict.answer == "yes"
    assert {w["name"]: w["answer"] for w in weapons} == {"Polearm": "yes", "Shield": "no"}


def test_melee_range_and_engaged_models() -> None:
    """Page 43: who reaches farther engages without being engaged; both are in melee."""
    state = table(mini("long", 300, 300, side="r", reach=2), mini("short", 370, 300, 180, side="b", reach=0.5))

    assert asked(state, "engaged", attacker="long", target="short").answer == "yes"
    assert asked(state, "engaged", attacker="short", target="long").answer == "no"
    assert {id_: asked(state, "in-melee", who=id_).answer for id_ in ("long", "short")} == {
        "long": "yes",
        "short": "yes",
    }


def test_free_strike_examples() -> None:
    """Page 44: it leaves reach but not sight, reach and sight, or sight but not reach; each draws a free strike."""
    templar = mini("Templar", 300, 300, 90, side="r", reach=2)
    pillar = box("pillar", "obstruction", 272, 328, 330, 340, height_mm=300)

    def lost(*path: list[float], **more: Any) -> Any:
        state = table(templar, mini("Mechanithrall", *path[0], 270, side="b"), **more)
        by_id: Any = asked(state, "free-strike", mover="Mechanithrall", path_mm=list(path)).value["by_id"]
        return by_id["Templar"]["lost"]

    assert lost([300, 350], [300, 500]) == "reach"
    assert lost([340, 320], [340, 260]) == "reach"
    assert lost([355, 330], [307, 362], terrain=[pillar]) == "sight"


def test_concealment_and_cover_in_action() -> None:
    """Page 50: the wood conceals the Juggernaut, crates cover A and B, not C; the Butcher is not seen."""
    crates = box("crates", "obstruction", 500, 250, 510, 400, height_mm=20)
    wood = box("wood", "forest", 300, 600, 420, 760)
    state = table(
        mini("Defender", 300, 300, 45, mm=50), mini("A", 530, 280), mini("B", 530, 360), mini("C", 560, 320),
        mini("Juggernaut", 360, 650, mm=50), mini("Butcher", 380, 850, mm=40), terrain=[crates, wood],
    )  # fmt: skip
    kinds = {id_: asked(state, "cover", attacker="Defender", target=id_).value["kind"] for id_ in ("A", "B", "C")}

    assert kinds == {"A": "cover", "B": "cover", "C": "none"}
    assert asked(state, "cover", attacker="Defender", target="Juggernaut").value["kind"] == "concealment"
    assert (sees(state, "Defender", "Juggernaut"), sees(state, "Defender", "Butcher")) == ("yes", "no")


def _combat() -> TableState:
    """Page 51: Stryker fights Deneghra and a Deathripper; a Defender has come to fight Deneghra; a Charger shoots."""
    return table(
        mini("Stryker", 400, 400, 0, side="c", reach=0.5),
        mini("Deathripper", 440, 400, 180, side="x", reach=0.5),
        mini("Deneghra", 400, 440, 270, side="x", reach=2, abilities=["stealth"]),
        mini("Defender", 350, 472, 0, mm=50, side="c", reach=0.5),
        mini("Charger", 620, 360, 180, mm=40, side="c", gun=12),
    )


def test_targeting_into_melee_example() -> None:
    state = _combat()
    drawn = answers(asked(state, "in-melee-group", attacker="Charger", target="Deathripper"))

    assert drawn == {"Stryker": "yes", "Deneghra": "yes", "Defender": "no"}
    assert asked(state, "stealth", attacker="Charger", target="Deneghra").answer == "yes"
    assert asked(state, "back-strike", attacker="Charger", target="Stryker").answer == "no"
    assert asked(state, "in-melee-penalty", attacker="Charger", target="Deathripper").value["bonus"] == 4


def test_targeting_a_model_in_melee_example_one() -> None:
    """Page 51: of three others each has two faces of a die; round the corner of a building one is left out."""
    foes = [mini(f"f{k}", x, y, turn, side="b", reach=0.5) for k, (x, y, turn) in enumerate(
        ((365, 400, 0), (435, 400, 180), (400, 435, 270)))]  # fmt: skip
    crowd = [mini("t", 400, 400, 0, side="r", reach=0.5), mini("a", 400, 100, 90, side="r", gun=20), *foes]
    corner = box("house", "building", 404, 200, 480, 380, height_mm=200)
    bands: Any = asked(table(*crowd), "in-melee-group", attacker="a", target="t").value["bands"]
    fewer: Any = asked(table(*crowd, terrain=[corner]), "in-melee-group", attacker="a", target="t").value["bands"]

    assert bands == {"f0": [1, 2], "f1": [3, 4], "f2": [5, 6]}
    assert fewer == {"f0": [1, 2, 3], "f2": [4, 5, 6]}


def test_targeting_a_model_in_melee_example_two() -> None:
    """Page 51: the Decimator aims at a Revenger that the Butcher fights: +2 and -4; a miss goes to the Butcher."""
    turn = {"start": {"at_mm": [100, 300], "facing_deg": 0}}
    state = table(
        mini("Decimator", 100, 300, 0, mm=50, side="k", gun=12, this_turn=turn),
        mini("Revenger", 400, 300, 180, mm=40, side="p", reach=0.5),
        mini("Butcher", 440, 300, 180, mm=40, side="k", reach=1),
    )
    summed = asked(state, "attack-modifiers", attacker="Decimator", target="Revenger", attack="ranged")
    modifiers: Any = summed.value["modifiers"]

    assert {m["name"]: m["bonus"] for m in modifiers} == {"aim": 2, "target-in-melee": 4}
    assert summed.value["total"] == -2
    assert answers(asked(state, "in-melee-group", attacker="Decimator", target="Revenger")) == {"Butcher": "yes"}


def test_a_stationary_model_behind_cover() -> None:
    """Page 15: base DEF 5 and 4 for cover make 9."""
    state = table(
        mini("a", 100, 300, 0), mini("t", 400, 300, 180, status=["stationary"], profile={"defence": 14}),
        terrain=[box("w", "wall", 370, 200, 375, 400, height_mm=25)],
    )  # fmt: skip
    summed = asked(state, "attack-modifiers", attacker="a", target="t", attack="ranged")
    base: Any = summed.value["base_defence"]

    assert (base, summed.value["total"]) == (5.0, -4)


def test_example_of_a_cloud_effect() -> None:
    """Page 60: the Charger sees A and C, who stand in the cloud, and not B behind it; only C is wholly inside."""
    cloud = {"id": "cloud", "kind": "cloud", "centre_mm": [400, 300], "diameter_mm": 127}
    state = table(
        mini("Charger", 100, 300, 0, mm=40), mini("A", 400, 360), mini("B", 520, 300), mini("C", 400, 290),
        effects=[cloud],
    )  # fmt: skip
    kinds = {id_: asked(state, "cover", attacker="Charger", target=id_).value["kind"] for id_ in "AC"}

    assert {id_: sees(state, "Charger", id_) for id_ in "ABC"} == {"A": "yes", "B": "no", "C": "yes"}
    assert kinds == {"A": "none", "C": "concealment"}


def test_combined_melee_attacks() -> None:
    """Page 65: four of the Flameguard strike at a Defender together: 4 to attack and damage."""
    spear = {"melee": [{"name": "Spear", "reach_in": 2}], "abilities": ["combined-melee-attack"], "cmd_in": 10}
    guards = [mini(f"g{k}", 310, 240 + 40 * k, 0, side="p", unit="u", profile=spear) for k in range(4)]
    state = table(*guards, mini("Defender", 370, 300, 180, mm=50, side="c"), units=[{"id": "u", "commander": "g0"}])

    verdict = asked(state, "combined-melee", participants=["g1", "g2", "g3"], primary="g0", target="Defender")

    assert verdict.value["bonus"] == 4


def test_combined_ranged_attacks() -> None:
    """Page 65: one of four Long Gunners is more than 5 in from Deneghra, and only three count."""
    rifle = {"ranged": [{"name": "Rifle", "rng_in": 14}], "abilities": ["combined-ranged-attack"], "cmd_in": 12}
    places = ((300, 300), (300, 340), (300, 380), (200, 260))
    gunners = [mini(f"g{k}", x, y, 0, side="c", unit="u", profile=rifle) for k, (x, y) in enumerate(places)]
    deneghra = mini("Deneghra", 420, 340, 180, side="x", abilities=["stealth"])
    state = table(*gunners, deneghra, units=[{"id": "u", "commander": "g0"}])

    verdict = asked(state, "combined-ranged", participants=["g1", "g2", "g3"], primary="g0", target="Deneghra")
    by_id: Any = verdict.value["by_id"]

    assert (verdict.value["bonus"], by_id["g3"]) == (3, {"part": "may-not", "why": "stealth"})


def test_control_range_and_channeling() -> None:
    """Page 73: through the Revenger Kreoss reaches Deathripper B; A, whom he sees himself, is behind the Revenger."""
    state = table(
        mini("Kreoss", 200, 300, 0, side="p", profile={"control_stat": 7}),
        mini("Revenger", 400, 300, 0, mm=40, side="p", controller="Kreoss", abilities=["arc-node"]),
        mini("DeathripperA", 340, 400, 180, side="x"),
        mini("DeathripperB", 520, 330, 180, side="x"),
    )

    def cast(target: str, **origin: Any) -> str | None:
        return asked(state, "spell-target", caster="Kreoss", target=target, range_in=10, **origin).answer

    assert cast("DeathripperB", origin="Revenger") == "yes"
    assert cast("DeathripperA", origin="Revenger") == "no"
    assert sees(state, "Kreoss", "DeathripperA") == "yes"


def test_trenches() -> None:
    """Page 80: A, B and C are wholly inside the joined templates, D and E are not."""
    ditches = [box("one", "trench", 300, 300, 427, 376.2), box("two", "trench", 427, 300, 554, 376.2)]
    places = {"A": (340, 340), "B": (427, 340), "C": (500, 330), "D": (300, 340), "E": (460, 380)}
    state = table(*(mini(id_, x, y) for id_, (x, y) in places.items()), terrain=ditches)

    sheltered = {id_: asked(state, "trench", target=id_).answer for id_ in places}

    assert sheltered == {"A": "yes", "B": "yes", "C": "yes", "D": "no", "E": "no"}
