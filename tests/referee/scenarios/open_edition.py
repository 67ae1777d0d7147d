"""Measuring without a book: each question where it is met, where it is not, and under another setting."""

from typing import Any

from models.state import TableState
from tests.referee.scenario import Scenario
from tests.referee.tables import box, mini, table


def field(*miniatures: dict[str, Any], house_rules: dict[str, str] | None = None, **more: Any) -> TableState:
    """A table of the open edition."""
    return table(*miniatures, edition="open", house_rules=house_rules or {}, **more)


def pair(x: float, y: float = 300, *others: dict[str, Any], mm: float = 30, **more: Any) -> TableState:
    """a of 30 mm at 300, 300 looks along +x; b stands elsewhere."""
    a, b = mini("a", 300, 300, side="red"), mini("b", x, y, 180, side="blue", mm=mm)
    return field(a, b, *others, **more)


WITHIN = {"kind": "within", "a": "a", "b": "b", "range_in": 5}
LOS = {"kind": "los", "viewer": "a", "target": "b"}
FRONT = {"kind": "in-front-arc", "viewer": "a", "target": "b"}
BACK = {"kind": "in-back-arc", "viewer": "a", "target": "b"}
COVER = {"kind": "cover", "attacker": "a", "target": "b"}
ENGAGED = {"kind": "engaged", "attacker": "a", "target": "b"}
RANGE = {"kind": "range", "attacker": "a", "target": "b", "range_in": 5}
COMPLETELY = {"kind": "completely-within", "a": "a", "b": "b", "range_in": 5}
MOVE = {"kind": "move", "mover": "a", "path_mm": [[300, 300], [500, 300]], "allowance_in": 8}


def _wall(left: float, right: float, **more: Any) -> dict[str, Any]:
    return box("w", "wall", left, 200, right, 400, **more)


def _unit(*at: float) -> TableState:
    minis = [mini(f"m{k}", x, 300, unit="u") for k, x in enumerate(at)]
    return field(*minis, units=[{"id": "u"}])


