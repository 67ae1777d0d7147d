"""Distances, formation and quadrants."""

from typing import Any

from tests.referee.scenario import Scenario
from tests.referee.scenarios.warhammer.field import field, lone, unit

A = unit("A", (600, 300), 90, 5, 10)  # x from 550 to 650, y from 260 to 300


def _facing(y: float) -> Any:
    """A looks up from y = 300, E stands at this y and looks down: E's bases begin there."""
    return field(A, unit("E", (600, y), 270, 5, 10, "blue"))


APART = {"kind": "distance", "a": "A", "b": "E"}
AROUND = {"kind": "aura", "source": "A", "range_in": 6}
DISTANCES = (
    Scenario("unit-distance", "yes", "500 - 300", _facing(500), APART,
             {"status": "measured", "value": {"distance_mm": 200.0}}),
    Scenario("unit-distance", "no", "290 < 300: bases that overlap are 0 apart", _facing(290), APART,
             {"value": {"distance_mm": 0.0}}),
    Scenario("unit-distance", "edge", "300 - 300", _facing(300), APART, {"value": {"distance_mm": 0.0}},
             exactly="the front edges touch"),
    Scenario("unit-within", "yes", "6 in = 152.4; 152.4 - (440 - 300) = 12.4; its rear at 480 is not within",
             _facing(440), AROUND, {"members": [{"id": "E", "answer": "yes", "margin_mm": 12.4}],
             "value": {"by_id": {"E": {"distance_mm": 140.0, "completely": False}}}}),
    Scenario("unit-within", "no", "152.4 - 160 = -7.6", _facing(460), AROUND,
             {"members": [{"id": "E", "answer": "no", "margin_mm": -7.6}]}),
    Scenario("unit-within", "edge", "452.4 - 300 = 152.4", _facing(452.4), AROUND,
             {"members": [{"id": "E", "answer": "yes", "margin_mm": 0.0}]}, exactly="6 in"),
)  # fmt: skip


def _block(files: int, count: int, **more: Any) -> Any:
    return field(unit("A", (600, 300), 90, files, count, **more))


