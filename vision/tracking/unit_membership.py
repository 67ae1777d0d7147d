"""Unit membership over time: units keep their members, and ranks are counted from where these stand.

Group motion: one turn and shift that takes many old places to new ones, as of miniatures on a tray.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.arrays import Floats, Mask
from models.base import RectBase
from vision.facing.facing_estimate import Facing
from vision.measurement.base_distance import signed_distance_mm
from vision.ranked.ranked_units import Place
from vision.ranked.side_profiles import symmetry_turns
from vision.state_assembly import MeasuredBase

_IN_LINE_RAD = math.radians(15.0)  # who is turned further stands in no rank
_NEXT_TO = 0.5  # of a base's shorter side: who is farther from all others stands in no rank


class UnitMembership:
    """Membership of units, for as long as the game lasts."""

    def __init__(self) -> None:
        self._unit_of: dict[str, int] = {}
        self._count = 0

    def join(self, blocks: Iterable[Sequence[str]]) -> None:
        """Units of blocks: a member without a unit joins that of most of the others, or all of them a new one."""
        for block in blocks:
            known = Counter(self._unit_of[id_] for id_ in block if id_ in self._unit_of)
            if not known:
                known[self._count] += 1
                self._count += 1
            most = max(known, key=lambda unit: (known[unit], -unit))
            for id_ in block:
                self._unit_of.setdefault(id_, most)

    def assign_ranks(self, ids: Iterable[str], standing: Mapping[str, MeasuredBase]) -> dict[str, MeasuredBase]:
        """Rank and file of all who stand and are of a unit of one of these."""
        members: dict[str, MeasuredBase] = {}
        for unit in sorted({self._unit_of[id_] for id_ in ids if id_ in self._unit_of}):
            members |= rank_members(
                {id_: track for id_, track in standing.items() if self._unit_of.get(id_) == unit}, unit
            )
        return members


def rank_members(members: Mapping[str, MeasuredBase], unit: int) -> dict[str, MeasuredBase]:
    """Rank and file of a unit's members, where its front is known and they stand with the others."""
    front = _front_rad(members.values())
    if front is None:
        alone = 0 if len(members) == 1 else None
        return {id_: replace(member, place=Place(unit, alone, alone)) for id_, member in members.items()}
    turned = {id_: replace(member, facing=_resolve_facing(member, front)) for id_, member in members.items()}
    block = _largest_group({id_: member for id_, member in turned.items() if _is_in_line(member, front)})
    cells = _grid_cells(block, front)
    return {id_: replace(member, place=Place(unit, *cells.get(id_, (None, None)))) for id_, member in turned.items()}


def _front_rad(members: Iterable[MeasuredBase]) -> float | None:
    """Where most of those look whose front is known."""
    known = [
        member.facing.facing_rad for member in members if member.facing is not None and not member.facing.is_ambiguous
    ]
    if not known:
        return None
    return max(
        known, key=lambda facing_rad: sum(_angle_between_rad(facing_rad, other) < _IN_LINE_RAD for other in known)
    )


def _resolve_facing(member: MeasuredBase, front_rad: float) -> Facing | None:
    """Its facing; of several that it may be the one that is about the unit's."""
    facing, base = member.facing, member.fit.base
    if facing is None or not facing.is_ambiguous or not isinstance(base, RectBase):
        return facing
    ways = [member.fit.turn_rad + turn * math.pi / 2 for turn in symmetry_turns(base)]
    near = min(ways, key=lambda end_rad: _angle_between_rad(end_rad, front_rad))
    return (
        replace(facing, facing_rad=near, is_ambiguous=False)
        if _angle_between_rad(near, front_rad) < _IN_LINE_RAD
        else facing
    )


def _is_in_line(member: MeasuredBase, front_rad: float) -> bool:
    facing = member.facing
    return (
        facing is not None
        and not facing.is_ambiguous
        and _angle_between_rad(facing.facing_rad, front_rad) < _IN_LINE_RAD
    )


