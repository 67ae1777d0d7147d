"""Sight, shelter and shooting where this book differs. An inch is 25.4."""

from typing import Any

from tests.referee.scenario import Scenario
from tests.referee.scenarios.hordes.field import field
from tests.referee.tables import box, mini

LOS = {"kind": "los", "viewer": "a", "target": "t"}
COVER = {"kind": "cover", "attacker": "a", "target": "t"}
SHOT = {"turn": {"active": "red", "declared": {"what": "ranged-attack", "by": "a", "target": "t"}}}


def _down(height: float, *, blocker: float = 250, mm: float = 50, a: float = 30) -> Any:
    """a at 100 on ground of this height looks down along +x at t at 400, past a base at `blocker`."""
    high = mini("a", 100, 300, mm=a, elevation_mm=height)
    return field(high, mini("t", 400, 300, elevation_mm=0), mini("b", blocker, 300, mm=mm, elevation_mm=0))


def _rider(mm: float) -> Any:
    """Cavalry on 50 looks along +x at t on 30, past a base of this size on the middle line."""
    rider = mini("a", 100, 300, mm=50, side="red", abilities=["cavalry"])
    return field(rider, mini("t", 400, 300, side="blue"), mini("b", 250, 300, mm=mm, side="blue"))


def _shot(*terrain: dict[str, Any], **more: Any) -> Any:
    """a at 100 shoots along +x at t of 30 mm, whose near rim is at 385 and far rim at 415."""
    a, t = mini("a", 100, 300, side="red"), mini("t", 400, 300, 180, side="blue")
    return field(a, t, terrain=list(terrain), **more)


def _slanting(left: float) -> Any:
    """A wall that lies across the lines at 200 and comes within 385 - `left` of the base beside them."""
    outline = [[200, 250], [left, 250], [left, 350], [200, 350]]
    return _shot({"id": "w", "kind": "wall", "polygon_mm": outline, "height_mm": 25})


def _higher(target: float) -> Any:
    return field(mini("a", 100, 300, elevation_mm=0), mini("t", 400, 300, elevation_mm=target))


HEIGHTS = (
    Scenario("los-elevation", "yes", "30 is more than 25.4 above the screen, which stands 94 from the target",
             _down(30),
             LOS, {"answer": "yes", "value": {"ignored": [{"id": "b", "why": "lower"}]}}),
    Scenario("los-elevation", "no", "20 is less than 25.4: the screen counts, 25 to a side of lines 15 wide",
             _down(20), LOS,
             {"answer": "no", "margin_mm": -10.0, "blockers": ["b"]}),
    Scenario("los-elevation", "edge", "exactly 25.4 above the screen", _down(25.4), LOS,
             {"answer": "yes", "value": {"ignored": [{"id": "b", "why": "lower"}]}}, exactly="an inch of height"),
    Scenario("elevation-bonus", "yes", "35.4 - 25.4 = 10", _higher(35.4),
             {"kind": "elevation-bonus", "attacker": "a", "target": "t"},
             {"answer": "yes", "margin_mm": 10.0, "value": {"bonus": 2}}),
    Scenario("elevation-bonus", "no", "20.4 - 25.4 = -5", _higher(20.4),
             {"kind": "elevation-bonus", "attacker": "a", "target": "t"},
             {"answer": "no", "margin_mm": -5.0, "value": {"bonus": 0}}),
    Scenario("elevation-bonus", "edge", "25.4 - 25.4 = 0", _higher(25.4),
             {"kind": "elevation-bonus", "attacker": "a", "target": "t"},
             {"answer": "yes", "margin_mm": 0.0, "value": {"bonus": 2}}),
    Scenario("screen-counts", "yes", "for a shot the rider's base does not matter: 30 closes the line to 30",
             _rider(30),
             {"kind": "intervening", "viewer": "a", "target": "t", "blocker": "b"},
             {"answer": "yes", "value": {"counts": True, "why": None}}),
    Scenario("screen-counts", "no", "knocked down it is no screen; off the lines by 60 - 20 - 15 = 25",
             field(mini("a", 100, 300, mm=40), mini("t", 400, 300, mm=40),
                   mini("b", 250, 360, status=["knocked-down"])),
             {"kind": "intervening", "viewer": "a", "target": "t", "blocker": "b"},
             {"answer": "no", "margin_mm": -25.0, "value": {"counts": False, "why": "knocked-down"}}),
    Scenario("screen-counts", "edge", "35 beside the middle line a base of 40 just touches the lines of 30",
             field(mini("a", 100, 300), mini("t", 400, 300), mini("b", 250, 335, mm=40)),
             {"kind": "intervening", "viewer": "a", "target": "t", "blocker": "b"},
             {"answer": "yes", "margin_mm": 0.0, "value": {"counts": True}}),
)  # fmt: skip


def _wood(left: float) -> Any:
    return _shot(box("w", "forest", left, 200, 500, 400))


