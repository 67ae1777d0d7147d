"""Line of sight."""

from typing import Any

from tests.referee.scenario import Scenario
from tests.referee.scenarios.warhammer.field import field, lone, unit
from tests.referee.tables import box

SEES = {"kind": "los", "viewer": "a", "target": "t"}
CLEAR = 212.13  # nothing in the way: the depth of t in a's front, (625 - 575 + 550 - 300) / 1.41421


def _soldier(id_: str, x: float, y: float, facing: float, side: str, **more: Any) -> dict[str, Any]:
    """A base of 50 by 50 that towers over nobody."""
    return lone(id_, (x, y), facing, side, **({"kind": "infantry"} | more))


def _look(
    *between: dict[str, Any], a: dict[str, Any] | None = None, t: dict[str, Any] | None = None, **more: Any
) -> Any:
    """a looks up from the edge 575 to 625 at y = 300; t lies between 575 and 625, 500 and 550."""
    viewer = _soldier("a", 600, 275, 90, "red", **(a or {}))
    return field(viewer, _soldier("t", 600, 525, 270, "blue", **(t or {})), *between, **more)


def _cliff(right: float, **more: Any) -> dict[str, Any]:
    return {"terrain": [box("w", "impassable", 0, 400, right, 420, **more)]}


def _line(id_: str, y: float, *, right: float = 650, **more: Any) -> dict[str, Any]:
    """A base from 550 to its right end, 20 deep, its near edge at this y."""
    return lone(
        id_, ((550 + right) / 2, y + 10), 90, "blue", **({"base": (right - 550, 20), "kind": "infantry"} | more)
    )


LINES = (
    Scenario("los-model", "yes", f"nothing in the way: {CLEAR} deep in its front", _look(), SEES,
             {"answer": "yes", "margin_mm": CLEAR, "value": {"seen": "clear", "decided_by": "arc"}}),
    Scenario("los-model", "no", "a cliff of 20 across all lines must shrink by 10 from either side",
             _look(**_cliff(1800)), SEES, {"answer": "no", "margin_mm": -10.0, "blockers": ["w"]}),
    Scenario("los-model", "edge", "the line along x = 625 grazes the end of the cliff", _look(**_cliff(625)), SEES,
             {"answer": "no", "margin_mm": 0.0, "at_edge": True}),
)  # fmt: skip


def _units(y: float, *more: Any) -> Any:
    """A stands in one rank from 550 to 650 and looks up from y = 300; E begins at y."""
    return field(unit("A", (600, 300), 90, 5, 5), unit("E", (600, y), 270, 5, 5, "blue"), *more)


LOOKS = {"kind": "los", "viewer": "A", "target": "E"}
UNITS = (
    Scenario("los-unit", "yes", "all five see it; from 590 the far corner 650, 520 is (60 + 220) / 1.41421 deep",
             _units(500), LOOKS, {"answer": "yes", "margin_mm": 197.99,
             "value": {"seers": ["A/0-0", "A/0-1", "A/0-2", "A/0-3", "A/0-4"]}}),
    Scenario("los-unit", "no", "E ends at 120, and A's front is at 300", _units(100), LOOKS,
             {"answer": "no", "margin_mm": -180.0, "value": {"decided_by": "arc", "seers": []}}),
    Scenario("los-unit", "edge", "its corner 700, 350 is on the line from the last one's corner 650, 300",
             field(unit("A", (600, 300), 90, 5, 5), lone("E", (725, 325), 270, "blue")), LOOKS,
             {"answer": "no", "margin_mm": 0.0}),
)  # fmt: skip


def _wood(depth: float) -> Any:
    return _look(terrain=[box("f", "forest", 0, 350, 1800, 350 + depth)])


FORESTS = (
    Scenario("los-forest", "yes", "40 of 50.8: (50.8 - 40) / 2 it may grow from either side", _wood(40), SEES,
             {"answer": "yes", "margin_mm": 5.4, "value": {"forest_mm": 40.0, "decided_by": "forest"}}),
    Scenario("los-forest", "no", "(50.8 - 60) / 2", _wood(60), SEES,
             {"answer": "no", "margin_mm": -4.6, "value": {"forest_mm": 60.0}}),
    Scenario("los-forest", "edge", "50.8 of 50.8", _wood(50.8), SEES, {"answer": "yes", "margin_mm": 0.0,
             "house_rules": {"forest-exact": "clear"}}),
)  # fmt: skip


def _hill(near: float, far: float) -> dict[str, Any]:
    return {"terrain": [box("h", "hill", 500, near, 700, far, height_mm=60)]}


