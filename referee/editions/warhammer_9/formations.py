"""Formation and strength: proper ranks, how many count, and who is left standing where."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import JsonValue

from models.queries import Casualties, RankedFormation, UnitStrength
from models.unit import Unit
from models.verdict import Witness
from models.words import Point
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.regiments import (
    Regiment,
    base_size_mm,
    gap_of,
    is_skirmishing,
    kind_of,
    leading,
    left_of,
    members_of,
    regiment,
)
from referee.ruling import Candidate, Ruling
from referee.situation import Situation
from referee.telling import applied

_FORMING = because("Forming Units", 11, "Equal ranks that touch and look one way; no more ranks than files.")
_WIDTH = because("Troop Types", 69, "A unit is at least five wide; three where its kind is monstrous.")
_LOOSE = because("Skirmishers", 65, "Skirmishers stand about half an inch apart, in ranks that look one way.")
_STRENGTH = because("Unit Strength", 11, "The strengths of all its miniatures are added up.")
_REMOVING = because("Removing Casualties", 11, "They come off the last rank; of a single rank from both ends in turn.")
_TURN_DEG = 10.0  # miniatures that look farther apart than this do not look one way
_LOOSE_SLACK_MM = 6.35  # "about" half an inch
_RIVAL_MM, _MOST = 0.3, 9  # who may come to stand the worst once bases are nudged
_SEEN_MM = 2.54  # a tenth of an inch: what a hand leaves open by less is no gap
_PUSH = "Some bases stand a little apart, as a hand leaves them: push them together before it matters who touches whom."


@dataclass(frozen=True)
class _Join:
    """How a member stands to its neighbours: what it lacks to its limit, and in what word."""

    id: str
    slack_mm: float
    word: str
    gaps_mm: tuple[float, ...]
    near: tuple[str, ...]
    """Whom it hangs on: itself and these neighbours."""


def ranked_formation(table: Situation, query: RankedFormation) -> Ruling:
    """Whether the unit stands in legal ranks. Source: Forming Units, p. 11; Skirmishers, p. 65; p. 69-73."""
    manner = query.manner or ("skirmish" if is_skirmishing(table, query.unit) else "ranked")
    key = ("joins", query.unit, manner)
    joins = table.settled(key, lambda still: list(_joins(still, regiment(still, query.unit), manner)))
    if table.nudges:
        return _nudged(table, query, joins, manner)
    own = regiment(table, query.unit)
    shape = _defects(table, own, manner)
    defects = [*shape, *dict.fromkeys(j.word for j in joins if j.slack_mm < 0)]
    worst = min((j.slack_mm for j in joins), default=parameters.CONTACT_MM)
    near = tuple(dict.fromkeys(m for j in joins if j.slack_mm <= worst + _RIVAL_MM for m in j.near))
    value: dict[str, JsonValue] = {
        "defects": list(defects),
        "files": own.files,
        "ranks": own.ranks,
        "grids": [list(grid) for grid in legal_grids(table, query.unit, manner)],
        "crooked_deg": own.crooked_deg,
        "crooked_mm": own.crooked_mm,
        "by_id": {j.id: {"gaps_mm": [*j.gaps_mm]} for j in joins},
    }
    return Ruling(
        margin_mm=min(worst, -parameters.CONTACT_MM) if shape else worst,
        value={} if table.lean else value,
        witness=() if table.lean else (Witness(type="polygon", role="limit", points_mm=own.corners, of=(own.id,)),),
        because=(applied(table, _LOOSE if manner == "skirmish" else _FORMING, _told(own, defects)), _WIDTH),
        members=() if table.lean else tuple(_member(join, query, manner) for join in joins),
        readings=("least-width", "squeeze-width"),
        doubtful=(*_width_doubts(table, query.unit, manner),),
        mattering=width_doubts(table, query.unit, manner),
        advice=_PUSH if _is_ajar(table, joins) and manner != "skirmish" and not defects else None,
        touches=near[:_MOST],
        faces=near[:_MOST],
    )


def _is_ajar(table: Situation, joins: list[_Join]) -> bool:
    """Whether some stand apart by what is no gap, and yet no contact."""
    return any(gap > table.state.contact_tolerance_mm for join in joins for gap in join.gaps_mm)


def _nudged(table: Situation, query: RankedFormation, joins: list[_Join], manner: str) -> Ruling:
    """The margin on a nudged table: of those who stood the worst, as long as the shape is none to fail by."""
    worst = min((j.slack_mm for j in joins), default=parameters.CONTACT_MM)
    near = [j for j in joins if j.slack_mm <= worst + _RIVAL_MM]
    mm = min((_again_mm(table, query.unit, j, manner) for j in near), default=parameters.CONTACT_MM)
    shape = _defects(table, regiment(table.still, query.unit), manner)
    return Ruling(margin_mm=min(mm, -parameters.CONTACT_MM) if shape else mm)


def _told(own: Regiment, defects: list[str]) -> str:
    stands = f"{own.files} files, {own.ranks} ranks"
    return f"It stands in {stands}: {'nothing is wrong' if not defects else ', '.join(defects)}."


def _member(join: _Join, query: RankedFormation, manner: str) -> Candidate:
    def rule(table: Situation) -> Ruling:
        return Ruling(margin_mm=_again_mm(table, query.unit, join, manner), touches=join.near, faces=(join.id,))

    return Candidate(join.id, Ruling(margin_mm=join.slack_mm, touches=join.near, faces=(join.id,)), rule)


def _again_mm(table: Situation, unit: str, join: _Join, manner: str) -> float:
    """The same gaps on another table; one of many hardly turns the unit, so its heading is that at rest."""
    own = regiment(table.still, unit)
    sizes = dict(zip(own.members, own.sizes_mm, strict=True))
    where = {m: (*own.seen_from(table.centre(m)), *sizes[m]) for m in join.near}
    return _join(table, own, where, join.id, manner).slack_mm


Local = dict[str, tuple[float, float, float, float]]
"""Of members: how far ahead and to the left they stand, and front and depth of their bases."""


def _local(own: Regiment, ids: tuple[str, ...]) -> Local:
    told = zip(own.members, own.places, own.sizes_mm, strict=True)
    return {m: (*own.seen_from(p), *size) for m, p, size in told if m in ids}


def _joins(table: Situation, own: Regiment, manner: str) -> Iterator[_Join]:
    where = _local(own, own.members)
    for id_ in own.members:
        yield _join(table, own, where, id_, manner)


def _join(table: Situation, own: Regiment, where: Local, id_: str, manner: str) -> _Join:
    """A member with the worst of its gaps to the one on its right and the one ahead."""
    gap = gap_of(table, own.id) or (parameters.SKIRMISH_GAP_MM if manner == "skirmish" else 0.0)
    limit = _LOOSE_SLACK_MM if manner == "skirmish" else max(_SEEN_MM, table.state.contact_tolerance_mm)
    off = abs(math.degrees(math.remainder(table.facing_rad(id_) - own.facing_rad, math.tau)))
    found = dict(_gaps(own, where, id_))
    gaps, near = tuple(found.values()), (id_, *found)
    if off > _TURN_DEG:
        return _Join(id_, -limit, "facing", gaps, near)
    return _Join(id_, min((limit - abs(each - gap) for each in gaps), default=limit), "gap", gaps, near)


def _gaps(own: Regiment, where: Local, id_: str) -> Iterator[tuple[str, float]]:
    """The gaps to the neighbour on the right, and to the one ahead."""
    rank = own.cells[own.members.index(id_)][0]
    row = [m for m in own.rank(rank) if m in where]
    x, y, wide, deep = where[id_]
    if (k := row.index(id_)) + 1 < len(row):
        _, right, other, _ = where[row[k + 1]]
        yield row[k + 1], y - right - (wide + other) / 2
    ahead = [m for m in own.rank(rank - 1) if m in where] if rank > 0 else []
    if ahead:
        nearest = min(ahead, key=lambda one: abs(where[one][1] - y))
        front, _, _, other = where[nearest]
        yield nearest, front - x - (deep + other) / 2


def _defects(table: Situation, own: Regiment, manner: str) -> list[str]:
    """What is wrong with the grid, whatever the gaps are."""
    sizes, squeezing = own.rank_sizes, manner == "squeezing"
    found = []
    if own.ranks > own.files and not squeezing:
        found.append("more-ranks-than-files")
    if any(size != sizes[0] for size in sizes[:-1]) or sizes[-1] > sizes[0]:
        found.append("unequal-ranks")
    if len(sizes) > 1 and sizes[-1] < sizes[0] and not _is_centred(own):
        found.append("last-rank-not-centred")
    if own.files < min(least_width(table, own.id, manner), len(own.members)):
        found.append("too-narrow")
    if any(_is_small(table, m) for m in own.members):
        found.append("base-too-small")
    return found


def _is_centred(own: Regiment) -> bool:
    where = dict(zip(own.members, own.places, strict=True))

    def middle(rank: int) -> float:
        row = [own.seen_from(where[m])[1] for m in own.rank(rank)]
        return (row[0] + row[-1]) / 2

    return abs(middle(own.ranks - 1) - middle(0)) <= own.base_mm[0] / 2 + 1e-6


def _is_small(table: Situation, id_: str) -> bool:
    """Source: Models and Base Sizes, p. 69: larger bases are fine, smaller are not."""
    smallest = parameters.SMALLEST_MM.get(kind_of(table.miniature(id_)))
    size = sorted(base_size_mm(table.miniature(id_)))
    return smallest is not None and any(got < want - 1e-6 for got, want in zip(size, sorted(smallest), strict=True))


def width_doubts(table: Situation, id_: str, manner: str) -> tuple[str, ...]:
    """The house rules under whose other readings it might stand in other grids."""
    grids = legal_grids(table, id_, manner)
    doubts = _width_doubts(table, id_, manner)
    return tuple(k for k in doubts if any(legal_grids(one, id_, manner) != grids for one in table.otherwise(k)))


def _width_doubts(table: Situation, id_: str, manner: str) -> Iterator[str]:
    """The house rules on which its least width hangs."""
    if manner == "squeezing":
        yield "squeeze-width"
    elif manner == "ranked" and kind_of(leading(table, id_)) in parameters.WIDTH_UNTOLD:
        yield "least-width"


def least_width(table: Situation, id_: str, manner: str = "ranked") -> int:
    """The least number of files. Source: Troop Types, p. 69-71; Skirmishers, p. 65."""
    if manner == "skirmish" or is_skirmishing(table, id_):
        return 1
    if manner == "squeezing" and table.reading("squeeze-width") == "suspended":
        return 1
    kind = kind_of(leading(table, id_))
    if kind in parameters.SINGLE:
        return 1
    if kind in ("infantry", "cavalry"):
        return 5
    if kind == "monstrous-infantry":
        return 3
    told = {"3-monstrous-5-beasts": 3 if kind in parameters.MONSTROUS else 5, "5": 5, "none": 1}
    return told[table.reading("least-width")]


def legal_grids(table: Situation, id_: str, manner: str = "ranked") -> list[tuple[int, int]]:
    """Every (files, ranks) in which the unit may stand."""
    count = len(members_of(table, id_))
    least = min(least_width(table, id_, manner), count)
    grids = [(files, -(-count // files)) for files in range(least, count + 1)]
    return [(files, ranks) for files, ranks in grids if ranks <= files or manner == "squeezing"]


def unit_strength(table: Situation, query: UnitStrength) -> Ruling:
    """How strong a unit is. Source: Unit Strength, p. 11; p. 69-73; Large Target, p. 36."""
    needs = [f"profile.wounds of {m}" for m in left_of(table, query.unit) if strength_of(table, m) is None]
    if needs:
        return Ruling(status="unknown", needs=tuple(needs), because=(_STRENGTH,))
    strength = total_strength(table, query.unit)
    passed = [step for step in (parameters.FEW, parameters.MANY, parameters.LARGE_TARGET) if strength >= step]
    return Ruling(
        status="measured",
        value={"strength": strength, "passed": list(passed), "large_target": strength >= parameters.LARGE_TARGET},
        because=(applied(table, _STRENGTH, f"{len(left_of(table, query.unit))} of them come to {strength:g}."),),
    )


def total_strength(table: Situation, id_: str) -> float:
    """The strength of a unit; miniatures whose strength is not told count nothing. Source: Unit Strength, p. 11."""
    return sum(strength_of(table, m) or 0.0 for m in left_of(table, id_))


def strength_of(table: Situation, id_: str) -> float | None:
    """The strength of one miniature; None where it is its starting Wounds and nobody told them."""
    miniature = table.miniature(id_)
    if miniature.profile.unit_strength is not None:
        return miniature.profile.unit_strength
    by_kind = parameters.STRENGTH.get(kind_of(miniature))
    return float(by_kind) if by_kind is not None else miniature.profile.wounds


def casualties(table: Situation, query: Casualties) -> Ruling:
    """Who comes off, and how the rest stands. Source: Removing Casualties, p. 11; Command groups, p. 79-80."""
    own = regiment(table, query.unit)
    gone = _taken_off(table, own, min(query.lost, len(own.members)))
    left = len(own.members) - len(gone)
    poses: dict[str, JsonValue] = {m: {"at_mm": [*at]} for m, at in _stepped_up(own, gone).items()}
    ranks = _ranks_left(own, gone)
    return Ruling(
        status="measured",
        value={
            "removed": list(gone),
            "poses": poses,
            "files": min(own.files, left) if own.ranks > 1 else left,
            "ranks": ranks,
        },
        because=(applied(table, _REMOVING, f"{len(gone)} come off, {left} are left."),),
    )


def _ranks_left(own: Regiment, gone: list[str]) -> int:
    return sum(any(m not in gone for m in own.rank(rank)) for rank in range(own.ranks))


def _taken_off(table: Situation, own: Regiment, lost: int) -> list[str]:
    """Rank and file from the last rank's right; of a single rank from both ends in turn; the command last of all."""
    kept_last = pinned(table, own)
    gone: list[str] = []
    for rank in range(own.ranks - 1, -1, -1):
        row = [m for m in own.rank(rank) if m not in kept_last]
        ends = rank == 0
        while row and len(gone) < lost:
            gone.append(row.pop(0 if ends and len(gone) % 2 else -1))
    return [*gone, *kept_last][:lost]


