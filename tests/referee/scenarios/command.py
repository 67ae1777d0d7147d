"""Units and command: formation, command and control range, channelling, taking control."""

from typing import Any

from tests.referee.scenario import Scenario
from tests.referee.tables import mini, table

INCH = 25.4


def _unit(x: float) -> Any:
    """A commander at 300 with 7 in of command, 177.8 mm, and a trooper at x: their edges are x - 330 apart."""
    lead = mini("c", 300, 600, side="red", unit="u", profile={"cmd_in": 7})
    return table(lead, mini("t", x, 600, side="red", unit="u"), units=[{"id": "u", "commander": "c"}])


def _group(x: float, *others: dict[str, Any], **jack: Any) -> Any:
    """A caster at 300 with a control stat of 6, 304.8 mm,
    and a warjack of 40 mm at x: their edges are x - 335 apart."""
    words = {"side": "red", "type": "warjack", "controller": "c", "abilities": ["arc-node"]} | jack
    caster = mini("c", 300, 600, 0, side="red", type="warcaster", profile={"control_stat": 6, "cmd_in": 7})
    return table(caster, mini("j", x, 600, 0, mm=40, **words), *others)


def _pack(x: float) -> Any:
    lock = mini("c", 300, 600, side="red", type="warlock", profile={"control_stat": 6})
    beast = {"side": "red", "type": "warbeast", "controller": "c", "unit": "p"}
    pack = (mini("j", x, 600, mm=40, **beast), mini("k", 900, 600, mm=40, **beast))
    return table(lock, *pack, units=[{"id": "p", "commander": "j"}])


FORMED = {"kind": "formation", "unit": "u", "who": "t"}
NEAR = {"kind": "command-range", "commander": "c", "who": "t"}
CONTROL = {"kind": "control-area", "caster": "c", "target": "j"}
ORDER = {"kind": "control-area", "caster": "c", "target": "k", "purpose": "pack-order"}
CHANNEL = {"kind": "channel", "caster": "c", "channeler": "j"}
TAKE = {"kind": "take-control", "caster": "c", "target": "j"}
INERT: dict[str, Any] = {"status": ["inert"], "controller": None}

SCENARIOS = (
    Scenario("formation", "yes", "500 - 330 = 170 of 177.8", _unit(500), FORMED, {"answer": "yes", "margin_mm": 7.8}),
    Scenario("formation", "no", "520 - 330 = 190 of 177.8", _unit(520), FORMED, {"answer": "no", "margin_mm": -12.2}),
    Scenario("formation", "edge", "507.8 - 330 = 177.8", _unit(507.8), FORMED, {"answer": "yes", "margin_mm": 0.0}),
    Scenario("out-of-formation-effects", "yes", "within 170 of 177.8 nothing is barred", _unit(500), FORMED,
             {"answer": "yes", "value": {"barred": []}}),
    Scenario("out-of-formation-effects", "no", "190 away it does nothing that the book bars", _unit(520), FORMED,
             {"answer": "no", "value": {"barred": ["orders", "attacks", "special-actions",
              "advances-outside-normal-movement", "friendly-spells", "control", "contest"]}}),
    Scenario("out-of-formation-effects", "edge", "at 177.8 it is in formation", _unit(507.8), FORMED,
             {"answer": "yes", "margin_mm": 0.0, "value": {"barred": []}}),
    Scenario("command-range", "yes", "170 of 177.8", _unit(500), NEAR, {"answer": "yes", "margin_mm": 7.8}),
    Scenario("command-range", "no", "190 of 177.8", _unit(520), NEAR, {"answer": "no", "margin_mm": -12.2}),
    Scenario("command-range", "edge", "177.8 of 177.8", _unit(507.8), NEAR, {"answer": "yes", "margin_mm": 0.0}),
    Scenario("control-range", "yes", "635 - 335 = 300 of 304.8", _group(635), CONTROL,
             {"answer": "yes", "margin_mm": 4.8, "value": {"radius_mm": 304.8}}),
    Scenario("control-range", "no", "645 - 335 = 310 of 304.8", _group(645), CONTROL,
             {"answer": "no", "margin_mm": -5.2}),
    Scenario("control-range", "edge", "639.8 - 335 = 304.8", _group(639.8), CONTROL,
             {"answer": "yes", "margin_mm": 0.0}),
    Scenario("pack-order", "yes", "the pack's commander is 300 of 304.8 away, whoever else", _pack(635), ORDER,
             {"answer": "yes", "margin_mm": 4.8}),
    Scenario("pack-order", "no", "it is 310 away", _pack(645), ORDER, {"answer": "no", "margin_mm": -5.2}),
    Scenario("pack-order", "edge", "it is 304.8 away", _pack(639.8), ORDER, {"answer": "yes", "margin_mm": 0.0}),
    Scenario("channel", "yes", "300 of 304.8, standing and free", _group(635), CHANNEL,
             {"answer": "yes", "margin_mm": 4.8}),
    Scenario("channel", "no", "an enemy with half an inch of reach stands 5 away",
             _group(635, mini("e", 675, 600, 180, side="blue", reach=0.5)), CHANNEL, {"answer": "no"}),
    Scenario("channel", "edge", "304.8 of 304.8", _group(639.8), CHANNEL, {"answer": "yes", "margin_mm": 0.0}),
    Scenario("contact-to-control", "yes", "touching, with 0.5 of tolerance", _group(335, **INERT), TAKE,
             {"answer": "yes", "margin_mm": 0.5}),
    Scenario("contact-to-control", "no", "5 apart", _group(340, **INERT), TAKE, {"answer": "no", "margin_mm": -4.5}),
    Scenario("contact-to-control", "edge", "0.5 apart, the whole tolerance", _group(335.5, **INERT), TAKE,
             {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip
