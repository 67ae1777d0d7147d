"""Bases clear: whether no two bases overlap."""

import numpy as np

from models.queries import BasesClear
from models.verdict import CAPPED_MM
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.regiment import members_of
from referee.geometry.distance import gap
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, format_names, with_effect
from referee.rules.rule_result import RuleResult

_CLEAR = because('1" Apart', 15, "Bases never overlap.")
_NEAR_MM, _MOST_PAIRS = 10.0, 12


def bases_clear(table: ExactTable, query: BasesClear) -> RuleResult:
    """Bases clear: whether none overlap; those that touch in a rank do not. Source: 1" Apart, p. 15."""
    near = table.memoize_unperturbed(("bases clear", query.among), lambda still: _closest_pairs(still, query))
    if table.perturbations:
        near = sorted((gap(table.base(a), table.base(b)).mm, a, b) for _, a, b in near[:_MOST_PAIRS])
    mm, a, b = near[0] if near else (CAPPED_MM, "", "")
    tolerance = parameters.CONTACT_MM  # a hand pushes a block together a little crooked
    return RuleResult(
        margin_mm=mm + tolerance if near else CAPPED_MM,
        value={"pairs": [{"a": p, "b": q, "gap_mm": g} for g, p, q in near if g < -tolerance]},
        because=(
            with_effect(
                table, _CLEAR, f"{format_names(table, [a, b])}: {format_length(mm)}." if near else "All stand apart."
            ),
        ),
        depends_on_place=(a, b) if near else (),
    )


def _closest_pairs(table: ExactTable, query: BasesClear) -> list[tuple[float, str, str]]:
    """Every pair of bases that comes near to touching, the closest first."""
    every = tuple(m.id for m in table.state.miniatures if "removed" not in m.status and m.inside is None)
    ids = tuple(m for one in query.among for m in members_of(table, one)) if query.among else every
    bases = [table.base(id_) for id_ in ids]
    at, reach = np.array([complex(*one.centre) for one in bases]), np.array([one.reach_mm for one in bases])
    close = np.abs(at[:, None] - at[None]) - reach[:, None] - reach[None] < _NEAR_MM
    pairs = [(int(i), int(j)) for i, j in zip(*np.nonzero(np.triu(close, 1)), strict=True)]
    return sorted((gap(bases[i], bases[j]).mm, ids[i], ids[j]) for i, j in pairs)
