"""Blows, melees, walls of shields and those who lie down, in the first edition."""

from typing import Any

from tests.referee.scenario import Scenario
from tests.referee.scenarios.first.field import field
from tests.referee.tables import mini


def _blow(x: float, *others: dict[str, Any], y: float = 300, reach: float = 2) -> Any:
    """a of 30 at 300 strikes along +x at t of 30; 2 in reach 50.8 from its rim, 65.8 from its middle."""
    return field(mini("a", 300, 300, side="red", reach=reach), mini("t", x, y, 180, side="blue"), *others)


STRIKE = {"kind": "target-legal", "attacker": "a", "target": "t", "attack": "melee"}
REACH = {"kind": "melee-range", "attacker": "a", "target": "t"}
SWEEP = {"kind": "sweep", "attacker": "a"}
_FRIEND = mini("f", 300, 360, 180, side="red")
# What of t at 375 is in reach ends at 364.86, 311.06; the line from there that just touches the rim of a passes 2.29
# lower at 337.5 than the 15 at which it leaves.
BLOWS = (
    Scenario("melee-attack-reach", "yes", "50.8 - (365 - 330) = 15.8; nothing in between", _blow(365), STRIKE,
             {"answer": "yes", "margin_mm": 15.8, "value": {"clauses": [{"clause": "free-line", "answer": "yes"}]}}),
    Scenario("melee-attack-reach", "no", "the highest line passes 12.71 above one of 40: 12.71 - 20",
             _blow(375, mini("b", 337.5, 300, mm=40)), STRIKE,
             {"answer": "no", "margin_mm": -7.29, "blockers": ["b"]}),
    Scenario("melee-attack-reach", "edge", "380.8 - 330 = 50.8", _blow(380.8), STRIKE,
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("in-melee-range", "yes", "ahead of the line is only what lies beyond 300; it begins 335 - 11.18 up: 8.82",
             _blow(290, y=335, reach=0.5), REACH, {"answer": "yes", "margin_mm": 3.88}),
    Scenario("in-melee-range", "no", "the rims are 11.23 apart, the part ahead 340 - 11.18 - 315 = 13.82",
             _blow(290, y=340, reach=0.5), REACH, {"answer": "no", "margin_mm": -1.12}),
    Scenario("in-melee-range", "edge", "315 + 12.7 + the root of 15² - 10²", _blow(290, y=327.7 + 125**0.5, reach=0.5),
             REACH, {"answer": "yes", "margin_mm": 0.0}),
    Scenario("melee-set", "yes", "friend and foe: 50.8 - 35 of the foe; of the friend 15 lie ahead of the line",
             _blow(365, _FRIEND), SWEEP,
             {"members": [{"id": "t", "answer": "yes", "margin_mm": 15.8}, {"id": "f", "answer": "yes",
              "margin_mm": 15.0}]}),
    Scenario("melee-set", "no", "50.8 - (415 - 330)", _blow(415, _FRIEND), SWEEP,
             {"members": [{"id": "t", "answer": "no", "margin_mm": -34.2}, {"id": "f", "answer": "yes"}]}),
    Scenario("melee-set", "edge", "380.8 - 330 = 50.8", _blow(380.8), SWEEP,
             {"members": [{"id": "t", "answer": "yes", "margin_mm": 0.0}]}, exactly="the limit of its reach"),
)  # fmt: skip


def _jacks(x: float) -> Any:
    """A warjack of 40 at 300 before one of 50; power attacks reach 12.7 whatever the weapon."""
    return field(mini("a", 300, 300, mm=40, side="red", type="warjack", reach=2),
                 mini("t", x, 300, 180, mm=50, side="blue", type="warjack"))  # fmt: skip


BUTT = {"kind": "power-attack", "attacker": "a", "target": "t", "attack": "head-butt"}
POWERS = (
    Scenario("power-attack-reach", "yes", "12.7 - (350 - 345); the larger base costs 4", _jacks(350), BUTT,
             {"answer": "yes", "margin_mm": 7.7, "value": {"bonus": -4, "bonus_to": "attack"}}),
    Scenario("power-attack-reach", "no", "12.7 - (365 - 345)", _jacks(365), BUTT, {"answer": "no", "margin_mm": -7.3}),
    Scenario("power-attack-reach", "edge", "357.7 - 345 = 12.7", _jacks(357.7), BUTT,
             {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip


def _fight(f: float, *others: dict[str, Any]) -> Any:
    """a shoots at t at 400, who fights f; all reach 12.7, t looks along +x and f back at it."""
    t = mini("t", 400, 300, 0, side="blue", reach=0.5)
    return field(mini("a", 100, 300, side="red"), t, mini("f", f, 300, 180, side="red", reach=0.5), *others)


def _third(x: float) -> Any:
    """g of the target's side stands behind f, who looks away from it."""
    return _fight(440, mini("g", x, 300, 180, side="blue", reach=0.5))


SHOT = {"kind": "in-melee-penalty", "attacker": "a", "target": "t"}
MISS = {"kind": "in-melee-group", "attacker": "a", "target": "t"}
FIGHTS = (
    Scenario("in-melee-penalty", "yes", "12.7 - (440 - 430)", _fight(440), SHOT,
             {"answer": "yes", "margin_mm": 2.7, "value": {"bonus": -4, "bonus_to": "attack"}}),
    Scenario("in-melee-penalty", "no", "a spell whose origin fights the target suffers nothing", _fight(440),
             {**SHOT, "attack": "magic", "origin": "f"}, {"answer": "no", "value": {"bonus": 0, "waived_by": "f"}}),
    Scenario("in-melee-penalty", "edge", "442.7 - 430 = 12.7", _fight(442.7), SHOT,
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("in-melee-group", "yes", "f fights t, and g fights f: 480 - 470 = 10 of 12.7", _third(480), MISS,
             {"members": [{"id": "f", "answer": "yes"}, {"id": "g", "answer": "yes"}],
              "value": {"bands": {"f": [1, 2, 3], "g": [4, 5, 6]}}}),
    Scenario("in-melee-group", "no", "483 - 470 = 13: only f", _third(483), MISS,
             {"members": [{"id": "f", "answer": "yes"}, {"id": "g", "answer": "no"}],
              "value": {"bands": {"f": [1, 2, 3, 4, 5, 6]}}}),
    Scenario("in-melee-group", "edge", "482.7 - 470 = 12.7", _third(482.7), MISS,
             {"members": [{"id": "g", "answer": "yes"}]}, exactly="the reach of the third"),
)  # fmt: skip


def _wall(x: float = 330, *, y: float = 400) -> Any:
    """t at 300 and its neighbour look along +y, ordered to a shield wall; a of 30 attacks from this y."""
    two: dict[str, Any] = {"unit": "u", "side": "blue", "status": ["shield-wall"]}
    return field(mini("t", 300, 300, 90, **two), mini("n", x, 300, 90, **two), mini("a", 300, y, 270, side="red"),
                 units=[{"id": "u", "commander": "t", "spacing_in": 3}])  # fmt: skip


WALL = {"kind": "shield-wall", "target": "t", "attacker": "a"}
WALLS = (
    Scenario("shield-wall-neighbours", "yes", "touching leaves all of 2.54; hit from the front", _wall(), WALL,
             {"answer": "yes", "margin_mm": 2.54, "value": {"bonus": 4, "bonus_to": "armour", "neighbours": ["n"]}}),
    Scenario("shield-wall-neighbours", "no", "from behind: 250 + 15 - 300", _wall(y=250), WALL,
             {"answer": "no", "margin_mm": -35.0, "value": {"bonus": 0}}),
    Scenario("shield-wall-neighbours", "edge", "332.54 - 330 = 2.54, a tenth of an inch", _wall(332.54), WALL,
             {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip


def _down(**fell: Any) -> Any:
    return field(mini("t", 300, 300, 0, side="red", status=["knocked-down"], **fell), turn={"active": "red"})


UP = {"kind": "stand-up", "who": "t", "facing_deg": 200}
RISING = (
    Scenario("knocked-down-facing", "yes", "in its own turn, looking where it likes; no slam after that",
             _down(), {**UP, "gives_up": "movement"},
             {"answer": "yes", "value": {"arc_before": "all-round", "then_barred": ["slam"], "facing_deg": 200.0}}),
    Scenario("knocked-down-facing", "no", "it fell in this turn of its own player",
             _down(this_turn={"knocked_down_in": "red"}), UP, {"answer": "no"}),
    Scenario("knocked-down-facing", "edge", "what fell in the enemy's turn rises in the next of its own",
             _down(this_turn={"knocked_down_in": "blue"}), {**UP, "gives_up": "action"},
             {"answer": "yes", "value": {"then_barred": ["run", "charge"]}}, exactly="the turn after it fell"),
)  # fmt: skip
SCENARIOS = (*BLOWS, *POWERS, *FIGHTS, *WALLS, *RISING)