SHELTER = (
    Scenario("cover", "yes", "across the lines anywhere, and 385 - 370 = 15 off at its nearest: 25.4 - 15",
             _slanting(370),
             COVER, {"answer": "yes", "margin_mm": 10.4, "value": {"kind": "cover", "bonus": 4}}),
    Scenario("cover", "no", "25.4 - (385 - 350) = -9.6", _slanting(350), COVER,
             {"answer": "no", "margin_mm": -9.6, "value": {"kind": "none"}}),
    Scenario("cover", "edge", "385 - 359.6 = 25.4", _slanting(359.6), COVER, {"answer": "yes", "margin_mm": 0.0}),
    Scenario("concealment", "yes", "any part inside does: 415 - 410 = 5", _wood(410), COVER,
             {"answer": "yes", "margin_mm": 5.0, "value": {"kind": "concealment", "bonus": 2}}),
    Scenario("concealment", "no", "415 - 420 = -5", _wood(420), COVER, {"answer": "no", "margin_mm": -5.0}),
    Scenario("concealment", "edge", "the wood begins where the base ends", _wood(415), COVER,
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("cover-or-concealment", "yes", "a wood by 5 and a wall 10 off: only the better, 25.4 - 10",
             _shot(box("w", "forest", 410, 200, 500, 400), box("v", "wall", 370, 200, 375, 400, height_mm=25)), COVER,
             {"answer": "yes", "margin_mm": 15.4, "value": {"kind": "cover", "bonus": 4}}),
    Scenario("cover-or-concealment", "no", "sprays take no notice of either",
             _shot(box("w", "forest", 410, 200, 500, 400)), {**COVER, "shape": "spray"},
             {"answer": "no", "value": {"kind": "none", "bonus": 0}}),
    Scenario("cover-or-concealment", "edge", "a ruin that begins where the base ends, and a hedge 20 off: cover",
             _shot(box("w", "ruin", 415, 200, 500, 400), box("v", "hedge", 360, 200, 365, 400, height_mm=20)), COVER,
             {"answer": "yes", "margin_mm": 0.0, "value": {"kind": "cover", "bonus": 4}}),
)  # fmt: skip

GRAPPLE = {"kind": "attack-modifiers", "attacker": "a", "target": "t", "attack": "ranged"}


def _fought(x: float) -> Any:
    """t fights f, whose blade of half an inch reaches 12.7 from its rim, 15 from its middle at x."""
    return field(mini("a", 100, 300, side="red"), mini("t", 400, 300, 180, side="blue", reach=0.5),
                 mini("f", x, 300, 180, side="red", reach=0.5), **SHOT)  # fmt: skip


def _archers(second: float) -> Any:
    """Two archers of a unit with bows of 10 in shoot along +x at t of 30 at 400; the second stands at this x."""
    bow: dict[str, Any] = {"gun": 10, "unit": "u", "side": "red", "abilities": ["combined-ranged-attack"]}
    first = mini("a", 200, 300, profile={"cmd_in": 20}, **bow)
    return field(first, mini("b", second, 340, **bow), mini("t", 400, 300, 180, side="blue"),
                 units=[{"id": "u", "commander": "a", "command_in": 20}])  # fmt: skip


TOGETHER = {"kind": "combined-ranged", "participants": ["a", "b"], "primary": "a", "target": "t"}
SHOOTING = (
    Scenario("combined-ranged-attack", "yes", "from 200 it is 200 - 30 = 170, of 254", _archers(200), TOGETHER,
             {"value": {"bonus": 2, "by_id": {"b": {"part": "adds"}}}}),
    Scenario("combined-ranged-attack", "no", "from 100 it is the root of 300² + 40², 302.7 - 30 = 272.7: spent",
             _archers(100), TOGETHER,
             {"value": {"bonus": 1, "auto_miss": False, "by_id": {"b": {"part": "spent", "why": "range"}}}}),
    Scenario("combined-ranged-attack", "edge", "284 off in a straight line of 40 and the root of 284² - 40²",
             _archers(400 - (284.0**2 - 40.0**2) ** 0.5), TOGETHER,
             {"value": {"bonus": 2, "by_id": {"b": {"part": "adds"}}}}, exactly="10 in to the second archer"),
    Scenario("attack-modifiers", "yes", "in melee with f, 40 - 30 = 10 of 12.7 off: 4 off the roll", _fought(440),
             GRAPPLE,
             {"value": {"modifiers": [{"name": "target-in-melee", "bonus": -4, "bonus_to": "attack"}], "total": -4}}),
    Scenario("attack-modifiers", "no", "43 - 30 = 13 of 12.7 off: nothing", _fought(443), GRAPPLE,
             {"value": {"modifiers": [], "total": 0}}),
    Scenario("attack-modifiers", "edge", "42.7 - 30 = 12.7", _fought(442.7), GRAPPLE, {"value": {"total": -4}},
             exactly="the reach of the one it fights"),
)  # fmt: skip

STRIKE = {"kind": "back-strike", "attacker": "a", "target": "t"}


def _round(*places: tuple[float, float]) -> Any:
    """t of 40 at 600, 600 looks along +x; a of 30 has come this way."""
    path = [list(place) for place in places]
    a = mini("a", *places[-1], side="red", this_turn={"path_mm": path})
    return field(a, mini("t", 600, 600, 0, mm=40, side="blue"), turn={"active": "red", "activating": "a"})


STRIKES = (
    Scenario("back-strike", "yes", "nearest to the line at 560: 600 - 560 - 15 = 25", _round((500, 700), (560, 640)),
             STRIKE, {"answer": "yes", "margin_mm": 25.0, "value": {"bonus": 2}}),
    Scenario("back-strike", "no", "behind it now, but it began 20 ahead of the line: 20 + 15 = 35",
             _round((620, 700), (560, 640)), STRIKE,
             {"answer": "no", "margin_mm": -35.0, "value": {"bonus": 0, "first_break_mm": 0.0}}),
    Scenario("back-strike", "edge", "600 - 585 - 15 = 0 at the corner of its way: touching the line is not behind",
             _round((500, 700), (585, 700), (560, 640)), STRIKE, {"answer": "no", "margin_mm": 0.0}),
)  # fmt: skip
SCENARIOS = (*HEIGHTS, *SHELTER, *SHOOTING, *STRIKES)
