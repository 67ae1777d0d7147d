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


def _wall(x: float) -> Any:
    """t at 300 looks along +x at its attacker, its comrade stands beside it at y = x; both have the order."""
    one: dict[str, Any] = {"side": "red", "unit": "u"}
    units = [{"id": "u", "commander": "t", "orders": ["shield-wall"]}]
    return table(mini("t", 300, 300, 0, **one), mini("n", 300, x, 0, **one), mini("e", 600, 300, 180, side="blue"),
                 units=units)  # fmt: skip


def _press() -> Any:
    """l commands; t of speed 6 at 300 runs, at most 304.8; an enemy far off."""
    one: dict[str, Any] = {"side": "red", "unit": "u", "profile": {"spd_in": 6, "cmd_in": 7}}
    lead, trooper = mini("l", 300, 400, 0, **one), mini("t", 300, 300, 0, **one)
    return table(lead, trooper, mini("e", 1100, 1100, 180, side="blue"), units=[{"id": "u", "commander": "l"}])


def _run(to: float) -> dict[str, Any]:
    moves = [{"mover": "l", "path_mm": [[300, 400], [500, 400]]}, {"mover": "t", "path_mm": [[300, 300], [to, 300]]}]
    return {"kind": "charge-unit", "unit": "u", "moves": moves}


WALLED = {"kind": "shield-wall", "target": "t", "attacker": "e"}
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
    Scenario("shield-wall", "yes", "0.2 apart of 0.5 that touches", _wall(330.2), WALLED,
             {"answer": "yes", "margin_mm": 0.3, "value": {"neighbours": ["n"], "bonus": 4}}),
    Scenario("shield-wall", "no", "5 apart of 0.5", _wall(335), WALLED,
             {"answer": "no", "margin_mm": -4.5, "value": {"neighbours": [], "bonus": 0}}),
    Scenario("shield-wall", "edge", "330.5 - 330 = 0.5", _wall(330.5), WALLED, {"answer": "yes", "margin_mm": 0.0}),
    Scenario("charge-unit", "yes", "both run: 200 and 300 of 304.8", _press(), _run(600),
             {"answer": "yes", "margin_mm": 4.8}),
    Scenario("charge-unit", "no", "310 of 304.8", _press(), _run(610), {"answer": "no", "margin_mm": -5.2}),
    Scenario("charge-unit", "edge", "304.8 of 304.8", _press(), _run(604.8), {"answer": "yes", "margin_mm": 0.0}),
)  # fmt: skip