MEASURING = (
    Scenario(
        "distance",
        "yes",
        "400 - 300 - 15 - 15 = 70",
        pair(400),
        {"kind": "distance", "a": "a", "b": "b"},
        {"status": "measured", "value": {"distance_mm": 70.0}},
    ),
    Scenario(
        "distance-centre",
        "yes",
        "400 - 300 = 100, from middle to middle",
        pair(400, house_rules={"open-measure": "centre"}),
        {"kind": "distance", "a": "a", "b": "b"},
        {"status": "measured", "value": {"distance_mm": 100.0}},
    ),
    Scenario(
        "distance-hull",
        "yes",
        "a's body reaches to 340: 400 - 15 - 340 = 45",
        field(
            mini("a", 300, 300, outline_mm=[[260, 260], [340, 260], [340, 340], [260, 340]]),
            mini("b", 400, 300, 180),
            house_rules={"open-measure": "hull"},
        ),
        {"kind": "distance", "a": "a", "b": "b"},
        {"status": "measured", "value": {"distance_mm": 45.0}},
    ),
    Scenario(
        "within", "yes", "450 - 300 - 30 = 120; 127 - 120 = 7", pair(450), WITHIN, {"answer": "yes", "margin_mm": 7.0}
    ),
    Scenario(
        "within", "no", "460 - 300 - 30 = 130; 127 - 130 = -3", pair(460), WITHIN, {"answer": "no", "margin_mm": -3.0}
    ),
    Scenario("within", "edge", "457 - 300 - 30 = 127 = 5 in", pair(457), WITHIN, {"answer": "yes", "margin_mm": 0.0}),
    Scenario(
        "within-less-than",
        "edge",
        "exactly 5 in, where it has to be less",
        pair(457, house_rules={"open-limit": "not-met"}),
        WITHIN,
        {"answer": "no", "margin_mm": 0.0},
    ),
    Scenario(
        "within-a-hair",
        "yes",
        "3 mm too far, and 4 mm over still count: 1 to spare",
        pair(460, house_rules={"open-hair-mm": "4"}),
        WITHIN,
        {"answer": "yes", "margin_mm": 1.0},
    ),
    Scenario(
        "completely-within",
        "yes",
        "far rim 420 + 15 - 315 = 120; 127 - 120 = 7",
        pair(420),
        COMPLETELY,
        {"answer": "yes", "margin_mm": 7.0},
    ),
    Scenario(
        "completely-within",
        "no",
        "far rim 430 + 15 - 315 = 130",
        pair(430),
        COMPLETELY,
        {"answer": "no", "margin_mm": -3.0},
    ),
    Scenario("range", "yes", "127 - 120 = 7", pair(450), RANGE, {"answer": "yes", "margin_mm": 7.0}),
    Scenario("range", "no", "127 - 130 = -3", pair(460), RANGE, {"answer": "no", "margin_mm": -3.0}),
    Scenario(
        "nearest",
        "yes",
        "b is 70 off, c 90: 20 nearer",
        pair(400, 300, mini("c", 300, 420)),
        {"kind": "nearest", "a": "a"},
        {
            "status": "measured",
            "margin_mm": 20.0,
            "members": [{"id": "b", "answer": "yes"}, {"id": "c", "answer": "no"}],
        },
    ),
    Scenario(
        "aura",
        "yes",
        "b is 70 off; 101.6 - 70 = 31.6",
        pair(400),
        {"kind": "aura", "source": "a", "range_in": 4},
        {"status": "measured", "members": [{"id": "b", "answer": "yes"}]},
    ),
    Scenario(
        "template",
        "yes",
        "a template of 4 in on b reaches 50.8 to its left; a's rim is 85 off: 34.2 short",
        pair(400),
        {"kind": "template-hits", "at": "b", "diameter_in": 4},
        {"members": [{"id": "b", "answer": "yes"}, {"id": "a", "answer": "no", "margin_mm": -34.2}]},
    ),
    Scenario(
        "template-centre",
        "no",
        "middles 60 apart: 50.8 - 60 = -9.2, though rims are covered",
        pair(360, house_rules={"open-template": "centre"}),
        {"kind": "template-hits", "at": "b", "diameter_in": 4},
        {"members": [{"id": "a", "answer": "no", "margin_mm": -9.2}]},
    ),
    Scenario(
        "coherency",
        "yes",
        "20 and 20 apart: 50.8 - 20 = 30.8 for each",
        _unit(300, 350, 400),
        {"kind": "formation", "unit": "u"},
        {
            "members": [
                {"id": "m0", "answer": "yes", "margin_mm": 30.8},
                {"id": "m2", "answer": "yes", "margin_mm": 30.8},
            ]
        },
    ),
    Scenario(
        "coherency-all",
        "no",
        "m0 and m2 are 70 apart: 50.8 - 70 = -19.2",
        _unit(300, 350, 400).with_house_rules(open_coherency="all"),
        {"kind": "formation", "unit": "u", "who": "m0"},
        {"answer": "no", "margin_mm": -19.2},
    ),
    Scenario(
        "fits-between",
        "yes",
        "50 wide, 30 needed",
        field(mini("a", 300, 300), mini("b", 400, 300), mini("c", 480, 300)),
        {"kind": "fits-between", "mover": "a", "a": "b", "b": "c"},
        {"answer": "yes", "margin_mm": 20.0},
    ),
    Scenario(
        "b2b",
        "no",
        "70 apart, half a millimetre is contact",
        pair(400),
        {"kind": "b2b", "a": "a", "b": "b"},
        {"answer": "no", "margin_mm": -69.5},
    ),
    Scenario(
        "bases-clear", "yes", "70 apart", pair(400), {"kind": "bases-clear"}, {"answer": "yes", "margin_mm": 70.0}
    ),
    Scenario(
        "in-area",
        "yes",
        "b from 385 to 415, the wood from 390: 25 deep",
        pair(400, terrain=[box("f", "forest", 390, 200, 500, 400)]),
        {"kind": "in-area", "who": "b", "area": "f"},
        {"answer": "yes", "margin_mm": 25.0},
    ),
)

