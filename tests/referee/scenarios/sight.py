"""Sight, range and shooting."""

from typing import Any

from tests.referee.scenario import Scenario
from tests.referee.tables import box, mini, table

LOS = {"kind": "los", "viewer": "a", "target": "t"}
SMALL_MM, MEDIUM_MM = 44.45, 57.15  # the volumes of 30 and 40 mm bases: 1.75 and 2.25 in


def _sight(
    *others: dict[str, Any], a: dict[str, Any] | None = None, t: dict[str, Any] | None = None, **more: Any
) -> Any:
    """a at 100, 300 looks along +x at t, 300 mm on; both are of 30 mm."""
    return table(a or mini("a", 100, 300), t or mini("t", 400, 300, 180), *others, **more)


def _wall(height: float) -> dict[str, Any]:
    return box("w", "obstruction", 240, 100, 260, 500, height_mm=height)


def _forest(near: float) -> dict[str, Any]:
    return box("f", "forest", near, 200, 600, 400)


def _cloud(y: float) -> list[dict[str, Any]]:
    return [{"id": "c", "kind": "cloud", "centre_mm": [250, y], "diameter_mm": 76.2}]


PLAIN = (
    Scenario("los", "yes", "the base's rim reaches to 310 - 15 = 295; the line along 285 passes it by 10",
             _sight(mini("b", 250, 310)), LOS, {"answer": "yes", "margin_mm": 10.0}),
    Scenario("los", "no", "a 50 mm base in the middle: every line passes at most 15 from its centre, 15 - 25 = -10",
             _sight(mini("b", 250, 300, mm=50)), LOS, {"answer": "no", "margin_mm": -10.0, "blockers": ["b"]}),
    Scenario("los", "edge", "three equal bases in line: the outermost lines touch the middle one, 15 - 15 = 0",
             _sight(mini("b", 250, 300)), LOS, {"answer": "no", "margin_mm": 0.0, "at_edge": True}),
    Scenario("los-terrain-volume", "yes", "both volumes end at 44.45; a wall of 40 leaves 4.45",
             _sight(terrain=[_wall(40)]), LOS, {"answer": "yes", "value": {"wall_mm": 4.45}, "tolerance": 1e-6}),
    Scenario("los-terrain-volume", "no", "44.45 - 50 = -5.55, and the wall is wider than both",
             _sight(terrain=[_wall(50)]), LOS,
             {"answer": "no", "blockers": ["w"], "value": {"wall_mm": -5.55, "decided_by": "height"},
             "tolerance": 1e-6}),
    Scenario("los-terrain-volume", "edge", "a wall of exactly 44.45: the highest line just touches its top",
             _sight(terrain=[_wall(SMALL_MM)]), LOS, {"answer": "no", "value": {"wall_mm": 0.0}, "tolerance": 1e-6},
             exactly="the wall is as tall as the volumes"),
    Scenario("los-forest", "yes", "the near rim 385 lies 385 - 320 = 65 deep; 76.2 - 65 = 11.2",
             _sight(terrain=[_forest(320)]), LOS,
             {"answer": "yes", "margin_mm": 11.2, "value": {"forest_mm": 65.0, "decided_by": "forest"}}),
    Scenario("los-forest", "no", "385 - 300 = 85; 76.2 - 85 = -8.8", _sight(terrain=[_forest(300)]), LOS,
             {"answer": "no", "margin_mm": -8.8, "value": {"forest_mm": 85.0}}),
    Scenario("los-forest", "edge", "385 - 308.8 = 76.2 = 3 in: only more than that blocks",
             _sight(terrain=[_forest(308.8)]), LOS, {"answer": "yes", "margin_mm": 0.0, "at_edge": True}),
    Scenario("los-cloud", "yes", "the line along 285 passes the cloud's middle at 340 - 285 = 55; 55 - 38.1 = 16.9",
             _sight(effects=_cloud(340)), LOS, {"answer": "yes", "margin_mm": 16.9}),
    Scenario("los-cloud", "no", "in the middle: 15 - 38.1 = -23.1", _sight(effects=_cloud(300)), LOS,
             {"answer": "no", "margin_mm": -23.1, "blockers": ["c"], "value": {"decided_by": "cloud"}}),
    Scenario("los-cloud", "edge", "323.1 - 285 = 38.1: the only free line touches it", _sight(effects=_cloud(323.1)),
             LOS, {"answer": "no", "margin_mm": 0.0}),
)  # fmt: skip


