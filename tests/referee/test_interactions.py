"""Where one rule meets another: who is down, unseen, in the air, in water, huge, in a trench or out of formation.

Each line asks one question of one table; margins stand where they follow from the places in a line.
"""

# fmt: off
# ruff: noqa: E501 - one line for each meeting of rules, so that they read as a table

from collections.abc import Iterator
from typing import Any

import pytest

from models.parsing import parse_query
from models.state import TableState
from referee import ask
from tests.referee.tables import box, mini, table
from tests.referee.test_cases import difference

Line = tuple[str, TableState, dict[str, Any], dict[str, Any]]

LOS = {"kind": "los", "viewer": "a", "target": "t"}
BETWEEN = {"kind": "intervening", "viewer": "a", "target": "t", "blocker": "b"}
NO, YES = {"answer": "no"}, {"answer": "yes"}


def sight(b: dict[str, Any] | None = None, *, a: dict[str, Any] | None = None, t: dict[str, Any] | None = None,
          **more: Any) -> TableState:  # fmt: skip
    """Red a at 100, 300 looks at blue t at 400, 300; b of 50 mm stands between, unless told otherwise."""
    viewer, target = at("a", 100, side="red", **(a or {})), at("t", 400, facing_deg=180, side="blue", **(t or {}))
    return table(viewer, target, at("b", 250, **({"mm": 50} | (b or {}))), **more)


def at(id_: str, x: float, **told: Any) -> dict[str, Any]:
    """A miniature at x, 300, unless it is told to stand or look elsewhere."""
    x, y = told.pop("at_mm", (x, 300))
    return mini(id_, x, y, told.pop("facing_deg", 0.0), **told)


def open_sight(*, a: dict[str, Any] | None = None, t: dict[str, Any] | None = None, **more: Any) -> TableState:
    """The same without anybody between."""
    whole = sight(a=a, t=t, **more)
    return whole.with_miniatures(tuple(m for m in whole.miniatures if m.id != "b"))


def fight(gap: float = 5, *, a: dict[str, Any] | None = None, b: dict[str, Any] | None = None, **more: Any) -> TableState:
    """Red a looks along +x at blue b, 5 mm off, who looks back; both reach half an inch and have guns."""
    mine, theirs = ({"reach": 0.5, "gun": 8, **(one or {})} for one in (a, b))
    radius = theirs.get("mm", 30) / 2
    return table(
        at("a", 300, **({"side": "red"} | mine)),
        at("b", 315 + gap + radius, **({"side": "blue", "facing_deg": 180} | theirs)),
        *more.pop("others", []),
        **more,
    )


def clauses(**answers: str) -> dict[str, Any]:
    return {"value": {"clauses": [{"clause": name.replace("_", "-"), "answer": word} for name, word in answers.items()]}}


def knocked_down() -> Iterator[Line]:
    down: dict[str, Any] = {"status": ["knocked-down"]}
    shooter = mini("s", 330, 600, 270, side="red", gun=20)
    yield "is looked past", sight(down), LOS, {"answer": "yes", "value": {"ignored": [{"id": "b", "why": "knocked-down"}]}}
    yield "does not intervene", sight(down), BETWEEN, {"value": {"counts": False, "why": "knocked-down"}}
    yield "reaches nobody", fight(a=down), {"kind": "melee-range", "attacker": "a", "target": "b"}, NO
    yield "can be reached", fight(b=down), {"kind": "melee-range", "attacker": "a", "target": "b"}, {"margin_mm": 7.7}
    yield "engages nobody", fight(a=down), {"kind": "engaged", "attacker": "a", "target": "b"}, NO
    yield "is engaged by nobody", fight(b=down), {"kind": "engaged", "attacker": "a", "target": "b"}, NO
    yield "is in no melee", fight(a=down), {"kind": "in-melee", "who": "a"}, NO
    yield "holds nobody in melee", fight(b=down), {"kind": "may-shoot", "attacker": "a"}, YES
    yield "lets one aim beside it", fight(a={"this_turn": {"start": {"at_mm": [300, 300], "facing_deg": 0}}}, b=down), {"kind": "aim", "who": "a"}, YES
    yield "gains nothing from a melee", fight(b=down, others=[shooter]), {"kind": "in-melee-penalty", "attacker": "s", "target": "b"}, NO
    yield "is not drawn", fight(b=down, others=[shooter]), {"kind": "in-melee-group", "attacker": "s", "target": "a"}, {"members": [{"id": "b", "answer": "no"}]}
    yield "does not shoot", fight(60, a=down), {"kind": "may-shoot", "attacker": "a"}, {"answer": "no", "value": {"reasons": ["knocked-down"]}}
    yield "strikes nobody", fight(a=down), {"kind": "target-legal", "attacker": "a", "target": "b", "attack": "melee"}, NO | clauses(able="no", sight="yes")
    yield "casts nothing", fight(a=down), {"kind": "spell-target", "caster": "a", "target": "b", "range_in": 8}, NO | clauses(able="no", range="yes")
    yield "makes no free strike", fight(a=down), {"kind": "free-strike", "mover": "b", "path_mm": [[335, 300], [600, 300]]}, NO
    yield "is hit by itself in melee", fight(b=down), {"kind": "attack-modifiers", "attacker": "a", "target": "b", "attack": "melee"}, {"value": {"hits_automatically": True, "base_defence": 5.0}}
    yield "is not hit by itself from afar", fight(b=down), {"kind": "attack-modifiers", "attacker": "a", "target": "b", "attack": "ranged"}, {"value": {"hits_automatically": False, "base_defence": 5.0}}
    yield "still has cover", open_sight(t=down, terrain=[box("w", "wall", 370, 200, 375, 400, height_mm=25)]), {"kind": "cover", "attacker": "a", "target": "t"}, {"answer": "yes", "margin_mm": 15.4}
    yield "still fills its place", fight(-1, b=down), {"kind": "bases-clear"}, {"answer": "no", "margin_mm": -1.0}


def stationary() -> Iterator[Line]:
    still: dict[str, Any] = {"status": ["stationary"]}
    yield "still blocks sight", sight(still), LOS, {"answer": "no", "margin_mm": -10.0}
    yield "still intervenes", sight(still), BETWEEN, {"value": {"counts": True}}
    yield "is in no melee", fight(b=still), {"kind": "in-melee", "who": "b"}, NO
    yield "makes no free strike", fight(a=still), {"kind": "free-strike", "mover": "b", "path_mm": [[335, 300], [600, 300]]}, NO
    yield "is hit by itself in melee", fight(b=still), {"kind": "attack-modifiers", "attacker": "a", "target": "b", "attack": "melee"}, {"value": {"hits_automatically": True, "base_defence": 5.0}}
    yield "still has a back", fight(b=still | {"facing_deg": 0}), {"kind": "back-strike", "attacker": "a", "target": "b"}, YES
    yield "still sees", open_sight(a=still), LOS, YES
    unseen = {"status": ["stationary"], "abilities": ["stealth"]}
    yield "with Stealth: the miss outweighs the hit", open_sight(t=unseen), {"kind": "attack-modifiers", "attacker": "a", "target": "t", "attack": "ranged"}, {"value": {"misses_automatically": True}}


def inert() -> Iterator[Line]:
    dead: dict[str, Any] = {"status": ["inert"], "type": "warjack"}
    yield "still blocks sight", sight(dead), LOS, {"answer": "no", "margin_mm": -10.0}
    yield "sees nothing", open_sight(a=dead), LOS, {"answer": "no", "value": {"decided_by": "arc"}}
    yield "has nobody in front", fight(a=dead), {"kind": "in-front-arc", "viewer": "a", "target": "b"}, NO
    yield "has nobody behind", fight(a=dead), {"kind": "in-back-arc", "viewer": "a", "target": "b"}, NO
    yield "has no arcs", fight(a=dead), {"kind": "arc", "viewer": "a", "target": "b"}, {"value": {"arc": "none"}}
    yield "looks at nobody", fight(a=dead), {"kind": "directly-facing", "viewer": "a", "target": "b"}, NO
    yield "has no back to strike", fight(b=dead | {"facing_deg": 0}), {"kind": "back-strike", "attacker": "a", "target": "b"}, NO
    yield "has no shield", fight(b=dead), {"kind": "damage-arc", "target": "b", "attacker": "a"}, {"answer": "no", "value": {"arc": "none"}}
    yield "is in no melee", fight(b=dead), {"kind": "in-melee", "who": "a"}, NO
    yield "may be attacked", fight(b=dead), {"kind": "target-legal", "attacker": "a", "target": "b", "attack": "melee"}, YES
    yield "has no fields", fight(a=dead | {"mm": 120}), {"kind": "field-of-fire", "attacker": "a", "target": "b", "location": "left"}, NO


