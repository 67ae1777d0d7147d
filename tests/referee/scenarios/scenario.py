"""Scenarios: where flags and zones lie, who holds them, what they score."""

from typing import Any

from tests.referee.scenario import Scenario
from tests.referee.tables import mini, table

INCH = 25.4
FLAG = {"objectives": [{"id": "f", "kind": "flag", "at_mm": [600, 600]}]}
ZONE = {"zones": [{"id": "z", "kind": "control", "centre_mm": [600, 600], "diameter_mm": 304.8}]}
HELD = {"kind": "objective-control", "objective": "f"}
INSIDE = {"kind": "objective-control", "objective": "z"}
LAYOUT = {"kind": "scenario-layout", "scenario": "throw-down"}
SCORE = {"kind": "score"}


def _flag(x: float, y: float = 500) -> Any:
    """Red's base at x, 600 and blue's at 600, y; the flag's marker has a radius of 20, so touching is at 35."""
    return table(mini("r", x, 600, side="red"), mini("b", 600, y, side="blue"), **FLAG)


def _zone(y: float, blue: float = 300) -> Any:
    """Red's base at 600, y and blue's at 600, blue; the zone's rim is at 752.4 and 447.6."""
    return table(mini("r", 600, y, side="red"), mini("b", 600, blue, side="blue"), **ZONE)


def _turn(round_: int, x: float = 635) -> Any:
    scored = {"scenario": {"name": "close-quarters"}, "turn": {"round": round_, "active": "red"}}
    return table(mini("r", x, 600, side="red"), **FLAG, **scored)


SCENARIOS = (
    Scenario("scenario-layout", "yes", "14 in from either side, on the middle line: 355.6 and 863.6 at 609.6", table(),
             LAYOUT, {"status": "measured", "value": {"flags": [], "zones": [
              {"centre_mm": [355.6, 609.6], "diameter_mm": 304.8}, {"centre_mm": [863.6, 609.6],
              "diameter_mm": 304.8}]}}),
    Scenario("scenario-layout", "no", "no player has an edge, so nothing can be measured from it",
             table(sides=[{"id": "red", "first": True}]), LAYOUT,
             {"status": "unknown", "needs": ["sides: the edge of the first player"]}),
    Scenario("scenario-layout", "edge", "the book prints no such scenario", table(),
             {"kind": "scenario-layout", "scenario": "king-of-the-hill"}, {"status": "refused"},
             exactly="the ninth scenario is the last"),
    Scenario("flag-contested", "yes", "blue is 600 - 480 - 35 = 85 off, within 101.6", _flag(635, 480), HELD,
             {"value": {"controller": "none", "contested_by": ["b"]}}),
    Scenario("flag-contested", "no", "blue is 600 - 460 - 35 = 105 off", _flag(635, 460), HELD,
             {"value": {"controller": "red", "contested_by": []}}),
    Scenario("flag-contested", "edge", "blue is 600 - 463.4 - 35 = 101.6 off", _flag(635, 463.4), HELD,
             {"margin_mm": 0.0, "value": {"controller": "none"}}),
    Scenario("flag-control", "yes", "red touches, blue is far", _flag(635, 400), HELD,
             {"value": {"controller": "red"}}),
    Scenario("flag-control", "no", "red is 5 off and touches nothing", _flag(640, 400), HELD,
             {"value": {"controller": "none"}}),
    Scenario("flag-control", "edge", "red is 0.5 off, the whole tolerance of contact", _flag(635.5, 400), HELD,
             {"value": {"controller": "red"}}, exactly="the gap is the tolerance of contact"),
    Scenario("zone-contested", "yes", "blue reaches 440 + 15 - 447.6 = 7.4 into the zone", _zone(700, 440), INSIDE,
             {"value": {"controller": "none"}}),
    Scenario("zone-contested", "no", "blue is 447.6 - 425 - 15 = 7.6 outside", _zone(700, 425), INSIDE,
             {"value": {"controller": "red"}}),
    Scenario("zone-contested", "edge", "blue touches the rim: 432.6 + 15 = 447.6", _zone(700, 432.6), INSIDE,
             {"margin_mm": 0.0, "value": {"controller": "none"}}),
    Scenario("zone-control", "yes", "red reaches 752.4 - 760 + 15 = 7.4 into it", _zone(760), INSIDE,
             {"value": {"controller": "red"}}),
    Scenario("zone-control", "no", "red is 775 - 15 - 752.4 = 7.6 outside", _zone(775), INSIDE,
             {"value": {"controller": "none"}}),
    Scenario("zone-control", "edge", "red touches the rim: 767.4 - 15 = 752.4", _zone(767.4), INSIDE,
             {"margin_mm": 0.0, "value": {"controller": "red"}}),
    Scenario("score-now", "yes", "red holds the flag at the end of its third turn", _turn(3), SCORE,
             {"value": {"points": 1.0, "total": 1.0, "needed": 4}}),
    Scenario("score-now", "no", "red holds nothing", _turn(3, 700), SCORE, {"value": {"points": 0.0}}),
    Scenario("score-now", "edge", "the first player's second turn comes before the second player's", _turn(2), SCORE,
             {"value": {"points": 0.0}}, exactly="scoring starts with the next turn"),
)  # fmt: skip