def _largest_group(members: dict[str, MeasuredBase]) -> dict[str, MeasuredBase]:
    """The most of them that stand side by side."""
    left, most = set(members), set[str]()
    while left:
        group, edge = set[str](), {min(left)}
        while edge:
            group |= edge
            edge = {id_ for id_ in left - group if any(_are_neighbours(members[id_], members[other]) for other in edge)}
        left -= group
        most = max(most, group, key=len)
    return {id_: member for id_, member in members.items() if id_ in most}


def _are_neighbours(a: MeasuredBase, b: MeasuredBase) -> bool:
    return signed_distance_mm(a.fit, b.fit)[0] < _NEXT_TO * 2 * min(a.fit.inradius_mm, b.fit.inradius_mm)


def _grid_cells(block: dict[str, MeasuredBase], front_rad: float) -> dict[str, tuple[int, int]]:
    """Rank and file of each: from the front, and from the left as the unit sees it."""
    if not block:
        return {}
    at_mm = np.array([member.fit.at_mm for member in block.values()])
    cos, sin = math.cos(front_rad), math.sin(front_rad)
    ahead, left = at_mm @ (cos, sin), at_mm @ (-sin, cos)
    sizes = Counter(member.fit.base for member in block.values())
    base = max(sizes, key=lambda size: sizes[size])
    assert isinstance(base, RectBase)
    ranks = np.rint((ahead.max() - ahead) / base.depth_mm).astype(int).tolist()
    files = np.rint((left.max() - left) / base.width_mm).astype(int).tolist()
    return {id_: (rank, file) for id_, rank, file in zip(block, ranks, files, strict=True)}


def _angle_between_rad(a: float, b: float) -> float:
    return abs((a - b + math.pi) % (2 * math.pi) - math.pi)


_SLIDES_MM = 3.5  # they slide about a little on their tray
_FEWEST = 3  # two places are brought to two others in too many ways
_MOST_SHARE_LEFT = 0.4  # of a group that moved together, those that did not
_TURN_RAD = 0.7  # of two ways alike the smaller turn is meant, when it is smaller by so much
_FAVOUR = 5.0  # nats for a pair that moved with the others
_ASKEW_RAD = 0.5  # by which a facing that is read twice may miss the common turn
_PAIRS = 28  # of old places from which the common motion is told
_SAME_RAD, _SAME_MM = 0.015, 1.5  # motions that differ by less are one


@dataclass(frozen=True)
class _Motion:
    """`is_rest`: nobody of them went anywhere, which is likelier than that all went to where another stood."""

    turn_rad: float
    pairs: frozenset[tuple[int, int]]
    is_rest: bool


def group_motion_prior(old_mm: Floats, new_mm: Floats, alike: Mask, turned_rad: Floats | None = None) -> Floats:
    """Prior (old, new) in nats for pairs that share a motion; zero when there is none, or when two compete.

    `alike` says which pairs may be one miniature at all, `turned_rad` by how much it would have turned; NaN: unknown.
    Of those that did not move with most, some may have moved together too: another unit, or one that stayed.
    """
    favour = np.zeros(alike.shape)
    turned = np.full(alike.shape, np.nan) if turned_rad is None else turned_rad
    old, new = (np.arange(count) for count in alike.shape)
    while min(len(old), len(new)) >= _FEWEST:
        left = np.ix_(old, new)
        pairs = _find_dominant_pairs(
            _candidate_motions(old_mm[old], new_mm[new], alike[left], turned[left]), alike[left]
        )
        for i, j in pairs:
            favour[old[i], new[j]] = _FAVOUR
        if not pairs:
            break
        old, new = np.delete(old, [i for i, _ in pairs]), np.delete(new, [j for _, j in pairs])
    return favour


def _find_dominant_pairs(motions: list[_Motion], alike: Mask) -> frozenset[tuple[int, int]]:
    """The pairs of the motion that takes most along; none when that is few, or when another takes as many."""
    nobody = frozenset[tuple[int, int]]()
    if not motions:
        return nobody
    best, *others = sorted(motions, key=lambda motion: (-len(motion.pairs), not motion.is_rest, abs(motion.turn_rad)))
    if len(best.pairs) < max(_FEWEST, (1 - _MOST_SHARE_LEFT) * alike.any(axis=1).sum()):
        return nobody
    for other in others:
        competes = len(other.pairs) == len(best.pairs) and other.pairs != best.pairs
        if competes and not best.is_rest and abs(other.turn_rad) - abs(best.turn_rad) < _TURN_RAD:
            return nobody
    return best.pairs


