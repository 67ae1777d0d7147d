"""Sight, screens, shots and spells of the first edition. An inch is 25.4; lines of sight start at the base's centre."""

import math
from typing import Any

from tests.referee.scenario import Scenario
from tests.referee.scenarios.first.field import field
from tests.referee.tables import box, mini

LOS = {"kind": "los", "viewer": "a", "target": "t"}
SLIM = math.sqrt(1 - 0.05**2)  # of t, 15 wide at 300: the cosine of the angle whose sine is 0.05


def _line(*others: dict[str, Any], t: float = 400, **more: Any) -> Any:
    """a of 30 at 100 looks along +x at t of 30: from its centre the rim of t at 400 lies 15 in 300 aside."""
    return field(mini("a", 100, 300, side="red"), mini("t", t, 300, 180, side="blue"), *others, **more)


def _past(aside: float, **more: Any) -> Any:
    """Another of 30 half way, 150 on, where the lines reach 7.5 to either side."""
    return _line(mini("b", 250, 300 + aside, side="blue", **more))


BETWEEN = {"kind": "intervening", "viewer": "a", "target": "t", "blocker": "b"}
LINES = (
    Scenario("los", "yes", "the farther rim's line passes 7.5 beyond the middle: 20 * 0.99875 + 7.5 - 15",
             _past(20), LOS,
             {"answer": "yes", "margin_mm": 12.475}),
    Scenario("los", "no", "7.5 - 15, whichever side", _past(0), LOS,
             {"answer": "no", "margin_mm": -7.5, "blockers": ["b"]}),
    Scenario("los", "edge", "a line that grazes a base is clear: 7.5 / 0.99875 aside", _past(7.5 / SLIM), LOS,
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("intervening", "yes", "10 * 0.99875 - 7.5 = 2.49 from the outmost line: 15 - 2.49", _past(10), BETWEEN,
             {"answer": "yes", "margin_mm": 12.513, "value": {"counts": True}}),
    Scenario("intervening", "no", "30 * 0.99875 - 7.5 = 22.46: in the corridor of the bases, and not among the lines",
             _past(30), BETWEEN, {"answer": "no", "margin_mm": -7.462}),
    Scenario("intervening", "edge", "22.5 / 0.99875 aside the outmost line grazes it, which crosses nothing",
             _past(22.5 / SLIM), BETWEEN, {"answer": "no", "margin_mm": 0.0}),
)  # fmt: skip


def _jack(tip: float, kind: str = "warjack") -> Any:
    """Eyes at 30 before a wall of 40 from 398 to 402; t at 500 is 30 tall and holds something up over its middle."""
    a = mini("a", 300, 300, side="red", head_mm=30)
    t = mini("t", 500, 300, 180, mm=40, side="blue", type=kind, body_mm=30, held_mm=[[500, 300, tip]])
    wall = box("w", "obstruction", 398, 100, 402, 500, height_mm=40)
    return field(a, t, terrain=[wall], house_rules={"seen-body": "declared-body"})


def _above(*, screen: float, at: float) -> Any:
    """a 76.2 up looks at t on the ground, past another on the ground, this large and at this place."""
    high = mini("a", 100, 300, side="red", elevation_mm=76.2)
    low = mini("b", at, 300, mm=screen, side="blue", elevation_mm=0)
    return field(high, mini("t", 400, 300, 180, side="blue", elevation_mm=0), low)


BODIES = (
    Scenario("los-3d", "yes", "to 70: at the wall's near side 30 + 40 * 98 / 200 = 49.6, 9.6 above it", _jack(70), LOS,
             {"answer": "yes", "value": {"wall_mm": 9.6}}),
    Scenario("los-3d", "no", "what a trooper holds is not of its body", _jack(70, "trooper"), LOS, {"answer": "no"}),
    Scenario("los-3d", "edge", "30 + 20.408 * 98 / 200 = 40", _jack(30 + 10 * 200 / 98), LOS,
             {"answer": "yes", "value": {"wall_mm": 0.0}}, exactly="the top of the wall"),
    Scenario("elevation-los", "yes", "25 from the target it screens, yet is no larger than the viewer's base: past it",
             _above(screen=30, at=345), LOS, {"answer": "yes", "value": {"ignored": [{"id": "b", "why": "lower"}]}}),
    Scenario("elevation-los", "no", "15 from the target and larger than the viewer: 245 * 0.05 - 25",
             _above(screen=50, at=345), LOS, {"answer": "no", "margin_mm": -12.75, "blockers": ["b"]}),
    Scenario("elevation-los", "edge", "400 - 15 - 25 - 25.4 = 334.6 is within an inch still: 234.6 * 0.05 - 25",
             _above(screen=50, at=334.6), LOS, {"answer": "no", "margin_mm": -13.27}, exactly="an inch to the target"),
)  # fmt: skip


def _screen(dx: float) -> Any:
    """Another of 30, 25 aside of the middle line and this far before t."""
    return _line(mini("x", 400 - dx, 325, 180, side="blue"))


SCREEN = {"kind": "screening", "attacker": "a", "target": "t"}
INCH_OFF = math.sqrt(55.4**2 - 25**2)  # with 25 aside: 55.4 between the middles, an inch between the rims
SCREENS = (
    Scenario("screening", "yes", "25.4 - (51.48 - 30) = 3.92; 25 * 0.99875 - 255 * 0.05 = 12.22: 2.78 among the lines",
             _screen(45), SCREEN,
             {"answer": "yes", "margin_mm": 2.781, "members": [{"id": "x", "answer": "yes"}],
              "value": {"bonus": 2, "bonus_to": "defence", "sight": {"answer": "yes"}}}),
    Scenario("screening", "no", "25.4 - (65 - 30)", _screen(60), SCREEN,
             {"answer": "no", "margin_mm": -9.6, "value": {"bonus": 0}}),
    Scenario("screening", "edge", "55.4 - 30 = 25.4", _screen(INCH_OFF), SCREEN,
             {"answer": "yes", "margin_mm": 0.0, "value": {"bonus": 2}}),
)  # fmt: skip


def _spell(x: float, *others: dict[str, Any]) -> Any:
    """a casts at its friend f of 30; 8 in are 203.2."""
    return field(mini("a", 300, 300, side="red", type="warcaster"), mini("f", x, 300, side="red"), *others)


CAST = {"kind": "spell-target", "caster": "a", "target": "f", "range_in": 8, "offensive": False}
SPELLS = (
    Scenario("spell-target-los", "yes", "203.2 - (450 - 330)", _spell(450), CAST, {"answer": "yes", "margin_mm": 83.2}),
    Scenario("spell-target-los", "no", "a friend has to be seen too: half way 15 / 150 * 75 - 25",
             _spell(450, mini("b", 375, 300, mm=50)), CAST, {"answer": "no", "margin_mm": -17.5}),
    Scenario("spell-target-los", "edge", "533.2 - 330 = 203.2", _spell(533.2), CAST,
             {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip


def _gunner(gap: float) -> Any:
    """a has shots left over for t behind a block; e stands this far off and reaches 12.7."""
    a = mini("a", 300, 300, side="red", gun=10)
    block = box("w", "obstruction", 350, 200, 360, 400, height_mm=80)
    foe = mini("e", 300, 330 + gap, 270, side="blue", reach=0.5)
    return field(a, mini("t", 400, 300, 180, side="blue"), foe, terrain=[block])


STRAFE = {"kind": "may-shoot", "attacker": "a", "target": "t", "allotted": True}


def _archers(second: float) -> Any:
    """Two with bows of 10 in, or 254, a chain of 3 in apart at most; the second stands 40 aside at this x."""
    bow: dict[str, Any] = {"gun": 10, "unit": "u", "side": "red", "abilities": ["combined-ranged-attack"]}
    unit = {"id": "u", "commander": "a", "spacing_in": 6}
    return field(mini("a", 200, 300, **bow), mini("b", second, 340, **bow), mini("t", 400, 300, 180, side="blue"),
                 units=[unit])  # fmt: skip


TOGETHER = {"kind": "combined-ranged", "participants": ["a", "b"], "primary": "a", "target": "t"}
SHOOTING = (
    Scenario("strafe", "yes", "what is allotted is shot though it cannot be seen; e is 20 off", _gunner(20), STRAFE,
             {"answer": "yes", "margin_mm": 7.3}),
    Scenario("strafe", "no", "in melee: 12.7 - 5", _gunner(5), STRAFE, {"answer": "no", "margin_mm": -7.7}),
    Scenario("strafe", "edge", "just in reach it is in melee", _gunner(12.7), STRAFE,
             {"answer": "no", "margin_mm": 0.0}),
    Scenario("combined-ranged-participants", "yes", "from 200 the root of 200² + 40² = 204, less 30 is 174 of 254",
             _archers(200), TOGETHER, {"value": {"bonus": 2, "by_id": {"b": {"part": "adds"}}}}),
    Scenario("combined-ranged-participants", "no", "from 100 the root of 300² + 40² = 302.7, less 30 is 272.7: spent",
             _archers(100), TOGETHER, {"value": {"bonus": 1, "by_id": {"b": {"part": "spent", "why": "range"}}}}),
    Scenario("combined-ranged-participants", "edge", "284 off, 40 of it aside",
             _archers(400 - math.sqrt(284**2 - 40**2)),
             TOGETHER, {"value": {"bonus": 2, "by_id": {"b": {"part": "adds"}}}}, exactly="10 in to the second"),
)  # fmt: skip


def _behind(x: float) -> Any:
    """t of 40 at 600, 600 looks along +x; a of 30 stands beside it at this x."""
    return field(mini("t", 600, 600, 0, mm=40, side="blue"), mini("a", x, 660, side="red"))


ARC = {"kind": "arc", "viewer": "t", "target": "a"}
ARCS = (
    Scenario("arc-of", "yes", "a part of it is ahead: 595 + 15 - 600 = 10", _behind(595), ARC,
             {"value": {"arc": "front", "border_mm": 10.0}}),
    Scenario("arc-of", "no", "all of it is behind: 560 + 15 - 600", _behind(560), ARC,
             {"value": {"arc": "back", "border_mm": -25.0}}),
    Scenario("arc-of", "edge", "585 + 15 = 600", _behind(585), ARC, {"value": {"arc": "front"}},
             exactly="it touches the arc line"),
)  # fmt: skip
SCENARIOS = (*LINES, *BODIES, *SCREENS, *SPELLS, *SHOOTING, *ARCS)
