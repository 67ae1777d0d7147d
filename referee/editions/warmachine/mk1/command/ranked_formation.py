"""Ranked formation: whether a unit stands in ranks."""

from pydantic import JsonValue

from models.queries import RankedFormation
from referee.editions.warmachine.mk1.command.formation import members_in_play
from referee.editions.warmachine.mk1.command.ranks import rank_slack, ranks_of
from referee.editions.warmachine.mk1.parameters import because
from referee.rules.conditions import all_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import with_effect
from referee.rules.rule_result import Candidate, RuleResult
from referee.rules.rule_trace import traced
from referee.rules.switches import is_at_least

_RANKS = because("Unit Formation, Prime p. 36", "Rows of two or more that touch and look one way, square to the row.")


def ranked_formation(table: ExactTable, query: RankedFormation) -> RuleResult:
    """Ranked formation: whether they stand in ranks. Source: Unit Formation, Prime p. 36."""
    ids = members_in_play(table, query.unit)
    found = {id_: rank_slack(table, id_, ids) for id_ in ids}
    worst = min(found, key=lambda id_: found[id_].mm)
    proper = {
        id_: is_at_least(one.mm, 0.0, "stands in rank", tuple(dict.fromkeys((id_, *one.near))), turning=(id_,))
        for id_, one in found.items()
    }
    defects: list[JsonValue] = [*sorted({one.defect for id_, one in found.items() if not proper[id_]})]
    ranks = [rank for rank in ranks_of(table, ids) if all(proper[id_] for id_ in rank)]
    members = tuple(_candidate_of(table, id_, ids) for id_ in ids)
    joined = all_of(tuple((one.id, one.result) for one in members if one.result is not None))
    return RuleResult(
        margin_mm=found[worst].mm,
        value={"defects": defects, "grids": [[*rank] for rank in ranks]},
        members=members,
        because=(with_effect(table, _RANKS, f"{worst} is nearest to the limit."),),
        readings=("rank-contact-in", "rank-facing-deg", "rank-misfit"),
        depends_on_place=joined.depends_on_place,
        depends_on_facing=joined.depends_on_facing,
        conditions=joined.conditions,
    )


def _candidate_of(table: ExactTable, id_: str, ids: list[str]) -> Candidate:
    def rule(asked: ExactTable) -> RuleResult:
        one = rank_slack(asked, id_, ids)
        return RuleResult(
            margin_mm=one.mm, depends_on_place=tuple(dict.fromkeys((id_, *one.near))), depends_on_facing=(id_,)
        )

    alone = traced(rule)
    return Candidate(id_, alone(table), alone)
