"""Combat: who strikes, what adds up, who stands fast, how ranks close again."""

from typing import Any

from tests.referee.scenario import Scenario
from tests.referee.scenarios.warhammer.field import field, lone, unit

A = unit("A", (600, 300), 90, 5, 10)  # x from 550 to 650, y from 260 to 300


def _foe(x: float = 600, y: float = 300, count: int = 10, **more: Any) -> dict[str, Any]:
    return unit("E", (x, y), 270, 5, count, "blue", **more)


CONTACTS = {"kind": "combat-contacts", "among": ["A", "E"]}
BLOWS = (
    Scenario("combat-contacts", "yes", "file against file", field(A, _foe()), CONTACTS,
             {"value": {"counts": {"A": {"contact": 5}, "E": {"contact": 5}}}}),
    Scenario("combat-contacts", "no", "10 apart", field(A, _foe(y=310)), CONTACTS,
             {"value": {"counts": {"A": {"contact": 0}, "E": {"contact": 0}}, "pairs": []}}),
    Scenario("combat-contacts", "edge", "E begins at 650, where A ends", field(A, _foe(x=700)), CONTACTS,
             {"value": {"counts": {"A": {"contact": 1}, "E": {"contact": 1}}}}, exactly="corner to corner"),
    Scenario("supporting-attacks", "yes", "five stand behind five", field(A, _foe()), CONTACTS,
             {"value": {"counts": {"A": {"support": 5}}}}),
    Scenario("supporting-attacks", "no", "nobody stands behind", field(unit("A", (600, 300), 90, 5, 5), _foe()),
             CONTACTS, {"value": {"counts": {"A": {"support": 0}}}}),
    Scenario("supporting-attacks", "edge", "spears lend a second rank: ten of 15",
             field(unit("A", (600, 300), 90, 5, 15, card={"melee": [{"name": "spear", "rules": ["spear"]}]}), _foe()),
             CONTACTS, {"value": {"counts": {"A": {"support": 10}}}}, exactly="the last rank that spears reach from"),
)  # fmt: skip
RESULT = {"kind": "combat-bonuses", "a": ["A"], "b": ["E"]}


def _deep(count: int, files: int = 5, **more: Any) -> dict[str, Any]:
    return unit("A", (600, 300), 90, files, count, **more)


def _flanked(count: int) -> Any:
    """E, with so many on its left: C looks along -x, its front at x = 650."""
    return field(A, _foe(), unit("C", (650, 320), 180, 5, count))


BONUSES = (
    Scenario("rank-bonus", "yes", "three further ranks of five", field(_deep(20), _foe()), RESULT,
             {"value": {"ranks": {"A": 3}}}),
    Scenario("rank-bonus", "no", "four wide is too narrow", field(_deep(16, 4), _foe()), RESULT,
             {"value": {"ranks": {"A": 0}}}),
    Scenario("rank-bonus", "edge", "five in the third rank, after five and five", field(_deep(15), _foe()), RESULT,
             {"value": {"ranks": {"A": 2}}}, exactly="five in the last rank"),
    Scenario("combat-bonuses", "yes", "one for its rank, one for its charge; one for E's rank",
             field(_deep(10, this_turn={"charged": "E"}), _foe()), RESULT, {"value": {"total": {"a": 2, "b": 1}}}),
    Scenario("combat-bonuses", "no", "nothing on either side", field(_deep(5), _foe(count=5)), RESULT,
             {"value": {"bonuses": [], "total": {"a": 0, "b": 0}}}),
    Scenario("combat-bonuses", "edge", "three ranks and one for 20 against 10; one for E's rank",
             field(_deep(20), _foe()), RESULT, {"value": {"total": {"a": 4, "b": 1}}}, exactly="twice as strong"),
    Scenario("disruption", "yes", "15 on E's left", _flanked(15), RESULT | {"a": ["A", "C"]},
             {"value": {"disrupted_by": ["C"], "ranks": {"E": 0}}}),
    Scenario("disruption", "no", "nine are too few", _flanked(9), RESULT | {"a": ["A", "C"]},
             {"value": {"disrupted_by": [], "ranks": {"E": 1}}}),
    Scenario("disruption", "edge", "ten are enough", _flanked(10), RESULT | {"a": ["A", "C"]},
             {"value": {"disrupted_by": ["C"]}}, exactly="strength 10"),
)  # fmt: skip
STEADY = {"kind": "steadfast", "unit": "A"}