def pinned(table: Situation, own: Regiment) -> list[str]:
    """Those whom others replace as long as anybody is there, in the order in which they fall at last.

    Source: Command Group Casualties, p. 80: musician, standard, champion; characters are no part of the unit's own.
    """
    unit = table.state.by_id.get(own.id)
    order = ("musician", "standard", "champion", "character")
    told = {getattr(unit, word): word for word in order[:3]} if isinstance(unit, Unit) else {}
    found = [(order.index(word), m) for m in own.members if (word := _office(table, m, told)) in order]
    return [m for _, m in sorted(found)]


def _office(table: Situation, id_: str, told: dict[object, str]) -> str:
    offices = [word for word in ("character", "champion", "standard", "musician") if word in table.miniature(id_).role]
    return offices[0] if offices else told.get(id_, "")


def _stepped_up(own: Regiment, gone: list[str]) -> dict[str, Point]:
    """Where those of the short last rank stand, so that it is in the middle again."""
    if own.ranks == 1:
        return {}
    where = dict(zip(own.members, own.places, strict=True))
    ranks = [[m for m in own.rank(k) if m not in gone] for k in range(own.ranks)]
    last = max((k for k, row in enumerate(ranks) if row), default=0)
    if last == 0:
        return {}
    pitch = own.width_mm / own.files
    poses = {}
    for k, m in enumerate(ranks[last]):
        x = own.seen_from(where[m], own.front)[0]
        at = own.at(x, ((len(ranks[last]) - 1) / 2 - k) * pitch, own.front)
        if math.dist(at, where[m]) > 1e-6:
            poses[m] = at
    return poses
