"""Moving, charging, climbing and falling where this book differs."""

from typing import Any

from tests.referee.scenario import Scenario
from tests.referee.scenarios.hordes.field import field
from tests.referee.tables import box, mini


def _mover(*others: dict[str, Any], x: float = 300, speed: float = 6, **more: Any) -> Any:
    """m of 30 at x, 300; 6 in are 152.4."""
    terrain, units = more.pop("terrain", []), more.pop("units", [])
    profile = more.pop("profile", {}) | {"spd_in": speed}
    return field(mini("m", x, 300, side="red", profile=profile, **more), *others, terrain=terrain, units=units)


def _go(length: float, **more: Any) -> dict[str, Any]:
    return {"kind": "move", "mover": "m", "heading_deg": 0, "distance_in": length / 25.4, **more}


def _ghost(width: float) -> Any:
    """A block from 340, this wide, before an incorporeal model."""
    return _mover(
        abilities=["incorporeal"], terrain=[box("w", "obstruction", 340, 200, 340 + width, 400, height_mm=60)]
    )


GOING = (
    Scenario("incorporeal-move", "yes", "through to 440: 440 - 15 - 380 = 45 beyond; 152.4 - 140 = 12.4 left",
             _ghost(40),
             _go(140), {"answer": "yes", "margin_mm": 12.4}),
    Scenario("incorporeal-move", "no", "at 400 its rim is still 400 - 15 - 410 = -25 inside", _ghost(70), _go(100),
             {"answer": "no"}),
    Scenario("incorporeal-move", "edge", "at 440 its rim just leaves a block that ends at 425", _ghost(85), _go(140),
             {"answer": "yes", "margin_mm": 12.4}, exactly="it ends touching the block"),
    Scenario("light-cavalry-move", "yes", "127 - 100 = 27", _mover(abilities=["light-cavalry"]),
             _go(100, manner="light-cavalry"), {"answer": "yes", "margin_mm": 27.0}),
    Scenario("light-cavalry-move", "no", "127 - 130 = -3, whatever its speed",
             _mover(abilities=["light-cavalry"], speed=9),
             _go(130, manner="light-cavalry"), {"answer": "no", "margin_mm": -3.0}),
    Scenario("light-cavalry-move", "edge", "5 in are 127", _mover(abilities=["light-cavalry"]),
             _go(127, manner="light-cavalry"), {"answer": "yes", "margin_mm": 0.0}),
    Scenario("ride-by", "yes", "152.4 - 140 = 12.4 for both parts together", _mover(abilities=["cavalry"]),
             _go(140, manner="ride-by"), {"answer": "yes", "margin_mm": 12.4}),
    Scenario("ride-by", "no", "152.4 - 160 = -7.6", _mover(abilities=["cavalry"]), _go(160, manner="ride-by"),
             {"answer": "no", "margin_mm": -7.6}),
    Scenario("ride-by", "edge", "6 in are 152.4", _mover(abilities=["cavalry"]), _go(152.4, manner="ride-by"),
             {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip


def _toward(x: float) -> dict[str, Any]:
    path = [[300, 300], [x, 300]]
    return {"kind": "toward-away", "mover": "m", "path_mm": path, "restrictions": [{"way": "toward", "of": "t"}]}


def _fleeing(path: list[list[float]]) -> dict[str, Any]:
    return {"kind": "flee", "mover": "m", "path_mm": path}


_FOE = mini("t", 400, 360, side="blue")
RESTRICTED = (
    Scenario("restricted-move", "yes", "nearest to it at 400; 400 - 380 = 20", _mover(_FOE), _toward(380),
             {"answer": "yes", "margin_mm": 20.0}),
    Scenario("restricted-move", "no", "400 - 430 = -30: past it the distance grows", _mover(_FOE), _toward(430),
             {"answer": "no", "margin_mm": -30.0, "value": {"first_break_mm": 100.0}}),
    Scenario("restricted-move", "edge", "at 400 the distance shrinks no more", _mover(_FOE), _toward(400),
             {"answer": "no", "margin_mm": 0.0}),
    Scenario("flee-path", "yes", "the foe lies 100 to the other side of every step; 304.8 - 250 = 54.8 of a run left",
             _mover(_FOE), _fleeing([[300, 300], [50, 300]]), {"answer": "yes", "margin_mm": 54.8}),
    Scenario("flee-path", "no", "its nearest to the foe is 100 on: -100", _mover(_FOE), _fleeing([[300, 300], [380,
             300]]),
             {"answer": "no", "margin_mm": -100.0, "value": {"first_break_mm": 0.0}}),
    Scenario("flee-path", "edge", "straight across the line to a foe at 400, 300", _mover(mini("t", 400, 300,
             side="blue")),
             _fleeing([[300, 300], [300, 200]]), {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip


def _dais(left: float) -> Any:
    """A platform of earth 20 tall and 200 thick whose near side is at `left`; the front of m is at 315."""
    return _mover(terrain=[box("w", "obstacle", left, 200, left + 200, 400, height_mm=20)])


def _climb(length: float) -> dict[str, Any]:
    return {"kind": "climb", "mover": "m", "feature": "w", "heading_deg": 0, "distance_in": length / 25.4}


CLIMBING = (
    Scenario("climb", "yes", "contact after 340 - 315 = 25; 100 - 25 - 50.8 = 24.2; 25.4 on at 350.4, and 24.2 more",
             _dais(340), _climb(100),
             {"answer": "yes", "margin_mm": 24.2, "value": {"contact_mm": 25.0, "poses": {"m": {"at_mm": [374.6,
             300]}}}}),
    Scenario("climb", "no", "60 - 25 - 50.8 = -15.8", _dais(340), _climb(60), {"answer": "no", "margin_mm": -15.8}),
    Scenario("climb", "edge", "75.8 - 25 - 50.8 = 0", _dais(340), _climb(75.8), {"answer": "yes", "margin_mm": 0.0}),
    Scenario("obstruction", "yes", "incorporeal it passes a block that ends at 360: 360 + 15 - 300 = 75 of 152.4",
             _mover(abilities=["incorporeal"], terrain=[box("w", "obstruction", 340, 200, 360, 400, height_mm=60)]),
             {"kind": "cross-obstacle", "mover": "m", "feature": "w", "heading_deg": 0},
             {"answer": "yes", "margin_mm": 77.4, "value": {"needed_mm": 75.0}}),
    Scenario("obstruction", "no", "nobody else moves through 25.4 of height or more",
             _mover(terrain=[box("w", "wall", 340, 200, 360, 400, height_mm=40)]),
             {"kind": "cross-obstacle", "mover": "m", "feature": "w", "heading_deg": 0}, {"answer": "no"}),
    Scenario("obstruction", "edge", "a wall of exactly an inch is an obstruction",
             _mover(terrain=[box("w", "wall", 340, 200, 360, 400, height_mm=25.4)]),
             {"kind": "cross-obstacle", "mover": "m", "feature": "w", "heading_deg": 0}, {"answer": "no"},
             exactly="an inch tall"),
)  # fmt: skip


def _ledge(height: float = 76.2) -> Any:
    """A roof from 200 to 400; m stands on it at 300."""
    return _mover(terrain=[box("w", "platform", 200, 200, 400, 400, height_mm=height)])


def _shoved(x: float) -> dict[str, Any]:
    return {"kind": "fall", "mover": "m", "path_mm": [[300, 300], [x, 300]]}


FALLING = (
    Scenario("fall", "yes", "at 395 the roof reaches 20 under it: 25.4 - 20 = 5.4 short; 3 in down cost two dice",
             _ledge(), _shoved(395),
             {"answer": "yes", "margin_mm": 5.4, "value": {"drop_mm": 76.2, "dice": {"count": 2, "plus": 10}}}),
    Scenario("fall", "no", "at 385 it reaches 30 under it: 25.4 - 30", _ledge(), _shoved(385),
             {"answer": "no", "margin_mm": -4.6}),
    Scenario("fall", "edge", "400 - 389.6 + 15 = 25.4 of ground are enough", _ledge(), _shoved(389.6),
             {"answer": "no", "margin_mm": 0.0}),
)  # fmt: skip


def _charger(x: float = 450, *, mine: str = "red", y: float = 300, **more: Any) -> Any:
    """a of speed 6 and reach 12.7 at 300 looks along +x at t of 30; it charges 6 + 3 in, or 228.6."""
    a = mini("a", 300, 300, side="red", reach=0.5, profile={"spd_in": 6} | more.pop("card", {}))
    terrain = more.pop("terrain", [])
    return field(a, mini("t", x, y, 180, side=mine, reach=0.5), terrain=terrain)


CHARGE = {"kind": "charge", "attacker": "a", "target": "t", "heading_deg": 0}
_POND = box("w", "deep-water", 314, 200, 340, 400)
CHARGES = (
    Scenario("charge-legal", "yes", "a friend may be charged", _charger(mine="red"), {**CHARGE, "step": "declare"},
             {"answer": "yes"}),
    Scenario("charge-legal", "no", "a penalty to speed forbids it, a bonus does not make up for it",
             _charger(mine="blue", card={"spd_penalty_in": 1, "spd_bonus_in": 2}), {**CHARGE, "step": "declare"},
             {"answer": "no"}),
    Scenario("charge-legal", "edge", "its rim at 315 touches deep water that begins there",
             _charger(mine="blue", terrain=[box("w", "deep-water", 315, 200, 340, 400)]), {**CHARGE, "step": "declare"},
             {"answer": "no"}, exactly="it touches the water"),
    Scenario("charge-outcome", "yes", "in reach from 500 - 42.7 = 457.3, 157.3 on; of 228.6 there are 71.3 left",
             _charger(500, mine="blue"), {**CHARGE, "step": "outcome"}, {"answer": "yes", "margin_mm": 71.3}),
    Scenario("charge-outcome", "no", "35 aside it slips away 150 + the root of 15² - 7.3² = 163.1 on: 200 is 36.9 past",
             _charger(mine="blue", y=335), {**CHARGE, "step": "outcome", "stop_after_in": 200 / 25.4},
             {"answer": "no", "margin_mm": -36.9}),
    Scenario("charge-outcome", "edge", "571.3 - 42.7 = 528.6, just 228.6 on", _charger(571.3, mine="blue"),
             {**CHARGE, "step": "outcome"}, {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip
SCENARIOS = (*GOING, *RESTRICTED, *CLIMBING, *FALLING, *CHARGES)
