"""Melee: reach, who fights whom, and who may strike."""

import math
from typing import Any

from tests.referee.scenario import Scenario
from tests.referee.tables import box, mini, table

RISE_MM = 76.2 - 44.45  # from the top of a 30 mm volume to a ledge of 3 in


def _two(gap: float, *, mine: float, theirs: float = 0.5) -> Any:
    """Red a looks along +x at blue b, this far off, who looks back; reaches in inches."""
    a = mini("a", 300, 300, side="red", reach=mine)
    return table(a, mini("b", 330 + gap, 300, 180, side="blue", reach=theirs))


def _ledge(gap: float) -> Any:
    """a stands 3 in up on a hill, b below, this far from it in plan."""
    hill = box("h", "hill", 200, 200, 316, 400, height_mm=76.2)
    return table(mini("a", 300, 300, side="red"), mini("b", 330 + gap, 300, 180, side="blue"), terrain=[hill])


def _reach(inches: float) -> dict[str, Any]:
    return {"kind": "melee-range", "attacker": "a", "target": "b", "reach_in": inches}


BLADE = {"kind": "melee-range", "attacker": "a", "target": "b"}
FIGHTS = {"kind": "engaged", "attacker": "a", "target": "b"}
HIT_BACK = {"kind": "engaged", "attacker": "b", "target": "a"}
MELEE = {"kind": "in-melee", "who": "a"}
REACHES = (
    Scenario("melee-range", "yes", "1 in = 25.4; 25.4 - 20 = 5.4", _two(20, mine=1), BLADE,
             {"answer": "yes", "margin_mm": 5.4, "value": {"weapons": [{"name": "Blade", "answer": "yes",
             "margin_mm": 5.4}]}}),
    Scenario("melee-range", "no", "25.4 - 30 = -4.6", _two(30, mine=1), BLADE, {"answer": "no", "margin_mm": -4.6}),
    Scenario("melee-range", "edge", "25.4 - 25.4 = 0", _two(25.4, mine=1), BLADE, {"answer": "yes", "margin_mm": 0.0}),
    Scenario("melee-range-elevation", "yes",
             "76.2 - 44.45 = 31.75 up and 10 across are 33.2876; 2 in = 50.8 leave 17.5124", _ledge(10), _reach(2),
             {"answer": "yes", "margin_mm": 50.8 - math.hypot(10, RISE_MM), "value": {"height_mm": 31.75}}),
    Scenario("melee-range-elevation", "no", "25.4 - 33.2876 = -7.8876, though the plan gap is 10", _ledge(10),
             _reach(1),
             {"answer": "no", "margin_mm": 25.4 - math.hypot(10, RISE_MM)}),
    Scenario("melee-range-elevation", "edge", "sqrt(50.8^2 - 31.75^2) = 39.6557 across make exactly 50.8",
             _ledge(math.sqrt(50.8**2 - RISE_MM**2)), _reach(2), {"answer": "yes", "margin_mm": 0.0}),
    Scenario("engaging", "yes", "2 in = 50.8; 50.8 - 30 = 20.8, while b's half inch falls 17.3 short",
             _two(30, mine=2), FIGHTS, {"answer": "yes", "margin_mm": 20.8, "value": {"back": "no"}}),
    Scenario("engaging", "no", "50.8 - 60 = -9.2", _two(60, mine=2), FIGHTS, {"answer": "no", "margin_mm": -9.2}),
    Scenario("engaging", "edge", "gap 50.8", _two(50.8, mine=2), FIGHTS, {"answer": "yes", "margin_mm": 0.0}),
    Scenario("engaged", "yes", "a is engaged by b: 12.7 - 5 = 7.7", _two(5, mine=2), HIT_BACK,
             {"answer": "yes", "margin_mm": 7.7, "value": {"back": "yes"}}),
    Scenario("engaged", "no", "12.7 - 30 = -17.3: a engages b and is not engaged", _two(30, mine=2), HIT_BACK,
             {"answer": "no", "margin_mm": -17.3, "value": {"back": "yes"}}),
    Scenario("engaged", "edge", "gap 12.7", _two(12.7, mine=2), HIT_BACK, {"answer": "yes", "margin_mm": 0.0}),
    Scenario("in-melee", "yes", "only a reaches: 25.4 - 20 = 5.4 is enough for both", _two(20, mine=1), MELEE,
             {"answer": "yes", "margin_mm": 5.4, "members": [{"id": "b", "answer": "yes", "margin_mm": 5.4}],
              "value": {"by_id": {"b": {"engages": "yes", "engaged": "no"}}}}),
    Scenario("in-melee", "no", "the longer reach 25.4 - 30 = -4.6", _two(30, mine=1), MELEE,
             {"answer": "no", "margin_mm": -4.6, "members": [{"id": "b", "answer": "no"}]}),
    Scenario("in-melee", "edge", "25.4 - 25.4 = 0", _two(25.4, mine=1), MELEE, {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip


def _going() -> Any:
    """Red e at 300, 300 reaches an inch: blue m's centre leaves its reach 55.4 from e's."""
    return table(mini("e", 300, 300, side="red", reach=1), mini("m", 340, 300, 180, side="blue"))


def _way(to: float) -> dict[str, Any]:
    return {"kind": "free-strike", "mover": "m", "path_mm": [[340, 300], [to, 300]]}


def _colossal(x: float, y: float) -> Any:
    arm = {"melee": [{"name": "Arm", "reach_in": 2, "location": "left"}]}
    return table(mini("a", 600, 600, 90, mm=120, type="warjack", profile=arm), mini("b", x, y))


def _ranks(gap: float) -> Any:
    """Two of a unit about a target at 600, 600; the second stands this far off."""
    pike = {"melee": [{"name": "Pike", "reach_in": 1}], "abilities": ["combined-melee-attack"], "cmd_in": 10}
    one: dict[str, Any] = {"side": "red", "unit": "u", "profile": pike}
    first, second = mini("p", 560, 600, **one), mini("q", 600, 570 - gap, 90, **one)
    target = mini("t", 600, 600, side="blue", profile={"defence": 12})
    return table(target, first, second, units=[{"id": "u", "commander": "p"}])


SWEEP = {"kind": "sweep", "attacker": "a", "weapon": "Arm"}
TOGETHER = {"kind": "combined-melee", "participants": ["q"], "primary": "p", "target": "t"}
STRIKES = (
    Scenario("free-strike", "yes", "it leaves after 355.4 - 340 = 15.4 and ends 400 - 355.4 = 44.6 beyond", _going(),
             _way(400), {"answer": "yes", "margin_mm": 44.6, "members": [{"id": "e", "answer": "yes"}],
                         "value": {"by_id": {"e": {"after_mm": 15.4, "at_mm": [355.4, 300.0], "lost": "reach"}}}}),
    Scenario("free-strike", "no", "it stops 355.4 - 350 = 5.4 before the limit", _going(), _way(350),
             {"answer": "no", "margin_mm": -5.4, "members": [{"id": "e", "answer": "no"}]}),
    Scenario("free-strike", "edge", "at the limit it is still in reach and has not left", _going(), _way(355.4),
             {"answer": "no", "margin_mm": 0.0}),
    Scenario("sweep-targets", "yes", "gap sqrt(80^2 + 80^2) - 75 = 38.137; 50.8 - 38.137 = 12.663, deep in the left "
             "field",
             _colossal(520, 680), SWEEP, {"members": [{"id": "b", "answer": "yes",
             "margin_mm": 75 + 50.8 - math.hypot(80, 80)}]}),
    Scenario("sweep-targets", "no", "its left rim 620 - 15 = 605 is 5 right of the middle line", _colossal(620, 700),
             SWEEP,
             {"members": [{"id": "b", "answer": "no", "margin_mm": -5.0}]}),
    Scenario("sweep-targets", "edge", "615 - 15 = 600: it touches the middle line", _colossal(615, 700), SWEEP,
             {"margin_mm": 0.0, "members": [{"id": "b", "answer": "yes", "margin_mm": 0.0}]}),
    Scenario("combined-melee-participants", "yes", "25.4 - 5 = 20.4 for q; p at 560 has 25.4 - 10 = 15.4: two count",
             _ranks(5), TOGETHER,
             {"members": [{"id": "q", "answer": "yes"}, {"id": "p", "answer": "yes"}],
              "value": {"bonus": 2, "charge_attack": False, "by_id": {"q": {"why": None}}}}),
    Scenario("combined-melee-participants", "no", "25.4 - 40 = -14.6", _ranks(40), TOGETHER,
             {"members": [{"id": "q", "answer": "no", "margin_mm": -14.6}], "value": {"bonus": 0,
             "by_id": {"q": {"why": "reach"}}}}),
    Scenario("combined-melee-participants", "edge", "gap 25.4", _ranks(25.4), TOGETHER,
             {"margin_mm": 0.0, "members": [{"id": "q", "answer": "yes", "margin_mm": 0.0}]}),
)  # fmt: skip


def _down(fell_in: str | None) -> Any:
    """One that lies, in the turn of its own side."""
    fell = {"this_turn": {"knocked_down_in": fell_in}, "status": ["knocked-down"]}
    return table(mini("t", 300, 300, side="red", **fell), turn={"active": "red"})


RISING = (
    Scenario("stand-up", "yes", "in its own turn it gives up its action, and with it run, charge, slam and trample",
             _down(None), {"kind": "stand-up", "who": "t", "gives_up": "action"},
             {"answer": "yes", "value": {"then_barred": ["run", "charge", "slam", "trample"], "arc_before": "front"}}),
    Scenario("stand-up", "no", "it fell in this turn of its own player", _down("red"),
             {"kind": "stand-up", "who": "t"}, {"answer": "no"}),
    Scenario("stand-up", "edge", "what fell in the enemy's turn rises in the next of its own", _down("blue"),
             {"kind": "stand-up", "who": "t", "gives_up": "movement"},
             {"answer": "yes", "value": {"then_barred": []}}, exactly="the turn after it fell"),
)  # fmt: skip

SCENARIOS = (*REACHES, *STRIKES, *RISING)
