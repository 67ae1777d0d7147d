"""Charge: friend or foe may be charged, a penalty to speed forbids it, and a target that slips away ends it."""

from dataclasses import replace

from models.queries import Charge
from models.unit_conversion import inches
from referee.editions.warmachine.charges import charge as charges
from referee.editions.warmachine.melee.attack_eligibility import forfeited_parts
from referee.editions.warmachine.mk1_and_mk2.melee.lock import check_unlocked
from referee.editions.warmachine.mk1_and_mk2.parameters import because
from referee.editions.warmachine.mk1_and_mk2.terrain.deep_water import is_deep
from referee.editions.warmachine.plain_condition import plain_condition
from referee.rules.conditions import Clauses
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_more_than

_PENALTY = because(
    "Charge", "A penalty to speed or movement forbids a charge, whatever offsets it; rough ground does not."
)
_WATER = because("Deep Water", "Nobody begins a charge in deep water.")
_GONE = because("Charge", "Normal movement and action must both be left.")
_SLIPPED = because("Charge", "Once in reach the target has to stay in reach to the end, or the charge fails.")
_RUSH = because("Slam", "Whatever forbids a charge forbids slam and trample too.")


def _check_unhindered(table: ExactTable, who: str) -> RuleResult:
    """Source: Charge; Movement Penalties."""
    return plain_condition(who, table.miniature(who).profile.spd_penalty_in == 0, _PENALTY)


def _check_dry(table: ExactTable, who: str) -> RuleResult:
    """Source: Deep Water: it must not begin there; where it stood when its move began counts."""
    return plain_condition(who, not is_deep(table, who), _WATER)


def charge_clauses(table: ExactTable, attacker: str, target: str, reach_in: float | None) -> Clauses:
    """What a charge takes besides sight and the ability to attack. Source: Charge; Deep Water."""
    return (
        ("card", charges.check_card(table, attacker, reach_in)),
        ("whole", plain_condition(attacker, not forfeited_parts(table, attacker), _GONE)),
        ("penalty", _check_unhindered(table, attacker)),
        ("water", _check_dry(table, attacker)),
        ("lock", check_unlocked(table, attacker)),
    )


def rush_clauses(table: ExactTable, who: str) -> Clauses:
    """What a slam or trample takes besides the ability to attack. Source: Slam; Trample."""
    penalty, water = _check_unhindered(table, who), _check_dry(table, who)
    return (
        ("penalty", replace(penalty, because=(_RUSH, *penalty.because))),
        ("water", replace(water, because=(_RUSH, *water.because))),
        ("lock", check_unlocked(table, who)),
    )


def charge(table: ExactTable, query: Charge) -> RuleResult:
    """Charge: what `step` asks of a charge; running on until the target is out of reach fails it. Source: Charge."""
    if "step" not in query.model_fields_set and not _is_declared(table, query):
        query = query.model_copy(update={"step": "declare"})
    result = charges.charge(table, query)
    past = _past_mm(result, query)
    if past is None or query.step not in ("outcome", "attack"):
        return result
    if not is_more_than(past, 0.0, "runs past where it still reaches", (query.attacker, query.target)):
        return result
    return replace(result, margin_mm=-past, slack_mm=None, conditions=(), because=(_SLIPPED, *result.because))


def _is_declared(table: ExactTable, query: Charge) -> bool:
    turn = table.state.turn
    declared = None if turn is None else turn.declared
    return declared is not None and declared.what == "charge" and declared.by == query.attacker


def _past_mm(result: RuleResult, query: Charge) -> float | None:
    """How far beyond the last place in reach it means to stop, if nothing stops it before."""
    stops, way = result.value.get("stop_mm"), result.value.get("way_mm")
    if query.stop_after_in is None or not isinstance(stops, list) or not isinstance(way, float):
        return None
    last = stops[1]
    assert isinstance(last, float)
    return min(inches(query.stop_after_in), way) - last
