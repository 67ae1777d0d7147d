"""Cover and whatever else changes an attack."""

from typing import Any

from tests.referee.scenario import Scenario
from tests.referee.tables import box, mini, table

COVER = {"kind": "cover", "attacker": "a", "target": "t"}


def _shot(*terrain: dict[str, Any], a: dict[str, Any] | None = None, **more: Any) -> Any:
    """a at 100, 300 shoots along +x at t of 30 mm, whose near rim is at 385."""
    return table(
        a or mini("a", 100, 300, side="red"), mini("t", 400, 300, 180, side="blue"), terrain=list(terrain), **more
    )


def _thin(kind: str, apart: float) -> dict[str, Any]:
    """A thing square to the line of fire, this far in front of the target."""
    return box("w", kind, 380 - apart, 200, 385 - apart, 400, height_mm=25)


def _corner(y: float) -> dict[str, Any]:
    """A wall whose corner reaches down to y beside lines that end at 315."""
    return box("w", "wall", 370, y, 375, 500, height_mm=25)


def _area(kind: str, left: float) -> dict[str, Any]:
    return box("w", kind, left, 200, 500, 400)


def _fog(dx: float) -> dict[str, Any]:
    return {"effects": [{"id": "c", "kind": "fog", "centre_mm": [400 + dx, 300], "diameter_mm": 101.6}]}


