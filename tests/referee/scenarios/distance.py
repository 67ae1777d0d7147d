"""Distances, contact, areas and arcs."""

import math
from typing import Any

from tests.referee.scenario import Scenario
from tests.referee.tables import box, mini, table

TWO = {"kind": "within", "a": "a", "b": "b", "range_in": 5}


def _pair(x: float, y: float = 300, **b: Any) -> Any:
    """a of 30 mm at 300, 300 looks along +x; b stands elsewhere."""
    return table(mini("a", 300, 300), mini("b", x, y, **b))


DISTANCE = (
    Scenario(
        "distance",
        "yes",
        "400 - 300 - 15 - 15 = 70",
        _pair(400),
        {"kind": "distance", "a": "a", "b": "b"},
        {"status": "measured", "value": {"distance_mm": 70.0}},
    ),
    Scenario(
        "distance",
        "no",
        "320 - 300 - 30 = -10: bases that overlap are 0 apart",
        _pair(320),
        {"kind": "distance", "a": "a", "b": "b"},
        {"status": "measured", "value": {"distance_mm": 0.0}},
    ),
    Scenario(
        "distance",
        "edge",
        "330 - 300 - 30 = 0",
        _pair(330),
        {"kind": "distance", "a": "a", "b": "b"},
        {"status": "measured", "value": {"distance_mm": 0.0}},
        exactly="the bases touch",
    ),
    Scenario(
        "within",
        "yes",
        "5 in = 127; 450 - 300 - 30 = 120; 127 - 120 = 7",
        _pair(450),
        TWO,
        {"answer": "yes", "margin_mm": 7.0},
    ),
    Scenario(
        "within", "no", "460 - 300 - 30 = 130; 127 - 130 = -3", _pair(460), TWO, {"answer": "no", "margin_mm": -3.0}
    ),
    Scenario(
        "within",
        "edge",
        "457 - 300 - 30 = 127 = 5 in: equality is within",
        _pair(457),
        TWO,
        {"answer": "yes", "margin_mm": 0.0, "at_edge": True},
    ),
    Scenario(
        "completely-within",
        "yes",
        "far rim 420 + 15 - 315 = 120 from a's rim; 127 - 120 = 7",
        _pair(420),
        TWO | {"kind": "completely-within"},
        {"answer": "yes", "margin_mm": 7.0},
    ),
    Scenario(
        "completely-within",
        "no",
        "430 + 15 - 315 = 130; 127 - 130 = -3, though the gap is 100",
        _pair(430),
        TWO | {"kind": "completely-within"},
        {"answer": "no", "margin_mm": -3.0},
    ),
    Scenario(
        "completely-within",
        "edge",
        "427 + 15 - 315 = 127 = 5 in",
        _pair(427),
        TWO | {"kind": "completely-within"},
        {"answer": "yes", "margin_mm": 0.0, "at_edge": True},
    ),
)


def _wood(x: float) -> Any:
    return table(mini("b", x, 300), terrain=[box("w", "forest", 400, 200, 500, 400)])


IN_WOOD = {"kind": "in-area", "who": "b", "area": "w"}
AREAS = (
    Scenario(
        "terrain-within",
        "yes",
        "near rim of the wood 400; 390 + 15 - 400 = 5 inside, far rim 390 - 15 is 25 out",
        _wood(390),
        IN_WOOD,
        {"answer": "yes", "margin_mm": 5.0, "value": {"completely": {"answer": "no", "margin_mm": -25.0}}},
    ),
    Scenario("terrain-within", "no", "380 + 15 - 400 = -5", _wood(380), IN_WOOD, {"answer": "no", "margin_mm": -5.0}),
    Scenario(
        "terrain-within",
        "edge",
        "385 + 15 - 400 = 0: touching is within",
        _wood(385),
        IN_WOOD,
        {"answer": "yes", "margin_mm": 0.0, "at_edge": True},
    ),
    Scenario(
        "within-model-area",
        "yes",
        "127 - (450 - 330) = 7; its far rim 465 - 315 = 150 is outside",
        _pair(450),
        {"kind": "aura", "source": "a", "range_in": 5},
        {
            "members": [{"id": "b", "answer": "yes", "margin_mm": 7.0}, {"id": "a", "answer": "yes"}],
            "value": {"source_counts": True, "by_id": {"b": {"completely": "no"}, "a": {"completely": "yes"}}},
        },
    ),
    Scenario(
        "within-model-area",
        "no",
        "127 - (460 - 330) = -3",
        _pair(460),
        {"kind": "aura", "source": "a", "range_in": 5},
        {"members": [{"id": "b", "answer": "no", "margin_mm": -3.0}]},
    ),
    Scenario(
        "within-model-area",
        "edge",
        "127 - (457 - 330) = 0",
        _pair(457),
        {"kind": "aura", "source": "a", "range_in": 5},
        {"margin_mm": 0.0, "members": [{"id": "b", "answer": "yes", "margin_mm": 0.0}]},
    ),
)


