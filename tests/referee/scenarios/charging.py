"""Charges and power attacks: who gets where, and where it sends the others."""

from typing import Any

from tests.referee.scenario import Scenario
from tests.referee.tables import mini, table

INCH = 25.4
FIST = {"melee": [{"name": "Fist", "reach_in": 0.5, "rules": ["open-fist"]}]}


def _charge(gap: float, *others: dict[str, Any], y: float = 600, facing: float = 0, **them: Any) -> Any:
    """a of 30 mm at 300 with speed 6 and an inch of reach; t of 30 mm, whose edge is so far away along +x.

    A charge goes 9 in, 228.6 mm.
    """
    attacker = mini("a", 300, 600, facing, side="red", reach=1, profile={"spd_in": 6})
    return table(attacker, mini("t", 330 + gap, y, 180, side="blue", **them), *others)


def _asks(step: str = "outcome", heading: float | None = 0) -> dict[str, Any]:
    told = {} if heading is None else {"heading_deg": heading}
    return {"kind": "charge", "attacker": "a", "target": "t", "step": step, **told}


CHARGES = (
    Scenario("charge-declare", "yes", "in front and in sight, however far", _charge(800), _asks("declare"),
             {"answer": "yes"}),
    Scenario("charge-declare", "no", "all of it lies behind, 300 - 340 + 15 = -25 from the arc line",
             _charge(10, facing=180), _asks("declare"), {"answer": "no", "margin_mm": -25.0}),
    Scenario("charge-declare", "edge", "its edge just reaches the arc line", _charge(-15, y=700, facing=180),
             _asks("declare"), {"answer": "yes", "margin_mm": 0.0}),
    Scenario("charge-direction", "yes", "passing 50 beside it: 30 + 25.4 - 50 = 5.4 in reach", _charge(300, y=650),
             _asks("heading"), {"answer": "yes", "margin_mm": 5.4}),
    Scenario("charge-direction", "no", "passing 60 beside it", _charge(300, y=660), _asks("heading"),
             {"answer": "no", "margin_mm": -4.6}),
    Scenario("charge-direction", "edge", "passing 55.4 beside it", _charge(300, y=655.4), _asks("heading"),
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("charge-legal", "yes", "in reach after 200 - 25.4 = 174.6; 228.6 - 174.6 = 54", _charge(200), _asks(),
             {"answer": "yes", "margin_mm": 54.0, "value": {"stop_mm": [174.6, 200.0], "travelled_mm": 200.0}}),
    Scenario("charge-legal", "no", "260 - 25.4 = 234.6 of 228.6", _charge(260), _asks(),
             {"answer": "no", "margin_mm": -6.0}),
    Scenario("charge-legal", "edge", "254 - 25.4 = 228.6", _charge(254), _asks(), {"answer": "yes", "margin_mm": 0.0}),
    Scenario("charge-attack-3in", "yes", "it goes 100 to contact; 100 - 76.2 = 23.8", _charge(100), _asks("attack"),
             {"answer": "yes", "margin_mm": 23.8}),
    Scenario("charge-attack-3in", "no", "it touches after 70", _charge(70), _asks("attack"),
             {"answer": "no", "margin_mm": -6.2}),
    Scenario("charge-attack-3in", "edge", "it touches after 76.2", _charge(76.2), _asks("attack"),
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("charge-end-facing", "yes", "straight at it: it looks along +x", _charge(100), _asks(),
             {"answer": "yes", "value": {"poses": {"a": {"at_mm": [400.0, 600.0], "facing_deg": 0.0}}}}),
    Scenario("charge-end-facing", "no", "it falls short and still turns to it", _charge(300), _asks(),
             {"answer": "no", "value": {"poses": {"a": {"at_mm": [528.6, 600.0], "facing_deg": 0.0}}}}),
    Scenario("charge-end-facing", "edge", "beside it after contact: bases 24 up and 18 on, 30 apart, so 53.13 degrees",
             _charge(100, y=624), _asks(), {"answer": "yes", "value": {"poses": {"a": {"facing_deg": 53.13}}}},
             exactly="the two bases touch"),
)  # fmt: skip

THREAT = {"kind": "threat-range", "attacker": "a", "target": "t"}
THREATS = (
    Scenario("threat-range", "yes", "SPD 6 + 3 and an inch of reach are 254", _charge(250), THREAT,
             {"answer": "yes", "margin_mm": 4.0, "value": {"threat_mm": 254.0, "by": "charge"}}),
    Scenario("threat-range", "no", "260 of 254", _charge(260), THREAT, {"answer": "no", "margin_mm": -6.0}),
    Scenario("threat-range", "edge", "254 of 254", _charge(254), THREAT, {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip


def _assault(gap: float) -> Any:
    turn = {"this_turn": {"charged": "t"}}
    shooter = mini("a", 300, 600, 0, side="red", reach=1, gun=8, abilities=["assault"], **turn)
    return table(shooter, mini("t", 330 + gap, 600, 180, side="blue"))


def _ride(x: float) -> Any:
    """A rider on 50 mm at 200, whose edge is at 225, and somebody of 30 mm at x before its target."""
    mount = {"melee": [{"name": "Mount", "reach_in": 0.5, "rules": ["mount"]}], "spd_in": 8, "abilities": ["cavalry"]}
    rider = mini("a", 200, 600, 0, mm=50, side="red", profile=mount)
    return table(rider, mini("b", x, 600, side="blue"), mini("t", 700, 600, 180, side="blue"))


def _beast(x: float, y: float) -> Any:
    beast = mini("a", 400, 400, 0, mm=50, side="red", type="warbeast", reach=0.5, profile={"spd_in": 5})
    return table(beast, mini("b", x, y, side="blue"))


SHOT = {"kind": "assault", "attacker": "a", "target": "t"}
RIDE = {"kind": "impact-attacks", "attacker": "a", "target": "t", "heading_deg": 0}
RAGE = {"kind": "frenzy", "who": "a"}
BESIDES = (
    Scenario("assault", "yes", "8 in are 203.2; 203.2 - 200 = 3.2", _assault(200), SHOT,
             {"answer": "yes", "margin_mm": 3.2}),
    Scenario("assault", "no", "203.2 - 210 = -6.8", _assault(210), SHOT, {"answer": "no", "margin_mm": -6.8}),
    Scenario("assault", "edge", "203.2 - 203.2 = 0", _assault(203.2), SHOT, {"answer": "yes", "margin_mm": 0.0}),
    Scenario("impact-attack", "yes", "contact after 320 - 240 = 80, more than 76.2", _ride(320), RIDE,
             {"value": {"contact_mm": 80.0, "resumes": True}, "members": [{"id": "b", "answer": "yes"}]}),
    Scenario("impact-attack", "no", "contact after 70", _ride(310), RIDE,
             {"value": {"contact_mm": 70.0, "resumes": False}}),
    Scenario("impact-attack", "edge", "contact after 76.2", _ride(316.2), RIDE,
             {"value": {"contact_mm": 76.2, "resumes": True}}, exactly="3 in of charge earn them"),
    Scenario("frenzy-target", "yes", "the only one it sees", _beast(500, 400), RAGE,
             {"value": {"target": "b", "mode": "charge"}}),
    Scenario("frenzy-target", "no", "behind it, 5 beyond the arc line: it sees nobody", _beast(380, 500), RAGE,
             {"value": {"target": None, "mode": "none"}}),
    Scenario("frenzy-target", "edge", "its edge just reaches the arc line", _beast(385, 500), RAGE,
             {"value": {"target": "b"}}, exactly="a base that touches the arc line is in front"),
)  # fmt: skip


def _jack(gap: float, *others: dict[str, Any], mm: float = 50, them: float = 40, **more: Any) -> Any:
    """a at 300 with speed 5 and strength 10, and t whose edge is so far away along +x."""
    words = {"side": "red", "type": "warjack", "profile": {"spd_in": 5, "strength": 10, **FIST}} | more
    attacker = mini("a", 300, 600, 0, mm=mm, **words)
    return table(attacker, mini("t", 300 + mm / 2 + them / 2 + gap, 600, 180, mm=them, side="blue"), *others)


def _power(attack: str) -> dict[str, Any]:
    return {"kind": "power-attack", "attacker": "a", "target": "t", "attack": attack}


SLAM = {"kind": "slam", "attacker": "a", "target": "t", "dice": {"slam": 4}}
COLOSSAL: dict[str, Any] = {"mm": 120, "profile": {"melee": [{"name": "Fist", "reach_in": 2, "rules": ["open-fist"]}]}}


def _slammed(*, after: float | None) -> Any:
    """A slam over 100 mm, and a base of 40 mm whose edge is so far behind the target's."""
    others = () if after is None else (mini("e", 445 + 40 + after, 600, mm=40, side="blue"),)
    return _jack(100, *others)


PUSH = {"kind": "push", "attacker": "a", "target": "t", "distance_in": 3}
POWER = (
    Scenario("head-butt", "yes", "half an inch is 12.7; 12.7 - 10 = 2.7", _jack(10), _power("head-butt"),
             {"answer": "yes", "margin_mm": 2.7}),
    Scenario("head-butt", "no", "12.7 - 15 = -2.3", _jack(15), _power("head-butt"), {"answer": "no",
             "margin_mm": -2.3}),
    Scenario("head-butt", "edge", "12.7 - 12.7 = 0", _jack(12.7), _power("head-butt"),
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("power-strike", "yes", "2 in are 50.8; 50.8 - 40 = 10.8", _jack(40, **COLOSSAL), _power("power-strike"),
             {"answer": "yes", "margin_mm": 10.8}),
    Scenario("power-strike", "no", "a heavy warjack is no colossal", _jack(10), _power("power-strike"),
             {"answer": "no"}),
    Scenario("power-strike", "edge", "50.8 - 50.8 = 0", _jack(50.8, **COLOSSAL), _power("power-strike"),
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("slam-power-attack", "yes", "in reach after 100 - 12.7 = 87.3; 203.2 - 87.3 = 115.9", _jack(100), SLAM,
             {"answer": "yes", "margin_mm": 115.9, "value": {"travelled_mm": 100.0, "full": True}}),
    Scenario("slam-power-attack", "no", "220 - 12.7 = 207.3 of 203.2", _jack(220), SLAM,
             {"answer": "no", "margin_mm": -4.1}),
    Scenario("slam-power-attack", "edge", "215.9 - 12.7 = 203.2", _jack(215.9), SLAM,
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("slam-path", "yes", "4 in straight away: 101.6", _slammed(after=None), SLAM,
             {"answer": "yes", "value": {"slammed": {"travelled_mm": 101.6, "stopped_by": None, "extra_die": False}}}),
    Scenario("slam-path", "no", "without 3 in of approach nobody is thrown back", _jack(50), SLAM,
             {"value": {"full": False}}),
    Scenario("slam-path", "edge", "a base 60 behind it stops it there", _slammed(after=60), SLAM,
             {"value": {"slammed": {"travelled_mm": 60.0, "stopped_by": "e", "extra_die": True, "collateral": ["e"]}}},
             exactly="it ends touching the base that stops it"),
    Scenario("push-path", "yes", "3 in straight away: 76.2", _jack(10), PUSH, {"value": {"travelled_mm": 76.2}}),
    Scenario("push-path", "no", "one that touches what is behind it goes nowhere", _jack(10, mini("e", 390, 600)), PUSH,
             {"value": {"travelled_mm": 0.0, "stopped_by": "e"}}),
    Scenario("push-path", "edge", "a base 50 behind it stops it there", _jack(10, mini("e", 355 + 20 + 65, 600)), PUSH,
             {"value": {"travelled_mm": 50.0, "stopped_by": "e"}}, exactly="it ends touching the base that stops it"),
)  # fmt: skip


def _throw(gap: float) -> Any:
    """t at 350, touching a, and g of 50 mm whose edge is so far behind t's; half of strength 10 is 127."""
    return _jack(5, mini("g", 350 + 45 + gap, 600, mm=50, side="blue"))


def _thrown(**more: Any) -> dict[str, Any]:
    return {"kind": "throw", "attacker": "a", "target": "t", "at": "g", **more}


def _trample(*others: dict[str, Any]) -> Any:
    """a of 50 mm at 300 tramples 8 in, 203.2, to 503.2."""
    return table(mini("a", 300, 600, 0, mm=50, side="red", type="warjack", profile={"spd_in": 5}), *others)


def _striker(x: float, reach: float = 0.5) -> dict[str, Any]:
    """An enemy above the way at x that looks down at it, its edge 10 off the trampler's."""
    return mini("e", x, 600 + 25 + 20 + 10, 270, mm=40, side="blue", reach=reach)


OVER = {"kind": "trample", "attacker": "a", "heading_deg": 0}
THROWS = (
    Scenario("throw-path", "yes", "127 - 100 = 27; a hit ends in contact, 100 on", _throw(100), _thrown(hit=True),
             {"answer": "yes", "margin_mm": 27.0, "value": {"travelled_mm": 100.0, "stopped_by": "g"}}),
    Scenario("throw-path", "no", "127 - 140 = -13; it lands 127 on", _throw(140), _thrown(),
             {"answer": "no", "margin_mm": -13.0, "value": {"travelled_mm": 127.0}}),
    Scenario("throw-path", "edge", "127 - 127 = 0", _throw(127), _thrown(), {"answer": "yes", "margin_mm": 0.0}),
    Scenario("throw-deviation", "yes", "2 in on from g's center at 495: 545.8, of 50 at most", _throw(110),
             _thrown(hit=False, dice={"direction": 1, "distance": 2}),
             {"answer": "yes", "value": {"cap_mm": 55.0, "point_mm": [555.8, 600.0]}}),
    Scenario("throw-deviation", "no", "3 in are 76.2, but half of 100 is 50", _throw(100),
             _thrown(hit=False, dice={"direction": 1, "distance": 3}),
             {"value": {"cap_mm": 50.0, "point_mm": [545.0, 600.0]}}),
    Scenario("throw-deviation", "edge", "2 in are 50.8, just half of 101.6", _throw(101.6),
             _thrown(hit=False, dice={"direction": 1, "distance": 2}),
             {"value": {"cap_mm": 50.8, "point_mm": [547.4, 600.0]}}, exactly="the roll is the cap"),
    Scenario("trample-path", "yes", "the base it runs over is left 503.2 - 400 - 40 = 63.2 behind",
             _trample(mini("s", 400, 600)), OVER,
             {"answer": "yes", "margin_mm": 63.2, "members": [{"id": "s", "answer": "yes"}]}),
    Scenario("trample-path", "no", "it would end on one at 530: 530 - 503.2 - 40 = -13.2", _trample(mini("s", 530,
             600)),
             OVER, {"answer": "no", "margin_mm": -13.2}),
    Scenario("trample-path", "edge", "it ends touching one at 543.2", _trample(mini("s", 543.2, 600)), OVER,
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("trample-back-strike", "yes", "first touched from behind", _trample(mini("s", 400, 600, 0)), OVER,
             {"answer": "yes", "value": {"by_id": {"s": {"at_mm": [360.0, 600.0], "back_strike": True}}}}),
    Scenario("trample-back-strike", "no", "first touched from the front", _trample(mini("s", 400, 600, 180)), OVER,
             {"value": {"by_id": {"s": {"back_strike": False}}}}),
    Scenario("trample-back-strike", "edge", "its base reaches 1 over the victim's arc line as they touch",
             _trample(mini("s", 400, 632, 0, mm=30)), OVER, {"value": {"by_id": {"s": {"back_strike": False}}}},
             exactly="24 mm behind the line with a radius of 25, so the arc line is overlapped by 1"),
    Scenario("trample-free-strikes", "yes", "in reach by 12.7 - 10 = 2.7 as it passed, and left behind",
             _trample(_striker(350)), OVER, {"answer": "yes", "value": {"free_strikes": ["e"]}}),
    Scenario("trample-free-strikes", "no", "it never came into a reach of 0.2 in", _trample(_striker(350, 0.2)), OVER,
             {"value": {"free_strikes": []}}),
    Scenario("trample-free-strikes", "edge", "a small one it ran over does not strike",
             _trample(mini("s", 400, 630, 270, reach=0.5, side="blue")), OVER, {"value": {"free_strikes": []}},
             exactly="its base is run over"),
)  # fmt: skip

SCENARIOS = (*CHARGES, *THREATS, *BESIDES, *POWER, *THROWS)
