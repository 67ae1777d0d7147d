"""Chains, ranks, rallying, areas and measuring of the first edition. An inch is 25.4."""

from typing import Any

from tests.referee.scenario import Scenario
from tests.referee.scenarios.first.field import field
from tests.referee.tables import mini, table

_SPACED = [{"id": "u", "commander": "l", "spacing_in": 3}]  # 3 in are 76.2


def _chain(m: float, n: float = 500, **told: Any) -> Any:
    """The leader of 30 at 300, then m and n of the unit in a line; gaps are 30 less than what parts the middles."""
    one: dict[str, Any] = {"unit": "u", "side": "red", **told}
    return field(mini("l", 300, 300, **one), mini("m", m, 300, **one), mini("n", n, 300, **one), units=_SPACED)


IN = {"kind": "formation", "unit": "u", "who": "n"}
ALL = {"kind": "charge-unit", "unit": "u"}
RAN = {"this_turn": {"moved": ["run"]}}
CHAINS = (
    Scenario("formation", "yes", "both links are 100 - 30: 76.2 - 70", _chain(400), IN,
             {"answer": "yes", "margin_mm": 6.2}),
    Scenario("formation", "no", "the weakest link of the chain is the first, 80 wide", _chain(410), IN,
             {"answer": "no", "margin_mm": -3.8}),
    Scenario("formation", "edge", "406.2 - 330 = 76.2", _chain(406.2), IN, {"answer": "yes", "margin_mm": 0.0}),
    Scenario("charge-unit", "yes", "all ran, and the weakest link is 70", _chain(400, **RAN), ALL,
             {"answer": "yes", "margin_mm": 6.2}),
    Scenario("charge-unit", "no", "two end out of formation: 76.2 - 80", _chain(410, **RAN), ALL,
             {"answer": "no", "margin_mm": -3.8}),
    Scenario("charge-unit", "edge", "406.2 - 330 = 76.2", _chain(406.2, **RAN), ALL,
             {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip


def _ranks(*rear: tuple[float, float], second: float = 330) -> Any:
    """Two of a rank side by side, looking along +y, and those behind them."""
    places = [(300, 300), (second, 300), *rear]
    units = [{"id": "u", "commander": "a0", "spacing_in": 3, "formation": "tight"}]
    return field(*(mini(f"a{k}", x, y, 90, unit="u", side="red") for k, (x, y) in enumerate(places)), units=units)


TIGHT = {"kind": "ranked-formation", "unit": "u", "manner": "tight"}
RANKS = (
    Scenario("tight-formation", "yes", "two ranks of two, one straight behind the other: all of 2.54 is left",
             _ranks((300, 270), (330, 270)), TIGHT,
             {"answer": "yes", "margin_mm": 2.54, "value": {"grids": [["a0", "a1"], ["a2", "a3"]]}}),
    Scenario("tight-formation", "no",
             "the second stands 15 aside, touching, and not straight behind: 15² + 25.98² = 30²",
             _ranks((315, 300 - 675**0.5), (345, 300 - 675**0.5)), TIGHT,
             {"answer": "no", "margin_mm": -2.54, "members": [{"id": "a0", "answer": "yes"}, {"id": "a2",
              "answer": "no"}], "value": {"defects": ["behind"]}}),
    Scenario("tight-formation", "edge", "332.54 - 330 = 2.54, a tenth of an inch", _ranks(second=332.54), TIGHT,
             {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip


def _fled(x: float) -> Any:
    """m flees; the leader stands at 300, an enemy 100 to its far side."""
    one: dict[str, Any] = {"unit": "u", "side": "red"}
    return field(mini("l", 300, 300, **one), mini("m", x, 300, status=["fleeing"], **one),
                 mini("e", x, 400, side="blue"), units=_SPACED)  # fmt: skip


RALLY = {"kind": "rally", "who": "m"}
RALLIES = (
    Scenario("rally-facing", "yes", "76.2 - (370 - 330); it turns to the enemy straight above", _fled(370), RALLY,
             {"answer": "yes", "margin_mm": 36.2, "value": {"facing_deg": 90.0}}),
    Scenario("rally-facing", "no", "76.2 - (410 - 330)", _fled(410), RALLY, {"answer": "no", "margin_mm": -3.8}),
    Scenario("rally-facing", "edge", "406.2 - 330 = 76.2", _fled(406.2), RALLY, {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip


def _slowed(to: float) -> Any:
    """w of stat 3 at 300 slows who comes within 152.4; e of 30 has gone along the line toward it from 600."""
    w = mini("w", 300, 300, side="red", type="warcaster", profile={"control_stat": 3})
    told = {"path_mm": [[600, 300], [to, 300]]}
    return field(w, mini("e", to, 300, 180, side="blue", this_turn=told, profile={"spd_in": 6}))


BACK = {"kind": "rollback", "caster": "w", "mover": "e"}
AREAS = (
    Scenario("control-effect-rollback", "yes",
             "inside after 600 - 482.4 = 117.6; half of the 152.4 - 117.6 that is left",
             _slowed(460), {**BACK, "rate": 0.5}, {"value": {"entered_mm": 117.6, "poses": {"e": {"at_mm": [465,
             300]}}}}),
    Scenario("control-effect-rollback", "no", "it stops at 500, outside", _slowed(500), BACK,
             {"value": {"entered_mm": None}}),
    Scenario("control-effect-rollback", "edge", "it stops where the area begins, at 482.4", _slowed(482.4), BACK,
             {"value": {"poses": {"e": {"at_mm": [482.4, 300]}}}}, exactly="the rim of the area"),
)  # fmt: skip


def _licensed(**turn: Any) -> Any:
    """Red's warcaster of stat 3, its trooper g, and an enemy; nobody has allowed free measuring."""
    w = mini("w", 300, 300, side="red", type="warcaster", reach=0.5, profile={"control_stat": 3})
    g, e = mini("g", 300, 400, side="red", gun=8), mini("e", 400, 300, side="blue")
    state = table(w, g, e, turn={"active": "red", **turn})
    return state.in_edition("warmachine-mk1")


def _asks(**query: Any) -> dict[str, Any]:
    return {"kind": "may-measure", "asked_by": "red", "query": {**query, "asked_by": "red"}}


_SHOT = {"what": "ranged-attack", "by": "g", "target": "e", "range_in": 8}
MEASURING = (
    Scenario("measure-permission", "yes", "an own model's melee range at any time; both players are told", _licensed(),
             _asks(kind="melee-range", attacker="w", target="e", reach_in=0.5),
             {"answer": "yes", "value": {"licence": "own-melee-range", "cap_mm": 12.7, "tell": ["red", "blue"]}}),
    Scenario("measure-permission", "no", "never between two others", _licensed(), _asks(kind="distance", a="g", b="e"),
             {"answer": "no", "unlock": "own-control-area"}),
    Scenario("measure-permission", "edge", "a declared shot is measured up to its own 8 in", _licensed(declared=_SHOT),
             _asks(kind="range", attacker="g", target="e", range_in=8),
             {"answer": "yes", "value": {"licence": "declared-attack", "cap_mm": 203.2}}, exactly="the declared range"),
)  # fmt: skip
SCENARIOS = (*CHAINS, *RANKS, *RALLIES, *AREAS, *MEASURING)
