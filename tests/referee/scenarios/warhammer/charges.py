"""Charges: who may, at what odds, by which path, into which side, and what answers a charge."""

from typing import Any

from tests.referee.scenario import Scenario
from tests.referee.scenarios.warhammer.field import field, lone, unit

A = unit("A", (600, 300), 90, 5, 10)  # x from 550 to 650, y from 260 to 300; 101.6 + 152.4 = 254 at the most


def _facing(y: float, **more: Any) -> Any:
    """E stands across at this y, straight ahead of A."""
    return field(A, unit("E", (600, y), 270, 5, 10, "blue"), **more)


def _charge(**more: Any) -> dict[str, Any]:
    return {"kind": "charge", "attacker": "A", "target": "E", **more}


CHANCE = {"kind": "charge-chance", "attacker": "A", "target": "E"}
FLED = CHANCE | {"flees": True}
ODDS = (
    Scenario("charge-declarable", "yes", "254 - 240", _facing(540), _charge(), {"answer": "yes", "margin_mm": 14.0}),
    Scenario("charge-declarable", "no", "254 - 260", _facing(560), _charge(), {"answer": "no", "margin_mm": -6.0}),
    Scenario("charge-declarable", "edge", "254 - 254", _facing(554), _charge(), {"answer": "yes", "margin_mm": 0.0}),
    Scenario("charge-distance", "yes", "540 - 300, however long the way", _facing(540), _charge(),
             {"answer": "yes", "value": {"distance_mm": 240.0}}),
    Scenario("charge-distance", "no", "560 - 300", _facing(560), _charge(),
             {"answer": "no", "value": {"distance_mm": 260.0}}),
    Scenario("charge-distance", "edge", "554 - 300 = 101.6 + 152.4", _facing(554), _charge(),
             {"answer": "yes", "margin_mm": 0.0, "value": {"distance_mm": 254.0}}),
    Scenario("charge-success-probability", "yes", "200 - 101.6 = 3.87 in: a 4, 27 of 36", _facing(500), CHANCE,
             {"value": {"chance": {"needs": 4, "exact": "3/4"}}}),
    Scenario("charge-success-probability", "no", "260 - 101.6 = 6.24 in: no die shows 7", _facing(560), CHANCE,
             {"value": {"chance": {"needs": 7, "exact": "0"}}}),
    Scenario("charge-success-probability", "edge", "228.6 - 101.6 = 5 in: a 5, 20 of 36", _facing(528.6), CHANCE,
             {"value": {"chance": {"needs": 5, "exact": "5/9"}}}, exactly="5 in beyond the Movement"),
    Scenario("charge-after-flight", "yes", "E about (600, 420) runs 127: its rear is at 527, 227 away; 4.94 in",
             _facing(400), FLED | {"dice": {"flee": 5}},
             {"value": {"by_flee": [{"flee": 5, "distance_mm": 227.0, "needs": 5, "exact": "5/9"}]}}),
    Scenario("charge-after-flight", "no", "it runs 304.8: 404.8 away", _facing(400), FLED | {"dice": {"flee": 12}},
             {"value": {"by_flee": [{"distance_mm": 404.8, "exact": "0"}]}}),
    Scenario("charge-after-flight", "edge", "E about (600, 447) runs 127: its rear is at 554, 6 in beyond 101.6",
             _facing(427), FLED | {"dice": {"flee": 5}},
             {"value": {"by_flee": [{"distance_mm": 254.0, "needs": 6, "exact": "11/36"}]}},
             exactly="the longest charge"),
)  # fmt: skip


def _lane(wide: float) -> Any:
    """Rocks close all but a lane between A and E."""
    left, right = 600 - wide / 2, 600 + wide / 2
    rocks = [{"id": k, "kind": "impassable", "polygon_mm": [[x, 360], [x + 500, 360], [x + 500, 380], [x, 380]]}
             for k, x in (("l", left - 500), ("r", right))]  # fmt: skip
    return _facing(500, terrain=rocks)


FLANKED = field(A, unit("E", (500, 500), 0, 5, 10, "blue"))  # E looks away to the right: its right flank is at A
TIED = field(unit("A", (750, 400), 135, 6, 12), unit("E", (600, 500), 270, 5, 10, "blue"))
SLANTED = field(A, unit("E", (600, 480), 250, 5, 10, "blue"))


