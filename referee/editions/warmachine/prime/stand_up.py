"""Standing up: what else goes with the half that is given up for it."""

from models.queries import StandUp
from referee.editions.warmachine.movement.stand_up import check_stand_up
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_BARRED: dict[str, tuple[str, ...]] = {"action": ("run", "charge", "slam", "trample")}  # Source: Knockdown, p. 61


def stand_up(table: ExactTable, query: StandUp) -> RuleResult:
    """Standing up: whether it may rise now. Source: Knockdown, p. 61."""
    return check_stand_up(table, query, _BARRED)