HEIGHTS = (
    Scenario("los-hill", "yes", "t stands on it, which hides nobody on it", _look(**_hill(480, 600)), SEES,
             {"answer": "yes", "margin_mm": CLEAR}),
    Scenario("los-hill", "no", "t stands behind a hill of 50, which must shrink by 25", _look(**_hill(400, 450)), SEES,
             {"answer": "no", "margin_mm": -25.0, "blockers": ["h"]}),
    Scenario("los-hill", "edge", "a's eye at 60 + 20 = 80, t on the ground 200 off: 130 off, at the far side of b, the "
             "line is at 80 x 70 / 200 = 28, and so is b's head",
             _look(_line("b", 410, body_mm=28), a={"body_mm": 20}, t={"body_mm": 28}, **_hill(200, 310)), SEES,
             {"answer": "no", "margin_mm": -10.0, "blockers": ["b"]}, exactly="the sloping line just touches its top"),
    Scenario("los-towering", "yes", "a monster shows over infantry, whoever tall they are",
             _look(_line("b", 400), t={"kind": "monster"}), SEES,
             {"answer": "yes", "margin_mm": CLEAR, "value": {"seen": "body"}}),
    Scenario("los-towering", "no", "infantry behind infantry 20 deep, which must shrink by 10",
             _look(_line("b", 400)), SEES, {"answer": "no", "margin_mm": -10.0, "value": {"seen": "unsure"}}),
    Scenario("los-towering", "edge", "30 of its 60 show over 30",
             _look(_line("b", 400, body_mm=30), t={"kind": "monster", "body_mm": 60}), SEES,
             {"answer": "yes", "value": {"seen": "body"}}, exactly="half of it shows"),
    Scenario("los-swarm", "yes", "a swarm hides nobody", _look(_line("b", 400, kind="swarm")), SEES,
             {"answer": "yes", "margin_mm": CLEAR, "value": {"seen": "clear"}}),
    Scenario("los-swarm", "no", "war beasts do: 20 deep", _look(_line("b", 400, kind="war-beast")), SEES,
             {"answer": "no", "margin_mm": -10.0}),
    Scenario("los-swarm", "edge", "even one that touches the target: 480 + 20 = 500",
             _look(_line("b", 480, kind="swarm")), SEES, {"answer": "yes", "margin_mm": CLEAR},
             exactly="in contact with the target"),
)  # fmt: skip


def _wall(near: float) -> Any:
    """A wall of 5, taller than t."""
    return _look(t={"body_mm": 28}, terrain=[box("w", "wall", 0, near, 1800, near + 5, height_mm=60)])


LEANING = (
    Scenario("los-obstacle-lean", "yes", "it touches the wall", _wall(300), SEES, {"answer": "yes",
             "margin_mm": CLEAR}),
    Scenario("los-obstacle-lean", "no", "it stands 10 behind a wall of 5, which must shrink by 2.5", _wall(310), SEES,
             {"answer": "no", "margin_mm": -2.5, "blockers": ["w"]}),
    Scenario("los-obstacle-lean", "edge", "it is 0.5 off, which still touches", _wall(300.5), SEES,
             {"answer": "yes", "margin_mm": CLEAR}, exactly="the tolerance of contact"),
)  # fmt: skip


def _house(right: float | None = None) -> Any:
    """a sits in a house from 500 to 700, whose far edge is at y = 300."""
    pieces = [box("g", "building", 500, 200, 700, 300), *(_cliff(right)["terrain"] if right is not None else [])]
    return _look(a={"inside": "g"}, terrain=pieces)


BUILDINGS = (
    Scenario("los-building", "yes", "from a house one looks all round: nothing can close it", _house(), SEES,
             {"answer": "yes", "margin_mm": 1000.0}),
    Scenario("los-building", "no", "a cliff of 20 across all lines", _house(1800), SEES,
             {"answer": "no", "margin_mm": -10.0}),
    Scenario("los-building", "edge", "from 700, 300 to 625, 550 the line is at 700 - 75 x 120 / 250 = 664 where the "
             "cliff ends at y = 420", _house(664), SEES, {"answer": "no", "margin_mm": 0.0}),
    Scenario("los-ethereal", "yes", "a ghost sees as others do", _look(a={"card": {"abilities": ["ethereal"]}}), SEES,
             {"answer": "yes", "margin_mm": CLEAR}),
    Scenario("los-ethereal", "no", "a ghost 20 deep is as much in the way as anybody",
             _look(_line("b", 400, card={"abilities": ["ethereal"]})), SEES, {"answer": "no", "margin_mm": -10.0}),
    Scenario("los-ethereal", "edge", "the line along x = 625 grazes the ghost's end",
             _look(_line("b", 400, right=625, card={"abilities": ["ethereal"]})), SEES,
             {"answer": "no", "margin_mm": 0.0}),
)  # fmt: skip

SCENARIOS: tuple[Scenario, ...] = (*LINES, *UNITS, *FORESTS, *HEIGHTS, *LEANING, *BUILDINGS)
