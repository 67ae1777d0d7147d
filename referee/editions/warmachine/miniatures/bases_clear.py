"""Overlap of bases: they never overlap; touching is fine."""

from itertools import combinations

import numpy as np
from pydantic import JsonValue

from models.queries import BasesClear
from models.verdict import CAPPED_MM
from referee.editions.warmachine.miniatures.distances import contact_probability, draw_ruler
from referee.editions.warmachine.parameters import because
from referee.geometry.distance import Gap, gap
from referee.rules.candidates import in_play
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, format_names, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_more_than

_CLEAR = because("Normal Movement & Advancing", 30, "No base may end on another; touching is no overlap.")
_NEAR_MM = 10.0  # pairs this much wider than the tightest cannot become it by a measuring error


def bases_clear(table: ExactTable, query: BasesClear) -> RuleResult:
    """Overlap of bases: whether no two bases overlap; touching is clear, and so are bases known to touch.

    Source: Normal Movement & Advancing, p. 30; Rule of Least Disturbance, p. 35.
    """
    ids = in_play(table) if query.among is None else tuple(dict.fromkeys(query.among))
    gaps = {pair: gap(table.base(pair[0]), table.base(pair[1])) for pair in _all_pairs(table, ids)}
    free = {pair: found for pair, found in gaps.items() if (contact_probability(table, *pair) or 0.0) < 0.975}
    if not free:
        return RuleResult(margin_mm=CAPPED_MM, value={"pairs": []}, because=(_CLEAR,))
    tightest, least = min(free.items(), key=lambda item: item[1].mm)
    near = [pair for pair, found in free.items() if found.mm <= least.mm + _NEAR_MM]
    return RuleResult(
        margin_mm=least.mm,
        value={"pairs": [_overlap_entry(pair, found) for pair, found in free.items() if _overlap(pair, found)]},
        lengths_mm={"least gap": least.mm},
        witness=(draw_ruler(least, *tightest, role="touching"),),
        because=(with_effect(table, _CLEAR, _find_tightest(table, tightest, least.mm)),),
        depends_on_place=tuple(dict.fromkeys(id_ for pair in near for id_ in pair)),
    )


def _find_tightest(table: ExactTable, pair: tuple[str, str], gap_mm: float) -> str:
    both = format_names(table, list(pair))
    return (
        f"{both} overlap by {format_length(-gap_mm)}."
        if gap_mm < -1e-6
        else f"{both} stand {format_length(gap_mm)} apart."
    )


def _overlap(pair: tuple[str, str], found: Gap) -> bool:
    return is_more_than(-found.mm, 0.0, "overlaps", pair)


def _overlap_entry(pair: tuple[str, str], found: Gap) -> dict[str, JsonValue]:
    return {"a": pair[0], "b": pair[1], "gap_mm": found.mm}


def _all_pairs(table: ExactTable, ids: tuple[str, ...]) -> list[tuple[str, str]]:
    """The pairs that may be the tightest, or overlap, also when everything is perturbed a little."""
    still = table.unperturbed
    return still.memoize_for(f"close pairs of {ids}", "", lambda: _close_pairs(still, ids))


def _close_pairs(table: ExactTable, ids: tuple[str, ...]) -> list[tuple[str, str]]:
    if len(ids) < 2:
        return []
    crowd = table.bounding_discs
    place = {id_: k for k, id_ in enumerate(crowd.ids)}
    at = np.array([place[id_] for id_ in ids])
    first, second = np.triu_indices(len(ids), 1)
    a, b = at[first], at[second]
    least = np.abs(crowd.at[a] - crowd.at[b]) - crowd.reach_mm[a] - crowd.reach_mm[b]
    if all(table.base(id_).is_disc() for id_ in ids):
        close = least <= max(0.0, float(least.min())) + _NEAR_MM
        return [(ids[i], ids[j]) for i, j in zip(first[close], second[close], strict=True)]
    return list(combinations(ids, 2))
