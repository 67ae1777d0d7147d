"""Shooting into a melee: the target is harder to hit, unless the shot comes from within its melee."""

from dataclasses import replace

from pydantic import JsonValue

from models.queries import InMeleePenalty
from models.verdict import CAPPED_MM, Reason
from models.words import Point
from referee.candidates import is_met
from referee.clauses import all_of, negated
from referee.editions.warmachine_prime.ground import is_huge
from referee.editions.warmachine_prime.in_melee import link, melee_state
from referee.editions.warmachine_prime.parameters import because
from referee.editions.warmachine_prime.terms import terms_of
from referee.ruling import Ruling
from referee.situation import Situation

_PENALTY = because(
    "Targeting a Model in Melee",
    51,
    "A target in melee gains 4 DEF against ranged and magic attacks but sprays.",
)
_WAIVED = because("Targeting a Model in Melee", 51, "Not when the attack comes from one who is in melee with it.")
_HUGE = because("Targeting a Huge-Based Model in Melee", 52, "Huge bases never gain it.")
_SPRAY = because("Spray Attacks", 54, "Sprays take no notice of it.")


def in_melee_penalty(table: Situation, query: InMeleePenalty) -> Ruling:
    """Whether the target is in melee, and not with the one the attack comes from. Source: p. 51-52."""
    if is_huge(table.miniature(query.target)):
        return _waived(table, query.target, "huge-base", _HUGE)
    if query.shape == "spray":
        return _waived(table, query.target, "spray", _SPRAY)
    origin: str | Point = query.attacker if query.origin is None else query.origin
    state = melee_state(table, query.target)
    if not isinstance(origin, str) or origin not in table.miniatures:
        return replace(state, value=_value(table, state, None), because=(_PENALTY, *state.because))
    own = link(table, origin, query.target)
    ruling = all_of((("in-melee", state), ("not-its-own", negated(own))))
    waived = origin if is_met(own) else None
    return replace(
        ruling,
        value={**ruling.value, **_value(table, ruling, waived)},
        witness=state.witness,
        because=(_PENALTY, _WAIVED) if waived else (_PENALTY, *state.because[1:]),
    )


def _waived(table: Situation, target: str, by: str, reason: Reason) -> Ruling:
    value: dict[str, JsonValue] = {"bonus": 0, "bonus_to": terms_of(table).penalty[1], "waived_by": by}
    return Ruling(margin_mm=-CAPPED_MM, value=value, because=(_PENALTY, reason), touches=(target,))


def _value(table: Situation, ruling: Ruling, waived: str | None) -> dict[str, JsonValue]:
    bonus, to = terms_of(table).penalty
    return {"bonus": bonus if is_met(ruling) else 0, "bonus_to": to, "waived_by": waived}