SHELTER = (
    Scenario("cover", "yes", "an inch is 25.4; the wall stands 10 before the base; 15.4 to spare",
             _shot(_thin("wall", 10)), COVER,
             {"answer": "yes", "margin_mm": 15.4,
              "value": {"kind": "cover", "bonus": 4, "features": [{"id": "w", "obscures": True, "near_mm": 10.0}]}}),
    Scenario("cover", "no", "25.4 - 30 = -4.6", _shot(_thin("wall", 30)), COVER,
             {"answer": "no", "margin_mm": -4.6, "value": {"kind": "none", "bonus": 0}}),
    Scenario("cover", "edge", "a wall exactly an inch off", _shot(_thin("wall", 25.4)), COVER,
             {"answer": "yes", "margin_mm": 0.0, "value": {"kind": "cover"}}),
    Scenario("concealment", "yes", "a hedge 20 off: 25.4 - 20 = 5.4", _shot(_thin("hedge", 20)), COVER,
             {"answer": "yes", "margin_mm": 5.4, "value": {"kind": "concealment", "bonus": 2}}),
    Scenario("concealment", "no", "25.4 - 26 = -0.6", _shot(_thin("hedge", 26)), COVER,
             {"answer": "no", "margin_mm": -0.6}),
    Scenario("concealment", "edge", "a hedge exactly an inch off", _shot(_thin("hedge", 25.4)), COVER,
             {"answer": "yes", "margin_mm": 0.0, "value": {"kind": "concealment", "bonus": 2}}),
    Scenario("intervening-terrain", "yes", "the corner reaches 315 - 310 = 5 into the lines", _shot(_corner(310)),
             COVER,
             {"answer": "yes", "value": {"features": [{"id": "w", "obscures": True}]}}),
    Scenario("intervening-terrain", "no", "315 - 320 = -5: no line meets it, near as it is", _shot(_corner(320)), COVER,
             {"answer": "no", "margin_mm": -5.0, "value": {"features": [{"id": "w", "obscures": False}]}}),
    Scenario("intervening-terrain", "edge", "the corner at 315 is met by the outermost line alone", _shot(_corner(315)),
             COVER, {"answer": "yes"}, exactly="one line touches the corner"),
    Scenario("cloud-concealment", "yes", "4 in of fog reach 50.8; 50.8 - 30 - 15 = 5.8", _shot(**_fog(30)), COVER,
             {"answer": "yes", "margin_mm": 5.8, "value": {"kind": "concealment", "bonus": 2}}),
    Scenario("cloud-concealment", "no", "50.8 - 40 - 15 = -4.2: a part is outside", _shot(**_fog(40)), COVER,
             {"answer": "no", "margin_mm": -4.2, "value": {"kind": "none"}}),
    Scenario("cloud-concealment", "edge", "50.8 - 35.8 - 15 = 0", _shot(**_fog(35.8)), COVER,
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("forest-concealment", "yes", "385 - 380 = 5 inside", _shot(_area("forest", 380)), COVER,
             {"answer": "yes", "margin_mm": 5.0, "value": {"kind": "concealment", "bonus": 2}}),
    Scenario("forest-concealment", "no", "385 - 390 = -5", _shot(_area("forest", 390)), COVER,
             {"answer": "no", "margin_mm": -5.0}),
    Scenario("forest-concealment", "edge", "385 - 385 = 0", _shot(_area("forest", 385)), COVER,
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("rubble-cover", "yes", "385 - 380 = 5 inside", _shot(_area("rubble", 380)), COVER,
             {"answer": "yes", "margin_mm": 5.0, "value": {"kind": "cover", "bonus": 4}}),
    Scenario("rubble-cover", "no", "385 - 390 = -5", _shot(_area("rubble", 390)), COVER,
             {"answer": "no", "margin_mm": -5.0, "value": {"kind": "none"}}),
    Scenario("rubble-cover", "edge", "385 - 385 = 0", _shot(_area("rubble", 385)), COVER,
             {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip


def _ditch(left: float, *, a: float = 100) -> Any:
    return _shot(box("w", "trench", left, 240, left + 127, 360), a=mini("a", a, 300, side="red"))


def _hill(left: float) -> Any:
    return _shot(box("h", "hill", left, 200, 500, 400, height_mm=50.8))


TRENCH = {"kind": "trench", "target": "t", "attacker": "a"}
BLAST = {"kind": "trench", "target": "t"}
RISE = {"kind": "elevation-bonus", "attacker": "a", "target": "t"}
HEIGHTS = (
    Scenario("trench-cover", "yes", "385 - 380 = 5 inside, and the attacker is far from it", _ditch(380), TRENCH,
             {"answer": "yes", "margin_mm": 5.0, "value": {"cover": True, "blast_immune": True, "screens": False}}),
    Scenario("trench-cover", "no", "385 - 390 = -5: partly outside", _ditch(390), TRENCH,
             {"answer": "no", "margin_mm": -5.0, "value": {"cover": False, "screens": True}}),
    Scenario("trench-cover", "edge", "an attacker whose rim 340 + 15 touches the trench's at 355 looks straight in",
             _ditch(355, a=340), TRENCH, {"answer": "no", "margin_mm": 0.0, "value": {"cover": False}}),
    Scenario("blast-in-trench", "yes", "the blast starts 380 - 360 = 20 outside, the base is 5 inside: the lesser is 5",
             _ditch(380), BLAST | {"origin": [360, 300]}, {"answer": "yes", "margin_mm": 5.0,
             "value": {"blast_immune": True}}),
    Scenario("blast-in-trench", "no", "it starts at 390, 10 inside the trench", _ditch(380), BLAST | {"origin": [390,
             300]},
             {"answer": "no", "margin_mm": -10.0, "value": {"blast_immune": False}}),
    Scenario("blast-in-trench", "edge", "it starts on the rim at 380", _ditch(380), BLAST | {"origin": [380, 300]},
             {"answer": "no", "margin_mm": 0.0, "value": {"blast_immune": False}}),
    Scenario("elevation-bonus", "yes", "the hill is 50.8 tall and the target 385 - 380 = 5 inside", _hill(380), RISE,
             {"answer": "yes", "margin_mm": 50.8, "value": {"bonus": 2, "heights": {"a": 0.0, "t": 50.8}}}),
    Scenario("elevation-bonus", "no", "385 - 390 = -5: not completely within the hill", _hill(390), RISE,
             {"answer": "no", "margin_mm": -5.0, "value": {"bonus": 0}}),
    Scenario("elevation-bonus", "edge", "385 - 385 = 0: just completely within", _hill(385), RISE,
             {"answer": "yes", "value": {"bonus": 2}}, exactly="the base touches the rim of the hill from inside"),
)  # fmt: skip

BACK = {"kind": "back-strike", "attacker": "a", "target": "t"}
WALL = {"kind": "melee-terrain-bonus", "attacker": "a", "target": "t"}


def _behind(x: float) -> Any:
    return table(mini("t", 300, 300), mini("a", x, 400))


def _fight(y: float) -> Any:
    wall = box("w", "obstruction", 320, y, 330, 500, height_mm=60)
    return table(mini("a", 300, 300), mini("t", 350, 300, 180), terrain=[wall])


BLOWS = (
    Scenario("back-strike", "yes", "300 - (280 + 15) = 5 behind the line", _behind(280), BACK,
             {"answer": "yes", "margin_mm": 5.0, "value": {"bonus": 2, "bonus_to": "attack"}}),
    Scenario("back-strike", "no", "300 - (290 + 15) = -5", _behind(290), BACK,
             {"answer": "no", "margin_mm": -5.0, "value": {"bonus": 0}}),
    Scenario("back-strike", "edge", "300 - (285 + 15) = 0: on the line is in front", _behind(285), BACK,
             {"answer": "no", "margin_mm": 0.0}),
    Scenario("melee-obstruction-bonus", "yes", "the corner reaches 315 - 310 = 5 into the lines", _fight(310), WALL,
             {"answer": "yes", "margin_mm": 5.0, "value": {"bonus": 2, "feature": "w"}}),
    Scenario("melee-obstruction-bonus", "no", "315 - 320 = -5", _fight(320), WALL,
             {"answer": "no", "margin_mm": -5.0, "value": {"bonus": 0, "feature": None}}),
    Scenario("melee-obstruction-bonus", "edge", "one line touches the corner at 315", _fight(315), WALL,
             {"answer": "yes", "margin_mm": 0.0, "value": {"bonus": 2}}),
)  # fmt: skip


def _engaged(gap: float, *more: dict[str, Any]) -> Any:
    """t is fought by f, with half an inch of reach, this far on; a shoots from 300 mm to the side."""
    foe = mini("f", 430 + gap, 300, 180, side="red", reach=0.5)
    me = mini("a", 400, 0, 90, side="red", gun=12)
    return table(me, mini("t", 400, 300, 90, side="blue", gun=1), foe, *more)


def _third(gap: float) -> Any:
    """Beyond f stands g, who fights f from this far, and beyond g stands h, who fights g."""
    g = mini("g", 440 + 30 + gap, 300, 180, side="blue", reach=0.5)
    return _engaged(10, g, mini("h", 440 + 30 + gap + 40, 300, 180, side="red", reach=0.5))


PENALTY = {"kind": "in-melee-penalty", "attacker": "a", "target": "t"}
GROUP = {"kind": "in-melee-group", "attacker": "a", "target": "t"}
ADDED = {"kind": "attack-modifiers", "attacker": "a", "target": "t", "attack": "ranged"}
MELEES = (
    Scenario("target-in-melee-bonus", "yes", "f reaches 12.7 and is 5 away: in melee by 7.7", _engaged(5), PENALTY,
             {"answer": "yes", "margin_mm": 7.7, "value": {"bonus": 4, "bonus_to": "defence", "waived_by": None}}),
    Scenario("target-in-melee-bonus", "no", "12.7 - 20 = -7.3", _engaged(20), PENALTY,
             {"answer": "no", "margin_mm": -7.3, "value": {"bonus": 0}}),
    Scenario("target-in-melee-bonus", "edge", "12.7 - 12.7 = 0: in reach", _engaged(12.7), PENALTY,
             {"answer": "yes", "margin_mm": 0.0, "value": {"bonus": 4}}),
    Scenario("in-melee-group", "yes", "f fights t (12.7 - 10 = 2.7), g fights f (12.7 - 9 = 3.7): both may be drawn",
             _third(9), GROUP,
             {"members": [{"id": "f", "answer": "yes", "margin_mm": 2.7}, {"id": "g", "answer": "yes",
             "margin_mm": 2.7},
                          {"id": "h", "answer": "no"}],
              "value": {"bands": {"f": [1, 2, 3], "g": [4, 5, 6]}}}),
    Scenario("in-melee-group", "no", "g is 20 from f: 12.7 - 20 = -7.3, and nobody but f is drawn", _third(20), GROUP,
             {"members": [{"id": "f", "answer": "yes"}, {"id": "g", "answer": "no", "margin_mm": -7.3},
                          {"id": "h", "answer": "no"}], "value": {"bands": {"f": [1, 2, 3, 4, 5, 6]}}}),
    Scenario("in-melee-group", "edge", "g reaches f at 12.7", _third(12.7), GROUP,
             {"margin_mm": 0.0, "members": [{"id": "g", "answer": "yes", "margin_mm": 0.0}]}),
    Scenario("defence-summary", "yes", "cover 4 to the defence: total -4; 25.4 - 10 = 15.4 decides nearest",
             _shot(_thin("wall", 10)), ADDED,
             {"status": "measured", "value": {"total": -4, "modifiers": [{"name": "cover", "bonus": 4,
             "bonus_to": "defence"}]}}),
    Scenario("defence-summary", "no", "a wall too far off gives nothing, and nothing else is there",
             _shot(_thin("wall", 30)), ADDED, {"margin_mm": -4.6, "value": {"total": 0, "modifiers": []}}),
    Scenario("defence-summary", "edge", "a wall exactly an inch off still adds its 4", _shot(_thin("wall", 25.4)),
             ADDED,
             {"margin_mm": 0.0, "value": {"total": -4}}),
)  # fmt: skip

SCENARIOS = (*SHELTER, *HEIGHTS, *BLOWS, *MELEES)