def incorporeal() -> Iterator[Line]:
    ghost: dict[str, Any] = {"abilities": ["incorporeal"]}
    solid = ghost | {"status": ["solid"]}
    leave = {"kind": "free-strike", "mover": "b", "path_mm": [[335, 300], [600, 300]]}
    yield "is looked past", sight(ghost), LOS, {"answer": "yes", "value": {"ignored": [{"id": "b", "why": "incorporeal"}]}}
    yield "is in the way once solid", sight(solid), LOS, {"answer": "no", "margin_mm": -10.0}
    yield "makes no free strike", fight(a=ghost), leave, NO
    yield "makes them once solid", fight(a=solid), leave, YES
    yield "is struck at as it goes", fight(b=ghost), leave, YES
    yield "engages as others do", fight(a=ghost), {"kind": "engaged", "attacker": "a", "target": "b"}, {"margin_mm": 7.7}
    yield "a colossal never is", sight(ghost | {"mm": 120, "type": "warjack"}), BETWEEN, {"value": {"counts": True}}


def stealth() -> Iterator[Line]:
    unseen: dict[str, Any] = {"abilities": ["stealth"], "mm": 50}
    shot = {"kind": "attack-modifiers", "attacker": "a", "target": "t", "attack": "ranged"}
    yield "farther than 5 in is looked past", sight(unseen | {"at_mm": [270, 300]}), LOS, {"value": {"ignored": [{"id": "b", "why": "stealth"}]}}
    yield "at exactly 5 in is in the way", sight(unseen | {"at_mm": [267, 300]}), LOS, {"answer": "no", "margin_mm": -10.0}
    yield "makes far shots miss", open_sight(t=unseen), shot, {"value": {"misses_automatically": True}}
    yield "does nothing to sprays", open_sight(t=unseen), shot | {"shape": "spray"}, {"value": {"misses_automatically": False}}
    yield "does nothing to blows", open_sight(t=unseen), shot | {"attack": "melee"}, {"value": {"misses_automatically": False}}
    yield "does not keep one from being a target", open_sight(t=unseen), {"kind": "target-legal", "attacker": "a", "target": "t", "attack": "magic"}, YES
    yield "is measured from the channeler", sight({"mm": 30, "at_mm": [300, 300]}, t=unseen), {"kind": "stealth", "attacker": "a", "target": "t", "origin": "b"}, {"answer": "no", "margin_mm": -67.0}
    yield "a colossal never has it", open_sight(t=unseen | {"mm": 120, "type": "warjack"}), {"kind": "stealth", "attacker": "a", "target": "t"}, NO
    yield "a battle engine may", open_sight(t=unseen | {"mm": 120, "type": "battle-engine"}), {"kind": "stealth", "attacker": "a", "target": "t"}, {"answer": "yes", "margin_mm": 98.0}


def eyeless_sight() -> Iterator[Line]:
    keen: dict[str, Any] = {"abilities": ["eyeless-sight"]}
    fog = [{"id": "c", "kind": "fog", "centre_mm": [250, 300], "diameter_mm": 101.6}]
    inside = [{"id": "c", "kind": "cloud", "centre_mm": [400, 300], "diameter_mm": 101.6}]
    hedge = box("w", "hedge", 370, 200, 375, 400, height_mm=25)
    covered = {"kind": "cover", "attacker": "a", "target": "t"}
    yield "sees through clouds", open_sight(a=keen, effects=fog), LOS, {"value": {"ignored": [{"id": "c", "why": "eyeless-sight"}]}}
    yield "sees through burning earth", open_sight(a=keen, terrain=[box("f", "burning-earth", 200, 200, 300, 400)]), LOS, YES
    yield "does not see through woods", open_sight(a=keen, terrain=[box("f", "forest", 200, 100, 300, 500)]), LOS, NO
    yield "knows no concealment by hedges", open_sight(a=keen, terrain=[hedge]), covered, {"answer": "no", "value": {"kind": "none"}}
    yield "knows no concealment by clouds", open_sight(a=keen, effects=inside), covered, {"value": {"kind": "none"}}
    yield "knows cover", open_sight(a=keen, terrain=[hedge | {"kind": "wall"}]), covered, {"value": {"kind": "cover"}}
    yield "hits Stealth from afar", open_sight(a=keen, t={"abilities": ["stealth"]}), {"kind": "stealth", "attacker": "a", "target": "t"}, NO
    yield "looks past far Stealth as all do", sight({"abilities": ["stealth"], "at_mm": [300, 300]}, a=keen), LOS, YES


def flight() -> Iterator[Line]:
    wings: dict[str, Any] = {"abilities": ["flight"]}
    charge = LOS | {"purpose": "charge"}
    yield "looks past models for a charge", sight(a=wings), charge, {"answer": "yes", "value": {"ignored": [{"id": "b", "why": "flight"}]}}
    yield "does not for a shot", sight(a=wings), LOS | {"purpose": "shot"}, {"answer": "no", "margin_mm": -10.0}
    yield "does not without wings", sight(), charge, {"answer": "no", "margin_mm": -10.0}
    yield "is stopped by a wall", open_sight(a=wings, terrain=[box("w", "wall", 240, 100, 260, 500, height_mm=60)]), charge, NO
    yield "is stopped by a cloud", open_sight(a=wings, effects=[{"id": "c", "kind": "cloud", "centre_mm": [250, 300], "diameter_mm": 101.6}]), charge, NO
    yield "gains nothing in a wood", open_sight(t=wings, terrain=[box("f", "forest", 330, 200, 500, 400)]), {"kind": "cover", "attacker": "a", "target": "t"}, {"value": {"kind": "concealment"}}


def amphibious() -> Iterator[Line]:
    fish: dict[str, Any] = {"abilities": ["amphibious"], "mm": 50}
    pond, acid = (box("p", kind, 220, 200, 300, 400) for kind in ("shallow-water", "acid-bath"))
    shore = box("p", "shallow-water", 230, 200, 300, 400)
    yield "wholly in shallow water is looked past", sight(fish, terrain=[pond]), LOS, {"value": {"ignored": [{"id": "b", "why": "amphibious"}]}}
    yield "an acid bath is shallow water", sight(fish, terrain=[acid]), LOS, YES
    yield "partly in it is in the way", sight(fish, terrain=[shore]), LOS, {"answer": "no", "margin_mm": -10.0}
    yield "others in water are in the way", sight(terrain=[pond]), LOS, {"answer": "no", "margin_mm": -10.0}
    yield "is concealed in it", sight(fish, terrain=[pond]), {"kind": "cover", "attacker": "a", "target": "b"}, {"answer": "yes", "margin_mm": 5.0, "value": {"kind": "concealment"}}
    yield "others are not", sight(terrain=[pond]), {"kind": "cover", "attacker": "a", "target": "b"}, NO


