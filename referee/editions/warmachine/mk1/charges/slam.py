"""Slam: what its roll suffers, and what ends the activation of the slammer."""

from dataclasses import replace

from models.queries import Slam
from models.unit_conversion import inches
from models.verdict import CAPPED_MM
from referee.editions.warmachine.charges import slam as shared_slam
from referee.editions.warmachine.miniatures.base_state import size_mm
from referee.editions.warmachine.mk1.charges.charge import find_mire
from referee.editions.warmachine.mk1.parameters import because
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_more_than

_DOWN = because("Slam, Prime p. 41", "Nobody slams a model that is knocked down.")
WEIGHT = because("Slam, Prime p. 41", "The roll suffers 2, and 4 against a larger base; less than 3 in cost 2 alone.")
_HALTED = because("Slam, Prime p. 41", "Who touches ground that hinders it ends its activation: stop short of it.")
_LEAST_MM = 1e-3  # short of what it takes, by no more than can be told
EQUAL, _LARGER = -2, -4


def slam(table: ExactTable, query: Slam) -> RuleResult:
    """Slam: whether a slam gets there, and where its target goes. Source: Slam, Prime p. 41; Being Slammed, p. 42."""
    result, me = shared_slam.slam(table, query), query.attacker
    if "knocked-down" in table.miniature(query.target).status:
        return replace(result, margin_mm=-CAPPED_MM, slack_mm=None, conditions=(), because=(_DOWN, *result.because))
    if (ended := _find_ending_ground(table, query, result)) is not None:
        told = {**result.value, "stopped_by": ended} | ({"travelled_mm": 0.0} if ended == find_mire(table, me) else {})
        told.pop("slammed", None)
        fails = min(result.decisive_mm, 0.0) or -_LEAST_MM
        return replace(
            result, margin_mm=fails, slack_mm=None, conditions=(), value=told, because=(_HALTED, *result.because)
        )
    full = bool(result.value.get("full", True))
    bonus = roll_penalty(table, query.attacker, query.target) if full else EQUAL
    return replace(result, value={**result.value, "bonus": bonus}, because=(*result.because, WEIGHT))


def _find_ending_ground(table: ExactTable, query: Slam, result: RuleResult) -> str | None:
    """The ground whose touch ends the slammer's activation. Source: Slam, Prime p. 41."""
    if query.here or table.reading("slam-low-wall") == "success":
        return None
    if (mired := find_mire(table, query.attacker)) is not None:
        return mired
    stopped = result.value.get("stopped_by")
    went = result.value.get("travelled_mm")
    if not isinstance(went, float) or not isinstance(stopped, str) or stopped in table.miniatures:
        return None
    wanted = went + CAPPED_MM if query.stop_after_in is None else inches(query.stop_after_in)
    on = (query.attacker, stopped, query.target)
    return stopped if is_more_than(wanted - _LEAST_MM, went, "runs up against", on) else None


def roll_penalty(table: ExactTable, attacker: str, target: str) -> int:
    larger = size_mm(table.miniature(target)) > size_mm(table.miniature(attacker))
    return _LARGER if larger else EQUAL
