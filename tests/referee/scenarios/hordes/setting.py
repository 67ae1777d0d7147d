"""Terrain, structures, water and set-up where this book differs."""

from typing import Any

from tests.referee.scenario import Scenario
from tests.referee.scenarios.hordes.field import field
from tests.referee.tables import box, mini


def _wall(height: float, thick: float) -> Any:
    return field(terrain=[box("w", "wall", 300, 200, 300 + thick, 400, height_mm=height)])


CLASS = {"kind": "terrain-class", "feature": "w"}


def _hill(x: float) -> Any:
    """A hill of 40 from 300 to 500, and a base at x."""
    return field(mini("m", x, 300), terrain=[box("h", "hill", 300, 200, 500, 400, height_mm=40)])


def _pool(left: float) -> Any:
    """m of 30 at 300: its rim is at 315."""
    return field(mini("m", 300, 300), terrain=[box("w", "deep-water", left, 200, 500, 400)])


HILL, WATER = {"kind": "elevation", "who": "m"}, {"kind": "water", "who": "m"}
GROUND = (
    Scenario("obstacle-kind", "yes", "20 tall and 10 thick: crossed whole", _wall(20, 10), CLASS,
             {"value": {"counts_as": "linear-obstacle", "limits_mm": {"one_inch": -5.4, "thickness": -15.4}}}),
    Scenario("obstacle-kind", "no", "40 tall: an obstruction", _wall(40, 10), CLASS,
             {"value": {"counts_as": "obstruction", "ground": "impassable"}}),
    Scenario("obstacle-kind", "edge", "an inch thick it is climbed", _wall(20, 25.4), CLASS,
             {"value": {"counts_as": "obstacle", "limits_mm": {"thickness": 0.0}}}, exactly="an inch thick"),
    Scenario("hill", "yes", "its middle lies 310 - 300 = 10 inside, though a part is outside", _hill(310), HILL,
             {"answer": "yes", "margin_mm": 10.0, "value": {"height_mm": 40.0, "other_level": 0.0}}),
    Scenario("hill", "no", "290 - 300 = -10", _hill(290), HILL,
             {"answer": "no", "margin_mm": -10.0, "value": {"height_mm": 0.0, "other_level": 40.0}}),
    Scenario("hill", "edge", "its middle on the rim", _hill(300), HILL, {"answer": "yes", "margin_mm": 0.0}),
    Scenario("deep-water", "yes", "315 - 310 = 5 of it are in", _pool(310), WATER,
             {"answer": "yes", "margin_mm": 5.0, "value": {"kind": "deep-water", "def_base": 7.0}}),
    Scenario("deep-water", "no", "315 - 325 = -10", _pool(325), WATER,
             {"answer": "no", "margin_mm": -10.0, "value": {"kind": None, "def_base": None, "barred": []}}),
    Scenario("deep-water", "edge", "its rim touches the water", _pool(315), WATER, {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip


def _house(x: float = 200, **more: Any) -> Any:
    """A house of stone from 300 to 452.4 and 200 to 276.2, 6 by 3 in; m of 30 at x, 238."""
    house = box("h", "structure", 300, 200, 452.4, 276.2, height_mm=80, material="stone", complex=True, **more)
    return field(mini("m", x, 238, side="red", gun=4, reach=0.5), terrain=[house])


def _door(width: float, *sizes: float) -> Any:
    return _house(openings=[{"at_mm": [300, 220], "to_mm": [300, 220 + width], "bases_mm": list(sizes)}])


SHOT = {"kind": "structure-target", "attacker": "m", "target": "h", "attack": "ranged"}
DOOR = {"kind": "entryway", "mover": "m", "feature": "h"}
CAPACITY = {"kind": "structure-capacity", "feature": "h"}
COLLAPSE = {"kind": "structure-collapse", "feature": "h"}
SPRAY = {"kind": "spray-hits", "attacker": "m", "heading_deg": 0}


def _flame(end: float) -> list[list[float]]:
    """A template from the rim of m at 215 to this x."""
    return [[215, 230], [end, 210], [end, 266], [215, 246]]


STRUCTURES = (
    Scenario("structure-target", "yes", "4 in are 101.6; 300 - 215 = 85", _house(), SHOT,
             {"answer": "yes", "margin_mm": 16.6, "value": {"auto_hit": True}}),
    Scenario("structure-target", "no", "101.6 - (300 - 165) = -33.4", _house(150), SHOT,
             {"answer": "no", "margin_mm": -33.4, "value": {"auto_hit": False}}),
    Scenario("structure-target", "edge", "300 - 198.4 = 101.6", _house(183.4), SHOT, {"answer": "yes",
             "margin_mm": 0.0}),
    Scenario("structure-capacity", "yes", "18 in round at 10 each, and half of that: 90", _house(), CAPACITY,
             {"value": {"points": 90, "length_mm": 457.2, "per_inch": 10}}),
    Scenario("structure-capacity", "no", "what no material is told of cannot be counted",
             field(terrain=[box("h", "structure", 300, 200, 400, 300, height_mm=60)]), CAPACITY,
             {"status": "unknown", "needs": ["material of h"]}),
    Scenario("structure-capacity", "edge", "a wall of 1.9 in at 5 an inch: 9.5 points are 10",
             field(terrain=[box("h", "wall", 300, 200, 348.26, 210, height_mm=20, material="wood")]), CAPACITY,
             {"value": {"points": 10, "length_mm": 48.26}}, exactly="half a point rounds up"),
    Scenario("structure-collapse", "yes", "inside by 15 + 20; stone of two levels hits with 2 * 18", _house(320,
             floors=2),
             COLLAPSE, {"members": [{"id": "m", "answer": "yes", "margin_mm": 35.0}], "value": {"power": 36}}),
    Scenario("structure-collapse", "no", "215 - 300 = -85", _house(), COLLAPSE,
             {"members": [{"id": "m", "answer": "no", "margin_mm": -85.0}], "value": {"ruin": {"kind": "ruin"}}}),
    Scenario("structure-collapse", "edge", "its rim touches the wall from outside", _house(285), COLLAPSE,
             {"members": [{"id": "m", "answer": "no", "margin_mm": 0.0}]}, exactly="base against wall"),
    Scenario("entryway", "yes", "38 - 30 = 8", _door(38, 30, 40), DOOR, {"answer": "yes", "margin_mm": 8.0}),
    Scenario("entryway", "no", "26 - 30 = -4", _door(26), DOOR, {"answer": "no", "margin_mm": -4.0}),
    Scenario("entryway", "edge", "30 - 30 = 0", _door(30, 30), DOOR, {"answer": "yes", "margin_mm": 0.0}),
    Scenario("structure-in-spray", "yes", "the template reaches 310 - 300 = 10 into the house", _house(),
             {**SPRAY, "outline_mm": _flame(310)}, {"answer": "yes", "value": {"structures": ["h"]}}),
    Scenario("structure-in-spray", "no", "it ends 10 before the house, and 2 off the base it comes from",
             _house(198), {**SPRAY, "outline_mm": _flame(290)}, {"answer": "no", "value": {"structures": []}}),
    Scenario("structure-in-spray", "edge", "it ends at 300, where the house begins", _house(),
             {**SPRAY, "outline_mm": _flame(300)}, {"value": {"structures": ["h"]}}, exactly="template against wall"),
)  # fmt: skip


def _placed(y: float, *abilities: str) -> Any:
    """m of 30; its side's edge is the near one, and the player's zone 10 in or 254 deep."""
    sides = [{"id": "red", "edge": "near", "first": True}, {"id": "blue", "edge": "far"}]
    return field(mini("m", 600, y, side="red", abilities=list(abilities)), sides=sides)


DEPLOY = {"kind": "deployment", "who": "m"}
SET_UP = (
    Scenario("deployment", "yes", "254 - (200 + 15) = 39, for the first player too", _placed(200), DEPLOY,
             {"answer": "yes", "margin_mm": 39.0}),
    Scenario("deployment", "no", "254 - (250 + 15) = -11", _placed(250), DEPLOY, {"answer": "no", "margin_mm": -11.0}),
    Scenario("deployment", "edge", "6 in beyond 10 in for who has the ability: 406.4 - 391.4 - 15",
             _placed(391.4, "advance-deployment"), DEPLOY, {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip
SCENARIOS = (*GROUND, *STRUCTURES, *SET_UP)
