"""Templates: who is under them, where a miss lands, how a spray lies."""

from typing import Any

from tests.referee.scenario import Scenario
from tests.referee.tables import mini, table

INCH = 25.4


def _blast(x: float) -> Any:
    """A base of 30 mm at x under a template of 4 in, 50.8 mm, laid at 600: touching is at 665.8."""
    return table(mini("b", x, 600))


def _shot(gap: float) -> Any:
    """a of 40 mm at 200 shoots along +x at t of 30 mm, whose edges are so far apart."""
    return table(mini("a", 200, 600, mm=40), mini("t", 235 + gap, 600))


def _stray(direction: int, distance: int, range_in: float = 10, **more: Any) -> dict[str, Any]:
    dice = {"direction": direction, "distance": distance}
    return {"kind": "deviation", "origin": "a", "target": "t", "range_in": range_in, "dice": dice, **more}


def _bomb(direction: int, distance: int) -> dict[str, Any]:
    dice = {"direction": direction, "distance": distance}
    return {
        "kind": "deviation",
        "origin": [600, 600],
        "target": [600, 600],
        "cap": "none",
        "axis_deg": 90,
        "dice": dice,
    }


def _spray(x: float, y: float) -> Any:
    return table(mini("a", 200, 400, mm=40), mini("t", 320, 400), mini("b", x, y))


def _laid(near: float) -> dict[str, Any]:
    """A strip of 40 by 200 mm from `near` on, along +x."""
    outline = [[near, 380], [near + 200, 380], [near + 200, 420], [near, 420]]
    return {"kind": "spray-hits", "attacker": "a", "target": "t", "length_in": 8, "outline_mm": outline}


UNDER = {"kind": "template-hits", "at": [600, 600], "diameter_in": 4}
SCENARIOS = (
    Scenario("aoe-hits", "yes", "50.8 + 15 - 60 = 5.8 under it", _blast(660), UNDER,
             {"members": [{"id": "b", "answer": "yes", "margin_mm": 5.8}],
             "value": {"by_id": {"b": {"hit": "blast"}}}}),
    Scenario("aoe-hits", "no", "50.8 + 15 - 70 = -4.2", _blast(670), UNDER,
             {"members": [{"id": "b", "answer": "no", "margin_mm": -4.2}], "value": {"by_id": {}}}),
    Scenario("aoe-hits", "edge", "50.8 + 15 - 65.8 = 0", _blast(665.8), UNDER,
             {"margin_mm": 0.0, "members": [{"id": "b", "answer": "yes"}]}),
    Scenario("aoe-point", "yes", "200 of 254: it strays from the target's center at 435", _shot(200), _stray(1, 1),
             {"value": {"start_mm": [435.0, 600.0], "point_mm": [460.4, 600.0]}}),
    Scenario("aoe-point", "no", "300 of 254: from the point 254 beyond the edge at 220", _shot(300), _stray(1, 1),
             {"value": {"start_mm": [474.0, 600.0], "cap_mm": 127.0}}),
    Scenario("aoe-point", "edge", "254 of 254 is in range", _shot(254), _stray(1, 1),
             {"value": {"start_mm": [489.0, 600.0]}}, exactly="the target stands at the very end of the range"),
    Scenario("deviation-point", "yes", "direction 4 comes straight back: 435 - 50.8 = 384.2", _shot(200), _stray(4, 2),
             {"value": {"point_mm": [384.2, 600.0], "clipped": False}}),
    Scenario("deviation-point", "no", "6 in are 152.4, but half of 200 is 100", _shot(200), _stray(1, 6),
             {"value": {"cap_mm": 100.0, "point_mm": [535.0, 600.0]}}),
    Scenario("deviation-point", "edge", "half of 203.2 is 101.6, just the 4 in of the die", _shot(203.2), _stray(1, 4),
             {"value": {"cap_mm": 101.6, "point_mm": [539.8, 600.0]}}, exactly="the roll is the cap"),
    Scenario("bombardment", "yes", "9 in back toward the near edge: 600 - 228.6 = 371.4", table(), _bomb(4, 9),
             {"value": {"point_mm": [600.0, 371.4], "cap_mm": None}}),
    Scenario("bombardment", "no", "12 in on are 304.8 and stay on the table", table(), _bomb(1, 12),
             {"value": {"point_mm": [600.0, 904.8], "clipped": False}}),
    Scenario("bombardment", "edge", "24 in back are 609.6, but the edge is 600 away", table(), _bomb(4, 24),
             {"value": {"point_mm": [600.0, 0.0], "clipped": True}}, exactly="it stops on the table's edge"),
    Scenario("spray-placement", "yes", "its end lies on the base's edge at 220: all of the tolerance of 0.5 to spare",
             _spray(500, 700), _laid(220), {"answer": "yes", "margin_mm": 0.5}),
    Scenario("spray-placement", "no", "5 off the base", _spray(500, 700), _laid(225),
             {"answer": "no", "margin_mm": -4.5}),
    Scenario("spray-placement", "edge", "0.5 off the base", _spray(500, 700), _laid(220.5),
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("spray-hits", "yes", "at 430 its edge reaches 420 - 415 = 5 under", _spray(380, 430), _laid(220),
             {"members": [{"id": "b", "answer": "yes", "margin_mm": 5.0}]}),
    Scenario("spray-hits", "no", "at 440 it is 5 beside", _spray(380, 440), _laid(220),
             {"members": [{"id": "b", "answer": "no", "margin_mm": -5.0}],
             "value": {"by_id": {"b": {"why": "not-covered"}}}}),
    Scenario("spray-hits", "edge", "at 435 it touches the template's side", _spray(380, 435), _laid(220),
             {"members": [{"id": "b", "answer": "yes", "margin_mm": 0.0}]}, exactly="the base touches the template"),
)  # fmt: skip