def _vectors(x: float) -> Any:
    vector: dict[str, Any] = {"mm": 50, "side": "red", "type": "warjack", "controller": "c"}
    caster = mini("c", 300, 900, side="red", type="warcaster")
    return table(mini("a", 300, 300, **vector), mini("b", x, 300, **vector), caster)


def _ties(cx: float) -> Any:
    return table(mini("a", 300, 300), mini("b", 400, 300), mini("c", 300, cx))


INDUCTION = {"kind": "aura", "source": "a", "effect": "focus-induction"}
AROUND = (
    Scenario("focus-induction", "yes", "6 in = 152.4; 500 - 300 - 25 - 25 = 150; 2.4 to spare", _vectors(500),
             INDUCTION, {"members": [{"id": "b", "answer": "yes", "margin_mm": 2.4}]}),
    Scenario("focus-induction", "no", "505 - 350 = 155; 152.4 - 155 = -2.6", _vectors(505), INDUCTION,
             {"members": [{"id": "b", "answer": "no", "margin_mm": -2.6}]}),
    Scenario("focus-induction", "edge", "502.4 - 350 = 152.4 = 6 in", _vectors(502.4), INDUCTION,
             {"margin_mm": 0.0, "members": [{"id": "b", "answer": "yes", "margin_mm": 0.0}]}),
    Scenario("nearest-model", "yes", "b is 70 away and c 80: b is nearer by 10", _ties(410), {"kind": "nearest",
             "a": "a"},
             {"members": [{"id": "b", "answer": "yes", "margin_mm": 10.0}, {"id": "c", "answer": "no"}],
              "value": {"ties": []}}),
    Scenario("nearest-model", "no", "b at its limit of tokens is left out; of c and d, 80 and 130 away, c is nearer "
             "by 50",
             table(mini("a", 300, 300), mini("b", 400, 300), mini("c", 300, 410), mini("d", 300, 140)),
             {"kind": "nearest", "a": "a", "among": ["c", "d"]},
             {"members": [{"id": "c", "answer": "yes", "margin_mm": 50.0},
                          {"id": "d", "answer": "no", "margin_mm": -50.0}]}),
    Scenario("nearest-model", "edge", "b and c are both 70 away: a tie", _ties(400), {"kind": "nearest", "a": "a"},
             {"margin_mm": 0.0, "value": {"ties": ["b", "c"]}}),
    Scenario("b2b", "yes", "gap 330.2 - 330 = 0.2 of the 0.5 that counts as contact", _pair(330.2),
             {"kind": "b2b", "a": "a", "b": "b"}, {"answer": "yes", "margin_mm": 0.3, "value": {"gap_mm": 0.2}}),
    Scenario("b2b", "no", "gap 1; 0.5 - 1 = -0.5", _pair(331), {"kind": "b2b", "a": "a", "b": "b"},
             {"answer": "no", "margin_mm": -0.5, "value": {"gap_mm": 1.0}}),
    Scenario("b2b", "edge", "gap 0.5 = the tolerance", _pair(330.5), {"kind": "b2b", "a": "a", "b": "b"},
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("overlap-audit", "yes", "334 - 330 = 4 free", _pair(334), {"kind": "bases-clear"},
             {"answer": "yes", "margin_mm": 4.0, "value": {"pairs": []}}),
    Scenario("overlap-audit", "no", "320 - 330 = -10", _pair(320), {"kind": "bases-clear"},
             {"answer": "no", "margin_mm": -10.0}),
    Scenario("overlap-audit", "edge", "330 - 330 = 0: touching is clear", _pair(330), {"kind": "bases-clear"},
             {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip

FRONT = {"kind": "in-front-arc", "viewer": "a", "target": "b"}
BACK = {"kind": "in-back-arc", "viewer": "a", "target": "b"}
LOOKS = {"kind": "directly-facing", "viewer": "a", "target": "b"}


def _north(y: float) -> Any:
    return table(mini("a", 300, 300, 90), mini("b", 400, y))


def _at_angle(deg: float) -> Any:
    return _pair(300 + 100 * math.cos(math.radians(deg)), 300 + 100 * math.sin(math.radians(deg)))


def _point(x: float) -> dict[str, Any]:
    return {"kind": "arc", "viewer": "a", "target": [x, 400]}


ARCS = (
    Scenario("in-front-arc", "yes", "310 + 15 - 300 = 25 ahead of the arc line", _pair(310, 360), FRONT,
             {"answer": "yes", "margin_mm": 25.0}),
    Scenario("in-front-arc", "no", "280 + 15 - 300 = -5", _pair(280, 360), FRONT, {"answer": "no", "margin_mm": -5.0}),
    Scenario("in-front-arc", "edge", "285 + 15 - 300 = 0: touching the arc line is in front", _pair(285, 360), FRONT,
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("facing", "yes", "looks along +y: 295 + 15 - 300 = 10", _north(295), FRONT,
             {"answer": "yes", "margin_mm": 10.0}),
    Scenario("facing", "no", "280 + 15 - 300 = -5", _north(280), FRONT, {"answer": "no", "margin_mm": -5.0}),
    Scenario("facing", "edge", "285 + 15 - 300 = 0", _north(285), FRONT, {"answer": "yes", "margin_mm": 0.0}),
    Scenario("in-back-arc", "yes", "foremost point 280 + 15 = 295, 5 behind the line", _pair(280, 360), BACK,
             {"answer": "yes", "margin_mm": 5.0}),
    Scenario("in-back-arc", "no", "290 + 15 = 305: 5 of it are in front, though its centre is behind", _pair(290, 360),
             BACK, {"answer": "no", "margin_mm": -5.0}),
    Scenario("in-back-arc", "edge", "285 + 15 = 300: any part on the line is in front", _pair(285, 360), BACK,
             {"answer": "no", "margin_mm": 0.0}),
    Scenario("point-in-arc", "yes", "a point has no base: 310 - 300 = 10 ahead", _pair(900), _point(310),
             {"status": "measured", "value": {"arc": "front", "border_mm": 10.0}}),
    Scenario("point-in-arc", "no", "290 - 300 = -10", _pair(900), _point(290),
             {"value": {"arc": "back", "border_mm": -10.0}}),
    Scenario("point-in-arc", "edge", "300 - 300 = 0", _pair(900), _point(300),
             {"margin_mm": 0.0, "value": {"arc": "front", "border_mm": 0.0}}),
    Scenario("directly-facing", "yes", "straight ahead: error 0 of 1 degree", _pair(400), LOOKS,
             {"answer": "yes", "margin_deg": 1.0, "value": {"error_deg": 0.0}, "tolerance": 1e-6}),
    Scenario("directly-facing", "no", "atan(10 / 100) = 5.7106 degrees; 1 - 5.7106 = -4.7106", _pair(400, 310), LOOKS,
             {"answer": "no", "margin_deg": -4.7106, "value": {"error_deg": 5.7106}, "tolerance": 1e-4}),
    Scenario("directly-facing", "edge", "its centre stands at exactly one degree", _at_angle(1), LOOKS,
             {"answer": "yes", "margin_deg": 0.0, "tolerance": 1e-6}),
)  # fmt: skip


def _huge(x: float, y: float, *, mm: float = 30) -> Any:
    return table(mini("a", 600, 600, 90, mm=120, type="warjack"), mini("b", x, y, mm=mm))


RIGHT = {"kind": "field-of-fire", "attacker": "a", "target": "b", "location": "right"}
GRID = {"kind": "damage-grid", "target": "a", "origin": "b"}
FIELDS = (
    Scenario("field-of-fire", "yes", "its right rim 590 + 15 = 605 is 5 right of the middle line 600", _huge(590, 700),
             RIGHT, {"answer": "yes", "margin_mm": 5.0, "value": {"fields": ["left", "right"]}}),
    Scenario("field-of-fire", "no", "580 + 15 - 600 = -5", _huge(580, 700), RIGHT,
             {"answer": "no", "margin_mm": -5.0, "value": {"fields": ["left"]}}),
    Scenario("field-of-fire", "edge", "585 + 15 - 600 = 0: a base that touches the line is in both", _huge(585, 700),
             RIGHT, {"answer": "yes", "margin_mm": 0.0, "value": {"fields": ["left", "right"]}}),
    Scenario("colossal-damage-grid", "yes", "700 - 15 - 600 = 85 right of the middle line: the right grid",
             _huge(700, 700), GRID, {"status": "measured", "value": {"grid": "right", "left_mm": -85.0}}),
    Scenario("colossal-damage-grid", "no", "580 + 15 - 600 = -5: wholly behind, so neither side; the attacker chooses",
             _huge(600, 580), GRID, {"value": {"grid": "choose", "arc_mm": -5.0}}),
    Scenario("colossal-damage-grid", "edge", "585 + 15 - 600 = 0: it touches the middle line, dead ahead",
             _huge(585, 700), GRID, {"margin_mm": 0.0, "value": {"grid": "choose", "right_mm": 0.0}}),
)  # fmt: skip


def _shield(x: float, *, last_hop: float | None = None) -> Any:
    """Somebody with a shield looks along +x; blows come from x, 400, or leap from there."""
    others = [mini("a", x, 400)] if last_hop is None else [mini("a", x, 300), mini("h", last_hop, 400)]
    return table(mini("t", 300, 300), *others)


def _fire(x: float) -> Any:
    burning = {"id": "f", "kind": "burning", "centre_mm": [x, 400], "diameter_mm": 76.2}
    return table(mini("t", 300, 300), effects=[burning])


HIT = {"kind": "damage-arc", "target": "t", "attacker": "a"}
CHAIN = HIT | {"origin": "h", "cause": "chain"}
BURNT = {"kind": "damage-arc", "target": "t", "origin": "f", "cause": "effect"}
DAMAGE = (
    Scenario("damage-arc", "yes", "the attacker's foremost point 290 + 15 is 5 ahead of the line", _shield(290), HIT,
             {"answer": "yes", "margin_mm": 5.0, "value": {"arc": "front", "origin": "a"}}),
    Scenario("damage-arc", "no", "280 + 15 - 300 = -5: wholly behind, the shield is lost", _shield(280), HIT,
             {"answer": "no", "margin_mm": -5.0, "value": {"arc": "back"}}),
    Scenario("damage-arc", "edge", "285 + 15 - 300 = 0", _shield(285), HIT, {"answer": "yes", "margin_mm": 0.0}),
    Scenario("arc-lightning-origin", "yes", "it leaps from h, 310 + 15 - 300 = 25 ahead, though a stands behind",
             _shield(100, last_hop=310), CHAIN, {"answer": "yes", "margin_mm": 25.0, "value": {"origin": "h"}}),
    Scenario("arc-lightning-origin", "no", "it leaps from h, 280 + 15 - 300 = -5, though a stands ahead",
             _shield(500, last_hop=280), CHAIN, {"answer": "no", "margin_mm": -5.0}),
    Scenario("arc-lightning-origin", "edge", "285 + 15 - 300 = 0", _shield(500, last_hop=285), CHAIN,
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("hazard-blast-origin", "yes", "the middle of the fire is 310 - 300 = 10 ahead", _fire(310), BURNT,
             {"answer": "yes", "margin_mm": 10.0, "value": {"arc": "front", "origin": [310.0, 400.0]}}),
    Scenario("hazard-blast-origin", "no", "290 - 300 = -10, though its rim reaches ahead", _fire(290), BURNT,
             {"answer": "no", "margin_mm": -10.0}),
    Scenario("hazard-blast-origin", "edge", "300 - 300 = 0", _fire(300), BURNT, {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip

SCENARIOS = (*DISTANCE, *AREAS, *AROUND, *ARCS, *FIELDS, *DAMAGE)