def _candidate_motions(old_mm: Floats, new_mm: Floats, alike: Mask, turned: Floats) -> list[_Motion]:
    """What each pair of pairs would mean for all others, of those that keep their distance."""
    motions: dict[frozenset[tuple[int, int]], _Motion] = {}
    tried: set[tuple[int, ...]] = set()
    for turn, shift in _guess_motions(old_mm, new_mm, alike, turned):
        key = (round(turn / _SAME_RAD), *np.rint(shift / _SAME_MM).astype(int).tolist())
        if key not in tried:
            tried.add(key)
            motion = _apply_motion(old_mm, new_mm, alike, turned, turn, shift)
            motions.setdefault(motion.pairs, motion)
    return list(motions.values())


def _guess_motions(old_mm: Floats, new_mm: Floats, alike: Mask, turned: Floats) -> Iterator[tuple[float, Floats]]:
    """Turns and shifts that bring two old places to two new ones, and turn both as they are seen to be turned."""
    between = new_mm[None] - new_mm[:, None]
    apart = np.linalg.norm(between, axis=2)
    for a, b in _distant_pairs(old_mm):
        before = old_mm[b] - old_mm[a]
        fits = np.abs(apart - np.linalg.norm(before)) < _SLIDES_MM
        fits &= alike[a][:, None] & alike[b] & ~np.eye(len(new_mm), dtype=np.bool_)
        turn = np.arctan2(between[..., 1], between[..., 0]) - math.atan2(before[1], before[0])
        fits &= _has_same_turn(turned[a][:, None], turn) & _has_same_turn(turned[b][None], turn)
        for c, d in np.argwhere(fits):
            angle = float((turn[c, d] + math.pi) % (2 * math.pi) - math.pi)
            yield angle, (new_mm[c] + new_mm[d]) / 2 - _rotation(angle) @ (old_mm[a] + old_mm[b]) / 2


def _distant_pairs(old_mm: Floats) -> list[tuple[int, int]]:
    """All pairs, or of many some that are far apart, evenly from the farthest to the middling."""
    rows, columns = np.triu_indices(len(old_mm), 1)
    far = np.argsort(-np.linalg.norm(old_mm[rows] - old_mm[columns], axis=1), kind="stable")
    if len(far) > _PAIRS:
        far = far[np.linspace(0, len(far) // 2, _PAIRS).astype(int)]
    return [(int(rows[k]), int(columns[k])) for k in far]


def _has_same_turn(turned: Floats, turn: Floats | float) -> Mask:
    """Whether a miniature was turned like all; one whose facing is not known may have been."""
    off = np.abs((turned - turn + np.pi) % (2 * np.pi) - np.pi)
    return np.asarray(np.isnan(turned) | (off < _ASKEW_RAD))


def _apply_motion(old_mm: Floats, new_mm: Floats, alike: Mask, turned: Floats, turn: float, shift: Floats) -> _Motion:
    far = np.linalg.norm((old_mm @ _rotation(turn).T + shift)[:, None] - new_mm[None], axis=2)
    far[~alike] = np.inf
    near = far.argmin(axis=1)
    pairs = frozenset((i, int(j)) for i, j in enumerate(near) if far[i, j] < _SLIDES_MM)
    as_seen = [bool(_has_same_turn(turned[i, j], turn)) for i, j in sorted(pairs)]
    went_mm = [float(np.linalg.norm(new_mm[j] - old_mm[i])) for i, j in sorted(pairs)]
    is_rest = max(went_mm, default=0.0) < _SLIDES_MM
    return _Motion(turn, pairs if 2 * sum(as_seen) > len(as_seen) else frozenset(), is_rest)


def _rotation(turn_rad: float) -> Floats:
    cos, sin = math.cos(turn_rad), math.sin(turn_rad)
    return np.array([[cos, -sin], [sin, cos]])
