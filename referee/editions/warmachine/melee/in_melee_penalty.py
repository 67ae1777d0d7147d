"""Penalty for a target in melee: it is harder to hit, unless the shot comes from within its melee."""

from dataclasses import replace

from pydantic import JsonValue

from models.queries import InMeleePenalty
from models.verdict import CAPPED_MM, Reason
from models.vocabulary import Point
from referee.editions.warmachine.melee.in_melee import check_link, melee_state
from referee.editions.warmachine.miniatures.base_state import is_huge
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.terms import terms_of
from referee.rules.candidates import is_met
from referee.rules.conditions import all_of, negate
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_PENALTY = because(
    "Targeting a Model in Melee",
    51,
    "A target in melee gains 4 DEF against ranged and magic attacks but sprays.",
)
_WAIVED = because("Targeting a Model in Melee", 51, "Not when the attack comes from one who is in melee with it.")
_HUGE = because("Targeting a Huge-Based Model in Melee", 52, "Huge bases never gain it.")
_SPRAY = because("Spray Attacks", 54, "Sprays take no notice of it.")


def in_melee_penalty(table: ExactTable, query: InMeleePenalty) -> RuleResult:
    """Penalty for a target in melee: whether the target is in melee, and not with the one the attack comes from.

    Source: p. 51-52.
    """
    if is_huge(table.miniature(query.target)):
        return _waive(table, query.target, "huge-base", _HUGE)
    if query.shape == "spray":
        return _waive(table, query.target, "spray", _SPRAY)
    origin: str | Point = query.attacker if query.origin is None else query.origin
    state = melee_state(table, query.target)
    if not isinstance(origin, str) or origin not in table.miniatures:
        return replace(state, value=_value(table, state, None), because=(_PENALTY, *state.because))
    own = check_link(table, origin, query.target)
    result = all_of((("in-melee", state), ("not-its-own", negate(own))))
    waived = origin if is_met(own, "is in melee with") else None
    return replace(
        result,
        value={**result.value, **_value(table, result, waived)},
        witness=state.witness,
        because=(_PENALTY, _WAIVED) if waived else (_PENALTY, *state.because[1:]),
    )


def _waive(table: ExactTable, target: str, by: str, reason: Reason) -> RuleResult:
    value: dict[str, JsonValue] = {"bonus": 0, "bonus_to": terms_of(table).melee_penalty[1], "waived_by": by}
    return RuleResult(margin_mm=-CAPPED_MM, value=value, because=(_PENALTY, reason), depends_on_place=(target,))


def _value(table: ExactTable, result: RuleResult, waived: str | None) -> dict[str, JsonValue]:
    bonus, to = terms_of(table).melee_penalty
    return {"bonus": bonus if is_met(result) else 0, "bonus_to": to, "waived_by": waived}