SIGHT = (
    Scenario("los", "yes", "nothing between", pair(500), LOS, {"answer": "yes"}),
    Scenario(
        "los",
        "no",
        "a wall of 60 mm right across, both figures 40 tall",
        pair(500, terrain=[_wall(390, 410, height_mm=60)]),
        LOS,
        {"answer": "no", "blockers": ["w"]},
    ),
    Scenario(
        "los-low-wall",
        "yes",
        "the same wall of 30 mm: both look over it",
        pair(500, terrain=[_wall(390, 410, height_mm=30)]),
        LOS,
        {"answer": "yes"},
    ),
    Scenario(
        "los-centre",
        "no",
        "the line from middle to middle passes 10 mm from c's middle, that is 15 mm wide",
        pair(500, 300, mini("c", 400, 310), house_rules={"open-sight": "centre-to-centre"}),
        LOS,
        {"answer": "no", "margin_mm": -5.0, "blockers": ["c"]},
    ),
    Scenario(
        "los-share",
        "yes",
        "the wall ends at the line of middles: half of b is seen, half is wanted",
        pair(
            500,
            300,
            terrain=[box("w", "wall", 390, 200, 410, 300, height_mm=60)],
            house_rules={"open-sight": "share"},
        ),
        LOS,
        {"answer": "yes", "margin_mm": 0.0, "tolerance": 0.01},
    ),
    Scenario(
        "in-front-arc", "yes", "its far rim lies 215 ahead", pair(500), FRONT, {"answer": "yes", "margin_mm": 215.0}
    ),
    Scenario(
        "in-front-arc", "no", "its near rim lies 85 behind", pair(200), FRONT, {"answer": "no", "margin_mm": -85.0}
    ),
    Scenario(
        "front-quarter",
        "no",
        "(0, 100) lies 100 sin 45 = 70.7 outside the line at 45 degrees: 15 - 70.7",
        pair(300, 400, house_rules={"open-arc-deg": "90"}),
        FRONT,
        {"answer": "no", "margin_mm": -55.71},
    ),
    Scenario(
        "los-body",
        "no",
        "an eye at 36, a wall of 30 ending 105 off: 36 - 6 * 200 / 105 = 24.57 of 40 are hidden; 30 * (0.386 - 0.5)",
        pair(500, terrain=[_wall(395, 405, height_mm=30)], house_rules={"open-sight": "body"}),
        LOS,
        {"answer": "no", "margin_mm": -3.43, "value": {"eye_mm": 36.0}},
    ),
    Scenario(
        "los-body-over",
        "yes",
        "a wall of 20: 36 - 16 * 200 / 105 = 5.52 of 40 are hidden; 30 * (0.862 - 0.5)",
        pair(500, terrain=[_wall(395, 405, height_mm=20)], house_rules={"open-sight": "body"}),
        LOS,
        {"answer": "yes", "margin_mm": 10.86, "blockers": []},
    ),
    Scenario(
        "los-body-side",
        "no",
        "past a corner 1 aside and 110 off the ray is 200 / 110 = 1.82 aside: 16.82 of 30 are seen, 18 wanted",
        pair(
            500,
            terrain=[box("w", "building", 390, 301, 410, 500, height_mm=200)],
            house_rules={"open-sight": "body", "open-sight-share": "60"},
        ),
        LOS,
        {"answer": "no", "margin_mm": -1.18, "blockers": ["w"]},
    ),
    Scenario("in-back-arc", "yes", "all of it lies 85 behind", pair(200), BACK, {"answer": "yes", "margin_mm": 85.0}),
    Scenario(
        "arc", "yes", "ahead", pair(500), {"kind": "arc", "viewer": "a", "target": "b"}, {"value": {"arc": "front"}}
    ),
    Scenario(
        "cover",
        "yes",
        "the wall reaches 100 to either side of the line",
        pair(500, terrain=[_wall(390, 410, height_mm=30)]),
        COVER,
        {"answer": "yes", "margin_mm": 100.0, "value": {"features": ["w"]}},
    ),
    Scenario(
        "cover-near",
        "no",
        "b's rim is 75 from the wall: 25.4 - 75 = -49.6",
        pair(500, terrain=[_wall(390, 410, height_mm=30)], house_rules={"open-cover": "near"}),
        COVER,
        {"answer": "no", "margin_mm": -49.6},
    ),
    Scenario(
        "cover-lines",
        "yes",
        "of eight lines five run at y = 300 or beyond, 1 and more deep in a wall from 299 on; four are wanted",
        pair(500, terrain=[box("w", "wall", 390, 299, 410, 500)], house_rules={"open-cover": "lines"}),
        COVER,
        {"answer": "yes", "margin_mm": 1.0, "value": {"features": []}},
    ),
    Scenario(
        "cover-lines",
        "edge",
        "a wall from 300 on: three lines run in it, and two along its edge, which does not count",
        pair(500, terrain=[box("w", "wall", 390, 300, 410, 500)], house_rules={"open-cover": "lines"}),
        COVER,
        {"answer": "no", "margin_mm": 0.0},
    ),
)