def _reform(**more: Any) -> dict[str, Any]:
    return {"kind": "reform", "unit": "A", "manner": "combat", **more}


STANDING = (
    Scenario("steadfast", "yes", "20 against 10", field(_deep(20), _foe()), STEADY,
             {"answer": "yes", "value": {"strengths": {"A": 20, "E": 10}}}),
    Scenario("steadfast", "no", "10 against 10 are not more", field(A, _foe()), STEADY, {"answer": "no"}),
    Scenario("steadfast", "edge", "10 against 9", field(A, _foe(count=9)), STEADY, {"answer": "yes"},
             exactly="strength 10"),
    Scenario("combat-reform", "yes", "ten wide and one deep, moved up by 10 to E again: five more may come to fight",
             field(A, _foe()), _reform(files=10),
             {"answer": "yes", "value": {"poses": {"A": {"front_mm": [600, 300]}}}}),
    Scenario("combat-reform", "no", "three wide, two of the five who touch E would leave it",
             field(_deep(20), _foe()), _reform(files=3), {"answer": "no"}),
    Scenario("combat-reform", "edge", "nobody can move, and nobody has to",
             field(_deep(10, card={"spd_in": 0}), _foe()),
             _reform(), {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip
NUDGE = {"kind": "nudge", "mover": "A", "target": "E"}
BEAST = lone(
    "A", (600, 275), 90, card={"abilities": ["impact-hits"]}, this_turn={"charged": "E"}
)  # x from 575 to 625, its front at 300


def _struck(attack: str) -> dict[str, Any]:
    return {"kind": "impact-attacks", "attacker": "A", "attack": attack}


def _hero(x: float, y: float = 290) -> dict[str, Any]:
    return lone("H", (x, y), 90, base=(20, 20), kind="infantry", role=["character"])


def _boss(y: float) -> dict[str, Any]:
    return lone("B", (700, y), 270, "blue", base=(20, 20), kind="infantry", role=["character"])


MEET = {"kind": "challenge", "a": "H", "b": "B"}
CLOSING = (
    Scenario("nudge-contact", "yes", "10 apart", field(A, _foe(y=310)), NUDGE, {"value": {"shift_mm": 10.0}}),
    Scenario("nudge-contact", "no", "they touch", field(A, _foe()), NUDGE, {"value": {"shift_mm": 0.0}}),
    Scenario("nudge-contact", "edge", "E begins 6 aside of A's corner and 8 ahead: 10 in all", field(A, _foe(706, 308)),
             NUDGE, {"value": {"shift_mm": 10.0}}, exactly="corner to corner"),
    Scenario("impact-and-stomp", "yes", "of E's front those between 570 and 630 touch", field(BEAST, _foe()),
             _struck("stomp"), {"members": [{"id": "E/0-2", "answer": "yes", "margin_mm": 0.5}]}),
    Scenario("impact-and-stomp", "no", "the outermost are 5 away", field(BEAST, _foe()), _struck("impact"),
             {"members": [{"id": "E/0-0", "answer": "no", "margin_mm": -4.5}]}),
    Scenario("impact-and-stomp", "edge", "E begins at 625, where A ends", field(BEAST, _foe(x=675)), _struck("impact"),
             {"members": [{"id": "E/0-4", "answer": "yes", "margin_mm": 0.5}]}, exactly="corner to corner"),
    Scenario("challenge-move", "yes", "they touch already", field(_hero(700), _boss(310)), MEET,
             {"value": {"in_contact": True, "assumed": False}}),
    Scenario("challenge-move", "no", "10 apart and no place is free", field(_hero(700), _boss(320)), MEET,
             {"value": {"places": [], "assumed": True}}),
    Scenario("challenge-move", "edge", "0.5 apart", field(_hero(700), _boss(310.5)), MEET,
             {"value": {"in_contact": True, "assumed": False}}, exactly="the most that still is contact"),
)  # fmt: skip
SCENARIOS = BLOWS + BONUSES + STANDING + CLOSING