def huge_bases() -> Iterator[Line]:
    huge: dict[str, Any] = {"mm": 120, "type": "warjack"}
    engine = huge | {"type": "battle-engine"}
    shooter = mini("s", 380, 700, 270, side="red", gun=20)
    wall = box("w", "wall", 320, 200, 325, 400, height_mm=25)
    yield "has no cover", open_sight(t=huge, terrain=[wall]), {"kind": "cover", "attacker": "a", "target": "t"}, {"value": {"kind": "none", "bonus": 0}}
    yield "has no concealment", open_sight(t=huge, terrain=[box("f", "forest", 300, 200, 500, 400)]), {"kind": "cover", "attacker": "a", "target": "t"}, NO
    yield "gains nothing from a hill", open_sight(t=huge, terrain=[box("h", "hill", 300, 200, 500, 400, height_mm=50)]), {"kind": "elevation-bonus", "attacker": "a", "target": "t"}, NO
    yield "gains nothing from its melee", fight(b=huge, others=[shooter]), {"kind": "in-melee-penalty", "attacker": "s", "target": "b"}, {"answer": "no", "value": {"waived_by": "huge-base"}}
    yield "is missed altogether", fight(b=huge, others=[shooter]), {"kind": "in-melee-group", "attacker": "s", "target": "b"}, {"members": []}
    yield "a wall still helps it in melee", open_sight(t=huge | {"at_mm": [200, 300]}, terrain=[box("w", "wall", 120, 200, 125, 400, height_mm=25)]), {"kind": "melee-terrain-bonus", "attacker": "a", "target": "t"}, {"value": {"bonus": 2}}
    yield "a colossal shoots in melee", fight(a=huge), {"kind": "may-shoot", "attacker": "a"}, YES
    yield "a gargantuan shoots in melee", fight(a=huge | {"type": "warbeast"}), {"kind": "may-shoot", "attacker": "a"}, YES
    yield "a battle engine does not", fight(60 - 55, a=engine | {"at_mm": [255, 300]}), {"kind": "may-shoot", "attacker": "a"}, NO
    yield "only a colossal has grids", fight(b=huge | {"type": "warbeast"}), {"kind": "damage-grid", "target": "b", "origin": "a"}, {"status": "refused"}
    yield "only a colossal sweeps", fight(a=engine), {"kind": "sweep", "attacker": "a", "weapon": "Blade", "location": "left"}, {"status": "refused"}
    yield "is hidden by huge bases only", sight(huge | {"mm": 50}, t={"mm": 120, "at_mm": [700, 300]}), LOS, {"answer": "yes", "value": {"ignored": [{"id": "b", "why": "smaller"}]}}


def trenches() -> Iterator[Line]:
    ditch = box("d", "trench", 360, 240, 487, 360)
    second = box("e", "trench", 233, 240, 360, 360)
    straddler: dict[str, Any] = {"at_mm": [360, 300]}
    trench = {"kind": "trench", "target": "t", "attacker": "a"}
    yield "two joined ones hold a base between them", open_sight(t=straddler, terrain=[ditch, second]), trench, {"answer": "yes", "value": {"cover": True}}
    yield "one alone does not", open_sight(t=straddler, terrain=[ditch]), trench, {"answer": "no", "margin_mm": -15.0}
    yield "cover counts as cover", open_sight(terrain=[ditch]), {"kind": "cover", "attacker": "a", "target": "t"}, {"value": {"kind": "cover", "bonus": 4}}
    yield "not against who touches it", open_sight(a={"at_mm": [346, 300]}, terrain=[ditch]), {"kind": "cover", "attacker": "a", "target": "t"}, {"value": {"kind": "none"}}
    yield "nor against who touches its neighbour", open_sight(a={"at_mm": [220, 300]}, t=straddler, terrain=[ditch, second]), trench, {"answer": "no", "margin_mm": -2.0}
    yield "does nothing to a spray", open_sight(terrain=[ditch]), {"kind": "cover", "attacker": "a", "target": "t", "shape": "spray"}, NO
    yield "does not hide who is in it", open_sight(terrain=[ditch]), LOS, YES
    yield "a blast from its neighbour that the base touches", open_sight(t=straddler, terrain=[ditch, second]), {"kind": "trench", "target": "t", "origin": [250, 300]}, {"value": {"blast_immune": False}}


