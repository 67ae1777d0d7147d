"""Charges, slams, throws, flight and ground of the first edition. An inch is 25.4."""

import math
from typing import Any

from tests.referee.scenario import Scenario
from tests.referee.scenarios.first.field import field
from tests.referee.tables import box, mini

SLIM = math.sqrt(1 - 0.075**2)  # of t, 15 wide at 200: the cosine of the angle whose sine is 0.075


def _charger(x: float = 500, *others: dict[str, Any], terrain: Any = (), y: float = 300, **card: Any) -> Any:
    """a of speed 6 and reach 12.7 at 300 looks along +x at t of 30: in reach when 42.7 lie between; 9 in are 228.6."""
    a = mini("a", 300, 300, side="red", reach=0.5, profile={"spd_in": 6} | card)
    return field(a, mini("t", x, y, 180, side="blue", reach=0.5), *others, terrain=list(terrain))


def _bog(left: float, kind: str = "rough") -> list[dict[str, Any]]:
    return [box("w", kind, left, 200, left + 60, 400)]


def _stander(aside: float) -> Any:
    """One of 50 half way, 100 on, where the lines from the centre of a to t reach 7.5 to either side."""
    return _charger(500, mini("b", 400, 300 + aside, mm=50, side="blue"))


CHARGE = {"kind": "charge", "attacker": "a", "target": "t", "heading_deg": 0}
DECLARE, HEAD = {**CHARGE, "step": "declare"}, {**CHARGE, "step": "heading"}
COMES, BLOW = {**CHARGE, "step": "outcome"}, {**CHARGE, "step": "attack"}
CHARGES = (
    Scenario("charge-legal/declare", "yes", "a penalty to speed forbids no charge, nor does distance",
             _charger(1100, spd_penalty_in=2), DECLARE, {"answer": "yes"}),
    Scenario("charge-legal/declare", "no", "no line from the centre is clear: 7.5 - 25", _stander(0), DECLARE,
             {"answer": "no", "margin_mm": -17.5}),
    Scenario("charge-legal/declare", "edge", "(25 - 7.5) / 0.9972 aside a line grazes the base", _stander(17.5 / SLIM),
             DECLARE, {"answer": "yes", "margin_mm": 0.0}),
    Scenario("charge-legal/heading", "yes", "42.7 - 30 aside, whatever lies between", _charger(y=330), HEAD,
             {"answer": "yes", "margin_mm": 12.7}),
    Scenario("charge-legal/heading", "no", "42.7 - 50", _charger(y=350), HEAD, {"answer": "no", "margin_mm": -7.3}),
    Scenario("charge-legal/heading", "edge", "15 + 12.7 + 15 aside", _charger(y=342.7), HEAD,
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("charge-legal/path", "yes", "in reach after 157.3; the bog is touched after 480 - 315 = 165, and stops it",
             _charger(terrain=_bog(480)), COMES, {"answer": "yes", "value": {"stop_mm": [157.3, 165.0]}}),
    Scenario("charge-legal/path", "no", "450 - 315 = 135 of 157.3", _charger(terrain=_bog(450)), COMES,
             {"answer": "no", "margin_mm": -22.3, "value": {"travelled_mm": 135.0, "stopped_by": "w"}}),
    Scenario("charge-legal/path", "edge", "571.3 - 42.7 = 528.6, just 228.6 on", _charger(571.3), COMES,
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("charge-attack", "yes", "to contact 500 - 330 = 170; 170 - 76.2", _charger(), BLOW,
             {"answer": "yes", "margin_mm": 93.8}),
    Scenario("charge-attack", "no", "to contact 70; 70 - 76.2", _charger(400), BLOW,
             {"answer": "no", "margin_mm": -6.2}),
    Scenario("charge-attack", "edge", "to contact 76.2, which are 3 in", _charger(406.2), BLOW,
             {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip


def _assault(x: float, **turn: Any) -> Any:
    """a has charged t, and its gun of 8 in, or 203.2, follows."""
    told = {"moved": ["charge"], "charged": "t", **turn}
    a = mini("a", 300, 300, side="red", reach=0.5, gun=8, abilities=["assault"], this_turn=told)
    return field(a, mini("t", x, 300, 180, side="blue"))


def _jack(x: float, *, mm: float = 40, terrain: Any = (), **more: Any) -> Any:
    """A warjack of 40 and speed 5 at 300: 8 in are 203.2; in reach of a base of 40 when 52.7 lie between."""
    a = mini("a", 300, 300, mm=40, side="red", type="warjack", profile={"spd_in": 5})
    return field(a, mini("t", x, 300, 180, mm=mm, side="blue", **more), terrain=list(terrain))


ASSAULT = {"kind": "assault", "attacker": "a", "target": "t"}
SLAM = {"kind": "slam", "attacker": "a", "target": "t", "dice": {"slam": 4}}
RUSHES = (
    Scenario("assault-sequence", "yes", "the charge failed, and the shot is made: 203.2 - 170", _assault(500), ASSAULT,
             {"answer": "yes", "margin_mm": 33.2, "value": {"order": ["move", "terror", "ranged", "melee"]}}),
    Scenario("assault-sequence", "no", "it began in melee with that model", _assault(500, engaged_before=["t"]),
             ASSAULT,
             {"answer": "no"}),
    Scenario("assault-sequence", "edge", "533.2 - 330 = 203.2", _assault(533.2), ASSAULT,
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("slam-path", "yes", "in reach after 500 - 352.7 = 147.3; 203.2 - 147.3; to contact 160, so it is whole",
             _jack(500), SLAM, {"answer": "yes", "margin_mm": 55.9, "value": {"full": True, "bonus": -2}}),
    Scenario("slam-path", "no", "the bog is touched after 430 - 320 = 110 of 147.3", _jack(500, terrain=_bog(430)),
             SLAM,
             {"answer": "no", "margin_mm": -37.3, "value": {"stopped_by": "w"}}),
    Scenario("slam-path", "edge", "555.9 - 352.7 = 203.2", _jack(555.9), SLAM, {"answer": "yes", "margin_mm": 0.0}),
    Scenario("slammed-path", "yes", "4 in are 101.6, from 500", _jack(500), SLAM,
             {"value": {"slammed": {"travelled_mm": 101.6, "knocked_down": ["t"],
              "poses": {"t": {"at_mm": [601.6, 300]}}}}}),
    Scenario("slammed-path", "no", "a larger base goes half as far, and costs 4 on the roll", _jack(500, mm=50), SLAM,
             {"value": {"bonus": -4, "slammed": {"travelled_mm": 50.8, "poses": {"t": {"at_mm": [550.8, 300]}}}}}),
    Scenario("slammed-path", "edge", "to contact 416.2 - 340 = 76.2: 3 in are enough", _jack(416.2), SLAM,
             {"value": {"full": True, "slammed": {"travelled_mm": 101.6}}}, exactly="3 in of approach"),
)  # fmt: skip


def _thrown(*others: dict[str, Any], it: float = 40, **more: Any) -> Any:
    """a of strength 10 on 50 holds t beside it at 350, 600: away is +x; half the strength is 127."""
    a = mini("a", 300, 600, mm=50, side="red", type="warjack", profile={"strength": 10})
    return field(a, mini("t", 350, 600, 180, mm=it, side="blue"), *others, **more)


def _aimed(x: float) -> Any:
    return _thrown(mini("g", x, 600, 180, side="blue"))


THROW = {"kind": "throw", "attacker": "a", "target": "t", "heading_deg": 0}
AT = {"kind": "throw", "attacker": "a", "target": "t", "at": "g", "hands": 2}
THROWS = (
    Scenario("throw-path", "yes", "a large base throws a small one an inch farther; a low wall is no matter",
             _thrown(it=30, terrain=[box("w", "wall", 440, 500, 445, 700, height_mm=20)]),
             {**THROW, "point_mm": [500, 600]},
             {"answer": "yes", "value": {"distance_mm": 152.4, "travelled_mm": 150.0, "stopped_by": None}}),
    Scenario("throw-path", "no", "toward the thrower is not away", _thrown(), {**THROW, "heading_deg": 180},
             {"answer": "no", "margin_deg": -90.0}),
    Scenario("throw-path", "edge", "square to the line between them; stopped where the table ends, 1219.2 - 20",
             _thrown(), {**THROW, "heading_deg": 90, "point_mm": [350, 1300]},
             {"answer": "yes", "margin_deg": 0.0, "value": {"poses": {"t": {"at_mm": [350, 1199.2]}}}}),
    Scenario("double-hand-throw-path", "yes", "127 - (480 - 350 - 35); it ends touching, 35 before",
             _aimed(480), {**AT, "hit": True},
             {"answer": "yes", "margin_mm": 32.0, "value": {"poses": {"t": {"at_mm": [445, 600]}}}}),
    Scenario("double-hand-throw-path", "no", "127 - (532 - 385)", _aimed(532), AT, {"answer": "no",
             "margin_mm": -20.0}),
    Scenario("double-hand-throw-path", "edge", "512 - 385 = 127", _aimed(512), AT, {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip


def _runner(x: float = 1100) -> Any:
    return field(mini("m", x, 300, side="red", profile={"spd_in": 6}))


def _off(to: float, cause: str) -> dict[str, Any]:
    return {"kind": "table-edge", "mover": "m", "path_mm": [[1100, 300], [to, 300]], "cause": cause}


def _wall(height: float, thick: float) -> Any:
    return field(terrain=[box("w", "wall", 300, 200, 300 + thick, 400, height_mm=height)])


def _fleeing(*others: Any, **more: Any) -> Any:
    """m of 30 flees from 600, 600 with 12 in to run; its own edge is at y = 0."""
    me = mini("m", 600, 600, side="red", profile={"spd_in": 6}, status=["fleeing"])
    return field(me, *others, sides=[{"id": "red", "edge": "near"}, {"id": "blue", "edge": "far"}], **more)


def _foe(x: float, y: float) -> Any:
    return mini("e", x, y, 270, side="blue", reach=2)


FLEES = {"kind": "flee", "mover": "m"}
FLIGHTS = (
    Scenario("flee-path", "yes", "304.8 straight to its own edge, from a foe behind it", _fleeing(_foe(600, 800)),
             FLEES,
             {"value": {"result": "flees", "heading_deg": 270.0, "poses": {"m": {"at_mm": [600, 295.2]}}}}),
    Scenario("flee-path", "no", "its nearest to the foe is 120 on: 3/5 of 200", _fleeing(_foe(600, 800)),
             {**FLEES, "path_mm": [[600, 600], [700, 675]]}, {"answer": "no", "margin_mm": -120.0}),
    Scenario("flee-path", "edge", "square to the line to the foe it comes no nearer", _fleeing(_foe(600, 800)),
             {**FLEES, "path_mm": [[600, 600], [800, 600]]}, {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip
CLASS = {"kind": "terrain-class", "feature": "w"}
GROUND = (
    Scenario("table-edge", "yes", "fleeing, its rim passes 1219.2: it is out of the game", _runner(),
             _off(1300, "flee"), {"value": {"result": "removed"}}),
    Scenario("table-edge", "no", "whatever else takes it there, it stops at 1219.2 - 15", _runner(),
             _off(1300, "involuntary"), {"value": {"result": "stops", "poses": {"m": {"at_mm": [1204.2, 300]}}}}),
    Scenario("table-edge", "edge", "fleeing just to the edge it is still on the table", _runner(), _off(1204.2, "flee"),
             {"value": {"result": "stays"}}, exactly="its rim on the edge"),
    Scenario("terrain-class", "yes", "20 tall and 10 thick: crossed whole", _wall(20, 10), CLASS,
             {"value": {"counts_as": "linear-obstacle"}}),
    Scenario("terrain-class", "no", "40 tall: an obstruction", _wall(40, 10), CLASS,
             {"value": {"counts_as": "obstruction"}}),
    Scenario("terrain-class", "edge", "up to an inch tall: one of exactly 25.4 is crossed whole", _wall(25.4, 10),
             CLASS,
             {"value": {"counts_as": "linear-obstacle"}}, exactly="an inch tall"),
)  # fmt: skip
SCENARIOS = (*CHARGES, *RUSHES, *THROWS, *FLIGHTS, *GROUND)
