"""Terrain and set-up: what counts as what, and who may start where."""

from typing import Any

from tests.referee.scenario import Scenario
from tests.referee.tables import box, mini, table

INCH = 25.4
HILL = {"terrain": [box("h", "hill", 100, 100, 300, 300, height_mm=40)]}
POOL = {"terrain": [box("p", "shallow-water", 100, 100, 300, 300)]}


def _at(y: float, *abilities: str, x: float = 200, **state: Any) -> Any:
    """A base of 30 mm of red, whose edge is the near one and whose turn comes first."""
    return table(mini("a", x, y, side="red", abilities=list(abilities)), **state)


def _block(left: float) -> Any:
    piece = box("t", "obstruction", left, 560, left + 60, 660)
    return {"terrain": [piece], "scenario": {"name": "incoming"}}


ELEVATED = {"kind": "elevation", "who": "a"}
WADES = {"kind": "water", "who": "a"}
LAID = {"kind": "terrain-placement", "feature": "t"}
DEPLOY = {"kind": "deployment", "who": "a"}
LATE: dict[str, Any] = {"turn": {"round": 2, "active": "red"}}
RESERVE: dict[str, Any] = LATE | {"scenario": {"name": "reinforcements"}}
CORNER = {"sides": [{"id": "red", "edge": "corner-near-left", "first": True}]}
OUTFLANK = {"scenario": {"name": "outflank"}}
AMBUSH = {"kind": "reinforcements", "who": "a", "edge": "edge:left", "manner": "ambush"}
COMES = {"kind": "reinforcements", "who": "a", "edge": "edge:near", "manner": "reserve"}


def _zones(gap: float) -> Any:
    near = [[0, 0], [1219, 0], [1219, 100], [0, 100]]
    far = [[0, 100 + gap], [1219, 100 + gap], [1219, 190 + gap], [0, 190 + gap]]
    zones = [
        {"id": "n", "kind": "deployment", "polygon_mm": near},
        {"id": "f", "kind": "deployment", "polygon_mm": far},
    ]
    return table(zones=zones)


APART = {"kind": "zone-separation", "a": "n", "b": "f"}