def clouds() -> Iterator[Line]:
    def cloud(id_: str, x: float, mm: float = 101.6) -> dict[str, Any]:
        return {"id": id_, "kind": "cloud", "centre_mm": [x, 300], "diameter_mm": mm}

    yield "let one look out", open_sight(effects=[cloud("c", 120)]), LOS, {"value": {"ignored": [{"id": "c", "why": "viewer-inside"}]}}
    yield "let one look in, by any part of the base", open_sight(effects=[cloud("c", 335)]), LOS, {"value": {"ignored": [{"id": "c", "why": "target-inside"}]}}
    yield "touching is within", open_sight(effects=[cloud("c", 334.2)]), LOS, YES
    yield "each is judged alone", open_sight(effects=[cloud("c", 120), cloud("d", 250)]), LOS, {"answer": "no", "blockers": ["d"]}
    yield "conceal from blows nobody", fight(effects=[cloud("c", 320)]), {"kind": "attack-modifiers", "attacker": "a", "target": "b", "attack": "melee"}, {"value": {"total": 0}}
    yield "conceal but do not add to cover", open_sight(effects=[cloud("c", 400)], terrain=[box("w", "wall", 370, 200, 375, 400, height_mm=25)]), {"kind": "cover", "attacker": "a", "target": "t"}, {"value": {"kind": "cover", "bonus": 4}}
    yield "carried by a model hide nobody from it", open_sight(effects=[{"id": "c", "kind": "cloud", "on": "a", "radius_in": 3}]), LOS, YES


def forests() -> Iterator[Line]:
    thin = box("f", "forest", 240, 100, 260, 500)
    rim = box("g", "forest", 340, 200, 500, 400)
    yield "are never seen through from outside, thin as they are", open_sight(terrain=[thin]), LOS, {"answer": "no"}
    yield "let one look 3 in out", open_sight(terrain=[box("f", "forest", 0, 200, 185, 400)]), LOS, {"value": {"forest_mm": 70.0}}
    yield "between, with the target in another", open_sight(terrain=[thin, rim]), LOS, NO
    yield "hide nobody huge", open_sight(t={"mm": 120, "at_mm": [700, 300]}, terrain=[thin]), LOS, {"answer": "yes", "value": {"ignored": [{"id": "f", "why": "huge-target"}]}}
    yield "conceal from no blow", fight(terrain=[box("f", "forest", 200, 200, 500, 400)]), {"kind": "attack-modifiers", "attacker": "a", "target": "b", "attack": "melee"}, {"value": {"total": 0}}
    yield "are no wall in melee", fight(terrain=[box("f", "forest", 200, 200, 500, 400)]), {"kind": "melee-terrain-bonus", "attacker": "a", "target": "b"}, NO


def elevation() -> Iterator[Line]:
    def hill(id_: str, left: float, right: float, height: float = 50.8) -> dict[str, Any]:
        return box(id_, "hill", left, 200, right, 400, height_mm=height)

    low: dict[str, Any] = {"at_mm": [250, 300]}
    rise = {"kind": "elevation-bonus", "attacker": "a", "target": "t"}
    yield "looking up, lower bases are looked past", sight(low, terrain=[hill("h", 370, 430)]), LOS, {"value": {"ignored": [{"id": "b", "why": "lower"}]}}
    yield "looking up, equal ones are not", sight({"at_mm": [340, 300]}, terrain=[hill("h", 300, 430)]), LOS, {"answer": "no", "margin_mm": -10.0}
    yield "a tall hill hides what is behind", open_sight(terrain=[hill("h", 200, 300)]), LOS, {"answer": "no", "value": {"decided_by": "height"}}
    yield "equal hills earn nothing", open_sight(terrain=[hill("h", 50, 150), hill("i", 350, 450)]), rise, NO
    yield "the higher of two hills earns it", open_sight(terrain=[hill("h", 50, 150), hill("i", 350, 450, 76.2)]), rise, {"answer": "yes", "margin_mm": 25.4}
    yield "agreed levels come before heights", open_sight(terrain=[hill("h", 50, 150), hill("i", 350, 450, 76.2) | {"level": 2}]), rise, NO
    yield "a spray does not switch it off", open_sight(terrain=[hill("i", 350, 450)]), {"kind": "attack-modifiers", "attacker": "a", "target": "t", "attack": "ranged", "shape": "spray"}, {"value": {"total": -2}}
    yield "earns nothing in melee", open_sight(terrain=[hill("i", 350, 450)]), rise | {"attack": "melee"}, NO
    yield "those on a terrace have no cover from it", open_sight(terrain=[box("p", "terraced-obstruction", 350, 200, 450, 400, height_mm=40)]), {"kind": "cover", "attacker": "a", "target": "t"}, NO


def out_of_formation() -> Iterator[Line]:
    lost: dict[str, Any] = {"status": ["out-of-formation"]}
    for attack in ("melee", "magic"):
        yield f"no {attack} attack", fight(a=lost), {"kind": "target-legal", "attacker": "a", "target": "b", "attack": attack}, NO | clauses(formation="no")
    yield "no shot", fight(60, a=lost), {"kind": "may-shoot", "attacker": "a"}, {"value": {"reasons": ["out-of-formation"]}}
    yield "no free strike", fight(a=lost), {"kind": "free-strike", "mover": "b", "path_mm": [[335, 300], [600, 300]]}, NO
    yield "still engages", fight(a=lost), {"kind": "engaged", "attacker": "a", "target": "b"}, {"margin_mm": 7.7}
    yield "still blocks sight", sight(lost), LOS, {"answer": "no", "margin_mm": -10.0}
    yield "no friend's spell", fight(60, b=lost | {"side": "red"}), {"kind": "spell-target", "caster": "a", "target": "b", "range_in": 8}, NO | clauses(formation="no")
    yield "an enemy's spell", fight(60, b=lost), {"kind": "spell-target", "caster": "a", "target": "b", "range_in": 8}, YES


def wild_and_broken() -> Iterator[Line]:
    wild: dict[str, Any] = {"status": ["wild"], "type": "warbeast"}
    yield "a wild one attacks nobody", fight(a=wild), {"kind": "target-legal", "attacker": "a", "target": "b", "attack": "melee"}, NO | clauses(able="no")
    yield "a wild one has no shield", fight(b=wild), {"kind": "damage-arc", "target": "b", "attacker": "a"}, NO
    yield "a wild one still engages", fight(a=wild), {"kind": "engaged", "attacker": "a", "target": "b"}, YES
    yield "broken movement halves nothing but DEF", fight(b={"status": ["crippled-movement"]}), {"kind": "attack-modifiers", "attacker": "a", "target": "b", "attack": "melee"}, {"value": {"base_defence": 5.0, "hits_automatically": False}}
    yield "Parry keeps free strikes off", fight(b={"abilities": ["parry"]}), {"kind": "free-strike", "mover": "b", "path_mm": [[335, 300], [600, 300]]}, NO
    yield "a back strike is none in a free strike", fight(b={"facing_deg": 0}), {"kind": "attack-modifiers", "attacker": "a", "target": "b", "attack": "melee", "reaction": "free-strike"}, {"value": {"total": 2}}
    yield "pathfinders are concealed by woods", open_sight(t={"abilities": ["pathfinder"]}, terrain=[box("f", "forest", 340, 200, 500, 400)]), {"kind": "cover", "attacker": "a", "target": "t"}, {"value": {"kind": "concealment"}}


GROUPS = (knocked_down, stationary, inert, incorporeal, stealth, eyeless_sight, flight, amphibious, huge_bases, trenches,
          clouds, forests, elevation, out_of_formation, wild_and_broken)  # fmt: skip
LINES = [pytest.param(*line[1:], id=f"{group.__name__}: {line[0]}") for group in GROUPS for line in group()]


@pytest.mark.parametrize(("state", "query", "expected"), LINES)
def test_rules_meet_as_the_book_says(state: TableState, query: dict[str, Any], expected: dict[str, Any]) -> None:
    verdict = ask(state, parse_query(query)).model_dump(mode="json")

    assert difference(expected, verdict, 0.05) is None