def _few(count: int) -> Any:
    return field(A, unit("E", (600, 500), 270, count, count, "blue"))


def _ten(x: float, **more: Any) -> Any:
    return field(A, unit("E", (x, 500), 270, 10, 10, "blue"), **more)


WAYS = (
    Scenario("charge-path", "yes", "straight on by 200", _lane(120), _charge(),
             {"answer": "yes", "value": {"steps": [{"do": "forward", "by_in": 7.874}],
              "paths": {"A": [{"do": "straight", "for": "charge", "length_mm": 200.0}]}}}),
    Scenario("charge-path", "no", "a lane of 98 for a front of 100", _lane(98), _charge(), {"answer": "no"}),
    Scenario("charge-path", "edge", "a lane of 100 for a front of 100", _lane(100), _charge(), {"answer": "yes"},
             exactly="the lane is as wide as the front"),
    Scenario("charge-side", "yes", "all five stand before E", _facing(500), _charge(),
             {"answer": "yes", "value": {"side": "front", "side_count": {"front": 5}}}),
    Scenario("charge-side", "no", "not before E but on its right", FLANKED, _charge(), {"value": {"side": "right"}}),
    Scenario("charge-side", "edge", "the line of 45 degrees from E's corner runs between its third and fourth", TIED,
             _charge(), {"value": {"side": None, "side_count": {"front": 3, "left": 3},
             "side_chance": {"front": 0.5, "left": 0.5}}}, exactly="three against three"),
    Scenario("charge-align", "yes", "flush before (600, 500)", _facing(500), _charge(),
             {"answer": "yes", "value": {"aligned_by": "A",
             "poses": {"A": {"front_mm": [600, 500], "facing_deg": 90}}}}),
    Scenario("charge-align", "no", "there is no way to stand flush", _lane(98), _charge(),
             {"answer": "no", "value": {"must_also": []}}),
    Scenario("charge-align", "edge", "E looks along 250, so that its charger ends along 70", SLANTED, _charge(),
             {"value": {"poses": {"A": {"facing_deg": 70.0}}}}, exactly="it stands square to the side"),
    Scenario("who-aligns", "yes", "ten charge ten", _facing(500), _charge(), {"value": {"aligned_by": "A"}}),
    Scenario("who-aligns", "no", "ten charge four: these turn", _few(4), _charge(), {"value": {"aligned_by": "E"}}),
    Scenario("who-aligns", "edge", "ten charge five", _few(5), _charge(), {"value": {"aligned_by": "A"}},
             exactly="strength 5"),
    Scenario("max-models-in-contact", "yes", "five against five, file by file", _facing(500), _charge(),
             {"value": {"in_contact": {"A": 5, "E": 5}}}),
    Scenario("max-models-in-contact", "no", "corners do not count here: half a file aside five stand before six",
             _ten(610, house_rules={"corner-contact": "ignored"}), _charge(),
             {"value": {"in_contact": {"A": 5, "E": 6}}}),
    Scenario("max-models-in-contact", "edge", "E's files begin at 510, 530, 550 ..: five, and one at either corner",
             _ten(610), _charge(), {"value": {"in_contact": {"A": 5, "E": 7}}}, exactly="corners touch"),
)  # fmt: skip
CLOSE = field(unit("A", (600, 300), 90, 8, 24), unit("E", (600, 450), 270, 2, 4, "blue"),
              unit("L", (545, 450), 270, 3, 6, "blue"), unit("R", (655, 450), 270, 3, 6, "blue"))  # fmt: skip


def _many(*attackers: str) -> dict[str, Any]:
    return {"kind": "multi-charge", "attackers": [*attackers], "targets": ["E"]}


def _three(files: int) -> Any:
    """Three regiments, each 100 wide, before one of so many files of 20."""
    chargers = [unit(name, (x, 300), 90, 5, 5) for name, x in (("A", 490), ("B", 600), ("C", 710))]
    return field(*chargers, unit("E", (600, 450), 270, files, files * 2, "blue"))