SCENARIOS = (
    Scenario("elevated", "yes", "125 - 15 - 100 = 10 inside the hill", _at(125, **HILL), ELEVATED,
             {"answer": "yes", "margin_mm": 10.0, "value": {"height_mm": 40.0, "on": ["h"]}}),
    Scenario("elevated", "no", "105 - 15 - 100 = -10", _at(105, **HILL), ELEVATED, {"answer": "no",
             "margin_mm": -10.0}),
    Scenario("elevated", "edge", "115 - 15 - 100 = 0", _at(115, **HILL), ELEVATED, {"answer": "yes", "margin_mm": 0.0}),
    Scenario("amphibious-water", "yes", "125 - 15 - 100 = 10 in the water, and Amphibious", _at(125, "amphibious",
             **POOL),
             WADES, {"answer": "yes", "margin_mm": 10.0, "value": {"concealed": True}}),
    Scenario("amphibious-water", "no", "105 - 15 - 100 = -10", _at(105, "amphibious", **POOL), WADES,
             {"answer": "no", "margin_mm": -10.0, "value": {"concealed": False}}),
    Scenario("amphibious-water", "edge", "115 - 15 - 100 = 0", _at(115, "amphibious", **POOL), WADES,
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("terrain-placement-legal", "yes", "the zone's rim is at 609.6 + 152.4 = 762; 770 is 8 off",
             table(**_block(770)), LAID, {"answer": "yes", "margin_mm": 8.0}),
    Scenario("terrain-placement-legal", "no", "750 is 12 inside", table(**_block(750)), LAID,
             {"answer": "no", "margin_mm": -12.0}),
    Scenario("terrain-placement-legal", "edge", "762 touches the rim, which is inside", table(**_block(762)), LAID,
             {"answer": "no", "margin_mm": 0.0}),
    Scenario("deployment-legal", "yes", "7 in are 177.8; 177.8 - 150 - 15 = 12.8", _at(150), DEPLOY,
             {"answer": "yes", "margin_mm": 12.8}),
    Scenario("deployment-legal", "no", "177.8 - 170 - 15 = -7.2", _at(170), DEPLOY, {"answer": "no",
             "margin_mm": -7.2}),
    Scenario("deployment-legal", "edge", "177.8 - 162.8 - 15 = 0", _at(162.8), DEPLOY,
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("advance-deployment-legal", "yes", "13 in are 330.2; 330.2 - 300 - 15 = 15.2", _at(300,
             "advance-deployment"),
             DEPLOY, {"answer": "yes", "margin_mm": 15.2}),
    Scenario("advance-deployment-legal", "no", "330.2 - 320 - 15 = -4.8", _at(320, "advance-deployment"), DEPLOY,
             {"answer": "no", "margin_mm": -4.8}),
    Scenario("advance-deployment-legal", "edge", "330.2 - 315.2 - 15 = 0", _at(315.2, "advance-deployment"), DEPLOY,
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("corner-deployment-legal", "yes", "a center 200 off the corner (120, 160): 254 - 200 - 15 = 39",
             _at(160, x=120, **CORNER), DEPLOY, {"answer": "yes", "margin_mm": 39.0}),
    Scenario("corner-deployment-legal", "no", "a center 250 off (150, 200): 254 - 250 - 15 = -11",
             _at(200, x=150, **CORNER), DEPLOY, {"answer": "no", "margin_mm": -11.0}),
    Scenario("corner-deployment-legal", "edge", "a center 239 off (143.4, 191.2): 254 - 239 - 15 = 0",
             _at(191.2, x=143.4, **CORNER), DEPLOY, {"answer": "yes", "margin_mm": 0.0}),
    Scenario("outflank-legal", "yes", "the primary zone is 254 deep; 254 - 230 - 15 = 9", _at(230, x=609.6, **OUTFLANK),
             DEPLOY, {"answer": "yes", "margin_mm": 9.0}),
    Scenario("outflank-legal", "no", "254 - 250 - 15 = -11", _at(250, x=609.6, **OUTFLANK), DEPLOY,
             {"answer": "no", "margin_mm": -11.0}),
    Scenario("outflank-legal", "edge", "254 - 239 - 15 = 0", _at(239, x=609.6, **OUTFLANK), DEPLOY,
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("ambush-legal", "yes", "3 in are 76.2; 76.2 - 50 - 15 = 11.2", _at(600, "ambush", x=50, **LATE), AMBUSH,
             {"answer": "yes", "margin_mm": 11.2}),
    Scenario("ambush-legal", "no", "76.2 - 70 - 15 = -8.8", _at(600, "ambush", x=70, **LATE), AMBUSH,
             {"answer": "no", "margin_mm": -8.8}),
    Scenario("ambush-legal", "edge", "76.2 - 61.2 - 15 = 0", _at(600, "ambush", x=61.2, **LATE), AMBUSH,
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("reinforcement-legal", "yes", "8 in are 203.2; 203.2 - 180 - 15 = 8.2", _at(180, **RESERVE), COMES,
             {"answer": "yes", "margin_mm": 8.2}),
    Scenario("reinforcement-legal", "no", "203.2 - 195 - 15 = -6.8", _at(195, **RESERVE), COMES,
             {"answer": "no", "margin_mm": -6.8}),
    Scenario("reinforcement-legal", "edge", "203.2 - 188.2 - 15 = 0", _at(188.2, **RESERVE), COMES,
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("zone-separation", "yes", "28 in are 711.2; 720 - 711.2 = 8.8", _zones(720), APART,
             {"answer": "yes", "margin_mm": 8.8}),
    Scenario("zone-separation", "no", "700 - 711.2 = -11.2", _zones(700), APART, {"answer": "no", "margin_mm": -11.2}),
    Scenario("zone-separation", "edge", "711.2 - 711.2 = 0", _zones(711.2), APART, {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip
