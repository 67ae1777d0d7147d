"""Unit strength: how many a unit counts for."""

from models.queries import UnitStrength
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.regiment import kind_of, members_left
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import with_effect
from referee.rules.rule_result import RuleResult

_STRENGTH = because("Unit Strength", 11, "The strengths of all its miniatures are added up.")


def unit_strength(table: ExactTable, query: UnitStrength) -> RuleResult:
    """Unit strength: how many the unit counts for. Source: Unit Strength, p. 11; p. 69-73; Large Target, p. 36."""
    needs = [f"profile.wounds of {m}" for m in members_left(table, query.unit) if strength_of(table, m) is None]
    if needs:
        return RuleResult(status="unknown", needs=tuple(needs), because=(_STRENGTH,))
    strength = total_strength(table, query.unit)
    passed = [step for step in (parameters.FEW, parameters.MANY, parameters.LARGE_TARGET) if strength >= step]
    return RuleResult(
        status="measured",
        value={"strength": strength, "passed": list(passed), "large_target": strength >= parameters.LARGE_TARGET},
        because=(
            with_effect(table, _STRENGTH, f"{len(members_left(table, query.unit))} of them come to {strength:g}."),
        ),
    )


def total_strength(table: ExactTable, id_: str) -> float:
    """The strength of a unit; miniatures whose strength is not told count nothing. Source: Unit Strength, p. 11."""
    return sum(strength_of(table, m) or 0.0 for m in members_left(table, id_))


def strength_of(table: ExactTable, id_: str) -> float | None:
    """The strength of one miniature; None where it is its starting Wounds and nobody told them."""
    miniature = table.miniature(id_)
    if miniature.profile.unit_strength is not None:
        return miniature.profile.unit_strength
    by_kind = parameters.STRENGTH.get(kind_of(miniature))
    return float(by_kind) if by_kind is not None else miniature.profile.wounds
