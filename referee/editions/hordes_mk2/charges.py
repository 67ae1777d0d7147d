"""Charges: friend or foe may be charged, a penalty to speed forbids it, and a target that slips away ends it."""

from dataclasses import replace

from models.queries import Charge
from models.units import inches
from models.verdict import CAPPED_MM, Reason
from referee.clauses import Clauses
from referee.editions.hordes_mk2.locks import free
from referee.editions.hordes_mk2.parameters import because
from referee.editions.hordes_mk2.water import is_deep
from referee.editions.warmachine_prime import charges
from referee.editions.warmachine_prime.able import forfeited
from referee.ruling import Ruling
from referee.situation import Situation

_PENALTY = because(
    "Charge", "A penalty to speed or movement forbids a charge, whatever offsets it; rough ground does not."
)
_WATER = because("Deep Water", "Nobody begins a charge in deep water.")
_GONE = because("Charge", "Normal movement and action must both be left.")
_SLIPPED = because("Charge", "Once in reach the target has to stay in reach to the end, or the charge fails.")
_RUSH = because("Slam", "Whatever forbids a charge forbids slam and trample too.")


def _plain(who: str, holds: bool, reason: Reason) -> Ruling:
    return Ruling(margin_mm=CAPPED_MM if holds else -CAPPED_MM, because=(reason,), touches=(who,))


def _unhindered(table: Situation, who: str) -> Ruling:
    """Source: Charge; Movement Penalties."""
    return _plain(who, table.miniature(who).profile.spd_penalty_in == 0, _PENALTY)


def _dry(table: Situation, who: str) -> Ruling:
    """Source: Deep Water: it must not begin there; where it stood when its move began counts."""
    return _plain(who, not is_deep(table, who), _WATER)


def charge_clauses(table: Situation, attacker: str, target: str, reach_in: float | None) -> Clauses:
    """What a charge takes besides sight and the ability to attack. Source: Charge; Deep Water."""
    return (
        ("card", charges.by_card(table, attacker, reach_in)),
        ("whole", _plain(attacker, not forfeited(table, attacker), _GONE)),
        ("penalty", _unhindered(table, attacker)),
        ("water", _dry(table, attacker)),
        ("lock", free(table, attacker)),
    )


def rush_clauses(table: Situation, who: str) -> Clauses:
    """What a slam or trample takes besides the ability to attack. Source: Slam; Trample."""
    penalty, water = _unhindered(table, who), _dry(table, who)
    return (
        ("penalty", replace(penalty, because=(_RUSH, *penalty.because))),
        ("water", replace(water, because=(_RUSH, *water.because))),
        ("lock", free(table, who)),
    )


def charge(table: Situation, query: Charge) -> Ruling:
    """What `step` asks of a charge; running on until the target is out of reach fails it. Source: Charge."""
    if "step" not in query.model_fields_set and not _is_declared(table, query):
        query = query.model_copy(update={"step": "declare"})
    ruling = charges.charge(table, query)
    past = _past_mm(ruling, query)
    if past is None or past <= 1e-9 or query.step not in ("outcome", "attack"):
        return ruling
    return replace(ruling, margin_mm=-past, slack_mm=None, conditions=(), because=(_SLIPPED, *ruling.because))


def _is_declared(table: Situation, query: Charge) -> bool:
    turn = table.state.turn
    declared = None if turn is None else turn.declared
    return declared is not None and declared.what == "charge" and declared.by == query.attacker


def _past_mm(ruling: Ruling, query: Charge) -> float | None:
    """How far beyond the last place in reach it means to stop, if nothing stops it before."""
    stops, way = ruling.value.get("stop_mm"), ruling.value.get("way_mm")
    if query.stop_after_in is None or not isinstance(stops, list) or not isinstance(way, float):
        return None
    last = stops[1]
    assert isinstance(last, float)
    return min(inches(query.stop_after_in), way) - last
