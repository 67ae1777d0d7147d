"""Leadership and auras: command range, panic, protection, who is within a radius."""

from typing import Any

from tests.referee.scenario import Scenario
from tests.referee.scenarios.warhammer.field import field, lone, unit
from tests.referee.tables import box


def _hero(*role: str, y: float = 275, **card: Any) -> dict[str, Any]:
    """A character on foot that looks up from y = 300, Leadership 9."""
    return lone("h", (600, y), 90, kind="infantry", role=["character", *role], card={"ld": 9} | card)


def _court(y: float, role: str) -> Any:
    """U of Leadership 7 begins at this y; 12 in are 304.8."""
    return field(_hero(role), unit("U", (600, y), 270, 5, 10))


PRESENCE = {"kind": "command-range", "commander": "h", "who": "U", "purpose": "leadership"}
STANDARD = PRESENCE | {"purpose": "battle-standard"}
LEADERS = (
    Scenario("leadership-radius", "yes", "304.8 - (500 - 300) = 104.8; 9 of two dice: 30 of 36", _court(500, "general"),
             PRESENCE, {"answer": "yes", "margin_mm": 104.8, "value": {"ld": 9.0, "chance": {"exact": "5/6"}}}),
    Scenario("leadership-radius", "no", "304.8 - 310 = -5.2; its own 7: 21 of 36", _court(610, "general"), PRESENCE,
             {"answer": "no", "margin_mm": -5.2, "value": {"ld": 7.0, "chance": {"exact": "7/12"}}}),
    Scenario("leadership-radius", "edge", "604.8 - 300 = 12 in", _court(604.8, "general"), PRESENCE,
             {"answer": "yes", "margin_mm": 0.0, "value": {"ld": 9.0}}),
    Scenario("battle-standard-radius", "yes", "twice 21 of 36: 1 - (15 / 36)^2 = 119 / 144",
             _court(500, "battle-standard"), STANDARD,
             {"answer": "yes", "margin_mm": 104.8, "value": {"chance": {"exact": "7/12", "with_reroll": "119/144"}}}),
    Scenario("battle-standard-radius", "no", "304.8 - 310 = -5.2", _court(610, "battle-standard"), STANDARD,
             {"answer": "no", "margin_mm": -5.2}),
    Scenario("battle-standard-radius", "edge", "604.8 - 300 = 12 in", _court(604.8, "battle-standard"), STANDARD,
             {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip


def _alone(y: float) -> Any:
    return field(_hero(), unit("U", (600, y), 270, 5, 5))


def _amid(count: int) -> Any:
    """A character in a unit with so many others."""
    others = [
        lone(f"U/{k}", (500 + 50 * k, 275), 90, kind="infantry", unit="U", rank=0, file=k + 1) for k in range(count)
    ]
    return field({"id": "U", "side": "red"}, *others, _hero() | {"unit": "U", "rank": 0, "file": 0})


LOOK, SHOT = ({"kind": "look-out-sir", "who": "h", "cause": cause} for cause in ("template", "shot"))
GUARDS = (
    Scenario("look-out-sir", "yes", "3 in = 76.2; 76.2 - 50 = 26.2", _alone(350), LOOK,
             {"answer": "yes", "margin_mm": 26.2, "value": {"how": "roll", "by": "U", "chance": {"exact": "1/2"}}}),
    Scenario("look-out-sir", "no", "76.2 - 80 = -3.8", _alone(380), LOOK, {"answer": "no", "margin_mm": -3.8}),
    Scenario("look-out-sir", "edge", "376.2 - 300 = 3 in, and five of them", _alone(376.2), LOOK,
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("shots-at-character", "yes", "six others are left", _amid(6), SHOT,
             {"answer": "yes", "margin_mm": 1000.0, "value": {"how": "automatic"}}),
    Scenario("shots-at-character", "no", "four are too few", _amid(4), SHOT,
             {"answer": "no", "value": {"how": "none"}}),
    Scenario("shots-at-character", "edge", "five are enough", _amid(5), SHOT, {"answer": "yes"},
             exactly="five others are left"),
)  # fmt: skip


def _broken(y: float, **card: Any) -> Any:
    """S of ten breaks at y = 300; U begins at this y, and 6 in are 152.4."""
    return field(unit("S", (600, 300), 90, 5, 10), unit("U", (600, y), 270, 5, 10, card=card))


def _lost(left: int) -> Any:
    """Twenty began the phase: a quarter of them is five."""
    return field(unit("A", (600, 300), 90, 5, left, started={"phase": {"models": 20}}))


PANIC = {"kind": "morale-check", "cause": "broken", "source": "S"}
LOSSES = {"kind": "morale-check", "cause": "casualties", "unit": "A"}
FEARS = (
    Scenario("panic-within", "yes", "152.4 - 140 = 12.4", _broken(440), PANIC,
             {"status": "measured", "members": [{"id": "U", "answer": "yes", "margin_mm": 12.4}]}),
    Scenario("panic-within", "no", "152.4 - 160 = -7.6", _broken(460), PANIC,
             {"members": [{"id": "U", "answer": "no", "margin_mm": -7.6}], "value": {"units": []}}),
    Scenario("panic-within", "edge", "452.4 - 300 = 6 in", _broken(452.4), PANIC,
             {"members": [{"id": "U", "answer": "yes", "margin_mm": 0.0}]}, exactly="6 in"),
    Scenario("panic-casualties", "yes", "six of twenty are gone", _lost(14), LOSSES,
             {"members": [{"id": "A", "answer": "yes"}], "value": {"threshold": 5}}),
    Scenario("panic-casualties", "no", "four of twenty are gone", _lost(16), LOSSES,
             {"members": [{"id": "A", "answer": "no"}]}),
    Scenario("panic-casualties", "edge", "five of twenty are gone", _lost(15), LOSSES,
             {"members": [{"id": "A", "answer": "yes"}]}, exactly="a quarter"),
    Scenario("panic-chance", "yes", "7 of two dice: 21 of 36", _broken(440), PANIC,
             {"value": {"chances": {"U": {"needs": 7.0, "exact": "7/12"}}}}),
    Scenario("panic-chance", "no", "nobody is near enough to test", _broken(460), PANIC, {"value": {"units": []}}),
    Scenario("panic-chance", "edge", "2 of two dice: 1 of 36", _broken(440, ld=2), PANIC,
             {"value": {"chances": {"U": {"exact": "1/36"}}}}, exactly="the least two dice show"),
)  # fmt: skip


def _stone(y: float) -> Any:
    """A monument whose far edge is at y = 300 and whose radius is 6 in; U begins at this y."""
    return field(unit("U", (600, y), 270, 5, 10), terrain=[box("m", "monument", 500, 200, 700, 300, radius_in=6)])


def _curse(y: float) -> Any:
    """Enemies within 12 in of the caster, and a friend who does not count."""
    return field(_hero("wizard"), unit("E", (600, y), 270, 5, 10, "blue"), unit("F", (900, 300), 90, 5, 10))


HALLOWED = {"kind": "aura", "source": "m"}
CURSED = {"kind": "aura", "source": "h", "range_in": 12, "only": "enemies"}
AURAS = (
    Scenario("aura-terrain", "yes", "152.4 - 140 = 12.4", _stone(440), HALLOWED,
             {"status": "measured", "members": [{"id": "U", "answer": "yes", "margin_mm": 12.4}]}),
    Scenario("aura-terrain", "no", "152.4 - 160 = -7.6", _stone(460), HALLOWED,
             {"members": [{"id": "U", "answer": "no", "margin_mm": -7.6}]}),
    Scenario("aura-terrain", "edge", "452.4 - 300 = 6 in", _stone(452.4), HALLOWED,
             {"members": [{"id": "U", "answer": "yes", "margin_mm": 0.0}]}, exactly="6 in"),
    Scenario("spell-distance-area", "yes", "304.8 - 200 = 104.8", _curse(500), CURSED,
             {"status": "measured", "members": [{"id": "E", "answer": "yes", "margin_mm": 104.8}]}),
    Scenario("spell-distance-area", "no", "304.8 - 310 = -5.2", _curse(610), CURSED,
             {"members": [{"id": "E", "answer": "no", "margin_mm": -5.2}]}),
    Scenario("spell-distance-area", "edge", "604.8 - 300 = 12 in", _curse(604.8), CURSED,
             {"members": [{"id": "E", "answer": "yes", "margin_mm": 0.0}]}, exactly="12 in"),
)  # fmt: skip

SCENARIOS: tuple[Scenario, ...] = (*LEADERS, *GUARDS, *FEARS, *AURAS)
