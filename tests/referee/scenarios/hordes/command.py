"""Command, fear, battlegroups and areas where this book differs."""

from typing import Any

from tests.referee.scenario import Scenario
from tests.referee.scenarios.hordes.field import field
from tests.referee.tables import mini


def _lord(x: float, **more: Any) -> Any:
    """A warlock of FURY 3 at 300, and its warbeast of 40 at x: 6 in are 152.4, the rims 35 off the middles."""
    lord = mini("w", 300, 300, side="red", type="warlock", profile={"control_stat": 3})
    return field(lord, mini("t", x, 300, mm=40, side="red", type="warbeast", controller="w", **more))


def _use(purpose: str) -> dict[str, Any]:
    return {"kind": "control-area", "caster": "w", "target": "t", "purpose": purpose}


def _for(rule: str, purpose: str, why: str, **barred: Any) -> tuple[Scenario, ...]:
    return (
        Scenario(
            rule, "yes", "152.4 - (475 - 335) = 12.4", _lord(475), _use(purpose), {"answer": "yes", "margin_mm": 12.4}
        ),
        Scenario(rule, "no", why, _lord(495 if not barred else 475, **barred), _use(purpose), {"answer": "no"}),
        Scenario(rule, "edge", "487.4 - 335 = 152.4", _lord(487.4), _use(purpose), {"answer": "yes", "margin_mm": 0.0}),
    )


def _wild(x: float) -> Any:
    lord = mini("w", 300, 300, side="red", type="warlock", profile={"control_stat": 3})
    return field(lord, mini("t", x, 300, mm=40, side="red", type="warbeast", status=["wild"]))


TAKE = {"kind": "take-control", "caster": "w", "target": "t"}
BATTLEGROUPS = (
    *_for("force-legal", "force", "a frenzied warbeast is not forced", status=["frenzied"]),
    *_for("leach", "leach", "152.4 - (495 - 335) = -7.6"),
    *_for("transfer", "transfer", "152.4 - (495 - 335) = -7.6"),
    Scenario("take-control", "yes", "335.2 - 335 = 0.2 of the 0.5 that touches: 0.3", _wild(335.2), TAKE,
             {"answer": "yes", "margin_mm": 0.3}),
    Scenario("take-control", "no", "0.5 - (340 - 335) = -4.5", _wild(340), TAKE, {"answer": "no", "margin_mm": -4.5}),
    Scenario("take-control", "edge", "335.5 - 335 = 0.5", _wild(335.5), TAKE, {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip


def _around(x: float) -> Any:
    """Source s at 300 and another of 30 at x."""
    return field(mini("s", 300, 300), mini("t", x, 300))


AURA = {"kind": "aura", "source": "s", "range_in": 5}
AREAS = (
    Scenario("aura-members", "yes", "127 - (450 - 330) = 7; the source itself is not in it", _around(450), AURA,
             {"members": [{"id": "t", "answer": "yes", "margin_mm": 7.0}], "value": {"source_counts": False}}),
    Scenario("aura-members", "no", "127 - (460 - 330) = -3", _around(460), AURA,
             {"members": [{"id": "t", "answer": "no", "margin_mm": -3.0}]}),
    Scenario("aura-members", "edge", "457 - 330 = 127", _around(457), AURA,
             {"members": [{"id": "t", "answer": "yes", "margin_mm": 0.0}]}, exactly="5 in"),
)  # fmt: skip


def _tokens(b: float, sigma: float = 0.0) -> Any:
    """s at 300 leaves play; a of 30 stands at 400, b at this x on the other side."""
    return field(mini("s", 300, 300), mini("a", 400, 300, sigma=sigma), mini("b", b, 300, sigma=sigma))


NEAREST = {"kind": "nearest", "a": "s", "among": ["a", "b"]}


def _horror(x: float) -> Any:
    """An abomination of 40 at 300, and a trooper of 30 of its own side at x: 3 in are 76.2."""
    horror = mini("s", 300, 300, mm=40, side="red", type="warbeast", abilities=["abomination"])
    return field(horror, mini("t", x, 300, side="red"), mini("f", 300, 340, side="red", abilities=["fearless"]))


def _banner(x: float) -> Any:
    bearer = mini("s", 300, 300, unit="u", status=["removed"], role=["standard"])
    return field(bearer, mini("t", x, 300, unit="u"), units=[{"id": "u"}])


FEAR, FOLLOW = {"kind": "morale-check", "cause": "abomination", "source": "s"}, {"kind": "promotion", "who": "s"}
COMPANIES = (
    Scenario("token-recipient", "yes", "a is 100 - 30 = 70 away, b 75: a by 5", _tokens(195), NEAREST,
             {"members": [{"id": "a", "answer": "yes", "margin_mm": 5.0}], "value": {"ties": []}}),
    Scenario("token-recipient", "no", "b is 65 away, nearer by 5", _tokens(205), NEAREST,
             {"members": [{"id": "a", "answer": "no", "margin_mm": -5.0}], "value": {"ties": []}}),
    Scenario("token-recipient", "edge", "0.2 apart by an error of 0.3 each: they draw", _tokens(199.8, 0.3), NEAREST,
             {"value": {"ties": ["a", "b"]}}, exactly="less apart than can be measured"),
    Scenario("terror-range", "yes", "76.2 - (400 - 335) = 11.2, friend or foe; the fearless is not tested",
             _horror(400),
             FEAR, {"members": [{"id": "t", "answer": "yes", "margin_mm": 11.2}], "value": {"units": ["t"]}}),
    Scenario("terror-range", "no", "76.2 - (420 - 335) = -8.8", _horror(420), FEAR,
             {"members": [{"id": "t", "answer": "no", "margin_mm": -8.8}], "value": {"units": []}}),
    Scenario("terror-range", "edge", "411.2 - 335 = 76.2", _horror(411.2), FEAR,
             {"members": [{"id": "t", "answer": "yes", "margin_mm": 0.0}]}, exactly="3 in"),
    Scenario("promotion-range", "yes", "25.4 - (350 - 330) = 5.4", _banner(350), FOLLOW,
             {"members": [{"id": "t", "answer": "yes", "margin_mm": 5.4}]}),
    Scenario("promotion-range", "no", "25.4 - (360 - 330) = -4.6", _banner(360), FOLLOW,
             {"members": [{"id": "t", "answer": "no", "margin_mm": -4.6}]}),
    Scenario("promotion-range", "edge", "355.4 - 330 = 25.4", _banner(355.4), FOLLOW,
             {"members": [{"id": "t", "answer": "yes", "margin_mm": 0.0}]}, exactly="an inch"),
)  # fmt: skip
SCENARIOS = (*BATTLEGROUPS, *AREAS, *COMPANIES)
