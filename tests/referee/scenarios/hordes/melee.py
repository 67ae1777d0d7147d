"""Melee, locks, power attacks and throws where this book differs."""

from typing import Any

from tests.referee.scenario import Scenario
from tests.referee.scenarios.hordes.field import field
from tests.referee.tables import box, mini


def _levels(height: float, x: float) -> Any:
    """a of 30 at 300 strikes along +x at t of 30 on ground of this height; a blade of 1 in reaches 25.4."""
    a = mini("a", 300, 300, side="red", reach=1, elevation_mm=0)
    return field(a, mini("t", x, 300, 180, side="blue", elevation_mm=height))


REACH = {"kind": "melee-range", "attacker": "a", "target": "t"}
BLOWS = (
    Scenario("melee-range", "yes", "up to 25.4 of height nothing is added: 25.4 - (345 - 330) = 10.4", _levels(20, 345),
             REACH, {"answer": "yes", "margin_mm": 10.4, "value": {"height_mm": 20.0}}),
    Scenario("melee-range", "no", "40 up and 30 off are 50 in space: 25.4 - 50", _levels(40, 360), REACH,
             {"answer": "no", "margin_mm": -24.6, "value": {"height_mm": 40.0}}),
    Scenario("melee-range", "edge", "25.4 up is no height, and 355.4 - 330 = 25.4", _levels(25.4, 355.4), REACH,
             {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip


def _held(dx: float, *status: str) -> Any:
    """a holds t by the head; t stands this far from where it stood before."""
    held = {"before": {"at_mm": [340 - dx, 300]}, "lock": {"kind": "headlock", "partner": "a", "holder": False}}
    a = mini("a", 300, 300, mm=40, lock={"kind": "headlock", "partner": "t", "holder": True}, status=list(status))
    return field(a, mini("t", 340, 300, 180, mm=40, **held))


LOCK = {"kind": "lock", "attacker": "a", "target": "t"}
LOCKS = (
    Scenario("lock", "yes", "0.5 may be error: 0.5 - 0.2", _held(0.2), LOCK,
             {"answer": "yes", "margin_mm": 0.3, "value": {"may_move": False, "broken_by": []}}),
    Scenario("lock", "no", "0.5 - 10.5: it was moved", _held(10.5), LOCK,
             {"answer": "no", "margin_mm": -10.0, "value": {"may_move": True, "broken_by": ["t moved"]}}),
    Scenario("lock", "edge", "0.5 - 0.5", _held(0.5), LOCK, {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip


def _beasts(x: float, *, them: float = 40, **more: Any) -> Any:
    """A warbeast of 40 at 300 and a target of this size at x; power attacks reach 12.7."""
    beast = mini("a", 300, 300, mm=40, side="red", type="warbeast", **more)
    return field(beast, mini("t", x, 300, 180, mm=them, side="blue"))


BUTT = {"kind": "power-attack", "attacker": "a", "target": "t", "attack": "head-butt"}
POWERS = (
    Scenario("power-attack-legal", "yes", "12.7 - (345 - 340) = 7.7, even with a reach of 2 in", _beasts(345, reach=2),
             BUTT, {"answer": "yes", "margin_mm": 7.7}),
    Scenario("power-attack-legal", "no", "12.7 - (360 - 340) = -7.3, even with a reach of 2 in", _beasts(360, reach=2),
             BUTT, {"answer": "no", "margin_mm": -7.3}),
    Scenario("power-attack-legal", "edge", "352.7 - 340 = 12.7", _beasts(352.7), BUTT,
             {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip

THROW = {"kind": "throw", "attacker": "a", "target": "t"}


def _thrown(*others: dict[str, Any], me: float = 50, it: float = 40, **more: Any) -> Any:
    """a of strength 10 at 300, 600 and t beside it at 350, 600: away is +x, half the strength is 5 in or 127."""
    a = mini("a", 300, 600, mm=me, side="red", type="warbeast", profile={"strength": 10})
    return field(a, mini("t", 350, 600, 180, mm=it, side="blue"), *others, **more)


def _aimed(x: float) -> Any:
    return _thrown(mini("g", x, 600, 180, mm=30, side="blue"))


DIRECTIONS = (
    Scenario("throw-direction-legal", "yes", "90 - 70 = 20", _thrown(), {**THROW, "heading_deg": 70},
             {"answer": "yes", "margin_deg": 20.0, "value": {"fan_deg": [-90.0, 90.0]}}),
    Scenario("throw-direction-legal", "no", "90 - 120 = -30", _thrown(), {**THROW, "heading_deg": 120},
             {"answer": "no", "margin_deg": -30.0}),
    Scenario("throw-direction-legal", "edge", "square to the line between them", _thrown(), {**THROW,
             "heading_deg": 90},
             {"answer": "yes", "margin_deg": 0.0}),
    Scenario("throw-distance", "yes", "a large base throws a small one 127 + 25.4", _thrown(it=30),
             {**THROW, "heading_deg": 0}, {"answer": "yes", "value": {"distance_mm": 152.4}}),
    Scenario("throw-distance", "no", "no farther than 127 for a medium one, and not backward", _thrown(),
             {**THROW, "heading_deg": 180}, {"answer": "no", "value": {"distance_mm": 127.0}}),
    Scenario("throw-distance", "edge", "a base counted as small is thrown as one",
             field(mini("a", 300, 600, mm=50, type="warbeast", profile={"strength": 10}), mini("t", 350, 600, 180,
             mm=30)),
             {**THROW, "heading_deg": 90}, {"answer": "yes", "margin_deg": 0.0, "value": {"distance_mm": 152.4}}),
    Scenario("throw-deviation", "yes", "aimed at 350 + 20 + 127 = 497; direction 4 takes 50.8 back from there",
             _thrown(), {**THROW, "heading_deg": 0, "dice": {"direction": 4, "distance": 2}},
             {"answer": "yes", "value": {"start_mm": [497, 600], "cap_mm": 63.5, "point_mm": [446.2, 600]}}),
    Scenario("throw-deviation", "no", "a throw backward is none, whatever it would stray by", _thrown(),
             {**THROW, "heading_deg": 180, "dice": {"direction": 1, "distance": 1}}, {"answer": "no"}),
    Scenario("throw-deviation", "edge", "3 in are 76.2, but never more than 127 / 2 = 63.5: 497 + 63.5", _thrown(),
             {**THROW, "heading_deg": 0, "dice": {"direction": 1, "distance": 3}},
             {"value": {"cap_mm": 63.5, "point_mm": [560.5, 600]}}, exactly="half the throw"),
    Scenario("throw-path", "yes", "over a small base and a low wall to 480",
             _thrown(mini("b", 420, 600, mm=30), terrain=[box("w", "wall", 440, 500, 445, 700, height_mm=20)]),
             {**THROW, "heading_deg": 0, "point_mm": [500, 600]},
             {"answer": "yes", "value": {"travelled_mm": 150.0, "stopped_by": None, "extra_die": False}}),
    Scenario("throw-path", "no", "stopped where its rim meets a base as large: 440 - 40 = 400, 50 on; not backward",
             _thrown(mini("b", 260, 600, mm=40)), {**THROW, "heading_deg": 180, "point_mm": [200, 600]},
             {"answer": "no", "value": {"stopped_by": "b"}}),
    Scenario("throw-path", "edge", "it ends just touching a base as large at 440: knocked down, and a die more",
             _thrown(mini("b", 440, 600, mm=40)), {**THROW, "heading_deg": 0, "point_mm": [400, 600]},
             {"value": {"travelled_mm": 50.0, "extra_die": True, "collateral": ["b"]}}, exactly="base to base"),
    Scenario("double-hand-throw-path", "yes", "127 - (480 - 350 - 20 - 15 = 95) = 32; a hit ends 35 before its middle",
             _aimed(480), {**THROW, "at": "g", "hands": 2, "hit": True},
             {"answer": "yes", "margin_mm": 32.0, "value": {"travelled_mm": 95.0, "poses": {"t": {"at_mm": [445,
             600]}}}}),
    Scenario("double-hand-throw-path", "no", "127 - (532 - 385 = 147) = -20: from 497 it strays like any other",
             _aimed(532), {**THROW, "at": "g", "hands": 2, "dice": {"direction": 1, "distance": 1}},
             {"answer": "no", "margin_mm": -20.0, "value": {"start_mm": [497, 600], "point_mm": [522.4, 600]}}),
    Scenario("double-hand-throw-path", "edge",
             "512 - 385 = 127; a miss strays by half of what parts them, 142 / 2 = 71",
             _aimed(512), {**THROW, "at": "g", "hands": 2, "hit": False, "dice": {"direction": 1, "distance": 3}},
             {"answer": "yes", "margin_mm": 0.0, "value": {"cap_mm": 71.0, "point_mm": [583, 600]}}),
)  # fmt: skip


def _beast(x: float, *others: dict[str, Any]) -> Any:
    """A frenzied warbeast of 40 at 300 looks along +x, its own reach of half an inch being 12.7."""
    beast = mini("a", 300, 300, mm=40, side="red", type="warbeast", status=["frenzied"], profile={"spd_in": 5})
    return field(beast, mini("t", x, 300, 180, side="blue", reach=2), *others)


FRENZY = {"kind": "frenzy", "who": "a"}
FRENZIES = (
    Scenario("frenzy-target", "yes", "345 - 335 = 10 of 12.7: it attacks the foe, not the friend 5 off",
             _beast(345, mini("f", 300, 340, side="red")), FRENZY, {"value": {"target": "t", "mode": "attack"}}),
    Scenario("frenzy-target", "no", "360 - 335 = 25 is out of its reach, and in the foe's of 50.8: it advances at him",
             _beast(360, mini("f", 300, 348, side="red")), FRENZY, {"value": {"target": "t", "mode": "advance"}}),
    Scenario("frenzy-target", "edge", "347.7 - 335 = 12.7", _beast(347.7), FRENZY,
             {"value": {"target": "t", "mode": "attack"}}, exactly="its melee range"),
)  # fmt: skip
SCENARIOS = (*BLOWS, *LOCKS, *POWERS, *DIRECTIONS, *FRENZIES)
