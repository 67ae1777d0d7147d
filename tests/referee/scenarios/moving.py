"""Moving: what a path costs, what it meets, and where things end."""

from typing import Any

from tests.referee.scenario import Scenario
from tests.referee.tables import box, mini, table

INCH = 25.4
CARD = {"profile": {"spd_in": 6}}


def _walk(*others: dict[str, Any], me: dict[str, Any] | None = None, **state: Any) -> Any:
    """m of 30 mm at 300, 600, whose rim reaches 315 along +x; it goes 6 in, 152.4 mm."""
    return table(mini("m", 300, 600, 0, side="red", **(CARD | (me or {}))), *others, **state)


def _go(length_mm: float, **more: Any) -> dict[str, Any]:
    return {"kind": "move", "mover": "m", "heading_deg": 0, "distance_in": length_mm / INCH, **more}


def _to(*points: tuple[float, float], **more: Any) -> dict[str, Any]:
    return {"kind": "move", "mover": "m", "path_mm": [(300, 600), *points], **more}


FLIES = {"profile": {"spd_in": 6, "abilities": ["flight"]}}
BOG = {"terrain": [box("bog", "rough", 350, 500, 370, 700)]}
MOVES = (
    Scenario("advance-distance", "yes", "two legs of 60 and 80 make 140; 152.4 - 140 = 12.4", _walk(),
             _to((360, 600), (360, 680)),
             {"answer": "yes", "margin_mm": 12.4, "value": {"travelled_mm": 140.0, "left_mm": 12.4}}),
    Scenario("advance-distance", "no", "100 and 80 make 180; 152.4 - 180 = -27.6", _walk(), _to((400, 600), (400, 680)),
             {"answer": "no", "margin_mm": -27.6, "value": {"travelled_mm": 152.4}}),
    Scenario("advance-distance", "edge", "exactly 152.4", _walk(), _go(152.4), {"answer": "yes", "margin_mm": 0.0}),
    Scenario("advance-legal", "yes", "a base at 640 leaves 640 - 600 - 30 = 10", _walk(mini("b", 360, 640)), _go(120),
             {"answer": "yes", "margin_mm": 10.0, "value": {"stopped_by": None}}),
    Scenario("advance-legal", "no", "a base at 625 leaves 625 - 600 - 30 = -5", _walk(mini("b", 360, 625)), _go(120),
             {"answer": "no", "margin_mm": -5.0, "value": {"stopped_by": "b"}}),
    Scenario("advance-legal", "edge", "a base at 630 is just brushed", _walk(mini("b", 360, 630)), _go(120),
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("run-distance", "yes", "a run goes 304.8; 304.8 - 300 = 4.8", _walk(), _go(300, manner="run"),
             {"answer": "yes", "margin_mm": 4.8}),
    Scenario("run-distance", "no", "304.8 - 310 = -5.2", _walk(), _go(310, manner="run"),
             {"answer": "no", "margin_mm": -5.2}),
    Scenario("run-distance", "edge", "exactly twice 6 in", _walk(), _go(304.8, manner="run"),
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("rough-terrain-cost", "yes", "rim to rim 20 + 30 = 50 count twice: 95 + 50 = 145 of 152.4", _walk(**BOG),
             _go(95), {"answer": "yes", "margin_mm": 7.4, "value": {"spent_mm": 145.0}}),
    Scenario("rough-terrain-cost", "no", "110 + 50 = 160 of 152.4", _walk(**BOG), _go(110),
             {"answer": "no", "margin_mm": -7.6, "value": {"travelled_mm": 102.4}}),
    Scenario("rough-terrain-cost", "edge", "102.4 + 50 = 152.4", _walk(**BOG), _go(102.4),
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("fly-through", "yes", "over a base at 360 to 420: clear by 420 - 360 - 30 = 30",
             _walk(mini("b", 360, 600), me=FLIES), _go(120), {"answer": "yes", "value": {"travelled_mm": 120.0}}),
    Scenario("fly-through", "no", "to 380: 380 - 360 - 30 = -10, on top of the base",
             _walk(mini("b", 360, 600), me=FLIES), _go(80),
             {"answer": "no", "margin_mm": -10.0, "value": {"stopped_by": "b", "travelled_mm": 30.0}}),
    Scenario("fly-through", "edge", "to 390: just past", _walk(mini("b", 360, 600), me=FLIES), _go(90),
             {"answer": "yes"}, exactly="the two bases touch at the end"),
    Scenario("end-of-activation-move", "yes", "3 in are 76.2; 76.2 - 70 = 6.2", _walk(),
             _go(70, manner="end-of-activation", allowance_in=3), {"answer": "yes", "margin_mm": 6.2}),
    Scenario("end-of-activation-move", "no", "76.2 - 80 = -3.8", _walk(),
             _go(80, manner="end-of-activation", allowance_in=3), {"answer": "no", "margin_mm": -3.8}),
    Scenario("end-of-activation-move", "edge", "exactly 3 in", _walk(),
             _go(76.2, manner="end-of-activation", allowance_in=3), {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip


def _rule(*ways: str, path: Any) -> dict[str, Any]:
    rules = [{"way": way, "of": "t"} for way in ways]
    return {"kind": "toward-away", "mover": "m", "restrictions": rules, "path_mm": path}


PAIR = table(mini("m", 300, 600), mini("t", 500, 600))
LOST = table(
    mini("c", 600, 600, unit="u", side="red"), mini("m", 300, 600, unit="u", side="red", **CARD),
    units=[{"id": "u", "commander": "c"}],
)  # fmt: skip
RESTRICTED = (
    Scenario("toward-away", "yes", "nearest to t after 200, and it stops at 150: 50 to spare", PAIR,
             _rule("toward", path=[(300, 600), (450, 600)]), {"answer": "yes", "margin_mm": 50.0}),
    Scenario("toward-away", "no", "it goes on to 530, past the nearest point by 30", PAIR,
             _rule("toward", path=[(300, 600), (530, 600)]),
             {"answer": "no", "margin_mm": -30.0, "value": {"first_break_mm": 200.0}}),
    Scenario("toward-away", "edge", "it stops just where it is nearest", PAIR,
             _rule("toward", path=[(300, 600), (500, 600)]), {"answer": "yes", "margin_mm": 0.0}),
    Scenario("directly-toward-away", "yes", "along the line of centers, tolerance 0.5", PAIR,
             _rule("directly-away", path=[(300, 600), (200, 600)]), {"answer": "yes", "margin_mm": 0.5}),
    Scenario("directly-toward-away", "no", "2 off the line: 0.5 - 2 = -1.5", PAIR,
             _rule("directly-away", path=[(300, 600), (200, 602)]), {"answer": "no", "margin_mm": -1.5}),
    Scenario("directly-toward-away", "edge", "0.5 off the line: just within the tolerance", PAIR,
             _rule("directly-away", path=[(300, 600), (200, 600.5)]), {"answer": "yes", "margin_mm": 0.0}),
    Scenario("multi-restriction", "yes", "toward t and directly so", PAIR,
             _rule("toward", "directly-toward", path=[(300, 600), (350, 600)]), {"answer": "yes", "margin_mm": 0.5}),
    Scenario("multi-restriction", "no", "toward and away from the same one cannot both hold", PAIR,
             _rule("toward", "away", path=[(300, 600), (350, 600)]), {"answer": "no", "margin_mm": -200.0}),
    Scenario("multi-restriction", "edge", "both hold to the point where it is nearest", PAIR,
             _rule("toward", "directly-toward", path=[(300, 600), (500, 600)]), {"answer": "yes", "margin_mm": 0.0}),
    Scenario("formation-move", "yes", "100 toward its commander, of 152.4", LOST,
             {"kind": "regroup-move", "mover": "m", "path_mm": [(300, 600), (400, 600)]}, {"answer": "yes"}),
    Scenario("formation-move", "no", "away from him", LOST,
             {"kind": "regroup-move", "mover": "m", "path_mm": [(300, 600), (250, 600)]}, {"answer": "no"}),
    Scenario("formation-move", "edge", "a run straight at him of exactly twice the speed",
             table(mini("c", 900, 600, unit="u", side="red"), mini("m", 300, 600, unit="u", side="red", **CARD),
                   units=[{"id": "u", "commander": "c"}]),
             {"kind": "regroup-move", "mover": "m", "path_mm": [(300, 600), (604.8, 600)]},
             {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip

WALL = {"terrain": [box("w", "wall", 350, 500, 360, 700, height_mm=20)]}
TALL = {"terrain": [box("w", "wall", 350, 500, 360, 700, height_mm=60)]}
POLE = {"objectives": [{"id": "w", "kind": "flag", "at_mm": [370, 600]}]}


def _cross(length_mm: float) -> dict[str, Any]:
    length = length_mm / INCH
    return {"kind": "cross-obstacle", "mover": "m", "feature": "w", "heading_deg": 0, "distance_in": length}


def _gap(width: float) -> Any:
    return table(mini("m", 100, 100), mini("a", 500, 500), mini("b", 500, 530 + width))


FITS = {"kind": "fits-between", "mover": "m", "a": "a", "b": "b"}
LEDGE = {"terrain": [box("l", "terraced-obstruction", 350, 400, 450, 800, height_mm=40)]}


def _climb(x: float) -> dict[str, Any]:
    return {"kind": "climb", "mover": "m", "feature": "l", "to": {"at_mm": [x, 600]}}


def _shoved(length_mm: float) -> dict[str, Any]:
    length = length_mm / INCH
    return {"kind": "table-edge", "mover": "m", "heading_deg": 180, "distance_in": length, "cause": "involuntary"}


FIRST = {"kind": "first-contact", "mover": "m", "heading_deg": 0, "distance_in": 4}
PASSED = (
    Scenario("obstacle-cross", "yes", "past a wall to 360 takes 360 + 15 - 300 = 75; 80 - 75 = 5", _walk(**WALL),
             _cross(80), {"answer": "yes", "margin_mm": 5.0, "value": {"needed_mm": 75.0}}),
    Scenario("obstacle-cross", "no", "70 - 75 = -5", _walk(**WALL), _cross(70), {"answer": "no", "margin_mm": -5.0}),
    Scenario("obstacle-cross", "edge", "75 - 75 = 0", _walk(**WALL), _cross(75), {"answer": "yes", "margin_mm": 0.0}),
    Scenario("obstruction-pass", "yes", "with Flight: 80 - 75 = 5", _walk(me=FLIES, **TALL), _cross(80),
             {"answer": "yes", "margin_mm": 5.0}),
    Scenario("obstruction-pass", "no", "on foot nobody passes", _walk(**TALL), _cross(80), {"answer": "no"}),
    Scenario("obstruction-pass", "edge", "with Flight just past: 75 - 75 = 0", _walk(me=FLIES, **TALL), _cross(75),
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("flag-move", "yes", "past a flag of 40 mm at 370 takes 370 + 20 + 15 - 300 = 105; 110 - 105 = 5",
             _walk(**POLE), _cross(110), {"answer": "yes", "margin_mm": 5.0}),
    Scenario("flag-move", "no", "100 - 105 = -5", _walk(**POLE), _cross(100), {"answer": "no", "margin_mm": -5.0}),
    Scenario("flag-move", "edge", "105 - 105 = 0", _walk(**POLE), _cross(105), {"answer": "yes", "margin_mm": 0.0}),
    Scenario("climb-terraced", "yes", "at 360 its rim hangs 350 - 345 = 5 over the edge; 25.4 - 5 = 20.4",
             _walk(**LEDGE), _climb(360), {"answer": "yes", "margin_mm": 20.4, "value": {"overhang_mm": 5.0}}),
    Scenario("climb-terraced", "no", "at 335 it hangs 350 - 320 = 30 over", _walk(**LEDGE), _climb(335),
             {"answer": "no", "margin_mm": -4.6}),
    Scenario("climb-terraced", "edge", "at 339.6 it hangs 350 - 324.6 = 25.4 over", _walk(**LEDGE), _climb(339.6),
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("gap-fits", "yes", "35 wide for 30", _gap(35), FITS, {"answer": "yes", "margin_mm": 5.0}),
    Scenario("gap-fits", "no", "28 wide for 30", _gap(28), FITS, {"answer": "no", "margin_mm": -2.0}),
    Scenario("gap-fits", "edge", "30 wide for 30", _gap(30), FITS, {"answer": "yes", "margin_mm": 0.0}),
    Scenario("contact-event", "yes", "a base at 390 is touched after 390 - 300 - 30 = 60", _walk(mini("b", 390, 600)),
             FIRST, {"value": {"contacts": [{"id": "b", "after_mm": 60.0}]}}),
    Scenario("contact-event", "no", "a base at 640 is passed by 10", _walk(mini("b", 390, 640)), FIRST,
             {"value": {"contacts": []}}),
    Scenario("contact-event", "edge", "a base at 630 is brushed after 90", _walk(mini("b", 390, 630)), FIRST,
             {"value": {"contacts": [{"id": "b", "after_mm": 90.0}]}}, exactly="the bases touch as it passes"),
    Scenario("table-edge-stop", "yes", "the edge is 300 - 15 = 285 away", _walk(), _shoved(400),
             {"value": {"result": "stops", "to_edge_mm": 285.0}}),
    Scenario("table-edge-stop", "no", "200 of 285", _walk(), _shoved(200), {"value": {"result": "stays"}}),
    Scenario("table-edge-stop", "edge", "285 of 285", _walk(), _shoved(285), {"value": {"result": "stays"}},
             exactly="its rim comes to lie on the table's edge"),
)  # fmt: skip


def _into(x: float) -> dict[str, Any]:
    return {"kind": "enters-area", "mover": "m", "area": "bog", "path_mm": [(300, 600), (x, 600)]}


ACID = {"terrain": [box("acid", "acid-bath", 400, 500, 500, 700)]}


def _burn(x: float) -> dict[str, Any]:
    return {"kind": "hazard", "mover": "m", "path_mm": [(300, 600), (x, 600)]}


def _put(x: float, manner: str = "placed") -> dict[str, Any]:
    return {"kind": "placement", "mover": "m", "to": {"at_mm": [x, 600]}, "manner": manner}


def _swap(x: float) -> dict[str, Any]:
    base = {"shape": "round", "diameter_mm": 50}
    return {"kind": "replacement", "mover": "m", "base": base, "to": {"at_mm": [x, 600]}}


LEAST = {"kind": "least-disturbance", "mover": "m"}
ENDS = (
    Scenario("entering", "yes", "it began 350 - 315 = 35 outside and ends 345 + 15 - 350 = 10 inside", _walk(**BOG),
             _into(345), {"answer": "yes", "margin_mm": 10.0}),
    Scenario("entering", "no", "330 + 15 - 350 = -5", _walk(**BOG), _into(330), {"answer": "no", "margin_mm": -5.0}),
    Scenario("entering", "edge", "335 + 15 - 350 = 0", _walk(**BOG), _into(335), {"answer": "yes", "margin_mm": 0.0}),
    Scenario("hazard", "yes", "395 + 15 - 400 = 10 in the acid", _walk(**ACID), _burn(395),
             {"answer": "yes", "margin_mm": 10.0}),
    Scenario("hazard", "no", "380 + 15 - 400 = -5", _walk(**ACID), _burn(380), {"answer": "no", "margin_mm": -5.0}),
    Scenario("hazard", "edge", "385 + 15 - 400 = 0", _walk(**ACID), _burn(385), {"answer": "yes", "margin_mm": 0.0}),
    Scenario("placement-legal", "yes", "10 from the base at 600: 600 - 560 - 30 = 10", _walk(mini("b", 600, 600)),
             _put(560), {"answer": "yes", "margin_mm": 10.0}),
    Scenario("placement-legal", "no", "a colossal is never placed", _walk(me={"mm": 120, "type": "warjack"}), _put(560),
             {"answer": "no"}),
    Scenario("placement-legal", "edge", "touching the base at 600", _walk(mini("b", 600, 600)), _put(570),
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("base-fits-here", "yes", "600 - 565 - 30 = 5", _walk(mini("b", 600, 600)), _put(565, "moved"),
             {"answer": "yes", "margin_mm": 5.0}),
    Scenario("base-fits-here", "no", "600 - 575 - 30 = -5", _walk(mini("b", 600, 600)), _put(575, "moved"),
             {"answer": "no", "margin_mm": -5.0}),
    Scenario("base-fits-here", "edge", "600 - 570 - 30 = 0", _walk(mini("b", 600, 600)), _put(570, "moved"),
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("replace-legal", "yes", "25 - 15 = 10 of room, shifted by 4: 6 to spare", _walk(), _swap(304),
             {"answer": "yes", "margin_mm": 6.0}),
    Scenario("replace-legal", "no", "shifted by 12", _walk(), _swap(312), {"answer": "no", "margin_mm": -2.0}),
    Scenario("replace-legal", "edge", "shifted by 10", _walk(), _swap(310), {"answer": "yes", "margin_mm": 0.0}),
    Scenario("rule-of-least-disturbance", "yes", "a base 20 off center is moved 10, to 330", _walk(mini("b", 320, 600)),
             LEAST, {"value": {"poses": {"b": {"at_mm": [330.0, 600.0]}}, "total_mm": 10.0}}),
    Scenario("rule-of-least-disturbance", "no", "a base 35 off overlaps nothing", _walk(mini("b", 335, 600)), LEAST,
             {"value": {"poses": {}, "total_mm": 0.0}}),
    Scenario("rule-of-least-disturbance", "edge", "a base 30 off only touches", _walk(mini("b", 330, 600)), LEAST,
             {"value": {"poses": {}}}, exactly="the bases touch"),
    Scenario("fall", "yes", "3 in are 76.2: 50.8 more than an inch, and one more die for the third inch", _walk(),
             {"kind": "fall", "mover": "m", "drop_in": 3},
             {"answer": "yes", "margin_mm": 50.8, "value": {"dice": {"count": 3, "plus": 12}}}),
    Scenario("fall", "no", "0.5 in lack 12.7", _walk(), {"kind": "fall", "mover": "m", "drop_in": 0.5},
             {"answer": "no", "margin_mm": -12.7}),
    Scenario("fall", "edge", "a full inch is a fall", _walk(), {"kind": "fall", "mover": "m", "drop_in": 1},
             {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip

SCENARIOS = (*MOVES, *RESTRICTED, *PASSED, *ENDS)
