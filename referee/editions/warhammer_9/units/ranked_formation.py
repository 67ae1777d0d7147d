"""Ranked formation: whether a unit stands in legal ranks, and in which others it might."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import JsonValue

from models.queries import RankedFormation
from models.verdict import Witness
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.regiment import (
    Regiment,
    base_size_mm,
    is_skirmishing,
    kind_of,
    leading_miniature,
    member_gap_mm,
    members_of,
    regiment,
)
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import with_effect
from referee.rules.rule_result import Candidate, RuleResult

_FORMING = because("Forming Units", 11, "Equal ranks that touch and look one way; no more ranks than files.")
_WIDTH = because("Troop Types", 69, "A unit is at least five wide; three where its kind is monstrous.")
_LOOSE = because("Skirmishers", 65, "Skirmishers stand about half an inch apart, in ranks that look one way.")
_TURN_DEG = 10.0  # miniatures that look farther apart than this do not look one way
_LOOSE_SLACK_MM = 6.35  # "about" half an inch
_RIVAL_MM, _MOST = 0.3, 9  # who may come to stand the worst once bases are perturbed
_SEEN_MM = 2.54  # a tenth of an inch: what a hand leaves open by less is no gap
_PUSH = "Some bases stand a little apart, as a hand leaves them: push them together before it matters who touches whom."


@dataclass(frozen=True)
class _NeighbourGaps:
    """How a member stands to its neighbours: what it lacks to its limit, and in what word."""

    id: str
    slack_mm: float
    word: str
    gaps_mm: tuple[float, ...]
    depends_on: tuple[str, ...]
    """Whom it hangs on: itself and these neighbours."""


def ranked_formation(table: ExactTable, query: RankedFormation) -> RuleResult:
    """Ranked formation: whether the unit stands in legal ranks.

    Source: Forming Units, p. 11; Skirmishers, p. 65; p. 69-73.
    """
    manner = query.manner or ("skirmish" if member_gap_mm(table, query.unit) > 0 else "ranked")
    key = ("joins", query.unit, manner)
    joins = table.memoize_unperturbed(key, lambda still: list(_gaps_of_all(still, regiment(still, query.unit), manner)))
    if table.perturbations:
        return _evaluate_perturbed(table, query, joins, manner)
    own = regiment(table, query.unit)
    shape = _defects(table, own, manner)
    defects = [*shape, *dict.fromkeys(j.word for j in joins if j.slack_mm < 0)]
    worst = min((j.slack_mm for j in joins), default=parameters.CONTACT_MM)
    near = tuple(dict.fromkeys(m for j in joins if j.slack_mm <= worst + _RIVAL_MM for m in j.depends_on))
    value: dict[str, JsonValue] = {
        "defects": list(defects),
        "files": own.files,
        "ranks": own.ranks,
        "grids": [list(grid) for grid in legal_grids(table, query.unit, manner)],
        "crooked_deg": own.crooked_deg,
        "crooked_mm": own.crooked_mm,
        "by_id": {j.id: {"gaps_mm": [*j.gaps_mm]} for j in joins},
    }
    outline = Witness(type="polygon", role="limit", points_mm=own.corners, of=(own.id,))
    rule = _LOOSE if manner == "skirmish" else _FORMING
    is_ajar = any(gap > table.state.contact_tolerance_mm for join in joins for gap in join.gaps_mm)  # no contact
    return RuleResult(
        margin_mm=min(worst, -parameters.CONTACT_MM) if shape else worst,
        value={} if table.margins_only else value,
        witness=() if table.margins_only else (outline,),
        because=(with_effect(table, rule, _explain_formation(own, defects)), _WIDTH),
        members=() if table.margins_only else tuple(_member_candidate(join, query, manner) for join in joins),
        readings=("least-width", "squeeze-width"),
        doubtful=(*_width_doubts(table, query.unit, manner),),
        deciding_house_rules=width_doubts(table, query.unit, manner),
        advice=_PUSH if is_ajar and manner != "skirmish" and not defects else None,
        depends_on_place=near[:_MOST],
        depends_on_facing=near[:_MOST],
    )


def _evaluate_perturbed(
    table: ExactTable, query: RankedFormation, joins: list[_NeighbourGaps], manner: str
) -> RuleResult:
    """The margin on a perturbed table: of those who stood the worst, as long as the shape is none to fail by."""
    worst = min((j.slack_mm for j in joins), default=parameters.CONTACT_MM)
    near = [j for j in joins if j.slack_mm <= worst + _RIVAL_MM]
    mm = min((_remeasure_mm(table, query.unit, j, manner) for j in near), default=parameters.CONTACT_MM)
    shape = _defects(table, regiment(table.unperturbed, query.unit), manner)
    return RuleResult(margin_mm=min(mm, -parameters.CONTACT_MM) if shape else mm)


def _explain_formation(own: Regiment, defects: list[str]) -> str:
    stands = f"{own.files} files, {own.ranks} ranks"
    return f"It stands in {stands}: {'nothing is wrong' if not defects else ', '.join(defects)}."


def _member_candidate(join: _NeighbourGaps, query: RankedFormation, manner: str) -> Candidate:
    def rule(table: ExactTable) -> RuleResult:
        return RuleResult(
            margin_mm=_remeasure_mm(table, query.unit, join, manner),
            depends_on_place=join.depends_on,
            depends_on_facing=(join.id,),
        )

    return Candidate(
        join.id,
        RuleResult(margin_mm=join.slack_mm, depends_on_place=join.depends_on, depends_on_facing=(join.id,)),
        rule,
    )


def _remeasure_mm(table: ExactTable, unit: str, join: _NeighbourGaps, manner: str) -> float:
    """The same gaps on another table; one of many hardly turns the unit, so its heading is that at rest."""
    own = regiment(table.unperturbed, unit)
    sizes = dict(zip(own.members, own.sizes_mm, strict=True))
    where = {m: (*own.to_local(table.centre(m)), *sizes[m]) for m in join.depends_on}
    return _gaps_of(table, own, where, join.id, manner).slack_mm


Local = dict[str, tuple[float, float, float, float]]
"""Of members: how far ahead and to the left they stand, and front and depth of their bases."""


def _local(own: Regiment, ids: tuple[str, ...]) -> Local:
    stands = zip(own.members, own.places, own.sizes_mm, strict=True)
    return {m: (*own.to_local(p), *size) for m, p, size in stands if m in ids}


def _gaps_of_all(table: ExactTable, own: Regiment, manner: str) -> Iterator[_NeighbourGaps]:
    where = _local(own, own.members)
    for id_ in own.members:
        yield _gaps_of(table, own, where, id_, manner)


def _gaps_of(table: ExactTable, own: Regiment, where: Local, id_: str, manner: str) -> _NeighbourGaps:
    """A member with the worst of its gaps to the one on its right and the one ahead."""
    gap = member_gap_mm(table, own.id) or (parameters.SKIRMISH_GAP_MM if manner == "skirmish" else 0.0)
    limit = _LOOSE_SLACK_MM if manner == "skirmish" else max(_SEEN_MM, table.state.contact_tolerance_mm)
    off = abs(math.degrees(math.remainder(table.facing_rad(id_) - own.facing_rad, math.tau)))
    neighbour_gaps = dict(_neighbour_gaps(own, where, id_))
    gaps, near = tuple(neighbour_gaps.values()), (id_, *neighbour_gaps)
    if off > _TURN_DEG:
        return _NeighbourGaps(id_, -limit, "facing", gaps, near)
    return _NeighbourGaps(id_, min((limit - abs(each - gap) for each in gaps), default=limit), "gap", gaps, near)


def _neighbour_gaps(own: Regiment, where: Local, id_: str) -> Iterator[tuple[str, float]]:
    """The gaps to the neighbour on the right, and to the one ahead."""
    rank = own.cells[own.members.index(id_)][0]
    row = [m for m in own.rank(rank) if m in where]
    x, y, wide, deep = where[id_]
    if (k := row.index(id_)) + 1 < len(row):
        _, right, other, _ = where[row[k + 1]]
        yield row[k + 1], y - right - (wide + other) / 2
    ahead = [m for m in own.rank(rank - 1) if m in where] if rank > 0 else []
    if ahead:
        nearest = min(ahead, key=lambda gap_ahead: abs(where[gap_ahead][1] - y))
        front, _, _, other = where[nearest]
        yield nearest, front - x - (deep + other) / 2


def _defects(table: ExactTable, own: Regiment, manner: str) -> list[str]:
    """What is wrong with the grid, whatever the gaps are."""
    sizes, squeezing = own.rank_sizes, manner == "squeezing"
    defects = []
    if own.ranks > own.files and not squeezing:
        defects.append("more-ranks-than-files")
    if any(size != sizes[0] for size in sizes[:-1]) or sizes[-1] > sizes[0]:
        defects.append("unequal-ranks")
    if len(sizes) > 1 and sizes[-1] < sizes[0] and not _is_centred(own):
        defects.append("last-rank-not-centred")
    if own.files < min(least_width(table, own.id, manner), len(own.members)):
        defects.append("too-narrow")
    if any(_is_base_too_small(table, m) for m in own.members):
        defects.append("base-too-small")
    return defects


def _is_centred(own: Regiment) -> bool:
    where = dict(zip(own.members, own.places, strict=True))

    def middle(rank: int) -> float:
        row = [own.to_local(where[m])[1] for m in own.rank(rank)]
        return (row[0] + row[-1]) / 2

    return abs(middle(own.ranks - 1) - middle(0)) <= own.base_mm[0] / 2 + 1e-6


def _is_base_too_small(table: ExactTable, id_: str) -> bool:
    """Source: Models and Base Sizes, p. 69: larger bases are fine, smaller are not."""
    smallest = parameters.SMALLEST_MM.get(kind_of(table.miniature(id_)))
    size = sorted(base_size_mm(table.miniature(id_)))
    return smallest is not None and any(got < want - 1e-6 for got, want in zip(size, sorted(smallest), strict=True))


def width_doubts(table: ExactTable, id_: str, manner: str) -> tuple[str, ...]:
    """House rules under whose other readings the unit might stand in other grids."""
    grids = legal_grids(table, id_, manner)
    doubts = _width_doubts(table, id_, manner)
    return tuple(
        k for k in doubts if any(legal_grids(reading, id_, manner) != grids for reading in table.other_readings(k))
    )


def _width_doubts(table: ExactTable, id_: str, manner: str) -> Iterator[str]:
    """The house rules on which its least width hangs."""
    if manner == "squeezing":
        yield "squeeze-width"
    elif manner == "ranked" and kind_of(leading_miniature(table, id_)) in parameters.WIDTH_UNTOLD:
        yield "least-width"


def least_width(table: ExactTable, id_: str, manner: str = "ranked") -> int:
    """The least number of files. Source: Troop Types, p. 69-71; Skirmishers, p. 65."""
    if manner == "skirmish" or is_skirmishing(table, id_):
        return 1
    if manner == "squeezing" and table.reading("squeeze-width") == "suspended":
        return 1
    kind = kind_of(leading_miniature(table, id_))
    if kind in parameters.SINGLE:
        return 1
    if kind in ("infantry", "cavalry"):
        return 5
    if kind == "monstrous-infantry":
        return 3
    least = {"3-monstrous-5-beasts": 3 if kind in parameters.MONSTROUS else 5, "5": 5, "none": 1}
    return least[table.reading("least-width")]


def legal_grids(table: ExactTable, id_: str, manner: str = "ranked") -> list[tuple[int, int]]:
    """Legal grids: every (files, ranks) in which the unit may stand."""
    count = len(members_of(table, id_))
    least = min(least_width(table, id_, manner), count)
    grids = [(files, -(-count // files)) for files in range(least, count + 1)]
    return [(files, ranks) for files, ranks in grids if ranks <= files or manner == "squeezing"]
