"""Charge candidates: whether each enemy could be charged, the far ones without a path search."""

from models.queries import Charge
from referee.editions.warhammer_9.charges.charge import charge
from referee.editions.warhammer_9.charges.charge_odds import charge_odds
from referee.editions.warhammer_9.units.distances import measured_parts
from referee.editions.warhammer_9.units.quadrants import depth_ahead_mm
from referee.editions.warhammer_9.units.regiment import regiment
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import Candidate, RuleResult

_SURELY_MM = 25.0


def charge_candidate(table: ExactTable, attacker: str, target: str) -> Candidate:
    """One enemy as the target of a charge; one that is surely too far is judged without a path search."""
    query = Charge(attacker=attacker, target=target, step="declare")

    def rule(asked: ExactTable) -> RuleResult:
        return charge(asked, query)

    near = _reach_margin(table, attacker, target)
    if (near.margin_mm or 0.0) < -_SURELY_MM:
        return Candidate(target, near, lambda asked: _reach_margin(asked, attacker, target))
    return Candidate(target, rule(table), rule)


def _reach_margin(table: ExactTable, attacker: str, target: str) -> RuleResult:
    """How far an enemy is within the longest charge and in front: who surely is not needs no way sought to."""
    odds, own = charge_odds(table, attacker, target), regiment(table, attacker)
    depth = max(depth_ahead_mm(own, part) for _, area in measured_parts(table, target) for part in area.parts)
    if odds is None:
        return RuleResult(margin_mm=depth, depends_on_place=own.rank(0)[:1])
    touches = odds.depends_on if odds.longest_mm - odds.distance_mm < depth else own.rank(0)[:1]
    return RuleResult(margin_mm=min(odds.longest_mm - odds.distance_mm, depth), depends_on_place=touches)