def _from_hill(gap: float) -> Any:
    """A viewer 2 in up looks down past a 50 mm base that stands this far in front of the target."""
    hill = box("h", "hill", 50, 200, 150, 400, height_mm=50.8)
    return _sight(mini("b", 385 - gap - 25, 300, mm=50), terrain=[hill])


def _trench(*trenches: dict[str, Any], x: float = 250) -> Any:
    return _sight(mini("b", x, 300, mm=50), terrain=list(trenches))


def _ditch(id_: str, left: float, right: float) -> dict[str, Any]:
    return box(id_, "trench", left, 240, right, 367)


HUGE = mini("t", 700, 300, 180, mm=120)
MEDIUM = mini("t", 400, 300, 180, mm=40)
BY_KIND = (
    Scenario("los-elevation", "yes", "lower than the viewer and 100 from the target: looked past", _from_hill(100), LOS,
             {"answer": "yes", "value": {"ignored": [{"id": "b", "why": "lower"}]}}),
    Scenario("los-elevation", "no", "20 from the target counts, and 15 - 25 = -10", _from_hill(20), LOS,
             {"answer": "no", "margin_mm": -10.0, "blockers": ["b"]}),
    Scenario("los-elevation", "edge", "25.4 from the target is within an inch", _from_hill(25.4), LOS,
             {"answer": "no", "margin_mm": -10.0}, exactly="the blocker stands an inch from the target"),
    Scenario("los-trench", "yes", "wholly inside (225 to 275 of 215 to 291) and the target is not",
             _trench(_ditch("d", 215, 291)), LOS, {"answer": "yes", "value": {"ignored": [{"id": "b",
             "why": "trench"}]}}),
    Scenario("los-trench", "no", "the target is wholly inside one too: 15 - 25 = -10",
             _trench(_ditch("d", 215, 291), _ditch("e", 360, 436)), LOS, {"answer": "no", "margin_mm": -10.0}),
    Scenario("los-trench", "edge", "its rim 225 touches the trench's own from inside", _trench(_ditch("d", 225, 301)),
             LOS,
             {"answer": "yes"}, exactly="the base touches the rim of the trench from inside"),
    Scenario("los-huge-target", "yes", "a cloud and a wood in the way hide no huge base",
             _sight(t=HUGE, effects=_cloud(300), terrain=[box("f", "forest", 300, 100, 500, 500)]), LOS,
             {"answer": "yes", "value": {"ignored": [{"id": "c", "why": "huge-target"}, {"id": "f",
             "why": "huge-target"}]}}),
    Scenario("los-huge-target", "no", "a huge base does: three in line, every line within 60 of the middle of one of "
             "62",
             _sight(mini("b", 400, 300, mm=124), a=mini("a", 100, 300, mm=120), t=HUGE), LOS,
             {"answer": "no", "margin_mm": -2.0, "blockers": ["b"]}),
    Scenario("los-huge-target", "edge", "three huge bases in line: 60 - 60 = 0",
             _sight(mini("b", 400, 300, mm=120), a=mini("a", 100, 300, mm=120), t=HUGE), LOS,
             {"answer": "no", "margin_mm": 0.0}),
    Scenario("reference-object-check", "yes",
             "from a post of 44.45 at 85 to one of 57.15 (40 mm base) at 380 the line is lowest over the wall at 240: "
             "44.45 + 12.7 x 155 / 295 = 51.12; a wall of 50 leaves 1.12",
             _sight(t=MEDIUM, terrain=[_wall(50)]), LOS,
             {"answer": "yes", "value": {"wall_mm": SMALL_MM + 12.7 * 155 / 295 - 50}, "tolerance": 1e-6}),
    Scenario("reference-object-check", "no", "51.12 - 55 = -3.88", _sight(t=MEDIUM, terrain=[_wall(55)]), LOS,
             {"answer": "no", "value": {"wall_mm": SMALL_MM + 12.7 * 155 / 295 - 55}, "tolerance": 1e-6}),
    Scenario("reference-object-check", "edge", "a wall of exactly 44.45 + 12.7 x 155 / 295",
             _sight(t=MEDIUM, terrain=[_wall(SMALL_MM + 12.7 * 155 / 295)]), LOS,
             {"answer": "no", "value": {"wall_mm": 0.0}, "tolerance": 1e-6}, exactly="the line touches the wall's top"),
)  # fmt: skip

BETWEEN = {"kind": "intervening", "viewer": "a", "target": "t", "blocker": "b"}
STRIKE = {"kind": "target-legal", "attacker": "a", "target": "t", "attack": "melee"}


def _beside(y: float) -> Any:
    return _sight(mini("b", 250, y))


def _armed(gap: float, *, reach: float = 2, rules: list[str] | None = None, **a: Any) -> Any:
    blade = {"melee": [{"name": "Blade", "reach_in": reach, "rules": rules or []}]}
    mine = mini("a", 300, 300, side="red", profile=blade, **a)
    return table(mine, mini("t", 330 + gap, 300, 180, side="blue", profile={"defence": 12}))


def _apart(gap: float, **a: Any) -> Any:
    return table(
        mini("a", 300, 300, side="red", **a), mini("t", 330 + gap, 300, 180, side="blue", profile={"defence": 12})
    )


def _shot(kind: str, **fields: Any) -> dict[str, Any]:
    first = "caster" if kind == "spell-target" else "attacker"
    return {"kind": kind, first: "a", "target": "t", **fields}


TARGETS = (
    Scenario("intervening-model", "yes", "its rim reaches down to 320 - 15 = 305, 10 into the corridor that ends at "
             "315",
             _beside(320), BETWEEN, {"answer": "yes", "margin_mm": 10.0, "value": {"counts": True, "why": None}}),
    Scenario("intervening-model", "no", "340 - 15 = 325; 315 - 325 = -10", _beside(340), BETWEEN,
             {"answer": "no", "margin_mm": -10.0}),
    Scenario("intervening-model", "edge", "330 - 15 = 315", _beside(330), BETWEEN, {"answer": "yes", "margin_mm": 0.0}),
    Scenario("target-legal", "yes", "2 in = 50.8; gap 40; 10.8 to spare, sight and arc have more", _armed(40), STRIKE,
             {"answer": "yes", "margin_mm": 10.8,
              "value": {"clauses": [{"clause": "reach", "answer": "yes", "margin_mm": 10.8},
                                    {"clause": "sight", "answer": "yes"}, {"clause": "arc", "answer": "yes"}]}}),
    Scenario("target-legal", "no", "50.8 - 60 = -9.2", _armed(60), STRIKE, {"answer": "no", "margin_mm": -9.2}),
    Scenario("target-legal", "edge", "gap 50.8 = 2 in", _armed(50.8), STRIKE, {"answer": "yes", "margin_mm": 0.0}),
    Scenario("mount-attack", "yes", "a Mount's half inch is 12.7; 12.7 - 10 = 2.7", _armed(10, reach=0.5,
             rules=["mount"]),
             STRIKE, {"answer": "yes", "margin_mm": 2.7}),
    Scenario("mount-attack", "no", "in the charge it has made its impact attacks instead",
             _armed(10, reach=0.5, rules=["mount"], this_turn={"moved": ["charge"]}), STRIKE,
             {"answer": "no", "value": {"clauses": [{"clause": "mount", "answer": "no"}, {"clause": "reach",
             "answer": "yes"}]}}),
    Scenario("mount-attack", "edge", "gap 12.7", _armed(12.7, reach=0.5, rules=["mount"]), STRIKE,
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("range", "yes", "10 in = 254; 254 - 250 = 4", _apart(250, gun=10), _shot("range", weapon="Gun"),
             {"answer": "yes", "margin_mm": 4.0}),
    Scenario("range", "no", "254 - 260 = -6", _apart(260, gun=10), _shot("range", weapon="Gun"),
             {"answer": "no", "margin_mm": -6.0}),
    Scenario("range", "edge", "gap 254 = 10 in", _apart(254, gun=10), _shot("range", weapon="Gun"),
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("special-rule-range", "yes", "CMD 7 is 177.8; 177.8 - 170 = 7.8", _apart(170, profile={"cmd_in": 7}),
             _shot("range", stat="command"), {"answer": "yes", "margin_mm": 7.8}),
    Scenario("special-rule-range", "no", "177.8 - 180 = -2.2", _apart(180, profile={"cmd_in": 7}),
             _shot("range", stat="command"), {"answer": "no", "margin_mm": -2.2}),
    Scenario("special-rule-range", "edge", "gap 177.8 = 7 in", _apart(177.8, profile={"cmd_in": 7}),
             _shot("range", stat="command"), {"answer": "yes", "margin_mm": 0.0}),
    Scenario("spell-range", "yes", "8 in = 203.2; 203.2 - 200 = 3.2", _apart(200), _shot("spell-target", range_in=8),
             {"answer": "yes", "margin_mm": 3.2, "value": {"in_range": "yes", "clauses": [{"clause": "range",
             "answer": "yes"}]}}),
    Scenario("spell-range", "no", "203.2 - 210 = -6.8", _apart(210), _shot("spell-target", range_in=8),
             {"answer": "no", "margin_mm": -6.8, "value": {"in_range": "no"}}),
    Scenario("spell-range", "edge", "gap 203.2 = 8 in", _apart(203.2), _shot("spell-target", range_in=8),
             {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip


def _hidden(gap: float) -> Any:
    return table(mini("a", 300, 300), mini("t", 330 + gap, 300, abilities=["stealth"]))


def _fought(gap: float, **a: Any) -> Any:
    """One with a gun, and an enemy with half an inch of reach this far ahead who looks at him; another far away."""
    foe = mini("b", 330 + gap, 300, 180, side="blue", reach=0.5)
    return table(mini("a", 300, 300, side="red", gun=10, **a), foe, mini("t", 800, 300, 180, side="blue", gun=8))


def _gunfighter(gap: float) -> Any:
    """A gunfighter without melee weapons and an enemy who has none either."""
    me = mini("a", 300, 300, side="red", gun=10, abilities=["gunfighter"])
    return table(me, mini("t", 330 + gap, 300, 180, side="blue", gun=8), mini("far", 800, 300, 180, side="blue", gun=8))


def _stood(x: float) -> Any:
    turn = {"start": {"at_mm": [300, 300], "facing_deg": 0}}
    return table(mini("a", x, 300, side="red", gun=10, this_turn=turn))


def _volley(gap: float) -> Any:
    """Two of a unit with rifles of 10 in about a target at 600, 600; the second stands this far off."""
    rifle = {"ranged": [{"name": "Rifle", "rng_in": 10}], "abilities": ["combined-ranged-attack"], "cmd_in": 20}
    one: dict[str, Any] = {"side": "red", "unit": "u", "profile": rifle}
    target = mini("t", 600, 600, side="blue", profile={"defence": 12})
    first, second = mini("p", 370, 600, **one), mini("q", 600, 600 - 30 - gap, 90, **one)
    return table(target, first, second, units=[{"id": "u", "commander": "p"}])


VOLLEY = {"kind": "combined-ranged", "participants": ["q"], "primary": "p", "target": "t", "weapon": "Rifle"}
SHOOTING = (
    Scenario("stealth-miss", "yes", "5 in = 127; 130 - 127 = 3 too far", _hidden(130), _shot("stealth"),
             {"answer": "yes", "margin_mm": 3.0}),
    Scenario("stealth-miss", "no", "120 - 127 = -7", _hidden(120), _shot("stealth"), {"answer": "no",
             "margin_mm": -7.0}),
    Scenario("stealth-miss", "edge", "exactly 127 is near", _hidden(127), _shot("stealth"),
             {"answer": "no", "margin_mm": 0.0}),
    Scenario("may-shoot", "yes", "the enemy's reach of 12.7 ends 1 short of 13.7", _fought(13.7),
             {"kind": "may-shoot", "attacker": "a"}, {"answer": "yes", "margin_mm": 1.0, "value": {"reasons": []}}),
    Scenario("may-shoot", "no", "12.7 - 5 = 7.7 within it", _fought(5), {"kind": "may-shoot", "attacker": "a"},
             {"answer": "no", "margin_mm": -7.7, "value": {"reasons": ["in-melee"]}}),
    Scenario("may-shoot", "edge", "gap 12.7: reach at its limit engages", _fought(12.7),
             {"kind": "may-shoot", "attacker": "a"}, {"answer": "no", "margin_mm": 0.0}),
    Scenario("gunfighter", "yes", "without melee weapons it reaches 12.7, and fights t at 5: it may shoot at t",
             _gunfighter(5), {"kind": "may-shoot", "attacker": "a", "target": "t"},
             {"answer": "yes", "margin_mm": 7.7, "value": {"only_at": ["t"]}}),
    Scenario("gunfighter", "no", "in melee with t by 7.7 it may not shoot at anybody else", _gunfighter(5),
             {"kind": "may-shoot", "attacker": "a", "target": "far"}, {"answer": "no", "margin_mm": -7.7}),
    Scenario("gunfighter", "edge", "t at 12.7, the limit of its half inch, is in melee with it", _gunfighter(12.7),
             {"kind": "may-shoot", "attacker": "a", "target": "t"},
             {"answer": "yes", "margin_mm": 0.0, "value": {"only_at": ["t"]}}),
    Scenario("aim-legal", "yes", "it has not stirred: all of 0.5 is left", _stood(300), {"kind": "aim", "who": "a"},
             {"answer": "yes", "margin_mm": 0.5, "value": {"shift_mm": 0.0, "turn_deg": 0.0}, "tolerance": 1e-6}),
    Scenario("aim-legal", "no", "0.5 - 3 = -2.5", _stood(303), {"kind": "aim", "who": "a"},
             {"answer": "no", "margin_mm": -2.5, "tolerance": 1e-6}),
    Scenario("aim-legal", "edge", "a shift of 0.5 is within the tolerance", _stood(300.5), {"kind": "aim", "who": "a"},
             {"answer": "yes", "margin_mm": 0.0, "tolerance": 1e-6}),
    Scenario("combined-ranged-participants", "yes", "254 - 250 = 4 to spare for q, 54 for p: two count", _volley(250),
             VOLLEY,
             {"members": [{"id": "q", "answer": "yes", "margin_mm": 4.0}],
              "value": {"bonus": 2, "auto_miss": False, "by_id": {"q": {"part": "adds"}, "p": {"part": "adds"}}}}),
    Scenario("combined-ranged-participants", "no", "254 - 260 = -6: q cannot reach, and one alone combines nothing",
             _volley(260), VOLLEY,
             {"members": [{"id": "q", "answer": "no", "margin_mm": -6.0}],
              "value": {"bonus": 0, "by_id": {"q": {"part": "may-not", "why": "range"}}}}),
    Scenario("combined-ranged-participants", "edge", "gap 254 = 10 in", _volley(254), VOLLEY,
             {"margin_mm": 0.0, "members": [{"id": "q", "answer": "yes", "margin_mm": 0.0}]}),
)  # fmt: skip

SCENARIOS = (*PLAIN, *BY_KIND, *TARGETS, *SHOOTING)
