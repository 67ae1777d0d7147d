"""Nearest: those whom a measuring error could swap are drawn among."""

from dataclasses import replace

from pydantic import JsonValue

from models.queries import Nearest
from referee.editions.warmachine.miniatures import nearest as shared
from referee.editions.warmachine.mk1_and_mk2.parameters import because
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least, is_out_of_reach

_FAR_BEHIND_MM = 10.0  # who is farther behind the nearest is never as near
_TIES = because("Model Destruction and Tokens", "Those who are as near, for all that can be measured, are drawn among.")


def nearest(table: ExactTable, query: Nearest) -> RuleResult:
    """Nearest: everybody by distance; whom a measuring error could swap is drawn.

    Source: Model Destruction and Tokens.
    """
    result = shared.nearest(table, query)
    told = result.value.get("by_id")
    if table.reading("nearest-tie") == "exact" or not isinstance(told, dict) or not told:
        return result
    gaps = {id_: float(str(one["distance_mm"])) for id_, one in told.items() if isinstance(one, dict)}
    first = min(gaps, key=gaps.__getitem__)
    ties = [id_ for id_, mm in gaps.items() if _is_tied(table, id_, first, mm - gaps[first], result.depends_on_place)]
    value: dict[str, JsonValue] = {**result.value, "ties": [*ties] if len(ties) > 1 else []}
    advice = "They are equally near: draw one at random." if len(ties) > 1 else None
    doubtful = ("nearest-tie",) if len(ties) > 1 else ()
    return replace(result, value=value, advice=advice, readings=("nearest-tie",), doubtful=doubtful,
                   because=(*result.because, *((_TIES,) if len(ties) > 1 else ())))  # fmt: skip


def _is_tied(table: ExactTable, id_: str, first: str, behind_mm: float, on: tuple[str, ...]) -> bool:
    """Whether it is as near as the nearest, for all that can be measured."""
    doubt_mm = _doubt_mm(table, id_, first)
    if id_ == first or is_out_of_reach(behind_mm, _FAR_BEHIND_MM + doubt_mm):
        return id_ == first
    return is_at_least(doubt_mm, behind_mm, "is as near as", tuple(dict.fromkeys((id_, first, *on))))


def _doubt_mm(table: ExactTable, a: str, b: str) -> float:
    """The combined error of two places."""
    if a not in table.miniatures or b not in table.miniatures or a == b:
        return 0.0
    return float(sum(table.miniature(id_).covariance()[0][0] for id_ in (a, b)) ** 0.5)