PAIR = field(
    unit("A", (545, 300), 90, 5, 5), unit("B", (655, 300), 90, 5, 5), unit("E", (600, 450), 270, 10, 10, "blue")
)
WALL = {"id": "wall", "kind": "wall", "polygon_mm": [[500, 490], [700, 490], [700, 500], [500, 500]]}
FAR_WALL = WALL | {"polygon_mm": [[500, 400], [700, 400], [700, 410], [500, 410]]}
NEAR_WALL = WALL | {"polygon_mm": [[500, 489.5], [700, 489.5], [700, 499.5], [500, 499.5]]}
SEVERAL = (
    Scenario("multi-charge", "yes", "E stands alone, 200 of 254 away", _facing(500), _many("A"),
             {"answer": "yes", "margin_mm": 54.0, "value": {"must_also": []}}),
    Scenario("multi-charge", "no", "160 of front do not fit between neighbours 50 apart", CLOSE, _many("A"),
             {"answer": "no"}),
    Scenario("multi-charge", "edge", "254 of 254 away", _facing(554), _many("A"), {"answer": "yes", "margin_mm": 0.0}),
    Scenario("multi-chargers-one-target", "yes", "two fronts of 100 along 200", PAIR, _many("A", "B"),
             {"answer": "yes", "margin_mm": 0.0, "value": {"places": {"A": 5, "B": 5}, "fail": []}}),
    Scenario("multi-chargers-one-target", "no", "the middle one is 100 wide, the side 80", _three(4),
             _many("A", "B", "C"), {"answer": "no", "margin_mm": -20.0}),
    Scenario("multi-chargers-one-target", "edge", "the middle one covers all 100, the others touch with a corner",
             _three(5), _many("A", "B", "C"),
             {"answer": "yes", "margin_mm": 0.0, "value": {"places": {"A": 1, "B": 5, "C": 1}}}),
    Scenario("charge-defended-obstacle", "yes", "E touches the wall, which begins at 490", _facing(500, terrain=[WALL]),
             _charge(), {"answer": "yes", "value": {"defended": "wall", "distance_mm": 190.0}}),
    Scenario("charge-defended-obstacle", "no", "E does not touch the wall", _facing(500, terrain=[FAR_WALL]), _charge(),
             {"value": {"defended": None, "distance_mm": 200.0}}),
    Scenario("charge-defended-obstacle", "edge", "E is 0.5 from the wall", _facing(500, terrain=[NEAR_WALL]), _charge(),
             {"value": {"defended": "wall", "distance_mm": 189.5}}, exactly="the most that still is contact"),
    Scenario("charge-failed-move", "yes", "4 and 6 are 254, 240 away", _facing(540), _charge(dice={"charge": [6, 1]}),
             {"answer": "yes", "margin_mm": 14.0}),
    Scenario("charge-failed-move", "no", "4 and 2 are 152.4 of 240: it goes 2 in, to 350.8", _facing(540),
             _charge(dice={"charge": [1, 2]}), {"answer": "no", "margin_mm": -87.6,
             "value": {"fails": True, "moves_mm": 50.8, "poses": {"A": {"front_mm": [600, 350.8], "facing_deg": 90}}}}),
    Scenario("charge-failed-move", "edge", "4 and 5 are 228.6", _facing(528.6), _charge(dice={"charge": [5, 1]}),
             {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip
REDIRECT = {"kind": "charge-redirect", "attacker": "A"}
SHOOT = {"kind": "stand-and-shoot", "attacker": "A", "target": "E", "weapon": "bow"}
FLEE = {"kind": "flee", "mover": "E", "threats": ["A"], "cause": "charge"}
CALM = field(A, unit("E", (600, 500), 270, 5, 10, "blue", card={"abilities": ["immunity-psychology"]}))
ASIDE = field(A, unit("E", (700, 360), 270, 5, 10, "blue"))  # its middle is 100 to the right of A's and 100 ahead


def _strong(count: int) -> Any:
    return field(unit("A", (600, 300), 90, 5, count), unit("E", (600, 500), 270, 5, 10, "blue"))


REACTIONS = (
    Scenario("charge-redirect", "yes", "254 - 240; the test is 21 of 36", _facing(540), REDIRECT,
             {"members": [{"id": "E", "answer": "yes", "margin_mm": 14.0}], "value": {"chance": {"exact": "7/12"}}}),
    Scenario("charge-redirect", "no", "254 - 260", _facing(560), REDIRECT,
             {"members": [{"id": "E", "answer": "no", "margin_mm": -6.0}]}),
    Scenario("charge-redirect", "edge", "254 - 254", _facing(554), REDIRECT,
             {"members": [{"id": "E", "answer": "yes", "margin_mm": 0.0}]}, exactly="the longest charge"),
    Scenario("stand-and-shoot", "yes", "110 - 101.6", _facing(410), SHOOT, {"answer": "yes", "margin_mm": 8.4}),
    Scenario("stand-and-shoot", "no", "100 - 101.6", _facing(400), SHOOT, {"answer": "no", "margin_mm": -1.6}),
    Scenario("stand-and-shoot", "edge", "just the Movement is too near", _facing(401.6), SHOOT,
             {"answer": "no", "margin_mm": 0.0}),
    Scenario("flee-reaction", "yes", "straight away from A", _facing(500), FLEE,
             {"value": {"heading_deg": 90.0, "may_flee": True}}),
    Scenario("flee-reaction", "no", "nothing frightens these", CALM, FLEE, {"value": {"may_flee": False}}),
    Scenario("flee-reaction", "edge", "its middle is as far aside as ahead", ASIDE, FLEE,
             {"value": {"heading_deg": 45.0}}, exactly="45 degrees"),
    Scenario("charge-fleeing", "yes", "15 run down all", _strong(15), _charge(),
             {"value": {"if_it_flees": {"removed": True}}}),
    Scenario("charge-fleeing", "no", "5 wound five of ten, and stop an inch behind", _strong(5), _charge(),
             {"value": {"if_it_flees": {"removed": False, "wounds": 5, "stops_behind_mm": 25.4}}}),
    Scenario("charge-fleeing", "edge", "10 run down all", _strong(10), _charge(),
             {"value": {"if_it_flees": {"removed": True}}}, exactly="strength 10"),
)  # fmt: skip


def _flyer(y: float) -> Any:
    flyer = lone("A", (600, 275), 90, card={"abilities": ["fly"]})
    return field(flyer, unit("E", (600, y), 270, 5, 10, "blue"))


def _gap(wide: float) -> Any:
    rocks = [{"id": k, "kind": "impassable", "polygon_mm": [[x, 360], [x + 200, 360], [x + 200, 380], [x, 380]]}
             for k, x in (("l", 400 - wide / 2), ("r", 600 + wide / 2))]  # fmt: skip
    return field(A, terrain=rocks)


BETWEEN = {"kind": "fits-between", "mover": "A", "a": "l", "b": "r", "manner": "charge"}
FRENZY = {"kind": "frenzy", "who": "A"}
FLY = _charge(manner="fly")
OTHERS = (
    Scenario("charge-impassable-squeeze", "yes", "120 - 100", _gap(120), BETWEEN, {"answer": "yes", "margin_mm": 20.0}),
    Scenario("charge-impassable-squeeze", "no", "90 - 100", _gap(90), BETWEEN, {"answer": "no", "margin_mm": -10.0}),
    Scenario("charge-impassable-squeeze", "edge", "100 - 100", _gap(100), BETWEEN,
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("flyer-charge", "yes", "10 in and the best two of three dice are 558.8; 550 away", _flyer(850), FLY,
             {"answer": "yes", "margin_mm": 8.8, "value": {"chance": {"dice": "best-two-of-3d6"}}}),
    Scenario("flyer-charge", "no", "570 away", _flyer(870), FLY, {"answer": "no", "margin_mm": -11.2}),
    Scenario("flyer-charge", "edge", "558.8 away", _flyer(858.8), FLY, {"answer": "yes", "margin_mm": 0.0}),
    Scenario("frenzy-must-charge", "yes", "240 of 254", _facing(540), FRENZY,
             {"value": {"target": "E", "mode": "charge", "chance": {"exact": "7/12"}}}),
    Scenario("frenzy-must-charge", "no", "260 of 254", _facing(560), FRENZY,
             {"value": {"target": None, "mode": "none"}}),
    Scenario("frenzy-must-charge", "edge", "254 of 254", _facing(554), FRENZY, {"value": {"target": "E"}},
             exactly="the longest charge"),
)  # fmt: skip
SCENARIOS = ODDS + WAYS + SEVERAL + REACTIONS + OTHERS