PLAY = (
    Scenario(
        "engaged",
        "yes",
        "350 - 300 - 30 = 20; 25.4 - 20 = 5.4",
        pair(350),
        ENGAGED,
        {"answer": "yes", "margin_mm": 5.4},
    ),
    Scenario("engaged", "no", "70 apart, an inch engages", pair(400), ENGAGED, {"answer": "no", "margin_mm": -44.6}),
    Scenario("move", "yes", "200 long, 203.2 allowed", pair(300, 500), MOVE, {"answer": "yes", "margin_mm": 3.2}),
    Scenario(
        "move-rough",
        "no",
        "in rough ground from 335 to 415 of the rims, 80 + 30 twice: 203.2 - 310 = -106.8",
        pair(300, 500, terrain=[box("r", "rough", 350, 200, 430, 400)]),
        MOVE,
        {"answer": "no", "margin_mm": -106.8},
    ),
    Scenario(
        "table-edge",
        "no",
        "1219.2 - 300 - 15 = 904.2 to the right edge",
        pair(400),
        {"kind": "table-edge", "mover": "a", "heading_deg": 0},
        {"value": {"to_edge_mm": 904.2}},
    ),
    Scenario(
        "action",
        "yes",
        "70 to go, 76.2 long",
        pair(400),
        {"kind": "action", "attacker": "a", "target": "b", "length_in": 3},
        {"answer": "yes", "margin_mm": 6.2, "value": {"way_mm": 70.0}},
    ),
    Scenario(
        "action",
        "edge",
        "76.2 to go, 76.2 long: exactly so far is enough",
        pair(406.2),
        {"kind": "action", "attacker": "a", "target": "b", "length_in": 3},
        {"answer": "yes", "margin_mm": 0.0},
    ),
    Scenario(
        "action-barred",
        "no",
        "a wall right across: 70 to go are long enough, but not free",
        pair(430, terrain=[box("w", "building", 350, 200, 360, 400, height_mm=60)]),
        {"kind": "action", "attacker": "a", "target": "b", "length_in": 8},
        {"answer": "no"},
    ),
    Scenario("may-measure", "yes", "always", pair(400), {"kind": "may-measure", "query": WITHIN}, {"answer": "yes"}),
)

WRITTEN = (
    Scenario("rule", "no", "no book states one", pair(400), {"kind": "rule", "rule": "charge"}, {"status": "refused"}),
)
SCENARIOS = (*MEASURING, *SIGHT, *PLAY, *WRITTEN)
