"""Set-up, buildings, high ground, objectives, points and pushes."""

from typing import Any

from tests.referee.scenario import Scenario
from tests.referee.scenarios.warhammer.field import field, lone, unit

ZONE = {"id": "z", "kind": "deployment", "side": "red",
        "polygon_mm": [[0, 0], [1828.8, 0], [1828.8, 304.8], [0, 304.8]]}  # fmt: skip


def _at(y: float, **more: Any) -> dict[str, Any]:
    return unit("A", (600, y), 90, 5, 10, **more)


def _ranging(y: float) -> dict[str, Any]:
    return _at(y, card={"abilities": ["scouts", "vanguard"]})


def _zoned(y: float) -> Any:
    return field(_at(y), zones=[ZONE])


def _foe(y: float, **more: Any) -> dict[str, Any]:
    return unit("E", (600, y), 270, 5, 10, "blue", **more)


DEPLOY = {"kind": "deployment", "who": "A"}
SCOUT = DEPLOY | {"manner": "scout"}
VAN = {"kind": "move", "mover": "A", "manner": "vanguard", "steps": [{"do": "forward", "by_in": 5}]}
AMBUSH = {"kind": "reinforcements", "who": "A", "edge": "edge:left", "manner": "ambush"}


def _from_left(x: float, card: dict[str, Any] | None = None) -> Any:
    return field(unit("A", (x, 600), 0, 5, 10, card={"abilities": ["ambushers"]} | (card or {})))


SET_UP = (
    Scenario("deployment-legal", "yes", "304.8 - 300", _zoned(300), DEPLOY, {"answer": "yes", "margin_mm": 4.8}),
    Scenario("deployment-legal", "no", "304.8 - 310", _zoned(310), DEPLOY, {"answer": "no", "margin_mm": -5.2}),
    Scenario("deployment-legal", "edge", "more than 12 in from the middle, not just 12", _zoned(304.8), DEPLOY,
             {"answer": "no", "margin_mm": 0.0}),
    Scenario("scout-placement", "yes", "320 - 304.8", field(_ranging(300), _foe(620)), SCOUT,
             {"answer": "yes", "margin_mm": 15.2}),
    Scenario("scout-placement", "no", "300 - 304.8", field(_ranging(300), _foe(600)), SCOUT,
             {"answer": "no", "margin_mm": -4.8}),
    Scenario("scout-placement", "edge", "just 12 in is too near", field(_ranging(300), _foe(604.8)), SCOUT,
             {"answer": "no", "margin_mm": 0.0}),
    Scenario("vanguard-move", "yes", "5 in of 6", field(_ranging(300), _foe(1000)), VAN,
             {"answer": "yes", "margin_mm": 25.4}),
    Scenario("vanguard-move", "no", "it ends at 427, 273 from E", field(_ranging(300), _foe(700)), VAN,
             {"answer": "no", "margin_mm": -31.8, "value": {"violation": {"what": "near-enemy"}}}),
    Scenario("vanguard-move", "edge", "it ends at 427, 304.8 from E", field(_ranging(300), _foe(731.8)), VAN,
             {"answer": "no", "margin_mm": 0.0}),
    Scenario("ambush-entry", "yes", "its front is 40 in, of twice 101.6; it comes on a 3 or more", _from_left(40),
             AMBUSH, {"answer": "yes", "margin_mm": 163.2, "value": {"chance": {"exact": "2/3"}}}),
    Scenario("ambush-entry", "no", "its rear is 20 off the edge, and may be 0.5", _from_left(60), AMBUSH,
             {"answer": "no", "margin_mm": -19.5}),
    Scenario("ambush-entry", "edge", "twice the Movement is 40", _from_left(40, card={"spd_in": 40 / 50.8}), AMBUSH,
             {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip


def _house(y: float) -> list[dict[str, Any]]:
    """A building from this y on."""
    return [{"id": "house", "kind": "building", "polygon_mm": [[550, y], [650, y], [650, y + 100], [550, y + 100]]}]


ENTER = {"kind": "garrison", "unit": "A", "feature": "house", "manner": "enter"}
ASSAULT = {"kind": "building-assault", "attacker": "A", "target": "house"}
INSIDE = field(lone("A", (600, 350), 90, base=(20, 20), kind="infantry", inside="house"), terrain=_house(300))


def _leaves(y: float) -> dict[str, Any]:
    """To stand in the middle below the house, its rear towards it."""
    return ENTER | {"manner": "leave", "to": {"at_mm": [600, y], "facing_deg": 270}}


BUILDINGS = (
    Scenario("building-garrison", "yes", "it touches: all the 0.5 of contact", field(_at(300), terrain=_house(300)),
             ENTER, {"answer": "yes", "margin_mm": 0.5}),
    Scenario("building-garrison", "no", "0.5 - 10", field(_at(300), terrain=_house(310)), ENTER,
             {"answer": "no", "margin_mm": -9.5}),
    Scenario("building-garrison", "edge", "0.5 - 0.5", field(_at(300), terrain=_house(300.5)), ENTER,
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("building-exit", "yes", "300 - 264.6 - 10 = 25.4", INSIDE, _leaves(264.6),
             {"answer": "yes", "margin_mm": 0.5}),
    Scenario("building-exit", "no", "40 away: 0.5 - 14.6", INSIDE, _leaves(250), {"answer": "no", "margin_mm": -14.1}),
    Scenario("building-exit", "edge", "25.9 away", INSIDE, _leaves(264.1), {"answer": "yes", "margin_mm": 0.0}),
    Scenario("building-assault", "yes", "254 - 150; 48.4 beyond the Movement: a 2, 35 of 36; ten fight",
             field(_at(300), terrain=_house(450)), ASSAULT, {"answer": "yes", "margin_mm": 104.0,
             "value": {"chance": {"needs": 2, "exact": "35/36"}, "party": {"A": 10}}}),
    Scenario("building-assault", "no", "254 - 260", field(_at(300), terrain=_house(560)), ASSAULT,
             {"answer": "no", "margin_mm": -6.0}),
    Scenario("building-assault", "edge", "254 - 254", field(_at(300), terrain=_house(554)), ASSAULT,
             {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip


def _hill(y0: float, y1: float) -> list[dict[str, Any]]:
    corners = [[500, y0], [700, y0], [700, y1], [500, y1]]
    return [{"id": "hill", "kind": "hill", "height_mm": 50, "polygon_mm": corners}]


HIGHER = {"kind": "elevation-bonus", "attacker": "A", "target": "E"}
TOWER = {"objectives": [{"id": "o", "kind": "tower", "terrain": "house"}], "terrain": _house(600)}
HOLDS = {"kind": "objective-control", "objective": "o"}
SCORE = {"kind": "score", "scorer": "red"}


def _left_of_20(count: int) -> Any:
    began = {"battle": {"models": 20, "strength": 20}}
    return field(_at(300), unit("E", (600, 500), 270, 5, count, "blue", worth=100, started=began))


PUSH = {"kind": "push", "attacker": "A", "target": "E", "distance_in": 4}


def _pushed(y: float) -> Any:
    """E, from 500 to 540, with a rock beyond it."""
    rock = {"id": "rock", "kind": "impassable", "polygon_mm": [[500, y], [700, y], [700, y + 20], [500, y + 20]]}
    return field(_at(300), _foe(500), terrain=[rock])


FIELD = (
    Scenario("hill-bonus", "yes", "A on the hill, 50 higher", field(_at(300), _foe(300), terrain=_hill(200, 300)),
             HIGHER,
             {"answer": "yes", "margin_mm": 50.0, "value": {"bonus": 1}}),
    Scenario("hill-bonus", "no", "E on the hill", field(_at(300), _foe(300), terrain=_hill(300, 400)), HIGHER,
             {"answer": "no", "margin_mm": -50.0}),
    Scenario("hill-bonus", "edge", "both on level ground", field(_at(300), _foe(300)), HIGHER,
             {"answer": "no", "margin_mm": 0.0}),
    Scenario("objective-control", "yes", "A is 300 from the tower, E 400", field(_at(300), _foe(1100), **TOWER), HOLDS,
             {"value": {"controller": "red", "by": "A"}}),
    Scenario("objective-control", "no", "four are too few", field(unit("A", (600, 300), 90, 4, 4), **TOWER), HOLDS,
             {"value": {"controller": "none"}}),
    Scenario("objective-control", "edge", "both are 300 away", field(_at(300), _foe(1000), **TOWER), HOLDS,
             {"value": {"controller": "none", "ties": ["A", "E"]}}, exactly="equally near"),
    Scenario("victory-share", "yes", "5 of 20 are left: half of 100", _left_of_20(5), SCORE,
             {"value": {"points": 50.0}}),
    Scenario("victory-share", "no", "11 of 20 are more than half", _left_of_20(11), SCORE, {"value": {"points": 0.0}}),
    Scenario("victory-share", "edge", "10 of 20", _left_of_20(10), SCORE, {"value": {"points": 50.0}},
             exactly="half is left"),
    Scenario("push-spell", "yes", "4 in straight away from A", field(_at(300), _foe(500)), PUSH,
             {"value": {"travelled_mm": 101.6, "stopped_by": None, "poses": {"E": {"front_mm": [600, 601.6]}}}}),
    Scenario("push-spell", "no", "600 - 540 - 25.4 = 34.6", _pushed(600), PUSH,
             {"value": {"travelled_mm": 34.6, "stopped_by": "rock", "hits_both": True}}),
    Scenario("push-spell", "edge", "667 - 540 - 25.4 = 101.6", _pushed(667), PUSH,
             {"value": {"travelled_mm": 101.6, "stopped_by": None}}, exactly="an inch is left"),
)  # fmt: skip
SCENARIOS = SET_UP + BUILDINGS + FIELD
