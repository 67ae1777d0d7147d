"""Members of a block whose own lines do not show, taken in where the network sees them in its order."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from models.base import RectBase
from models.words import Point
from vision.candidates import Candidate
from vision.ranked.advising import is_meant
from vision.ranked.blocks import STEPS, Block, Cell, Placed
from vision.ranked.patch import axes_of

Floats = NDArray[np.float64]

SEES = 0.4  # so sure the network is of a base that stands there whatever its lines show
_GAP_MM = 0.5  # usual between neighbours
_FEWEST, _INSIDE = 4, 0.75  # who tell where the block stands, and how far of a place they may be from a member
_ALIKE = 0.1  # of a place: so far off the network is of each
_AGREES_MM = 1.0  # from where lines put it is near enough: they tell it better
_SMALLER, _SEVERAL = 0.5, 3  # of a base's area, each; whom the network sees there it rather is
_IN_LINE_RAD = math.radians(15.0)  # as well as the network tells how a base is turned


def joined(block: Block, proposed: Sequence[Candidate]) -> Block:
    """The block with all that the network sees in its order, each beside another of it. `proposed`: on its ground."""
    seen = [one for one in proposed if _is_alike(one, block) and not any(is_meant(m, (one,)) for m in block.members)]
    members = dict(zip(block.cells, block.members, strict=True))
    edge = list(members) if seen else []
    while edge:
        cell = edge.pop(0)
        for step in STEPS:
            beside = cell[0] + step[0], cell[1] + step[1]
            there = _there(members[cell], step, seen) if beside not in members else None
            if there is not None:
                members[beside] = there
                seen = [one for one in seen if not is_meant(there, (one,))]
                edge.append(beside)
    return replace(block, members=tuple(members.values()), cells=tuple(members))


def in_phase(block: Block, proposed: Sequence[Candidate]) -> Block:
    """The block moved to where most of those stand whom the network sees in it: it sees each a few millimetres off,
    but all together within one, and figures in a row may look like lines half a base aside. Who may be turned
    either way counts once."""
    seen = np.array(list(dict.fromkeys(one.at_mm for one in proposed if _is_alike(one, block))))
    if len(seen) < _FEWEST:
        return block
    base, axes = block.members[0].base, axes_of(block.turn_rad)
    pitch_mm = np.array([base.depth_mm + _GAP_MM, base.width_mm + _GAP_MM])
    places = np.array([one.at_mm for one in block.members])
    away = (seen[:, None] - places[None]) @ axes.T / pitch_mm
    nearest = away[np.arange(len(seen)), np.abs(away).max(axis=2).argmin(axis=1)]
    inside = nearest[np.abs(nearest).max(axis=1) < _INSIDE]
    if len(inside) < _FEWEST:
        return block
    move_mm = np.array([_most_agree(inside[:, axis]) for axis in (0, 1)]) * pitch_mm
    if np.abs(move_mm).max() < _AGREES_MM:
        return block
    moved = (places + move_mm @ axes).tolist()
    members = (replace(one, at_mm=(x, y)) for one, (x, y) in zip(block.members, moved, strict=True))
    return replace(block, members=tuple(members))


def are_seen_in(block: Block, proposed: Sequence[Candidate]) -> bool:
    """Whether the network sees several smaller bases where this lone one would stand, and not it."""
    (one,) = block.members
    inside = [other for other in proposed if _is_seen_on(other, one)]
    sizes = ((other.at_mm, other.base) for other in inside)
    smaller = {at for at, base in sizes if isinstance(base, RectBase) and _area(base) <= _SMALLER * _area(one.base)}
    return len(smaller) >= _SEVERAL and not is_meant(one, inside)


def _is_seen_on(other: Candidate, one: Placed) -> bool:
    """Whether the network is sure of a base whose middle lies on this one."""
    half = np.array([one.base.depth_mm, one.base.width_mm]) / 2
    away = np.abs((np.array(other.at_mm) - one.at_mm) @ axes_of(one.turn_rad).T)
    return other.opinion is not None and other.opinion.is_it > SEES and bool((away < half).all())


def _area(base: RectBase) -> float:
    return base.width_mm * base.depth_mm


def _most_agree(off: Floats) -> float:
    """By which share of a place most of these are off, a whole place more or less being the same; 0 where fewer than
    two thirds agree."""
    apart = (off[:, None] - off[None] + 0.5) % 1.0 - 0.5
    best = int(np.exp(-((apart / _ALIKE) ** 2) / 2).sum(axis=1).argmax())
    own = apart[:, best]
    near = own[np.abs(own) < 2 * _ALIKE]
    if 3 * len(near) < 2 * len(off):
        return 0.0
    return float((off[best] + near.mean() + 0.5) % 1.0 - 0.5)


def _is_alike(one: Candidate, block: Block) -> bool:
    """Whether the network is sure of a base of its size, turned as its members are."""
    base = block.members[0].base
    if one.base != base or one.opinion is None or one.opinion.is_it < SEES:
        return False
    alike_rad = math.pi / 2 if base.width_mm == base.depth_mm else math.pi
    return abs((one.turn_rad - block.turn_rad + alike_rad / 2) % alike_rad - alike_rad / 2) < _IN_LINE_RAD


def _there(member: Placed, step: Cell, seen: Sequence[Candidate]) -> Placed | None:
    """Who is seen in the place that lies this step from the member."""
    base = member.base
    away = np.array(step) * [base.depth_mm + _GAP_MM, base.width_mm + _GAP_MM] @ axes_of(member.turn_rad)
    place: Point = (member.at_mm[0] + float(away[0]), member.at_mm[1] + float(away[1]))
    for one in seen:
        there = Placed(base, place, member.turn_rad, one.ground)
        if is_meant(there, (one,)):
            return there
    return None