RANKED = {"kind": "ranked-formation", "unit": "A", "manner": "ranked"}
LOOSE = {"kind": "ranked-formation", "unit": "A", "manner": "skirmish"}
LOST_FOUR = {"kind": "casualties", "unit": "A", "lost": 4}
STRENGTH = {"kind": "unit-strength", "unit": "A"}
FORMATIONS = (
    Scenario("unit-legal-formation", "yes", "five wide, two deep, gaps of 0: all of the 2.54 that a hand may leave",
             _block(5, 10), RANKED, {"answer": "yes", "margin_mm": 2.54, "value": {"defects": [], "crooked_mm": 0.0}}),
    Scenario("unit-legal-formation", "no", "twelve infantry are four wide, and may be five to twelve",
             _block(4, 12), RANKED, {"answer": "no", "value": {"defects": ["too-narrow"]}}),
    Scenario("unit-legal-formation", "edge", "25 in five files: five ranks", _block(5, 25), RANKED,
             {"answer": "yes", "value": {"defects": [], "ranks": 5}}, exactly="as many ranks as files"),
    Scenario("skirmish-formation", "yes", "gaps of 12.7 are half an inch; 6.35 either way is about that",
             _block(4, 8, gap=12.7), LOOSE, {"answer": "yes", "margin_mm": 6.35}),
    Scenario("skirmish-formation", "no", "6.35 - (20 - 12.7) = -0.95", _block(4, 8, gap=20), LOOSE,
             {"answer": "no", "margin_mm": -0.95, "value": {"defects": ["gap"]}}),
    Scenario("skirmish-formation", "edge", "6.35 - (19.05 - 12.7) = 0", _block(4, 8, gap=19.05), LOOSE,
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("unit-ranks", "yes", "three, and the right of the second rank, whose four stand at 570, 590, 610, 630",
             _block(5, 13), LOST_FOUR,
             {"status": "measured", "value": {"removed": ["A/2-0", "A/2-1", "A/2-2", "A/1-4"], "files": 5, "ranks": 2,
              "poses": {"A/1-0": {"at_mm": [570, 270]}, "A/1-3": {"at_mm": [630, 270]}}}}),
    Scenario("unit-ranks", "no", "nobody is lost, and nobody moves", _block(5, 13), LOST_FOUR | {"lost": 0},
             {"value": {"removed": [], "poses": {}, "files": 5, "ranks": 3}}),
    Scenario("unit-ranks", "edge", "of a single rank from either end in turn", _block(5, 5), LOST_FOUR,
             {"value": {"removed": ["A/0-4", "A/0-0", "A/0-3", "A/0-1"], "files": 1, "ranks": 1}},
             exactly="one rank is left"),
    Scenario("unit-strength", "yes", "ten of cavalry count two each", _block(5, 10, base=(25, 50), kind="cavalry"),
             STRENGTH, {"value": {"strength": 20.0, "passed": [5, 10], "large_target": False}}),
    Scenario("unit-strength", "no", "four of infantry count one each: fewer than five", _block(4, 4), STRENGTH,
             {"value": {"strength": 4.0, "passed": []}}),
    Scenario("unit-strength", "edge", "five of infantry", _block(5, 5), STRENGTH,
             {"value": {"strength": 5.0, "passed": [5]}}, exactly="strength 5"),
    Scenario("large-target", "yes", "41 of infantry", _block(7, 41), STRENGTH,
             {"value": {"strength": 41.0, "large_target": True}}),
    Scenario("large-target", "no", "39 of infantry", _block(7, 39), STRENGTH,
             {"value": {"strength": 39.0, "large_target": False}}),
    Scenario("large-target", "edge", "40 of infantry", _block(7, 40), STRENGTH,
             {"value": {"strength": 40.0, "large_target": True}}, exactly="strength 40"),
)  # fmt: skip


def _arc(x: float, y: float) -> dict[str, Any]:
    return {"kind": "arc", "viewer": "A", "target": [x, y]}


def _lies(x: float, y: float) -> Any:
    """A block of 50 by 50 round this place."""
    return field(A, lone("t", (x, y), 270, "blue"))


FRONT, SEES = ({"kind": "in-front-arc", "viewer": one, "target": "t"} for one in ("A", "A/0-2"))
ARCS = (
    Scenario("unit-arc", "yes", "120 ahead of the middle: 100 beyond the edge, 50 inside the flank: 150 / 1.41421",
             field(A), _arc(600, 400), {"value": {"arc": "front", "border_mm": 106.07}}),
    Scenario("unit-arc", "no", "150 to the right: 100 beyond the flank, 20 inside the edge: 120 / 1.41421",
             field(A), _arc(750, 280), {"value": {"arc": "right", "border_mm": 84.85}}),
    Scenario("unit-arc", "edge", "50 right and 50 ahead of the corner at 650, 300", field(A), _arc(700, 350),
             {"value": {"arc": "border", "border_mm": 0.0}}, exactly="on the line between front and flank"),
    Scenario("in-front-arc-unit", "yes", "its corner 625, 525 is (75 + 225) / 1.41421 inside the line from 550, 300",
             _lies(600, 500), FRONT, {"answer": "yes", "margin_mm": 212.13, "value": {"share": 1.0}}),
    Scenario("in-front-arc-unit", "no", "its corner 815, 325 is (165 - 25) / 1.41421 outside the line from 650, 300",
             _lies(840, 300), FRONT, {"answer": "no", "margin_mm": -98.99, "value": {"share": 0.0}}),
    Scenario("in-front-arc-unit", "edge", "its corner 750, 400 is on the line from 650, 300", _lies(775, 375), FRONT,
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("model-arc", "yes", "its far corner 625, 525 is (35 + 225) / 1.41421 inside the line from 590, 300",
             _lies(600, 500), SEES, {"answer": "yes", "margin_mm": 183.85, "value": {"share": 1.0}}),
    Scenario("model-arc", "no", "its corner 775, 325 is (165 - 25) / 1.41421 outside the line from 610, 300",
             _lies(800, 300), SEES, {"answer": "no", "margin_mm": -98.99}),
    Scenario("model-arc", "edge", "its corner 710, 400 is on the line from 610, 300", _lies(735, 375), SEES,
             {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip

SCENARIOS: tuple[Scenario, ...] = (*DISTANCES, *FORMATIONS, *ARCS)
